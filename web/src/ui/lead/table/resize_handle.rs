//! Resize handle at the edge of a column header.

use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

use super::column_widths::{ColumnWidths, MAX_WIDTH, min_width};
use crate::i18n::texts::lead_table as texts;

/// Step in pixels of an arrow key, and with Shift.
const RESIZE_STEP_PX: f64 = 16.0;
const LARGE_RESIZE_STEP_PX: f64 = 64.0;

/// The handle. It must be inside the header of its column, which names the column in `data-column`.
#[component]
pub fn ResizeHandle(
    /// Name of the column among the widths.
    name: String,
    #[prop(into)] label: String,
    widths: ColumnWidths,
) -> impl IntoView {
    let node = NodeRef::<html::Span>::new();
    let min_width = min_width(&name);
    let name = StoredValue::new(name);
    let rendered_width = RwSignal::new(min_width);
    let current_width = move || name.with_value(|name| widths.get(name)).unwrap_or_else(|| rendered_width.get());
    let header = move || node.get_untracked().and_then(|node| node.closest("th").ok().flatten());
    let measure = move || {
        if let Some(header) = header() {
            rendered_width.set(element_width(&header).round() as u32);
        }
    };
    // The natural width is known after rendering.
    node.on_load(move |_| request_animation_frame(move || _ = node.try_get_untracked().flatten().map(|_| measure())));
    let set = move |width: f64| name.with_value(|name| widths.set(name, width));
    let fix_widths = move || {
        if let Some(header) = header() {
            widths.fix(header_widths(&header).into_iter());
        }
    };

    // Position of the pointer and width of the column at the start of a drag.
    let drag_start = StoredValue::new(None::<(f64, f64)>);
    let is_dragging = RwSignal::new(false);
    let on_pointer_down = move |event: PointerEvent| {
        let (Some(header), Some(node)) = (header(), node.get_untracked()) else { return };
        if event.button() != 0 {
            return;
        }
        event.prevent_default();
        fix_widths();
        drag_start.set_value(Some((f64::from(event.client_x()), element_width(&header))));
        is_dragging.set(true);
        // Without pointer capture, the drag ends when the pointer leaves the handle.
        let _ = node.set_pointer_capture(event.pointer_id());
    };
    let on_pointer_move = move |event: PointerEvent| {
        if let Some((pointer_x, width)) = drag_start.get_value() {
            set(width + f64::from(event.client_x()) - pointer_x);
        }
    };
    let on_pointer_up = move |_: PointerEvent| {
        if drag_start.get_value().is_some() {
            drag_start.set_value(None);
            is_dragging.set(false);
            widths.finish_resize();
        }
    };
    let auto_fit = move || {
        let Some(width) = header().and_then(|header| natural_width(&header)) else { return };
        set(width);
        widths.finish_resize();
    };
    let on_key = move |event: ev::KeyboardEvent| {
        let step = if event.shift_key() { LARGE_RESIZE_STEP_PX } else { RESIZE_STEP_PX };
        let step = match event.key().as_str() {
            "ArrowRight" => Some(step),
            "ArrowLeft" => Some(-step),
            "Home" => None,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        match (step, header()) {
            (Some(step), Some(header)) => {
                let previous = name.with_value(|name| untrack(|| widths.get(name)));
                set(previous.map_or_else(|| element_width(&header), f64::from) + step);
                widths.finish_resize();
            }
            _ => auto_fit(),
        }
    };
    view! {
        <span
            node_ref=node
            class="resize-handle"
            class:is-dragging=is_dragging
            class:has-custom-width=move || name.with_value(|name| widths.get(name)).is_some()
            role="separator"
            aria-orientation="vertical"
            aria-label=texts::width_of(label)
            aria-valuenow=move || current_width().to_string()
            aria-valuemin=min_width.to_string()
            aria-valuemax=MAX_WIDTH.to_string()
            tabindex="0"
            title=texts::width_hint()
            data-test="column-width"
            on:pointerdown=on_pointer_down
            on:pointermove=on_pointer_move
            on:pointerup=on_pointer_up
            on:pointercancel=on_pointer_up
            on:dblclick=move |_| auto_fit()
            on:focus=move |_| measure()
            on:keydown=on_key
        ></span>
    }
}

fn element_width(header: &Element) -> f64 {
    header.get_bounding_client_rect().width()
}

/// Columns of a header row with their widths.
fn header_widths(header: &Element) -> Vec<(String, f64)> {
    let Some(headers) = header.parent_element().map(|row| row.children()) else { return Vec::new() };
    let headers = (0..headers.length()).filter_map(|index| headers.item(index));
    headers.filter_map(|header| Some((header.get_attribute("data-column")?, element_width(&header)))).collect()
}

/// Natural width of a column: nothing is cut off or wrapped.
fn natural_width(header: &Element) -> Option<f64> {
    let table = header.closest("table").ok()??.unchecked_into::<Element>();
    // No frame is painted between the two changes.
    let classes = table.class_list();
    classes.add_1("is-auto-width").ok()?;
    let width = element_width(header).ceil();
    classes.remove_1("is-auto-width").ok()?;
    Some(width)
}
