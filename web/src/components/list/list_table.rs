//! The table of a list.

use leptos::prelude::*;

use super::side_scroll::SideScroll;

/// The table around its rows. It scrolls sideways only where it is wider than its place; where it fits, its heads stay in sight
/// while the page scrolls.
#[component]
pub fn ListTable(
    /// What it is of, for who doesn't see where it stands.
    caption: &'static str,
    /// What its style is told by, beside that of all.
    #[prop(optional)]
    class: &'static str,
    /// Whether newer rows are awaited.
    #[prop(into)]
    stale: Signal<bool>,
    heads: AnyView,
    /// Its rows.
    children: Children,
) -> impl IntoView {
    let side = SideScroll::new(NodeRef::new());
    view! {
        <div
            node_ref=side.of
            class=format!("table-wrap {class}")
            class:is-stale=stale
            class:is-whole=move || side.is_whole()
            aria-busy=move || stale.get().to_string()
        >
            <table class="table">
                <caption class="visually-hidden">{caption}</caption>
                <thead>
                    <tr>{heads}</tr>
                </thead>
                <tbody>{children()}</tbody>
            </table>
        </div>
    }
    .into_any()
}
