//! Keyboard focus management.

use js_sys::Array;
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, FocusOptions, HtmlElement, MutationObserver, MutationObserverInit};

use crate::browser::dom::{
    INTERACTIVE_SELECTOR, LIST_SELECTOR, ROW_SELECTOR, closest, find_first, listen_on_window, target,
};

/// Selector of elements that show the diagnostic of an input inside them.
const FIELD_SELECTOR: &str = ".field, fieldset, .condition";

const INPUT_SELECTOR: &str = "input, select, textarea";

const OPEN_DIALOG_SELECTOR: &str = "dialog[open]";

/// Moves the focus to the element with this id, after the next render.
pub fn focus_after_render(id: String) {
    request_animation_frame(move || focus_element(document().get_element_by_id(&id)));
}

/// Finds the element with this id and its nearest ancestor that matches `ancestor_selector`, and moves the focus to the
/// first element in it that matches `target_selector`. Runs after the next render.
pub fn focus_within_ancestor_after_render(id: String, ancestor_selector: &'static str, target_selector: &'static str) {
    request_animation_frame(move || {
        let ancestor = document().get_element_by_id(&id).and_then(|element| closest(&element, ancestor_selector));
        focus_element(ancestor.and_then(|ancestor| find_first(&ancestor, target_selector)));
    });
}

/// Moves the focus to the first element in `container` that matches `target_selector`, after the next render.
pub fn focus_first_after_render(container: NodeRef<Div>, target_selector: &'static str) {
    request_animation_frame(move || {
        focus_element(container.get_untracked().and_then(|container| find_first(&container, target_selector)))
    });
}

/// First element to focus in a dialog: skips the header and notices.
const FIRST_DIALOG_CONTROL_SELECTOR: &str =
    ":scope > :not(.dialog-header) :is(input, select, textarea, button, a[href]):not(:disabled, .notice *)";

/// Moves the focus into the open dialog after the next render: to the element with `autofocus`, or else to the first
/// one below the header. Leaves the focus alone if the user has moved it. Browsers handle `autofocus` only for elements
/// that exist when the dialog opens.
pub fn focus_dialog_after_render() {
    request_animation_frame(|| {
        let dialog = document().document_element().and_then(|page| find_first(&page, OPEN_DIALOG_SELECTOR));
        let Some(dialog) = dialog else { return };
        if focused_element().is_none_or(|element| element.matches("dialog, .dialog-header *") == Ok(true)) {
            focus_element(
                find_first(&dialog, "[autofocus]").or_else(|| find_first(&dialog, FIRST_DIALOG_CONTROL_SELECTOR)),
            );
        }
    });
}

/// Moves the focus to the search field of the current list. Returns false if the page has none.
pub fn focus_search() -> bool {
    let search = document().query_selector("main :is([role=search], nav) input[type=search]").ok().flatten();
    let has_search = search.is_some();
    focus_element(search);
    has_search
}

/// Id of the element with the page's content.
pub const CONTENT_ID: &str = "main";

/// The focused element, and its position if it is in a list row.
type FocusPosition = (Element, Option<RowControl>);

/// Position of a control in a list row.
#[derive(Clone)]
struct RowControl {
    list: Element,
    /// Id of the item that the row shows.
    item_id: String,
    index: u32,
}

impl RowControl {
    fn find(element: &Element) -> Option<Self> {
        let row = closest(element, ROW_SELECTOR)?;
        let controls = row.query_selector_all(INTERACTIVE_SELECTOR).ok()?;
        let index =
            (0..controls.length()).find(|index| controls.item(*index).is_some_and(|control| control == **element))?;
        Some(Self { list: closest(&row, LIST_SELECTOR)?, item_id: row.get_attribute("data-id")?, index })
    }

