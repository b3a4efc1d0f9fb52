//! `leadscribe backup`.

use std::fs::{self, DirBuilder, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use tempfile::NamedTempFile;

use super::{BYTES_AND_MESSAGE, moved_marker, progress_bar};
use crate::backup::{
    self, BackupSource, BackupSummary, Progress, RecordingIssueKind, RecordingsLocation, UNFINISHED_PREFIX,
};
use crate::clock::{Clock, SystemClock};
use crate::config::{Config, Flags};
use crate::storage::snapshot::{DatabaseContents, SnapshotError};
use crate::storage::sqlite::snapshot;
use crate::telemetry;

/// Minimum age of an unfinished file before it counts as abandoned. A running backup locks its file sooner than that.
const MIN_ABANDONED_AGE: Duration = Duration::from_secs(60);

/// Command-line arguments.
#[derive(Debug, clap::Args)]
pub struct Backup {
    /// File to create, which must not exist yet; `-` for standard output
    file: PathBuf,
    #[command(flatten)]
    flags: Flags,
}

impl Backup {
    /// Copies the database and writes it to the archive with all recordings and options. The file gets its name once it is complete and on
    /// disk.
    pub async fn run(self) -> anyhow::Result<()> {
        let Self { file, flags } = self;
        let config = Config::load(&flags)?;
        telemetry::init(&config.log)?;
        tokio::task::spawn_blocking(move || back_up(&config, &file)).await?
    }
}

pub(super) fn back_up(config: &Config, file: &Path) -> anyhow::Result<()> {
    if config.storage.database_url.reveal().is_some() {
        bail!("`leadscribe backup` can't back up PostgreSQL; use pg_dump, and back up the recordings at the same time");
    }
    moved_marker::ensure_not_moved(config)?;
    if file == Path::new("-") {
        ensure!(
            !io::stdout().is_terminal(),
            "refusing to write a backup to a terminal; redirect it to a file or a program"
        );
        let (_, summary) = write_backup(config, BufWriter::new(io::stdout().lock()))?;
        print_summary(config, &summary);
        return Ok(());
    }
    ensure!(fs::symlink_metadata(file).is_err(), "{} already exists; choose another file name", file.display());
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if let Err(error) = delete_abandoned(folder) {
        eprintln!("can't check {} for leftovers of killed backups: {error}", folder.display());
    }
    let temp_file = create_temp_file(folder)?;
    lock_archive(&temp_file);
    let (writer, summary) = write_backup(config, BufWriter::new(temp_file.as_file()))?;
    drop(writer);
    temp_file.as_file().sync_all().with_context(|| format!("can't write {}", file.display()))?;
    let bytes = temp_file.as_file().metadata()?.len();
    // Don't overwrite a file that was created in the meantime.
    let persisted = temp_file.persist_noclobber(file).map_err(|error| error.error);
    persisted.with_context(|| format!("can't create {}", file.display()))?;
    File::open(folder)?.sync_all()?;
    print_summary(config, &summary);
    eprintln!("{}: {bytes} bytes", file.display());
    Ok(())
}

/// Creates a private temporary file, because it will contain phone numbers. Dropping it deletes it.
fn create_temp_file(folder: &Path) -> anyhow::Result<NamedTempFile> {
    let file = tempfile::Builder::new().prefix(UNFINISHED_PREFIX).tempfile_in(folder);
    file.with_context(|| format!("can't create a file in {}", folder.display()))
}

/// Locks the file of a backup while this process runs, so that other processes don't treat it as abandoned.
fn lock_archive(archive: &NamedTempFile) {
    // An exclusive lock: on some network drives, a file with a shared lock can't be written. If the file system doesn't support locks,
    // abandoned files are not deleted.
    let _ = archive.as_file().try_lock();
}

/// Deletes unfinished files of killed backups in a folder. They contain phone numbers and recordings, and take disk space.
fn delete_abandoned(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let has_prefix = entry.file_name().to_str().is_some_and(|name| name.starts_with(UNFINISHED_PREFIX));
        if !has_prefix || !entry.file_type()?.is_file() || !is_abandoned(&entry.path())? {
            continue;
        }
        fs::remove_file(entry.path())?;
        eprintln!("deleted {}, left over from a killed backup", entry.path().display());
    }
    Ok(())
}

/// True if a file is old enough and not locked.
fn is_abandoned(path: &Path) -> io::Result<bool> {
    // Locks on network drives require a writable file.
    let file = File::options().read(true).write(true).open(path)?;
    // A file from the future counts as new, in case the clock was set.
    let is_old = file.metadata()?.modified()?.elapsed().is_ok_and(|age| age >= MIN_ABANDONED_AGE);
    Ok(is_old && file.try_lock().is_ok())
}

