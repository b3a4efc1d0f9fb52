//! Uses the system's time zone data if it is newer than the compiled-in data.
//!
//! A folder of time zone data has a TZif file for each zone, such as `Europe/Berlin`, and its version in `tzdata.zi` or `+VERSION`.
//! Debian's package `tzdata` keeps `/usr/share/zoneinfo` current.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use leadscribe_engine::zone::{self, Database, DatabaseError, Version, built_in_version};
use thiserror::Error;

/// Folder of the system's time zone data.
const SYSTEM_FOLDER: &str = "/usr/share/zoneinfo";

/// Maximum size of a TZif file in bytes. The largest known one has less than 4 kB.
const MAX_ZONE_BYTES: u64 = 65_536;

/// Maximum depth of folders: `America/Argentina/Ushuaia` is two levels deep.
const MAX_DEPTH: usize = 2;

/// Time zone data to use.
pub struct TimeZoneData {
    /// Version of the data.
    pub version: Version,
    /// Folder of the data; `None` for compiled-in data.
    pub folder: Option<PathBuf>,
    /// Data from that folder.
    database: Option<Database>,
}

/// Reason why the time zone data can't be used.
#[derive(Debug, Error)]
pub enum TimeZoneError {
    /// The folder contains no version.
    #[error("expected time zone data with its version in tzdata.zi or +VERSION in {}", .0.display())]
    NoVersion(PathBuf),
    /// A file or folder can't be read.
    #[error("can't read {}", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// The folder contains no usable data.
    #[error("can't use the time zone data in {}", .0.display())]
    Unusable(PathBuf, #[source] DatabaseError),
}

/// Returns the data that the option `time_zones` selects: `builtin` for compiled-in data, `auto` for the system's folder, or a folder.
/// A folder is used only if its data is newer.
///
/// # Errors
/// A folder named by the option has no usable data. With `auto`, unusable data is ignored.
pub fn select(option: &str) -> Result<TimeZoneData, TimeZoneError> {
    match option {
        "builtin" => Ok(built_in_data()),
        "auto" => Ok(system_data(Path::new(SYSTEM_FOLDER))),
        folder => Ok(load_if_newer(Path::new(folder))?.unwrap_or_else(built_in_data)),
    }
}

/// Installs the data that the option `time_zones` selects for the whole process. Call it before any zone is looked up.
///
/// # Errors
/// Those of [`select`].
pub fn install(option: &str) -> Result<(), TimeZoneError> {
    let TimeZoneData { version, folder, database } = select(option)?;
    let Some(database) = database else { return Ok(()) };
    match zone::install(database) {
        Ok(()) => {
            tracing::info!(%version, folder = %folder.unwrap_or_default().display(), "using time zone data from the \
                 folder")
        }
        Err(error) => tracing::warn!(%version, %error, "can't use newer time zone data"),
    }
    Ok(())
}

/// Returns the compiled-in data.
fn built_in_data() -> TimeZoneData {
    TimeZoneData { version: built_in_version(), folder: None, database: None }
}

/// Returns the data of the system's folder if it is usable and newer, otherwise the compiled-in data.
fn system_data(folder: &Path) -> TimeZoneData {
    load_if_newer(folder).ok().flatten().unwrap_or_else(built_in_data)
}

/// Returns the data of a folder if it is newer than the compiled-in data.
fn load_if_newer(folder: &Path) -> Result<Option<TimeZoneData>, TimeZoneError> {
    let tzdata = fs::read_to_string(folder.join("tzdata.zi")).unwrap_or_default();
    let version = read_version(folder, &tzdata).ok_or_else(|| TimeZoneError::NoVersion(folder.to_owned()))?;
    if version <= built_in_version() {
        return Ok(None);
    }
    let mut files = Vec::new();
    collect_zones(folder, "", MAX_DEPTH, &mut files)?;
    let database = Database::with_updates(version.clone(), files, &parse_links(&tzdata));
    let database = database.map_err(|error| TimeZoneError::Unusable(folder.to_owned(), error))?;
    Ok(Some(TimeZoneData { version, folder: Some(folder.to_owned()), database: Some(database) }))
}

/// Returns the version from the first line of `tzdata.zi` or from the file `+VERSION`.
fn read_version(folder: &Path, tzdata: &str) -> Option<Version> {
    let first_line = tzdata.lines().next().and_then(|line| line.strip_prefix("# version "));
    first_line.and_then(|version| version.trim().parse().ok()).or_else(|| {
        let file = fs::read_to_string(folder.join("+VERSION")).ok()?;
        file.trim().parse().ok()
    })
}

/// Parses the links of `tzdata.zi` into pairs of alias and target: `L Europe/Kyiv Europe/Kiev`.
fn parse_links(tzdata: &str) -> Vec<(String, String)> {
    let link = |line: &str| {
        let mut words = line.strip_prefix("L ")?.split_ascii_whitespace();
        let target = words.next()?.to_owned();
        Some((words.next()?.to_owned(), target))
    };
    tzdata.lines().filter_map(link).collect()
}

/// Collects the TZif files below a folder with the names of their zones.
fn collect_zones(
    folder: &Path,
    prefix: &str,
    depth: usize,
    files: &mut Vec<(String, Vec<u8>)>,
) -> Result<(), TimeZoneError> {
    let unreadable = |error| TimeZoneError::Unreadable(folder.to_owned(), error);
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        // Skip `posix`, which repeats the zones, `right`, which includes leap seconds, and other files.
        if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
            continue;
        }
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            if depth > 0 {
                collect_zones(&path, &format!("{name}/"), depth - 1, files)?;
            }
        } else if let Some(data) = read_zone(&path).map_err(|error| TimeZoneError::Unreadable(path.clone(), error))? {
            files.push((name, data));
        }
    }
    Ok(())
}

