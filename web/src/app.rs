//! Routes of the panel and the contexts that every page can use.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::components::{ParentRoute, Route, Router, Routes};
use leptos_router::path;

use crate::api::use_api;
use crate::components::call::table::CallSelection;
use crate::components::lead::selection::LeadSelection;
use crate::components::shell::connection_notice::ConnectionNotice;
use crate::components::shell::palette::Palette;
use crate::components::shell::{Shell, history_sync};
use crate::components::toast_region::ToastRegion;
use crate::connection::{Connection, use_connection};
use crate::datetime;
use crate::event_stream::EventStream;
use crate::lazy_routes;
use crate::navigation_guard::NavigationGuard;
use crate::pages::palette::CommandPalette;
use crate::pages::session_expired::SessionExpiredDialog;
use crate::pages::{login, not_found};
use crate::session::{Session, SessionState};
use crate::theme::ThemeChoice;
use crate::toasts::Toasts;

/// Root component of the panel.
#[component]
pub fn App() -> impl IntoView {
    let session = Session::new();
    provide_context(session);
    provide_context(Toasts::new());
    provide_context(NavigationGuard::install());
    provide_context(Connection::start());
    provide_context(EventStream::start());
    provide_context(LeadSelection::new());
    provide_context(CallSelection::new());
    provide_context(Palette::new());
    provide_context(ThemeChoice::new());
    let (api, connection) = (use_api(), use_connection());
    datetime::start_minute_timer();
    spawn_local(api.load_session());
    let is_logged_in = Memo::new(move |_| matches!(session.state(), SessionState::LoggedIn(_)));
    Effect::new(move || {
        if is_logged_in.get() {
            lazy_routes::preload_when_idle();
        }
    });
    view! {
        <Router>
            {history_sync::sync_history()}
            <Routes fallback=not_found::NotFoundPage>
                <Route path=path!("/login") view=login::LoginPage />
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
            <Show when=move || is_logged_in.get()>
                <CommandPalette />
                <SessionExpiredDialog />
            </Show>
        </Router>
        <ConnectionNotice is_lost=Signal::derive(move || connection.is_lost()) />
        <ToastRegion />
    }
}
