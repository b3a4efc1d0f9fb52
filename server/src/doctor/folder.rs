//! Checks of the data folder and its disk.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;
use rustix::fs::Access;

use super::{Finding, Setup, counted};
use crate::backup::{Place, UNFINISHED};

/// Mode bits that give users other than the owner access to a folder.
const OTHERS: u32 = 0o077;

/// With less free space than this, in bytes, writes may soon fail: the database log alone may take 64 MiB, an upload 512 MiB.
const NEXT_TO_NOTHING: u64 = 100 * 1024 * 1024;
const LITTLE: u64 = 1024 * 1024 * 1024;

/// Age at which an unfinished upload counts as abandoned.
const UPLOADS_KEPT: TimeDelta = TimeDelta::days(1);

/// Age at which an unfinished backup counts as abandoned. A backup of very much data takes hours.
const BACKUPS_KEPT: TimeDelta = TimeDelta::hours(1);

pub(super) fn check(setup: &Setup) -> Vec<Finding> {
    let folder = &setup.config.storage.data_dir;
    let place = folder.display();
    let found = match fs::metadata(folder) {
        Ok(found) if found.is_dir() => found,
        Ok(_) => {
            let remedy = "set --data-dir to a folder";
            return vec![Finding::fault("data folder", format!("{place} is not a folder"), remedy)];
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let remedy = "`leadscribe serve` creates it; if it should exist, check --data-dir";
            return vec![Finding::warning("data folder", format!("{place} doesn't exist yet"), remedy)];
        }
        Err(error) => {
            let remedy = "give the server's user access to it";
            return vec![Finding::fault("data folder", format!("{place} can't be read: {error}"), remedy)];
        }
    };
    let mut findings = vec![access(folder), permissions(folder, found.mode()), space(folder)];
    findings.extend(filesystem(folder));
    findings.push(uploads(setup));
    findings.push(left(setup));
    findings
}

fn access(folder: &Path) -> Finding {
    let place = folder.display();
    match rustix::fs::access(folder, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK) {
        Ok(()) => Finding::ok("data folder", format!("{place} can be read and written")),
        Err(error) => Finding::fault(
            "data folder",
            format!("{place} can't be read and written by this user: {error}"),
            "run this as the server's user; if you did, make that user the owner of the folder (chown -R)",
        ),
    }
}

fn permissions(folder: &Path, mode: u32) -> Finding {
    match open_to_others(folder, mode) {
        None => Finding::ok("permissions", format!("{} is accessible only to its owner", folder.display())),
        Some(found) => Finding::warning("permissions", found, format!("chmod 700 {}", folder.display())),
    }
}

/// Describes the problem if other users of this machine have access to a folder.
fn open_to_others(folder: &Path, mode: u32) -> Option<String> {
    (mode & OTHERS != 0).then(|| {
        let (place, mode) = (folder.display(), mode & 0o777);
        format!("{place} has mode {mode:o}: other users of this machine have access to it")
    })
}

/// Logs a warning if an existing data folder is open to other users. Its mode is left to its owner.
pub fn warn_if_open_to_others(folder: &Path) {
    let mode = fs::metadata(folder).map_or(0, |found| found.mode());
    if let Some(found) = open_to_others(folder, mode) {
        tracing::warn!(remedy = format!("chmod 700 {}", folder.display()), "{found}");
    }
}

