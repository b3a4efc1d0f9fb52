//! Picker of several values from a list: chosen values as chips, and the remaining ones to add.

use leptos::prelude::*;

use crate::i18n::texts::{common, filter};
use crate::ui::dialog::use_mark_filled;
use crate::ui::{Glyph, Icon};

/// A value and its label.
pub type Choice = (String, String);

/// The chosen values, each with a remove button, and a list to add from.
#[component]
pub fn ChipPicker(
    #[prop(into)] choices: Signal<Vec<Choice>>,
    /// Labels in the list, if they are longer than on a chip.
    #[prop(optional, into)]
    list_choices: Option<Signal<Vec<Choice>>>,
    #[prop(into)] selected: Signal<Vec<String>>,
    set: Callback<Vec<String>>,
    /// Id of the list, if an external label refers to it.
    #[prop(optional)]
    id: Option<&'static str>,
    test_id: &'static str,
    #[prop(default = usize::MAX)] max_values: usize,
) -> impl IntoView {
    let label = move |value: &str| {
        choices.with(|choices| {
            choices
                .iter()
                .find(|(choice, _)| choice == value)
                .map_or_else(|| value.to_owned(), |(_, label)| label.clone())
        })
    };
    let remaining = move || {
        let remaining = list_choices
            .unwrap_or(choices)
            .get()
            .into_iter()
            .filter(|(value, _)| !selected.with(|selected| selected.contains(value)));
        remaining.map(|(value, label)| view! { <option value=value>{label}</option> }).collect_view()
    };
    let add = move |value: String| {
        let mut values = selected.get_untracked();
        values.push(value);
        set.run(values);
    };
    view! {
        <div class="row value-list">
            <Chips values=selected set label />
            <select
                id=id
                class="select value-select"
                aria-label=id.is_none().then(filter::add_value)
                aria-describedby=id.map(|id| format!("{id}-note"))
                data-test=test_id
                disabled=move || selected.with(|selected| selected.len() >= max_values)
                on:change:target=move |event| {
                    let value = event.target().value();
                    event.target().set_value("");
                    add(value);
                }
            >
                <option value="" hidden>
                    {move || if selected.with(Vec::is_empty) { common::choose() } else { filter::add_another() }}
                </option>
                {remaining}
            </select>
        </div>
    }
}

/// Values as chips, each with a remove button.
#[component]
pub fn Chips(
    #[prop(into)] values: Signal<Vec<String>>,
    set: Callback<Vec<String>>,
    label: impl Fn(&str) -> String + Send + Sync + 'static,
) -> impl IntoView {
    let mark_filled = use_mark_filled();
    let chip = move |(index, value): (usize, String)| {
        let text = label(&value);
        let remove = move |_| {
            let mut remaining = values.get_untracked();
            if index < remaining.len() {
                remaining.remove(index);
            }
            mark_filled();
            set.run(remaining);
        };
        view! {
            <span class="chip tone-accent">
                {text.clone()}
                <button type="button" aria-label=common::remove_item(&text) on:click=remove>
                    <Icon glyph=Glyph::Close />
                </button>
            </span>
        }
    };
    move || values.get().into_iter().enumerate().filter(|(_, value)| !value.is_empty()).map(&chip).collect_view()
}
