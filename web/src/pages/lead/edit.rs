//! Changing the fields of a lead: what is written is checked at once by the engine, shown once it is sent, and checked by the
//! server.

use leadscribe_engine::api::{ExtendedLead, Lead};
use leadscribe_engine::record::{Form, LeadRecord};
use leptos::prelude::*;

use super::writing::Writing;
use crate::api::{ApiError, use_api};
use crate::components::error_notice::ErrorNotice;
use crate::components::lead_draft::LeadDraft;
use crate::components::lead_form::{LeadForm, fields};
use crate::components::leave_guard::LeaveGuard;
use crate::components::submit_button::SubmitButton;
use crate::components::toast::use_toasts;
use crate::remote::Remote;
use crate::texts::{common, lead as texts};
use crate::undo;

/// A change of a lead that is being written. It outlives its form, which comes back with it when the server refuses the change.
#[derive(Clone)]
pub struct Editing {
    before: Lead,
    writing: Writing,
}

impl Editing {
    /// Nothing written yet.
    pub fn new(lead: Lead) -> Self {
        let writing = Writing::new(LeadDraft::of(&lead, fields()), Form::Change);
        Self { before: lead, writing }
    }
}

/// The form. What is sent is shown as the lead's at once, without the form, which is opened again when it is refused.
/// `on_change` is told when the server has another lead: when it was saved, and when that was taken back.
#[component]
pub fn EditLead(
    lead: Remote<ExtendedLead>,
    editing: Editing,
    on_change: Callback<()>,
    on_close: Callback<()>,
    on_refused: Callback<Editing>,
) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let (id, writing) = (editing.before.id, editing.writing);
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(change) = writing.ready() else { return };
        let Ok(record) = LeadRecord::from_json(&change, Form::Change) else { return };
        let (before, editing) = (editing.before.clone(), editing.clone());
        // What came of it is told though the page be gone.
        let save = async move {
            let saved = api.update_lead(id, change, None).await?;
            let (former, unchanged) = (undo::back(&before, &saved), Some(saved.updated_at));
            let restore = move || api.update_lead(id, former.clone(), unchanged);
            undo::offer(toasts, texts::is_saved().to_owned(), restore, on_change);
            Ok(saved)
        };
        let refused = move |error: &ApiError| {
            writing.attempt.refuse(error.clone());
            // With the page the form is gone in which it would stand.
            if on_refused.try_run(editing).is_none() {
                toasts.failed(error);
            }
        };
        let settled = move |is_made| {
            if is_made {
                on_change.try_run(());
            }
        };
        on_close.run(());
        let made = |lead: &mut ExtendedLead, saved| lead.lead = saved;
        lead.assume(move |lead| record.apply(&mut lead.lead), save, made, refused, settled);
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
                <SubmitButton disabled=writing.is_idle() test="save-lead">
                    {common::save()}
                </SubmitButton>
            </footer>
        </form>
        <LeaveGuard unsaved />
    }
    .into_any()
}
