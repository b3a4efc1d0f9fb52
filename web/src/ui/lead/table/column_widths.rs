//! User-defined column widths of the list of leads.

use leptos::prelude::*;

use crate::ui::lead::columns::{Column, url_name};

/// Minimum column width in CSS pixels. Leaves room for a few letters of the header, and in the lead column for a name next to checkbox and
/// avatar.
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
    /// Widths in CSS pixels in order, starting with the lead column; `None` for the natural width within the remaining space.
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
