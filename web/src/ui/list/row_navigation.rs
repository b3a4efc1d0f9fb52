//! Keyboard navigation of all lists: arrows, Home and End move between rows, Enter opens a row, X and Space select it.
//! A click anywhere on a row opens it too.
//!
//! Lists opt in through attributes: rows have `data-row`, the element that opens a row has `data-row-link`, and a
//! selectable row has a checkbox.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent, MouseEvent, MouseEventInit};

use crate::browser::dom::{
    INTERACTIVE_SELECTOR, LIST_SELECTOR, ROW_SELECTOR, closest, find_first, listen_on_window, target,
};
use crate::browser::focus::focus_element;

/// Selector of the element that opens a row.
pub const OPENER_SELECTOR: &str = "[data-row-link]";

const CHECKBOX_SELECTOR: &str = ".checkbox";

/// Elements in which the keys have another meaning.
const INPUT_SELECTOR: &str = "input:not([type=checkbox]), select, textarea, [role=slider], dialog";

/// Elements that Space activates.
const SPACE_ACTIVATED_SELECTOR: &str = "input, button, summary";

/// Registers the listeners for the lifetime of the owner.
pub fn listen() {
    listen_on_window(ev::keydown, |event| {
        if handle_key(&event).is_some() {
            event.prevent_default();
        }
    });
    listen_on_window(ev::click, |event| _ = open_clicked_row(&event));
    listen_on_window(ev::auxclick, |event| _ = open_clicked_row(&event));
}

/// Opens the clicked row by clicking its opening element, unless an interactive element was clicked or text is selected
/// for copying. Returns `None` if no row was opened.
fn open_clicked_row(event: &MouseEvent) -> Option<()> {
    let target = target(event)?;
    let row = closest(&target, ROW_SELECTOR)?;
    let has_text_selection = window().get_selection().ok()?.is_some_and(|text| !text.is_collapsed());
    if event.default_prevented()
        || closest(&target, INTERACTIVE_SELECTOR).is_some()
        || has_text_selection
        || event.shift_key()
        || event.button() > 1
    {
        return None;
    }
    let opener = find_first(&row, OPENER_SELECTOR)?;
    let opens_new_tab = event.button() == 1 || event.ctrl_key() || event.meta_key();
    match opener.get_attribute("href").filter(|_| opens_new_tab) {
        Some(href) => _ = window().open_with_url_and_target(&href, "_blank").ok()?,
        None => {
            let opener = opener.dyn_into::<HtmlElement>().ok()?;
            // Deferred, because a click from within this listener would reach it again while it runs.
            set_timeout(move || opener.click(), Duration::ZERO);
        }
    }
    Some(())
}

/// Focuses the element that opens a row, or the row itself if it has none.
pub fn focus_row(row: &Element) {
    let opener = find_first(row, OPENER_SELECTOR).unwrap_or_else(|| row.clone());
    if opener == *row {
        // Not in the tab order: Tab shouldn't step through every row.
        _ = row.set_attribute("tabindex", "-1");
    }
    focus_element(Some(opener));
}

fn is_plain(event: &KeyboardEvent) -> bool {
    !(event.default_prevented() || event.ctrl_key() || event.alt_key() || event.meta_key())
}

/// Row of a key event, if the key applies to the row.
fn row_of(event: &KeyboardEvent) -> Option<Element> {
    let target = target(event).filter(|target| is_plain(event) && closest(target, INPUT_SELECTOR).is_none())?;
    closest(&target, ROW_SELECTOR)
}

/// Handles a key. Returns `None` if the key has no meaning here.
fn handle_key(event: &KeyboardEvent) -> Option<()> {
    let target = target(event)?;
    let key = event.key();
    let Some(row) = row_of(event) else {
        return (key == "ArrowDown").then(|| focus_first_visible_row(event, &target)).flatten();
    };
    match key.as_str() {
        "ArrowDown" => move_focus(&row, &target, |index, _| Some(index + 1)),
        "ArrowUp" => move_focus(&row, &target, |index, _| index.checked_sub(1)),
        "Home" => move_focus(&row, &target, |_, _| Some(0)),
        "End" => move_focus(&row, &target, |_, last| Some(last)),
        "Enter" if target == row || target.matches(CHECKBOX_SELECTOR).ok()? => {
            find_first(&row, OPENER_SELECTOR)?.dyn_into::<HtmlElement>().ok()?.click();
            Some(())
        }
        "x" | "X" => select(&row, event.shift_key()),
        " " if closest(&target, SPACE_ACTIVATED_SELECTOR).is_none() => select(&row, event.shift_key()),
        _ => None,
    }
}

/// Moves to another row of the same list. `target_index` computes its index from the current and the last index.
fn move_focus(row: &Element, focused: &Element, target_index: impl Fn(usize, usize) -> Option<usize>) -> Option<()> {
    let rows = rows(&closest(row, LIST_SELECTOR)?);
    let index = rows.iter().position(|other| other == row)?;
    let next = rows.get(target_index(index, rows.len() - 1)?)?;
    match find_first(next, CHECKBOX_SELECTOR).filter(|_| focused.matches(CHECKBOX_SELECTOR) == Ok(true)) {
        // If a checkbox has the focus, the next checkbox gets it.
        Some(next) => focus_element(Some(next)),
        None => focus_row(next),
    }
    Some(())
}

/// Moves to the first visible row, unless the focus is in a row or in a dialog.
fn focus_first_visible_row(event: &KeyboardEvent, target: &Element) -> Option<()> {
    let is_dialog_open = find_first(&document().document_element()?, "dialog[open]").is_some();
    if !is_plain(event) || is_dialog_open || closest(target, ROW_SELECTOR).is_some() {
        return None;
    }
    let is_visible = |row: &Element| {
        let rect = row.get_bounding_client_rect();
        let (x, y) = (rect.left() as f32 + 8.0, rect.top() as f32 + 8.0);
        let topmost = document().element_from_point(x, y);
        topmost.and_then(|topmost| closest(&topmost, ROW_SELECTOR)).is_some_and(|topmost| topmost == *row)
    };
    focus_row(&rows(target).into_iter().find(is_visible)?);
    Some(())
}

/// Clicks the checkbox of a row. With `range`, all rows from the last clicked one change too.
fn select(row: &Element, range: bool) -> Option<()> {
    let event = MouseEventInit::new();
    event.set_bubbles(true);
    event.set_cancelable(true);
    event.set_shift_key(range);
    let event = MouseEvent::new_with_mouse_event_init_dict("click", &event).ok()?;
    find_first(row, CHECKBOX_SELECTOR)?.dispatch_event(&event).ok()?;
    Some(())
}

fn rows(list: &Element) -> Vec<Element> {
    let Ok(nodes) = list.query_selector_all(ROW_SELECTOR) else { return Vec::new() };
    (0..nodes.length()).filter_map(|index| nodes.item(index)?.dyn_into().ok()).collect()
}
