//! `/leads/new`: form for a new lead, checked by the engine while the user types.

use leadscribe_engine::api::Lead;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::record::Form;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use super::to_all;
use super::writing::Writing;
use crate::api::use_api;
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::Glyph;
use crate::components::input::submit_button::SubmitButton;
use crate::components::lead::draft::LeadDraft;
use crate::components::lead::form::{LeadForm, fields, input_id};
use crate::components::shell::leave_guard::LeaveGuard;
use crate::components::shell::page_head::PageHead;
use crate::components::shell::toast::use_toasts;
use crate::focus::focus_soon;
use crate::session::use_session;
use crate::texts::lead as texts;

#[component]
pub fn NewLeadPage() -> impl IntoView {
    let session = use_session();
    let body = move || {
        if session.may_write() {
            view! { <NewLead /> }.into_any()
        } else {
            view! { <Empty glyph=Glyph::Leads title=texts::for_managers() text=texts::for_managers_why() /> }.into_any()
        }
    };
    view! {
        <PageHead title=texts::new_lead() fact=ViewFn::from(to_all) />
        {body}
    }
    .into_any()
}

#[component]
fn NewLead() -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let writing = Writing::new(LeadDraft::empty(fields()), Form::Create);
    let is_made = RwSignal::new(false);
    focus_soon(input_id(FieldId::FirstName));
    let navigate = use_navigate();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(fields) = writing.ready() else { return };
        let navigate = navigate.clone();
        writing.attempt.start(api.create_lead(fields), move |lead: Lead| {
            is_made.set(true);
            toasts.done(texts::is_added());
            navigate(&format!("/leads/{}", lead.id), Default::default());
        });
    };
    let unsaved = Signal::derive(move || writing.is_begun() && !is_made.get());
    view! {
        <form class="card lead-form lead-new" novalidate data-test="lead-form" on:submit=submit>
            <div class="card-body stack">
                <LeadForm draft=writing.draft faults=writing.faults() />
            </div>
            <footer class="lead-form-foot">
                {move || writing.refusal_beside().map(|error| view! { <ErrorNotice error /> })}
                <p class="small secondary" aria-live="polite">
                    {move || if writing.is_wrong() { texts::mend_first() } else { texts::new_lead_hint() }}
                </p>
                <SubmitButton busy=writing.attempt.is_busy() disabled=writing.is_idle() test="save-lead">
                    {texts::add_lead()}
                </SubmitButton>
            </footer>
        </form>
        <LeaveGuard unsaved />
    }
    .into_any()
}
