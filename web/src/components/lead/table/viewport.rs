//! Viewport of the scrolled list: tracks scrolling, renders the rows around the visible ones, and keeps visible rows in place.

use std::ops::Range;
use std::time::Duration;

use leadscribe_engine::api::ExtendedLead;
use leptos::html;
use leptos::prelude::*;
use web_sys::HtmlElement;

use super::chunk_heights::{CHUNK_ROWS, ChunkHeights, SECTION_ROWS};
use super::rendered_rows::{chunks, keep_focus, row_at, scroll_top, view_top};
use super::row_cache::{RowCache, WINDOW_ROWS};
use crate::components::list::row_navigation;
use crate::debounce::Debounce;

/// Assumed row height before a row is measured: a name with a number below it.
const ESTIMATED_ROW_HEIGHT: f64 = 64.0;

/// Time without movement after which the list counts as resting.
const IDLE_DELAY: Duration = Duration::from_millis(150);

/// State of the viewport. A `Copy` handle.
#[derive(Clone, Copy)]
pub(super) struct Viewport {
    pub(super) node: NodeRef<html::Div>,
    pub(super) spacer_above: NodeRef<html::Div>,
    pub(super) spacer_below: NodeRef<html::Div>,
    cache: RwSignal<RowCache<ExtendedLead>>,
    on_rows_needed: Callback<Range<u64>>,
    on_idle: Callback<u64>,
    /// Rendered chunks, counted from the beginning of the list.
    pub(super) rendered_chunks: RwSignal<Range<u64>>,
    /// Visible rows.
    pub(super) visible_rows: RwSignal<Range<u64>>,
    /// Approximate row height.
    pub(super) row_height: RwSignal<u64>,
    scroll_state: StoredValue<ScrollState, LocalStorage>,
    /// Timer until the list rests.
    debounce: Debounce,
}

struct ScrollState {
    section: u64,
    heights: ChunkHeights,
    anchor: Option<ScrollAnchor>,
    /// Row to scroll to the top, until it is there.
    target_row: Option<u64>,
    /// True if that row takes the focus when it is reached.
    focuses_target: bool,
    /// True if the list opens at a row other than the first. The page then scrolls to the list, past the content above it.
    opens_at_row: bool,
    /// True if an update is scheduled for the next frame.
    is_update_scheduled: bool,
}

/// Scroll anchor: a row that keeps its position in the viewport, apart from scrolling.
#[derive(Clone, Copy)]
struct ScrollAnchor {
    row: u64,
    /// Distance in pixels from the top of the viewport, at the scroll position `scroll_top`.
    offset: f64,
    scroll_top: f64,
}

impl Viewport {
    pub(super) fn new(
        cache: RwSignal<RowCache<ExtendedLead>>,
        on_rows_needed: Callback<Range<u64>>,
        on_idle: Callback<u64>,
    ) -> Self {
        let state = ScrollState {
            section: 0,
            heights: ChunkHeights::new(0, ESTIMATED_ROW_HEIGHT),
            anchor: None,
            target_row: None,
            focuses_target: false,
            opens_at_row: false,
            is_update_scheduled: false,
        };
        Self {
            node: NodeRef::new(),
            spacer_above: NodeRef::new(),
            spacer_below: NodeRef::new(),
            cache,
            on_rows_needed,
            on_idle,
            rendered_chunks: RwSignal::new(0..0),
            visible_rows: RwSignal::new(0..0),
            row_height: RwSignal::new(ESTIMATED_ROW_HEIGHT as u64),
            scroll_state: StoredValue::new_local(state),
            debounce: Debounce::new(),
        }
    }

    /// Shows the first response, starting at this row.
    pub(super) fn show_from(self, start: u64) {
        self.scroll_state.update_value(|state| state.opens_at_row = start > 0);
        self.scroll_to_row(start);
    }

    /// Scrolls to a row, or to the last one if there are fewer, and focuses it.
    pub(super) fn focus_row(self, row: u64) {
        self.scroll_state.update_value(|state| state.focuses_target = true);
        self.scroll_to_row(row);
    }

