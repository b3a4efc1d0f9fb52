//! Labeled password input, for a new password or the current one.

use leptos::prelude::*;

use super::field::Field;
use crate::state::Mutation;

/// The input. `id` is also its test id.
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
