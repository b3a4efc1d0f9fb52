//! The keys of every list: arrows, Home and End go along its rows, Enter opens one, X and Space select it. A press anywhere on
//! a row opens it too.
//!
//! A list takes part by what stands in its page: rows are marked `data-row`, what opens a row `data-opens`, and a row that can
//! be selected has a checkbox. A long list of which only a part is drawn handles Home and End itself.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, MouseEvent, MouseEventInit};

use crate::{acts, focus};

const ROW: &str = "[data-row]";
const OPENS: &str = "[data-opens]";
const BOX: &str = ".checkbox";

/// What holds the rows of one list.
const LIST: &str = "table, .hits";

/// What scrolls by itself, inside of the page.
const SCROLLS: &str = ".lead-scroll";

/// Where keys mean something else.
const TAKES: &str = "input:not([type=checkbox]), select, textarea, [role=slider], dialog";

/// What is pressed for its own sake.
const USED: &str = "a, button, input, select, textarea, label, summary, audio, dialog, [role=slider]";

/// What Space presses by itself.
const PRESSED: &str = "input, button, summary";

/// How long a page may take to draw what gets the focus, in beats.
const PATIENCE: u32 = 100;

/// How long a row is held in its place, in beats.
const HELD: u32 = 20;
const BEAT: Duration = Duration::from_millis(50);

/// Listens as long as the owner is there.
pub fn listen() {
    follow_pages();
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

/// A page that a row led to.
#[derive(Clone)]
struct Opened {
    page: String,
    /// The id of the row, how far from the top of the window it was, and how far the page was scrolled, in pixels.
    row: String,
    top: f64,
    scrolled: f64,
}

/// What was opened, each page from the row that led to it last.
type AllOpened = StoredValue<Vec<Opened>>;

/// Another page takes the focus to its content; going back to a list, to the row that one comes from.
fn follow_pages() {
    let pathname = use_location().pathname;
    let gone_back_to = StoredValue::new(None::<String>);
    let opened = AllOpened::new(Vec::new());
    let presses = window_event_listener(ev::click, move |event| _ = remember(&event, opened));
    on_cleanup(move || presses.remove());
    Effect::new(move |left: Option<String>| {
        let (page, before) = (pathname.get(), focus::now());
        if let Some(left) = left {
            let page = page.clone();
            // By then it is known whether it was the way back.
            let begin = move || {
                let is_back = gone_back_to.try_update_value(Option::take).flatten() == Some(page);
                settle(is_back.then_some(left), before, opened, PATIENCE);
            };
            set_timeout(begin, BEAT);
        }
        page
    });
    let back = window_event_listener(ev::popstate, move |_| gone_back_to.set_value(location().pathname().ok()));
    on_cleanup(move || back.remove());
}

/// Moves the focus to the row that leads to a page as soon as there is one, and until then to the content, once what had it is
/// gone; not when somebody has gone elsewhere since `before`.
fn settle(row_of: Option<String>, before: Option<HtmlElement>, opened: AllOpened, patience: u32) {
    let look = move || {
        let now = focus::now().filter(|element| element.id() != focus::CONTENT);
        if patience == 0 || now.is_some() && now != before {
            return;
        }
        if now.is_none() {
            focus::keep();
            if row_of.as_ref().and_then(|page| come_back(page, opened)).is_some() {
                return;
            }
            if row_of.is_none() {
                return;
            }
        }
        settle(row_of, before, opened, patience - 1);
    };
    set_timeout(look, BEAT);
}

/// Remembers where the row stands from which a page is opened; none when none is.
fn remember(press: &MouseEvent, opened: AllOpened) -> Option<()> {
    let target = target(press)?;
    let row = closest(&target, ROW)?;
    let link = closest(&target, "a[href]").or_else(|| find(&row, OPENS))?;
    let page = link.get_attribute("href")?.split('?').next()?.to_owned();
    let (top, scrolled) = (row.get_bounding_client_rect().top(), window().scroll_y().unwrap_or_default());
    opened.update_value(|opened| {
        opened.retain(|other| other.page != page);
        opened.push(Opened { page, row: row.get_attribute("data-id").unwrap_or_default(), top, scrolled });
    });
    Some(())
}

/// Moves the focus to the row from which a page was opened, and the row to where it was; none while it isn't there. The browser
/// can't: the list wasn't there yet when it tried.
fn come_back(page: &str, opened: AllOpened) -> Option<()> {
    let root = document().document_element()?;
    let from = opened.with_value(|opened| opened.iter().find(|one| one.page == page).cloned());
    let known = from.as_ref().map(|from| format!("[data-row][data-id='{}'] a[href^='{page}']", from.row));
    let link =
        known.and_then(|css| find(&root, &css)).or_else(|| find(&root, &format!("[data-opens][href='{page}']")))?;
    // What can't be focused leaves the focus where it was.
    _ = link.dyn_ref::<HtmlElement>()?.focus_with_options(&focus::still());
    if let Some((row, from)) = closest(&link, ROW).zip(from) {
        match closest(&row, SCROLLS).is_some() {
            // The list finds its own place, to the row.
            true => window().scroll_to_with_x_and_y(0.0, from.scrolled),
            false => hold(row, from.top, acts::count(), HELD),
        }
    }
    Some(())
}

/// Moves the page so that a row is as far from the top of the window as it was, and again while what stands above it still comes or
/// the browser scrolls to where it takes the place to be; not once somebody does something.
fn hold(row: Element, top: f64, before: u32, patience: u32) {
    if patience == 0 || acts::count() != before || !row.is_connected() {
        return;
    }
    let off = row.get_bounding_client_rect().top() - top;
    if off.abs() >= 1.0 {
        window().scroll_by_with_x_and_y(0.0, off);
    }
    set_timeout(move || hold(row, top, before, patience - 1), BEAT);
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

fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

fn closest(element: &Element, css: &str) -> Option<Element> {
    element.closest(css).ok().flatten()
}

fn find(inside: &Element, css: &str) -> Option<Element> {
    inside.query_selector(css).ok().flatten()
}
