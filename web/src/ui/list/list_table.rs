//! Table of a list.

use leptos::prelude::*;

use super::horizontal_scrollbar::HorizontalScrollbar;

/// Table around its rows. Scrolls horizontally only if it is wider than its container; otherwise its header stays visible while the page
/// scrolls.
#[component]
pub fn ListTable(
    /// Accessible name of the table.
    caption: &'static str,
    /// Additional CSS class.
    #[prop(optional)]
    class: &'static str,
    /// True while newer rows are being loaded.
    #[prop(into)]
    stale: Signal<bool>,
    headers: AnyView,
    /// The rows.
    children: Children,
) -> impl IntoView {
    let scrollbar = HorizontalScrollbar::new();
    view! {
        <div
            node_ref=scrollbar.container
            class=format!("table-wrap {class}")
            class:is-stale=stale
            class:is-fitting=move || scrollbar.fits()
            aria-busy=move || stale.get().to_string()
        >
            <table class="table">
                <caption class="visually-hidden">{caption}</caption>
                <thead>
                    <tr>{headers}</tr>
                </thead>
                <tbody>{children()}</tbody>
            </table>
        </div>
    }
}
