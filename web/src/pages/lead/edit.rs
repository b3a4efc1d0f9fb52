//! Changing the fields of a lead: what is written is checked at once by the engine, and by the server when it is saved.

use leadscribe_engine::api::Lead;
use leadscribe_engine::record::Form;
use leptos::prelude::*;

use super::writing::Writing;
use crate::api::use_api;
use crate::components::error_notice::ErrorNotice;
use crate::components::lead_draft::LeadDraft;
use crate::components::lead_form::{LeadForm, fields};
use crate::components::leave_guard::LeaveGuard;
use crate::components::submit_button::SubmitButton;
use crate::components::toast::use_toasts;
use crate::texts::{common, lead as texts};
use crate::undo;

/// The form. Once it is saved `on_saved` is told the lead as it is then, and `on_undone` when that was taken back.
#[component]
pub fn EditLead(
    lead: Lead,
    on_saved: Callback<Lead>,
    on_undone: Callback<()>,
    on_close: Callback<()>,
) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let id = lead.id;
    let writing = Writing::new(LeadDraft::of(&lead, fields()), Form::Change);
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(change) = writing.ready() else { return };
        let before = lead.clone();
        writing.attempt.start(api.update_lead(id, change, None), move |saved| {
            let (former, unchanged) = (undo::back(&before, &saved), Some(saved.updated_at));
            let restore = move || api.update_lead(id, former.clone(), unchanged);
            undo::offer(toasts, texts::is_saved().to_owned(), restore, on_undone);
            on_saved.run(saved);
        });
    };
    let unsaved = Signal::derive(move || writing.is_begun());
    view! {
        <form class="lead-form" novalidate data-test="lead-form" on:submit=submit>
            <div class="card-body stack">
                <LeadForm draft=writing.draft faults=writing.faults() />
            </div>
            <footer class="lead-form-foot">
                {move || writing.refusal_beside().map(|error| view! { <ErrorNotice error /> })}
                <p class="small secondary" aria-live="polite">
                    {move || match (unsaved.get(), writing.is_wrong()) {
                        (false, _) => texts::nothing_changed(),
                        (true, false) => texts::not_saved(),
                        (true, true) => texts::mend_first(),
                    }}
                </p>
                <button type="button" class="button" data-test="discard" on:click=move |_| on_close.run(())>
                    {move || if unsaved.get() { texts::discard() } else { common::cancel() }}
                </button>
                <SubmitButton busy=writing.attempt.is_busy() disabled=writing.is_idle() test="save-lead">
                    {common::save()}
                </SubmitButton>
            </footer>
        </form>
        <LeaveGuard unsaved />
    }
    .into_any()
}
