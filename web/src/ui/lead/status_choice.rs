//! Choice of the status that leads get in a campaign.

use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::record::DEFAULT_STATUS;
use leptos::prelude::*;

use crate::i18n::texts::leads;
use crate::i18n::validation_errors::aria_invalid;
use crate::ui::filter_editor::Names;
use crate::ui::input::field::Field;

/// True if the initial status must be chosen explicitly, because the default status was deleted.
pub fn requires_initial_status(names: &Names) -> bool {
    !names.statuses.is_empty() && names.statuses.iter().all(|status| status.name != DEFAULT_STATUS)
}

/// Select for the status; initially empty.
#[component]
pub fn StatusChoice(
    id: &'static str,
    names: Signal<Names>,
    set: Callback<String>,
    diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let options = move || {
        let statuses = names.with(|names| names.statuses.clone()).into_iter();
        statuses.map(|status| view! { <option value=status.name>{status.label}</option> }).collect_view()
    };
    view! {
        <Field id label=leads::status() diagnostics>
            <select
                id=id
                class="select"
                autofocus
                aria-describedby=format!("{id}-note")
                aria-invalid=aria_invalid(diagnostics)
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
