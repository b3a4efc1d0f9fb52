//! Sort choice of a list on small screens, where rows are cards without headers.

use leptos::prelude::*;

use super::list_order::{ListOrder, field_name};
use crate::i18n::texts::{common, lead_table as texts};
use crate::ui::input::Choice;
use crate::ui::{Glyph, Icon};

/// Choice of the sort key, and a button for the direction. Each acts as a press of the column header.
#[component]
pub fn SortSelect(
    /// Sort keys of the columns, as their headers have them, and their labels.
    #[prop(into)]
    choices: Signal<Vec<Choice>>,
    order: ListOrder,
    /// Content before the choice, such as the checkbox that selects all cards.
    #[prop(optional_no_strip)]
    leading: Option<AnyView>,
) -> impl IntoView {
    let key = Memo::new(move |_| {
        choices
            .with(|choices| choices.iter().map(|(key, _)| key).find(|key| order.is_descending(key).is_some()).cloned())
    });
    let is_descending =
        Memo::new(move |_| key.with(|key| key.as_ref().and_then(|key| order.is_descending(key))) == Some(true));
    let clears_next = move || key.with(|key| key.as_ref().is_some_and(|key| order.is_last_in_cycle(key)));
    // What the other memo depends on is read first: Leptos skips an update if the first memo stays the same.
    let direction = move || match (clears_next(), is_descending.get()) {
        (true, true) => texts::sorted_descending_last(),
        (false, true) => texts::sorted_descending(),
        (true, false) => texts::sorted_ascending_last(),
        (false, false) => texts::sorted_ascending(),
    };
    let options = move || {
        let option = |(sort_key, label): Choice| {
            let value = field_name(&sort_key).to_owned();
            let selected = move || key.with(|key| key.as_ref() == Some(&sort_key));
            view! {
                <option value=value selected=selected>
                    {label}
                </option>
            }
        };
        choices.get().into_iter().map(option).collect_view()
    };
    let on_choose = move |name: String| {
        let choices = choices.get_untracked();
        if let Some((sort_key, _)) = choices.iter().find(|(sort_key, _)| field_name(sort_key) == name) {
            order.cycle(sort_key);
        }
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
                on:change:target=move |event| on_choose(event.target().value())
            >
                <option value="" hidden selected=move || key.with(Option::is_none)>
                    {common::choose()}
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
                            order.cycle(&key);
                        }
                    }
                >
                    {move || view! { <Icon glyph=if is_descending.get() { Glyph::ArrowDown } else { Glyph::ArrowUp } /> }}
                </button>
            </Show>
        </div>
    }
}
