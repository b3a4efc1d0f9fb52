//! `leadscribe doctor`.

use std::process::ExitCode;
use std::sync::Arc;

use super::moved_marker;
use crate::clock::{Clock, SystemClock};
use crate::config::{Config, Flags, RecognizerKind, ServerFlags, unknown_variables};
use crate::doctor::{self, CheckContext, CheckResult, CheckStatus, ReplicaError};
use crate::recording::RecordingFiles;
use crate::speech::http::HttpRecognizer;
use crate::speech::model;
use crate::storage::inspection::DatabaseInspection;
use crate::storage::{postgres, sqlite};
use crate::telemetry::error_chain;

/// Command-line arguments.
#[derive(Debug, clap::Args)]
pub struct Doctor {
    /// Check everything, including the database indexes and every recording in a bucket
    #[arg(long)]
    full: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    server: ServerFlags,
}

impl Doctor {
    /// Checks the installation without changing it. Fails if there is an error.
    pub async fn run(self) -> anyhow::Result<ExitCode> {
        let Self { full, json, flags, server } = self;
        let flags = Flags { server, ..flags };
        let results = match Config::load(&flags) {
            Ok(config) => doctor::check(&build_context(config, &flags, full).await?).await,
            Err(error) => vec![doctor::invalid_options(&error)],
        };
        if json {
            println!("{}", serde_json::to_string_pretty(&results)?);
        } else {
            print_results(&results);
        }
        let has_errors = results.iter().any(|result| result.status == CheckStatus::Error);
        Ok(if has_errors { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// Inspects the database, the replica, the recordings and the recognizer.
async fn build_context(config: Config, flags: &Flags, full: bool) -> anyhow::Result<CheckContext> {
    let checked_config = config.clone();
    let (inspection, replica) =
        tokio::task::spawn_blocking(move || (inspect_database(&checked_config, full), check_replica(&checked_config)))
            .await?;
    let is_local = config.recordings.url == "none";
    let recordings = if is_local && !config.recordings_dir().is_dir() {
        Ok(None)
    } else {
        RecordingFiles::open(&config).await.map(Some)
    };
    let checked_config = config.clone();
    let recognizer = tokio::task::spawn_blocking(move || check_recognizer(&checked_config)).await?;
    let (options_file, now) = (Config::options_file(flags), SystemClock.now());
    let unknown_variables = unknown_variables(std::env::vars_os());
    Ok(CheckContext {
        config,
        options_file,
        unknown_variables,
        now,
        is_full_check: full,
        inspection,
        replica,
        recordings,
        recognizer,
    })
}

fn inspect_database(config: &Config, full: bool) -> Result<Option<DatabaseInspection>, String> {
    if let Some(url) = config.storage.database_url.reveal() {
        return postgres::inspection::inspect(url).map(Some).map_err(|error| error_chain(&error));
    }
    moved_marker::ensure_not_moved(config).map_err(|error| error.to_string())?;
    let file = config.database_file();
    if !file.exists() {
        return Ok(None);
    }
    sqlite::inspection::inspect(&file, full).map(Some).map_err(|error| error_chain(&error))
}

fn check_replica(config: &Config) -> Option<Result<(), ReplicaError>> {
    let storage = &config.storage;
    let url = storage.read_database_url.reveal()?;
    let Some(primary) = storage.database_url.reveal() else {
        return Some(Err(ReplicaError::Misconfigured("--read-database-url requires --database-url".to_owned())));
    };
    Some(postgres::inspection::check_replica(url, primary).map_err(|error| match error.is_temporary() {
        true => ReplicaError::Unavailable(error_chain(&error)),
        false => ReplicaError::Misconfigured(error_chain(&error)),
    }))
}

fn check_recognizer(config: &Config) -> Result<String, String> {
    match config.speech.recognizer {
        RecognizerKind::Off => Ok("off".to_owned()),
        RecognizerKind::Embedded => {
            model::find_configured(config).map(|model_file| model_file.name).map_err(|error| error.to_string())
        }
        RecognizerKind::Http => {
            let recognizer = HttpRecognizer::new(&config.speech, Arc::new(SystemClock));
            recognizer.map(|_| "http".to_owned()).map_err(|error| error.to_string())
        }
    }
}

fn print_results(results: &[CheckResult]) {
    for CheckResult { check, status, message, remedy } in results {
        println!("{:8} {check:18} {message}", status.name());
        if let Some(remedy) = remedy {
            println!("{:27} → {remedy}", "");
        }
    }
    let count = |status| results.iter().filter(|result| result.status == status).count() as u64;
    let warnings = doctor::pluralize(count(CheckStatus::Warning), "warning", "warnings");
    let errors = doctor::pluralize(count(CheckStatus::Error), "error", "errors");
    println!("\n{} ok, {warnings}, {errors}", count(CheckStatus::Ok));
}
