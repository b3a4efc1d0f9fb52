//! Labels of keys, and the check whether a page may handle a key.

use leptos::ev;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use crate::browser::dom::{closest, listen_on_window, target};
use crate::i18n::texts::{common, shell as texts};

/// True if a page may handle the key: no modifier except Shift is pressed, no other handler has handled it, no input
/// has the focus, and no dialog is open.
pub fn should_handle_key(event: &KeyboardEvent) -> bool {
    let input_selector =
        if event.key() == " " { "input, select, textarea, button, summary, a" } else { "input, select, textarea" };
    let has_modifier = event.ctrl_key() || event.alt_key() || event.meta_key();
    !has_modifier && is_unclaimed(event, input_selector, "dialog[open]")
}

/// Calls `action` on Escape for the lifetime of the owner, unless a dialog or menu is open or an input has the focus.
pub fn on_escape(action: impl Fn() + 'static) {
    listen_on_window(ev::keydown, move |event| {
        let input_selector = "input:not([type=checkbox]), select, textarea";
        if event.key() == "Escape" && is_unclaimed(&event, input_selector, "dialog[open], details[open]") {
            action();
        }
    });
}

/// True if no other handler has handled the event, it isn't inside an input, and no overlay is open.
fn is_unclaimed(event: &KeyboardEvent, input_selector: &str, overlay_selector: &str) -> bool {
    let is_in_input = target(event).is_some_and(|target| closest(&target, input_selector).is_some());
    let is_overlay_open = document().query_selector(overlay_selector).is_ok_and(|overlay| overlay.is_some());
    !event.default_prevented() && !is_in_input && !is_overlay_open
}

/// Label of the modifier key for shortcuts on this platform.
pub fn modifier_label() -> &'static str {
    let is_mac = window().navigator().platform().is_ok_and(|platform| platform.contains("Mac"));
    if is_mac { "⌘" } else { texts::control_key() }
}

/// Label of a key on keyboards of the panel's language.
pub fn key_label(key: &str) -> &str {
    match key {
        "Home" => texts::home_key(),
        "End" => texts::end_key(),
        "Shift" => texts::shift_key(),
        "Space" => common::space_key(),
        other => other,
    }
}
