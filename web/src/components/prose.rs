//! The engine's sentences: what stands in them between backticks is code.

use leptos::prelude::*;

use crate::api::sentence;

/// A line of the engine as a sentence, with names and values set as code.
pub fn prose(line: &str) -> impl IntoView + use<> {
    sentence(line)
        .split('`')
        .enumerate()
        .map(|(place, part)| {
            let part = part.to_owned();
            if place % 2 == 1 { view! { <code>{part}</code> }.into_any() } else { part.into_any() }
        })
        .collect_view()
}

/// The same as plain text, for titles.
pub fn plain(line: &str) -> String {
    sentence(line).replace('`', "")
}
