//! `/leads/new`: form for a new lead, checked by the engine while the user types.

use leadscribe_engine::api::Lead;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::record::WriteMode;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::api::{use_api, use_session};
use crate::browser::focus::focus_after_render;
use crate::features::leads::draft::LeadDraft;
use crate::features::leads::form::{LeadForm, fields, form_error, input_id, lead_form_state};
use crate::i18n::texts::{common, lead as texts};
use crate::state::use_toasts;
use crate::ui::input::SubmitButton;
use crate::ui::{EmptyState, ErrorNotice, Glyph, PageHeader, UnsavedChangesGuard};

#[component]
pub fn NewLeadPage() -> impl IntoView {
    let session = use_session();
    let body = move || {
        if session.can_write() {
            view! { <NewLead /> }.into_any()
        } else {
            view! { <EmptyState glyph=Glyph::Leads title=texts::role_cannot_add() text=common::ask_for_access() /> }
                .into_any()
        }
    };
    view! {
        <PageHeader title=common::new_lead() back=("/leads", common::all_leads()) />
        {body}
    }
}

#[component]
fn NewLead() -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let draft = LeadDraft::new(None, fields());
    let form_state = lead_form_state(draft, WriteMode::Create);
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
                <LeadForm draft diagnostics=form_state.diagnostics() />
            </div>
            <footer class="row lead-form-footer">
                {move || form_error(form_state.mutation).map(|error| view! { <ErrorNotice error /> })}
                <p class="small secondary" aria-live="polite">
                    {move || if form_state.is_invalid() { common::fix_highlighted_fields() } else { texts::new_lead_hint() }}
                </p>
                <SubmitButton
                    label=common::add_lead()
                    is_busy=form_state.mutation.is_busy()
                    disabled=form_state.is_submit_disabled()
                    test_id="save-lead"
                />
            </footer>
        </form>
        <UnsavedChangesGuard has_unsaved_changes />
    }
}
