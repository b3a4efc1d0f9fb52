//! Switch between the languages of the panel.

use leptos::prelude::*;

use crate::components::segments::{Segments, segment};
use crate::language::{Language, choose, language};
use crate::texts::shell;

/// Lists each language by its own name. Choosing one reloads the page; the browser asks for confirmation if there are unsaved changes.
#[component]
pub fn LanguageSwitch() -> impl IntoView {
    let languages = Language::ALL.map(|language| segment(language, language.label(), language.tag()));
    let on_choose = move |chosen| {
        if chosen != language() {
            choose(chosen);
        }
    };
    view! {
        <Segments
            label=shell::language()
            segments=languages.into()
            chosen=Signal::stored(language())
            on_choose
            test="language"
        />
    }
}
