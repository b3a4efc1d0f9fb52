//! Number of items of a list.

use leptos::prelude::*;

/// Text next to the title of a list; empty until the number is known.
#[component]
pub fn Total(total: Signal<Option<u64>>, format: fn(u64) -> String) -> impl IntoView {
    view! {
        <span class="secondary" data-test="total" aria-live="polite">
            {move || total.get().map(format)}
        </span>
    }
}
