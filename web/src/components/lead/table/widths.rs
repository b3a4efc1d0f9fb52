//! How wide the columns of the list of leads are: as somebody chose, and the others share what is left.

use leadscribe_engine::filter::fields::{FieldId, Kind};
use leptos::prelude::*;

use crate::components::lead::columns::{Column, name_of};

/// The narrowest a column gets, in pixels of CSS: some letters of its head, and of a lead's name beside its box and its picture.
pub fn least(name: &str) -> u32 {
    if name == LEAD { 120 } else { 64 }
}

/// The widest.
pub const MOST: u32 = 800;

/// What the column of the lead itself is called among the others.
pub const LEAD: &str = "lead";

/// The name of a column, and how wide it is.
pub type Width = (String, u32);

/// The widths that somebody chose, each column once; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Widths {
    chosen: RwSignal<Vec<Width>>,
    /// Those of all columns as long as somebody pulls at one.
    held: RwSignal<Vec<Width>>,
    on_settle: Option<Callback<()>>,
}

impl Widths {
    /// These, for as long as the table is there.
    pub fn new(chosen: RwSignal<Vec<Width>>) -> Self {
        Self { chosen, held: RwSignal::new(Vec::new()), on_settle: None }
    }

    /// These; told is each time that somebody has changed some.
    pub fn told(chosen: RwSignal<Vec<Width>>, on_settle: Callback<()>) -> Self {
        Self { on_settle: Some(on_settle), ..Self::new(chosen) }
    }

    /// That of a column; none while it shares what is left.
    pub fn get(self, name: &str) -> Option<u32> {
        self.chosen.with(|chosen| width_of(chosen, name))
    }

    pub fn set(self, name: &str, width: f64) {
        self.chosen.update(|chosen| {
            chosen.retain(|(other, _)| other != name);
            chosen.push((name.to_owned(), bounded(name, width.round() as u32)));
        });
    }

    /// Holds these columns as wide as they are, so that nothing else moves under the pointer while one is changed.
    pub fn hold(self, columns: impl Iterator<Item = (String, f64)>) {
        self.held.set(columns.map(|(name, width)| (name, width.round() as u32)).collect());
    }

    /// Whether somebody chose any.
    pub fn is_any(self) -> bool {
        self.chosen.with(|chosen| !chosen.is_empty())
    }

    /// Lets all columns share the room again.
    pub fn reset(self) {
        self.chosen.update(Vec::clear);
        self.settle();
    }

    /// Says that what was chosen stays so; the others share what is left.
    pub fn settle(self) {
        self.held.set(Vec::new());
        if let Some(on_settle) = self.on_settle {
            on_settle.run(());
        }
    }

    /// Whether somebody chose how wide the lead and each of these columns are.
    pub fn chosen(self, columns: &[Column]) -> Vec<bool> {
        names(columns).map(|name| self.get(&name).is_some()).collect()
    }

    /// How a table of the lead and these columns is laid out; none where nobody chose and the content decides. A `settled` table
    /// doesn't leave it to the content, which comes and goes.
    pub fn layout(self, columns: &[Column], settled: bool) -> Option<Layout> {
        let held = self.held.get();
        self.chosen.with(|chosen| Layout::of(columns, chosen, &held, settled))
    }
}

/// How wide a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// In pixels of CSS.
    Pixels(u32),
    /// This part of what the others leave, in hundredths of a per cent.
    Share(u32),
    /// As its content wants, of what the others leave.
    Content,
}

/// The widths of a table's columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// In their order, that of the lead first.
    pub columns: Vec<Size>,
    /// Whether the content has no say, and the table is at least so wide.
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

    /// Whether there may be room beside the columns.
    pub fn is_closed(&self) -> bool {
        self.columns.iter().all(|size| matches!(size, Size::Pixels(_)))
    }
}

/// What the lead and these columns are called.
fn names(columns: &[Column]) -> impl Iterator<Item = String> {
    [LEAD.to_owned()].into_iter().chain(columns.iter().map(name_of))
}

const LEAD_USUAL: u32 = 200;

/// What a column gets where nobody chose and the content can't decide.
fn usual(column: &Column) -> u32 {
    match column {
        Column::Campaigns => 420,
        Column::Reasons => 260,
        // The longest numbers, in groups.
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

/// That of the column of this name.
pub fn width_of(chosen: &[Width], name: &str) -> Option<u32> {
    chosen.iter().find(|(other, _)| other == name).map(|(_, width)| *width)
}

/// The widths in a text of columns, as an address has it: `lead:200,place,city:96`. What says nothing is passed over.
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
    fn the_content_decides_until_somebody_does() {
        assert_eq!(Layout::of(&COLUMNS, &widths(&[("city", 90)]), &[], false), None);
        let number = widths(&[("number", 100)]);
        let chosen = Layout::of(&COLUMNS, &number, &[], false).unwrap();
        let columns = vec![Size::Content, Size::Pixels(100), Size::Content, Size::Content];
        assert_eq!(chosen, Layout { columns, least: None });
        assert!(!chosen.is_closed());
    }

    #[test]
    fn the_others_share_what_is_left() {
        let settled = |chosen: &[(&str, u32)]| Layout::of(&COLUMNS, &widths(chosen), &[], true).unwrap();
        let none = settled(&[("campaigns", 420)]);
        let columns = vec![Size::Share(4_000), Size::Share(3_600), Size::Pixels(420), Size::Share(2_400)];
        assert_eq!(none, Layout { columns, least: Some(920) });
        assert!(!none.is_closed());
        let all = settled(&[("lead", 90), ("number", 100), ("campaigns", 300), ("do_not_call", 70)]);
        assert_eq!((all.is_closed(), all.least), (true, Some(560)));
    }

    #[test]
    fn an_address_says_widths_within_bounds() {
        assert_eq!(from_text("lead:240,number,place:64"), widths(&[("lead", 240), ("place", 64)]));
        let found = from_text("lead:5,place:9000,campaigns:wide,number,city:120,city:90");
        assert_eq!(found, widths(&[("lead", 120), ("place", 800), ("city", 120)]));
        assert!(from_text("").is_empty());
    }

    #[test]
    fn columns_are_held_while_one_is_changed() {
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
