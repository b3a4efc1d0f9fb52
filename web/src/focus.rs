//! Where the keyboard goes on.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// What a fault stands at, and what is typed or chosen in it.
const FIELD: &str = ".field, fieldset, .condition";
const INPUT: &str = "input, select, textarea";

/// Moves the focus to the element with this id, once what changed is drawn.
pub fn focus_soon(id: String) {
    request_animation_frame(move || {
        let element = document().get_element_by_id(&id).and_then(|element| element.dyn_into::<HtmlElement>().ok());
        if let Some(element) = element {
            // An element that can't be focused leaves the focus where it was.
            let _ = element.focus();
        }
    });
}

/// What has the focus; nothing when it is at the page as a whole.
pub fn now() -> Option<HtmlElement> {
    let element = document().active_element()?.dyn_into::<HtmlElement>().ok()?;
    Some(element).filter(|element| document().body().as_ref() != Some(element))
}

/// Moves the focus to what the first fault is about, or back to `before` where no fault stands at an input, once they are drawn.
/// It stays where somebody has gone meanwhile.
pub fn to_fault_soon(before: Option<HtmlElement>) {
    request_animation_frame(move || {
        if now().is_some_and(|element| Some(&element) != before.as_ref()) {
            return;
        }
        if let Some(element) = faulty().or(before) {
            // What is gone since leaves the focus where it was.
            _ = element.focus();
        }
    });
}

/// The input at the first fault in sight, of a dialog if one is open.
fn faulty() -> Option<HtmlElement> {
    let find = |inside: &Element, css: &str| inside.query_selector(css).ok().flatten();
    let page = document().document_element()?;
    let inside = find(&page, "dialog[open]").unwrap_or(page);
    let field = find(&inside, ".field-fault")?.closest(FIELD).ok()??;
    find(&field, INPUT)?.dyn_into().ok()
}
