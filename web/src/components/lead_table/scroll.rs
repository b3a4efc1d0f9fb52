//! All leads that were found, to scroll through. Only the rows around those in sight are drawn; blanks stand for the others,
//! as high as those were or are guessed to be. What is in sight stays where it is when something above it gets another height.

use std::ops::Range;
use std::time::Duration;

use js_sys::Reflect;
use leadscribe_engine::api::{ExtendedLead, LeadId};
use leadscribe_engine::filter::fields::FieldId;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlDivElement, HtmlElement};

use super::heights::{CHUNK, Heights, SECTION};
use super::row::{Rows, row};
use super::shelf::{Chunk, Shelf, WINDOW};
use super::widths::Widths;
use super::{Listing, SELECT_PAGE};
use crate::components::filter_editor::Names;
use crate::components::icon::Glyph;
use crate::components::lead_columns::Column;
use crate::components::lead_selection::LeadSelection;
use crate::components::pager::{PageSize, PagerButton, Window, range_text};
use crate::components::table::SkeletonRows;
use crate::texts::{common, lead_table as texts};
use crate::when::count;

/// What a row is taken for before one is measured: a name and a number under it.
const GUESS: f64 = 64.0;

/// How long the list has not moved when it rests.
const REST: Duration = Duration::from_millis(150);

/// The list.
#[component]
pub fn LeadScroll(
    shelf: RwSignal<Shelf<ExtendedLead>>,
    /// Told which rows are needed, in sight or soon to be.
    on_need: Callback<Range<u64>>,
    /// Asks again for what failed.
    on_retry: Callback<()>,
    /// The row to begin with; rows are counted from 0.
    start: u64,
    /// Told the row at the top when the list rests.
    on_rest: Callback<u64>,
    /// Shows pages instead.
    on_pages: Callback<Window>,
    /// Selects all leads that match.
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
    let listing = Listing { columns, order, on_sort, widths, settled: true, selection, shown };
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
    // Other columns and widths make other heights.
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
                    leads.map(|(lead, place)| row(lead, &columns, rows, Some(place), true)).collect_view().into_any()
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
            on:scroll=move |_| eye.moved()
            on:wheel=move |_| eye.let_go()
            on:pointerdown=move |_| {
                eye.let_go();
                eye.rest();
            }
            on:keydown=move |event| {
                eye.let_go();
                if event.key() == "Enter" {
                    eye.rest();
                }
            }
        >
            {listing.table(select, body.into_any(), row_count)}
        </div>
        <ScrollFoot eye total on_pages />
    }
    .into_any()
}

/// What stands in place of rows that couldn't be had.
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

/// The box in the head: all leads that match.
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

/// Which rows are in sight, and ways to others.
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

/// What is looked at; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
struct Eye {
    node: NodeRef<html::Div>,
    above: NodeRef<html::Div>,
    below: NodeRef<html::Div>,
    shelf: RwSignal<Shelf<ExtendedLead>>,
    on_need: Callback<Range<u64>>,
    on_rest: Callback<u64>,
    /// The chunks that are drawn, counted from the beginning of the list.
    drawn: RwSignal<Range<u64>>,
    /// The rows in sight.
    seen: RwSignal<Range<u64>>,
    /// How high a row is, about.
    row: RwSignal<u64>,
    scene: StoredValue<Scene, LocalStorage>,
}

struct Scene {
    section: u64,
    heights: Heights,
    held: Option<Hold>,
    /// The row that is to come to the top, until it is there.
    goal: Option<u64>,
    /// Whether somebody comes to a row of it, and looks at the list, not at what stands above it.
    is_entered: bool,
    /// Whether it is looked at again before the next picture is drawn.
    is_due: bool,
    timer: Option<TimeoutHandle>,
}

/// A row that stays where it is in the view, but for what is scrolled.
#[derive(Clone, Copy)]
struct Hold {
    row: u64,
    /// Pixels from the top of the view when that was scrolled so far.
    offset: f64,
    scrolled: f64,
}

impl Eye {
    fn new(shelf: RwSignal<Shelf<ExtendedLead>>, on_need: Callback<Range<u64>>, on_rest: Callback<u64>) -> Self {
        let scene = Scene {
            section: 0,
            heights: Heights::new(0, GUESS),
            held: None,
            goal: None,
            is_entered: false,
            is_due: false,
            timer: None,
        };
        Self {
            node: NodeRef::new(),
            above: NodeRef::new(),
            below: NodeRef::new(),
            shelf,
            on_need,
            on_rest,
            drawn: RwSignal::new(0..0),
            seen: RwSignal::new(0..0),
            row: RwSignal::new(GUESS as u64),
            scene: StoredValue::new_local(scene),
        }
    }

    /// Looks at the first answer.
    fn begin(self, start: u64) {
        self.scene.update_value(|scene| scene.is_entered = start > 0);
        self.go(start);
    }

