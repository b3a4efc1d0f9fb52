//! Pages of a logged-in user: the router, the frame around every page, and what is open on any page.
//!
//! Every lazy-loaded part contains this module, but the login page doesn't load it.

pub mod parts;

use leptos::prelude::*;
use leptos_router::components::{ParentRoute, Redirect, Route, Router, Routes};
use leptos_router::path;

use crate::api::event_stream::EventStream;
use crate::features::login::session_expired::SessionExpiredDialog;
use crate::features::shell::not_found::NotFoundPage;
use crate::features::shell::palette::dialogs::CommandPalette;
use crate::features::shell::{Shell, history_sync};
use crate::i18n::datetime;
use crate::ui::toast_region::ToastRegion;

/// The router and its pages.
#[component]
pub fn Pages() -> impl IntoView {
    provide_context(EventStream::start());
    datetime::start_minute_timer();
    parts::preload_when_idle();
    view! {
        <Router>
            {history_sync::sync_history()}
            <Routes fallback=NotFoundPage>
                <Route path=path!("/login") view=|| view! { <Redirect path="/" /> } />
                <ParentRoute path=path!("/") view=Shell>
                    <Route path=path!("/") view=parts::today() />
                    <Route path=path!("/leads") view=parts::leads() />
                    <Route path=path!("/leads/new") view=parts::new_lead() />
                    <Route path=path!("/leads/:id") view=parts::lead() />
                    <Route path=path!("/campaigns") view=parts::campaigns() />
                    <Route path=path!("/campaigns/new") view=parts::new_campaign() />
                    <Route path=path!("/campaigns/:id") view=parts::campaign() />
                    <Route path=path!("/calls") view=parts::calls() />
                    <Route path=path!("/calls/:id") view=parts::call() />
                    <Route path=path!("/transcripts") view=parts::transcripts() />
                    <Route path=path!("/deliveries") view=parts::deliveries() />
                    <Route path=path!("/deliveries/:id") view=parts::delivery() />
                    <Route path=path!("/imports/:id?") view=parts::imports() />
                    <Route path=path!("/api-reference") view=parts::api_reference() />
                    <Route path=path!("/settings/:tab?") view=parts::settings() />
                </ParentRoute>
            </Routes>
            <CommandPalette />
            <SessionExpiredDialog />
        </Router>
        <ToastRegion />
    }
}
