//! Column widths of the list of leads: user-defined widths, and the distribution of the remaining space.

use leadscribe_engine::filter::fields::{FieldId, Kind};
use leptos::prelude::*;

use crate::components::lead::columns::{Column, name_of};

/// Minimum column width in CSS pixels. Leaves room for a few letters of the header, and in the lead column for a name next to checkbox and
/// avatar.
pub fn least(name: &str) -> u32 {
    if name == LEAD { 120 } else { 64 }
}

/// Maximum column width in CSS pixels.
pub const MOST: u32 = 800;

/// Name of the lead column.
pub const LEAD: &str = "lead";

/// Name and width of a column.
pub type Width = (String, u32);

/// User-defined widths, at most one per column. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Widths {
    chosen: RwSignal<Vec<Width>>,
    /// Widths of all columns while one is being resized.
    held: RwSignal<Vec<Width>>,
    on_settle: Option<Callback<()>>,
}

impl Widths {
    /// Uses these widths while the table exists.
    pub fn new(chosen: RwSignal<Vec<Width>>) -> Self {
        Self { chosen, held: RwSignal::new(Vec::new()), on_settle: None }
    }

    /// Uses these widths and calls `on_settle` after each change.
    pub fn told(chosen: RwSignal<Vec<Width>>, on_settle: Callback<()>) -> Self {
        Self { on_settle: Some(on_settle), ..Self::new(chosen) }
    }

    /// Width of a column; `None` if it shares the remaining space.
    pub fn get(self, name: &str) -> Option<u32> {
        self.chosen.with(|chosen| width_of(chosen, name))
    }

    pub fn set(self, name: &str, width: f64) {
        self.chosen.update(|chosen| {
            chosen.retain(|(other, _)| other != name);
            chosen.push((name.to_owned(), bounded(name, width.round() as u32)));
        });
    }

    /// Fixes the current widths of these columns, so that nothing else moves while one is being resized.
    pub fn hold(self, columns: impl Iterator<Item = (String, f64)>) {
        self.held.set(columns.map(|(name, width)| (name, width.round() as u32)).collect());
    }

    /// True if any width is user-defined.
    pub fn is_any(self) -> bool {
        self.chosen.with(|chosen| !chosen.is_empty())
    }

    /// Resets all widths.
    pub fn reset(self) {
        self.chosen.update(Vec::clear);
        self.settle();
    }

    /// Ends resizing; columns without a user-defined width share the remaining space.
    pub fn settle(self) {
        self.held.set(Vec::new());
        if let Some(on_settle) = self.on_settle {
            on_settle.run(());
        }
    }

    /// For the lead column and each of these columns, true if its width is user-defined.
    pub fn chosen(self, columns: &[Column]) -> Vec<bool> {
        names(columns).map(|name| self.get(&name).is_some()).collect()
    }

    /// Layout of a table with the lead column and these columns; `None` if the content decides. A `settled` table never depends on its
    /// content, which changes while scrolling.
    pub fn layout(self, columns: &[Column], settled: bool) -> Option<Layout> {
        let held = self.held.get();
        self.chosen.with(|chosen| Layout::of(columns, chosen, &held, settled))
    }
}

/// Width of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Width in CSS pixels.
    Pixels(u32),
    /// Share of the remaining space, in hundredths of a percent.
    Share(u32),
    /// Natural width, within the remaining space.
    Content,
}

/// Column widths of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Widths in order, starting with the lead column.
    pub columns: Vec<Size>,
    /// Minimum width of the table; `None` if the content affects the columns.
    pub least: Option<u32>,
}

impl Layout {
    fn of(columns: &[Column], chosen: &[Width], held: &[Width], settled: bool) -> Option<Self> {
        let width = |name: String| width_of(chosen, &name).or_else(|| width_of(held, &name));
        let widths: Vec<_> = names(columns).map(width).collect();
        if !settled && widths.iter().all(Option::is_none) {
            return None;
        }
        let usual = [LEAD_USUAL].into_iter().chain(columns.iter().map(usual));
        let both: Vec<_> = widths.into_iter().zip(usual).collect();
        let shared: u32 = both.iter().filter(|(width, _)| width.is_none()).map(|(_, usual)| usual).sum();
        let is_fixed = settled || !held.is_empty();
        let size = |(width, usual): &(Option<u32>, u32)| match width {
            Some(width) => Size::Pixels(*width),
            None if is_fixed => Size::Share(usual * 10_000 / shared),
            None => Size::Content,
        };
        let least = both.iter().map(|(width, usual)| width.unwrap_or(*usual)).sum();
        Some(Self { columns: both.iter().map(size).collect(), least: is_fixed.then_some(least) })
    }

