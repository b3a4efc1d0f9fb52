//! Changing the fields of a lead: what is written is checked at once by the engine, shown once it is sent, and checked by the
//! server. The form is loaded when somebody first asks for it.

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

/// A change of a lead that is being written. It outlives its form, which comes back with it when the server refuses the change.
#[derive(Clone)]
pub struct Editing {
    /// The lead as it was when it was opened.
    before: StoredValue<Lead>,
    writing: Writing,
    meanwhile: Meanwhile<Lead>,
}

impl Editing {
    /// Nothing written yet.
    pub fn new(lead: Lead) -> Self {
        let writing = Writing::new(LeadDraft::of(&lead, fields()), Form::Change);
        Self { before: StoredValue::new(lead), writing, meanwhile: Meanwhile::nothing() }
    }

    /// Whether it wasn't saved because others changed the same.
    pub fn is_told_of_others(&self) -> bool {
        self.meanwhile.is_to_be_told()
    }
}

/// What stands in a field of a lead.
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

/// What a form is made from.
pub struct EditedLead {
    pub lead: Remote<ExtendedLead>,
    pub editing: Editing,
    /// Told when the server has another lead: when it was saved, and when that was taken back.
    pub on_change: Callback<()>,
    pub on_close: Callback<()>,
    pub on_refused: Callback<Editing>,
}

/// The form. What is sent is shown as the lead's at once, without the form, which is opened again when it is refused.
pub fn edit_lead(EditedLead { lead, editing, on_change, on_close, on_refused }: EditedLead) -> AnyView {
    let (api, toasts) = (use_api(), use_toasts());
    let Editing { writing, meanwhile, .. } = editing.clone();
    // What others made of it is what is changed from then on, so that what it was before is a change as any other.
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
        // What came of it is told though the page be gone.
        let save = async move {
            let saved = meanwhile.save(api, before, change).await?;
            saved.offer_undo(api, toasts, texts::is_saved().to_owned(), on_change);
            Ok(saved.now)
        };
        let refused = move |error: &ApiError| {
            // What others changed is told by itself.
            if editing.is_told_of_others() {
                on_change.try_run(());
            } else {
                writing.attempt.refuse(error.clone());
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
        let assumed = move |lead: &mut ExtendedLead| {
            record.apply(&mut lead.lead);
            // The server makes it of the new number; until then the one before would be a lie.
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
    // Who hasn't gone elsewhere goes on in the form, or with what others changed, which takes the focus by itself.
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
    fn what_others_made_of_a_lead_reads_as_its_fields() {
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
