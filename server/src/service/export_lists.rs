//! All of a list, however long: first where its entries stand, then the entries themselves, page after page, so that memory
//! stays bounded.
//!
//! Each page is of its own moment: no entry stands twice, and none is left out, because others came or went. One whose own
//! place in the order changes meanwhile may be met at both places, or at neither.

use std::sync::Arc;

use futures::Stream;
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::predicate::Cursor;

use super::error::ServiceError;
use crate::app::App;
use crate::storage::{
    AuditQuery, CallQuery, CampaignQuery, DeliveryQuery, ExportStore, ImportQuery, ListQuery, Origin, Store,
    TranscriptQuery,
};

/// Entries read from the store at once: a megabyte or two.
pub const PAGE: usize = 1_000;

/// Places read from the store at once: an order without an index is sorted once for so many entries.
pub const PLACES: u32 = 50_000;

/// A list that can be exported.
pub trait Exported: ListQuery {
    /// Its name, also of the file.
    const NAME: &'static str;
    /// What the audit log calls it.
    const ACTION: &'static str;
}

macro_rules! exported {
    ($($query:ty: $name:literal, $action:literal;)+) => {$(
        impl Exported for $query {
            const NAME: &'static str = $name;
            const ACTION: &'static str = $action;
        }
    )+};
}

exported! {
    CallQuery: "calls", "call.export";
    CampaignQuery: "campaigns", "campaign.export";
    DeliveryQuery: "deliveries", "delivery.export";
    ImportQuery: "imports", "import.export";
    AuditQuery: "audit-log", "audit_log.export";
    TranscriptQuery: "transcripts", "transcript.export";
}

/// An export of what meets a query.
#[derive(Debug)]
pub struct Export<Q> {
    app: Arc<App>,
    query: Q,
    now: Timestamp,
}

/// How far it is read.
struct Reading {
    ids: std::vec::IntoIter<i64>,
    next: Option<Cursor>,
}

impl<Q: Exported> Export<Q>
where
    dyn Store: ExportStore<Q>,
{
    /// One that begins now.
    pub fn new(app: &Arc<App>, query: Q) -> Self {
        Self { app: Arc::clone(app), query, now: app.now() }
    }

    /// When it began.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Notes in the audit log that the entries leave the server. To be called before they do.
    ///
    /// # Errors
    /// The store failed.
    pub async fn note(&self, by: &Origin) -> Result<(), ServiceError> {
        Ok(self.app.store.note(Q::ACTION, Q::NAME, by).await?)
    }

    /// The entries in their order, each page when it is asked for.
    ///
    /// # Errors
    /// The store failed, within the stream.
    pub fn pages(&self) -> impl Stream<Item = Result<Vec<Q::Entry>, ServiceError>> + Send + use<Q> {
        let (app, query) = (Arc::clone(&self.app), self.query.clone());
        let start = Reading { ids: Vec::new().into_iter(), next: Some(Cursor::Start) };
        futures::stream::try_unfold(start, move |mut reading| {
            let (app, query) = (Arc::clone(&app), query.clone());
            async move {
                loop {
                    let ids: Vec<_> = reading.ids.by_ref().take(PAGE).collect();
                    if !ids.is_empty() {
                        return Ok(Some((app.store.entries(&query, &ids).await?, reading)));
                    }
                    let Some(after) = reading.next.take() else { return Ok(None) };
                    let places = app.store.places(&query, &after, PLACES).await?;
                    reading = Reading { ids: places.ids.into_iter(), next: places.next };
                }
            }
        })
    }
}
