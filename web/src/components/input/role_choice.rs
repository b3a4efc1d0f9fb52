//! Choice of a staff member's role, with the permissions of each role.

use leadscribe_engine::api::Role;
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::field::FieldFaults;
use crate::texts::settings;

/// The choice.
#[component]
pub fn RoleChoice(role: RwSignal<Role>, faults: Signal<Vec<Diagnostic>>) -> impl IntoView {
    let roles = Role::ALL.iter().map(|one| {
        let one = *one;
        view! {
            <label class="check">
                <input
                    class="checkbox"
                    type="radio"
                    name="role"
                    data-test=format!("role-{one}")
                    prop:checked=move || role.get() == one
                    on:change=move |_| role.set(one)
                />
                <span>
                    <span class="strong">{settings::role_name(one)}</span>
                    <span class="small secondary">" " {settings::role_about(one)}</span>
                </span>
            </label>
        }
    });
    view! {
        <fieldset class="scopes">
            <legend class="label">{settings::role()}</legend>
            {roles.collect_view()}
            <FieldFaults faults />
        </fieldset>
    }
    .into_any()
}
