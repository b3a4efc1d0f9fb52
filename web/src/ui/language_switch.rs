//! Switch between the languages of the panel.

use leptos::prelude::*;

use crate::i18n::locale::{Language, choose, language};
use crate::i18n::texts::shell;
use crate::ui::segmented_control::{SegmentedControl, segment};

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
