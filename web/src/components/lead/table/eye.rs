//! Viewport of the scrolled list: tracks scrolling, renders the rows around the visible ones, and keeps visible rows in place.

use std::ops::Range;
use std::time::Duration;

use leadscribe_engine::api::ExtendedLead;
use leptos::html;
use leptos::prelude::*;
use web_sys::HtmlElement;

use super::heights::{CHUNK, Heights, SECTION};
use super::in_page::{chunks, keep_focus, row_at, scrolled, view_top};
use super::shelf::{Shelf, WINDOW};
use crate::components::list::row_keys;
use crate::pause::Pause;

/// Assumed row height before a row is measured: a name with a number below it.
const GUESS: f64 = 64.0;

/// Time without movement after which the list counts as resting.
const REST: Duration = Duration::from_millis(150);

/// State of the viewport. A `Copy` handle.
#[derive(Clone, Copy)]
pub(super) struct Eye {
    pub(super) node: NodeRef<html::Div>,
    pub(super) above: NodeRef<html::Div>,
    pub(super) below: NodeRef<html::Div>,
    shelf: RwSignal<Shelf<ExtendedLead>>,
    on_need: Callback<Range<u64>>,
    on_rest: Callback<u64>,
    /// Rendered chunks, counted from the beginning of the list.
    pub(super) drawn: RwSignal<Range<u64>>,
    /// Visible rows.
    pub(super) seen: RwSignal<Range<u64>>,
    /// Approximate row height.
    pub(super) row: RwSignal<u64>,
    scene: StoredValue<Scene, LocalStorage>,
    /// Timer until the list rests.
    pause: Pause,
}

struct Scene {
    section: u64,
    heights: Heights,
    held: Option<Hold>,
    /// Row to scroll to the top, until it is there.
    goal: Option<u64>,
    /// True if that row takes the focus when it is reached.
    takes_focus: bool,
    /// True if the list opens at a row other than the first. The page then scrolls to the list, past the content above it.
    is_entered: bool,
    /// True if an update is scheduled for the next frame.
    is_due: bool,
}

/// Scroll anchor: a row that keeps its position in the viewport, apart from scrolling.
#[derive(Clone, Copy)]
struct Hold {
    row: u64,
    /// Distance in pixels from the top of the viewport, at the scroll position `scrolled`.
    offset: f64,
    scrolled: f64,
}

impl Eye {
    pub(super) fn new(
        shelf: RwSignal<Shelf<ExtendedLead>>,
        on_need: Callback<Range<u64>>,
        on_rest: Callback<u64>,
    ) -> Self {
        let scene = Scene {
            section: 0,
            heights: Heights::new(0, GUESS),
            held: None,
            goal: None,
            takes_focus: false,
            is_entered: false,
            is_due: false,
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
            pause: Pause::new(),
        }
    }

    /// Shows the first response, starting at this row.
    pub(super) fn begin(self, start: u64) {
        self.scene.update_value(|scene| scene.is_entered = start > 0);
        self.go(start);
    }

    /// Scrolls to a row, or to the last one if there are fewer, and focuses it.
    pub(super) fn take_focus_to(self, row: u64) {
        self.scene.update_value(|scene| scene.takes_focus = true);
        self.go(row);
    }

    /// Scrolls a row to the top of the viewport.
    pub(super) fn go(self, row: u64) {
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

    /// Updates the viewport after rows were loaded or their number changed.
    pub(super) fn take_in(self) {
        let Some(total) = self.total() else { return };
        let section = self.scene.with_value(|scene| scene.section);
        if section > 0 && section * SECTION >= total {
            return self.go(total);
        }
        let rows = (total - section * SECTION).min(SECTION);
        self.scene.update_value(|scene| scene.heights.set_rows(rows));
        self.look_soon();
    }

    pub(super) fn measure_anew(self) {
        _ = self.scene.try_update_value(|scene| scene.heights.forget());
        self.look_soon();
    }

    /// Cancels a pending scroll to a row, because the user scrolls.
    pub(super) fn let_go(self) {
        self.scene.update_value(|scene| (scene.goal, scene.takes_focus) = (None, false));
    }

    /// Handles scrolling.
    pub(super) fn moved(self) {
        self.stay();
        self.look();
    }

    /// Schedules an update for the next frame, when changes are in the DOM but not painted.
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
                    if self.scene.with_value(|scene| scene.takes_focus) {
                        row_keys::go_to(&row);
                    }
                    self.let_go();
                }
            }
            None => self.stay(),
        }
        self.look();
    }

    /// Restores the position of the anchor row if the height of rows above it has changed.
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

    /// Determines the visible rows and renders the rows around them.
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
            self.pause.begin(REST, move || self.rest());
        }
        // During a scroll to a row, the rows around that row are already rendered.
        let is_on_the_way = self.scene.with_value(|scene| scene.goal.is_some());
        if !is_on_the_way && self.draw(scrolled) {
            self.look_soon();
        }
    }

    /// Renders the chunks around a position in the section. Returns true if they changed.
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

    /// Sets the height of the spacers to that of the rows they stand for.
    fn fill_blanks(self) {
        let drawn = self.drawn.get_untracked();
        let (above, below) = self.scene.with_value(|scene| {
            let first = scene.section * SECTION / CHUNK;
            let (start, end) = (drawn.start.saturating_sub(first), drawn.end.saturating_sub(first));
            (scene.heights.top(start), if end == 0 { 0.0 } else { scene.heights.after(end - 1) })
        });
        for (blank, height) in [(self.above, above), (self.below, below)] {
            if let Some(blank) = blank.get_untracked() {
                // Can't fail: an element accepts any height.
                let _ = HtmlElement::style(&blank).set_property("height", &format!("{height}px"));
            }
        }
    }

    /// Reports the row at the top.
    pub(super) fn rest(self) {
        if let Some(seen) = self.seen.try_get_untracked().filter(|seen| !seen.is_empty()) {
            self.on_rest.run(seen.start);
        }
    }

    fn total(self) -> Option<u64> {
        self.shelf.with_untracked(Shelf::total)
    }
}
