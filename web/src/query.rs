//! Query strings, of the panel's own places and of the API's.

use leptos::prelude::*;
use leptos_router::hooks::use_location;
use web_sys::UrlSearchParams;

/// The query of the panel's address. The router's own map decodes every value twice, which a `%` or `&` inside a filter
/// does not survive.
#[derive(Clone, Copy)]
pub struct Query(Memo<String>);

impl Query {
    /// The first value of this name.
    pub fn get(self, name: &str) -> Option<String> {
        self.0.with(|search| value(search, name))
    }

    /// The same, without following its changes.
    pub fn get_untracked(self, name: &str) -> Option<String> {
        self.0.with_untracked(|search| value(search, name))
    }
}

/// The query of the panel's address, inside its router.
pub fn use_query() -> Query {
    Query(use_location().search)
}

fn value(search: &str, name: &str) -> Option<String> {
    UrlSearchParams::new_with_str(search).ok()?.get(name)
}

/// `?name=value&…` of those that have a value, percent-encoded; of none, nothing.
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
