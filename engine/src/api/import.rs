//! Imports of CSV files.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{CampaignId, ImportFinding, ImportId, LeadId, named_enum};
use crate::diagnostic::{Diagnostic, Message};
use crate::record::{CallDetailReader, Delimiter, Mapping};

named_enum! {
    /// Content of an imported file.
    ImportKind {
        /// Campaigns.
        Campaigns = "campaigns",
        /// Leads.
        Leads = "leads",
        /// Leads in campaigns.
        CampaignLeads = "campaign-leads",
        /// Calls, with the file names of their recordings.
        Calls = "calls",
    }
}

named_enum! {
    /// State of an import.
    ImportState {
        /// Rows are being written.
        Running = "running",
        /// All rows were read.
        Completed = "completed",
        /// Stopped early by an error, given in `error`.
        Failed = "failed",
        /// Cancelled by a user.
        Cancelled = "cancelled",
    }
}

named_enum! {
    /// State of an import's undo.
    ImportUndoState {
        /// Undo was not requested.
        Possible = "possible",
        /// Records are being deleted and restored.
        Running = "running",
        /// Everything that can be undone is undone.
        Completed = "completed",
        /// Cancelled after a part was undone. A new request continues with the rest.
        Cancelled = "cancelled",
    }
}

named_enum! {
    /// Reason why the undo of an import skipped a record.
    UndoSkipReason {
        /// The record was changed after the import.
        Changed = "changed",
        /// The record was deleted after the import.
        Deleted = "deleted",
        /// The lead is now in a campaign.
        InCampaign = "in_campaign",
        /// The campaign now has leads.
        HasLeads = "has_leads",
        /// The record now has calls.
        HasCalls = "has_calls",
        /// The call was submitted to speech recognition.
        Transcribed = "transcribed",
        /// The original values conflict with the current data.
        Conflict = "conflict",
    }
}

/// Number of rows by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportCounts {
    /// Rows read so far, excluding the header.
    pub read: u64,
    /// Rows that created a record.
    pub inserted: u64,
    /// Rows that changed a record.
    pub updated: u64,
    /// Rows that changed nothing.
    pub unchanged: u64,
    /// Rows that were rejected.
    pub rejected: u64,
    /// Accepted rows whose phone numbers can't be dialed, because none is valid in its country.
    #[serde(default)]
    pub undialable: u64,
    /// Rejected rows that a later import corrected. They are no longer listed.
    #[serde(default)]
    pub corrected: u64,
}

/// The campaign that an import adds leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportCampaign {
    /// The campaign.
    pub id: CampaignId,
    /// Name of the campaign; null if the campaign was deleted.
    pub name: Option<String>,
    /// Initial status of the leads in the campaign; null for the default status.
    pub status: Option<String>,
    /// Number of leads added so far. Leads that were already in the campaign aren't changed.
    pub leads_added: u64,
}

/// An import of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Import {
    /// Id of the import.
    pub id: ImportId,
    /// Content of the file.
    pub kind: ImportKind,
    /// Name of the file, as given.
    pub file_name: String,
    /// True for a dry run: the import reports results but writes nothing. Dry runs are not listed and are deleted after a day.
    #[serde(default)]
    pub dry_run: bool,
    /// Column names of the file, in order; empty until the header is read.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Separator between cells; a comma until the first rows arrive.
    #[serde(default)]
    pub delimiter: Delimiter,
    /// Column mapping, as given in `mapping`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub mapping: Mapping,
    /// The campaign that leads are added to; null for none.
    #[serde(default)]
    pub campaign: Option<ImportCampaign>,
    /// The import whose rejected rows this one corrects; null for none.
    #[serde(default)]
    pub corrects_import_id: Option<ImportId>,
    /// State of the import.
    pub state: ImportState,
    /// Row counts so far.
    pub counts: ImportCounts,
    /// Fraction of the file that was read, 0 to 1.
    pub progress: f64,
    /// Findings about the accepted rows.
    #[serde(default)]
    pub findings: Vec<ImportFinding>,
    /// Names of the statuses that the import created.
    pub new_statuses: Vec<String>,
    /// Error that stopped the import.
    pub error: Option<Message>,
    /// Time at which the import started.
    pub started_at: DateTime<Utc>,
    /// Time at which the import ended.
    pub finished_at: Option<DateTime<Utc>>,
    /// Time at which cancellation was requested. A running import stops after the current rows.
    #[serde(default)]
    pub cancel_requested_at: Option<DateTime<Utc>>,
    /// State of the undo; null if the changes of the import aren't stored.
    #[serde(default)]
    pub undo: Option<ImportUndo>,
}

impl Import {
    /// Returns true if the rows are call detail records. Several of these can form one call.
    pub fn has_call_details(&self) -> bool {
        self.kind == ImportKind::Calls && CallDetailReader::matches(&self.columns, &self.mapping)
    }

    /// Returns true if the import is running and cancellation was requested.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.state == ImportState::Running && self.cancel_requested_at.is_some()
    }
}

/// The undo of an import. Counts refer to records: leads, campaign leads, campaigns or calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportUndo {
    /// State of the undo.
    pub state: ImportUndoState,
    /// Number of records that the import created. Undo deletes them unless they were changed or used later.
    pub to_delete: u64,
    /// Number of other records that the import changed. Undo restores them unless they were changed later.
    pub to_restore: u64,
    /// The import can be undone at least until this time.
    pub undoable_until: DateTime<Utc>,
    /// Actor of the undo, as in the audit log.
    pub actor: Option<String>,
    /// Time at which the undo started; null before the start and after a cancellation.
    pub started_at: Option<DateTime<Utc>>,
    /// Time at which the undo ended.
    pub finished_at: Option<DateTime<Utc>>,
    /// Number of records deleted so far.
    pub deleted: u64,
    /// Number of records restored so far.
    pub restored: u64,
    /// Number of records skipped so far.
    pub skipped: u64,
}

/// A record that the undo of an import skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SkippedRecord {
    /// Kind of the record. An import of leads also creates campaign leads if it adds the leads to a campaign.
    pub kind: ImportKind,
    /// Id of the lead, campaign lead, campaign or call, depending on `kind`.
    pub id: i64,
    /// The lead itself, or the lead that the record belongs to.
    pub lead_id: Option<LeadId>,
    /// Reason for skipping the record.
    pub reason: UndoSkipReason,
    /// The reason in words.
    #[serde(flatten)]
    pub message: Message,
}

/// A rejected row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RejectedRow {
    /// Line of the file where the row starts; the header is line 1.
    pub line: u64,
    /// All errors of the row.
    pub diagnostics: Vec<Diagnostic>,
    /// The original row, with the import's `delimiter` between cells. Lists cut it to 2,000 characters and append `…`.
    pub row: String,
}
