//! Places of the panel: a path with its query, as the address has them.

use leptos::prelude::*;
use leptos_router::location::Location;
use wasm_bindgen::JsValue;

/// The place of a path and a query, which may have its question mark or not.
pub fn of(path: &str, query: &str) -> String {
    match query.trim_start_matches('?') {
        "" => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// The place where the router is.
pub fn routed(location: &Location) -> String {
    of(&location.pathname.get_untracked(), &location.search.get_untracked())
}

/// The place that the browser shows.
pub fn in_sight() -> String {
    let location = location();
    // Of a page of the panel both can be read.
    of(&location.pathname().unwrap_or_default(), &location.search().unwrap_or_default())
}

/// Enters a place into the browser's history.
pub fn enter(place: &str) {
    if let Ok(history) = window().history() {
        // A place of the same site is never refused.
        _ = history.push_state_with_url(&JsValue::NULL, "", Some(place));
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn a_place_has_its_query_if_there_is_one() {
        for (query, place) in [("", "/leads"), ("?", "/leads"), ("a=1", "/leads?a=1"), ("?a=1", "/leads?a=1")] {
            assert_eq!(of("/leads", query), place);
        }
    }
}
