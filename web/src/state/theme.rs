//! Light or dark theme: the user's choice in this browser, or the browser's preference.

use leptos::prelude::*;

use crate::browser::storage;
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
    /// Reads the stored choice, which web/theme.js has applied.
    pub fn new() -> Self {
        let name = storage::load_text(STORAGE_KEY);
        let stored = Theme::ALL.into_iter().find(|theme| Some(theme.name()) == name.as_deref());
        Self(RwSignal::new(stored.unwrap_or(Theme::System)))
    }

    pub fn get(self) -> Theme {
        self.0.get()
    }

    /// Applies a theme and stores it in this browser.
    pub fn set(self, theme: Theme) {
        let root = document().document_element();
        // If the browser refuses the attribute, the theme stays as it is.
        if theme == Theme::System {
            _ = root.map(|root| root.remove_attribute("data-theme"));
            storage::remove(STORAGE_KEY);
        } else {
            _ = root.map(|root| root.set_attribute("data-theme", theme.name()));
            storage::store_text(STORAGE_KEY, theme.name());
        }
        self.0.set(theme);
    }
}

pub fn use_theme() -> ThemeChoice {
    expect_context()
}
