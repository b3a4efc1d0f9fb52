//! Choice of the status that leads get in a campaign.

use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::record::FIRST_STATUS;
use leptos::prelude::*;

use crate::components::filter_editor::Names;
use crate::components::input::field::Field;
use crate::faults::invalid;
use crate::texts::leads;

/// True if the initial status must be chosen explicitly, because the default status was deleted.
pub fn lacks_first_status(names: &Names) -> bool {
    !names.statuses.is_empty() && names.statuses.iter().all(|status| status.name != FIRST_STATUS)
}

/// The choice; initially empty.
#[component]
pub fn StatusChoice(
    id: &'static str,
    names: Signal<Names>,
    set: Callback<String>,
    faults: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let options = move || {
        let statuses = names.with(|names| names.statuses.clone()).into_iter();
        statuses.map(|status| view! { <option value=status.name>{status.label}</option> }).collect_view()
    };
    view! {
        <Field id label=leads::status() faults>
            <select
                id=id
                class="select"
                autofocus
                aria-describedby=format!("{id}-note")
                aria-invalid=invalid(faults)
                data-test=id
                on:change:target=move |event| set.run(event.target().value())
            >
                <option value="" hidden selected>
                    {leads::choose()}
                </option>
                {options}
            </select>
        </Field>
    }
    .into_any()
}
