//! Command palette: the handle to open it, and its button. The dialog is loaded on first use.

mod dialog;

pub use dialog::{Deed, Entry, PaletteDialog};

use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::keys::modifier;
use crate::texts::palette as texts;

/// State of the palette and of the list of shortcuts. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Palette {
    pub open: RwSignal<bool>,
    /// Text of the input.
    pub typed: RwSignal<String>,
    /// True while the list of shortcuts is open.
    pub keys: RwSignal<bool>,
}

impl Palette {
    /// Closed initially.
    pub fn new() -> Self {
        Self { open: RwSignal::new(false), typed: RwSignal::new(String::new()), keys: RwSignal::new(false) }
    }

    /// Opens the palette with an empty input, or closes it.
    pub fn toggle(self) {
        self.typed.set(String::new());
        self.open.update(|open| *open = !*open);
    }
}

/// The panel's palette.
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
            class="palette-button"
            aria-haspopup="dialog"
            aria-keyshortcuts="Control+K Meta+K"
            title=texts::button_title()
            data-test="open-palette"
            on:click=move |_| palette.toggle()
        >
            <Icon glyph=Glyph::Search />
            <span class="palette-button-text">{texts::button()}</span>
            <kbd aria-hidden="true">{modifier()} " K"</kbd>
        </button>
    }
    .into_any()
}
