//! Export of all leads that match a filter. Pages are read in the order of ids, so memory stays bounded.
//!
//! Each page is its own snapshot, as with a cursor: concurrent changes neither duplicate nor omit a lead. "Now" in the
//! filter and in the verdicts is the time at which the export began.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::{Stream, TryStreamExt};
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{Cursor, Limit, OrderKey, Value};
use leadscribe_engine::filter::{self, CheckedFilter};

use super::lead_lookup::{LeadLookup, limits};
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::AuditContext;

/// Number of leads in one page: a few megabytes.
pub const PAGE_LEADS: u32 = 2_000;

/// A checked export, ready to be read.
#[derive(Debug)]
pub struct Export {
    app: Arc<App>,
    filter: CheckedFilter,
    now: Timestamp,
}

/// Checks the filter (JSON text). Its `limit`, `_order` and `_cursor` are ignored.
///
/// # Errors
/// The filter is invalid. All errors are reported.
pub fn check(app: &Arc<App>, text: &str) -> Result<Export> {
    let mut filter = filter::parse_and_check(text, &limits(app)).map_err(ServiceError::InvalidFilter)?;
    filter.limit = Limit { count: PAGE_LEADS, offset: 0 };
    filter.order = vec![OrderKey { field: FieldId::Id, descending: false }];
    filter.cursor = Some(Cursor::Start);
    Ok(Export { app: Arc::clone(app), filter, now: app.now() })
}

impl Export {
    /// Returns the start time of the export.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Returns the requested members of a lead; `None` for all.
    pub fn fields(&self) -> Option<&BTreeSet<String>> {
        self.filter.fields.as_ref()
    }

    /// Returns the names of the custom fields of all leads, at most `limit` + 1 of them. Reads all leads, so it takes as long
    /// as the export.
    ///
    /// # Errors
    /// The store failed.
    pub async fn custom_fields(&self, limit: usize) -> Result<BTreeSet<String>> {
        let mut names = BTreeSet::new();
        let mut pages = std::pin::pin!(self.pages());
        while let Some(lookup) = pages.try_next().await? {
            for entry in &lookup.page.leads {
                names.extend(entry.lead.to_lead().custom_fields.into_keys());
                while names.len() > limit + 1 {
                    names.pop_last();
                }
            }
            if names.len() > limit {
                break;
            }
        }
        Ok(names)
    }

    /// Records the export in the audit log. Call this before sending leads.
    ///
    /// # Errors
    /// The store failed.
    pub async fn record_in_audit_log(&self, audit: &AuditContext) -> Result<()> {
        Ok(self.app.store.record_event("lead.export", "leads", audit).await?)
    }

    /// Streams the leads in the order of ids. Each page is read on demand.
    ///
    /// # Errors
    /// The store failed, within the stream.
    pub fn pages(&self) -> impl Stream<Item = Result<LeadLookup>> + Send + use<> {
        let (app, now) = (Arc::clone(&self.app), self.now);
        futures::stream::try_unfold(Some(self.filter.clone()), move |next| {
            let app = Arc::clone(&app);
            async move {
                let Some(mut filter) = next else { return Ok(None) };
                let page = app.store.look_up(&filter, now).await?;
                let last = page.leads.last().filter(|_| page.has_more).map(|last| Value::Integer(last.lead.id().0));
                let fields = filter.fields.clone();
                let next = last.map(|last| {
                    filter.cursor = Some(Cursor::After(vec![Some(last)]));
                    filter
                });
                Ok(Some((LeadLookup { page, now, next_cursor: None, fields }, next)))
            }
        })
    }
}
