//! Labelled password input, for a new password or the current one.

use leptos::prelude::*;

use super::field::Field;
use crate::attempt::Attempt;

/// The input. Its name in tests is its id.
#[component]
pub fn PasswordField(
    id: &'static str,
    label: &'static str,
    #[prop(optional)] hint: &'static str,
    /// Asks for the current password, which has no rules and which the browser may fill in.
    #[prop(optional)]
    current: bool,
    /// May stay empty.
    #[prop(optional)]
    optional: bool,
    attempt: Attempt,
    /// JSON pointer of the member in the body.
    pointer: &'static str,
    value: RwSignal<String>,
) -> impl IntoView {
    let faults = attempt.faults_at(pointer);
    view! {
        <Field id label hint faults>
            <input
                id=id
                class="input"
                type="password"
                required=!optional
                minlength=(!current).then_some("12")
                maxlength="256"
                autocomplete=if current { "current-password" } else { "new-password" }
                aria-describedby=format!("{id}-note")
                aria-invalid=move || (!faults.with(Vec::is_empty)).to_string()
                data-test=id
                bind:value=value
            />
        </Field>
    }
    .into_any()
}
