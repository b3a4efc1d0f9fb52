//! Imports of CSV files.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{CampaignId, ImportFinding, ImportId, LeadId, named_enum};
use crate::fault::Fault;
use crate::record::{Delimiter, Mapping};

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
        /// Somebody stopped it before the end.
        Cancelled = "cancelled",
    }
}

named_enum! {
    /// How far the undo of an import is.
    ImportUndoState {
        /// It was not asked for.
        Possible = "possible",
        /// Things are being deleted and restored.
        Running = "running",
        /// All is undone that can be.
        Completed = "completed",
        /// It was cancelled when some was undone; asked for again, it goes on with the rest.
        Cancelled = "cancelled",
    }
}

named_enum! {
    /// Why the undo of an import left a thing as it was.
    LeftReason {
        /// Somebody changed it since.
        Changed = "changed",
        /// Somebody deleted it since.
        Deleted = "deleted",
        /// The lead is in a campaign by now.
        InCampaign = "in_campaign",
        /// Leads are in the campaign by now.
        HasLeads = "has_leads",
        /// There are calls of it by now.
        HasCalls = "has_calls",
        /// The call was sent to speech recognition.
        Transcribed = "transcribed",
        /// What it was contradicts what is stored by now.
        Conflict = "conflict",
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
    /// Rows that weren't refused, and have phone numbers of which none can be dialled: none is a number of its country.
    #[serde(default)]
    pub undialable: u64,
    /// Refused rows that another import has corrected since. They are no longer listed.
    #[serde(default)]
    pub corrected: u64,
}

/// The campaign that an import of leads puts them into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportCampaign {
    /// The campaign.
    pub id: CampaignId,
    /// Its name; null after the campaign was deleted.
    pub name: Option<String>,
    /// The status that leads begin with in it; null for the default status.
    pub status: Option<String>,
    /// Leads that were put into it so far. Leads that were in it already stay as they are.
    pub leads_added: u64,
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
    /// What stands between the cells of its rows; a comma until the first of them are in.
    #[serde(default)]
    pub delimiter: Delimiter,
    /// The mapping of its columns, as `map` gave it.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub mapping: Mapping,
    /// The campaign that leads are put into; null for none.
    #[serde(default)]
    pub campaign: Option<ImportCampaign>,
    /// The import whose refused rows it corrects; null for none.
    #[serde(default)]
    pub corrects: Option<ImportId>,
    /// How far it is.
    pub state: ImportState,
    /// Rows so far.
    pub counts: ImportCounts,
    /// How much of the file is read, 0 to 1.
    pub progress: f64,
    /// Findings about the rows that went in.
    #[serde(default)]
    pub findings: Vec<ImportFinding>,
    /// Names of statuses the import added.
    pub new_statuses: Vec<String>,
    /// Why it stopped before the end.
    pub error: Option<String>,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
    /// When it was asked to stop before its end: one that is running stops after the rows under way.
    #[serde(default)]
    pub cancel_requested_at: Option<DateTime<Utc>>,
    /// How it can be undone, or was; none where what it changed is not kept.
    #[serde(default)]
    pub undo: Option<ImportUndo>,
}

impl Import {
    /// Returns true if its rows are call detail records. Several of them make one call.
    pub fn has_call_details(&self) -> bool {
        self.kind == ImportKind::Calls && self.mapping.reads_call_details(&self.columns)
    }
}

impl Import {
    /// Whether it runs, and was asked to stop.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.state == ImportState::Running && self.cancel_requested_at.is_some()
    }
}

/// How an import can be undone, or was. It counts things: leads, campaign leads, campaigns or calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportUndo {
    /// How far the undo is.
    pub state: ImportUndoState,
    /// What the import made, and its undo deletes unless somebody changed or used it since.
    pub to_delete: u64,
    /// What else it changed, and its undo restores unless somebody changed it since.
    pub to_restore: u64,
    /// Until when it can be undone at least.
    pub kept_until: DateTime<Utc>,
    /// Who undid it, as the audit log names them.
    pub by: Option<String>,
    /// When that began; none of one that was cancelled.
    pub started_at: Option<DateTime<Utc>>,
    /// When that ended.
    pub finished_at: Option<DateTime<Utc>>,
    /// What was deleted so far.
    pub deleted: u64,
    /// What was restored so far.
    pub restored: u64,
    /// What was left as it was so far.
    pub left: u64,
}

/// A thing that the undo of an import left as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeftRow {
    /// Its kind. An import of leads also makes campaign leads, where it puts the leads into a campaign.
    pub kind: ImportKind,
    /// Its id: of a lead, campaign lead, campaign or call, as `kind` says.
    pub id: i64,
    /// The lead that it is or belongs to, where there is one.
    pub lead_id: Option<LeadId>,
    /// Why it was left.
    pub reason: LeftReason,
    /// The same in words.
    pub detail: String,
}

/// A row that was refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RejectedRow {
    /// Line of the file where the row starts; the header is line 1.
    pub line: u64,
    /// What is wrong with it, all at once.
    pub faults: Vec<Fault>,
    /// The row as it stood, with the import's `delimiter` between its cells. Lists show 2,000 characters of it, and `…` for
    /// the others.
    pub row: String,
}
