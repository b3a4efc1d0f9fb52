//! Descriptions of the document: paragraphs, with code between backticks.

use leptos::prelude::*;

/// The paragraphs of a text. Lines within one are filled anew.
pub fn paragraphs(text: &str) -> impl IntoView + use<> {
    let paragraphs = text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    paragraphs.map(|paragraph| view! { <p>{with_code(paragraph)}</p> }).collect_view()
}

/// A line, with code between backticks.
pub fn with_code(line: &str) -> impl IntoView + use<> {
    let parts = line.split('`').enumerate().map(|(place, part)| {
        let part = part.replace('\n', " ");
        if place % 2 == 1 { view! { <code>{part}</code> }.into_any() } else { part.into_any() }
    });
    parts.collect_view()
}
