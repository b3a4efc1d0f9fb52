//! Parts of tables: heads that sort, and rows that hold the place while the real ones load; and the same for cards.

use std::borrow::Cow;

use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};

/// How a column is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sorted {
    No,
    Ascending,
    Descending,
}

/// The head of a column that sorts when pressed.
#[component]
pub fn SortHead(
    /// What the column is called in code.
    name: String,
    #[prop(into)] label: Cow<'static, str>,
    #[prop(optional_no_strip)] class: Option<&'static str>,
    #[prop(into)] sorted: Signal<Sorted>,
    on_sort: Callback<()>,
    /// What stands before the label.
    #[prop(optional_no_strip)]
    before: Option<AnyView>,
    /// The edge of the column, where its width can be changed.
    #[prop(optional_no_strip)]
    handle: Option<AnyView>,
) -> impl IntoView {
    let aria = move || match sorted.get() {
        Sorted::No => "none",
        Sorted::Ascending => "ascending",
        Sorted::Descending => "descending",
    };
    let shown = label.clone();
    view! {
        <th scope="col" class=class aria-sort=aria aria-label=label data-column=name>
            {before}
            <button type="button" class="sort-button" on:click=move |_| on_sort.run(())>
                <span class="sort-label">{shown}</span>
                {move || {
                    let down = sorted.get() == Sorted::Descending;
                    view! { <Icon glyph=if down { Glyph::ArrowDown } else { Glyph::ArrowUp } /> }
                }}
            </button>
            {handle}
        </th>
    }
}

/// Rows of breathing bars, as high as the real ones. As many as a screen has room for by default, so that what stands below
/// a list is out of sight before and after they give place.
#[component]
pub fn SkeletonRows(
    columns: usize,
    #[prop(default = 25)] rows: usize,
    /// The lines of text that a real row has.
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
                <tr aria-hidden="true" class=format!("skeleton-row skeleton-lines-{lines}")>
                    {cells.collect_view()}
                </tr>
            }
        })
        .collect_view()
}

/// Breathing bars one below the other.
#[component]
pub fn SkeletonBars(bars: usize) -> impl IntoView {
    (0..bars).map(|bar| view! { <span class=format!("skeleton skeleton-{}", 1 + bar % 3)></span> }).collect_view()
}

/// A card that holds the place of one whose content is awaited.
#[component]
pub fn SkeletonCard(bars: usize) -> impl IntoView {
    view! {
        <div class="card card-body" aria-busy="true">
            <SkeletonBars bars />
        </div>
    }
}
