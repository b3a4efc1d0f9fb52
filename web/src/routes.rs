//! Pages of a logged-in user: the router, the frame around every page, and what is open on any page.
//!
//! Every lazy-loaded part contains this module, but the login page doesn't load it.

use leptos::prelude::*;
use leptos_router::components::{ParentRoute, Redirect, Route, Router, Routes};
use leptos_router::path;

use crate::components::shell::{Shell, history_sync};
use crate::components::toast_region::ToastRegion;
use crate::event_stream::EventStream;
use crate::pages::not_found::NotFoundPage;
use crate::pages::palette::CommandPalette;
use crate::pages::session_expired::SessionExpiredDialog;
use crate::{datetime, lazy_routes};

/// The router and its pages.
#[component]
pub fn Pages() -> impl IntoView {
    provide_context(EventStream::start());
    datetime::start_minute_timer();
    lazy_routes::preload_when_idle();
    view! {
        <Router>
            {history_sync::sync_history()}
            <Routes fallback=NotFoundPage>
                <Route path=path!("/login") view=|| view! { <Redirect path="/" /> } />
                <ParentRoute path=path!("/") view=Shell>
                    <Route path=path!("/") view=lazy_routes::today() />
                    <Route path=path!("/leads") view=lazy_routes::leads() />
                    <Route path=path!("/leads/new") view=lazy_routes::new_lead() />
                    <Route path=path!("/leads/:id") view=lazy_routes::lead() />
                    <Route path=path!("/campaigns") view=lazy_routes::campaigns() />
                    <Route path=path!("/campaigns/new") view=lazy_routes::new_campaign() />
                    <Route path=path!("/campaigns/:id") view=lazy_routes::campaign() />
                    <Route path=path!("/calls") view=lazy_routes::calls() />
                    <Route path=path!("/calls/:id") view=lazy_routes::call() />
                    <Route path=path!("/transcripts") view=lazy_routes::transcripts() />
                    <Route path=path!("/deliveries") view=lazy_routes::deliveries() />
                    <Route path=path!("/deliveries/:id") view=lazy_routes::delivery() />
                    <Route path=path!("/imports/:id?") view=lazy_routes::imports() />
                    <Route path=path!("/api-reference") view=lazy_routes::api_reference() />
                    <Route path=path!("/settings/:tab?") view=lazy_routes::settings() />
                </ParentRoute>
            </Routes>
            <CommandPalette />
            <SessionExpiredDialog />
        </Router>
        <ToastRegion />
    }
}
