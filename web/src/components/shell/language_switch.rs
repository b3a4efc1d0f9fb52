//! The switch between the languages of the panel.

use leptos::prelude::*;

use crate::components::segments::{Segments, segment};
use crate::language::{Language, choose, language};
use crate::texts::shell;

/// Each language by its own name. The page is loaded again in the one that is chosen; the browser asks before what is
/// unsaved is lost.
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
