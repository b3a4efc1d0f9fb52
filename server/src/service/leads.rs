//! Reads and writes single leads. Look-ups are in [`super::look_up_leads`].

use leadscribe_engine::api::{AuditEntry, Lead, LeadId, Page, Timestamp};
use leadscribe_engine::record::{Form, LeadRecord};

use super::error::ServiceError;
use crate::app::App;
use crate::phone;
use crate::storage::{Origin, Slice};

/// Stores a new lead from JSON text. Phone numbers are normalised unless the text has normalised ones.
///
/// # Errors
/// The text is invalid (all faults are reported); the id is taken; or storage failed.
pub async fn create(app: &App, text: &str, by: &Origin) -> Result<Lead, ServiceError> {
    let mut record = LeadRecord::from_json(text, Form::Create).map_err(ServiceError::InvalidRequest)?;
    phone::normalize(&mut record, app.config.phone_region());
    Ok(app.store.create_lead(record, by).await?)
}

/// Changes the fields of a lead that the JSON text names. If a phone number or the country changes, the normalised numbers
/// are updated. With `unchanged`, only if the lead was last changed at that time.
///
/// # Errors
/// The text is invalid (all faults are reported); the lead doesn't exist; it was changed since; or storage failed.
pub async fn update(
    app: &App,
    id: LeadId,
    text: &str,
    unchanged: Option<Timestamp>,
    by: &Origin,
) -> Result<Lead, ServiceError> {
    let record = LeadRecord::from_json(text, Form::Change).map_err(ServiceError::InvalidRequest)?;
    let changed = app.store.update_lead(id, record, app.config.phone_region(), unchanged, by).await?;
    changed.ok_or(ServiceError::NotFound("lead"))
}

/// Deletes a lead and removes it from its campaigns. Its calls stay.
///
/// # Errors
/// The lead doesn't exist; or storage failed.
pub async fn delete(app: &App, id: LeadId, by: &Origin) -> Result<(), ServiceError> {
    let existed = app.store.delete_lead(id, by).await?;
    existed.then_some(()).ok_or(ServiceError::NotFound("lead"))
}

/// Returns the audit entries of a lead and its campaign leads, newest first.
///
/// # Errors
/// The store failed.
pub async fn history(app: &App, id: LeadId, slice: Slice) -> Result<Page<AuditEntry>, ServiceError> {
    Ok(app.store.lead_history(id, slice).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speech::Provider;
    use crate::worker::testing::{Data, by};

    #[tokio::test]
    async fn country_change_does_not_restore_previous_number() {
        let data = Data::empty(|_| {});
        let app = data.process(Provider::off());
        let by = by(&app);
        for _ in 0..20 {
            let old = r#"{"phone": "+49 30 901820", "country": "DE"}"#;
            let id = create(&app, old, &by).await.unwrap().id;
            let (phone, country) = tokio::join!(
                update(&app, id, r#"{"phone": "+49 30 901821"}"#, None, &by),
                update(&app, id, r#"{"country": "US"}"#, None, &by),
            );
            assert!(phone.is_ok() && country.is_ok());
            let found = app.store.lead(id, app.now()).await.unwrap().unwrap();
            let lead = found.leads[0].lead.to_lead();
            assert_eq!(lead.phone_normalized.as_deref(), Some("+4930901821"));
        }
    }
}
