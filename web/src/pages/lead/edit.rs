//! Form for the fields of a lead. The engine checks the input while the user types; the change is shown immediately when it is
//! sent. The form is loaded on demand.

use leadscribe_engine::api::{ExtendedLead, Lead};
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FieldId, find};
use leadscribe_engine::record::{Form, LeadRecord, lead_cell};
use leptos::prelude::*;

use super::facts::EDIT;
use super::writing::Writing;
use crate::api::{ApiError, use_api};
use crate::components::audit::changed_too::{ChangedToo, save_label};
use crate::components::error_notice::ErrorNotice;
use crate::components::input::submit_button::SubmitButton;
use crate::components::lead::draft::LeadDraft;
use crate::components::lead::form::{LeadForm, fields, input_id};
use crate::components::lead::table::{custom_text, lead_text};
use crate::components::shell::leave_guard::LeaveGuard;
use crate::components::shell::toast::use_toasts;
use crate::focus::{self, focus_soon};
use crate::meanwhile::Meanwhile;
use crate::remote::Remote;
use crate::texts::fields::label;
use crate::texts::{common, forms, lead as texts};

/// A change of a lead that is being edited. It outlives its form, which is opened again with it if the server refuses the change.
#[derive(Clone)]
pub struct Editing {
    /// The lead when the form was opened.
    before: StoredValue<Lead>,
    writing: Writing,
    meanwhile: Meanwhile<Lead>,
}

impl Editing {
    /// Creates the state before any input.
    pub fn new(lead: Lead) -> Self {
        let writing = Writing::new(LeadDraft::of(&lead, fields()), Form::Change);
        Self { before: StoredValue::new(lead), writing, meanwhile: Meanwhile::nothing() }
    }

    /// True if the change wasn't saved because another session changed the same fields.
    pub fn is_told_of_others(&self) -> bool {
        self.meanwhile.is_to_be_told()
    }
}

/// Text of a field of a lead.
fn told(lead: &Lead, name: &str) -> String {
    let (label, value) = match find(name) {
        Some(field) => {
            let cell = lead_cell(lead, field.name());
            (label(field.id), cell.map(|cell| lead_text(field.id, cell.into_owned())))
        }
        None => {
            let name = name.strip_prefix(CUSTOM_PREFIX).unwrap_or(name);
            (name, lead.custom_fields.get(name).map(custom_text))
        }
    };
    forms::field_is_now(label, value.as_deref().unwrap_or("–"))
}

/// Properties of the form.
pub struct EditedLead {
    pub lead: Remote<ExtendedLead>,
    pub editing: Editing,
    /// Called when the lead was saved and when the save was undone.
    pub on_change: Callback<()>,
    pub on_close: Callback<()>,
    pub on_refused: Callback<Editing>,
}

/// The form. When the change is sent, it is shown immediately and the form is closed. If it is refused, the form is opened again.
pub fn edit_lead(EditedLead { lead, editing, on_change, on_close, on_refused }: EditedLead) -> AnyView {
    let (api, toasts) = (use_api(), use_toasts());
    let Editing { writing, meanwhile, .. } = editing.clone();
    // The other session's version becomes the base, so the user's value counts as a change even if it is the original one.
    if let Some(now) = meanwhile.now() {
        writing.draft.rebase(&now);
    }
    let is_told = editing.is_told_of_others();
    let lines = meanwhile.lines(told);
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(change) = writing.ready() else { return };
        let Ok(record) = LeadRecord::from_json(&change, Form::Change) else { return };
        let (editing, meanwhile) = (editing.clone(), meanwhile.clone());
        let before = meanwhile.now().unwrap_or_else(|| editing.before.get_value());
        // The result is shown even if the page was closed.
        let save = async move {
            let saved = meanwhile.save(api, before, change).await?;
            saved.offer_undo(api, toasts, texts::is_saved().to_owned(), on_change);
            Ok(saved.now)
        };
        let refused = move |error: &ApiError| {
            // The form shows the conflict itself.
            if editing.is_told_of_others() {
                on_change.try_run(());
            } else {
                writing.attempt.refuse(error.clone());
            }
            // If the page was closed, there is no form to show the error in.
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
        let assumed = move |lead: &mut ExtendedLead| {
            record.apply(&mut lead.lead);
            // The server derives it from the new number. Until then the old value would be wrong.
            if record.phone.is_some() && record.phone_normalized.is_none() {
                lead.lead.phone_normalized = None;
            }
            if record.phone2.is_some() && record.phone_normalized2.is_none() {
                lead.lead.phone_normalized2 = None;
            }
        };
        lead.assume(assumed, save, made, refused, settled);
    };
    let unsaved = Signal::derive(move || writing.is_begun());
    // Moves the focus into the form if the user hasn't moved it. A conflict notice takes the focus itself.
    if !is_told && focus::now().is_none_or(|at| at.id() == EDIT) {
        focus_soon(input_id(FieldId::FirstName));
    }
    view! {
        <form class="lead-form" novalidate data-test="lead-form" on:submit=submit>
            <div class="card-body stack">
                <LeadForm draft=writing.draft faults=writing.faults() />
            </div>
            <footer class="lead-form-foot">
                <ChangedToo lines />
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
                    {move || save_label(lines)}
                </SubmitButton>
            </footer>
        </form>
        <LeaveGuard unsaved />
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{LeadId, Timestamp};

    use super::*;
    use crate::language::{Language, speak};

    #[test]
    fn conflict_shows_lead_values_as_in_the_form() {
        let fields = r#"{"city":"Bonn","do_not_call":true,"custom_fields":{"custom.tier":"gold","open":false}}"#;
        let record = LeadRecord::from_json(fields, Form::Create).unwrap();
        let lead = record.create(LeadId(3), Timestamp::default());
        let said = |names: [&str; 3]| names.map(|name| told(&lead, name));
        assert_eq!(said(["city", "zip", "do_not_call"]), ["City: now Bonn", "ZIP code: now –", "Do not call: now Yes"]);
        assert_eq!(
            said(["custom.custom.tier", "custom.open", "custom.gone"]),
            ["custom.tier: now gold", "open: now No", "gone: now –"]
        );
        speak(Language::German);
        assert_eq!(told(&lead, "do_not_call"), "Nicht anrufen: jetzt Ja");
    }
}
