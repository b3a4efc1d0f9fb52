//! Pages of a logged-in user: the router, the frame around every page, and what is open on any page. `table.rs` lists the pages.
//!
//! Every chunk contains this module, but the login page doesn't load it.

pub mod lazy;

use leptos::prelude::*;
use leptos_router::components::{ParentRoute, Redirect, Route, Router, Routes};
use leptos_router::path;

use crate::api::EventStream;
use crate::features::login::session_expired::SessionExpiredDialog;
use crate::features::shell::not_found::NotFoundPage;
use crate::features::shell::palette::dialogs::CommandPalette;
use crate::features::shell::{Shell, history_sync};
use crate::i18n::datetime;
use crate::routes::lazy::PageRoutes;
use crate::ui::ToastRegion;

#[component]
pub fn Pages() -> impl IntoView {
    provide_context(EventStream::start());
    provide_context(lazy::navigation_entries());
    datetime::start_minute_timer();
    lazy::preload_when_idle();
    view! {
        <Router>
            {history_sync::sync_history()}
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
