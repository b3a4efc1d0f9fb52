//! Scroll and focus restoration: returning to a list focuses the row that was opened and scrolls it to its previous position. The browser
//! can't do this, because the list isn't rendered when it tries.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, MouseEvent};

use super::row_keys::{OPENS, ROW};
use crate::dom::{closest, find, target};
use crate::{acts, focus};

/// Containers with their own scrolling.
const SCROLLS: &str = ".lead-scroll";

/// Maximum time for rendering the element to focus, in ticks.
const PATIENCE: u32 = 100;

/// Duration for which a row is held in place, in ticks.
const HELD: u32 = 20;
const BEAT: Duration = Duration::from_millis(50);

/// A page opened from a row.
#[derive(Clone)]
struct Opened {
    page: String,
    /// Id of the row, its distance from the top of the window, and the scroll position of the page, in pixels.
    row: String,
    top: f64,
    scrolled: f64,
}

/// Opened pages, each with the row that opened it last.
type AllOpened = StoredValue<Vec<Opened>>;

/// Moves the focus after navigation: to the content of a new page, or to the opened row when going back to a list. For the lifetime of the
/// owner.
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
            // After this delay it is known whether the navigation went back.
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

/// Focuses the row that leads to a page as soon as it is rendered. Until then, focuses the content if the previously focused element is
/// gone. Stops if the user has moved the focus since `before`.
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

/// Remembers the position of the row that opens a page. Returns `None` if no page is opened.
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

/// Focuses the row that opened a page and restores its position. Returns `None` if the row isn't rendered.
fn come_back(page: &str, opened: AllOpened) -> Option<()> {
    let root = document().document_element()?;
    let from = opened.with_value(|opened| opened.iter().find(|one| one.page == page).cloned());
    let known = from.as_ref().map(|from| format!("[data-row][data-id='{}'] a[href^='{page}']", from.row));
    let link =
        known.and_then(|css| find(&root, &css)).or_else(|| find(&root, &format!("[data-opens][href='{page}']")))?;
    // An element that can't be focused leaves the focus unchanged.
    _ = link.dyn_ref::<HtmlElement>()?.focus_with_options(&focus::still());
    if let Some((row, from)) = closest(&link, ROW).zip(from) {
        match closest(&row, SCROLLS).is_some() {
            // The list restores its own position, down to the row.
            true => window().scroll_to_with_x_and_y(0.0, from.scrolled),
            false => hold(row, from.top, acts::count(), HELD),
        }
    }
    Some(())
}

/// Keeps a row at its distance from the top of the window while content above it loads or the browser restores its own scroll position.
/// Stops as soon as the user interacts.
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
