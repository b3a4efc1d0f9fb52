//! By what the list of leads is sorted, where it has no heads to press: on small screens each lead is a card.

use leadscribe_engine::filter::fields::{FieldId, find};
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::components::lead_columns::{Column, label_of};
use crate::texts::lead_table as texts;

/// A field to choose, and its direction. It asks for what a press of the column's head would.
#[component]
pub fn SortPick(
    #[prop(into)] columns: Signal<Vec<Column>>,
    /// The first key of the order: the field, and whether from the largest.
    order: Signal<Option<(FieldId, bool)>>,
    on_sort: Callback<FieldId>,
) -> impl IntoView {
    let options = move || {
        let lead = (FieldId::LastName, texts::lead().into());
        let columns = columns.get();
        let others = columns.iter().filter_map(|column| Some((column.order()?, label_of(column))));
        let option = |(field, label): (FieldId, _)| {
            let selected = move || order.get().is_some_and(|(by, _)| by == field);
            view! {
                <option value=field.field().name() selected=selected>
                    {label}
                </option>
            }
        };
        [lead].into_iter().chain(others).map(option).collect_view()
    };
    let choose = move |name: String| {
        if let Some(field) = find(&name) {
            on_sort.run(field.id);
        }
    };
    view! {
        <div class="sort-pick row">
            <label class="small secondary" for="sort-pick">
                {texts::sort_by()}
            </label>
            <select
                id="sort-pick"
                class="select"
                data-test="sort-pick"
                on:change:target=move |event| choose(event.target().value())
            >
                <option value="" hidden selected=move || order.with(Option::is_none)>
                    {texts::choose()}
                </option>
                {options}
            </select>
            {move || {
                order
                    .get()
                    .map(|(field, down)| {
                        let (glyph, label) = match down {
                            true => (Glyph::ArrowDown, texts::sorted_down()),
                            false => (Glyph::ArrowUp, texts::sorted_up()),
                        };
                        view! {
                            <button
                                type="button"
                                class="button button-icon"
                                aria-label=label
                                title=label
                                data-test="sort-direction"
                                on:click=move |_| on_sort.run(field)
                            >
                                <Icon glyph />
                            </button>
                        }
                    })
            }}
        </div>
    }
    .into_any()
}
