//! Renders the engine's sentences; text between backticks is shown as code.

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::api::to_sentence;
use crate::i18n::{localized_detail, localized_input_detail, suggestion_of};

/// Renders an engine message as a sentence, with names and values as code.
pub fn prose(line: &str) -> impl IntoView + use<> {
    with_code(&to_sentence(line))
}

/// Renders a text unchanged, with names and values as code.
pub fn with_code(text: &str) -> impl IntoView + use<> {
    text.split('`')
        .enumerate()
        .map(|(index, part)| {
            let part = part.to_owned();
            if index % 2 == 1 { view! { <code>{part}</code> }.into_any() } else { part.into_any() }
        })
        .collect_view()
}

pub fn detail(diagnostic: &Diagnostic) -> impl IntoView + use<> {
    prose(&localized_detail(diagnostic))
}

/// Message of a diagnostic, as shown at its input.
pub fn field_detail(diagnostic: &Diagnostic) -> impl IntoView + use<> {
    prose(&localized_input_detail(diagnostic))
}

/// Suggested correction, with a leading space.
pub fn suggestion(diagnostic: &Diagnostic) -> Option<impl IntoView + use<>> {
    let suggestion = suggestion_of(diagnostic)?;
    Some(view! { " " {prose(&suggestion)} })
}

/// Returns an engine message as a sentence in plain text, for `title` attributes.
pub fn plain(line: &str) -> String {
    to_sentence(line).replace('`', "")
}
