//! How wide the columns of the list of leads are: as their content wants, until somebody changes one.

use leadscribe_engine::filter::fields::{FieldId, Kind};
use leptos::prelude::*;

use crate::components::lead::columns::{Column, name_of};

/// The narrowest a column gets, in pixels of CSS: some letters of its head.
pub const LEAST: u32 = 64;

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
    on_settle: Option<Callback<()>>,
}

impl Widths {
    /// These, for as long as the table is there.
    pub fn new(chosen: RwSignal<Vec<Width>>) -> Self {
        Self { chosen, on_settle: None }
    }

    /// These; told is each time that somebody has changed some.
    pub fn told(chosen: RwSignal<Vec<Width>>, on_settle: Callback<()>) -> Self {
        Self { chosen, on_settle: Some(on_settle) }
    }

    /// That of a column; none while it is as its content wants.
    pub fn get(self, name: &str) -> Option<u32> {
        self.chosen.with(|chosen| width_of(chosen, name))
    }

    pub fn set(self, name: &str, width: f64) {
        self.chosen.update(|chosen| {
            chosen.retain(|(other, _)| other != name);
            chosen.push((name.to_owned(), bounded(width)));
        });
    }

    /// Holds these columns as wide as they are, so that nothing else moves when one is changed.
    pub fn hold(self, columns: impl Iterator<Item = (String, f64)>) {
        self.chosen.update(|chosen| {
            for (name, width) in columns {
                if width_of(chosen, &name).is_none() {
                    // Less by a fraction of a pixel would cut off what just fitted.
                    chosen.push((name, bounded(width.ceil())));
                }
            }
        });
    }

    /// Whether somebody chose any.
    pub fn is_any(self) -> bool {
        self.chosen.with(|chosen| !chosen.is_empty())
    }

    /// Lets all columns be as their content wants again.
    pub fn reset(self) {
        self.chosen.update(Vec::clear);
        self.settle();
    }

    /// Says that they stay as they are.
    pub fn settle(self) {
        if let Some(on_settle) = self.on_settle {
            on_settle.run(());
        }
    }

    /// How a table of the lead and these columns is laid out; none where the content decides. A `settled` table doesn't leave
    /// it to the content, which comes and goes.
    pub fn layout(self, columns: &[Column], settled: bool) -> Option<Layout> {
        self.chosen.with(|chosen| Layout::of(columns, chosen, settled))
    }
}

/// The widths of a table's columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// In their order, that of the lead first; one at most is without and takes what is left.
    pub columns: Vec<Option<u32>>,
    /// The table is at least so wide.
    pub least: u32,
}

impl Layout {
    fn of(columns: &[Column], widths: &[Width], settled: bool) -> Option<Self> {
        let names = [LEAD.to_owned()].into_iter().chain(columns.iter().map(name_of));
        let chosen: Vec<_> = names.map(|name| width_of(widths, &name)).collect();
        if !settled && chosen.iter().all(Option::is_none) {
            return None;
        }
        let usual: Vec<_> = [LEAD_USUAL].into_iter().chain(columns.iter().map(usual)).collect();
        let is_open = |place: usize| place > 0 && columns[place - 1] == Column::Campaigns && chosen[place].is_none();
        let least = chosen.iter().zip(&usual).map(|(chosen, usual)| chosen.unwrap_or(*usual)).sum();
        let width = |place: usize| (!is_open(place)).then(|| chosen[place].unwrap_or(usual[place]));
        Some(Self { columns: (0..chosen.len()).map(width).collect(), least })
    }

    /// Whether there may be room beside the columns.
    pub fn is_closed(&self) -> bool {
        self.columns.iter().all(Option::is_some)
    }
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

fn bounded(width: f64) -> u32 {
    (width.round() as u32).clamp(LEAST, MOST)
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
            chosen.push((name.to_owned(), width.clamp(LEAST, MOST)));
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
        assert_eq!(Layout::of(&COLUMNS, &widths(&[("city", 90)]), false), None);
        let settled = Layout::of(&COLUMNS, &widths(&[]), true).unwrap();
        assert_eq!(settled, Layout { columns: vec![Some(200), Some(180), None, Some(120)], least: 920 });
        assert!(!settled.is_closed());
        let chosen = Layout::of(&COLUMNS, &widths(&[("number", 100), ("campaigns", 300)]), false).unwrap();
        assert_eq!(chosen, Layout { columns: vec![Some(200), Some(100), Some(300), Some(120)], least: 720 });
        assert!(chosen.is_closed());
    }

    #[test]
    fn an_address_says_widths_within_bounds() {
        assert_eq!(from_text("lead:240,number,place:64"), widths(&[("lead", 240), ("place", 64)]));
        let found = from_text("lead:5,place:9000,campaigns:wide,number,city:120,city:90");
        assert_eq!(found, widths(&[("lead", 64), ("place", 800), ("city", 120)]));
        assert!(from_text("").is_empty());
    }

    #[test]
    fn columns_are_held_as_they_are() {
        Owner::new().with(|| {
            let held = Widths::new(RwSignal::new(widths(&[("lead", 240)])));
            held.hold([("lead".to_owned(), 300.0), ("place".to_owned(), 130.2), ("city".to_owned(), 12.0)].into_iter());
            assert_eq!((held.get("lead"), held.get("place"), held.get("city")), (Some(240), Some(131), Some(64)));
            held.set("place", 2_000.0);
            assert_eq!(held.get("place"), Some(800));
        });
    }
}
