//! Keeps the browser's URL in sync with the current page.

use leptos::prelude::*;
use leptos_router::location::{BrowserUrl, LocationProvider, Url};

use crate::place;

/// Adds the history entries that the router skips, for the lifetime of the owner. The router skips a URL that equals the last one it
/// added, and doesn't notice that the user has navigated back or forward since.
pub fn keep() {
    let router = expect_context::<BrowserUrl>();
    // Changes each time the router adds or skips an entry.
    let (shown, entered) = (router.as_url().clone(), router.is_back());
    Effect::new(move |_| {
        entered.track();
        let place = place_of(&shown.read_untracked());
        if BrowserUrl::current().is_ok_and(|address| place_of(&address) != place) {
            place::enter(&place);
        }
    });
}

fn place_of(url: &Url) -> String {
    place::of(url.path(), url.search())
}
