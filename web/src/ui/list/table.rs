//! Parts of tables: sortable headers and loading skeletons, also for cards.

use std::borrow::Cow;

use leptos::prelude::*;

use super::list_order::ListOrder;
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

/// Skeleton rows with the height of real ones. The default number fills a screen, so that the content below the list is hidden before and
/// after loading.
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
