//! Switch between light, dark and the system's theme.

use leptos::prelude::*;

use crate::i18n::texts::shell;
use crate::state::theme::{Theme, use_theme};
use crate::ui::segmented_control::{SegmentedControl, segment};

#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let theme_setting = use_theme();
    let themes = Theme::ALL.map(|theme| segment(theme, theme.label(), theme.name()));
    let selected = Signal::derive(move || theme_setting.get());
    view! { <SegmentedControl label=shell::theme() segments=themes.into() selected on_choose=move |theme| theme_setting.set(theme) test_id="theme" /> }
}
