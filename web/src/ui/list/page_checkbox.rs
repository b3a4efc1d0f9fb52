//! Checkbox that selects all rows of a page: in the table header, or above the cards on a phone.

use leptos::prelude::*;

/// Checkbox with the states checked, unchecked and indeterminate.
#[component]
pub fn PageCheckbox(
    #[prop(optional_no_strip)] id: Option<&'static str>,
    label: &'static str,
    test_id: &'static str,
    /// Number of selected rows, and number of rows on the page.
    #[prop(into)]
    selected: Signal<(usize, usize)>,
    on_change: Callback<bool>,
) -> impl IntoView {
    let is_checked = move || matches!(selected.get(), (some, all) if some > 0 && some == all);
    let is_indeterminate = move || matches!(selected.get(), (some, all) if some > 0 && some < all);
    view! {
        <input
            id=id
            class="checkbox"
            type="checkbox"
            aria-label=label
            data-test=test_id
            prop:checked=is_checked
            prop:indeterminate=is_indeterminate
            on:change:target=move |event| on_change.run(event.target().checked())
        />
    }
    .into_any()
}
