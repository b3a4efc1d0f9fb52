//! Where the keyboard goes on.

use js_sys::Array;
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, FocusOptions, HtmlElement, MutationObserver, MutationObserverInit};

use crate::components::list::row_keys::{LIST, ROW, USED};
use crate::dom::{closest, find, target};

/// What a fault stands at, and what is typed or chosen in it.
const FIELD: &str = ".field, fieldset, .condition";
const INPUT: &str = "input, select, textarea";

const OPEN_DIALOG: &str = "dialog[open]";

/// Moves the focus to the element with this id, once what changed is drawn.
pub fn focus_soon(id: String) {
    request_animation_frame(move || go_to(document().get_element_by_id(&id)));
}

/// Moves the focus to the first of `css` in the `part` of the page that holds the element with this id, once what changed is
/// drawn.
pub fn next_soon(id: String, part: &'static str, css: &'static str) {
    request_animation_frame(move || {
        let part = document().get_element_by_id(&id).and_then(|element| element.closest(part).ok().flatten());
        go_to(part.and_then(|part| find(&part, css)));
    });
}

/// Moves the focus to the first of `css` in a part of the page, once what changed is drawn.
pub fn first_soon(part: NodeRef<Div>, css: &'static str) {
    request_animation_frame(move || go_to(part.get_untracked().and_then(|part| find(&part, css))));
}

/// What a dialog begins with: what stands first below its head and is no remark.
const FIRST: &str =
    ":scope > :not(.dialog-head) :is(input, select, textarea, button, a[href]):not(:disabled, .notice *)";

/// Moves the focus into the open dialog, once it is drawn: to what asks for it, or else past the cross at its head, unless somebody
/// chose where it is. Browsers see to what asks for it only where that is drawn before the dialog opens.
pub fn into_dialog_soon() {
    request_animation_frame(|| {
        let dialog = document().document_element().and_then(|page| find(&page, OPEN_DIALOG));
        let Some(dialog) = dialog else { return };
        if now().is_none_or(|element| element.matches("dialog, .dialog-head *") == Ok(true)) {
            go_to(find(&dialog, "[autofocus]").or_else(|| find(&dialog, FIRST)));
        }
    });
}

/// Moves the focus to the search of the list that is shown; false where there is none.
pub fn to_search() -> bool {
    let search = document().query_selector("main :is([role=search], nav) input[type=search]").ok().flatten();
    let is_there = search.is_some();
    go_to(search);
    is_there
}

/// The element that holds a page's content.
pub const CONTENT: &str = "main";

/// What has the focus, and where in a list that is.
type Focused = (Element, Option<RowPlace>);

/// A place in a row of a list.
#[derive(Clone)]
struct RowPlace {
    list: Element,
    /// What the row is about.
    id: String,
    /// Which of the things in it that can be used.
    number: u32,
}

impl RowPlace {
    fn of(element: &Element) -> Option<Self> {
        let row = closest(element, ROW)?;
        let used = row.query_selector_all(USED).ok()?;
        let number = (0..used.length()).find(|number| used.item(*number).is_some_and(|one| one == **element))?;
        Some(Self { list: closest(&row, LIST)?, id: row.get_attribute("data-id")?, number })
    }

    /// What stands there by now; nothing once the row is gone.
    fn thing(&self) -> Option<HtmlElement> {
        let row = find(&self.list, &format!("{ROW}[data-id='{}']", self.id)).filter(|row| row.is_connected())?;
        row.query_selector_all(USED).ok()?.item(self.number)?.dyn_into().ok()
    }
}

/// Keeps the keyboard in the content as long as the owner is there: whatever had the focus and goes, be it a button that has done
/// its work or a message, leaves it to the content; and in a list, whose rows are drawn in the place of others when some come or go,
/// it stays with what its row was about.
pub fn listen() {
    let last = StoredValue::new_local(None::<Focused>);
    let focused = window_event_listener(ev::focusin, move |event| {
        last.set_value(target(&event).map(|element| (element.clone(), RowPlace::of(&element))));
    });
    let changed = Closure::<dyn Fn()>::new(move || {
        let Some((element, place)) = last.try_get_value().flatten() else { return };
        let (is_there, has_focus) = (element.is_connected(), now().is_some_and(|now| *now == element));
        match place.and_then(|place| place.thing()).filter(|thing| **thing != element) {
            // It is in the page, and can be used as before.
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

/// Moves the focus to the content when what had it is gone: the next key goes on from there.
pub fn keep() {
    let content = document().get_element_by_id(CONTENT).and_then(|content| content.dyn_into::<HtmlElement>().ok());
    if let Some(content) = content.filter(|_| now().is_none()) {
        // It stays at the page as a whole where that fails.
        _ = content.focus_with_options(&still());
    }
}

/// The same, once what changed is drawn.
pub fn keep_soon() {
    request_animation_frame(keep);
}

/// The focus moves without the page.
pub fn still() -> FocusOptions {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    options
}

/// What has the focus; nothing when it is at the page or its content as a whole.
pub fn now() -> Option<HtmlElement> {
    let element = document().active_element()?.dyn_into::<HtmlElement>().ok()?;
    Some(element).filter(|element| document().body().as_ref() != Some(element) && element.id() != CONTENT)
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
    let page = document().document_element()?;
    let inside = find(&page, OPEN_DIALOG).unwrap_or(page);
    let field = find(&inside, ".field-fault")?.closest(FIELD).ok()??;
    find(&field, INPUT)?.dyn_into().ok()
}

/// Moves the focus. What can't be focused leaves it where it was.
fn go_to(element: Option<Element>) {
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        _ = element.focus();
    }
}
