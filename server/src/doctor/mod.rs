//! Checks an installation: what was found, what is wrong, and how to fix it.
//!
//! One file per concern, each with a function that returns its results. Nothing is changed, and a server may run at the same time.
//! Results never contain secrets, phone numbers or transcripts. The results of adapters are passed in a [`CheckContext`].

mod certificate;
mod clock;
mod data_folder;
mod database;
mod fd_limit;
mod identifiers;
mod jobs;
mod listen_address;
mod options;
mod recordings;
mod speech;
#[cfg(test)]
mod tests;
mod time_zones;

use std::path::PathBuf;
use std::sync::Arc;

use leadscribe_engine::api::Timestamp;
use object_store::ObjectStore;
use serde::Serialize;

pub use self::data_folder::warn_if_open_to_others;
pub use self::listen_address::warn_if_unencrypted;
pub use self::options::warn_of_unknown_variables;
use crate::config::{Config, UnknownVariable};
use crate::storage::inspection::DatabaseInspection;

/// Status of what a check examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// No problem.
    Ok,
    /// It works, but not as well or as safely as it could.
    Warning,
    /// It doesn't work, or data is lost.
    Error,
}

impl CheckStatus {
    /// Name for display.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckResult {
    pub check: &'static str,
    /// Status of what was checked.
    pub status: CheckStatus,
    /// Description in one line.
    pub message: String,
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

impl CheckResult {
    fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, status: CheckStatus::Ok, message: message.into(), remedy: None }
    }

    fn warning(check: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, status: CheckStatus::Warning, message: message.into(), remedy: Some(remedy.into()) }
    }

    fn error(check: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, status: CheckStatus::Error, message: message.into(), remedy: Some(remedy.into()) }
    }
}

/// The installation to check, with the facts from its adapters. Errors are single lines without secrets.
#[derive(Debug)]
pub struct CheckContext {
    /// The options.
    pub config: Config,
    /// Path of the options file, if there is one.
    pub options_file: Option<PathBuf>,
    /// Environment variables that look like options but are unknown.
    pub unknown_variables: Vec<UnknownVariable>,
    /// Current time.
    pub now: Timestamp,
    /// True to check everything, however long it takes.
    pub is_full_check: bool,
    /// The database; `None` if it doesn't exist yet.
    pub inspection: Result<Option<DatabaseInspection>, String>,
    /// Result of reading from the replica, if there is one.
    pub replica: Option<Result<(), ReplicaError>>,
    /// Store of the recordings; `None` if the folder doesn't exist yet.
    pub recordings: Result<Option<Arc<dyn ObjectStore>>, String>,
    /// Name of the recognizer, or the reason why it is missing.
    pub recognizer: Result<String, String>,
}

/// Reason why a replica can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplicaError {
    /// Temporarily unavailable. The primary serves reads until it returns.
    Unavailable(String),
    /// Misconfigured. The server refuses to start with it.
    Misconfigured(String),
}

/// Result for invalid options. Nothing else can be checked without valid ones.
pub fn invalid_options(error: &anyhow::Error) -> CheckResult {
    CheckResult::error("options", format!("{error:#}"), "correct the option; docs/OPERATIONS.md lists all options")
}

/// Runs all checks, in order of importance.
pub async fn check(context: &CheckContext) -> Vec<CheckResult> {
    let mut results = options::check(context);
    results.extend(data_folder::check(context));
    results.extend(database::check(context));
    results.extend(jobs::check(context));
    results.extend(identifiers::check(context));
    results.extend(recordings::check(context).await);
    results.extend(speech::check(context).await);
    results.extend(listen_address::check(context).await);
    results.extend(certificate::check(context));
    results.push(fd_limit::check(context));
    results.push(clock::check(context));
    results.push(time_zones::check(context));
    results
}

/// Returns `3 files` or `1 file`.
pub fn pluralize(count: u64, singular: &str, plural: &str) -> String {
    if count == 1 { format!("1 {singular}") } else { format!("{count} {plural}") }
}
