//! Where the keyboard goes on.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

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