/// Copies the database to a temporary file and returns it with its contents.
///
/// The copy is in the data folder, because SQLite's locks may not work on the backup's file system, which may be a network drive. In the
/// data folder, a server deletes files of killed processes.
fn copy_database(config: &Config) -> anyhow::Result<(NamedTempFile, DatabaseContents)> {
    let (database, folder) = (config.database_file(), config.spool_dir());
    if !database.is_file() {
        return Err(SnapshotError::NotFound(database)).context("can't copy the database");
    }
    DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
    // Includes the write-ahead log, whose content may not be in the database file yet.
    let files = [&database, &database.with_extension("db-wal")];
    let bytes = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|metadata| metadata.len()).sum();
    backup::ensure_free_space(&folder, bytes, "the copy of the database")?;
    let copy = create_temp_file(&folder)?;
    snapshot::copy_database(&database, copy.path()).context("can't copy the database")?;
    let contents = snapshot::read_contents(copy.path()).context("can't read the copy of the database")?;
    // Prevents a server from deleting the copy, whatever the clock shows. SQLite must have released its own lock before, because some file
    // systems can't distinguish the two kinds of lock.
    let _ = copy.as_file().try_lock_shared();
    Ok((copy, contents))
}

/// Copies the database and writes the backup to `output`.
fn write_backup<W: Write>(config: &Config, output: W) -> anyhow::Result<(W, BackupSummary)> {
    let database = config.database_file();
    let bar = progress_bar(0, BYTES_AND_MESSAGE);
    bar.set_message("copying the database");
    let copied_at = SystemClock.now();
    let (copy, contents) = copy_database(config)?;
    let options = config.storage.data_dir.join("leadscribe.toml");
    let source = BackupSource {
        database: copy.path().to_owned(),
        contents,
        copied_at,
        options: options.is_file().then_some(options),
        recordings_folder: config.recordings_dir(),
        recordings: match config.recordings.url.as_str() {
            "none" => RecordingsLocation::Included,
            bucket => RecordingsLocation::Bucket(bucket.to_owned()),
        },
    };
    bar.set_message("writing");
    let list_recordings = || snapshot::recording_keys(&database).context("can't read the database");
    let summary = backup::write(output, &source, list_recordings, |Progress { done, total }| {
        bar.set_length(total);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let (mut output, summary) = summary?;
    output.flush().context("can't write the backup")?;
    Ok((output, summary))
}

/// Prints the contents of the backup and what is missing.
fn print_summary(config: &Config, summary: &BackupSummary) {
    let BackupSummary { manifest, bytes } = summary;
    let rows: u64 = manifest.tables.values().map(|table| table.rows).sum();
    let recordings = manifest.files.keys().filter(|path| path.starts_with("recordings/")).count();
    eprintln!("backed up {rows} rows and {recordings} recordings, {bytes} bytes before compression");
    for (kind, description) in [
        (RecordingIssueKind::Purged, "recordings purged or replaced during the backup"),
        (RecordingIssueKind::Missing, "recordings that were already missing from their folder"),
        (RecordingIssueKind::Damaged, "recordings in the backup that differ from what was originally stored"),
    ] {
        let issues: Vec<_> = manifest.recording_issues.iter().filter(|issue| issue.kind == kind).collect();
        if let Some(first) = issues.first() {
            eprintln!("{description}: {}, such as {}", issues.len(), first.recording);
        }
    }
    if config.recordings.url != "none" {
        eprintln!("the recordings are in {} and not in this backup; back them up separately", config.recordings.url);
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use tempfile::TempDir;

    use super::*;
    use crate::storage::sqlite::SqliteStore;

    #[test]
    fn deletes_only_files_of_killed_backups() {
        let folder = tempfile::tempdir().unwrap();
        let create_old_file = |name: &str| {
            let path = folder.path().join(name);
            let file = File::create(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
            (path, file)
        };
        let (abandoned, _) = create_old_file(".leadscribe-backup-killed");
        let (other, _) = create_old_file("backup-of-monday");
        let (locked, lock_holder) = create_old_file(".leadscribe-backup-held");
        lock_holder.lock().unwrap();
        let new_file = folder.path().join(".leadscribe-backup-young");
        File::create(&new_file).unwrap();
        delete_abandoned(folder.path()).unwrap();
        assert!(!abandoned.exists());
        assert!(other.exists() && locked.exists() && new_file.exists());
        drop(lock_holder);
        delete_abandoned(folder.path()).unwrap();
        assert!(!locked.exists());
    }

    /// Creates an installation in a folder `data`.
    fn installation() -> (TempDir, Config) {
        let home = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.storage.data_dir = home.path().join("data");
        fs::create_dir(&config.storage.data_dir).unwrap();
        drop(SqliteStore::open(&config.database_file()).unwrap());
        (home, config)
    }

    #[test]
    fn locks_archive_and_copies_into_data_folder() {
        let (home, config) = installation();
        let archive = create_temp_file(home.path()).unwrap();
        lock_archive(&archive);
        assert!(File::open(archive.path()).unwrap().try_lock_shared().is_err());
        let (copy, _) = copy_database(&config).unwrap();
        assert!(File::open(copy.path()).unwrap().try_lock().is_err());
        assert_eq!(copy.path().parent(), Some(config.spool_dir().as_path()));
    }

    #[test]
    fn backup_deletes_files_of_killed_backup() {
        let (home, config) = installation();
        let abandoned = home.path().join(".leadscribe-backup-killed");
        File::create(&abandoned).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        back_up(&config, &home.path().join("backup")).unwrap();
        assert!(!abandoned.exists());
    }
}
