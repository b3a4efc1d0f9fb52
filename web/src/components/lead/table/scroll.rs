//! Virtualized list of all matching leads. Only the rows around the visible ones are rendered; spacers with measured or estimated heights
//! replace the others. Visible rows stay in place when the height of rows above them changes.

use std::ops::Range;

use leadscribe_engine::api::{ExtendedLead, LeadId};
use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;
use leptos::{ev, html};

use super::eye::Eye;
use super::heights::{CHUNK, SECTION};
use super::row::{Rows, row};
use super::shelf::{Chunk, Shelf};
use super::widths::Widths;
use super::{Listing, SELECT_PAGE};
use crate::components::filter_editor::Names;
use crate::components::icon::Glyph;
use crate::components::lead::columns::Column;
use crate::components::lead::selection::LeadSelection;
use crate::components::list::pager::{PageSize, PagerButton, Window, range_text};
use crate::components::list::row_keys;
use crate::components::list::side_scroll::SideScroll;
use crate::components::list::table::SkeletonRows;
use crate::texts::{common, lead_table as texts};
use crate::when::count;

/// The list.
#[component]
pub fn LeadScroll(
    shelf: RwSignal<Shelf<ExtendedLead>>,
    /// Receives the rows that are visible or will be soon.
    on_need: Callback<Range<u64>>,
    /// Repeats failed requests.
    on_retry: Callback<()>,
    /// First visible row, counted from 0.
    start: u64,
    /// Receives the top row when the list rests.
    on_rest: Callback<u64>,
    /// Switches to pages.
    on_pages: Callback<Window>,
    /// Selects all matching leads.
    on_all: Callback<()>,
    names: Signal<Names>,
    columns: Signal<Vec<Column>>,
    order: Signal<Option<(FieldId, bool)>>,
    on_sort: Callback<FieldId>,
    selection: Option<LeadSelection>,
    widths: Widths,
) -> impl IntoView {
    let eye = Eye::new(shelf, on_need, on_rest);
    let total = Memo::new(move |_| shelf.with(Shelf::total));
    let shown: Signal<Vec<LeadId>> =
        Memo::new(move |_| shelf.with(|shelf| shelf.seen_around(eye.seen.get().start))).into();
    let listing = Listing { columns, order, on_sort, widths, settled: true, selection };
    let side = SideScroll::new(eye.node);
    let rows = Rows { names, selection, shown };

    on_need.run(start..start + 1);
    Effect::new(move |was_known: Option<bool>| {
        shelf.track();
        let is_known = total.get().is_some();
        match (was_known, is_known) {
            (Some(true), true) => eye.take_in(),
            (_, true) => eye.begin(start),
            (_, false) => {}
        }
        is_known
    });
    // Changed columns and widths change the heights of rows.
    let layout = Memo::new(move |_| (columns.get(), listing.layout()));
    Effect::new(move |before: Option<()>| {
        layout.track();
        if before.is_some() {
            eye.measure_anew();
        }
    });
    let resized = window_event_listener(ev::resize, move |_| eye.measure_anew());
    on_cleanup(move || resized.remove());

    let chunk = move |number: u64| {
        let first = number * CHUNK;
        let held = Memo::new(move |_| shelf.with(|shelf| shelf.chunk(first, CHUNK)));
        let body = move || {
            let columns = columns.get();
            match held.get() {
                Chunk::Rows(leads, range) => {
                    let leads = leads[range].iter().cloned().zip(first..);
                    let cut = vec![true; columns.len() + 1];
                    leads.map(|(lead, place)| row(lead, &columns, rows, Some(place), &cut)).collect_view().into_any()
                }
                Chunk::Awaited => {
                    let left = total.get_untracked().unwrap_or_default().saturating_sub(first).min(CHUNK);
                    view! { <SkeletonRows columns=columns.len() + 1 rows=left as usize lines=2 /> }.into_any()
                }
                Chunk::Failed(error) => {
                    view! { <Missing why=error.title() span=columns.len() + 1 on_retry /> }.into_any()
                }
            }
        };
        let is_there = move || held.with(Chunk::is_rows).then_some("");
        view! {
            <tbody data-chunk=number.to_string() data-there=is_there>
                {body}
            </tbody>
        }
    };
    let blank = move |node: NodeRef<html::Div>| {
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
        {blank(eye.above)}
        <For each=move || eye.drawn.get() key=|number| *number children=chunk />
        {blank(eye.below)}
    };
    let row_count = move || total.get().map(|total| (total + 1).to_string());
    let select = selection.map(|selection| view! { <AllBox selection on_all /> }.into_any());
    let is_busy = move || shelf.with(Shelf::is_busy).to_string();
    view! {
        <div
            class="table-wrap lead-scroll"
            node_ref=eye.node
            tabindex="-1"
            style=("--row", move || format!("{}px", eye.row.get()))
            aria-busy=is_busy
            data-test="lead-scroll"
            on:scroll=move |_| {
                eye.moved();
                side.follow();
            }
            on:wheel=move |_| eye.let_go()
            on:pointerdown=move |_| {
                eye.let_go();
                eye.rest();
            }
            on:keydown=move |event| {
                eye.let_go();
                // The default handling can't reach rows that aren't rendered.
                let end = match event.key().as_str() {
                    "Enter" => return eye.rest(),
                    "Home" => 0,
                    "End" => u64::MAX,
                    _ => return,
                };
                if row_keys::row_of(&event).is_some() {
                    event.prevent_default();
                    eye.take_focus_to(end);
                }
            }
        >
            {listing.table(select, body.into_any(), row_count)}
        </div>
        {side.bar()}
        <ScrollFoot eye total on_pages />
    }
    .into_any()
}

