//! Switch between light, dark and the system's theme.

use leptos::prelude::*;

use crate::components::segments::{Segments, segment};
use crate::texts::shell;
use crate::theme::{Theme, use_theme};

#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let choice = use_theme();
    let themes = Theme::ALL.map(|theme| segment(theme, theme.label(), theme.name()));
    let chosen = Signal::derive(move || choice.get());
    view! { <Segments label=shell::theme() segments=themes.into() chosen on_choose=move |theme| choice.set(theme) test="theme" /> }
}
