//! Unpacks backups. All metadata is verified against the contents, and nothing is written outside the given folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};
use sha2::{Digest as _, Sha256};

use super::manifest::{FORMAT, FileContents, Header, Left, Manifest, Recordings};
use super::{DATABASE, HEADER, MANIFEST, OPTIONS, Progress, RECORDINGS};
use crate::recording::files::{self, Digest};
use crate::storage::RecordingKey;
use crate::storage::snapshot::Contents;

/// Maximum size of the header, in bytes.
const MAX_HEADER_BYTES: u64 = 64 * 1024;

/// Maximum size of the manifest, in bytes: enough for five million recordings. It is held in memory.
const MAX_MANIFEST_BYTES: u64 = 1024 * 1024 * 1024;

/// Size of the read buffer, in bytes.
const BUFFER_BYTES: usize = 256 * 1024;

/// Disk space left free for other programs, in bytes.
const SPARE_BYTES: u64 = 16 * 1024 * 1024;

/// An unpacked backup that matches its manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The header.
    pub header: Header,
    /// The manifest.
    pub manifest: Manifest,
}

/// Unpacks a backup into an empty folder: the database, and unless `database_only` is set, the options and recordings. All entries are
/// verified in any case. Blocks.
///
/// # Errors
/// The file isn't a backup, is damaged, or comes from a newer program (`known` is the schema version of this one); or a file can't be
/// written.
pub fn read(
    backup: impl io::Read,
    folder: &Path,
    known: i64,
    database_only: bool,
    tell: impl Fn(Progress),
) -> anyhow::Result<Read> {
    let foreign = || anyhow!("this is not a backup created by `leadscribe backup`");
    let decoder = zstd::Decoder::new(backup)?;
    let mut archive = tar::Archive::new(decoder);
    let mut entries = archive.entries()?.raw(true);
    let mut first = match entries.next() {
        Some(Ok(first)) if first.path_bytes() == HEADER.as_bytes() => first,
        _ => return Err(foreign()),
    };
    ensure!(first.size() <= MAX_HEADER_BYTES, foreign());
    let mut text = Vec::new();
    first.read_to_end(&mut text).map_err(damaged)?;
    drop(first);
    let header = understand(&text, known)?;
    if !database_only {
        expect_room(folder, header.bytes, "the backup")?;
    }

    let progress = Progress { done: 0, total: header.bytes };
    let mut taken = Taken { folder, database_only, progress, files: BTreeMap::new(), tell: &tell };
    let mut manifest = None;
    for (count, entry) in (1..).zip(entries) {
        let mut entry = entry.map_err(damaged)?;
        ensure!(manifest.is_none(), "the backup is damaged: there is data after its manifest");
        ensure!(count <= header.entries, "the backup is damaged: it contains more files than it declares");
        ensure!(
            entry.size() <= header.bytes - taken.progress.done,
            "the backup is damaged: it contains more bytes than it declares"
        );
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        ensure!(
            entry.header().entry_type() == tar::EntryType::Regular && is_expected(&path),
            "the backup contains {path:?}, which doesn't belong in a data folder; it was not created by `leadscribe \
             backup`"
        );
        if path == MANIFEST {
            ensure!(entry.size() <= MAX_MANIFEST_BYTES, "the backup is damaged: its manifest is too long");
            let mut text = Vec::new();
            entry.read_to_end(&mut text).map_err(damaged)?;
            taken.progress.done += text.len() as u64;
            manifest = Some(serde_json::from_slice::<Manifest>(&text).context("the backup's manifest is damaged")?);
        } else {
            if database_only && path == DATABASE {
                expect_room(folder, entry.size(), "the backup")?;
            }
            taken.take(&path, &mut entry)?;
        }
    }
    expect_end(archive.into_inner())?;
    let manifest = manifest.ok_or_else(|| anyhow!("the backup is truncated: its end is missing"))?;
    compare(&taken.files, &manifest)?;
    Ok(Read { header, manifest })
}

impl Read {
    /// Compares the contents of the database with those at the time of the backup.
    ///
    /// # Errors
    /// They differ.
    pub fn expect(&self, found: &Contents) -> anyhow::Result<()> {
        let Self { header, manifest } = self;
        ensure!(
            found.schema == header.schema,
            "the backup is damaged: it declares schema version {}, but its database has {}",
            header.schema,
            found.schema
        );
        let names: BTreeSet<_> = found.tables.keys().chain(manifest.tables.keys()).collect();
        if let Some(table) = names.into_iter().find(|table| found.tables.get(*table) != manifest.tables.get(*table)) {
            bail!("the backup is damaged: the contents of the table {table} have changed");
        }
        if header.recordings == Recordings::Included {
            let remarked = |key: &RecordingKey| {
                manifest.remarks.iter().any(|remark| remark.recording == key.0 && remark.left != Left::Damaged)
            };
            let is_there = |key: &RecordingKey| manifest.files.contains_key(&format!("{RECORDINGS}/{}", key.0));
            if let Some(key) = found.recordings.iter().find(|key| !is_there(key) && !remarked(key)) {
                bail!("the backup is damaged: the recording {} is not in it", key.0);
            }
        }
        Ok(())
    }
}

