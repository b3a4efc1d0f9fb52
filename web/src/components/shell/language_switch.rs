//! Switch between the languages of the panel.

use leptos::prelude::*;

use crate::components::segmented_control::{SegmentedControl, segment};
use crate::language::{Language, choose, language};
use crate::texts::shell;

/// Lists each language by its own name. Choosing one reloads the page; the browser asks for confirmation if there are unsaved changes.
#[component]
pub fn LanguageSwitch() -> impl IntoView {
    let languages = Language::ALL.map(|language| segment(language, language.label(), language.tag()));
    let on_choose = move |selected| {
        if selected != language() {
            choose(selected);
        }
    };
    view! {
        <SegmentedControl
            label=shell::language()
            segments=languages.into()
            selected=Signal::stored(language())
            on_choose
            test_id="language"
        />
    }
}
