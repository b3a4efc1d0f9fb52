//! Button that opens a menu of links or a note.

use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::components::icon::{Glyph, Icon};

/// Based on the browser's `<details>`. Escape, a click outside, and a click on a link or an element with `data-closes` close it. Arrow keys
/// move between its items. The element with `data-first` takes the focus when it opens.
#[component]
pub fn DropDown(
    label: &'static str,
    glyph: Glyph,
    test: &'static str,
    /// Shows only the icon, without a border; the label is its accessible name.
    #[prop(optional)]
    quiet: bool,
    /// Content of the button instead of the label. The command palette still uses the label.
    #[prop(optional, into)]
    face: Option<ViewFn>,
    children: Children,
) -> impl IntoView {
    let node = NodeRef::<html::Details>::new();
    let close = move || {
        if let Some(details) = node.get_untracked() {
            details.set_open(false);
        }
    };
    let elsewhere = window_event_listener(ev::click, move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let is_inside = node.try_get_untracked().flatten().is_some_and(|details| details.contains(target.as_deref()));
        let closes = target.is_some_and(|target| target.closest("a, [data-closes]").is_ok_and(|one| one.is_some()));
        if !is_inside || closes {
            close();
        }
    });
    on_cleanup(move || elsewhere.remove());
    let on_key = move |event: ev::KeyboardEvent| {
        let Some(details) = node.get_untracked().filter(|details| details.open()) else { return };
        match event.key().as_str() {
            "Escape" => {
                event.prevent_default();
                details.set_open(false);
                focus(&details, "summary");
            }
            "ArrowDown" => step(&event, &details, 1),
            "ArrowUp" => step(&event, &details, -1),
            _ => {}
        }
    };
    let on_toggle = move |_| {
        if let Some(details) = node.get_untracked().filter(|details| details.open()) {
            focus(&details, "[data-first]");
        }
    };
    let (class, name) = if quiet { ("button button-plain button-icon", Some(label)) } else { ("button", None) };
    let face = match face {
        Some(face) => (move || face.run()).into_any(),
        None => (!quiet).then_some(label).into_any(),
    };
    view! {
        <details node_ref=node class="drop-down" data-test=test on:keydown=on_key on:toggle=on_toggle>
            <summary class=class aria-label=name title=name data-name=label>
                <Icon glyph />
                {face}
            </summary>
            <div class="drop-down-box">{children()}</div>
        </details>
    }
}

fn focus(details: &Element, css: &str) {
    if let Some(element) = details.query_selector(css).ok().flatten().and_then(|one| one.dyn_into::<HtmlElement>().ok())
    {
        // Fails only for an element that isn't in the document.
        let _ = element.focus();
    }
}

/// Moves the focus by `by` items.
fn step(event: &ev::KeyboardEvent, details: &Element, by: isize) {
    let Ok(found) = details.query_selector_all("summary, .drop-down-box :is(a, button, input)") else { return };
    let all: Vec<HtmlElement> = (0..found.length()).filter_map(|place| found.get(place)?.dyn_into().ok()).collect();
    let here = document().active_element().and_then(|active| all.iter().position(|one| **one == active));
    if let Some(next) = here.and_then(|here| here.checked_add_signed(by)).and_then(|next| all.get(next)) {
        event.prevent_default();
        // Fails only for an element that isn't in the document.
        let _ = next.focus();
    }
}
