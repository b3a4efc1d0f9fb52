//! Light or dark theme: the user's choice in this browser, or the browser's preference.

use leptos::prelude::*;

use crate::browser::storage::local_storage;
use crate::i18n::texts::shell;

/// The user's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Follows the operating system.
    System,
    Light,
    Dark,
}

const STORAGE_KEY: &str = "leadscribe.theme";

impl Theme {
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::System => shell::theme_system(),
            Self::Light => shell::theme_light(),
            Self::Dark => shell::theme_dark(),
        }
    }
}

/// Theme of this panel. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct ThemeChoice(RwSignal<Theme>);

impl ThemeChoice {
    /// Reads the stored choice.
    pub fn new() -> Self {
        Self(RwSignal::new(stored_theme()))
    }

    pub fn get(self) -> Theme {
        self.0.get()
    }

    /// Applies a theme and stores it in this browser.
    pub fn set(self, theme: Theme) {
        apply_and_store(theme);
        self.0.set(theme);
    }
}

/// Returns the theme of this panel.
pub fn use_theme() -> ThemeChoice {
    expect_context()
}

/// Returns the stored choice. web/theme.js has applied it.
fn stored_theme() -> Theme {
    let name = local_storage().and_then(|storage| storage.get_item(STORAGE_KEY).ok().flatten());
    Theme::ALL.into_iter().find(|theme| Some(theme.name()) == name.as_deref()).unwrap_or(Theme::System)
}

fn apply_and_store(theme: Theme) {
    let root = web_sys::window().and_then(|window| window.document()).and_then(|document| document.document_element());
    if let Some(root) = root {
        // If the browser refuses the attribute or the storage, the theme stays as it is.
        let _ = match theme {
            Theme::System => root.remove_attribute("data-theme"),
            chosen => root.set_attribute("data-theme", chosen.name()),
        };
    }
    if let Some(storage) = local_storage() {
        let _ = match theme {
            Theme::System => storage.remove_item(STORAGE_KEY),
            chosen => storage.set_item(STORAGE_KEY, chosen.name()),
        };
    }
}
