//! The command palette: the handle by which any component opens it, and its button. The dialog is of the part that is
//! loaded when somebody opens it.

mod dialog;

pub use dialog::{Deed, Entry, PaletteDialog};

use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::keys::modifier;
use crate::texts::palette as texts;

/// The palette and the list of shortcuts; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Palette {
    pub open: RwSignal<bool>,
    /// What stands in the input.
    pub typed: RwSignal<String>,
    /// Whether the list of shortcuts is open.
    pub keys: RwSignal<bool>,
}

impl Palette {
    /// Closed.
    pub fn new() -> Self {
        Self { open: RwSignal::new(false), typed: RwSignal::new(String::new()), keys: RwSignal::new(false) }
    }

    /// Opens it, with nothing typed; closes it when it is open.
    pub fn toggle(self) {
        self.typed.set(String::new());
        self.open.update(|open| *open = !*open);
    }
}

/// The palette of this panel.
pub fn use_palette() -> Palette {
    expect_context()
}

/// The button that opens the palette and says how to do without it.
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
