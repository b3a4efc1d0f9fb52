//! Changes of records, which clients follow to keep a copy.

use serde::{Deserialize, Serialize};

use super::{Call, CampaignLead, Lead, named_enum};

named_enum! {
    /// Type of a record whose changes can be followed.
    ChangeType {
        /// A lead.
        Lead = "lead",
        /// A lead in a campaign.
        CampaignLead = "campaign_lead",
        /// A call, with the state of its recording and of its transcription.
        Call = "call",
        /// The transcript of a call, under the id of the call.
        Transcript = "transcript",
    }
}

named_enum! {
    /// Kind of a change.
    RecordChangeKind {
        /// The record is new. A client that has it already replaces it.
        Insert = "insert",
        /// The record was changed. A client that doesn't have it adds it.
        Update = "update",
        /// The record was deleted.
        Delete = "delete",
    }
}

/// A change of a record. Several changes of one record may appear as one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordChange {
    /// Position after this change, for `after`.
    pub cursor: String,
    /// Type of the record.
    #[serde(rename = "type")]
    pub record_type: ChangeType,
    /// Id of the record; of a transcript, the id of its call.
    pub id: i64,
    /// Kind of the change.
    pub change: RecordChangeKind,
    /// The record as it is now. Null for a deleted record and for transcripts, which are read on their own.
    pub record: Option<ChangedRecord>,
}

/// Record of a change, by its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum ChangedRecord {
    /// A lead.
    Lead(Box<Lead>),
    /// A lead in a campaign.
    CampaignLead(Box<CampaignLead>),
    /// A call.
    Call(Box<Call>),
}

/// A page of changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangePage {
    /// The changes, in the order in which they became complete.
    pub items: Vec<RecordChange>,
    /// Value of `after` for the next request.
    pub next_cursor: String,
    /// True if there are more changes now.
    pub has_more: bool,
}
