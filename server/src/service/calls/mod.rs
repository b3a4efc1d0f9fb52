//! Calls. Their recordings are in [`recordings`].

pub mod lead_matching;
pub mod recordings;
pub mod spool;

use leadscribe_engine::api::{Call, CallId, Page};
use leadscribe_engine::record::{CallRecord, WriteMode};

use crate::service::app::App;
use crate::service::calls::lead_matching::CallNumbers;
use crate::service::error::{Result, ServiceError};
use crate::storage::{AuditContext, CallQuery, Slice};

/// Returns a slice of the calls that match a query.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, query: &CallQuery, slice: Slice) -> Result<Page<Call>> {
    Ok(app.store.calls(query, slice).await?)
}

/// Returns a call.
///
/// # Errors
/// The call doesn't exist; or storage failed.
pub async fn read(app: &App, id: CallId) -> Result<Call> {
    app.store.call(id).await?.ok_or(ServiceError::NotFound("call"))
}

/// Stores a new call from JSON text. Without a `lead_id`, the call is matched to the only lead with its phone number.
///
/// # Errors
/// The text is invalid (all errors are reported); the lead, campaign or campaign lead doesn't exist; the id is taken; or the
/// store failed.
pub async fn create(app: &App, text: &str, audit: &AuditContext) -> Result<Call> {
    let mut record = CallRecord::from_json(text, WriteMode::Create).map_err(ServiceError::InvalidRequest)?;
    let call_numbers = CallNumbers::from_calls(std::slice::from_ref(&record), app.config.default_country());
    if let Some(filter) = call_numbers.filter() {
        call_numbers
            .assign_fallback_leads(std::slice::from_mut(&mut record), &app.store.look_up(&filter, audit.at).await?);
    }
    Ok(app.store.create_call(record, audit).await?)
}

/// Changes the fields of a call that the JSON text names.
///
/// # Errors
/// The text is invalid (all errors are reported); the call or something it refers to doesn't exist; or storage failed.
pub async fn update(app: &App, id: CallId, text: &str, audit: &AuditContext) -> Result<Call> {
    let record = CallRecord::from_json(text, WriteMode::Update).map_err(ServiceError::InvalidRequest)?;
    app.store.update_call(id, record, audit).await?.ok_or(ServiceError::NotFound("call"))
}
