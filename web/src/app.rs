//! Routes of the panel and the contexts that every page can use.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::components::{ParentRoute, Route, Router, Routes};
use leptos_router::path;

use crate::api::use_api;
use crate::components::call::table::Selection;
use crate::components::lead::selection::LeadSelection;
use crate::components::shell::connection_notice::ConnectionNotice;
use crate::components::shell::palette::Palette;
use crate::components::shell::toast::{ToastRegion, Toasts};
use crate::components::shell::{Shell, address};
use crate::connection::{Connection, use_connection};
use crate::crossroads::Crossroads;
use crate::live::Live;
use crate::pages::log_in_again::LogInAgain;
use crate::pages::palette::CommandPalette;
use crate::pages::{login, not_found};
use crate::parts;
use crate::session::{Session, SessionState};
use crate::theme::ThemeChoice;
use crate::when;

/// Root component of the panel.
#[component]
pub fn App() -> impl IntoView {
    let session = Session::new();
    provide_context(session);
    provide_context(Toasts::new());
    provide_context(Crossroads::before_router());
    provide_context(Connection::start());
    provide_context(Live::start());
    provide_context(LeadSelection::new());
    provide_context(Selection::new());
    provide_context(Palette::new());
    provide_context(ThemeChoice::new());
    let (api, connection) = (use_api(), use_connection());
    when::start();
    spawn_local(api.find_session());
    let is_known = Memo::new(move |_| matches!(session.state(), SessionState::Staff(_)));
    Effect::new(move || {
        if is_known.get() {
            parts::load_when_idle();
        }
    });
    view! {
        <Router>
            {address::keep()}
            <Routes fallback=not_found::NotFoundPage>
                <Route path=path!("/login") view=login::LoginPage />
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
            <Show when=move || is_known.get()>
                <CommandPalette />
                <LogInAgain />
            </Show>
        </Router>
        <ConnectionNotice lost=Signal::derive(move || connection.is_lost()) />
        <ToastRegion />
    }
}
