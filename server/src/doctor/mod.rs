//! A check of the set-up: what is there, what is wrong, and what to do about it.
//!
//! One file per concern, each with a function that gives its findings. Nothing is changed, and a server may run meanwhile. No
//! finding shows a secret, a phone number or what was said. What adapters find out is brought along in a [`Setup`].

mod certificate;
mod clock;
mod database;
mod folder;
mod handles;
mod listening;
mod options;
mod recordings;
mod speech;
#[cfg(test)]
mod tests;
mod time_zones;
mod work;

use std::path::PathBuf;
use std::sync::Arc;

use leadscribe_engine::api::Timestamp;
use object_store::ObjectStore;
use serde::Serialize;

pub use self::folder::warn_if_open_to_others;
pub use self::listening::warn_if_in_the_clear;
pub use self::options::warn_of_unknown_variables;
use crate::config::{Config, UnknownVariable};
use crate::storage::survey::Survey;

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// All is well.
    Ok,
    /// It works, but not as well or as safely as it could.
    Warning,
    /// It doesn't work, or something is lost.
    Fault,
}

impl Verdict {
    /// Its name, as it is shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Fault => "fault",
        }
    }
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was checked.
    pub check: &'static str,
    /// How it came out.
    pub verdict: Verdict,
    /// What was found, in a line.
    pub found: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

impl Finding {
    fn ok(check: &'static str, found: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Ok, found: found.into(), remedy: None }
    }

    fn warning(check: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Warning, found: found.into(), remedy: Some(remedy.into()) }
    }

    fn fault(check: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Fault, found: found.into(), remedy: Some(remedy.into()) }
    }
}

/// What there is to check, with what adapters found out about it. Failures are lines without secrets.
#[derive(Debug)]
pub struct Setup {
    /// The options.
    pub config: Config,
    /// The file that they are read from, if there is one.
    pub file: Option<PathBuf>,
    /// Variables of the environment that look like options and are none.
    pub unknown_variables: Vec<UnknownVariable>,
    /// Now.
    pub now: Timestamp,
    /// Whether to look at everything, however long it takes.
    pub full: bool,
    /// The database; none where there is none yet.
    pub survey: Result<Option<Survey>, String>,
    /// Whether the replica can be read from, if one is named.
    pub replica: Option<Result<(), ReplicaFault>>,
    /// Where the recordings are; none where there is no folder yet.
    pub recordings: Result<Option<Arc<dyn ObjectStore>>, String>,
    /// What recognises speech, or why nothing can.
    pub recognizer: Result<String, String>,
}

/// Why a replica can't be read from, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplicaFault {
    /// It can't now; the primary answers meanwhile.
    Away(String),
    /// It never can: the server refuses to start with it.
    Wrong(String),
}

/// The finding of options that can't be understood: nothing else can be checked then.
pub fn bad_options(error: &anyhow::Error) -> Finding {
    Finding::fault("options", format!("{error:#}"), "correct the option; docs/OPERATIONS.md lists them all")
}

/// Checks everything, in the order in which it matters.
pub async fn check(setup: &Setup) -> Vec<Finding> {
    let mut findings = options::check(setup);
    findings.extend(folder::check(setup));
    findings.extend(database::check(setup));
    findings.extend(work::check(setup));
    findings.extend(recordings::check(setup).await);
    findings.extend(speech::check(setup).await);
    findings.extend(listening::check(setup).await);
    findings.extend(certificate::check(setup));
    findings.push(handles::check(setup));
    findings.push(clock::check(setup));
    findings.push(time_zones::check(setup));
    findings
}

/// `3 files`, `1 file`.
fn counted(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}
