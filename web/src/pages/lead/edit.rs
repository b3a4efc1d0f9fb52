//! Changing the fields of a lead: what is written is checked at once by the engine, and by the server when it is saved.

use leadscribe_engine::api::Lead;
use leadscribe_engine::fault::Fault;
use leadscribe_engine::record::{Form, LeadRecord};
use leptos::prelude::*;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::error_notice::ErrorNotice;
use crate::components::lead_draft::LeadDraft;
use crate::components::lead_form::{LeadForm, fields, places};
use crate::components::leave_guard::LeaveGuard;
use crate::components::submit_button::SubmitButton;
use crate::components::toast::use_toasts;
use crate::texts::{common, lead as texts};

/// The form. Once it is saved, `on_change` shows the lead anew, and the form goes with the old one.
#[component]
pub fn EditLead(lead: Lead, on_change: Callback<()>, on_close: Callback<()>) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let id = lead.id;
    let draft = LeadDraft::of(&lead, fields());
    let attempt = Attempt::new();
    let is_saved = RwSignal::new(false);
    let change = Memo::new(move |_| draft.change());
    let found = Memo::new(move |_| {
        let faults = change.with(|change| LeadRecord::from_json(change.as_ref()?, Form::Change).err());
        faults.unwrap_or_default()
    });
    // What the server found holds until something is written anew.
    Effect::new(move |_| {
        change.track();
        attempt.clear();
    });
    let faults: Signal<Vec<Fault>> = Signal::derive(move || {
        let refused = attempt.refusal().map(|error| error.faults().to_vec());
        refused.unwrap_or_else(|| found.get())
    });
    let beside = move || {
        let places: Vec<_> = places().collect();
        attempt.refusal_beside(&places.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(change) = change.get_untracked().filter(|_| found.with_untracked(Vec::is_empty)) else { return };
        attempt.start(api.update_lead(id, change), move |_| {
            is_saved.set(true);
            toasts.done(texts::is_saved());
            on_change.run(());
        });
    };
    let unsaved = Signal::derive(move || change.with(Option::is_some) && !is_saved.get());
    let is_idle = Signal::derive(move || change.with(Option::is_none) || !found.with(Vec::is_empty));
    let is_busy = attempt.is_busy();
    view! {
        <form class="lead-form" novalidate data-test="lead-form" on:submit=submit>
            <div class="card-body stack">
                <LeadForm draft faults />
            </div>
            <footer class="lead-form-foot">
                {move || beside().map(|error| view! { <ErrorNotice error /> })}
                <p class="small secondary" aria-live="polite">
                    {move || match (unsaved.get(), found.with(Vec::len)) {
                        (false, _) => texts::nothing_changed(),
                        (true, 0) => texts::not_saved(),
                        (true, _) => texts::mend_first(),
                    }}
                </p>
                <button type="button" class="button" data-test="discard" on:click=move |_| on_close.run(())>
                    {move || if unsaved.get() { texts::discard() } else { common::cancel() }}
                </button>
                <SubmitButton busy=Signal::derive(move || is_busy.get() || is_saved.get()) disabled=is_idle test="save-lead">
                    {common::save()}
                </SubmitButton>
            </footer>
        </form>
        <LeaveGuard unsaved />
    }
    .into_any()
}
