//! The routes, and the contexts every page may use.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::components::{ParentRoute, Redirect, Route, Router, Routes};
use leptos_router::path;

use crate::api::use_api;
use crate::components::shell::Shell;
use crate::components::toast::{ToastRegion, Toasts};
use crate::live::Live;
use crate::pages::{access, call, calls, deliveries, delivery, imports, lead, leads, login, not_found, transcripts};
use crate::session::Session;

/// The panel.
#[component]
pub fn App() -> impl IntoView {
    provide_context(Session::new());
    provide_context(Toasts::new());
    provide_context(Live::start());
    let api = use_api();
    spawn_local(api.find_session());
    view! {
        <Router>
            <Routes fallback=not_found::NotFoundPage>
                <Route path=path!("/login") view=login::LoginPage />
                <ParentRoute path=path!("/") view=Shell>
                    <Route path=path!("/") view=|| view! { <Redirect path="/leads" /> } />
                    <Route path=path!("/leads") view=leads::LeadsPage />
                    <Route path=path!("/leads/:id") view=lead::LeadPage />
                    <Route path=path!("/calls") view=calls::CallsPage />
                    <Route path=path!("/calls/:id") view=call::CallPage />
                    <Route path=path!("/transcripts") view=transcripts::TranscriptsPage />
                    <Route path=path!("/deliveries") view=deliveries::DeliveriesPage />
                    <Route path=path!("/deliveries/:id") view=delivery::DeliveryPage />
                    <Route path=path!("/imports") view=imports::ImportsPage />
                    <Route path=path!("/access") view=access::AccessPage />
                </ParentRoute>
            </Routes>
        </Router>
        <ToastRegion />
    }
}
