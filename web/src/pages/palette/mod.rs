//! Command palette and global shortcuts. The content of the palette is loaded on demand.

mod contents;
mod finding;
mod page_deeds;

pub use contents::palette_dialogs;

use std::cell::Cell;
use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::components::shell::PLACES;
use crate::components::shell::palette::use_palette;
use crate::crossroads::Crossroads;
use crate::focus;
use crate::keys::{self, is_meant};
use crate::parts;

/// Maximum time between `g` and the letter of a page, in milliseconds.
const PATIENCE_MS: f64 = 1_500.0;

#[component]
pub fn CommandPalette() -> impl IntoView {
    let palette = use_palette();
    let navigate = use_navigate();
    let crossroads = expect_context::<Crossroads>();
    let go = Callback::new(move |place: String| {
        if !crossroads.holds(&place) {
            navigate(&place, NavigateOptions::default());
        }
    });
    listen(go);
    let is_asked_for = Memo::new(move |before| before == Some(&true) || palette.open.get() || palette.keys.get());
    move || is_asked_for.get().then(|| parts::palette(go))
}

/// Handles global shortcuts.
fn listen(go: Callback<String>) {
    let palette = use_palette();
    let went = Rc::new(Cell::new(f64::NEG_INFINITY));
    let listener = window_event_listener(ev::keydown, move |event| {
        let key = event.key();
        if (event.ctrl_key() || event.meta_key()) && !event.alt_key() && key.eq_ignore_ascii_case("k") {
            event.prevent_default();
            palette.toggle();
            return;
        }
        if !is_meant(&event) {
            return;
        }
        let since = event.time_stamp() - went.replace(f64::NEG_INFINITY);
        if key == "?" {
            event.prevent_default();
            palette.keys.set(true);
        } else if key == "/" && focus::to_search() {
            event.prevent_default();
        } else if key == keys::GO {
            went.set(event.time_stamp());
        } else if since < PATIENCE_MS
            && let Some(place) = keys::place_of(&key).filter(|place| PLACES.iter().any(|(page, ..)| page == place))
        {
            event.prevent_default();
            go.run(place.to_owned());
        }
    });
    on_cleanup(move || listener.remove());
}
