//! The rows of the list as the page has them: where they stand, and which one the keyboard is at.

use std::ops::Range;

use js_sys::Reflect;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlDivElement};

use super::heights::CHUNK;

/// The chunks in the page, each with its number.
pub(super) fn chunks(node: &HtmlDivElement) -> Vec<(u64, Element)> {
    let Ok(found) = node.query_selector_all("[data-chunk]") else { return Vec::new() };
    let found = (0..found.length()).filter_map(|place| found.item(place)?.dyn_into::<Element>().ok());
    found.filter_map(|chunk| Some((chunk.get_attribute("data-chunk")?.parse().ok()?, chunk))).collect()
}

/// A row in the page, or what holds its place.
pub(super) fn row_at(node: &HtmlDivElement, row: u64) -> Option<Element> {
    let chunk = node.query_selector(&format!("[data-chunk='{}']", row / CHUNK)).ok()??;
    chunk.children().item((row % CHUNK) as u32)
}

/// Where rows begin to be in sight, in the window: below the head, which stays in place.
pub(super) fn view_top(node: &HtmlDivElement) -> f64 {
    let head = node.query_selector("thead").ok().flatten().map(|head| head.get_bounding_client_rect().height());
    // The cards of a phone have a head for screen readers only, of one pixel.
    node.get_bounding_client_rect().top() + head.filter(|height| *height > 2.0).unwrap_or_default()
}

/// How far somebody scrolled, to the fraction of a pixel.
pub(super) fn scrolled(node: &HtmlDivElement) -> f64 {
    Reflect::get(node, &"scrollTop".into()).ok().and_then(|top| top.as_f64()).unwrap_or_default()
}

/// Lets the keyboard stay in the list when the row it was at goes out of the page.
pub(super) fn keep_focus(node: &HtmlDivElement, drawn: &Range<u64>) {
    let focused = document().active_element().and_then(|focused| focused.closest("[data-chunk]").ok().flatten());
    let chunk = focused.and_then(|chunk| chunk.get_attribute("data-chunk")?.parse().ok());
    if chunk.is_some_and(|chunk| !drawn.contains(&chunk)) {
        let options = FocusOptions::new();
        options.set_prevent_scroll(true);
        // It can be focused, as its tabindex says.
        let _ = node.focus_with_options(&options);
    }
}
