//! The address is that of the page that is shown.

use leptos::prelude::*;
use leptos_router::location::{BrowserUrl, LocationProvider, Url};

use crate::place;

/// Enters a place into the browser's history where the router has left it out, for as long as the owner is there. The router
/// enters none that it takes for the one it entered last, and doesn't notice that somebody has gone back or forward from there.
pub fn keep() {
    let router = expect_context::<BrowserUrl>();
    // It says so anew each time that it has entered a place or left it out.
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
