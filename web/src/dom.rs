//! Looking things up in the page.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, ScrollIntoViewOptions, ScrollLogicalPosition};

/// What an event happened to.
pub fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// The nearest of `css` around an element, or it itself.
pub fn closest(element: &Element, css: &str) -> Option<Element> {
    element.closest(css).ok().flatten()
}

/// The first of `css` inside of an element.
pub fn find(inside: &Element, css: &str) -> Option<Element> {
    inside.query_selector(css).ok().flatten()
}

/// Scrolls to an element, no further than it takes to see it; not at all where it is in sight.
pub fn bring_into_sight(element: &Element) {
    let nearest = ScrollIntoViewOptions::new();
    nearest.set_block(ScrollLogicalPosition::Nearest);
    nearest.set_inline(ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&nearest);
}
