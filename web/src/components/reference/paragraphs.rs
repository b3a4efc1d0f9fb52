//! Renders descriptions of the OpenAPI document: paragraphs, with code between backticks.

use leptos::prelude::*;

use crate::components::prose::with_code;

/// Paragraphs of a text, which is English in all languages of the panel. Line breaks within a paragraph are ignored.
pub fn paragraphs(text: &str) -> impl IntoView + use<> {
    let paragraphs = text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    paragraphs.map(|paragraph| view! { <p lang="en">{with_code(paragraph)}</p> }).collect_view()
}
