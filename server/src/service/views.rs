//! Saved views of the list of leads.

use leadscribe_engine::api::{SavedView, ViewId, ViewRequest};
use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leadscribe_engine::filter::{self, Limits};

use super::error::ServiceError;
use super::look_up_leads::limits;
use crate::app::App;
use crate::storage::{Origin, Viewer};

/// Maximum length of a name, in characters.
pub const MAX_NAME: usize = 100;

/// Maximum length of a filter in bytes: about what browsers and proxies accept in a URL.
pub const MAX_FILTER: usize = 8_000;

/// Maximum length of the text of relative dates, in bytes.
pub const MAX_DATES: usize = 1_000;

/// Maximum length of the text of columns, in bytes: all columns with many custom fields.
pub const MAX_COLUMNS: usize = 4_000;

/// Returns all views visible to a user, by name.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, viewer: Viewer) -> Result<Vec<SavedView>, ServiceError> {
    let mut views = app.store.views(viewer.id).await?;
    views.sort_by_cached_key(|view| (view.name.to_lowercase(), view.id));
    Ok(views)
}

/// Returns a view.
///
/// # Errors
/// The user sees no such view; or storage failed.
pub async fn read(app: &App, id: ViewId, viewer: Viewer) -> Result<SavedView, ServiceError> {
    app.store.view(id, viewer.id).await?.ok_or(ServiceError::NotFound("view"))
}

/// Saves a new view.
///
/// # Errors
/// The view is invalid (all faults are reported); the user may not share it; its name is taken; the user has too many views;
/// or storage failed.
pub async fn create(app: &App, view: ViewRequest, viewer: Viewer, by: &Origin) -> Result<SavedView, ServiceError> {
    let view = check(view, &limits(app))?;
    Ok(app.store.create_view(&view, viewer, by).await?)
}

/// Changes a view.
///
/// # Errors
/// The view is invalid (all faults are reported); the user sees no such view or may not change it; its name is taken; or the
/// store failed.
pub async fn update(
    app: &App,
    id: ViewId,
    view: ViewRequest,
    viewer: Viewer,
    by: &Origin,
) -> Result<SavedView, ServiceError> {
    let view = check(view, &limits(app))?;
    app.store.update_view(id, &view, viewer, by).await?.ok_or(ServiceError::NotFound("view"))
}

/// Removes a view.
///
/// # Errors
/// The user sees no such view or may not change it; or storage failed.
pub async fn delete(app: &App, id: ViewId, viewer: Viewer, by: &Origin) -> Result<(), ServiceError> {
    app.store.delete_view(id, viewer, by).await?.then_some(()).ok_or(ServiceError::NotFound("view"))
}

/// Returns the view with its name trimmed, if it is valid.
fn check(view: ViewRequest, limits: &Limits) -> Result<ViewRequest, ServiceError> {
    let view = ViewRequest { name: view.name.trim().to_owned(), ..view };
    let mut faults = Vec::new();
    let length = view.name.chars().count();
    if !(1..=MAX_NAME).contains(&length) || view.name.chars().any(char::is_control) {
        let detail = format!("expected a name of 1 to {MAX_NAME} printable characters, found {length}");
        faults.push(Diagnostic::new(at("name"), "invalid_name", detail));
    }
    match too_long("filter", &view.filter, MAX_FILTER) {
        Some(fault) => faults.push(fault),
        None => faults.extend(of_filter(&view.filter, limits)),
    }
    for (member, text, most) in [("dates", &view.dates, MAX_DATES), ("columns", &view.columns, MAX_COLUMNS)] {
        faults.extend(too_long(member, text, most));
        if let Some(place) = text.chars().position(char::is_control) {
            let fault =
                Diagnostic::new(at(member), "control_character", "expected printable characters, found another");
            faults.push(fault.within(place, place + 1));
        }
    }
    ServiceError::unless_empty(faults)?;
    Ok(view)
}

fn at(member: &str) -> Place {
    Place::Pointer(format!("/{member}"))
}

fn too_long(member: &str, text: &str, most: usize) -> Option<Diagnostic> {
    let detail = || format!("expected at most {most} bytes, found {}", text.len());
    (text.len() > most).then(|| Diagnostic::new(at(member), "too_long", detail()))
}

/// Returns the faults of a filter, with their positions in its text.
fn of_filter(text: &str, limits: &Limits) -> Vec<Diagnostic> {
    let faults = filter::read(text, limits).err().unwrap_or_default();
    let characters = |end: usize| text.get(..end).unwrap_or(text).chars().count();
    let narrowed = faults.into_iter().map(|fault| {
        let (start, end) = (characters(fault.at.start), characters(fault.at.end));
        Diagnostic { place: at("filter"), ..fault }.within(start, end)
    });
    narrowed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(name: &str, filter: &str) -> ViewRequest {
        let (name, filter) = (name.to_owned(), filter.to_owned());
        ViewRequest { name, filter, dates: String::new(), columns: String::new(), shared: false }
    }

    fn told(view: ViewRequest) -> Vec<String> {
        let Err(ServiceError::InvalidRequest(faults)) = check(view, &Limits::default()) else { return Vec::new() };
        let one = |fault: Diagnostic| {
            let Place::Pointer(place) = fault.place else { panic!("it is in the body") };
            let span = fault.span.map(|span| format!(" {}-{}", span.start, span.end)).unwrap_or_default();
            format!("{place}{span} {} {}", fault.code, fault.message)
        };
        faults.into_iter().map(one).collect()
    }

    #[test]
    fn trims_names() {
        let checked = check(view("  Bonn ", r#"{"city":"Bonn"}"#), &Limits::default());
        assert_eq!(checked.map(|view| view.name).ok().as_deref(), Some("Bonn"));
    }

    #[test]
    fn reports_faults_with_their_places() {
        let wrong = ViewRequest { columns: "ab\u{7}".to_owned(), ..view(" ", r#"{"ü":1,"city":"Bonn"}"#) };
        assert_eq!(
            told(wrong),
            [
                "/name invalid_name expected a name of 1 to 100 printable characters, found 0",
                "/filter 1-4 unknown_key expected a field of leads or campaign leads, found `ü`",
                "/columns 2-3 control_character expected printable characters, found another",
            ]
        );
        assert!(told(view("Empty", "{}"))[0].starts_with("/filter 0-2 "));
        assert!(told(view("Half", "{"))[0].starts_with("/filter 1-1 "));
        let long = ViewRequest { dates: "x".repeat(1_001), ..view("Long", &"x".repeat(8_001)) };
        assert_eq!(
            told(long),
            [
                "/filter too_long expected at most 8000 bytes, found 8001",
                "/dates too_long expected at most 1000 bytes, found 1001"
            ]
        );
    }
}
