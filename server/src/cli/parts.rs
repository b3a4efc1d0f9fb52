//! The parts of the program, from the options: the one place that picks adapters.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::sync::Arc;

use anyhow::Context;

use crate::app::App;
use crate::clock::{Clock, SystemClock};
use crate::config::{Config, Flags};
use crate::recording::RecordingFiles;
use crate::storage::Origin;
use crate::storage::sqlite::SqliteStore;
use crate::telemetry;

/// Reads the options, starts logging, and opens what is kept in the data folder, which is made if there is none.
///
/// # Errors
/// The options are wrong, or the data folder can't be used.
pub async fn open(flags: &Flags) -> anyhow::Result<App> {
    let config = Config::load(flags)?;
    telemetry::init(&config.log)?;
    for folder in [config.storage.data_dir.clone(), config.recordings_dir(), config.spool_dir()] {
        // For nobody else: there are phone numbers and recordings in it.
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
        made.with_context(|| format!("can't make the folder {}", folder.display()))?;
    }
    let recordings = RecordingFiles::local(&config.recordings_dir()).context("can't open the recordings")?;
    let database = config.database_file();
    let store = tokio::task::spawn_blocking(move || {
        SqliteStore::open(&database).with_context(|| format!("can't open the database {}", database.display()))
    });
    Ok(App::new(Arc::new(store.await??), recordings, Arc::new(SystemClock), Arc::new(config)))
}

/// Who changes something when a command does.
pub fn origin() -> Origin {
    Origin { actor: "command_line".to_owned(), request_id: None, at: SystemClock.now() }
}
