//! Command palette: the handle to open it, and its button. The dialog is loaded on first use.

mod dialog;
pub mod dialogs;

pub use dialog::{PaletteAction, PaletteDialog, PaletteEntry};

use leptos::prelude::*;

use crate::i18n::keyboard::modifier_label;
use crate::i18n::texts::shell as texts;
use crate::ui::{Glyph, Icon};

/// State of the palette and of the list of shortcuts. A `Copy` handle.
#[derive(Clone, Copy, Default)]
pub struct Palette {
    pub is_open: RwSignal<bool>,
    /// Text of the input.
    pub query: RwSignal<String>,
    /// True while the list of shortcuts is open.
    pub shortcuts_open: RwSignal<bool>,
}

impl Palette {
    /// Opens the palette with an empty input, or closes it.
    pub fn toggle(self) {
        self.query.set(String::new());
        self.is_open.update(|open| *open = !*open);
    }
}

/// Returns the panel's palette.
pub fn use_palette() -> Palette {
    expect_context()
}

/// Button that opens the palette and shows its keyboard shortcut.
#[component]
pub fn PaletteButton() -> impl IntoView {
    let palette = use_palette();
    view! {
        <button
            type="button"
            class="line palette-button"
            aria-haspopup="dialog"
            aria-keyshortcuts="Control+K Meta+K"
            title=texts::button_title()
            data-test="open-palette"
            on:click=move |_| palette.toggle()
        >
            <Icon glyph=Glyph::Search />
            <span class="palette-button-text">{texts::button()}</span>
            <kbd aria-hidden="true">{modifier_label()} " K"</kbd>
        </button>
    }
}
