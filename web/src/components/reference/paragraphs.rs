//! Descriptions of the document: paragraphs, with code between backticks.

use leptos::prelude::*;

use crate::components::prose::with_code;

/// The paragraphs of a text, which is in English in every panel. Lines within one are filled anew.
pub fn paragraphs(text: &str) -> impl IntoView + use<> {
    let paragraphs = text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    paragraphs.map(|paragraph| view! { <p lang="en">{with_code(paragraph)}</p> }).collect_view()
}
