//! `/leads/new`: form for a new lead, checked by the engine while the user types.

use leadscribe_engine::api::Lead;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::record::WriteMode;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::api::session::use_session;
use crate::api::use_api;
use crate::browser::focus::focus_after_render;
use crate::features::leads::draft::LeadDraft;
use crate::features::leads::form::{LeadForm, LeadFormState, fields, input_id};
use crate::i18n::texts::lead as texts;
use crate::state::toasts::use_toasts;
use crate::ui::empty_state::EmptyState;
use crate::ui::error_notice::ErrorNotice;
use crate::ui::icon::Glyph;
use crate::ui::input::submit_button::SubmitButton;
use crate::ui::page_header::PageHeader;
use crate::ui::unsaved_changes_guard::UnsavedChangesGuard;

#[component]
pub fn NewLeadPage() -> impl IntoView {
    let session = use_session();
    let body = move || {
        if session.can_write() {
            view! { <NewLead /> }.into_any()
        } else {
            view! { <EmptyState glyph=Glyph::Leads title=texts::role_cannot_add() text=texts::role_cannot_add_hint() /> }
                .into_any()
        }
    };
    view! {
        <PageHeader title=texts::new_lead() back=("/leads", texts::all_leads()) />
        {body}
    }
}

#[component]
fn NewLead() -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let form_state = LeadFormState::new(LeadDraft::new(None, fields()), WriteMode::Create);
    let is_created = RwSignal::new(false);
    focus_after_render(input_id(FieldId::FirstName));
    let navigate = use_navigate();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(fields) = form_state.valid_body() else { return };
        let navigate = navigate.clone();
        form_state.mutation.start(api.create_lead(fields), move |lead: Lead| {
            is_created.set(true);
            toasts.show_success(texts::lead_added());
            navigate(&format!("/leads/{}", lead.id), Default::default());
        });
    };
    let has_unsaved_changes = Signal::derive(move || form_state.is_edited() && !is_created.get());
    view! {
        <form class="card lead-form lead-new" novalidate data-test="lead-form" on:submit=submit>
            <div class="card-body stack">
                <LeadForm draft=form_state.draft diagnostics=form_state.diagnostics() />
            </div>
            <footer class="row lead-form-footer">
                {move || form_state.form_error().map(|error| view! { <ErrorNotice error /> })}
                <p class="small secondary" aria-live="polite">
                    {move || if form_state.is_invalid() { texts::fix_highlighted_fields() } else { texts::new_lead_hint() }}
                </p>
                <SubmitButton is_busy=form_state.mutation.is_busy() disabled=form_state.is_submit_disabled() test_id="save-lead">
                    {texts::add_lead()}
                </SubmitButton>
            </footer>
        </form>
        <UnsavedChangesGuard has_unsaved_changes />
    }
}
