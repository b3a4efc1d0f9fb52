//! All leads that match a filter, however many: read page after page by id, so that memory stays bounded.
//!
//! Each page is of its own moment, as with a cursor: no lead stands twice, and none is left out because others changed. What
//! "now" means in the filter and in the verdicts is the moment when the export began.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::{Stream, TryStreamExt};
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{Cursor, Limit, OrderKey, Value};
use leadscribe_engine::filter::{self, CheckedFilter};

use super::error::ServiceError;
use super::look_up_leads::{LeadsFound, limits};
use crate::app::App;
use crate::storage::Origin;

/// Leads read from the store at once: some megabytes.
pub const PAGE_LEADS: u32 = 2_000;

/// An export that may be read.
#[derive(Debug)]
pub struct Export {
    app: Arc<App>,
    filter: CheckedFilter,
    now: Timestamp,
}

/// Checks the filter, JSON text. Its `limit`, `_order` and `_cursor` say nothing here.
///
/// # Errors
/// Every fault of the filter, at once.
pub fn check(app: &Arc<App>, text: &str) -> Result<Export, ServiceError> {
    let mut filter = filter::read(text, &limits(app)).map_err(ServiceError::InvalidFilter)?;
    filter.limit = Limit { count: PAGE_LEADS, offset: 0 };
    filter.order = vec![OrderKey { field: FieldId::Id, descending: false }];
    filter.cursor = Some(Cursor::Start);
    Ok(Export { app: Arc::clone(app), filter, now: app.now() })
}

impl Export {
    /// When it began.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The members of a lead that are asked for; none means all.
    pub fn fields(&self) -> Option<&BTreeSet<String>> {
        self.filter.fields.as_ref()
    }

    /// The names of the custom fields that any of the leads has, and at most `most` and one of them. It takes as long as
    /// reading the leads does.
    ///
    /// # Errors
    /// The store failed.
    pub async fn custom_fields(&self, most: usize) -> Result<BTreeSet<String>, ServiceError> {
        let mut names = BTreeSet::new();
        let mut pages = std::pin::pin!(self.pages());
        while let Some(found) = pages.try_next().await? {
            for lead in &found.page.leads {
                names.extend(lead.lead.to_lead().custom_fields.into_keys());
                while names.len() > most + 1 {
                    names.pop_last();
                }
            }
            if names.len() > most {
                break;
            }
        }
        Ok(names)
    }

    /// Notes in the audit log that the leads leave the server. To be called before they do.
    ///
    /// # Errors
    /// The store failed.
    pub async fn note(&self, by: &Origin) -> Result<(), ServiceError> {
        Ok(self.app.store.note("lead.export", "leads", by).await?)
    }

    /// The leads, by id, each page when it is asked for.
    ///
    /// # Errors
    /// The store failed, within the stream.
    pub fn pages(&self) -> impl Stream<Item = Result<LeadsFound, ServiceError>> + Send + use<> {
        let (app, now) = (Arc::clone(&self.app), self.now);
        futures::stream::try_unfold(Some(self.filter.clone()), move |next| {
            let app = Arc::clone(&app);
            async move {
                let Some(mut filter) = next else { return Ok(None) };
                let page = app.store.look_up(&filter, now).await?;
                let last = page.leads.last().filter(|_| page.more).map(|last| Value::Integer(last.lead.id().0));
                let fields = filter.fields.clone();
                let next = last.map(|last| {
                    filter.cursor = Some(Cursor::After(vec![Some(last)]));
                    filter
                });
                Ok(Some((LeadsFound { page, now, next_cursor: None, fields }, next)))
            }
        })
    }
}