fn space(folder: &Path) -> Finding {
    let Ok(disk) = rustix::fs::statvfs(folder) else {
        return Finding::warning("disk", "can't determine the free space", "check with df");
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let database = fs::metadata(folder.join("leadscribe.db")).map_or(0, |found| found.len());
    let said = format!("{} MB are free; the database takes {} MB", free / 1_000_000, database / 1_000_000);
    let remedy = "free some space: writes are refused while the disk is full; --recording-days and --transcript-days purge old \
         data";
    if free < NEXT_TO_NOTHING {
        Finding::fault("disk", said, remedy)
    } else if free < LITTLE.max(database) {
        Finding::warning("disk", said, remedy)
    } else {
        Finding::ok("disk", said)
    }
}

/// Checks the kind of file system, where that is possible: SQLite's locks and shared memory must work on it.
#[cfg(target_os = "linux")]
fn filesystem(folder: &Path) -> Option<Finding> {
    let name = network_drive(rustix::fs::statfs(folder).ok()?.f_type as i64)?;
    Some(Finding::fault(
        "file system",
        format!("{} is on a network drive ({name}), where the database can be corrupted", folder.display()),
        "move the data folder to a local disk, or use PostgreSQL",
    ))
}

/// Returns the name of a network file system by its type number. See `f_type` in `statfs`(2); some processors sign-extend it.
#[cfg(target_os = "linux")]
fn network_drive(kind: i64) -> Option<&'static str> {
    const NETWORK: [(i64, &str); 5] =
        [(0x6969, "NFS"), (0x517b, "SMB"), (0xff53_4d42, "CIFS"), (0xfe53_4d42, "SMB2"), (0x0102_1997, "9p")];
    let (_, name) = NETWORK.iter().find(|(number, _)| *number == kind & 0xffff_ffff)?;
    Some(name)
}

#[cfg(not(target_os = "linux"))]
fn filesystem(_folder: &Path) -> Option<Finding> {
    None
}

/// Checks for files of killed backups in the folder and of killed restores next to it.
fn left(setup: &Setup) -> Finding {
    let (folder, before) = (&setup.config.storage.data_dir, setup.now - BACKUPS_KEPT);
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| Some(entry.path()).filter(|_| is_older(&entry, before))).collect::<Vec<_>>()
    };
    let begins = |path: &Path, prefix: &str| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(prefix))
    };
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let name = whole.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let beside = whole.parent().map(names).unwrap_or_default();
    let mut left: Vec<_> = names(folder).into_iter().filter(|path| begins(path, UNFINISHED)).collect();
    left.extend(beside.into_iter().filter(|path| begins(path, UNFINISHED) || begins(path, &Place::unfinished(name))));
    let Some(first) = left.first() else { return Finding::ok("backups", "no leftover files") };
    Finding::warning(
        "backups",
        format!(
            "{} of killed backups and restores, such as {}",
            counted(left.len() as u64, "leftover", "leftovers"),
            first.display()
        ),
        "delete them unless a backup or restore is running; the next backup to the same folder deletes leftovers of \
         backups",
    )
}

/// Checks for files of abandoned uploads.
fn uploads(setup: &Setup) -> Finding {
    let before = setup.now - UPLOADS_KEPT;
    let folder = setup.config.spool_dir();
    let is_old = |entry: &fs::DirEntry| is_older(entry, before);
    let old = fs::read_dir(&folder).map_or(0, |entries| entries.flatten().filter(is_old).count() as u64);
    if old == 0 {
        return Finding::ok("uploads", "no leftover files");
    }
    Finding::warning(
        "uploads",
        format!("{} older than a day in {}", counted(old, "file", "files"), folder.display()),
        "a running worker deletes them within an hour; if no worker uses this folder, delete them yourself",
    )
}

/// True if the file was last written before the time.
fn is_older(entry: &fs::DirEntry, before: Timestamp) -> bool {
    let written = entry.metadata().and_then(|found| found.modified());
    written.is_ok_and(|written| Timestamp::from(written) < before)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn detects_network_file_systems() {
        let (ext4, tmpfs, overlay) = (0xef53, 0x0102_1994, 0x794c_7630);
        assert_eq!([ext4, tmpfs, overlay].map(network_drive), [None; 3]);
        let (nfs, cifs_on_32_bits) = (0x6969, i64::from(0xff53_4d42_u32 as i32));
        assert_eq!([nfs, cifs_on_32_bits].map(network_drive), [Some("NFS"), Some("CIFS")]);
    }
}
