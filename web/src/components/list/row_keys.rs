//! The keys of every list: arrows, Home and End go along its rows, Enter opens one, X and Space select it. A press anywhere on
//! a row opens it too.
//!
//! A list takes part by what stands in its page: rows are marked `data-row`, what opens a row `data-opens`, and a row that can
//! be selected has a checkbox. A long list of which only a part is drawn handles Home and End itself.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent, MouseEvent, MouseEventInit};

use crate::dom::{closest, find, target};

/// A row, and what opens it.
pub const ROW: &str = "[data-row]";
pub const OPENS: &str = "[data-opens]";

/// What selects a row.
const BOX: &str = ".checkbox";

/// What holds the rows of one list.
pub const LIST: &str = "table, .hits";

/// Where keys mean something else.
const TAKES: &str = "input:not([type=checkbox]), select, textarea, [role=slider], dialog";

/// What is pressed for its own sake.
pub const USED: &str = "a, button, input, select, textarea, label, summary, audio, dialog, [role=slider]";

/// What Space presses by itself.
const PRESSED: &str = "input, button, summary";

/// Listens as long as the owner is there.
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

/// Opens the row that was pressed where nothing in it is pressed for its own sake, as a press of what opens it does; none when it
/// wasn't. Whoever marks text there wants to copy it.
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
            // A press within the one that is listened to would come to this listener while it is at work.
            set_timeout(move || thing.click(), Duration::ZERO);
        }
    }
    Some(())
}

/// Moves the focus to what opens a row; to the row where nothing does.
pub fn go_to(row: &Element) {
    let thing = find(row, OPENS).unwrap_or_else(|| row.clone());
    if thing == *row {
        // Out of the order of Tab: a list isn't to be stepped through by it.
        _ = row.set_attribute("tabindex", "-1");
    }
    if let Ok(thing) = thing.dyn_into::<HtmlElement>() {
        // What can't be focused leaves the focus where it was.
        _ = thing.focus();
    }
}

/// The row in which a key was pressed, when the key is about the row.
pub fn row_of(event: &KeyboardEvent) -> Option<Element> {
    if event.default_prevented() || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let target = target(event)?;
    if closest(&target, TAKES).is_some() { None } else { closest(&target, ROW) }
}

/// Does what the key stands for; none when it stands for nothing here.
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

/// Goes from a row to another one of its list: the one at the place that is made of the row's own and the last.
fn go(row: &Element, from: &Element, to: impl Fn(usize, usize) -> Option<usize>) -> Option<()> {
    let rows = rows(&closest(row, LIST)?);
    let place = rows.iter().position(|one| one == row)?;
    let next = rows.get(to(place, rows.len() - 1)?)?;
    match find(next, BOX).filter(|_| from.matches(BOX) == Ok(true)) {
        // Whoever goes along the boxes stays at them.
        Some(next) => next.dyn_into::<HtmlElement>().ok()?.focus().ok()?,
        None => go_to(next),
    }
    Some(())
}

/// Goes to the first row in sight, from what holds rows and is nothing to be used itself.
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

/// Selects a row or takes it back, as a press of its box does; with `range` all from the one before to it.
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
