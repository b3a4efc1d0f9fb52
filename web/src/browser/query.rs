//! Paths and query strings of the panel's URLs, and query strings of the API.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate, use_params_map};
use web_sys::UrlSearchParams;

/// Query of the panel's URL. The router's own map decodes every value twice, which breaks filters that contain `%` or
/// `&`.
#[derive(Clone, Copy)]
pub struct Query(Memo<String>);

impl Query {
    /// Returns the first value with this name.
    pub fn get(self, name: &str) -> Option<String> {
        self.0.with(|search| first_value(search, name))
    }

    /// Like [`Query::get`], without subscribing to changes.
    pub fn get_untracked(self, name: &str) -> Option<String> {
        self.0.with_untracked(|search| first_value(search, name))
    }
}

/// Returns the query of the panel's URL. Call inside the router.
pub fn use_query() -> Query {
    Query(use_location().search)
}

/// Returns a function that navigates to a URL and keeps the scroll position. If its second argument is true, the URL
/// replaces the current history entry. Call inside the router.
pub fn use_navigate_in_place() -> impl Fn(&str, bool) + Clone {
    let navigate = use_navigate();
    move |url, replace| navigate(url, NavigateOptions { scroll: false, replace, ..Default::default() })
}

/// Returns the id in the path of the page; `None` if it isn't a number. Call inside the router.
pub fn use_path_id<T: PartialEq + Send + Sync + 'static>(to_id: fn(i64) -> T) -> Memo<Option<T>> {
    let params = use_params_map();
    Memo::new(move |_| params.with(|params| params.get("id")?.parse().ok()).map(to_id))
}

/// Returns the first value with this name in a query.
pub fn first_value(search: &str, name: &str) -> Option<String> {
    UrlSearchParams::new_with_str(search).ok()?.get(name)
}

/// Returns `?name=value&…`, percent-encoded, without empty values. Returns an empty string if all values are empty.
pub fn query_string(pairs: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        text.push(if text.is_empty() { '?' } else { '&' });
        text.push_str(name);
        text.push('=');
        text.push_str(&String::from(js_sys::encode_uri_component(value)));
    }
    text
}
