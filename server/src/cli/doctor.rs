//! `leadscribe doctor`.

use std::process::ExitCode;
use std::sync::Arc;

use super::moved;
use crate::clock::{Clock, SystemClock};
use crate::config::{Config, Flags, RecognizerKind, ServerFlags, unknown_variables};
use crate::doctor::{self, Finding, ReplicaFault, Setup, Verdict};
use crate::recording::RecordingFiles;
use crate::speech::http::HttpRecognizer;
use crate::speech::model;
use crate::storage::survey::Survey;
use crate::storage::{postgres, sqlite};
use crate::telemetry::causes;

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
    /// Checks the installation without changing it. Fails if there is a fault.
    pub async fn run(self) -> anyhow::Result<ExitCode> {
        let Self { full, json, flags, server } = self;
        let flags = Flags { server, ..flags };
        let findings = match Config::load(&flags) {
            Ok(config) => doctor::check(&look_around(config, &flags, full).await?).await,
            Err(error) => vec![doctor::bad_options(&error)],
        };
        if json {
            println!("{}", serde_json::to_string_pretty(&findings)?);
        } else {
            say(&findings);
        }
        let is_ill = findings.iter().any(|finding| finding.verdict == Verdict::Fault);
        Ok(if is_ill { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// Collects what the adapters can find out.
async fn look_around(config: Config, flags: &Flags, full: bool) -> anyhow::Result<Setup> {
    let looked = config.clone();
    let (survey, replica) = tokio::task::spawn_blocking(move || (survey(&looked, full), replica(&looked))).await?;
    let is_here = config.recordings.url == "none";
    let recordings = if is_here && !config.recordings_dir().is_dir() {
        Ok(None)
    } else {
        RecordingFiles::open(&config).await.map(Some)
    };
    let looked = config.clone();
    let recognizer = tokio::task::spawn_blocking(move || recognizer(&looked)).await?;
    let (file, now) = (Config::file(flags), SystemClock.now());
    let unknown_variables = unknown_variables(std::env::vars_os());
    Ok(Setup { config, file, unknown_variables, now, full, survey, replica, recordings, recognizer })
}

fn survey(config: &Config, full: bool) -> Result<Option<Survey>, String> {
    if let Some(url) = config.storage.database_url.reveal() {
        return postgres::survey::survey(url).map(Some).map_err(|error| causes(&error));
    }
    moved::refuse(config).map_err(|error| error.to_string())?;
    let file = config.database_file();
    if !file.exists() {
        return Ok(None);
    }
    sqlite::survey::survey(&file, full).map(Some).map_err(|error| causes(&error))
}

fn replica(config: &Config) -> Option<Result<(), ReplicaFault>> {
    let storage = &config.storage;
    let url = storage.read_database_url.reveal()?;
    let Some(primary) = storage.database_url.reveal() else {
        return Some(Err(ReplicaFault::Wrong("--read-database-url requires --database-url".to_owned())));
    };
    Some(postgres::survey::expect_replica(url, primary).map_err(|error| match error.is_passing() {
        true => ReplicaFault::Away(causes(&error)),
        false => ReplicaFault::Wrong(causes(&error)),
    }))
}

fn recognizer(config: &Config) -> Result<String, String> {
    match config.speech.recognizer {
        RecognizerKind::Off => Ok("off".to_owned()),
        RecognizerKind::Embedded => model::find(config).map(|found| found.name).map_err(|missing| missing.to_string()),
        RecognizerKind::Http => {
            let opened = HttpRecognizer::new(&config.speech, Arc::new(SystemClock));
            opened.map(|_| "http".to_owned()).map_err(|missing| missing.to_string())
        }
    }
}

fn say(findings: &[Finding]) {
    for Finding { check, verdict, found, remedy } in findings {
        println!("{:8} {check:15} {found}", verdict.name());
        if let Some(remedy) = remedy {
            println!("{:24} → {remedy}", "");
        }
    }
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    println!("\n{} ok, {} warnings, {} faults", count(Verdict::Ok), count(Verdict::Warning), count(Verdict::Fault));
}