    /// Brings a row to the top of the view.
    fn go(self, row: u64) {
        let Some(total) = self.total() else { return };
        let row = row.min(total.saturating_sub(1));
        let place = self.scene.try_update_value(|scene| {
            let section = row / SECTION;
            let rows = total.saturating_sub(section * SECTION).min(SECTION);
            if section != scene.section {
                (scene.section, scene.heights) = (section, Heights::new(rows, scene.heights.row()));
            }
            scene.heights.set_rows(rows);
            (scene.goal, scene.held) = (Some(row), None);
            let inside = row - section * SECTION;
            scene.heights.top(inside / CHUNK) + (inside % CHUNK) as f64 * scene.heights.row()
        });
        if let Some(place) = place {
            self.draw(place);
            self.look_soon();
        }
    }

    /// Takes in that other rows are at hand, and perhaps more or fewer.
    fn take_in(self) {
        let Some(total) = self.total() else { return };
        let section = self.scene.with_value(|scene| scene.section);
        if section > 0 && section * SECTION >= total {
            return self.go(total);
        }
        let rows = (total - section * SECTION).min(SECTION);
        self.scene.update_value(|scene| scene.heights.set_rows(rows));
        self.look_soon();
    }

    fn measure_anew(self) {
        _ = self.scene.try_update_value(|scene| scene.heights.forget());
        self.look_soon();
    }

    /// Lets somebody scroll away from where the list was to go.
    fn let_go(self) {
        self.scene.update_value(|scene| scene.goal = None);
    }

    /// Follows somebody who scrolls.
    fn moved(self) {
        self.stay();
        self.look();
    }

    /// Looks at what is there when changes are in the page, and before they are drawn.
    fn look_soon(self) {
        let was_due = self.scene.try_update_value(|scene| std::mem::replace(&mut scene.is_due, true));
        if was_due == Some(false) {
            request_animation_frame(move || {
                if self.scene.try_update_value(|scene| scene.is_due = false).is_some() {
                    self.settle();
                }
            });
        }
    }

    fn settle(self) {
        let Some(node) = self.node.try_get_untracked().flatten() else { return };
        self.scene.update_value(|scene| {
            let first = scene.section * SECTION / CHUNK;
            for (number, chunk) in chunks(&node).into_iter().filter(|(_, chunk)| chunk.has_attribute("data-there")) {
                if let Some(inside) = number.checked_sub(first) {
                    scene.heights.measure(inside, chunk.get_bounding_client_rect().height());
                }
            }
        });
        let row = self.scene.with_value(|scene| scene.heights.row()).round() as u64;
        if row != self.row.get_untracked() {
            self.row.set(row);
        }
        self.fill_blanks();
        match self.scene.with_value(|scene| scene.goal).and_then(|goal| row_at(&node, goal)) {
            Some(row) => {
                let is_entered = self.scene.try_update_value(|scene| std::mem::take(&mut scene.is_entered));
                if let Some(list) = node.parent_element().filter(|_| is_entered == Some(true)) {
                    list.scroll_into_view();
                }
                node.scroll_by_with_x_and_y(0.0, row.get_bounding_client_rect().top() - view_top(&node));
                if row.parent_element().is_some_and(|chunk| chunk.has_attribute("data-there")) {
                    self.let_go();
                }
            }
            None => self.stay(),
        }
        self.look();
    }

    /// Brings what was in sight back to its place when something above it has another height now.
    fn stay(self) {
        let (Some(node), Some(hold)) = (self.node.get_untracked(), self.scene.with_value(|scene| scene.held)) else {
            return;
        };
        let Some(row) = row_at(&node, hold.row) else { return };
        let expected = hold.offset - (scrolled(&node) - hold.scrolled);
        let moved = row.get_bounding_client_rect().top() - view_top(&node) - expected;
        if moved.abs() >= 0.5 {
            node.scroll_by_with_x_and_y(0.0, moved);
        }
    }

    /// Sees which rows are in sight, and draws those around them.
    fn look(self) {
        let Some(node) = self.node.get_untracked() else { return };
        let (top, scrolled) = (view_top(&node), scrolled(&node));
        let bottom = node.get_bounding_client_rect().top() + f64::from(node.client_height());
        let mut seen = None::<Range<u64>>;
        for (number, chunk) in chunks(&node) {
            let place = chunk.get_bounding_client_rect();
            if place.bottom() <= top + 1.0 || place.top() >= bottom - 1.0 {
                continue;
            }
            let rows = chunk.children();
            for (row, index) in (0..rows.length()).filter_map(|index| Some((rows.item(index)?, u64::from(index)))) {
                let (place, number) = (row.get_bounding_client_rect(), number * CHUNK + index);
                if place.bottom() <= top + 1.0 || place.top() >= bottom - 1.0 {
                    continue;
                }
                if seen.is_none() {
                    let hold = Hold { row: number, offset: place.top() - top, scrolled };
                    self.scene.update_value(|scene| scene.held = Some(hold));
                }
                seen = Some(seen.map_or(number, |seen| seen.start)..number + 1);
            }
        }
        if let Some(seen) = seen.filter(|seen| *seen != self.seen.get_untracked()) {
            self.seen.set(seen);
            self.rest_later();
        }
        // On the way to a row, those around that row are drawn.
        let is_on_the_way = self.scene.with_value(|scene| scene.goal.is_some());
        if !is_on_the_way && self.draw(scrolled) {
            self.look_soon();
        }
    }