/// Reads the header, if its format is supported.
fn understand(text: &[u8], known: i64) -> anyhow::Result<Header> {
    let value: serde_json::Value = serde_json::from_slice(text).context("the backup's header is damaged")?;
    let program = value["program"].as_str().unwrap_or("unknown");
    let format = value["format"].as_u64().unwrap_or(0);
    ensure!(
        format <= FORMAT,
        "the backup has format {format}, but this program supports formats up to {FORMAT}; restore it with Leadscribe \
         {program} or newer"
    );
    let header: Header = serde_json::from_value(value.clone()).context("the backup's header is damaged")?;
    ensure!(
        header.schema <= known,
        "the backup has schema version {}, but this program supports versions up to {known}; restore it with \
         Leadscribe {program} or newer",
        header.schema
    );
    Ok(header)
}

/// Checks that the disk has space for this many bytes of `what`.
///
/// # Errors
/// The space is insufficient, or can't be determined.
pub fn expect_room(folder: &Path, bytes: u64, what: &str) -> anyhow::Result<()> {
    let disk = rustix::fs::statvfs(folder)
        .with_context(|| format!("can't determine the free space at {}", folder.display()))?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize).saturating_sub(SPARE_BYTES);
    ensure!(bytes <= free, "{what} needs up to {bytes} bytes, but only {free} are free at {}", folder.display());
    Ok(())
}

/// Returns true if a backup can have an entry with this name.
fn is_expected(path: &str) -> bool {
    if [DATABASE, OPTIONS, MANIFEST].contains(&path) {
        return true;
    }
    let Some(key) = path.strip_prefix(RECORDINGS).and_then(|rest| rest.strip_prefix('/')) else { return false };
    // The call, and a name without special characters of paths.
    let is_plain = |name: &str| {
        !name.starts_with('.') && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    files::call_of(&RecordingKey(key.to_owned())).is_some()
        && key.split_once('/').is_some_and(|(_, name)| !name.is_empty() && is_plain(name))
}

/// State of unpacking.
struct Taken<'t> {
    folder: &'t Path,
    database_only: bool,
    progress: Progress,
    files: BTreeMap<String, FileContents>,
    tell: &'t dyn Fn(Progress),
}

impl Taken<'_> {
    fn take(&mut self, path: &str, entry: &mut impl io::Read) -> anyhow::Result<()> {
        ensure!(!self.files.contains_key(path), "the backup is damaged: it contains {path} twice");
        let is_kept = !self.database_only || path == DATABASE;
        let mut file = match is_kept.then(|| self.create(path)) {
            None => None,
            Some(created) => Some(created.with_context(|| format!("can't write {path}"))?),
        };
        let (mut hash, mut bytes) = (Sha256::new(), 0);
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            let read = entry.read(&mut buffer).map_err(damaged)?;
            if read == 0 {
                break;
            }
            hash.update(&buffer[..read]);
            if let Some(file) = &mut file {
                file.write_all(&buffer[..read]).with_context(|| format!("can't write {path}"))?;
            }
            bytes += read as u64;
            self.progress.done += read as u64;
            (self.tell)(self.progress);
        }
        if let Some(file) = file {
            file.sync_all().with_context(|| format!("can't write {path}"))?;
        }
        let sha256 = Digest::new(hash.finalize().into()).to_string();
        self.files.insert(path.to_owned(), FileContents { bytes, sha256 });
        Ok(())
    }

    /// Creates a file that only the current user can access, like all files in a data folder.
    fn create(&self, path: &str) -> io::Result<File> {
        let path = self.folder.join(path);
        if let Some(folder) = path.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
    }
}

/// Checks that only the padding of the last block follows the archive.
fn expect_end(mut rest: impl io::Read) -> anyhow::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match rest.read(&mut buffer).map_err(damaged)? {
            0 => return Ok(()),
            read => {
                ensure!(
                    buffer[..read].iter().all(|byte| *byte == 0),
                    "the backup is damaged: there is data after its \
                     end"
                )
            }
        }
    }
}

fn compare(found: &BTreeMap<String, FileContents>, manifest: &Manifest) -> anyhow::Result<()> {
    ensure!(found.contains_key(DATABASE), "the backup is damaged: it contains no database");
    let names: BTreeSet<_> = found.keys().chain(manifest.files.keys()).collect();
    match names.into_iter().find(|name| found.get(*name) != manifest.files.get(*name)) {
        None => Ok(()),
        Some(name) => bail!("the backup is damaged: {name} doesn't match its manifest"),
    }
}

/// Error for data that can't be unpacked.
fn damaged(error: io::Error) -> anyhow::Error {
    let told = if error.kind() == io::ErrorKind::UnexpectedEof { "truncated" } else { "damaged" };
    anyhow!("the backup is {told}: {error}")
}

/// Makes the names of all files in a folder and its subfolders durable on disk.
///
/// # Errors
/// A disk operation failed.
pub(super) fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    File::open(folder)?.sync_all()
}
