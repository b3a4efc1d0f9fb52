//! User-defined column widths of the list of leads, and the resize handles at the edges of its column headers.

use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

use crate::i18n::texts::leads as texts;
use crate::ui::lead::columns::{Column, url_name};

/// Minimum column width in CSS pixels. Leaves room for a few letters of the header, and in the lead column for a name
/// next to checkbox and avatar.
pub fn min_width(name: &str) -> u32 {
    if name == LEAD_COLUMN { 120 } else { 64 }
}

/// Maximum column width in CSS pixels.
pub const MAX_WIDTH: u32 = 800;

pub const LEAD_COLUMN: &str = "lead";

/// Name and width of a column.
pub type ColumnWidth = (String, u32);

/// User-defined widths, at most one per column. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct ColumnWidths {
    user_defined: RwSignal<Vec<ColumnWidth>>,
    /// Widths of all columns while one is being resized.
    fixed: RwSignal<Vec<ColumnWidth>>,
    on_resized: Option<Callback<()>>,
}

impl ColumnWidths {
    /// Creates a handle to these widths. Nothing stores them.
    pub fn new(user_widths: RwSignal<Vec<ColumnWidth>>) -> Self {
        Self { user_defined: user_widths, fixed: RwSignal::new(Vec::new()), on_resized: None }
    }

    /// Like [`ColumnWidths::new`], but calls `on_resized` after each change.
    pub fn with_callback(user_widths: RwSignal<Vec<ColumnWidth>>, on_resized: Callback<()>) -> Self {
        Self { on_resized: Some(on_resized), ..Self::new(user_widths) }
    }

    /// User-defined width of a column; `None` if it has its natural width.
    pub fn get(self, name: &str) -> Option<u32> {
        self.user_defined.with(|user_widths| find_width(user_widths, name))
    }

    pub fn set(self, name: &str, width: f64) {
        self.user_defined.update(|user_widths| {
            user_widths.retain(|(other, _)| other != name);
            user_widths.push((name.to_owned(), clamp_width(name, width.round() as u32)));
        });
    }

    /// Fixes the current widths of these columns, so that nothing else moves while one is being resized.
    pub fn fix(self, columns: impl Iterator<Item = (String, f64)>) {
        self.fixed.set(columns.map(|(name, width)| (name, width.round() as u32)).collect());
    }

    /// True if any width is user-defined.
    pub fn has_user_widths(self) -> bool {
        self.user_defined.with(|user_widths| !user_widths.is_empty())
    }

    pub fn reset(self) {
        self.user_defined.update(Vec::clear);
        self.finish_resize();
    }

    /// Ends resizing; columns without a user-defined width get their natural width.
    pub fn finish_resize(self) {
        self.fixed.set(Vec::new());
        if let Some(on_resized) = self.on_resized {
            on_resized.run(());
        }
    }

    /// For the lead column and each of these columns, true if its width is user-defined.
    pub fn user_defined_flags(self, columns: &[Column]) -> Vec<bool> {
        names(columns).map(|name| self.get(&name).is_some()).collect()
    }

    /// Layout of a table with the lead column and these columns; `None` if all columns have their natural width.
    pub fn layout(self, columns: &[Column]) -> Option<Layout> {
        let fixed = self.fixed.get();
        self.user_defined.with(|user_widths| Layout::compute(columns, user_widths, &fixed))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Widths in CSS pixels in order, starting with the lead column; `None` for the natural width within the remaining
    /// space.
    pub columns: Vec<Option<u32>>,
    /// Minimum width of the table; `None` if the content affects the columns.
    pub min_width: Option<u32>,
}

impl Layout {
    fn compute(columns: &[Column], user_widths: &[ColumnWidth], fixed: &[ColumnWidth]) -> Option<Self> {
        let width = |name: String| find_width(user_widths, &name).or_else(|| find_width(fixed, &name));
        let columns: Vec<_> = names(columns).map(width).collect();
        if columns.iter().all(Option::is_none) {
            return None;
        }
        let min_width = (!fixed.is_empty()).then(|| columns.iter().flatten().sum());
        Some(Self { columns, min_width })
    }

    /// True if all columns have a width in pixels, so that there may be empty space next to them.
    pub fn has_only_pixel_widths(&self) -> bool {
        self.columns.iter().all(Option::is_some)
    }
}

/// Names of the lead column and these columns.
fn names(columns: &[Column]) -> impl Iterator<Item = String> {
    [LEAD_COLUMN.to_owned()].into_iter().chain(columns.iter().map(url_name))
}

fn clamp_width(name: &str, width: u32) -> u32 {
    width.clamp(min_width(name), MAX_WIDTH)
}

pub fn find_width(user_widths: &[ColumnWidth], name: &str) -> Option<u32> {
    user_widths.iter().find(|(other, _)| other == name).map(|(_, width)| *width)
}

/// Parses the widths from a URL's list of columns: `lead:200,place,city:96`. Columns without a valid width are ignored.
pub fn parse_widths(text: &str) -> Vec<ColumnWidth> {
    let mut user_widths = Vec::new();
    for (name, width) in text.split(',').filter_map(|entry| entry.split_once(':')) {
        if let (Ok(width), None) = (width.parse::<u32>(), find_width(&user_widths, name)) {
            user_widths.push((name.to_owned(), clamp_width(name, width)));
        }
    }
    user_widths
}

/// Change of the width by an arrow key, in CSS pixels.
const RESIZE_STEP_PX: f64 = 16.0;

/// Change of the width by an arrow key with Shift, in CSS pixels.
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

#[cfg(test)]
mod tests {
    use leadscribe_engine::filter::fields::FieldId;

    use crate::ui::lead::table::column_widths::*;

    const COLUMNS: [Column; 3] = [Column::Number, Column::Campaigns, Column::Field(FieldId::DoNotCall)];

    fn widths(pairs: &[(&str, u32)]) -> Vec<ColumnWidth> {
        pairs.iter().map(|(name, width)| ((*name).to_owned(), *width)).collect()
    }

    #[test]
    fn parses_and_clamps_widths() {
        assert_eq!(parse_widths("lead:240,number,place:64"), widths(&[("lead", 240), ("place", 64)]));
        let parsed = parse_widths("lead:5,place:9000,campaigns:wide,number,city:120,city:90");
        assert_eq!(parsed, widths(&[("lead", 120), ("place", 800), ("city", 120)]));
        assert!(parse_widths("").is_empty());
    }

    #[test]
    fn resizing_fixes_other_columns() {
        Owner::new().with(|| {
            let widths = ColumnWidths::new(RwSignal::new(Vec::new()));
            let names = ["lead", "number", "campaigns", "do_not_call"].map(str::to_owned).into_iter();
            widths.fix(names.zip([240.0, 130.2, 900.0, 64.0]));
            widths.set("number", 2_000.0);
            let columns = [240, 800, 900, 64].map(Some).to_vec();
            assert_eq!(widths.layout(&COLUMNS).unwrap(), Layout { columns, min_width: Some(2_004) });
            widths.finish_resize();
            assert_eq!(widths.user_defined_flags(&COLUMNS), [false, true, false, false]);
            assert_eq!((widths.get("number"), widths.get("campaigns")), (Some(800), None));
            assert_eq!(widths.layout(&COLUMNS).unwrap().min_width, None);
        });
    }
}
