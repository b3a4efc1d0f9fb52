//! The edge of a column's head, by which the column is made wider and narrower.

use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

use super::widths::{MOST, Widths, least};
use crate::texts::lead_table as texts;

/// Pixels that an arrow key moves the edge, and with Shift.
const STEP: f64 = 16.0;
const LEAP: f64 = 64.0;

/// Where a pointer took hold: its place, and how wide the column was.
#[derive(Clone, Copy)]
struct Grip {
    pointer: f64,
    width: f64,
}

/// The edge. It stands inside the head of its column, which names the column in `data-column`.
#[component]
pub fn WidthHandle(
    /// What the column is called among the widths.
    name: String,
    #[prop(into)] label: String,
    widths: Widths,
) -> impl IntoView {
    let node = NodeRef::<html::Span>::new();
    let least = least(&name);
    let name = StoredValue::new(name);
    let seen = RwSignal::new(least);
    let now = move || name.with_value(|name| widths.get(name)).unwrap_or_else(|| seen.get());
    let head = move || node.get_untracked().and_then(|node| node.closest("th").ok().flatten());
    let look = move || {
        if let Some(head) = head() {
            seen.set(width_of(&head).round() as u32);
        }
    };
    // What the content wants is known once it is drawn.
    node.on_load(move |_| request_animation_frame(move || _ = node.try_get_untracked().flatten().map(|_| look())));
    let set = move |width: f64| name.with_value(|name| widths.set(name, width));
    let hold = move || {
        if let Some(head) = head() {
            widths.hold(columns_beside(&head).into_iter());
        }
    };

    let grip = StoredValue::new(None::<Grip>);
    let is_held = RwSignal::new(false);
    let take = move |event: PointerEvent| {
        let (Some(head), Some(node)) = (head(), node.get_untracked()) else { return };
        if event.button() != 0 {
            return;
        }
        event.prevent_default();
        hold();
        grip.set_value(Some(Grip { pointer: f64::from(event.client_x()), width: width_of(&head) }));
        is_held.set(true);
        // Without the capture the edge follows as long as the pointer is over it.
        let _ = node.set_pointer_capture(event.pointer_id());
    };
    let pull = move |event: PointerEvent| {
        if let Some(grip) = grip.get_value() {
            set(grip.width + f64::from(event.client_x()) - grip.pointer);
        }
    };
    let leave = move |_: PointerEvent| {
        if grip.get_value().is_some() {
            grip.set_value(None);
            is_held.set(false);
            widths.settle();
        }
    };
    let fit = move || {
        let Some(wanted) = head().and_then(|head| wanted_width(&head)) else { return };
        set(wanted);
        widths.settle();
    };
    let on_key = move |event: ev::KeyboardEvent| {
        let step = if event.shift_key() { LEAP } else { STEP };
        let step = match event.key().as_str() {
            "ArrowRight" => Some(step),
            "ArrowLeft" => Some(-step),
            "Home" => None,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        match (step, head()) {
            (Some(step), Some(head)) => {
                let before = name.with_value(|name| untrack(|| widths.get(name)));
                set(before.map_or_else(|| width_of(&head), f64::from) + step);
                widths.settle();
            }
            _ => fit(),
        }
    };
    view! {
        <span
            node_ref=node
            class="width-handle"
            class:is-held=is_held
            class:is-chosen=move || name.with_value(|name| widths.get(name)).is_some()
            role="separator"
            aria-orientation="vertical"
            aria-label=texts::width_of(label)
            aria-valuenow=move || now().to_string()
            aria-valuemin=least.to_string()
            aria-valuemax=MOST.to_string()
            tabindex="0"
            title=texts::width_hint()
            data-test="column-width"
            on:pointerdown=take
            on:pointermove=pull
            on:pointerup=leave
            on:pointercancel=leave
            on:dblclick=move |_| fit()
            on:focus=move |_| look()
            on:keydown=on_key
        ></span>
    }
    .into_any()
}

fn width_of(head: &Element) -> f64 {
    head.get_bounding_client_rect().width()
}

/// The columns of a head's row and how wide they are.
fn columns_beside(head: &Element) -> Vec<(String, f64)> {
    let Some(heads) = head.parent_element().map(|row| row.children()) else { return Vec::new() };
    let heads = (0..heads.length()).filter_map(|place| heads.item(place));
    heads.filter_map(|head| Some((head.get_attribute("data-column")?, width_of(&head)))).collect()
}

/// How wide the content of a head's column is where nothing is cut off or put on a second line.
fn wanted_width(head: &Element) -> Option<f64> {
    let table = head.closest("table").ok()??.unchecked_into::<Element>();
    // Nothing is drawn between the two.
    let classes = table.class_list();
    classes.add_1("is-natural").ok()?;
    let width = width_of(head).ceil();
    classes.remove_1("is-natural").ok()?;
    Some(width)
}
