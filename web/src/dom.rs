//! Looking things up in the page.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

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
