//! Parts of tables: sortable headers and loading skeletons, also for cards.

use std::borrow::Cow;

use leptos::prelude::*;

use super::column_headers::{ColumnHeader, ListOrder, column_headers};
use crate::ui::list::horizontal_scrollbar::HorizontalScrollbar;
use crate::ui::{Glyph, Icon};

/// Sortable column header.
#[component]
pub fn SortableHeader(
    /// Name of the column in code.
    name: String,
    #[prop(into)] label: Cow<'static, str>,
    #[prop(optional_no_strip)] class: Option<&'static str>,
    /// Order that the first press selects.
    sort_key: &'static str,
    order: ListOrder,
    /// Content before the label.
    #[prop(optional_no_strip)]
    leading: Option<AnyView>,
    #[prop(optional_no_strip)] resize_handle: Option<AnyView>,
) -> impl IntoView {
    let is_descending = Memo::new(move |_| order.is_descending(sort_key));
    let aria_sort = move || match is_descending.get() {
        None => "none",
        Some(false) => "ascending",
        Some(true) => "descending",
    };
    let glyph = move || if is_descending.get() == Some(true) { Glyph::ArrowDown } else { Glyph::ArrowUp };
    let visible_label = label.clone();
    view! {
        <th scope="col" class=class aria-sort=aria_sort aria-label=label data-column=name>
            {leading}
            <button type="button" class="sort-button" on:click=move |_| order.cycle(sort_key)>
                <span class="sort-label">{visible_label}</span>
                {move || view! { <Icon glyph=glyph() /> }}
            </button>
            {resize_handle}
        </th>
    }
}

/// Content of a cell without a value.
pub fn empty_value() -> AnyView {
    view! { <span class="muted">"–"</span> }.into_any()
}

/// Skeleton rows with the height of real ones. The default number fills a screen, so that the content below the list is
/// hidden before and after loading.
#[component]
pub fn SkeletonRows(
    columns: usize,
    #[prop(default = 25)] rows: usize,
    /// Lines of text in a real row.
    #[prop(default = 1)]
    lines: u8,
) -> impl IntoView {
    (0..rows)
        .map(|row| {
            let cells = (0..columns).map(|column| {
                let width = 1 + (row * 2 + column) % 3;
                view! {
                    <td>
                        <span class=format!("skeleton skeleton-{width}")></span>
                    </td>
                }
            });
            view! {
                <tr aria-hidden="true" class=format!("skeleton-lines-{lines}")>
                    {cells.collect_view()}
                </tr>
            }
        })
        .collect_view()
}

/// Skeleton bars, one below the other.
#[component]
pub fn SkeletonBars(bars: usize) -> impl IntoView {
    (0..bars).map(|bar| view! { <span class=format!("skeleton skeleton-{}", 1 + bar % 3)></span> }).collect_view()
}

#[component]
pub fn SkeletonCard(bars: usize) -> impl IntoView {
    view! {
        <div class="card card-body" aria-busy="true">
            <SkeletonBars bars />
        </div>
    }
}

/// Table around its rows. Scrolls horizontally only if it is wider than its container; otherwise its header stays
/// visible while the page scrolls.
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
