//! DOM access to the rendered rows: their positions and the focused row.

use std::ops::Range;

use js_sys::Reflect;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlDivElement};

use super::chunk_heights::CHUNK_ROWS;

/// Rendered chunks with their numbers.
pub(super) fn chunks(node: &HtmlDivElement) -> Vec<(u64, Element)> {
    let Ok(nodes) = node.query_selector_all("[data-chunk]") else { return Vec::new() };
    let nodes = (0..nodes.length()).filter_map(|index| nodes.item(index)?.dyn_into::<Element>().ok());
    nodes.filter_map(|chunk| Some((chunk.get_attribute("data-chunk")?.parse().ok()?, chunk))).collect()
}

/// Element of a row or of its placeholder.
pub(super) fn row_at(node: &HtmlDivElement, row: u64) -> Option<Element> {
    let chunk = node.query_selector(&format!("[data-chunk='{}']", row / CHUNK_ROWS)).ok()??;
    chunk.children().item((row % CHUNK_ROWS) as u32)
}

/// Top of the visible rows in the window: below the sticky header.
pub(super) fn view_top(node: &HtmlDivElement) -> f64 {
    let header_height = node
        .query_selector("thead")
        .ok()
        .flatten()
        .map(|header_height| header_height.get_bounding_client_rect().height());
    // Rows are cards on a phone. The header is then one pixel high, for screen readers only.
    node.get_bounding_client_rect().top() + header_height.filter(|height| *height > 2.0).unwrap_or_default()
}

/// Scroll position, including fractions of a pixel.
pub(super) fn scroll_top(node: &HtmlDivElement) -> f64 {
    Reflect::get(node, &"scrollTop".into()).ok().and_then(|top| top.as_f64()).unwrap_or_default()
}

/// Moves the focus to the list before the focused row is removed.
pub(super) fn keep_focus(node: &HtmlDivElement, rendered_chunks: &Range<u64>) {
    let focused = document().active_element().and_then(|focused| focused.closest("[data-chunk]").ok().flatten());
    let chunk = focused.and_then(|chunk| chunk.get_attribute("data-chunk")?.parse().ok());
    if chunk.is_some_and(|chunk| !rendered_chunks.contains(&chunk)) {
        let options = FocusOptions::new();
        options.set_prevent_scroll(true);
        // Can't fail: the element has a tabindex.
        let _ = node.focus_with_options(&options);
    }
}
