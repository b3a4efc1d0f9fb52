//! `leadscribe restore`.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::{BYTES_AND_MESSAGE, progress_bar};
use crate::backup::{self, Progress, RecordingsLocation, RestoreTarget};
use crate::config::{Config, Flags};
use crate::storage::sqlite::snapshot;
use crate::telemetry;

/// Command-line arguments.
#[derive(Debug, clap::Args)]
pub struct Restore {
    /// Backup to restore; `-` for standard input
    file: PathBuf,
    /// Only check that the backup could be restored; needs space for the database in the temporary folder (TMPDIR)
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    flags: Flags,
}

impl Restore {
    /// Unpacks and verifies the whole backup before it becomes the data folder.
    pub async fn run(self) -> anyhow::Result<()> {
        let Self { file, verify, flags } = self;
        let config = Config::load(&flags)?;
        telemetry::init(&config.log)?;
        tokio::task::spawn_blocking(move || if verify { verify_backup(&file) } else { restore(&config, &file) }).await?
    }
}

/// Verifies a backup without changing anything.
fn verify_backup(file: &Path) -> anyhow::Result<()> {
    let folder = tempfile::tempdir().context("can't create a temporary folder")?;
    print_summary(&unpack(file, folder.path(), true)?);
    eprintln!("the backup is complete and undamaged");
    Ok(())
}

fn restore(config: &Config, file: &Path) -> anyhow::Result<()> {
    ensure!(
        config.storage.database_url.reveal().is_none(),
        "`leadscribe restore` creates a data folder with its own database; remove --database-url"
    );
    let folder = &config.storage.data_dir;
    let target = RestoreTarget::prepare(folder)?;
    let unpacked = unpack(file, target.folder(), false)?;
    snapshot::renew_change_history(&target.folder().join("leadscribe.db"))
        .context("can't prepare the restored database")?;
    target.commit()?;
    print_summary(&unpacked);
    let folder = folder.display();
    eprintln!("restored to {folder}; next: `leadscribe serve --data-dir {folder}`");
    if unpacked.header.schema_version < snapshot::newest_schema_version() {
        eprintln!("the database is from an older version of the program; the next start upgrades it");
    }
    Ok(())
}

/// Unpacks a backup into a folder and verifies all checksums.
fn unpack(file: &Path, folder: &Path, database_only: bool) -> anyhow::Result<backup::UnpackedBackup> {
    let input: Box<dyn Read> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(file).with_context(|| format!("can't read {}", file.display()))?)
    };
    let bar = progress_bar(0, BYTES_AND_MESSAGE);
    let on_progress = |Progress { done, total }| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let unpacked = backup::unpack(input, folder, snapshot::newest_schema_version(), database_only, on_progress)?;
    bar.set_message("checking the database");
    let contents = snapshot::verify(&folder.join("leadscribe.db")).context("the backup is damaged")?;
    bar.finish_and_clear();
    unpacked.verify_contents(&contents)?;
    Ok(unpacked)
}

/// Prints the contents of the backup.
fn print_summary(backup: &backup::UnpackedBackup) {
    let backup::UnpackedBackup { header, manifest } = backup;
    eprintln!(
        "backup of {}, created by Leadscribe {}",
        header.created_at.format("%Y-%m-%d %H:%M:%S UTC"),
        header.program
    );
    for (table, contents) in manifest.tables.iter().filter(|(_, contents)| contents.rows > 0) {
        eprintln!("{:>12} {table}", contents.rows);
    }
    let recordings = manifest.files.keys().filter(|path| path.starts_with("recordings/")).count();
    eprintln!("{recordings:>12} recording files");
    if !manifest.recording_issues.is_empty() {
        let count = manifest.recording_issues.len();
        eprintln!("recordings that were purged, missing or damaged when the backup was created: {count}");
    }
    if let RecordingsLocation::Bucket(url) = &header.recordings {
        eprintln!("the recordings are in {url} and not in this backup");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::backup::back_up;
    use crate::storage::sqlite::upgrades;

    #[test]
    fn restores_and_upgrades_backups_of_older_versions() {
        for version in 1..=upgrades::newest_version() {
            let home = tempfile::tempdir().unwrap();
            let mut config = Config::default();
            config.storage.data_dir = home.path().join("data");
            std::fs::create_dir(&config.storage.data_dir).unwrap();
            upgrades::create_database(&config.database_file(), version);
            let file = home.path().join("backup");
            back_up(&config, &file).unwrap();
            config.storage.data_dir = home.path().join("restored");
            restore(&config, &file).unwrap();
            upgrades::check_upgraded(&config.database_file());
        }
    }

    #[test]
    fn restored_database_has_a_new_history_of_changes() {
        let home = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.storage.data_dir = home.path().join("data");
        std::fs::create_dir(&config.storage.data_dir).unwrap();
        upgrades::create_database(&config.database_file(), upgrades::newest_version());
        let file = home.path().join("backup");
        back_up(&config, &file).unwrap();
        let histories = ["first", "second"].map(|name| {
            config.storage.data_dir = home.path().join(name);
            restore(&config, &file).unwrap();
            let database = rusqlite::Connection::open(config.database_file()).unwrap();
            database.query_row("SELECT history FROM change_log", [], |row| row.get::<_, String>(0)).unwrap()
        });
        assert_ne!(histories[0], histories[1], "cursors of one would be valid in the other");
        assert!(histories.iter().all(|history| history.len() == 12), "{histories:?}");
    }
}
