//! Saved views of the list of leads.

use leadscribe_engine::api::{SavedView, Timestamp, ViewId, ViewRequest};
use leadscribe_engine::diagnostic::{Diagnostic, Location, account, common};
use leadscribe_engine::filter::{self, Limits};

use super::lead_lookup::limits;
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::service::printable_text;
use crate::storage::{AuditContext, Viewer};

/// Maximum length of a name, in characters.
pub const MAX_NAME_LENGTH: usize = 100;

/// Maximum length of a filter in bytes: about what browsers and proxies accept in a URL.
pub const MAX_FILTER_BYTES: usize = 8_000;

/// Maximum length of the text of relative dates, in bytes.
pub const MAX_DATES_BYTES: usize = 1_000;

/// Maximum length of the text of columns, in bytes: all columns with many custom fields.
pub const MAX_COLUMNS_BYTES: usize = 4_000;

/// Returns all views visible to a user, by name.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, viewer: Viewer) -> Result<Vec<SavedView>> {
    let mut views = app.store.views(viewer.id).await?;
    views.sort_by_cached_key(|view| (view.name.to_lowercase(), view.id));
    Ok(views)
}

/// Returns a view.
///
/// # Errors
/// The view doesn't exist or isn't visible to the user; or storage failed.
pub async fn read(app: &App, id: ViewId, viewer: Viewer) -> Result<SavedView> {
    app.store.view(id, viewer.id).await?.ok_or(ServiceError::NotFound("view"))
}

/// Saves a new view.
///
/// # Errors
/// The view is invalid (all errors are reported); the user may not share it; its name is taken; the user has too many views;
/// or storage failed.
pub async fn create(app: &App, view: ViewRequest, viewer: Viewer, audit: &AuditContext) -> Result<SavedView> {
    let view = check(view, &limits(app))?;
    Ok(app.store.create_view(&view, viewer, audit).await?)
}

/// Changes a view. With `expected_versions`, only if its `updated_at` is one of them.
///
/// # Errors
/// The view is invalid (all errors are reported); the view doesn't exist or isn't visible to the user; the user may not change
/// it; its name is taken; it was changed since; or storage failed.
pub async fn update(
    app: &App,
    id: ViewId,
    view: ViewRequest,
    viewer: Viewer,
    expected_versions: Option<Vec<Timestamp>>,
    audit: &AuditContext,
) -> Result<SavedView> {
    let view = check(view, &limits(app))?;
    app.store.update_view(id, &view, viewer, expected_versions, audit).await?.ok_or(ServiceError::NotFound("view"))
}

/// Removes a view. With `expected_versions`, only if its `updated_at` is one of them.
///
/// # Errors
/// The view doesn't exist or isn't visible to the user; the user may not change it; it was changed since; or storage failed.
pub async fn delete(
    app: &App,
    id: ViewId,
    viewer: Viewer,
    expected_versions: Option<Vec<Timestamp>>,
    audit: &AuditContext,
) -> Result<()> {
    app.store
        .delete_view(id, viewer, expected_versions, audit)
        .await?
        .then_some(())
        .ok_or(ServiceError::NotFound("view"))
}

/// Returns the view with its name trimmed, if it is valid.
fn check(view: ViewRequest, limits: &Limits) -> Result<ViewRequest> {
    let view = ViewRequest { name: view.name.trim().to_owned(), ..view };
    let mut diagnostics = Vec::new();
    if let Some(message) = printable_text::check(&view.name, MAX_NAME_LENGTH) {
        diagnostics.push(Diagnostic::new(member_location("name"), "invalid_name", message));
    }
    match check_length("filter", &view.filter, MAX_FILTER_BYTES) {
        Some(diagnostic) => diagnostics.push(diagnostic),
        None => diagnostics.extend(filter_diagnostics(&view.filter, limits)),
    }
    for (member, text, max_bytes) in
        [("dates", &view.dates, MAX_DATES_BYTES), ("columns", &view.columns, MAX_COLUMNS_BYTES)]
    {
        diagnostics.extend(check_length(member, text, max_bytes));
        if let Some(position) = text.chars().position(char::is_control) {
            let message = account::printable_characters();
            let diagnostic = Diagnostic::new(member_location(member), "control_character", message);
            diagnostics.push(diagnostic.within(position, position + 1));
        }
    }
    ServiceError::ensure_no_diagnostics(diagnostics)?;
    Ok(view)
}

fn member_location(member: &str) -> Location {
    Location::Pointer(format!("/{member}"))
}

fn check_length(member: &str, text: &str, max_bytes: usize) -> Option<Diagnostic> {
    let message = || common::expected(common::at_most_bytes(max_bytes), text.len());
    (text.len() > max_bytes).then(|| Diagnostic::new(member_location(member), "too_long", message()))
}

/// Returns the errors of a filter, with their positions in its text.
fn filter_diagnostics(text: &str, limits: &Limits) -> Vec<Diagnostic> {
    let diagnostics = filter::parse_and_check(text, limits).err().unwrap_or_default();
    let character_offset = |end: usize| text.get(..end).unwrap_or(text).chars().count();
    let with_positions = diagnostics.into_iter().map(|diagnostic| {
        let (start, end) = (character_offset(diagnostic.byte_range.start), character_offset(diagnostic.byte_range.end));
        Diagnostic { location: member_location("filter"), ..diagnostic }.within(start, end)
    });
    with_positions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(name: &str, filter: &str) -> ViewRequest {
        let (name, filter) = (name.to_owned(), filter.to_owned());
        ViewRequest { name, filter, dates: String::new(), columns: String::new(), shared: false }
    }

    fn diagnostics(view: ViewRequest) -> Vec<String> {
        let Err(ServiceError::InvalidRequest(diagnostics)) = check(view, &Limits::default()) else { return Vec::new() };
        let to_text = |diagnostic: Diagnostic| {
            let Location::Pointer(pointer) = diagnostic.location else { panic!("it is in the body") };
            let span = diagnostic.span.map(|span| format!(" {}-{}", span.start, span.end)).unwrap_or_default();
            format!("{pointer}{span} {} {}", diagnostic.code, diagnostic.message)
        };
        diagnostics.into_iter().map(to_text).collect()
    }

    #[test]
    fn trims_names() {
        let checked = check(view("  Bonn ", r#"{"city":"Bonn"}"#), &Limits::default());
        assert_eq!(checked.map(|view| view.name).ok().as_deref(), Some("Bonn"));
    }

    #[test]
    fn reports_errors_with_their_positions() {
        let invalid = ViewRequest { columns: "ab\u{7}".to_owned(), ..view(" ", r#"{"ü":1,"city":"Bonn"}"#) };
        assert_eq!(
            diagnostics(invalid),
            [
                "/name invalid_name must not be blank",
                "/filter 1-4 unknown_key expected a field of leads or campaign leads, found `ü`",
                "/columns 2-3 control_character expected printable characters, found a control character",
            ]
        );
        assert!(diagnostics(view("Empty", "{}"))[0].starts_with("/filter 0-2 "));
        assert!(diagnostics(view("Half", "{"))[0].starts_with("/filter 1-1 "));
        let long = ViewRequest { dates: "x".repeat(1_001), ..view("Long", &"x".repeat(8_001)) };
        assert_eq!(
            diagnostics(long),
            [
                "/filter too_long expected at most 8000 bytes, found 8001",
                "/dates too_long expected at most 1000 bytes, found 1001"
            ]
        );
    }
}
