//! Switches for the language and the theme of the panel.

use leptos::prelude::*;

use crate::i18n::locale::choose;
use crate::i18n::texts::shell;
use crate::i18n::{Language, language};
use crate::state::{Theme, use_theme};
use crate::ui::{SegmentedControl, segment};

/// Lists each language by its own name. Choosing one reloads the page; the browser asks for confirmation if there are unsaved changes.
#[component]
pub fn LanguageSwitch() -> impl IntoView {
    let segments = Language::ALL.map(|language| segment(language, language.label(), language.tag())).into();
    let selected = Signal::stored(language());
    let on_choose = move |selected| {
        if selected != language() {
            choose(selected);
        }
    };
    view! { <SegmentedControl label=shell::language() segments selected on_choose test_id="language" /> }
}

/// Switches between light, dark and the system's theme.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let theme = use_theme();
    let segments = Theme::ALL.map(|theme| segment(theme, theme.label(), theme.name())).into();
    let selected = Signal::derive(move || theme.get());
    let on_choose = move |selected| theme.set(selected);
    view! { <SegmentedControl label=shell::theme() segments selected on_choose test_id="theme" /> }
}