    /// Scrolls a row to the top of the viewport.
    pub(super) fn scroll_to_row(self, row: u64) {
        let Some(total) = self.total() else { return };
        let row = row.min(total.saturating_sub(1));
        let offset = self.scroll_state.try_update_value(|state| {
            let section = row / SECTION_ROWS;
            let rows = total.saturating_sub(section * SECTION_ROWS).min(SECTION_ROWS);
            if section != state.section {
                (state.section, state.heights) = (section, ChunkHeights::new(rows, state.heights.row()));
            }
            state.heights.set_rows(rows);
            (state.target_row, state.anchor) = (Some(row), None);
            let row_in_section = row - section * SECTION_ROWS;
            state.heights.top(row_in_section / CHUNK_ROWS) + (row_in_section % CHUNK_ROWS) as f64 * state.heights.row()
        });
        if let Some(offset) = offset {
            self.render_around(offset);
            self.schedule_update();
        }
    }

    /// Updates the viewport after rows were loaded or their number changed.
    pub(super) fn on_rows_changed(self) {
        let Some(total) = self.total() else { return };
        let section = self.scroll_state.with_value(|state| state.section);
        if section > 0 && section * SECTION_ROWS >= total {
            return self.scroll_to_row(total);
        }
        let rows = (total - section * SECTION_ROWS).min(SECTION_ROWS);
        self.scroll_state.update_value(|state| state.heights.set_rows(rows));
        self.schedule_update();
    }

    pub(super) fn remeasure(self) {
        _ = self.scroll_state.try_update_value(|state| state.heights.reset());
        self.schedule_update();
    }

    /// Cancels a pending scroll to a row, because the user scrolls.
    pub(super) fn cancel_scroll(self) {
        self.scroll_state.update_value(|state| (state.target_row, state.focuses_target) = (None, false));
    }

    /// Handles scrolling.
    pub(super) fn on_scroll(self) {
        self.restore_anchor();
        self.update_visible_rows();
    }

    /// Schedules an update for the next frame, when changes are in the DOM but not painted.
    fn schedule_update(self) {
        let was_scheduled =
            self.scroll_state.try_update_value(|state| std::mem::replace(&mut state.is_update_scheduled, true));
        if was_scheduled == Some(false) {
            request_animation_frame(move || {
                if self.scroll_state.try_update_value(|state| state.is_update_scheduled = false).is_some() {
                    self.update_frame();
                }
            });
        }
    }

    fn update_frame(self) {
        let Some(node) = self.node.try_get_untracked().flatten() else { return };
        self.scroll_state.update_value(|state| {
            let first_chunk = state.section * SECTION_ROWS / CHUNK_ROWS;
            for (number, chunk) in chunks(&node).into_iter().filter(|(_, chunk)| chunk.has_attribute("data-there")) {
                if let Some(chunk_in_section) = number.checked_sub(first_chunk) {
                    state.heights.measure(chunk_in_section, chunk.get_bounding_client_rect().height());
                }
            }
        });
        let row = self.scroll_state.with_value(|state| state.heights.row()).round() as u64;
        if row != self.row_height.get_untracked() {
            self.row_height.set(row);
        }
        self.resize_spacers();
        match self.scroll_state.with_value(|state| state.target_row).and_then(|target| row_at(&node, target)) {
            Some(row) => {
                let opens_at_row = self.scroll_state.try_update_value(|state| std::mem::take(&mut state.opens_at_row));
                if let Some(list) = node.parent_element().filter(|_| opens_at_row == Some(true)) {
                    list.scroll_into_view();
                }
                node.scroll_by_with_x_and_y(0.0, row.get_bounding_client_rect().top() - view_top(&node));
                if row.parent_element().is_some_and(|chunk| chunk.has_attribute("data-there")) {
                    if self.scroll_state.with_value(|state| state.focuses_target) {
                        row_navigation::focus_row(&row);
                    }
                    self.cancel_scroll();
                }
            }
            None => self.restore_anchor(),
        }
        self.update_visible_rows();
    }

    /// Restores the position of the anchor row if the height of rows above it has changed.
    fn restore_anchor(self) {
        let (Some(node), Some(anchor)) =
            (self.node.get_untracked(), self.scroll_state.with_value(|state| state.anchor))
        else {
            return;
        };
        let Some(row) = row_at(&node, anchor.row) else { return };
        let expected = anchor.offset - (scroll_top(&node) - anchor.scroll_top);
        let shift = row.get_bounding_client_rect().top() - view_top(&node) - expected;
        if shift.abs() >= 0.5 {
            node.scroll_by_with_x_and_y(0.0, shift);
        }
    }

