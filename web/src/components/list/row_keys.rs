//! Keyboard navigation of all lists: arrows, Home and End move between rows, Enter opens a row, X and Space select it. A click anywhere on
//! a row opens it too.
//!
//! Lists opt in through attributes: rows have `data-row`, the element that opens a row has `data-opens`, and a selectable row has a
//! checkbox. A long list that is only partly rendered handles Home and End itself.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent, MouseEvent, MouseEventInit};

use crate::dom::{closest, find, target};

/// Selectors of a row, and of the element that opens it.
pub const ROW: &str = "[data-row]";
pub const OPENS: &str = "[data-opens]";

/// Selector of a row's checkbox.
const BOX: &str = ".checkbox";

/// Selector of the container of a list's rows.
pub const LIST: &str = "table, .hits";

/// Elements in which the keys have another meaning.
const TAKES: &str = "input:not([type=checkbox]), select, textarea, [role=slider], dialog";

/// Interactive elements, which handle clicks themselves.
pub const USED: &str = "a, button, input, select, textarea, label, summary, audio, dialog, [role=slider]";

/// Elements that Space activates.
const PRESSED: &str = "input, button, summary";

/// Registers the listeners for the lifetime of the owner.
pub fn listen() {
    let keys = window_event_listener(ev::keydown, |event| {
        if act(&event).is_some() {
            event.prevent_default();
        }
    });
    let presses = window_event_listener(ev::click, |press| _ = open_pressed(&press));
    let others = window_event_listener(ev::auxclick, |press| _ = open_pressed(&press));
    on_cleanup(move || {
        keys.remove();
        presses.remove();
        others.remove();
    });
}

/// Opens the clicked row by clicking its opening element, unless an interactive element was clicked or text is selected for copying.
/// Returns `None` if no row was opened.
fn open_pressed(press: &MouseEvent) -> Option<()> {
    let target = target(press)?;
    let row = closest(&target, ROW)?;
    let marks_text = window().get_selection().ok()?.is_some_and(|text| !text.is_collapsed());
    if press.default_prevented()
        || closest(&target, USED).is_some()
        || marks_text
        || press.shift_key()
        || press.button() > 1
    {
        return None;
    }
    let thing = find(&row, OPENS)?;
    let is_beside = press.button() == 1 || press.ctrl_key() || press.meta_key();
    match thing.get_attribute("href").filter(|_| is_beside) {
        Some(place) => _ = window().open_with_url_and_target(&place, "_blank").ok()?,
        None => {
            let thing = thing.dyn_into::<HtmlElement>().ok()?;
            // Deferred, because a click from within this listener would reach it again while it runs.
            set_timeout(move || thing.click(), Duration::ZERO);
        }
    }
    Some(())
}

/// Focuses the element that opens a row, or the row itself if it has none.
pub fn go_to(row: &Element) {
    let thing = find(row, OPENS).unwrap_or_else(|| row.clone());
    if thing == *row {
        // Not in the tab order: Tab shouldn't step through every row.
        _ = row.set_attribute("tabindex", "-1");
    }
    if let Ok(thing) = thing.dyn_into::<HtmlElement>() {
        // An element that can't be focused leaves the focus unchanged.
        _ = thing.focus();
    }
}

/// Row of a key event, if the key applies to the row.
pub fn row_of(event: &KeyboardEvent) -> Option<Element> {
    if event.default_prevented() || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let target = target(event)?;
    if closest(&target, TAKES).is_some() { None } else { closest(&target, ROW) }
}

/// Handles a key. Returns `None` if the key has no meaning here.
fn act(event: &KeyboardEvent) -> Option<()> {
    let target = target(event)?;
    let key = event.key();
    let Some(row) = row_of(event) else {
        return (key == "ArrowDown").then(|| enter(event, &target)).flatten();
    };
    match key.as_str() {
        "ArrowDown" => go(&row, &target, |place, _| Some(place + 1)),
        "ArrowUp" => go(&row, &target, |place, _| place.checked_sub(1)),
        "Home" => go(&row, &target, |_, _| Some(0)),
        "End" => go(&row, &target, |_, last| Some(last)),
        "Enter" if target == row || target.matches(BOX).ok()? => {
            find(&row, OPENS)?.dyn_into::<HtmlElement>().ok()?.click();
            Some(())
        }
        "x" | "X" => select(&row, event.shift_key()),
        " " if closest(&target, PRESSED).is_none() => select(&row, event.shift_key()),
        _ => None,
    }
}

/// Moves to another row of the same list. `to` computes its index from the current and the last index.
fn go(row: &Element, from: &Element, to: impl Fn(usize, usize) -> Option<usize>) -> Option<()> {
    let rows = rows(&closest(row, LIST)?);
    let place = rows.iter().position(|one| one == row)?;
    let next = rows.get(to(place, rows.len() - 1)?)?;
    match find(next, BOX).filter(|_| from.matches(BOX) == Ok(true)) {
        // If a checkbox has the focus, the next checkbox gets it.
        Some(next) => next.dyn_into::<HtmlElement>().ok()?.focus().ok()?,
        None => go_to(next),
    }
    Some(())
}

/// Moves to the first visible row, unless the focus is in a row or in a dialog.
fn enter(event: &KeyboardEvent, target: &Element) -> Option<()> {
    let is_plain = !(event.default_prevented() || event.ctrl_key() || event.alt_key() || event.meta_key());
    let in_dialog = find(&document().document_element()?, "dialog[open]").is_some();
    if !is_plain || in_dialog || closest(target, ROW).is_some() {
        return None;
    }
    let is_in_sight = |row: &Element| {
        let place = row.get_bounding_client_rect();
        let (x, y) = (place.left() as f32 + 8.0, place.top() as f32 + 8.0);
        let seen = document().element_from_point(x, y);
        seen.and_then(|seen| closest(&seen, ROW)).is_some_and(|seen| seen == *row)
    };
    go_to(&rows(target).into_iter().find(is_in_sight)?);
    Some(())
}

/// Toggles the selection of a row by clicking its checkbox; with `range`, selects all rows from the previous one.
fn select(row: &Element, range: bool) -> Option<()> {
    let press = MouseEventInit::new();
    press.set_bubbles(true);
    press.set_cancelable(true);
    press.set_shift_key(range);
    let press = MouseEvent::new_with_mouse_event_init_dict("click", &press).ok()?;
    find(row, BOX)?.dispatch_event(&press).ok()?;
    Some(())
}

fn rows(list: &Element) -> Vec<Element> {
    let Ok(found) = list.query_selector_all(ROW) else { return Vec::new() };
    (0..found.length()).filter_map(|place| found.item(place)?.dyn_into().ok()).collect()
}
