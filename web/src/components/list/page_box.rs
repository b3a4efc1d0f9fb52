//! The box that selects all rows of a page: in the head of its table, and on a phone, where rows are cards, above them.

use leptos::prelude::*;

/// A box that is full, empty or between.
#[component]
pub fn PageBox(
    #[prop(optional_no_strip)] id: Option<&'static str>,
    label: &'static str,
    test: &'static str,
    /// How many rows of the page are selected, and how many there are.
    #[prop(into)]
    selected: Signal<(usize, usize)>,
    on_change: Callback<bool>,
) -> impl IntoView {
    let is_full = move || matches!(selected.get(), (some, all) if some > 0 && some == all);
    let is_part = move || matches!(selected.get(), (some, all) if some > 0 && some < all);
    view! {
        <input
            id=id
            class="checkbox"
            type="checkbox"
            aria-label=label
            data-test=test
            prop:checked=is_full
            prop:indeterminate=is_part
            on:change:target=move |event| on_change.run(event.target().checked())
        />
    }
    .into_any()
}
