//! Virtualized list of all matching leads. Only the rows around the visible ones are rendered; spacers with measured or estimated heights
//! replace the others. Visible rows stay in place when the height of rows above them changes.

use std::ops::Range;

use leadscribe_engine::api::{ExtendedLead, LeadId};
use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;
use leptos::{ev, html};

use super::chunk_heights::{CHUNK_ROWS, SECTION_ROWS};
use super::column_widths::ColumnWidths;
use super::row::{RowContext, row};
use super::row_cache::{Chunk, RowCache};
use super::viewport::Viewport;
use super::{SELECT_PAGE_ID, TableConfig};
use crate::components::filter_editor::Names;
use crate::components::icon::Glyph;
use crate::components::lead::columns::Column;
use crate::components::lead::selection::LeadSelection;
use crate::components::list::horizontal_scrollbar::HorizontalScrollbar;
use crate::components::list::pager::{PageSizeSelect, PageWindow, PagerButton, range_text};
use crate::components::list::row_navigation;
use crate::components::list::table::SkeletonRows;
use crate::datetime::format_count;
use crate::texts::{common, lead_table as texts};

/// The list.
#[component]
pub fn VirtualLeadList(
    cache: RwSignal<RowCache<ExtendedLead>>,
    /// Receives the rows that are visible or will be soon.
    on_rows_needed: Callback<Range<u64>>,
    /// Repeats failed requests.
    on_retry: Callback<()>,
    /// First visible row, counted from 0.
    start: u64,
    /// Receives the top row when the list rests.
    on_idle: Callback<u64>,
    /// Switches to pages.
    on_paginate: Callback<PageWindow>,
    /// Selects all matching leads.
    on_select_all: Callback<()>,
    names: Signal<Names>,
    columns: Signal<Vec<Column>>,
    order: Signal<Option<(FieldId, bool)>>,
    on_sort: Callback<FieldId>,
    selection: Option<LeadSelection>,
    widths: ColumnWidths,
) -> impl IntoView {
    let viewport = Viewport::new(cache, on_rows_needed, on_idle);
    let total = Memo::new(move |_| cache.with(RowCache::total));
    let visible_ids: Signal<Vec<LeadId>> =
        Memo::new(move |_| cache.with(|cache| cache.ids_around(viewport.visible_rows.get().start))).into();
    let config = TableConfig { columns, order, on_sort, widths, ignores_content: true, selection };
    let scrollbar = HorizontalScrollbar::new(viewport.node);
    let rows = RowContext { names, selection, visible_ids };

    on_rows_needed.run(start..start + 1);
    Effect::new(move |was_known: Option<bool>| {
        cache.track();
        let is_known = total.get().is_some();
        match (was_known, is_known) {
            (Some(true), true) => viewport.on_rows_changed(),
            (_, true) => viewport.show_from(start),
            (_, false) => {}
        }
        is_known
    });
    // Changed columns and widths change the heights of rows.
    let layout = Memo::new(move |_| (columns.get(), config.layout()));
    Effect::new(move |previous: Option<()>| {
        layout.track();
        if previous.is_some() {
            viewport.remeasure();
        }
    });
    let resize_listener = window_event_listener(ev::resize, move |_| viewport.remeasure());
    on_cleanup(move || resize_listener.remove());

    let chunk = move |number: u64| {
        let first = number * CHUNK_ROWS;
        let cached_chunk = Memo::new(move |_| cache.with(|cache| cache.chunk(first, CHUNK_ROWS)));
        let body = move || {
            let columns = columns.get();
            match cached_chunk.get() {
                Chunk::Rows(leads, range) => {
                    let leads = leads[range].iter().cloned().zip(first..);
                    let truncated = vec![true; columns.len() + 1];
                    leads
                        .map(|(lead, index)| row(lead, &columns, rows, Some(index), &truncated))
                        .collect_view()
                        .into_any()
                }
                Chunk::Loading => {
                    let remaining_rows =
                        total.get_untracked().unwrap_or_default().saturating_sub(first).min(CHUNK_ROWS);
                    view! { <SkeletonRows columns=columns.len() + 1 rows=remaining_rows as usize lines=2 /> }.into_any()
                }
                Chunk::Failed(error) => {
                    view! { <RowsFailed reason=error.title() column_count=columns.len() + 1 on_retry /> }.into_any()
                }
            }
        };
        let is_loaded = move || cached_chunk.with(Chunk::is_rows).then_some("");
        view! {
            <tbody data-chunk=number.to_string() data-there=is_loaded>
                {body}
            </tbody>
        }
    };
    let spacer = move |node: NodeRef<html::Div>| {
        view! {
            <tbody class="lead-blank" aria-hidden="true">
                <tr>
                    <td colspan=move || (columns.with(Vec::len) + 1).to_string()>
                        <div node_ref=node></div>
                    </td>
                </tr>
            </tbody>
        }
    };
    let body = view! {
        <Show when=move || total.get().is_none()>
            <tbody>
                <SkeletonRows columns=columns.get_untracked().len() + 1 lines=2 />
            </tbody>
        </Show>
        {spacer(viewport.spacer_above)}
        <For each=move || viewport.rendered_chunks.get() key=|number| *number children=chunk />
        {spacer(viewport.spacer_below)}
    };
    let row_count = move || total.get().map(|total| (total + 1).to_string());
    let select = selection.map(|selection| view! { <SelectAllCheckbox selection on_select_all /> }.into_any());
    let is_busy = move || cache.with(RowCache::is_busy).to_string();
    view! {
        <div
            class="table-wrap lead-scroll"
            node_ref=viewport.node
            tabindex="-1"
            style=("--row", move || format!("{}px", viewport.row_height.get()))
            aria-busy=is_busy
            data-test="lead-scroll"
            on:scroll=move |_| {
                viewport.on_scroll();
                scrollbar.sync();
            }
            on:wheel=move |_| viewport.cancel_scroll()
            on:pointerdown=move |_| {
                viewport.cancel_scroll();
                viewport.report_top_row();
            }
            on:keydown=move |event| {
                viewport.cancel_scroll();
                // The default handling can't reach rows that aren't rendered.
                let end = match event.key().as_str() {
                    "Enter" => return viewport.report_top_row(),
                    "Home" => 0,
                    "End" => u64::MAX,
                    _ => return,
                };
                if row_navigation::row_of(&event).is_some() {
                    event.prevent_default();
                    viewport.focus_row(end);
                }
            }
        >
            {config.table(select, body.into_any(), row_count)}
        </div>
        {scrollbar.bar()}
        <VirtualListFooter viewport total on_paginate />
    }
    .into_any()
}

