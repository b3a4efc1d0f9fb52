//! Pages of a logged-in user: the router, the frame around every page, and the dialogs and toasts that any page can
//! show. `table.rs` lists the pages.
//!
//! Every chunk contains this module, but the login page doesn't load it.

pub mod lazy;

use leptos::prelude::*;
use leptos_router::components::{ParentRoute, Redirect, Route, Router, Routes};
use leptos_router::location::{BrowserUrl, LocationProvider, Url};
use leptos_router::path;

use crate::api::EventStream;
use crate::features::login::SessionExpiredDialog;
use crate::features::shell::Shell;
use crate::features::shell::palette::dialogs::CommandPalette;
use crate::i18n::datetime;
use crate::i18n::texts::shell;
use crate::navigation::location;
use crate::routes::lazy::PageRoutes;
use crate::ui::{EmptyState, Glyph, ToastRegion, set_tab_title};

#[component]
pub fn Pages() -> impl IntoView {
    provide_context(EventStream::start());
    provide_context(lazy::navigation_entries());
    datetime::start_minute_timer();
    lazy::preload_when_idle();
    view! {
        <Router>
            {sync_history()}
            <Routes fallback=NotFoundPage>
                <Route path=path!("/login") view=|| view! { <Redirect path="/" /> } />
                <ParentRoute path=path!("/") view=Shell>
                    <PageRoutes />
                </ParentRoute>
            </Routes>
            <CommandPalette />
            <SessionExpiredDialog />
        </Router>
        <ToastRegion />
    }
}

/// Adds the history entries that the router skips, for the lifetime of the owner. The router skips a URL that equals
/// the last one it added, and doesn't notice that the user has navigated back or forward since.
fn sync_history() {
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

#[component]
fn NotFoundPage() -> impl IntoView {
    set_tab_title(shell::page_not_found());
    view! {
        <main class="login">
            <EmptyState
                glyph=Glyph::Compass
                title=shell::page_not_found()
                text=shell::page_not_found_text()
                as_heading=true
                link=("/", shell::go_to_home_page())
                is_primary=true
            />
        </main>
    }
}
