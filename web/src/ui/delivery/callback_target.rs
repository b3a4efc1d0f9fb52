//! Target of a delivery. Emphasizes the host and hides the query, which may contain a secret.

use leadscribe_engine::api::Callback;
use leptos::prelude::*;

/// Method, host and path of a callback.
#[component]
pub fn CallbackTarget(callback: Callback) -> impl IntoView {
    let (host, path) = split_url(&callback.callback_url);
    view! {
        <span class="target">
            <span class="chip mono">{callback.callback_method.as_str()}</span>
            <span class="target-url">
                <span class="strong">{host}</span>
                <span class="muted">{path}</span>
            </span>
        </span>
    }
}

/// Splits a URL into the host with its port, and the path. `?…` replaces a query.
pub fn split_url(url: &str) -> (String, String) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (base, query) = rest.split_once('?').map_or((rest, ""), |(base, _)| (base, "?…"));
    let path_start = base.find('/').unwrap_or(base.len());
    let path = base[path_start..].trim_end_matches('/');
    (base[..path_start].to_owned(), format!("{path}{query}"))
}

#[cfg(test)]
mod tests {
    use crate::ui::delivery::callback_target::*;

    #[test]
    fn hides_the_query_of_a_url() {
        let split = |url| split_url(url);
        assert_eq!(split("https://example.com/hook?key=secret"), ("example.com".into(), "/hook?…".into()));
        assert_eq!(split("https://example.com:8443/"), ("example.com:8443".into(), String::new()));
        assert_eq!(split("https://example.com?a=/b"), ("example.com".into(), "?…".into()));
    }
}
