//! Checks of the data folder and its disk.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;
use rustix::fs::Access;

use super::{CheckContext, CheckResult, pluralize};
use crate::backup::{RestoreTarget, UNFINISHED_PREFIX};

/// Mode bits that give users other than the owner access to a folder.
const OTHER_USERS_MODE: u32 = 0o077;

/// With less free space than this, in bytes, writes may soon fail: the database log alone may take 64 MiB, an upload 512 MiB.
const CRITICAL_FREE_BYTES: u64 = 100 * 1024 * 1024;
const LOW_FREE_BYTES: u64 = 1024 * 1024 * 1024;

/// Age at which an unfinished upload counts as abandoned.
const ABANDONED_UPLOAD_AGE: TimeDelta = TimeDelta::days(1);

/// Age at which an unfinished backup counts as abandoned.
const ABANDONED_BACKUP_AGE: TimeDelta = TimeDelta::hours(1);

pub(super) fn check(context: &CheckContext) -> Vec<CheckResult> {
    let folder = &context.config.storage.data_dir;
    let path = folder.display();
    let metadata = match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => metadata,
        Ok(_) => {
            let remedy = "set --data-dir to a folder";
            return vec![CheckResult::error("data folder", format!("{path} is not a folder"), remedy)];
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let remedy = "`leadscribe serve` creates it; if it should exist, check --data-dir";
            return vec![CheckResult::warning("data folder", format!("{path} doesn't exist yet"), remedy)];
        }
        Err(error) => {
            let remedy = "give the server's user access to it";
            return vec![CheckResult::error("data folder", format!("{path} can't be read: {error}"), remedy)];
        }
    };
    let mut results = vec![check_access(folder), check_permissions(folder, metadata.mode()), check_space(folder)];
    results.extend(check_file_system(folder));
    results.push(check_uploads(context));
    results.push(check_leftovers(context));
    results
}

fn check_access(folder: &Path) -> CheckResult {
    let path = folder.display();
    match rustix::fs::access(folder, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK) {
        Ok(()) => CheckResult::ok("data folder", format!("{path} can be read and written")),
        Err(error) => CheckResult::error(
            "data folder",
            format!("{path} can't be read and written by this user: {error}"),
            "run this as the server's user; if you did, make that user the owner of the folder (chown -R)",
        ),
    }
}

fn check_permissions(folder: &Path, mode: u32) -> CheckResult {
    match describe_open_access(folder, mode) {
        None => CheckResult::ok("permissions", format!("{} is accessible only to its owner", folder.display())),
        Some(problem) => CheckResult::warning("permissions", problem, format!("chmod 700 {}", folder.display())),
    }
}

/// Describes the problem if other users of this machine have access to a folder.
fn describe_open_access(folder: &Path, mode: u32) -> Option<String> {
    (mode & OTHER_USERS_MODE != 0).then(|| {
        let (path, mode) = (folder.display(), mode & 0o777);
        format!("{path} has mode {mode:o}: other users of this machine have access to it")
    })
}

/// Logs a warning if an existing data folder is open to other users. Its mode is left to its owner.
pub fn warn_if_open_to_others(folder: &Path) {
    let mode = fs::metadata(folder).map_or(0, |metadata| metadata.mode());
    if let Some(problem) = describe_open_access(folder, mode) {
        tracing::warn!(remedy = format!("chmod 700 {}", folder.display()), "{problem}");
    }
}

