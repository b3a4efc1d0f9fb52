//! Changing the fields of a lead: what is written is checked at once by the engine, shown once it is sent, and checked by the
//! server.

use leadscribe_engine::api::{ExtendedLead, Lead};
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, find};
use leadscribe_engine::record::{Form, LeadRecord, lead_cell};
use leptos::prelude::*;

use super::writing::Writing;
use crate::api::{Answer, Api, ApiError, use_api};
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::lead_draft::LeadDraft;
use crate::components::lead_form::{LeadForm, fields};
use crate::components::lead_table::{custom_text, lead_text};
use crate::components::leave_guard::LeaveGuard;
use crate::components::submit_button::SubmitButton;
use crate::components::toast::use_toasts;
use crate::remote::Remote;
use crate::texts::fields::label;
use crate::texts::{common, lead as texts};
use crate::undo;

/// The status of a refusal because of what the server has by now.
const CONFLICT: u16 = 409;

/// A change of a lead that is being written. It outlives its form, which comes back with it when the server refuses the change.
#[derive(Clone, Copy)]
pub struct Editing {
    /// The lead as whoever writes knows it.
    before: StoredValue<Lead>,
    writing: Writing,
    /// What others made of the same fields meanwhile, a line for each; whoever saves it again knows that.
    meanwhile: RwSignal<Vec<String>>,
}

impl Editing {
    /// Nothing written yet.
    pub fn new(lead: Lead) -> Self {
        let writing = Writing::new(LeadDraft::of(&lead, fields()), Form::Change);
        Self { before: StoredValue::new(lead), writing, meanwhile: RwSignal::new(Vec::new()) }
    }

    /// Saves a change of `before`; gives the lead as it was just before that, and as it is now. What others changed of other
    /// fields stays.
    ///
    /// # Errors
    /// Others changed the same fields, which `meanwhile` has then; or the server refused it.
    async fn save(self, api: Api, before: Lead, change: String) -> Answer<(Lead, Lead)> {
        let refusal = match api.update_lead(before.id, change.clone(), Some(before.updated_at)).await {
            Ok(saved) => return Ok((before, saved)),
            Err(error) if error.status() == Some(CONFLICT) => error,
            Err(error) => return Err(error),
        };
        let now = api.lead(before.id).await?.lead;
        if now.updated_at == before.updated_at {
            return Err(refusal);
        }
        let same = undo::changed_too(&before, &now, &change);
        // The page may be gone.
        self.before.try_update_value(|before| *before = now.clone());
        if !same.is_empty() {
            self.meanwhile.try_set(same.iter().map(|name| told(&now, name)).collect());
            return Err(refusal);
        }
        let saved = api.update_lead(now.id, change, Some(now.updated_at)).await?;
        Ok((now, saved))
    }
}

/// What stands in a field of a lead.
fn told(lead: &Lead, name: &str) -> String {
    let value = match find(name) {
        Some(field) => lead_cell(lead, name).map(|cell| lead_text(field.id, cell.into_owned())),
        None => lead.custom_fields.get(name.trim_start_matches(CUSTOM_PREFIX)).map(custom_text),
    };
    let label = find(name).map_or(name, |field| label(field.id));
    texts::field_is_now(label, value.as_deref().unwrap_or("–"))
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
    let Editing { writing, meanwhile, .. } = editing;
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(change) = writing.ready() else { return };
        let Ok(record) = LeadRecord::from_json(&change, Form::Change) else { return };
        meanwhile.set(Vec::new());
        let before = editing.before.get_value();
        // What came of it is told though the page be gone.
        let save = async move {
            let (before, saved) = editing.save(api, before, change).await?;
            let (former, unchanged) = (undo::back(&before, &saved), Some(saved.updated_at));
            let restore = move || api.update_lead(saved.id, former.clone(), unchanged);
            undo::offer(toasts, texts::is_saved().to_owned(), restore, on_change);
            Ok(saved)
        };
        let refused = move |error: &ApiError| {
            // What others changed is told by itself.
            if meanwhile.try_with_untracked(Vec::is_empty) == Some(true) {
                writing.attempt.refuse(error.clone());
            } else {
                on_change.try_run(());
            }
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
                {move || (!meanwhile.with(Vec::is_empty)).then(|| view! { <ChangedToo lines=meanwhile.get() /> })}
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

/// What others made of the same fields.
#[component]
fn ChangedToo(lines: Vec<String>) -> impl IntoView {
    let lines = lines.into_iter().map(|line| view! { <li>{line}</li> });
    view! {
        <div class="notice tone-warning" role="alert" data-test="changed-too">
            <Icon glyph=Glyph::Alert />
            <div class="notice-body">
                <strong>{texts::changed_too()}</strong>
                <ul>{lines.collect_view()}</ul>
                <p>{texts::save_again()}</p>
            </div>
        </div>
    }
}
