//! Tables of lists.

use leptos::prelude::*;

use super::column_headers::{ColumnHeader, column_headers};
use super::horizontal_scrollbar::HorizontalScrollbar;
use super::list_order::ListOrder;
use super::table::SkeletonRows;

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

/// Table with one row per item, and skeleton rows until the first response arrives.
#[component]
pub fn ItemTable<T: Clone + Send + Sync + 'static>(
    /// Accessible name of the table.
    caption: &'static str,
    /// Additional CSS class.
    #[prop(optional)]
    class: &'static str,
    columns: &'static [ColumnHeader],
    /// Present if the table can be sorted.
    #[prop(optional)]
    order: Option<ListOrder>,
    /// `None` until the first response arrives.
    items: Signal<Option<Vec<T>>>,
    /// True while newer items are being loaded.
    #[prop(into)]
    stale: Signal<bool>,
    #[prop(default = 25)] skeleton_rows: usize,
    /// Lines of text in a row.
    #[prop(default = 1)]
    lines: u8,
    /// Renders the row of an item.
    row: impl Fn(T) -> AnyView + Send + 'static,
) -> impl IntoView {
    let rows = move || match items.get() {
        None => view! { <SkeletonRows columns=columns.len() rows=skeleton_rows lines /> }.into_any(),
        Some(items) => items.into_iter().map(&row).collect_view().into_any(),
    };
    view! {
        <ListTable caption class stale headers=column_headers(columns, order)>
            {rows}
        </ListTable>
    }
}
