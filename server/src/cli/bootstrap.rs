//! Builds the application from the options. This is the only module that picks adapters.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::sync::Arc;

use anyhow::{Context, Error, ensure};

use super::moved_marker;
use crate::clock::{Clock, SystemClock};
use crate::config::{Config, Flags, RecognizerKind, Role};
use crate::doctor::warn_if_open_to_others;
use crate::recording::RecordingFiles;
use crate::service::app::App;
use crate::speech::http::HttpRecognizer;
use crate::speech::model::{self, ModelFile};
use crate::speech::whisper::Whisper;
use crate::speech::{MissingRecognizer, RecognizerProvider};
use crate::storage::postgres::{OpenError, PostgresStore};
use crate::storage::sqlite::SqliteStore;
use crate::storage::{AuditContext, Store};
use crate::telemetry;
use crate::time_zones;

/// Reads the options, starts logging, and opens the store and the recordings. The data folder is created if it doesn't exist.
///
/// # Errors
/// The options are invalid, or the data folder can't be used.
pub async fn open(flags: &Flags) -> anyhow::Result<App> {
    let config = Config::load(flags)?;
    telemetry::init(&config.log)?;
    time_zones::install(&config.leads.time_zones)?;
    for folder in [config.storage.data_dir.clone(), config.recordings_dir(), config.spool_dir()] {
        // Private, because the folder contains phone numbers and recordings.
        let created = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
        created.with_context(|| format!("can't create the folder {}", folder.display()))?;
    }
    warn_if_open_to_others(&config.storage.data_dir);
    let recordings = RecordingFiles::open(&config).await.map_err(Error::msg).context("can't open the recordings")?;
    let has_database = config.storage.database_url.reveal().is_some() || config.database_file().exists();
    let store = open_store(&config).await?;
    if !has_database {
        // Otherwise a mistyped folder would go unnoticed.
        tracing::info!(file = %config.database_file().display(), "created a new database");
    }
    // Other commands leave transcription to servers and workers.
    let recognizer = RecognizerProvider::other_process();
    Ok(App::new(store, recordings, recognizer, Arc::new(SystemClock), Arc::new(config)))
}

/// Opens the database from the options and upgrades its schema.
///
/// # Errors
/// The database can't be opened or was moved to another one, or the options contradict each other.
pub async fn open_store(config: &Config) -> anyhow::Result<Arc<dyn Store>> {
    if config.storage.database_url.reveal().is_none() {
        moved_marker::ensure_not_moved(config)?;
    }
    let (storage, file) = (config.storage.clone(), config.database_file());
    let open_task = tokio::task::spawn_blocking(move || -> anyhow::Result<Arc<dyn Store>> {
        let Some(url) = storage.database_url.reveal() else {
            ensure!(storage.read_database_url.reveal().is_none(), "--read-database-url requires --database-url");
            let store = SqliteStore::open(&file).with_context(|| format!("can't open the database {}", file.display()));
            return Ok(Arc::new(store?));
        };
        let store = PostgresStore::open(url, storage.read_database_url.reveal(), storage.database_connections);
        Ok(Arc::new(store.map_err(with_option_name)?))
    });
    open_task.await?
}

/// Adds the name of the option for the failed database.
fn with_option_name(error: OpenError) -> Error {
    let option = if matches!(error, OpenError::Replica(_)) { "--read-database-url" } else { "--database-url" };
    Error::new(error).context(format!("can't open the PostgreSQL database of {option}"))
}

/// Returns the recognizer of a server or worker.
pub fn recognizer_provider(config: &Arc<Config>) -> RecognizerProvider {
    let is_worker = match config.worker.role {
        Role::All | Role::Worker => true,
        Role::Api => false,
    };
    let config = Arc::clone(config);
    match config.speech.recognizer {
        RecognizerKind::Off => RecognizerProvider::off(),
        RecognizerKind::Embedded | RecognizerKind::Http if !is_worker => RecognizerProvider::other_process(),
        RecognizerKind::Embedded => RecognizerProvider::lazy(move || Ok(Arc::new(load_embedded(&config)?))),
        RecognizerKind::Http => {
            RecognizerProvider::lazy(move || Ok(Arc::new(HttpRecognizer::new(&config.speech, Arc::new(SystemClock))?)))
        }
    }
}

/// Loads the embedded recognizer with its model.
fn load_embedded(config: &Config) -> Result<Whisper, MissingRecognizer> {
    let ModelFile { name, path } = model::find_configured(config)?;
    Whisper::load(&path, &name, config.concurrent_recognitions(), config.speech.recognition_threads)
}

/// Returns the audit context of changes by a command.
pub fn audit_context() -> AuditContext {
    AuditContext::new("command_line", SystemClock.now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_option_of_failed_database() {
        let message = |error| format!("{:#}", with_option_name(error));
        assert_eq!(
            message(OpenError::IsStandby),
            "can't open the PostgreSQL database of --database-url: the server is a read-only standby; use the URL of \
             the primary"
        );
        assert_eq!(
            message(OpenError::Replica(Box::new(OpenError::NotAReplica))),
            "can't open the PostgreSQL database of --read-database-url: the server is not a replica of the database"
        );
    }
}
