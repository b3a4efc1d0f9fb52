//! How many a list has.

use leptos::prelude::*;

/// What is said beside the title of a list; nothing while that isn't known.
#[component]
pub fn Total(total: Signal<Option<u64>>, say: fn(u64) -> String) -> impl IntoView {
    view! {
        <span class="secondary" data-test="total" aria-live="polite">
            {move || total.get().map(say)}
        </span>
    }
    .into_any()
}
