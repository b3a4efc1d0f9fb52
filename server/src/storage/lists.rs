//! Lists that can be sorted and exported.
//!
//! A slice of a list is a method of its area's trait. To read a complete list of any length, [`ExportStore`] works in two steps: first the
//! positions of many entries at once, then the data of some entries at a time. An order without an index is thus sorted a few times instead
//! of once per page.

use std::fmt::Debug;

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::filter::predicate::Cursor;
use serde::Serialize;

use super::{AuditQuery, CallQuery, CampaignQuery, DeliveryQuery, ImportQuery, Result, TranscriptQuery};

/// Filter and order of a list.
pub trait ListQuery: Clone + Debug + Send + Sync + 'static {
    /// Exported form of an entry.
    type Entry: Serialize + Debug + Send + Sync + 'static;
}

impl ListQuery for CallQuery {
    type Entry = Call;
}

impl ListQuery for CampaignQuery {
    type Entry = CampaignEntry;
}

impl ListQuery for DeliveryQuery {
    type Entry = Delivery;
}

impl ListQuery for ImportQuery {
    type Entry = Import;
}

impl ListQuery for AuditQuery {
    type Entry = AuditEntry;
}

impl ListQuery for TranscriptQuery {
    type Entry = TranscriptHit;
}

/// A campaign with its progress.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CampaignEntry {
    /// The campaign.
    #[serde(flatten)]
    pub campaign: Campaign,
    /// Number of leads in the campaign.
    pub leads: u64,
    /// Leads that were never called.
    pub new: u64,
    /// Leads that were called and can be called again.
    pub called: u64,
    /// Leads that are done.
    pub done: u64,
}

/// Positions of some entries of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListPositions {
    /// Ids, in the order of the list.
    pub ids: Vec<i64>,
    /// Cursor after which more may follow; `None` if these are the last.
    pub next: Option<Cursor>,
}

/// Complete list, read in parts.
#[async_trait]
pub trait ExportStore<Q: ListQuery>: Send + Sync {
    /// The first `limit` matching entries after a cursor. Entries added or removed between two calls don't make the next call repeat or
    /// omit other entries.
    async fn positions(&self, query: &Q, after: &Cursor, limit: u32) -> Result<ListPositions>;
    /// Entries with these ids that still match, in the order of the ids.
    async fn entries(&self, query: &Q, ids: &[i64]) -> Result<Vec<Q::Entry>>;
}
