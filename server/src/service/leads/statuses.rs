//! Management of the statuses of campaign leads.

use leadscribe_engine::api::LeadStatus;
use leadscribe_engine::diagnostic::{Diagnostic, Location, account};
use leadscribe_engine::json::MAX_DIAGNOSTICS;
use leadscribe_engine::record::is_status_name;

use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::service::printable_text;
use crate::storage::AuditContext;

/// Maximum length of a status name, in characters.
const MAX_NAME_LENGTH: usize = 50;

/// Maximum length of a status label, in characters.
pub const MAX_LABEL_LENGTH: usize = 100;

/// Returns all statuses.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App) -> Result<Vec<LeadStatus>> {
    Ok(app.store.statuses().await?)
}

/// Adds a status, or changes the status with this name.
///
/// # Errors
/// The name or the label is invalid; or storage failed.
pub async fn put(app: &App, status: LeadStatus, audit: &AuditContext) -> Result<LeadStatus> {
    let diagnostics = diagnostics(&status);
    if !diagnostics.is_empty() {
        return Err(ServiceError::InvalidRequest(diagnostics));
    }
    app.store.put_status(status.clone(), audit).await?;
    Ok(status)
}

/// Sets the order of the statuses and returns them in this order.
///
/// # Errors
/// A name is invalid; a status is missing or named twice; or storage failed.
pub async fn reorder(app: &App, names: Vec<String>, audit: &AuditContext) -> Result<Vec<LeadStatus>> {
    ServiceError::ensure_no_diagnostics(name_diagnostics(&names))?;
    app.store.reorder_statuses(names, audit).await?;
    list(app).await
}

/// Removes a status.
///
/// # Errors
/// The status doesn't exist or is used by campaign leads; or storage failed.
pub async fn delete(app: &App, name: &str, audit: &AuditContext) -> Result<()> {
    let existed = app.store.delete_status(name, audit).await?;
    existed.then_some(()).ok_or(ServiceError::NotFound("status"))
}

/// Returns the errors of invalid status names.
fn name_diagnostics(names: &[String]) -> Vec<Diagnostic> {
    let invalid_names = names.iter().enumerate().filter(|(_, name)| !is_status_name(name)).take(MAX_DIAGNOSTICS);
    let diagnostic = |(index, name): (usize, &String)| {
        let shortened: String = name.chars().take(MAX_NAME_LENGTH).collect();
        let message = account::status_name(MAX_NAME_LENGTH, format!("{shortened:?}"));
        Diagnostic::new(Location::Pointer(format!("/names/{index}")), "invalid_name", message)
    };
    invalid_names.map(diagnostic).collect()
}

fn diagnostics(status: &LeadStatus) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    if !is_status_name(&status.name) {
        let message = account::status_name(MAX_NAME_LENGTH, format!("{:?}", status.name));
        diagnostics.push(Diagnostic::new(Location::Parameter("name".to_owned()), "invalid_name", message));
    }
    if let Some(message) = printable_text::check(&status.label, MAX_LABEL_LENGTH) {
        diagnostics.push(Diagnostic::new(Location::Pointer("/label".to_owned()), "invalid_label", message));
    }
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_control_characters_of_invalid_names() {
        let details: Vec<_> = name_diagnostics(&["new".to_owned(), "\"\u{8}\n".to_owned(), String::new()])
            .into_iter()
            .map(|diagnostic| diagnostic.message.to_string())
            .collect();
        assert_eq!(
            details,
            [
                r#"expected 1 to 50 of the characters a to z, 0 to 9 and _, found "\"\u{8}\n""#,
                "expected 1 to 50 of the characters a to z, 0 to 9 and _, found \"\""
            ]
        );
    }

    #[test]
    fn reports_every_error() {
        let status = |name: &str, label: &str| LeadStatus { name: name.into(), label: label.into(), dialable: true };
        assert_eq!(diagnostics(&status("call_back_2", "Call back")), []);
        let details: Vec<_> = diagnostics(&status("Call back", " "))
            .into_iter()
            .map(|diagnostic| diagnostic.message.to_string())
            .collect();
        assert_eq!(
            details,
            ["expected 1 to 50 of the characters a to z, 0 to 9 and _, found \"Call back\"", "must not be blank"]
        );
    }
}