fn check_space(folder: &Path) -> CheckResult {
    let Ok(disk) = rustix::fs::statvfs(folder) else {
        return CheckResult::warning("disk", "can't determine the free space", "check with df");
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let database = fs::metadata(folder.join("leadscribe.db")).map_or(0, |metadata| metadata.len());
    let description = format!("{} MB are free; the database takes {} MB", free / 1_000_000, database / 1_000_000);
    let remedy = "free some space: writes are refused while the disk is full; --recording-days and --transcript-days purge old \
         data";
    if free < CRITICAL_FREE_BYTES {
        CheckResult::error("disk", description, remedy)
    } else if free < LOW_FREE_BYTES.max(database) {
        CheckResult::warning("disk", description, remedy)
    } else {
        CheckResult::ok("disk", description)
    }
}

/// Checks the kind of file system, where that is possible: SQLite's locks and shared memory must work on it.
#[cfg(target_os = "linux")]
fn check_file_system(folder: &Path) -> Option<CheckResult> {
    let name = network_file_system(rustix::fs::statfs(folder).ok()?.f_type as i64)?;
    Some(CheckResult::error(
        "file system",
        format!("{} is on a network drive ({name}), where the database can be corrupted", folder.display()),
        "move the data folder to a local disk, or use PostgreSQL",
    ))
}

/// Returns the name of a network file system by its type number. See `f_type` in `statfs`(2); some processors sign-extend it.
#[cfg(target_os = "linux")]
fn network_file_system(kind: i64) -> Option<&'static str> {
    const NETWORK: [(i64, &str); 5] =
        [(0x6969, "NFS"), (0x517b, "SMB"), (0xff53_4d42, "CIFS"), (0xfe53_4d42, "SMB2"), (0x0102_1997, "9p")];
    let (_, name) = NETWORK.iter().find(|(number, _)| *number == kind & 0xffff_ffff)?;
    Some(name)
}

#[cfg(not(target_os = "linux"))]
fn check_file_system(_folder: &Path) -> Option<CheckResult> {
    None
}

/// Checks for files of killed backups in the folder and of killed restores next to it.
fn check_leftovers(context: &CheckContext) -> CheckResult {
    let (folder, before) = (&context.config.storage.data_dir, context.now - ABANDONED_BACKUP_AGE);
    let old_files = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .filter_map(|entry| Some(entry.path()).filter(|_| is_modified_before(&entry, before)))
            .collect::<Vec<_>>()
    };
    let has_prefix = |path: &Path, prefix: &str| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(prefix))
    };
    let absolute_path = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let name = absolute_path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let sibling_files = absolute_path.parent().map(old_files).unwrap_or_default();
    let mut leftovers: Vec<_> =
        old_files(folder).into_iter().filter(|path| has_prefix(path, UNFINISHED_PREFIX)).collect();
    leftovers.extend(
        sibling_files.into_iter().filter(|path| {
            has_prefix(path, UNFINISHED_PREFIX) || has_prefix(path, &RestoreTarget::folder_prefix(name))
        }),
    );
    let Some(first) = leftovers.first() else { return CheckResult::ok("backups", "no leftover files") };
    CheckResult::warning(
        "backups",
        format!(
            "{} of killed backups and restores, such as {}",
            pluralize(leftovers.len() as u64, "leftover", "leftovers"),
            first.display()
        ),
        "delete them unless a backup or restore is running; the next backup to the same folder deletes leftovers of \
         backups",
    )
}

/// Checks for files of abandoned uploads.
fn check_uploads(context: &CheckContext) -> CheckResult {
    let before = context.now - ABANDONED_UPLOAD_AGE;
    let folder = context.config.spool_dir();
    let is_old = |entry: &fs::DirEntry| is_modified_before(entry, before);
    let old_count = fs::read_dir(&folder).map_or(0, |entries| entries.flatten().filter(is_old).count() as u64);
    if old_count == 0 {
        return CheckResult::ok("uploads", "no leftover files");
    }
    CheckResult::warning(
        "uploads",
        format!("{} older than a day in {}", pluralize(old_count, "file", "files"), folder.display()),
        "a running worker deletes them within an hour; if no worker uses this folder, delete them yourself",
    )
}

/// True if the file was last written before the time.
fn is_modified_before(entry: &fs::DirEntry, before: Timestamp) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| Timestamp::from(modified) < before)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn detects_network_file_systems() {
        let (ext4, tmpfs, overlay) = (0xef53, 0x0102_1994, 0x794c_7630);
        assert_eq!([ext4, tmpfs, overlay].map(network_file_system), [None; 3]);
        let (nfs, cifs_on_32_bits) = (0x6969, i64::from(0xff53_4d42_u32 as i32));
        assert_eq!([nfs, cifs_on_32_bits].map(network_file_system), [Some("NFS"), Some("CIFS")]);
    }
}
