//! Reads and writes single leads. Lookups are in [`lead_lookup`].

pub mod bulk_writes;
pub mod campaign_leads;
pub mod campaigns;
pub mod lead_actions;
pub mod lead_export;
pub mod lead_lookup;
pub mod statuses;
pub mod views;

use std::sync::LazyLock;

use leadscribe_engine::api::{AuditEntry, Lead, LeadId, Page, Timestamp};
use leadscribe_engine::diagnostic::{Diagnostic, Location, conflict};
use leadscribe_engine::record::{LeadRecord, WriteMode};
use serde_json::json;

use crate::blocking_pool::BlockingPool;
use crate::phone;
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{AuditContext, EDIT_CONFLICT, Slice, UpsertCondition, UpsertedLead, WriteError};

/// Runs one preview of a campaign or an action at a time: each uses a core and a connection for tens to hundreds of milliseconds.
static PREVIEW_POOL: LazyLock<BlockingPool> = LazyLock::new(|| BlockingPool::new(1));

/// Stores a new lead from JSON text. Phone numbers are normalized unless the text has normalized ones.
///
/// # Errors
/// The text is invalid (all errors are reported); the id is taken; or storage failed.
pub async fn create(app: &App, text: &str, audit: &AuditContext) -> Result<Lead> {
    let mut record = LeadRecord::from_json(text, WriteMode::Create).map_err(ServiceError::InvalidRequest)?;
    phone::normalize(&mut record, app.config.default_country());
    Ok(app.store.create_lead(record, audit).await?)
}

/// Stores the leads of a JSON array, all or none, as [`create`] does. Once begun, this runs even if the client disconnects.
///
/// # Errors
/// The text is invalid (all errors are reported); an id or identifier is taken; or storage failed.
pub async fn create_all(app: &App, text: &str, audit: &AuditContext) -> Result<Vec<Lead>> {
    let mut records = LeadRecord::array_from_json(text).map_err(ServiceError::InvalidRequest)?;
    records.iter_mut().for_each(|record| phone::normalize(record, app.config.default_country()));
    let (store, audit) = (app.store.clone(), audit.clone());
    bulk_writes::run(app, async move { store.create_leads(records, &audit).await }).await
}

/// Changes the fields that the JSON text names of the lead with this original identifier, as [`update`] does, or creates a lead with them.
///
/// # Errors
/// The identifier or the text is invalid (all errors are reported); several leads have the identifier; the lead was changed since,
/// exists or doesn't exist; or storage failed.
pub async fn upsert(
    app: &App,
    identifier: &str,
    text: &str,
    condition: UpsertCondition,
    audit: &AuditContext,
) -> Result<UpsertedLead> {
    let path_record = json!({ "original_identifier": identifier }).to_string();
    let path_record = LeadRecord::from_json(&path_record, WriteMode::Update).map_err(|diagnostics| {
        let location = || Location::Parameter("original_identifier".to_owned());
        let diagnostics = diagnostics.into_iter();
        ServiceError::InvalidRequest(diagnostics.map(|error| Diagnostic { location: location(), ..error }).collect())
    })?;
    let mut record = LeadRecord::from_json(text, WriteMode::Update).map_err(ServiceError::InvalidRequest)?;
    if record.original_identifier.is_some() && record.original_identifier != path_record.original_identifier {
        let location = Location::Pointer("/original_identifier".to_owned());
        let detail = conflict::other_identifier(identifier);
        return Err(ServiceError::InvalidRequest(vec![Diagnostic::new(location, "not_permitted", detail)]));
    }
    record.original_identifier = path_record.original_identifier;
    let existence_message = match condition {
        UpsertCondition { versions: None, existence: Some(true) } => Some(conflict::no_lead_with_identifier()),
        UpsertCondition { versions: None, existence: Some(false) } => Some(conflict::lead_exists()),
        _ => None,
    };
    let upserted = app.store.upsert_lead(record, app.config.default_country(), condition, audit).await;
    Ok(upserted.map_err(|error| match (error, existence_message) {
        (WriteError::Refused(diagnostic), Some(message)) if diagnostic.code == EDIT_CONFLICT => {
            WriteError::Refused(Diagnostic { message, ..diagnostic })
        }
        (error, _) => error,
    })?)
}

/// Changes the fields of a lead that the JSON text names. If a phone number or the country changes, the normalized numbers
/// are updated. With `expected_versions`, only if its `updated_at` is one of them.
///
/// # Errors
/// The text is invalid (all errors are reported); the lead doesn't exist; it was changed since; or storage failed.
pub async fn update(
    app: &App,
    id: LeadId,
    text: &str,
    expected_versions: Option<Vec<Timestamp>>,
    audit: &AuditContext,
) -> Result<Lead> {
    let record = LeadRecord::from_json(text, WriteMode::Update).map_err(ServiceError::InvalidRequest)?;
    let changed = app.store.update_lead(id, record, app.config.default_country(), expected_versions, audit).await?;
    changed.ok_or(ServiceError::NotFound("lead"))
}

/// Deletes a lead and removes it from its campaigns. Its calls stay. With `expected_versions`, only if its `updated_at` is one of them.
///
/// # Errors
/// The lead doesn't exist; it was changed since; or storage failed.
pub async fn delete(
    app: &App,
    id: LeadId,
    expected_versions: Option<Vec<Timestamp>>,
    audit: &AuditContext,
) -> Result<()> {
    let existed = app.store.delete_lead(id, expected_versions, audit).await?;
    existed.then_some(()).ok_or(ServiceError::NotFound("lead"))
}

/// Returns the audit entries of a lead and its campaign leads, newest first.
///
/// # Errors
/// The store failed.
pub async fn history(app: &App, id: LeadId, slice: Slice) -> Result<Page<AuditEntry>> {
    Ok(app.store.lead_history(id, slice).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::testing::{TestInstallation, audit_context};

    #[tokio::test]
    async fn country_change_does_not_restore_previous_number() {
        let (_installation, app) = TestInstallation::with_app(|_| {});
        let audit = audit_context(&app);
        for _ in 0..20 {
            let old = r#"{"phone": "+49 30 901820", "country": "DE"}"#;
            let id = create(&app, old, &audit).await.unwrap().id;
            let (phone, country) = tokio::join!(
                update(&app, id, r#"{"phone": "+49 30 901821"}"#, None, &audit),
                update(&app, id, r#"{"country": "US"}"#, None, &audit),
            );
            assert!(phone.is_ok() && country.is_ok());
            let lookup = app.store.lead(id, app.now()).await.unwrap().unwrap();
            let lead = lookup.leads[0].lead.to_lead();
            assert_eq!(lead.phone_normalized.as_deref(), Some("+4930901821"));
        }
    }
}
