//! A button under which something opens: a menu of links, or a note.

use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast;

use super::icon::{Glyph, Icon};

/// On the browser's own `<details>`; Escape, a press elsewhere and a press on a link close it.
#[component]
pub fn DropDown(
    label: &'static str,
    glyph: Glyph,
    test: &'static str,
    /// Only the icon, without a border; the label is its name.
    #[prop(optional)]
    quiet: bool,
    children: Children,
) -> impl IntoView {
    let node = NodeRef::<html::Details>::new();
    let close = move || {
        if let Some(details) = node.get_untracked() {
            details.set_open(false);
        }
    };
    let elsewhere = window_event_listener(ev::click, move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let is_inside = node.try_get_untracked().flatten().is_some_and(|details| details.contains(target.as_deref()));
        let is_link = target.is_some_and(|target| target.closest("a").is_ok_and(|link| link.is_some()));
        if !is_inside || is_link {
            close();
        }
    });
    on_cleanup(move || elsewhere.remove());
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" {
            close();
        }
    };
    let (class, name) = if quiet { ("button button-plain button-icon", Some(label)) } else { ("button", None) };
    view! {
        <details node_ref=node class="drop-down" data-test=test on:keydown=on_key>
            <summary class=class aria-label=name title=name>
                <Icon glyph />
                {(!quiet).then_some(label)}
            </summary>
            <div class="drop-down-box">{children()}</div>
        </details>
    }
}
