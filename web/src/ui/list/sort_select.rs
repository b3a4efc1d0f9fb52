//! Sort choice of a list on small screens, where rows are cards without headers.

use leptos::prelude::*;

use crate::i18n::texts::lead_table as texts;
use crate::ui::icon::{Glyph, Icon};
use crate::ui::input::chip_picker::Choice;

/// Current sort order.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentSort {
    /// Selected sort key.
    pub key: String,
    /// True for descending order.
    pub is_descending: bool,
    /// True if the next press removes the order.
    pub clears_next: bool,
}

/// Choice of the sort key, and a button for the direction. Reports the same key as a press of the column header.
#[component]
pub fn SortSelect(
    #[prop(into)] choices: Signal<Vec<Choice>>,
    #[prop(into)] current_sort: Signal<Option<CurrentSort>>,
    on_sort: Callback<String>,
    /// Content before the choice, such as the checkbox that selects all cards.
    #[prop(optional_no_strip)]
    leading: Option<AnyView>,
) -> impl IntoView {
    let current_sort = Memo::new(move |_| current_sort.get());
    let key = Memo::new(move |_| current_sort.get().map(|current_sort| current_sort.key));
    let is_descending = move || {
        current_sort.with(|current_sort| current_sort.as_ref().is_some_and(|current_sort| current_sort.is_descending))
    };
    let clears_next = move || {
        current_sort.with(|current_sort| current_sort.as_ref().is_some_and(|current_sort| current_sort.clears_next))
    };
    let direction = move || match (is_descending(), clears_next()) {
        (true, true) => texts::sorted_descending_last(),
        (true, false) => texts::sorted_descending(),
        (false, true) => texts::sorted_ascending_last(),
        (false, false) => texts::sorted_ascending(),
    };
    let options = move || {
        let option = |(name, label): Choice| {
            let value = name.clone();
            let selected = move || key.with(|key| key.as_ref() == Some(&name));
            view! {
                <option value=value selected=selected>
                    {label}
                </option>
            }
        };
        choices.get().into_iter().map(option).collect_view()
    };
    view! {
        <div class="sort-select row">
            {leading}
            <label class="small secondary" for="sort-select">
                {texts::sort_by()}
            </label>
            <select
                id="sort-select"
                class="select"
                data-test="sort-select"
                on:change:target=move |event| on_sort.run(event.target().value())
            >
                <option value="" hidden selected=move || key.with(Option::is_none)>
                    {texts::choose()}
                </option>
                {options}
            </select>
            <Show when=move || key.with(Option::is_some)>
                <button
                    type="button"
                    class="button button-icon"
                    aria-label=direction
                    title=direction
                    data-test="sort-direction"
                    on:click=move |_| {
                        if let Some(key) = key.get_untracked() {
                            on_sort.run(key);
                        }
                    }
                >
                    {move || {
                        view! { <Icon glyph=if is_descending() { Glyph::ArrowDown } else { Glyph::ArrowUp } /> }
                    }}
                </button>
            </Show>
        </div>
    }
    .into_any()
}
