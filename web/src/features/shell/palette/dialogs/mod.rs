//! Command palette and global shortcuts. The content of the palette is loaded on demand.

mod contents;
mod page_actions;
mod search;

use std::cell::Cell;
use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::browser::focus;
use crate::features::shell::palette::use_palette;
use crate::features::shell::{GO_PREFIX, use_navigation_entries};
use crate::i18n::keyboard::should_handle_key;
use crate::navigation::guard::NavigationGuard;

/// Maximum time between `g` and the letter of a page, in milliseconds.
const SEQUENCE_TIMEOUT_MS: f64 = 1_500.0;

#[component]
pub fn CommandPalette() -> impl IntoView {
    let palette = use_palette();
    let navigate = use_navigate();
    let navigation_guard = expect_context::<NavigationGuard>();
    let navigate_to = Callback::new(move |path: String| {
        if !navigation_guard.blocks_path(&path) {
            navigate(&path, NavigateOptions::default());
        }
    });
    listen_for_shortcuts(navigate_to);
    let was_opened =
        Memo::new(move |previous| previous == Some(&true) || palette.is_open.get() || palette.shortcuts_open.get());
    move || was_opened.get().then(|| contents::command_palette(navigate_to))
}

/// Handles global shortcuts.
fn listen_for_shortcuts(navigate_to: Callback<String>) {
    let (palette, pages) = (use_palette(), use_navigation_entries());
    let prefix_pressed_at = Rc::new(Cell::new(f64::NEG_INFINITY));
    let listener = window_event_listener(ev::keydown, move |event| {
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
            navigate_to.run(page.path.to_owned());
        }
    });
    on_cleanup(move || listener.remove());
}
