//! The parts of the program, from the options: the one place that picks adapters.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::sync::Arc;

use anyhow::Context;

use crate::app::App;
use crate::clock::{Clock, SystemClock};
use crate::config::{Config, Flags, RecognizerKind, Role};
use crate::recording::RecordingFiles;
use crate::speech::http::HttpRecognizer;
use crate::speech::model::{self, ModelFile};
use crate::speech::whisper::Whisper;
use crate::speech::{Missing, Provider};
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
    // Commands leave transcribing to the processes that serve or work.
    let recognizer = Provider::elsewhere();
    Ok(App::new(Arc::new(store.await??), recordings, recognizer, Arc::new(SystemClock), Arc::new(config)))
}

/// What recognises speech in a process that serves or works.
pub fn recognizer(config: &Arc<Config>) -> Provider {
    let here = match config.worker.role {
        Role::All | Role::Worker => true,
        Role::Api => false,
    };
    let config = Arc::clone(config);
    match config.speech.recognizer {
        RecognizerKind::Off => Provider::off(),
        RecognizerKind::Embedded | RecognizerKind::Http if !here => Provider::elsewhere(),
        RecognizerKind::Embedded => Provider::loading(move || Ok(Arc::new(embedded(&config)?))),
        RecognizerKind::Http => {
            Provider::loading(move || Ok(Arc::new(HttpRecognizer::new(&config.speech, Arc::new(SystemClock))?)))
        }
    }
}

/// The recogniser in this program, with its model.
fn embedded(config: &Config) -> Result<Whisper, Missing> {
    let ModelFile { name, path } = model::find(config)?;
    Whisper::load(&path, &name, config.recognitions(), config.speech.recognition_threads)
}

/// Who changes something when a command does.
pub fn origin() -> Origin {
    Origin { actor: "command_line".to_owned(), request_id: None, at: SystemClock.now() }
}
