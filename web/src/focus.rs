//! Keyboard focus management.

use js_sys::Array;
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, FocusOptions, HtmlElement, MutationObserver, MutationObserverInit};

use crate::components::list::row_keys::{LIST, ROW, USED};
use crate::dom::{closest, find, target};

/// Elements that show a fault, and the inputs inside them.
const FIELD: &str = ".field, fieldset, .condition";
const INPUT: &str = "input, select, textarea";

const OPEN_DIALOG: &str = "dialog[open]";

/// Moves the focus to the element with this id, after the next render.
pub fn focus_soon(id: String) {
    request_animation_frame(move || go_to(document().get_element_by_id(&id)));
}

/// Finds the element with this id and its nearest ancestor that matches `part`, and moves the focus to the first element in
/// there that matches `css`. Runs after the next render.
pub fn next_soon(id: String, part: &'static str, css: &'static str) {
    request_animation_frame(move || {
        let part = document().get_element_by_id(&id).and_then(|element| element.closest(part).ok().flatten());
        go_to(part.and_then(|part| find(&part, css)));
    });
}

/// Moves the focus to the first element in `part` that matches `css`, after the next render.
pub fn first_soon(part: NodeRef<Div>, css: &'static str) {
    request_animation_frame(move || go_to(part.get_untracked().and_then(|part| find(&part, css))));
}

/// First element to focus in a dialog: skips the header and notices.
const FIRST: &str =
    ":scope > :not(.dialog-head) :is(input, select, textarea, button, a[href]):not(:disabled, .notice *)";

/// Moves the focus into the open dialog after the next render: to the element with `autofocus`, or else to the first one below
/// the header. Leaves the focus alone if the user has moved it. Browsers handle `autofocus` only for elements that exist when
/// the dialog opens.
pub fn into_dialog_soon() {
    request_animation_frame(|| {
        let dialog = document().document_element().and_then(|page| find(&page, OPEN_DIALOG));
        let Some(dialog) = dialog else { return };
        if now().is_none_or(|element| element.matches("dialog, .dialog-head *") == Ok(true)) {
            go_to(find(&dialog, "[autofocus]").or_else(|| find(&dialog, FIRST)));
        }
    });
}

/// Moves the focus to the search of the current list. Returns false if the page has none.
pub fn to_search() -> bool {
    let search = document().query_selector("main :is([role=search], nav) input[type=search]").ok().flatten();
    let is_there = search.is_some();
    go_to(search);
    is_there
}

/// Id of the element with the page's content.
pub const CONTENT: &str = "main";

/// The focused element, and its place in a list if it is in one.
type Focused = (Element, Option<RowPlace>);

/// Position of a control in a list row.
#[derive(Clone)]
struct RowPlace {
    list: Element,
    /// Id of the item that the row shows.
    id: String,
    /// Index of the control in the row.
    number: u32,
}

impl RowPlace {
    fn of(element: &Element) -> Option<Self> {
        let row = closest(element, ROW)?;
        let used = row.query_selector_all(USED).ok()?;
        let number = (0..used.length()).find(|number| used.item(*number).is_some_and(|one| one == **element))?;
        Some(Self { list: closest(&row, LIST)?, id: row.get_attribute("data-id")?, number })
    }

    /// Returns the control that is at this position now; `None` if the row was removed.
    fn thing(&self) -> Option<HtmlElement> {
        let row = find(&self.list, &format!("{ROW}[data-id='{}']", self.id)).filter(|row| row.is_connected())?;
        row.query_selector_all(USED).ok()?.item(self.number)?.dyn_into().ok()
    }
}

/// Keeps the keyboard focus in the content for the lifetime of the owner. If the focused element is removed, the focus moves to
/// the content. List rows are reused when items come or go, so the focus follows the item of its row.
pub fn listen() {
    let last = StoredValue::new_local(None::<Focused>);
    let focused = window_event_listener(ev::focusin, move |event| {
        last.set_value(target(&event).map(|element| (element.clone(), RowPlace::of(&element))));
    });
    let changed = Closure::<dyn Fn()>::new(move || {
        let Some((element, place)) = last.try_get_value().flatten() else { return };
        let (is_there, has_focus) = (element.is_connected(), now().is_some_and(|now| *now == element));
        match place.and_then(|place| place.thing()).filter(|thing| **thing != element) {
            // The element is in the page and is focusable.
            Some(thing) if has_focus || !is_there => _ = thing.focus_with_options(&still()),
            _ if !is_there => {
                last.set_value(None);
                keep();
            }
            _ => {}
        }
    });
    let observer = MutationObserver::new(changed.as_ref().unchecked_ref()).expect("the callback is a function");
    let all = MutationObserverInit::new();
    all.set_child_list(true);
    all.set_attribute_filter(&Array::of1(&"data-id".into()));
    all.set_subtree(true);
    observer.observe_with_options(&document(), &all).expect("what is watched is chosen");
    let watch = StoredValue::new_local((observer, changed));
    on_cleanup(move || {
        focused.remove();
        watch.with_value(|(observer, _)| observer.disconnect());
    });
}

/// Moves the focus to the content if the focused element was removed, so that the next key acts on the page.
pub fn keep() {
    let content = document().get_element_by_id(CONTENT).and_then(|content| content.dyn_into::<HtmlElement>().ok());
    if let Some(content) = content.filter(|_| now().is_none()) {
        // The focus stays at the document on failure.
        _ = content.focus_with_options(&still());
    }
}

/// Calls [`keep`] after the next render.
pub fn keep_soon() {
    request_animation_frame(keep);
}

/// Options that move the focus without scrolling.
pub fn still() -> FocusOptions {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    options
}

/// Returns the focused element; `None` if the focus is at the document or at the content as a whole.
pub fn now() -> Option<HtmlElement> {
    let element = document().active_element()?.dyn_into::<HtmlElement>().ok()?;
    Some(element).filter(|element| document().body().as_ref() != Some(element) && element.id() != CONTENT)
}

/// Moves the focus to the first input with a fault after the next render, or back to `before` if no input has one. Does nothing
/// if the user has moved the focus.
pub fn to_fault_soon(before: Option<HtmlElement>) {
    request_animation_frame(move || {
        if now().is_some_and(|element| Some(&element) != before.as_ref()) {
            return;
        }
        if let Some(element) = faulty().or(before) {
            // If the element was removed, the focus stays where it is.
            _ = element.focus();
        }
    });
}

/// First visible input with a fault, inside the open dialog if there is one.
fn faulty() -> Option<HtmlElement> {
    let page = document().document_element()?;
    let inside = find(&page, OPEN_DIALOG).unwrap_or(page);
    let field = find(&inside, ".field-fault")?.closest(FIELD).ok()??;
    find(&field, INPUT)?.dyn_into().ok()
}

/// Moves the focus, if the element is focusable.
fn go_to(element: Option<Element>) {
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        _ = element.focus();
    }
}
