//! Scroll and focus restoration: returning to a list focuses the row that was opened and scrolls it to its previous
//! position. The browser can't do this, because the list isn't rendered when it tries.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, MouseEvent};

use super::row_navigation::OPENER_SELECTOR;
use crate::api::user_activity;
use crate::browser::dom::{ROW_SELECTOR, closest, find_first, listen_on_window, target};
use crate::browser::focus;

/// Maximum time for rendering the element to focus, in ticks.
const MAX_RENDER_TICKS: u32 = 100;

/// Duration for which a row is held in place, in ticks.
const HOLD_TICKS: u32 = 20;

const TICK_INTERVAL: Duration = Duration::from_millis(50);

/// A page opened from a row.
#[derive(Clone)]
struct OpenedRow {
    page: String,
    row: String,
    /// Distance of the row from the top of the window, in pixels.
    top: f64,
}

/// Opened pages, each with the row that opened it last.
type OpenedRows = StoredValue<Vec<OpenedRow>>;

/// Moves the focus after navigation: to the content of a new page, or to the opened row when going back to a list. For
/// the lifetime of the owner.
pub fn restore_on_navigation() {
    let pathname = use_location().pathname;
    let popped_path = StoredValue::new(None::<String>);
    let opened_rows = OpenedRows::new(Vec::new());
    listen_on_window(ev::click, move |event| _ = record_opened_row(&event, opened_rows));
    Effect::new(move |previous_page: Option<String>| {
        let (page, previous_focus) = (pathname.get(), focus::focused_element());
        if let Some(previous_page) = previous_page {
            let page = page.clone();
            // After this delay it is known whether the navigation went back.
            let start = move || {
                let is_back = popped_path.try_update_value(Option::take).flatten() == Some(page);
                restore_focus(is_back.then_some(previous_page), previous_focus, opened_rows, MAX_RENDER_TICKS);
            };
            set_timeout(start, TICK_INTERVAL);
        }
        page
    });
    listen_on_window(ev::popstate, move |_| popped_path.set_value(location().pathname().ok()));
}

/// Focuses the row that leads to a page as soon as it is rendered. Until then, focuses the content if the previously
/// focused element is gone. Stops if the user has moved the focus since `previous_focus`.
fn restore_focus(
    opened_page: Option<String>,
    previous_focus: Option<HtmlElement>,
    opened_rows: OpenedRows,
    ticks_left: u32,
) {
    let try_restore = move || {
        let current_focus = focus::focused_element();
        if ticks_left == 0 || current_focus.is_some() && current_focus != previous_focus {
            return;
        }
        if current_focus.is_none() {
            focus::restore_focus();
            if opened_page.as_ref().and_then(|page| restore_row(page, opened_rows)).is_some() {
                return;
            }
            if opened_page.is_none() {
                return;
            }
        }
        restore_focus(opened_page, previous_focus, opened_rows, ticks_left - 1);
    };
    set_timeout(try_restore, TICK_INTERVAL);
}

/// Remembers the position of the row that opens a page. Returns `None` if no page is opened.
fn record_opened_row(event: &MouseEvent, opened_rows: OpenedRows) -> Option<()> {
    let target = target(event)?;
    let row = closest(&target, ROW_SELECTOR)?;
    let link = closest(&target, "a[href]").or_else(|| find_first(&row, OPENER_SELECTOR))?;
    let page = link.get_attribute("href")?.split('?').next()?.to_owned();
    let top = row.get_bounding_client_rect().top();
    opened_rows.update_value(|opened_rows| {
        opened_rows.retain(|other| other.page != page);
        opened_rows.push(OpenedRow { page, row: row.get_attribute("data-id").unwrap_or_default(), top });
    });
    Some(())
}

/// Focuses the row that opened a page and restores its position. Returns `None` if the row isn't rendered.
fn restore_row(page: &str, opened_rows: OpenedRows) -> Option<()> {
    let root = document().document_element()?;
    let opened_row = opened_rows.with_value(|opened_rows| opened_rows.iter().find(|entry| entry.page == page).cloned());
    let row_selector =
        opened_row.as_ref().map(|opened_row| format!("[data-row][data-id='{}'] a[href^='{page}']", opened_row.row));
    let link = row_selector
        .and_then(|selector| find_first(&root, &selector))
        .or_else(|| find_first(&root, &format!("[data-row-link][href='{page}']")))?;
    // An element that can't be focused leaves the focus unchanged.
    _ = link.dyn_ref::<HtmlElement>()?.focus_with_options(&focus::without_scroll());
    if let Some((row, opened_row)) = closest(&link, ROW_SELECTOR).zip(opened_row) {
        hold_position(row, opened_row.top, user_activity::event_count(), HOLD_TICKS);
    }
    Some(())
}

/// Keeps a row at its distance from the top of the window while content above it loads or the browser restores its own
/// scroll position. Stops as soon as the user interacts.
fn hold_position(row: Element, top: f64, interaction_count: u32, ticks_left: u32) {
    if ticks_left == 0 || user_activity::event_count() != interaction_count || !row.is_connected() {
        return;
    }
    let shift = row.get_bounding_client_rect().top() - top;
    if shift.abs() >= 1.0 {
        window().scroll_by_with_x_and_y(0.0, shift);
    }
    set_timeout(move || hold_position(row, top, interaction_count, ticks_left - 1), TICK_INTERVAL);
}
