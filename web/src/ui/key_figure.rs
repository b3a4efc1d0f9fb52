//! Key figure that links to the items it counts.

use leptos::prelude::*;

/// A tile: its name, its figure once known, and a note.
#[component]
pub fn KeyFigure(
    name: &'static str,
    #[prop(into)] href: Signal<String>,
    #[prop(into)] value: Signal<Option<String>>,
    #[prop(into)] note: Signal<String>,
    /// True if the figure needs attention.
    #[prop(into)]
    needs_attention: Signal<bool>,
    test_id: &'static str,
) -> impl IntoView {
    let value = move || match value.get() {
        Some(value) => view! { <strong data-test=test_id>{value}</strong> }.into_any(),
        None => view! { <span class="skeleton skeleton-3" aria-hidden="true"></span> }.into_any(),
    };
    view! {
        <a class="key-figure card" class:needs-attention=needs_attention href=href>
            <span class="secondary">{name}</span>
            <span class="key-figure-number">{value}</span>
            <span class="small muted">{note}</span>
        </a>
    }
}
