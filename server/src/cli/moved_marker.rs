//! Marker file that a move to PostgreSQL leaves in the data folder, so that the old database isn't used by mistake.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use anyhow::{anyhow, ensure};
use leadscribe_engine::api::Timestamp;

use crate::config::Config;

/// Name of the marker file in the data folder.
const FILE_NAME: &str = "MOVED_TO_POSTGRESQL.txt";

fn marker_path(config: &Config) -> PathBuf {
    config.storage.data_dir.join(FILE_NAME)
}

/// Creates the marker for a move to the database `database` at `now`. Returns its path.
///
/// # Errors
/// The file can't be written.
pub fn write_marker(config: &Config, database: &str, now: Timestamp) -> std::io::Result<PathBuf> {
    let path = marker_path(config);
    let database_file = config.database_file();
    let mut file = File::create(&path)?;
    write!(
        file,
        "{}: everything in {} was moved to the PostgreSQL {database}.\n\
         Later changes are stored only there. Commands refuse to use the old database while this file exists;\n\
         delete this file to use it anyway.\n",
        now.format("%Y-%m-%d %H:%M:%S UTC"),
        database_file.file_name().unwrap_or(database_file.as_os_str()).display(),
    )?;
    file.sync_all()?;
    // Sync the folder too, so that the file survives a crash.
    File::open(&config.storage.data_dir)?.sync_all()?;
    Ok(path)
}

/// Checks that the database of the data folder was not moved.
///
/// # Errors
/// It was moved. The message says what to do.
pub fn ensure_not_moved(config: &Config) -> anyhow::Result<()> {
    let path = marker_path(config);
    let is_marked = match fs::symlink_metadata(&path) {
        Ok(_) => true,
        Err(error) if error.kind() == ErrorKind::NotFound => false,
        // Fail, because the marker may exist.
        Err(error) => {
            let folder = config.storage.data_dir.display();
            return Err(anyhow!("can't read the data folder {folder}: {error}; run this as the server's user"));
        }
    };
    ensure!(
        !is_marked,
        "the database of this folder was moved to PostgreSQL; set --database-url ({} says where it is), or delete that \
         file to use the old database again",
        path.display()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    #[test]
    fn refuses_moved_database_until_marker_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.storage.data_dir = folder.path().to_owned();
        ensure_not_moved(&config).unwrap();

        let now = DateTime::from_timestamp(1_777_627_800, 0).unwrap();
        let path = write_marker(&config, "database calls at db.example:5432", now).unwrap();
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "2026-05-01 09:30:00 UTC: everything in leadscribe.db was moved to the PostgreSQL database calls at \
             db.example:5432.\n\
             Later changes are stored only there. Commands refuse to use the old database while this file exists;\n\
             delete this file to use it anyway.\n"
        );
        assert_eq!(
            ensure_not_moved(&config).unwrap_err().to_string(),
            format!(
                "the database of this folder was moved to PostgreSQL; set --database-url ({} says where it is), or \
                 delete that file to use the old database again",
                path.display()
            )
        );
        fs::remove_file(path).unwrap();
        ensure_not_moved(&config).unwrap();
    }
}
