//! What a member of staff may do, chosen from what each role permits.

use leadscribe_engine::api::Role;
use leadscribe_engine::fault::Fault;
use leptos::prelude::*;

use super::badge::spelled;
use super::field::FieldFaults;

const fn explanation(role: Role) -> &'static str {
    match role {
        Role::Admin => "Everything: staff, API keys and speech tokens too.",
        Role::Manager => "Reads, imports, writes and sends calls; keeps no staff, keys or tokens.",
        Role::Viewer => "Looks at leads, calls and imports; changes nothing.",
    }
}

/// The choice.
#[component]
pub fn RoleChoice(role: RwSignal<Role>, faults: Signal<Vec<Fault>>) -> impl IntoView {
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
                    <span class="strong">{spelled(one.as_str())}</span>
                    <span class="small secondary">" " {explanation(one)}</span>
                </span>
            </label>
        }
    });
    view! {
        <fieldset class="scopes">
            <legend class="label">"Role"</legend>
            {roles.collect_view()}
            <FieldFaults faults />
        </fieldset>
    }
    .into_any()
}