    /// Returns the control that is at this position now; `None` if the row was removed.
    fn resolve(&self) -> Option<HtmlElement> {
        let row = find_first(&self.list, &format!("{ROW_SELECTOR}[data-id='{}']", self.item_id))
            .filter(|row| row.is_connected())?;
        row.query_selector_all(INTERACTIVE_SELECTOR).ok()?.item(self.index)?.dyn_into().ok()
    }
}

/// Keeps the keyboard focus in the content for the lifetime of the owner. If the focused element is removed, the focus
/// moves to the content. Lists reuse row elements for other items, so the focus moves to the row that now shows its
/// item.
pub fn track_focus() {
    let last_position = StoredValue::new_local(None::<FocusPosition>);
    listen_on_window(ev::focusin, move |event| {
        last_position.set_value(target(&event).map(|element| (element.clone(), RowControl::find(&element))));
    });
    let on_mutation = Closure::<dyn Fn()>::new(move || {
        let Some((element, row_control)) = last_position.try_get_value().flatten() else { return };
        let (is_connected, has_focus) = (element.is_connected(), focused_element().is_some_and(|now| *now == element));
        match row_control.and_then(|row_control| row_control.resolve()).filter(|control| **control != element) {
            // The element is in the page and is focusable.
            Some(control) if has_focus || !is_connected => _ = control.focus_with_options(&without_scroll()),
            _ if !is_connected => {
                last_position.set_value(None);
                restore_focus();
            }
            _ => {}
        }
    });
    let observer = MutationObserver::new(on_mutation.as_ref().unchecked_ref()).expect("the callback is a function");
    let observer_options = MutationObserverInit::new();
    observer_options.set_child_list(true);
    observer_options.set_attribute_filter(&Array::of1(&"data-id".into()));
    observer_options.set_subtree(true);
    observer.observe_with_options(&document(), &observer_options).expect("the observer options are valid");
    let observer_guard = StoredValue::new_local((observer, on_mutation));
    on_cleanup(move || observer_guard.with_value(|(observer, _)| observer.disconnect()));
}

/// Moves the focus to the content if the focused element was removed, so that the next key acts on the page.
pub fn restore_focus() {
    let content = document().get_element_by_id(CONTENT_ID).and_then(|content| content.dyn_into::<HtmlElement>().ok());
    if let Some(content) = content.filter(|_| focused_element().is_none()) {
        // The focus stays at the document on failure.
        _ = content.focus_with_options(&without_scroll());
    }
}

/// Calls [`restore_focus`] after the next render.
pub fn restore_focus_after_render() {
    request_animation_frame(restore_focus);
}

/// Options that move the focus without scrolling.
pub fn without_scroll() -> FocusOptions {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    options
}

/// Returns the focused element; `None` if the focus is at the document or at the content as a whole.
pub fn focused_element() -> Option<HtmlElement> {
    let element = document().active_element()?.dyn_into::<HtmlElement>().ok()?;
    Some(element).filter(|element| document().body().as_ref() != Some(element) && element.id() != CONTENT_ID)
}

/// Moves the focus to the first input with a diagnostic after the next render, or back to `previous` if no input has
/// one. Does nothing if the user has moved the focus.
pub fn focus_invalid_input_after_render(previous: Option<HtmlElement>) {
    request_animation_frame(move || {
        if focused_element().is_some_and(|element| Some(&element) != previous.as_ref()) {
            return;
        }
        if let Some(element) = first_invalid_input().or(previous) {
            // If the element was removed, the focus stays where it is.
            _ = element.focus();
        }
    });
}

/// First input with a diagnostic, inside the open dialog if there is one.
fn first_invalid_input() -> Option<HtmlElement> {
    let page = document().document_element()?;
    let root = find_first(&page, OPEN_DIALOG_SELECTOR).unwrap_or(page);
    let field = find_first(&root, ".field-error")?.closest(FIELD_SELECTOR).ok()??;
    find_first(&field, INPUT_SELECTOR)?.dyn_into().ok()
}

/// Moves the focus, if the element is focusable.
pub fn focus_element(element: Option<Element>) {
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        _ = element.focus();
    }
}