/// Placeholder for rows that couldn't be loaded.
#[component]
fn Missing(why: String, span: usize, on_retry: Callback<()>) -> impl IntoView {
    let back = window_event_listener(ev::online, move |_| on_retry.run(()));
    on_cleanup(move || back.remove());
    view! {
        <tr class="lead-missing" data-test="rows-missing">
            <td colspan=span.to_string()>
                <div class="row">
                    <span role="alert">{texts::rows_missing()} " " {why}</span>
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
fn AllBox(selection: LeadSelection, on_all: Callback<()>) -> impl IntoView {
    let is_part = move || !selection.is_all() && selection.len() > 0;
    view! {
        <input
            id=SELECT_PAGE
            class="checkbox"
            type="checkbox"
            aria-label=texts::select_all()
            data-test="select-page"
            prop:checked=move || selection.is_all()
            prop:indeterminate=is_part
            on:change:target=move |event| {
                if event.target().checked() {
                    on_all.run(());
                } else {
                    selection.clear();
                }
            }
        />
    }
}

/// Range of visible rows, and buttons to scroll.
#[component]
fn ScrollFoot(eye: Eye, total: Memo<Option<u64>>, on_pages: Callback<Window>) -> impl IntoView {
    let rows = Memo::new(move |_| total.get().unwrap_or_default());
    let range = move || match (total.get(), eye.seen.get()) {
        (Some(total), seen) if !seen.is_empty() => range_text(seen.start, seen.end.min(total), total),
        _ => "…".to_owned(),
    };
    let at_start = Signal::derive(move || eye.seen.get().start == 0);
    let at_end = Signal::derive(move || eye.seen.get().end >= rows.get());
    let on_size = Callback::new(move |size: Option<u64>| {
        if let Some(size) = size {
            let first = eye.seen.get_untracked().start;
            on_pages.run(Window { size, offset: first - first % size });
        }
    });
    let section = move || eye.seen.get().start / SECTION;
    let has_sections = move || rows.get() > SECTION;
    let before = Signal::derive(move || texts::rows_before(count(section() * SECTION + 1)));
    let after = Signal::derive(move || texts::rows_after(count((section() + 1) * SECTION)));
    view! {
        <div class="table-foot">
            <PageSize size=Signal::derive(|| None) all=true on_size />
            <nav class="pager" aria-label=texts::places()>
                <PagerButton glyph=Glyph::First label=texts::first_row() disabled=at_start on_press=move || eye.go(0) />
                <Show when=has_sections>
                    <PagerButton
                        glyph=Glyph::Previous
                        label=before
                        disabled=Signal::derive(move || section() == 0)
                        on_press=move || eye.go((untrack(section) * SECTION).saturating_sub(1))
                    />
                </Show>
                <span class="nowrap" data-test="range">
                    {range}
                </span>
                <Show when=has_sections>
                    <PagerButton
                        glyph=Glyph::Next
                        label=after
                        disabled=Signal::derive(move || (section() + 1) * SECTION >= rows.get())
                        on_press=move || eye.go((untrack(section) + 1) * SECTION)
                    />
                </Show>
                <PagerButton
                    glyph=Glyph::Last
                    label=texts::last_row()
                    disabled=at_end
                    on_press=move || eye.go(rows.get_untracked().saturating_sub(1))
                />
            </nav>
        </div>
    }
    .into_any()
}
