//! Export of a whole list. Reads the order of the entries first and then the entries page by page, so memory stays bounded.
//!
//! Each page is its own snapshot: insertions and deletions neither duplicate nor omit other entries. An entry whose sort key
//! changes during the export may appear twice or not at all.

use std::sync::Arc;

use futures::Stream;
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::predicate::Cursor;

use crate::service::app::App;
use crate::service::error::Result;
use crate::storage::{
    AuditContext, AuditQuery, CallQuery, CampaignQuery, DeliveryQuery, ExportStore, ImportQuery, ListQuery, Store,
    TranscriptQuery,
};

/// Number of entries read at once: one or two megabytes.
pub const PAGE_ENTRIES: usize = 1_000;

/// Number of positions read at once. An order without an index is sorted once for each batch.
pub const POSITIONS_PER_BATCH: u32 = 50_000;

/// A list query whose entries can be exported.
pub trait ExportableQuery: ListQuery {
    /// Name of the list and of the exported file.
    const NAME: &'static str;
    /// Action name in the audit log.
    const ACTION: &'static str;
}

macro_rules! exportable {
    ($($query:ty: $name:literal, $action:literal;)+) => {$(
        impl ExportableQuery for $query {
            const NAME: &'static str = $name;
            const ACTION: &'static str = $action;
        }
    )+};
}

exportable! {
    CallQuery: "calls", "call.export";
    CampaignQuery: "campaigns", "campaign.export";
    DeliveryQuery: "deliveries", "delivery.export";
    ImportQuery: "imports", "import.export";
    AuditQuery: "audit-log", "audit_log.export";
    TranscriptQuery: "transcripts", "transcript.export";
}

/// An export of the entries that match a query.
#[derive(Debug)]
pub struct Export<Q> {
    app: Arc<App>,
    query: Q,
    now: Timestamp,
}

/// Read position of an export.
struct ReadPosition {
    ids: std::vec::IntoIter<i64>,
    next_cursor: Option<Cursor>,
}

impl<Q: ExportableQuery> Export<Q>
where
    dyn Store: ExportStore<Q>,
{
    /// Creates an export that begins now.
    pub fn new(app: &Arc<App>, query: Q) -> Self {
        Self { app: Arc::clone(app), query, now: app.now() }
    }

    /// Returns the start time of the export.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Records the export in the audit log. Call this before sending entries.
    ///
    /// # Errors
    /// The store failed.
    pub async fn record_in_audit_log(&self, audit: &AuditContext) -> Result<()> {
        Ok(self.app.store.record_event(Q::ACTION, Q::NAME, audit).await?)
    }

    /// Streams the entries in their order. Each page is read on demand.
    ///
    /// # Errors
    /// The store failed, within the stream.
    pub fn pages(&self) -> impl Stream<Item = Result<Vec<Q::Entry>>> + Send + use<Q> {
        let (app, query) = (Arc::clone(&self.app), self.query.clone());
        let start = ReadPosition { ids: Vec::new().into_iter(), next_cursor: Some(Cursor::Start) };
        futures::stream::try_unfold(start, move |mut position| {
            let (app, query) = (Arc::clone(&app), query.clone());
            async move {
                loop {
                    let ids: Vec<_> = position.ids.by_ref().take(PAGE_ENTRIES).collect();
                    if !ids.is_empty() {
                        return Ok(Some((app.store.entries(&query, &ids).await?, position)));
                    }
                    let Some(after) = position.next_cursor.take() else { return Ok(None) };
                    let positions = app.store.positions(&query, &after, POSITIONS_PER_BATCH).await?;
                    position = ReadPosition { ids: positions.ids.into_iter(), next_cursor: positions.next };
                }
            }
        })
    }
}
