//! Labeled input for a text of a campaign's draft.

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::draft::CampaignDraft;
use crate::i18n::validation_errors::aria_invalid;
use crate::ui::input::field::Field;

/// Accessor for a text of the draft.
pub type FieldAccessor = fn(&mut CampaignDraft) -> &mut String;

#[component]
pub fn DraftInput(
    draft: RwSignal<CampaignDraft>,
    id: &'static str,
    label: &'static str,
    #[prop(optional)] hint: &'static str,
    diagnostics: Signal<Vec<Diagnostic>>,
    accessor: FieldAccessor,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional)] inputmode: Option<&'static str>,
) -> impl IntoView {
    view! {
        <Field id label hint diagnostics>
            <input
                id=id
                class="input"
                type=kind
                autocomplete="off"
                inputmode=inputmode
                aria-describedby=format!("{id}-note")
                aria-invalid=aria_invalid(diagnostics)
                data-test=id
                prop:value=move || draft.with(|draft| accessor(&mut draft.clone()).clone())
                on:input:target=move |event| {
                    let value = event.target().value();
                    draft.update(|draft| *accessor(draft) = value);
                }
            />
        </Field>
    }
}