/// Placeholder for rows that couldn't be loaded.
#[component]
fn RowsFailed(reason: String, column_count: usize, on_retry: Callback<()>) -> impl IntoView {
    let online_listener = window_event_listener(ev::online, move |_| on_retry.run(()));
    on_cleanup(move || online_listener.remove());
    view! {
        <tr class="lead-missing" data-test="rows-missing">
            <td colspan=column_count.to_string()>
                <div class="row">
                    <span role="alert">{texts::rows_missing()} " " {reason}</span>
                    <button type="button" class="button button-small" on:click=move |_| on_retry.run(())>
                        {common::try_again()}
                    </button>
                </div>
            </td>
        </tr>
    }
}

/// Checkbox in the header that selects all matching leads.
#[component]
fn SelectAllCheckbox(selection: LeadSelection, on_select_all: Callback<()>) -> impl IntoView {
    let is_partial = move || !selection.is_all() && selection.len() > 0;
    view! {
        <input
            id=SELECT_PAGE_ID
            class="checkbox"
            type="checkbox"
            aria-label=texts::select_all()
            data-test="select-page"
            prop:checked=move || selection.is_all()
            prop:indeterminate=is_partial
            on:change:target=move |event| {
                if event.target().checked() {
                    on_select_all.run(());
                } else {
                    selection.clear();
                }
            }
        />
    }
}

/// Range of visible rows, and buttons to scroll.
#[component]
fn VirtualListFooter(viewport: Viewport, total: Memo<Option<u64>>, on_paginate: Callback<PageWindow>) -> impl IntoView {
    let rows = Memo::new(move |_| total.get().unwrap_or_default());
    let range = move || match (total.get(), viewport.visible_rows.get()) {
        (Some(total), visible_rows) if !visible_rows.is_empty() => {
            range_text(visible_rows.start, visible_rows.end.min(total), total)
        }
        _ => "…".to_owned(),
    };
    let at_start = Signal::derive(move || viewport.visible_rows.get().start == 0);
    let at_end = Signal::derive(move || viewport.visible_rows.get().end >= rows.get());
    let on_size = Callback::new(move |size: Option<u64>| {
        if let Some(size) = size {
            let first = viewport.visible_rows.get_untracked().start;
            on_paginate.run(PageWindow { size, offset: first - first % size });
        }
    });
    let section = move || viewport.visible_rows.get().start / SECTION_ROWS;
    let has_sections = move || rows.get() > SECTION_ROWS;
    let previous_label = Signal::derive(move || texts::rows_before(format_count(section() * SECTION_ROWS + 1)));
    let next_label = Signal::derive(move || texts::rows_after(format_count((section() + 1) * SECTION_ROWS)));
    view! {
        <div class="table-footer">
            <PageSizeSelect size=Signal::derive(|| None) offers_all=true on_size />
            <nav class="pager" aria-label=texts::position_in_list()>
                <PagerButton glyph=Glyph::First label=texts::first_row() disabled=at_start on_press=move || viewport.scroll_to_row(0) />
                <Show when=has_sections>
                    <PagerButton
                        glyph=Glyph::Previous
                        label=previous_label
                        disabled=Signal::derive(move || section() == 0)
                        on_press=move || viewport.scroll_to_row((untrack(section) * SECTION_ROWS).saturating_sub(1))
                    />
                </Show>
                <span class="nowrap" data-test="range">
                    {range}
                </span>
                <Show when=has_sections>
                    <PagerButton
                        glyph=Glyph::Next
                        label=next_label
                        disabled=Signal::derive(move || (section() + 1) * SECTION_ROWS >= rows.get())
                        on_press=move || viewport.scroll_to_row((untrack(section) + 1) * SECTION_ROWS)
                    />
                </Show>
                <PagerButton
                    glyph=Glyph::Last
                    label=texts::last_row()
                    disabled=at_end
                    on_press=move || viewport.scroll_to_row(rows.get_untracked().saturating_sub(1))
                />
            </nav>
        </div>
    }
    .into_any()
}
