//! Choice of a staff member's role, with the permissions of each role.

use leadscribe_engine::api::Role;
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::field::FieldDiagnostics;
use crate::i18n::texts::settings;

#[component]
pub fn RoleChoice(role: RwSignal<Role>, diagnostics: Signal<Vec<Diagnostic>>) -> impl IntoView {
    let roles = Role::ALL.iter().map(|option| {
        let option = *option;
        view! {
            <label class="check">
                <input
                    class="checkbox"
                    type="radio"
                    name="role"
                    data-test=format!("role-{option}")
                    prop:checked=move || role.get() == option
                    on:change=move |_| role.set(option)
                />
                <span>
                    <span class="strong">{settings::role_name(option)}</span>
                    <span class="small secondary">" " {settings::role_description(option)}</span>
                </span>
            </label>
        }
    });
    view! {
        <fieldset class="scopes">
            <legend class="label">{settings::role()}</legend>
            {roles.collect_view()}
            <FieldDiagnostics diagnostics />
        </fieldset>
    }
}
