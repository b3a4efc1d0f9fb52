//! Buttons: for an action, with only an icon, to submit a form, and with a menu of links or a note.

use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::browser::dom::{closest, find_first, listen_on_window, target};
use crate::browser::focus::focus_element;
use crate::ui::{Glyph, Icon};

/// The button. While `is_busy` or `is_blocked`, it does nothing but keeps the focus, which a disabled button would
/// lose.
#[component]
pub fn Button(
    /// Additional CSS classes.
    #[prop(optional)]
    class: &'static str,
    #[prop(optional)] glyph: Option<Glyph>,
    #[prop(into)] label: Signal<String>,
    #[prop(optional, into)] test_id: Option<String>,
    /// True while the button's own action is running; shows a spinner.
    #[prop(optional, into)]
    is_busy: Signal<bool>,
    #[prop(optional, into)] is_blocked: Signal<bool>,
    /// True if the action isn't available.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    #[prop(into)] on_press: Callback<()>,
) -> impl IntoView {
    let is_inert = move || is_busy.get() || is_blocked.get();
    view! {
        <button
            type="button"
            class=format!("button {class}")
            data-test=test_id
            disabled=disabled
            aria-disabled=move || is_inert().then_some("true")
            on:click=move |_| {
                if !untrack(is_inert) {
                    on_press.run(());
                }
            }
        >
            {move || is_busy.get().then(|| view! { <span class="spinner" aria-hidden="true"></span> })}
            {glyph.map(|glyph| view! { <Icon glyph /> })}
            {label}
        </button>
    }
    .into_any()
}

/// The button, without a border. The label is its accessible name.
#[component]
pub fn IconButton(
    glyph: Glyph,
    #[prop(optional, into)] id: Option<String>,
    #[prop(into)] label: String,
    #[prop(optional, into)] title: Option<String>,
    /// Additional CSS class.
    #[prop(default = "button-small")]
    class: &'static str,
    #[prop(optional)] test_id: Option<&'static str>,
    #[prop(optional, into)] disabled: Signal<bool>,
    #[prop(into)] on_press: Callback<()>,
) -> impl IntoView {
    view! {
        <button
            id=id
            type="button"
            class=format!("button button-plain button-icon {class}")
            aria-label=label
            title=title
            data-test=test_id
            disabled=disabled
            on:click=move |_| on_press.run(())
        >
            <Icon glyph />
        </button>
    }
}

/// The button. While the request is running it shows a spinner and does nothing, but keeps the focus.
#[component]
pub fn SubmitButton(
    /// Id of its form, if the button is outside of it.
    #[prop(optional_no_strip)]
    form: Option<&'static str>,
    #[prop(optional, into)] is_busy: Signal<bool>,
    /// True if the button does nothing for now but keeps the focus, for example when all is saved.
    #[prop(optional, into)]
    is_blocked: Signal<bool>,
    #[prop(optional, into)] disabled: Signal<bool>,
    #[prop(into)] label: Signal<String>,
    test_id: &'static str,
) -> impl IntoView {
    let is_inert = move || is_busy.get() || is_blocked.get();
    view! {
        <button
            type="submit"
            form=form
            class="button button-primary"
            data-test=test_id
            disabled=disabled
            aria-disabled=move || is_inert().then_some("true")
            on:click=move |event| {
                // Ignores the second click of a double click: it was not meant for the button's new action.
                if event.detail() > 1 || untrack(is_inert) {
                    event.prevent_default();
                }
            }
        >
            {move || is_busy.get().then(|| view! { <span class="spinner" aria-hidden="true"></span> })}
            {label}
        </button>
    }
}

/// Button with a menu, based on the browser's `<details>`. Escape, a click outside, and a click on a link or an element
/// with `data-closes-menu` close the menu. Arrow keys move between its items. The element with `data-initial-focus`
/// takes the focus when the menu opens.
#[component]
pub fn DropDown(
    label: &'static str,
    glyph: Glyph,
    test_id: &'static str,
    /// Shows only the icon, without a border; the label is its accessible name.
    #[prop(optional)]
    is_icon_only: bool,
    /// Content of the button instead of the label. The command palette still uses the label.
    #[prop(optional, into)]
    button_content: Option<ViewFn>,
    children: Children,
) -> impl IntoView {
    let node = NodeRef::<html::Details>::new();
    let close = move || {
        if let Some(details) = node.get_untracked() {
            details.set_open(false);
        }
    };
    listen_on_window(ev::click, move |event| {
        let target = target(&event);
        let is_inside = node.try_get_untracked().flatten().is_some_and(|details| details.contains(target.as_deref()));
        let should_close = target.is_some_and(|target| closest(&target, "a, [data-closes-menu]").is_some());
        if !is_inside || should_close {
            close();
        }
    });
    let on_key = move |event: ev::KeyboardEvent| {
        let Some(details) = node.get_untracked().filter(|details| details.open()) else { return };
        match event.key().as_str() {
            "Escape" => {
                event.prevent_default();
                details.set_open(false);
                focus_element(find_first(&details, "summary"));
            }
            "ArrowDown" => move_focus(&event, &details, 1),
            "ArrowUp" => move_focus(&event, &details, -1),
            _ => {}
        }
    };
    let on_toggle = move |_| {
        if let Some(details) = node.get_untracked().filter(|details| details.open()) {
            focus_element(find_first(&details, "[data-initial-focus]"));
        }
    };
    let (class, name) = if is_icon_only { ("button button-plain button-icon", Some(label)) } else { ("button", None) };
    let button_content = match button_content {
        Some(button_content) => (move || button_content.run()).into_any(),
        None => (!is_icon_only).then_some(label).into_any(),
    };
    view! {
        <details node_ref=node class="drop-down" data-test=test_id on:keydown=on_key on:toggle=on_toggle>
            <summary class=class aria-label=name title=name data-name=label>
                <Icon glyph />
                {button_content}
            </summary>
            <div class="drop-down-box">{children()}</div>
        </details>
    }
}

/// Moves the focus by `offset` items.
fn move_focus(event: &ev::KeyboardEvent, details: &Element, offset: isize) {
    let Ok(nodes) = details.query_selector_all("summary, .drop-down-box :is(a, button, input)") else { return };
    let items: Vec<Element> = (0..nodes.length()).filter_map(|index| nodes.get(index)?.dyn_into().ok()).collect();
    let position = document().active_element().and_then(|active| items.iter().position(|item| *item == active));
    if let Some(next) =
        position.and_then(|position| position.checked_add_signed(offset)).and_then(|next| items.get(next))
    {
        event.prevent_default();
        focus_element(Some(next.clone()));
    }
}