    /// Determines the visible rows and renders the rows around them.
    fn update_visible_rows(self) {
        let Some(node) = self.node.get_untracked() else { return };
        let (top, scroll_top) = (view_top(&node), scroll_top(&node));
        let bottom = node.get_bounding_client_rect().top() + f64::from(node.client_height());
        let mut visible_rows = None::<Range<u64>>;
        for (number, chunk) in chunks(&node) {
            let rect = chunk.get_bounding_client_rect();
            if rect.bottom() <= top + 1.0 || rect.top() >= bottom - 1.0 {
                continue;
            }
            let rows = chunk.children();
            for (row, index) in (0..rows.length()).filter_map(|index| Some((rows.item(index)?, u64::from(index)))) {
                let (rect, number) = (row.get_bounding_client_rect(), number * CHUNK_ROWS + index);
                if rect.bottom() <= top + 1.0 || rect.top() >= bottom - 1.0 {
                    continue;
                }
                if visible_rows.is_none() {
                    let anchor = ScrollAnchor { row: number, offset: rect.top() - top, scroll_top };
                    self.scroll_state.update_value(|state| state.anchor = Some(anchor));
                }
                visible_rows = Some(visible_rows.map_or(number, |visible_rows| visible_rows.start)..number + 1);
            }
        }
        if let Some(visible_rows) =
            visible_rows.filter(|visible_rows| *visible_rows != self.visible_rows.get_untracked())
        {
            self.visible_rows.set(visible_rows);
            self.debounce.schedule(IDLE_DELAY, move || self.report_top_row());
        }
        // During a scroll to a row, the rows around that row are already rendered.
        let is_scrolling_to_row = self.scroll_state.with_value(|state| state.target_row.is_some());
        if !is_scrolling_to_row && self.render_around(scroll_top) {
            self.schedule_update();
        }
    }

    /// Renders the chunks around a position in the section. Returns true if they changed.
    fn render_around(self, position: f64) -> bool {
        let Some(node) = self.node.get_untracked() else { return false };
        let (first_chunk, chunks) = self.scroll_state.with_value(|state| {
            (
                state.section * SECTION_ROWS / CHUNK_ROWS,
                state.heights.chunks_to_render(position, f64::from(node.client_height())),
            )
        });
        let chunks = first_chunk + chunks.start..first_chunk + chunks.end;
        let has_changed = chunks != self.rendered_chunks.get_untracked();
        if has_changed {
            keep_focus(&node, &chunks);
            self.rendered_chunks.set(chunks.clone());
            self.resize_spacers();
        }
        let needed = (chunks.start * CHUNK_ROWS).saturating_sub(WINDOW_ROWS)..chunks.end * CHUNK_ROWS + WINDOW_ROWS;
        if !self.cache.with_untracked(|cache| cache.is_needed(&needed)) {
            self.on_rows_needed.run(needed);
        }
        has_changed
    }

    /// Sets the height of the spacers to that of the rows they stand for.
    fn resize_spacers(self) {
        let chunks = self.rendered_chunks.get_untracked();
        let (above, below) = self.scroll_state.with_value(|state| {
            let first_chunk = state.section * SECTION_ROWS / CHUNK_ROWS;
            let (start, end) = (chunks.start.saturating_sub(first_chunk), chunks.end.saturating_sub(first_chunk));
            (state.heights.top(start), if end == 0 { 0.0 } else { state.heights.height_after(end - 1) })
        });
        for (spacer, height) in [(self.spacer_above, above), (self.spacer_below, below)] {
            if let Some(spacer) = spacer.get_untracked() {
                // Can't fail: an element accepts any height.
                let _ = HtmlElement::style(&spacer).set_property("height", &format!("{height}px"));
            }
        }
    }

    /// Reports the row at the top.
    pub(super) fn report_top_row(self) {
        if let Some(visible_rows) =
            self.visible_rows.try_get_untracked().filter(|visible_rows| !visible_rows.is_empty())
        {
            self.on_idle.run(visible_rows.start);
        }
    }

    fn total(self) -> Option<u64> {
        self.cache.with_untracked(RowCache::total)
    }
}
