//! The engine's sentences: what stands in them between backticks is code.

use leadscribe_engine::fault::Fault;
use leptos::prelude::*;

use crate::api::sentence;
use crate::faults::{detail_at_input, detail_of, hint_of};

/// A line of the engine as a sentence, with names and values set as code.
pub fn prose(line: &str) -> impl IntoView + use<> {
    with_code(&sentence(line))
}

/// A text as it is, with names and values set as code.
pub fn with_code(text: &str) -> impl IntoView + use<> {
    text.split('`')
        .enumerate()
        .map(|(place, part)| {
            let part = part.to_owned();
            if place % 2 == 1 { view! { <code>{part}</code> }.into_any() } else { part.into_any() }
        })
        .collect_view()
}

/// What is wrong.
pub fn detail(fault: &Fault) -> impl IntoView + use<> {
    prose(&detail_of(fault))
}

/// The same at an input.
pub fn detail_beside(fault: &Fault) -> impl IntoView + use<> {
    prose(&detail_at_input(fault))
}

/// What would cure it, after a blank.
pub fn hint(fault: &Fault) -> Option<impl IntoView + use<>> {
    let hint = hint_of(fault)?;
    Some(view! { " " {prose(&hint)} })
}

/// The same as plain text, for titles.
pub fn plain(line: &str) -> String {
    sentence(line).replace('`', "")
}
