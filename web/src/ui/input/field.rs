//! Labeled inputs with their hint and their diagnostics.

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::chip_picker::Choice;
use super::filter_inputs::Select;
use crate::i18n::aria_invalid;
use crate::state::Mutation;
use crate::ui::prose::{field_detail, suggestion};
use crate::ui::{Glyph, Icon};

/// A labeled input. The children contain the input, with the id `id` and optionally `aria-describedby="{id}-note"`.
#[component]
pub fn Field(
    #[prop(into)] id: String,
    #[prop(into)] label: String,
    #[prop(optional, into)] hint: String,
    #[prop(optional, into)] diagnostics: Option<Signal<Vec<Diagnostic>>>,
    /// Note about a valid value.
    #[prop(optional)]
    note: Option<AnyView>,
    children: Children,
) -> impl IntoView {
    let note_id = format!("{id}-note");
    view! {
        <div class="field">
            <label for=id>{label}</label>
            {children()}
            <div id=note_id class="stack-tight" aria-live="polite">
                {note}
                {(!hint.is_empty()).then(|| view! { <p class="field-hint">{hint}</p> })}
                {diagnostics.map(|diagnostics| view! { <FieldDiagnostics diagnostics /> })}
            </div>
        </div>
    }
}

/// List of diagnostics below the element they refer to.
#[component]
pub fn FieldDiagnostics(#[prop(into)] diagnostics: Signal<Vec<Diagnostic>>) -> impl IntoView {
    move || {
        diagnostics
            .get()
            .into_iter()
            .map(|diagnostic| {
                let (detail, suggestion) = (field_detail(&diagnostic), suggestion(&diagnostic));
                view! {
                    <p class="field-error" data-test="diagnostic" data-code=diagnostic.code>
                        <Icon glyph=Glyph::Alert />
                        <span>{detail} {suggestion}</span>
                    </p>
                }
            })
            .collect_view()
    }
}

/// Error below the element it refers to; the children are its text.
#[component]
pub fn FieldError(
    #[prop(default = "field-error")] class: &'static str,
    #[prop(optional)] role: Option<&'static str>,
    #[prop(optional)] test_id: Option<&'static str>,
    children: Children,
) -> impl IntoView {
    view! {
        <p class=class role=role data-test=test_id>
            <Icon glyph=Glyph::Alert />
            <span>{children()}</span>
        </p>
    }
}

/// Value of a member of a form's draft, and a callback that changes it.
pub fn draft_field<D: Clone + Send + Sync + 'static>(
    draft: RwSignal<D>,
    accessor: fn(&mut D) -> &mut String,
) -> (Signal<String>, Callback<String>) {
    let value = Signal::derive(move || accessor(&mut draft.get()).clone());
    (value, Callback::new(move |value| draft.update(|draft| *accessor(draft) = value)))
}

/// Labeled text input. Its id is also its test id.
#[component]
pub fn TextField(
    id: &'static str,
    label: &'static str,
    #[prop(optional, into)] hint: String,
    #[prop(default = "text")] input_type: &'static str,
    /// Keyboard on phones.
    #[prop(default = "text")]
    inputmode: &'static str,
    #[prop(optional)] is_required: bool,
    #[prop(optional)] max_length: Option<&'static str>,
    #[prop(optional)] autofocus: bool,
    #[prop(optional, into)] value: Signal<String>,
    #[prop(into)] set: Callback<String>,
    #[prop(optional, into)] diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    view! {
        <Field id label hint diagnostics>
            <input
                id=id
                class="input"
                type=input_type
                inputmode=inputmode
                required=is_required
                maxlength=max_length
                autocomplete="off"
                autofocus=autofocus
                spellcheck="false"
                aria-describedby=format!("{id}-note")
                aria-invalid=aria_invalid(diagnostics)
                data-test=id
                prop:value=value
                on:input:target=move |event| set.run(event.target().value())
            />
        </Field>
    }
}

#[component]
pub fn SelectField(
    id: &'static str,
    label: &'static str,
    #[prop(optional, into)] hint: String,
    #[prop(optional)] empty_label: &'static str,
    /// Hides the empty option: an option has to be chosen.
    #[prop(optional)]
    is_required: bool,
    choices: Signal<Vec<Choice>>,
    #[prop(optional, into)] value: Signal<String>,
    #[prop(into)] set: Callback<String>,
    #[prop(optional, into)] diagnostics: Signal<Vec<Diagnostic>>,
    /// Notes about the choice.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <Field id label hint diagnostics>
            <Select id label empty_label is_required choices value set diagnostics />
            {children.map(|children| children())}
        </Field>
    }
}

/// Labeled password input. `id` is also its test id.
#[component]
pub fn PasswordField(
    id: &'static str,
    label: &'static str,
    #[prop(optional)] hint: &'static str,
    /// Asks for the current password, which has no rules and which the browser may fill in.
    #[prop(optional)]
    is_current: bool,
    /// May stay empty.
    #[prop(optional)]
    is_optional: bool,
    mutation: Mutation,
    /// JSON pointer of the member in the body.
    pointer: &'static str,
    value: RwSignal<String>,
) -> impl IntoView {
    let diagnostics = mutation.diagnostics_at(pointer);
    view! {
        <Field id label hint diagnostics>
            <input
                id=id
                class="input"
                type="password"
                required=!is_optional
                minlength=(!is_current).then_some("12")
                maxlength="256"
                autocomplete=if is_current { "current-password" } else { "new-password" }
                aria-describedby=format!("{id}-note")
                aria-invalid=move || (!diagnostics.with(Vec::is_empty)).to_string()
                data-test=id
                bind:value=value
            />
        </Field>
    }
}
