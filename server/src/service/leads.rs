//! Leads that are written one at a time. Looking them up is in [`super::look_up_leads`].

use leadscribe_engine::api::{AuditEntry, Lead, LeadId, Page, Timestamp};
use leadscribe_engine::record::{Form, LeadRecord};

use super::error::ServiceError;
use super::phone;
use crate::app::App;
use crate::storage::{Origin, Slice};

/// Stores a new lead from JSON text. Phone numbers are normalised, unless the text gives them so.
///
/// # Errors
/// Every fault of the text, at once; the id is taken; or the store failed.
pub async fn create(app: &App, text: &str, by: &Origin) -> Result<Lead, ServiceError> {
    let mut record = LeadRecord::from_json(text, Form::Create).map_err(ServiceError::InvalidRequest)?;
    phone::normalize(&mut record, None, app.config.phone_region());
    Ok(app.store.create_lead(record, by).await?)
}

/// Changes the fields of a lead that JSON text names. When a phone number or the country changes, the normalised
/// numbers follow. With `unchanged` only as long as that is when it was last changed.
///
/// # Errors
/// Every fault of the text, at once; there is no such lead; it was changed since; or the store failed.
pub async fn update(
    app: &App,
    id: LeadId,
    text: &str,
    unchanged: Option<Timestamp>,
    by: &Origin,
) -> Result<Lead, ServiceError> {
    let mut record = LeadRecord::from_json(text, Form::Change).map_err(ServiceError::InvalidRequest)?;
    if phone::needs_stored_lead(&record) {
        let found = app.store.lead(id, by.at).await?;
        let stored = found.as_ref().and_then(|found| found.leads.first()).ok_or(ServiceError::NotFound("lead"))?;
        phone::normalize(&mut record, Some(&stored.lead.to_lead()), app.config.phone_region());
    }
    app.store.update_lead(id, record, unchanged, by).await?.ok_or(ServiceError::NotFound("lead"))
}

/// Deletes a lead and takes it out of its campaigns; its calls stay.
///
/// # Errors
/// There is no such lead; or the store failed.
pub async fn delete(app: &App, id: LeadId, by: &Origin) -> Result<(), ServiceError> {
    let existed = app.store.delete_lead(id, by).await?;
    existed.then_some(()).ok_or(ServiceError::NotFound("lead"))
}

/// Who changed a lead or what it is in its campaigns, newest first.
///
/// # Errors
/// The store failed.
pub async fn history(app: &App, id: LeadId, slice: Slice) -> Result<Page<AuditEntry>, ServiceError> {
    Ok(app.store.lead_history(id, slice).await?)
}
