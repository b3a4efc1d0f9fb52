//! Key figure that links to the items it counts.

use leptos::prelude::*;

/// A tile: its name, its figure once known, and a note.
#[component]
pub fn Tile(
    name: &'static str,
    #[prop(into)] href: Signal<String>,
    #[prop(into)] figure: Signal<Option<String>>,
    #[prop(into)] note: Signal<String>,
    /// True if the figure needs attention.
    #[prop(into)]
    alarming: Signal<bool>,
    test: &'static str,
) -> impl IntoView {
    let figure = move || match figure.get() {
        Some(figure) => view! { <strong data-test=test>{figure}</strong> }.into_any(),
        None => view! { <span class="skeleton skeleton-3" aria-hidden="true"></span> }.into_any(),
    };
    view! {
        <a class="key-figure card" class:is-alarming=alarming href=href>
            <span class="secondary">{name}</span>
            <span class="key-figure-number">{figure}</span>
            <span class="small muted">{note}</span>
        </a>
    }
    .into_any()
}
