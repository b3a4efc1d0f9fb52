//! DOM helpers.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Returns the target element of an event.
pub fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// Returns the element itself or its nearest ancestor that matches `css`.
pub fn closest(element: &Element, css: &str) -> Option<Element> {
    element.closest(css).ok().flatten()
}

/// Returns the first descendant that matches `css`.
pub fn find(inside: &Element, css: &str) -> Option<Element> {
    inside.query_selector(css).ok().flatten()
}

/// Scrolls an element into view with the least movement; does nothing if it is visible.
pub fn bring_into_sight(element: &Element) {
    let nearest = ScrollIntoViewOptions::new();
    nearest.set_block(ScrollLogicalPosition::Nearest);
    nearest.set_inline(ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&nearest);
}
