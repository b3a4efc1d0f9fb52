//! Management of the statuses of campaign leads.

use leadscribe_engine::api::LeadStatus;
use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leadscribe_engine::json::MAX_DIAGNOSTICS;
use leadscribe_engine::record::is_status_name;

use super::error::ServiceError;
use crate::app::App;
use crate::storage::Origin;

/// Maximum length of a status name, in characters.
const MAX_NAME: usize = 50;

/// Maximum length of a status label, in characters.
pub const MAX_LABEL: usize = 100;

/// Returns all statuses.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App) -> Result<Vec<LeadStatus>, ServiceError> {
    Ok(app.store.statuses().await?)
}

/// Adds a status, or changes the status with this name.
///
/// # Errors
/// Name or label break a rule; or storage failed.
pub async fn put(app: &App, status: LeadStatus, by: &Origin) -> Result<LeadStatus, ServiceError> {
    let faults = faults(&status);
    if !faults.is_empty() {
        return Err(ServiceError::InvalidRequest(faults));
    }
    app.store.put_status(status.clone(), by).await?;
    Ok(status)
}

/// Sets the order of the statuses and returns them in this order.
///
/// # Errors
/// A name is invalid; a status is missing or named twice; or storage failed.
pub async fn order(app: &App, names: Vec<String>, by: &Origin) -> Result<Vec<LeadStatus>, ServiceError> {
    ServiceError::unless_empty(impossible(&names))?;
    app.store.order_statuses(names, by).await?;
    list(app).await
}

/// Removes a status.
///
/// # Errors
/// The status doesn't exist or is used by campaign leads; or storage failed.
pub async fn delete(app: &App, name: &str, by: &Origin) -> Result<(), ServiceError> {
    let existed = app.store.delete_status(name, by).await?;
    existed.then_some(()).ok_or(ServiceError::NotFound("status"))
}

/// Returns the faults of invalid status names.
fn impossible(names: &[String]) -> Vec<Diagnostic> {
    let wrong = names.iter().enumerate().filter(|(_, name)| !is_status_name(name)).take(MAX_DIAGNOSTICS);
    let fault = |(at, name): (usize, &String)| {
        let shown: String = name.chars().take(MAX_NAME).collect();
        let detail = format!("expected 1 to {MAX_NAME} of the characters a to z, 0 to 9 and _, found {shown:?}");
        Diagnostic::new(Place::Pointer(format!("/names/{at}")), "invalid_name", detail)
    };
    wrong.map(fault).collect()
}

fn faults(status: &LeadStatus) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    if !is_status_name(&status.name) {
        let detail =
            format!("expected 1 to {MAX_NAME} of the characters a to z, 0 to 9 and _, found {:?}", status.name);
        faults.push(Diagnostic::new(Place::Parameter("name".to_owned()), "invalid_name", detail));
    }
    let length = status.label.chars().count();
    if status.label.trim().is_empty() || length > MAX_LABEL || status.label.chars().any(char::is_control) {
        let detail = format!("expected 1 to {MAX_LABEL} printable characters, found {length}");
        faults.push(Diagnostic::new(Place::Pointer("/label".to_owned()), "invalid_label", detail));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_status_names_are_reported_in_one_line() {
        let found: Vec<_> = impossible(&["new".to_owned(), "\"\u{8}\n".to_owned(), String::new()])
            .into_iter()
            .map(|fault| fault.message.to_string())
            .collect();
        assert_eq!(
            found,
            [
                r#"expected 1 to 50 of the characters a to z, 0 to 9 and _, found "\"\u{8}\n""#,
                "expected 1 to 50 of the characters a to z, 0 to 9 and _, found \"\""
            ]
        );
    }

    #[test]
    fn names_every_fault() {
        let status = |name: &str, label: &str| LeadStatus { name: name.into(), label: label.into(), dialable: true };
        assert_eq!(faults(&status("call_back_2", "Call back")), []);
        let found: Vec<_> =
            faults(&status("Call back", " ")).into_iter().map(|fault| fault.message.to_string()).collect();
        assert_eq!(
            found,
            [
                "expected 1 to 50 of the characters a to z, 0 to 9 and _, found \"Call back\"",
                "expected 1 to 100 printable characters, found 1"
            ]
        );
    }
}
