//! Reads and writes single leads. Lookups are in [`lead_lookup`].

pub mod bulk_writes;
pub mod campaign_leads;
pub mod campaigns;
pub mod lead_actions;
pub mod lead_export;
pub mod lead_lookup;
pub mod statuses;
pub mod views;

use leadscribe_engine::api::{AuditEntry, Lead, LeadId, Page, Timestamp};
use leadscribe_engine::record::{LeadRecord, WriteMode};

use crate::phone;
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{AuditContext, Slice};

/// Stores a new lead from JSON text. Phone numbers are normalized unless the text has normalized ones.
///
/// # Errors
/// The text is invalid (all errors are reported); the id is taken; or storage failed.
pub async fn create(app: &App, text: &str, audit: &AuditContext) -> Result<Lead> {
    let mut record = LeadRecord::from_json(text, WriteMode::Create).map_err(ServiceError::InvalidRequest)?;
    phone::normalize(&mut record, app.config.default_country());
    Ok(app.store.create_lead(record, audit).await?)
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