/// Returns the content of a TZif file, or `None` for any other file.
fn read_zone(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut data = Vec::new();
    fs::File::open(path)?.take(MAX_ZONE_BYTES + 1).read_to_end(&mut data)?;
    Ok((data.starts_with(b"TZif") && data.len() as u64 <= MAX_ZONE_BYTES).then_some(data))
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::time;

    use super::*;

    /// Creates a folder with time zone data of one zone, five hours behind UTC.
    fn zone_folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("America/Argentina")).unwrap();
        let mut zone = Vec::new();
        for _ in 0..2 {
            zone.extend(b"TZif2");
            zone.extend([0; 15]);
            for count in [0_u32, 0, 0, 0, 1, 4] {
                zone.extend(count.to_be_bytes());
            }
            zone.extend([0; 6]);
            zone.extend(b"UTC\0");
        }
        zone.extend(b"\nXXX5\n");
        fs::write(folder.path().join("America/Argentina/Ushuaia"), zone).unwrap();
        fs::write(folder.path().join("zone1970.tab"), "no zone").unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    fn select_folder(folder: &tempfile::TempDir) -> Result<TimeZoneData, TimeZoneError> {
        select(&folder.path().display().to_string())
    }

    #[test]
    fn uses_newer_data_of_a_folder() {
        let tzdata = "# version 2099a\nL America/Argentina/Ushuaia America/Kyrenia\n";
        for files in [[("tzdata.zi", tzdata)], [("+VERSION", "2099a\n")]] {
            let folder = zone_folder(&files);
            let data = select_folder(&folder).unwrap();
            assert_eq!((data.version.to_string(), data.folder.as_deref()), ("2099a".to_owned(), Some(folder.path())));
            let instant = time::parse("2099-07-01T12:00:00Z").unwrap();
            let local =
                |zone: &str| data.database.as_ref().unwrap().local_time(zone, instant).map(|time| time.to_string());
            assert_eq!(local("America/Argentina/Ushuaia").as_deref(), Some("2099-07-01 07:00:00"));
            assert_eq!(local("Europe/Berlin").as_deref(), Some("2099-07-01 14:00:00"));
            let has_links = files[0].0 == "tzdata.zi";
            assert_eq!(local("America/Kyrenia").is_some(), has_links);
        }
    }

    #[test]
    fn keeps_compiled_in_data_over_older_data() {
        for version in ["2025b", &built_in_version().to_string()] {
            let folder = zone_folder(&[("+VERSION", version)]);
            let data = select_folder(&folder).unwrap();
            assert_eq!((data.version, data.folder), (built_in_version(), None));
        }
        assert_eq!(select("builtin").unwrap().folder, None);
    }

    #[test]
    fn ignores_a_system_folder_without_data() {
        let (no_version, no_zones) = (zone_folder(&[]), tempfile::tempdir().unwrap());
        fs::write(no_zones.path().join("+VERSION"), "2099a").unwrap();
        let missing = no_zones.path().join("zoneinfo");
        for path in [no_version.path(), no_zones.path(), missing.as_path()] {
            let data = system_data(path);
            assert_eq!((data.version, data.folder), (built_in_version(), None), "{}", path.display());
        }
        let newer = zone_folder(&[("+VERSION", "2099a")]);
        assert_eq!(system_data(newer.path()).folder.as_deref(), Some(newer.path()));
    }

    #[test]
    fn refuses_a_named_folder_without_data() {
        let folder = zone_folder(&[]);
        let error = select_folder(&folder).map(drop).unwrap_err();
        let path = folder.path().display();
        assert_eq!(
            error.to_string(),
            format!("expected time zone data with its version in tzdata.zi or +VERSION in {path}")
        );
        let empty = tempfile::tempdir().unwrap();
        fs::write(empty.path().join("+VERSION"), "2099a").unwrap();
        let error = select_folder(&empty).map(drop).unwrap_err();
        assert_eq!(error.to_string(), format!("can't use the time zone data in {}", empty.path().display()));
    }
}
