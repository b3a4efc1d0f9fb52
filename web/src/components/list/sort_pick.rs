//! Sort choice of a list on small screens, where rows are cards without headers.

use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::components::input::chip_picker::Choice;
use crate::texts::lead_table as texts;

/// Current sort order.
#[derive(Clone, Debug, PartialEq)]
pub struct Sorting {
    /// Selected sort key.
    pub by: String,
    /// True for descending order.
    pub down: bool,
    /// True if the next press removes the order.
    pub ends: bool,
}

/// Choice of the sort key, and a button for the direction. Reports the same key as a press of the column header.
#[component]
pub fn SortPick(
    #[prop(into)] choices: Signal<Vec<Choice>>,
    #[prop(into)] sorting: Signal<Option<Sorting>>,
    on_sort: Callback<String>,
    /// Content before the choice, such as the checkbox that selects all cards.
    #[prop(optional_no_strip)]
    before: Option<AnyView>,
) -> impl IntoView {
    let sorting = Memo::new(move |_| sorting.get());
    let by = Memo::new(move |_| sorting.get().map(|sorting| sorting.by));
    let is_down = move || sorting.with(|sorting| sorting.as_ref().is_some_and(|sorting| sorting.down));
    let ends = move || sorting.with(|sorting| sorting.as_ref().is_some_and(|sorting| sorting.ends));
    let direction = move || match (is_down(), ends()) {
        (true, true) => texts::sorted_down_end(),
        (true, false) => texts::sorted_down(),
        (false, true) => texts::sorted_up_end(),
        (false, false) => texts::sorted_up(),
    };
    let options = move || {
        let option = |(name, label): Choice| {
            let value = name.clone();
            let selected = move || by.with(|by| by.as_ref() == Some(&name));
            view! {
                <option value=value selected=selected>
                    {label}
                </option>
            }
        };
        choices.get().into_iter().map(option).collect_view()
    };
    view! {
        <div class="sort-pick row">
            {before}
            <label class="small secondary" for="sort-pick">
                {texts::sort_by()}
            </label>
            <select
                id="sort-pick"
                class="select"
                data-test="sort-pick"
                on:change:target=move |event| on_sort.run(event.target().value())
            >
                <option value="" hidden selected=move || by.with(Option::is_none)>
                    {texts::choose()}
                </option>
                {options}
            </select>
            <Show when=move || by.with(Option::is_some)>
                <button
                    type="button"
                    class="button button-icon"
                    aria-label=direction
                    title=direction
                    data-test="sort-direction"
                    on:click=move |_| {
                        if let Some(by) = by.get_untracked() {
                            on_sort.run(by);
                        }
                    }
                >
                    {move || {
                        view! { <Icon glyph=if is_down() { Glyph::ArrowDown } else { Glyph::ArrowUp } /> }
                    }}
                </button>
            </Show>
        </div>
    }
    .into_any()
}
