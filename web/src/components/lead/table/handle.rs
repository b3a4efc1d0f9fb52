//! Resize handle at the edge of a column header.

use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

use super::widths::{MOST, Widths, least};
use crate::texts::lead_table as texts;

/// Step in pixels of an arrow key, and with Shift.
const STEP: f64 = 16.0;
const LEAP: f64 = 64.0;

/// Start of a drag: pointer position and column width.
#[derive(Clone, Copy)]
struct Grip {
    pointer: f64,
    width: f64,
}

/// The handle. It must be inside the header of its column, which names the column in `data-column`.
#[component]
pub fn WidthHandle(
    /// Name of the column among the widths.
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
    // The natural width is known after rendering.
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
        // Without pointer capture, the drag ends when the pointer leaves the handle.
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

/// Columns of a header row with their widths.
fn columns_beside(head: &Element) -> Vec<(String, f64)> {
    let Some(heads) = head.parent_element().map(|row| row.children()) else { return Vec::new() };
    let heads = (0..heads.length()).filter_map(|place| heads.item(place));
    heads.filter_map(|head| Some((head.get_attribute("data-column")?, width_of(&head)))).collect()
}

/// Natural width of a column: nothing is cut off or wrapped.
fn wanted_width(head: &Element) -> Option<f64> {
    let table = head.closest("table").ok()??.unchecked_into::<Element>();
    // No frame is painted between the two changes.
    let classes = table.class_list();
    classes.add_1("is-natural").ok()?;
    let width = width_of(head).ceil();
    classes.remove_1("is-natural").ok()?;
    Some(width)
}