    /// Draws the chunks around a place of the section; whether these are others than before.
    fn draw(self, place: f64) -> bool {
        let Some(node) = self.node.get_untracked() else { return false };
        let (first, drawn) = self.scene.with_value(|scene| {
            (scene.section * SECTION / CHUNK, scene.heights.drawn(place, f64::from(node.client_height())))
        });
        let drawn = first + drawn.start..first + drawn.end;
        let is_other = drawn != self.drawn.get_untracked();
        if is_other {
            keep_focus(&node, &drawn);
            self.drawn.set(drawn.clone());
            self.fill_blanks();
        }
        let need = (drawn.start * CHUNK).saturating_sub(WINDOW)..drawn.end * CHUNK + WINDOW;
        if !self.shelf.with_untracked(|shelf| shelf.needs(&need)) {
            self.on_need.run(need);
        }
        is_other
    }

    /// Makes the blanks as high as what they stand for.
    fn fill_blanks(self) {
        let drawn = self.drawn.get_untracked();
        let (above, below) = self.scene.with_value(|scene| {
            let first = scene.section * SECTION / CHUNK;
            let (start, end) = (drawn.start.saturating_sub(first), drawn.end.saturating_sub(first));
            (scene.heights.top(start), if end == 0 { 0.0 } else { scene.heights.after(end - 1) })
        });
        for (blank, height) in [(self.above, above), (self.below, below)] {
            if let Some(blank) = blank.get_untracked() {
                // An element takes every height.
                let _ = HtmlElement::style(&blank).set_property("height", &format!("{height}px"));
            }
        }
    }

    fn rest_later(self) {
        let timer = set_timeout_with_handle(move || self.rest(), REST).ok();
        let before = self.scene.try_update_value(|scene| std::mem::replace(&mut scene.timer, timer)).flatten();
        if let Some(before) = before {
            before.clear();
        }
    }

    /// Tells the row at the top.
    fn rest(self) {
        if let Some(seen) = self.seen.try_get_untracked().filter(|seen| !seen.is_empty()) {
            self.on_rest.run(seen.start);
        }
    }

    fn total(self) -> Option<u64> {
        self.shelf.with_untracked(Shelf::total)
    }
}

/// The chunks in the page, each with its number.
fn chunks(node: &HtmlDivElement) -> Vec<(u64, Element)> {
    let Ok(found) = node.query_selector_all("[data-chunk]") else { return Vec::new() };
    let found = (0..found.length()).filter_map(|place| found.item(place)?.dyn_into::<Element>().ok());
    found.filter_map(|chunk| Some((chunk.get_attribute("data-chunk")?.parse().ok()?, chunk))).collect()
}

/// A row in the page, or what holds its place.
fn row_at(node: &HtmlDivElement, row: u64) -> Option<Element> {
    let chunk = node.query_selector(&format!("[data-chunk='{}']", row / CHUNK)).ok()??;
    chunk.children().item((row % CHUNK) as u32)
}

/// Where rows begin to be in sight, in the window: below the head, which stays in place.
fn view_top(node: &HtmlDivElement) -> f64 {
    let head = node.query_selector("thead").ok().flatten().map(|head| head.get_bounding_client_rect().height());
    // The cards of a phone have a head for screen readers only, of one pixel.
    node.get_bounding_client_rect().top() + head.filter(|height| *height > 2.0).unwrap_or_default()
}

/// How far somebody scrolled, to the fraction of a pixel.
fn scrolled(node: &HtmlDivElement) -> f64 {
    Reflect::get(node, &"scrollTop".into()).ok().and_then(|top| top.as_f64()).unwrap_or_default()
}

/// Lets the keyboard stay in the list when the row it was at goes out of the page.
fn keep_focus(node: &HtmlDivElement, drawn: &Range<u64>) {
    let focused = document().active_element().and_then(|focused| focused.closest("[data-chunk]").ok().flatten());
    let chunk = focused.and_then(|chunk| chunk.get_attribute("data-chunk")?.parse().ok());
    if chunk.is_some_and(|chunk| !drawn.contains(&chunk)) {
        let options = FocusOptions::new();
        options.set_prevent_scroll(true);
        // It can be focused, as its tabindex says.
        let _ = node.focus_with_options(&options);
    }
}
