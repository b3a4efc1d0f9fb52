//! Checkboxes that select a row, or all rows of a page.

use leptos::prelude::*;

use super::selection::{RowId, Selection};

/// Checkbox of all rows of a page: in the table header, or above the cards on a phone. It can be indeterminate.
#[component]
pub fn PageCheckbox<Id: RowId>(
    #[prop(optional)] id: Option<&'static str>,
    label: &'static str,
    test_id: &'static str,
    selection: Selection<Id>,
    /// Ids of the rows of the page.
    #[prop(into)]
    visible: Signal<Vec<Id>>,
) -> impl IntoView {
    // Number of selected rows, and number of rows.
    let counts = Memo::new(move |_| {
        visible.with(|visible| (visible.iter().filter(|id| selection.contains(**id)).count(), visible.len()))
    });
    let on_change = move |selected: bool| {
        if !selected && untrack(|| selection.is_all()) {
            selection.clear();
        } else {
            visible.with_untracked(|visible| selection.set_selected(visible, selected));
        }
    };
    view! {
        <input
            id=id
            class="checkbox"
            type="checkbox"
            aria-label=label
            data-test=test_id
            prop:checked=move || matches!(counts.get(), (some, all) if some > 0 && some == all)
            prop:indeterminate=move || matches!(counts.get(), (some, all) if some > 0 && some < all)
            on:change:target=move |event| on_change(event.target().checked())
        />
    }
}

/// Checkbox of a row. With Shift, it selects all rows from the previous one.
#[component]
pub fn RowCheckbox<Id: RowId>(
    id: Id,
    label: String,
    test_id: &'static str,
    selection: Selection<Id>,
    /// Ids of the rows of the page in order.
    #[prop(into)]
    visible: Signal<Vec<Id>>,
) -> impl IntoView {
    let is_shift_pressed = StoredValue::new(false);
    view! {
        <input
            class="checkbox"
            type="checkbox"
            aria-label=label
            data-test=test_id
            prop:checked=move || selection.contains(id)
            on:click=move |event: web_sys::MouseEvent| is_shift_pressed.set_value(event.shift_key())
            on:change:target=move |event| {
                let selected = event.target().checked();
                visible.with_untracked(|visible| selection.select(id, selected, is_shift_pressed.get_value(), visible));
            }
        />
    }
}
