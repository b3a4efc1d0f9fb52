//! Command palette and global shortcuts. The content of the palette is loaded on demand.

mod contents;
mod search;

use std::cell::Cell;
use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;

use crate::browser::dom::listen_on_window;
use crate::browser::focus;
use crate::features::shell::palette::use_palette;
use crate::features::shell::{GO_PREFIX, use_navigation_entries};
use crate::i18n::keyboard::should_handle_key;
use crate::navigation::guard::Navigation;
use crate::navigation::navigator::Navigator;

/// Maximum time between `g` and the letter of a page, in milliseconds.
const SEQUENCE_TIMEOUT_MS: f64 = 1_500.0;

#[component]
pub fn CommandPalette() -> impl IntoView {
    let palette = use_palette();
    let navigator = Navigator::new();
    listen_for_shortcuts(navigator);
    let was_opened =
        Memo::new(move |previous| previous == Some(&true) || palette.is_open.get() || palette.shortcuts_open.get());
    move || was_opened.get().then(|| contents::command_palette(navigator))
}

/// Handles global shortcuts.
fn listen_for_shortcuts(navigator: Navigator) {
    let (palette, pages) = (use_palette(), use_navigation_entries());
    let prefix_pressed_at = Rc::new(Cell::new(f64::NEG_INFINITY));
    listen_on_window(ev::keydown, move |event| {
        let key = event.key();
        if (event.ctrl_key() || event.meta_key()) && !event.alt_key() && key.eq_ignore_ascii_case("k") {
            event.prevent_default();
            palette.toggle();
            return;
        }
        if !should_handle_key(&event) {
            return;
        }
        let elapsed = event.time_stamp() - prefix_pressed_at.replace(f64::NEG_INFINITY);
        if key == "?" {
            event.prevent_default();
            palette.shortcuts_open.set(true);
        } else if key == "/" && focus::focus_search() {
            event.prevent_default();
        } else if key == GO_PREFIX {
            prefix_pressed_at.set(event.time_stamp());
        } else if elapsed < SEQUENCE_TIMEOUT_MS
            && let Some(page) = pages.iter().find(|page| page.shortcut == key)
        {
            event.prevent_default();
            navigator.go(Navigation::ToPath(page.path.to_owned()));
        }
    });
}