    /// True if all columns have a width in pixels, so that there may be empty space next to them.
    pub fn is_closed(&self) -> bool {
        self.columns.iter().all(|size| matches!(size, Size::Pixels(_)))
    }
}

/// Names of the lead column and these columns.
fn names(columns: &[Column]) -> impl Iterator<Item = String> {
    [LEAD.to_owned()].into_iter().chain(columns.iter().map(name_of))
}

const LEAD_USUAL: u32 = 200;

/// Default width of a column that the content doesn't affect.
fn usual(column: &Column) -> u32 {
    match column {
        Column::Campaigns => 420,
        Column::Reasons => 260,
        // Fits the longest phone numbers in groups.
        Column::Number => 180,
        Column::Place | Column::NextCall | Column::Custom(_) => 150,
        Column::Field(FieldId::Email | FieldId::AssignedUserId) => 220,
        Column::Field(id) => match id.field().kind {
            Kind::Boolean => 120,
            Kind::DateTime => 140,
            Kind::Integer => 110,
            _ => 160,
        },
    }
}

fn bounded(name: &str, width: u32) -> u32 {
    width.clamp(least(name), MOST)
}

/// Width of the column with this name.
pub fn width_of(chosen: &[Width], name: &str) -> Option<u32> {
    chosen.iter().find(|(other, _)| other == name).map(|(_, width)| *width)
}

/// Parses the widths from a URL's list of columns: `lead:200,place,city:96`. Columns without a valid width are ignored.
pub fn from_text(text: &str) -> Vec<Width> {
    let mut chosen = Vec::new();
    for (name, width) in text.split(',').filter_map(|entry| entry.split_once(':')) {
        if let (Ok(width), None) = (width.parse::<u32>(), width_of(&chosen, name)) {
            chosen.push((name.to_owned(), bounded(name, width)));
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 3] = [Column::Number, Column::Campaigns, Column::Field(FieldId::DoNotCall)];

    fn widths(of: &[(&str, u32)]) -> Vec<Width> {
        of.iter().map(|(name, width)| ((*name).to_owned(), *width)).collect()
    }

    #[test]
    fn content_sets_widths_until_one_is_chosen() {
        assert_eq!(Layout::of(&COLUMNS, &widths(&[("city", 90)]), &[], false), None);
        let number = widths(&[("number", 100)]);
        let chosen = Layout::of(&COLUMNS, &number, &[], false).unwrap();
        let columns = vec![Size::Content, Size::Pixels(100), Size::Content, Size::Content];
        assert_eq!(chosen, Layout { columns, least: None });
        assert!(!chosen.is_closed());
    }

    #[test]
    fn other_columns_share_remaining_width() {
        let settled = |chosen: &[(&str, u32)]| Layout::of(&COLUMNS, &widths(chosen), &[], true).unwrap();
        let none = settled(&[("campaigns", 420)]);
        let columns = vec![Size::Share(4_000), Size::Share(3_600), Size::Pixels(420), Size::Share(2_400)];
        assert_eq!(none, Layout { columns, least: Some(920) });
        assert!(!none.is_closed());
        let all = settled(&[("lead", 90), ("number", 100), ("campaigns", 300), ("do_not_call", 70)]);
        assert_eq!((all.is_closed(), all.least), (true, Some(560)));
    }

    #[test]
    fn parses_and_clamps_widths() {
        assert_eq!(from_text("lead:240,number,place:64"), widths(&[("lead", 240), ("place", 64)]));
        let found = from_text("lead:5,place:9000,campaigns:wide,number,city:120,city:90");
        assert_eq!(found, widths(&[("lead", 120), ("place", 800), ("city", 120)]));
        assert!(from_text("").is_empty());
    }

    #[test]
    fn resizing_fixes_other_columns() {
        Owner::new().with(|| {
            let changed = Widths::new(RwSignal::new(Vec::new()));
            let is = ["lead", "number", "campaigns", "do_not_call"].map(str::to_owned).into_iter();
            changed.hold(is.zip([240.0, 130.2, 900.0, 64.0]));
            changed.set("number", 2_000.0);
            let pixels = [240, 800, 900, 64].map(Size::Pixels).to_vec();
            assert_eq!(changed.layout(&COLUMNS, false).unwrap(), Layout { columns: pixels, least: Some(2_004) });
            changed.settle();
            assert_eq!(changed.chosen(&COLUMNS), [false, true, false, false]);
            assert_eq!((changed.get("number"), changed.get("campaigns")), (Some(800), None));
            assert_eq!(changed.layout(&COLUMNS, false).unwrap().least, None);
        });
    }
}
