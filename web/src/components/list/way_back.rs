//! The way back to a list: the focus to the row that one comes from, and the row to where it was. The browser can't: the list isn't
//! there yet when it tries.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, MouseEvent};

use super::row_keys::{OPENS, ROW};
use crate::dom::{closest, find, target};
use crate::{acts, focus};

/// What scrolls by itself, inside of the page.
const SCROLLS: &str = ".lead-scroll";

/// How long a page may take to draw what gets the focus, in beats.
const PATIENCE: u32 = 100;

/// How long a row is held in its place, in beats.
const HELD: u32 = 20;
const BEAT: Duration = Duration::from_millis(50);

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

/// Another page takes the focus to its content; going back to a list, to the row that one comes from. As long as the owner is there.
pub fn follow() {
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
        let now = focus::now();
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

/// Moves the focus to the row from which a page was opened, and the row to where it was; none while it isn't there.
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
