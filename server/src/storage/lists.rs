//! What the lists that can be ordered and exported have in common.
//!
//! A slice of a list is a method of its area's trait. For all of a list, however long, [`ExportStore`] tells the entries
//! apart from what they hold: first where they stand, many at once, then what they are, some at a time. So an order that no
//! index has is sorted a few times, and not for each page.

use std::fmt::Debug;

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::filter::predicate::Cursor;
use serde::Serialize;

use super::{AuditQuery, CallQuery, CampaignQuery, DeliveryQuery, ImportQuery, StoreError, TranscriptQuery};

/// Which entries of a list, and in which order.
pub trait ListQuery: Clone + Debug + Send + Sync + 'static {
    /// What is told of each when the list is exported.
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

/// A campaign, and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CampaignEntry {
    /// The campaign.
    #[serde(flatten)]
    pub campaign: Campaign,
    /// Leads in it.
    pub leads: u64,
    /// Those that were never called.
    pub new: u64,
    /// Those that were called, and can be again.
    pub called: u64,
    /// Those that are done.
    pub done: u64,
}

/// Where some entries of a list stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// Their ids, in the order of the list.
    pub ids: Vec<i64>,
    /// The place after which more may stand; none when these are the last.
    pub next: Option<Cursor>,
}

/// All of a list, bit by bit.
#[async_trait]
pub trait ExportStore<Q: ListQuery>: Send + Sync {
    /// The first of those entries that match and come after a place, at most so many. Neither what comes nor what goes
    /// between two calls makes the next ones repeat or leave out another.
    async fn places(&self, query: &Q, after: &Cursor, most: u32) -> Result<Places, StoreError>;
    /// The entries with these ids that still match, in the order of the ids.
    async fn entries(&self, query: &Q, ids: &[i64]) -> Result<Vec<Q::Entry>, StoreError>;
}
