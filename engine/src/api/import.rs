//! Imports of CSV files.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{ImportId, named_enum};
use crate::fault::Fault;

named_enum! {
    /// What a file holds.
    ImportKind {
        /// Campaigns.
        Campaigns = "campaigns",
        /// Leads.
        Leads = "leads",
        /// Leads in campaigns.
        CampaignLeads = "campaign-leads",
        /// Calls, with the names of their recordings.
        Calls = "calls",
    }
}

named_enum! {
    /// How far an import is.
    ImportState {
        /// Rows are being written.
        Running = "running",
        /// All rows were read.
        Completed = "completed",
        /// It stopped before the end; `error` says why.
        Failed = "failed",
    }
}

/// Rows counted by their outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportCounts {
    /// Rows read so far, without the header.
    pub read: u64,
    /// Rows that made something new.
    pub inserted: u64,
    /// Rows that changed something.
    pub updated: u64,
    /// Rows that said what was already so.
    pub unchanged: u64,
    /// Rows refused, each with its reason.
    pub rejected: u64,
}

/// An import of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Import {
    /// Its id.
    pub id: ImportId,
    /// What the file holds.
    pub kind: ImportKind,
    /// Name of the file, as given.
    pub file_name: String,
    /// Whether nothing is written and only told what would be. Such an import is in no list, and forgotten after a day.
    #[serde(default)]
    pub dry_run: bool,
    /// The names of the file's columns, in its order; empty until its header was read.
    #[serde(default)]
    pub columns: Vec<String>,
    /// How far it is.
    pub state: ImportState,
    /// Rows so far.
    pub counts: ImportCounts,
    /// How much of the file is read, 0 to 1.
    pub progress: f64,
    /// Names of statuses the import added.
    pub new_statuses: Vec<String>,
    /// Why it stopped before the end.
    pub error: Option<String>,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
}

/// A row that was refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RejectedRow {
    /// Line of the file where the row starts; the header is line 1.
    pub line: u64,
    /// What is wrong with it, all at once.
    pub faults: Vec<Fault>,
    /// The row as it stood.
    pub row: String,
}
