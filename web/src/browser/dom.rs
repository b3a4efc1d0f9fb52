//! DOM helpers.

use leptos::ev::EventDescriptor;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Selector of a row of a list.
pub const ROW_SELECTOR: &str = "[data-row]";

/// Selector of the container of a list's rows.
pub const LIST_SELECTOR: &str = "table, .hits";

/// Interactive elements, which handle clicks themselves.
pub const INTERACTIVE_SELECTOR: &str =
    "a, button, input, select, textarea, label, summary, audio, dialog, [role=slider]";

/// Calls `callback` on an event of the window, for the lifetime of the owner.
pub fn listen_on_window<E: EventDescriptor<EventType: JsCast> + 'static>(
    event: E,
    callback: impl Fn(E::EventType) + 'static,
) {
    let listener = window_event_listener(event, callback);
    on_cleanup(move || listener.remove());
}

pub fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// Returns the element itself or its nearest ancestor that matches `selector`.
pub fn closest(element: &Element, selector: &str) -> Option<Element> {
    element.closest(selector).ok().flatten()
}

/// Returns the first descendant that matches `selector`.
pub fn find_first(root: &Element, selector: &str) -> Option<Element> {
    root.query_selector(selector).ok().flatten()
}

/// Scrolls an element into view with the least movement; does nothing if it is visible.
pub fn scroll_into_view(element: &Element) {
    let scroll_options = ScrollIntoViewOptions::new();
    scroll_options.set_block(ScrollLogicalPosition::Nearest);
    scroll_options.set_inline(ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&scroll_options);
}
