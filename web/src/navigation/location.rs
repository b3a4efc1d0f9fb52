//! Locations in the panel: path and query, as in the URL.

use leptos::prelude::*;
use leptos_router::location::Location;
use wasm_bindgen::JsValue;

/// Joins a path and a query. The question mark of the query is optional.
pub fn join(path: &str, query: &str) -> String {
    match query.trim_start_matches('?') {
        "" => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

pub fn router_location(location: &Location) -> String {
    join(&location.pathname.get_untracked(), &location.search.get_untracked())
}

pub fn browser_location() -> String {
    let location = location();
    // Reading path and query can't fail on a page of the panel.
    join(&location.pathname().unwrap_or_default(), &location.search().unwrap_or_default())
}

/// Pushes a location onto the browser's history.
pub fn push_history(location: &str) {
    if let Ok(history) = window().history() {
        // The browser never refuses a path of the same site.
        _ = history.push_state_with_url(&JsValue::NULL, "", Some(location));
    }
}

/// Replaces the current entry of the browser's history.
pub fn replace_history(location: &str) {
    if let Ok(history) = window().history() {
        // The browser never refuses a path of the same site.
        _ = history.replace_state_with_url(&JsValue::NULL, "", Some(location));
    }
}

#[cfg(test)]
mod tests {
    use crate::navigation::location::join;

    #[test]
    fn joins_path_and_query() {
        for (query, expected) in [("", "/leads"), ("?", "/leads"), ("a=1", "/leads?a=1"), ("?a=1", "/leads?a=1")] {
            assert_eq!(join("/leads", query), expected);
        }
    }
}
