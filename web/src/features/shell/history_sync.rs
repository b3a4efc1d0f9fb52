//! Keeps the browser's URL in sync with the current page.

use leptos::prelude::*;
use leptos_router::location::{BrowserUrl, LocationProvider, Url};

use crate::navigation::location;

/// Adds the history entries that the router skips, for the lifetime of the owner. The router skips a URL that equals the last one it
/// added, and doesn't notice that the user has navigated back or forward since.
pub fn sync_history() {
    let router = expect_context::<BrowserUrl>();
    // Changes each time the router adds or skips an entry.
    let (router_url, entry_added) = (router.as_url().clone(), router.is_back());
    Effect::new(move |_| {
        entry_added.track();
        let location = location_of(&router_url.read_untracked());
        if BrowserUrl::current().is_ok_and(|current| location_of(&current) != location) {
            location::push_history(&location);
        }
    });
}

fn location_of(url: &Url) -> String {
    location::join(url.path(), url.search())
}
