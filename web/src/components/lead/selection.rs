//! Selection of leads: individual leads across pages, or all that match a filter.

use std::collections::BTreeSet;

use leadscribe_engine::api::{LeadId, UserId};
use leptos::prelude::*;

/// The selected leads.
#[derive(Clone, Debug, PartialEq)]
pub enum Chosen {
    /// These leads.
    Leads(BTreeSet<LeadId>),
    /// All leads that match `filter` (JSON text) except `without`. `total` is the number of matches at the time of selection.
    All { filter: String, total: u64, without: BTreeSet<LeadId> },
}

/// Selection and the anchor for range selection. A `Copy` handle. It outlives the list, so that it is still there when the user returns
/// from a lead.
#[derive(Clone, Copy)]
pub struct LeadSelection {
    chosen: RwSignal<Chosen>,
    anchor: StoredValue<Option<LeadId>>,
    among: StoredValue<Option<Among>>,
}

/// Context of a selection.
#[derive(Clone, Debug, PartialEq)]
pub struct Among {
    /// The current user.
    pub user: Option<UserId>,
    /// Filter of the list, as JSON text.
    pub conditions: String,
}

/// The panel's selection.
pub fn use_selection() -> LeadSelection {
    expect_context()
}

impl LeadSelection {
    pub fn new() -> Self {
        let none = Chosen::Leads(BTreeSet::new());
        Self { chosen: RwSignal::new(none), anchor: StoredValue::new(None), among: StoredValue::new(None) }
    }

    /// Sets the context of the list. Clears the selection if it has changed, because selected leads could be hidden. Returns how many leads
    /// of the same user were deselected.
    pub fn look_at(self, among: Among) -> u64 {
        let Some(before) = self.among.get_value() else {
            self.among.set_value(Some(among));
            return 0;
        };
        if before == among {
            return 0;
        }
        let dropped = if before.user == among.user { untrack(|| self.len()) } else { 0 };
        self.clear();
        self.among.set_value(Some(among));
        dropped
    }

    pub fn get(self) -> Chosen {
        self.chosen.get()
    }

    pub fn get_untracked(self) -> Chosen {
        self.chosen.get_untracked()
    }

    pub fn len(self) -> u64 {
        self.chosen.with(|chosen| match chosen {
            Chosen::Leads(leads) => leads.len() as u64,
            Chosen::All { total, without, .. } => total.saturating_sub(without.len() as u64),
        })
    }

    /// True if all leads that match a filter are selected, without exceptions.
    pub fn is_all(self) -> bool {
        self.chosen.with(|chosen| matches!(chosen, Chosen::All { without, .. } if without.is_empty()))
    }

    pub fn has(self, id: LeadId) -> bool {
        self.chosen.with(|chosen| match chosen {
            Chosen::Leads(leads) => leads.contains(&id),
            Chosen::All { without, .. } => !without.contains(&id),
        })
    }

    pub fn clear(self) {
        self.chosen.set(Chosen::Leads(BTreeSet::new()));
        self.anchor.set_value(None);
    }

    /// Context of the selection.
    pub fn among(self) -> Option<Among> {
        self.among.get_value()
    }

    /// Restores a selection, unless the list or the selection has changed.
    pub fn bring_back(self, chosen: Chosen, among: Option<Among>) {
        if self.among.with_value(|now| *now == among) && untrack(|| self.len()) == 0 {
            self.chosen.set(chosen);
        }
    }

    pub fn choose_all(self, filter: String, total: u64) {
        self.chosen.set(Chosen::All { filter, total, without: BTreeSet::new() });
    }

    /// Selects or deselects a lead; with `range`, all leads between it and the anchor. `shown` are the leads of the page.
    pub fn press(self, id: LeadId, selected: bool, range: bool, shown: &[LeadId]) {
        let place = |id| shown.iter().position(|one| *one == id);
        let ids = match (self.anchor.get_value().and_then(place), place(id)) {
            (Some(from), Some(to)) if range => &shown[from.min(to)..=from.max(to)],
            _ => &[id],
        };
        self.set(ids, selected);
        self.anchor.set_value(Some(id));
    }

    /// Selects or deselects these leads.
    pub fn set(self, ids: &[LeadId], selected: bool) {
        self.chosen.update(|chosen| {
            let (named, adds) = match chosen {
                Chosen::Leads(leads) => (leads, selected),
                Chosen::All { without, .. } => (without, !selected),
            };
            for id in ids {
                if adds {
                    named.insert(*id);
                } else {
                    named.remove(id);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: [LeadId; 4] = [LeadId(4), LeadId(2), LeadId(9), LeadId(7)];

    fn ids(selection: LeadSelection) -> Vec<i64> {
        match selection.get() {
            Chosen::Leads(leads) => leads.into_iter().map(|id| id.0).collect(),
            Chosen::All { .. } => panic!("all are selected"),
        }
    }

    #[test]
    fn ranges_follow_the_order_of_the_page() {
        Owner::new().with(|| {
            let selection = LeadSelection::new();
            selection.press(LeadId(2), true, false, &PAGE);
            selection.press(LeadId(7), true, true, &PAGE);
            assert_eq!(ids(selection), [2, 7, 9]);
            selection.press(LeadId(9), false, true, &PAGE);
            assert_eq!(ids(selection), [2]);
            // The anchor is on another page.
            selection.press(LeadId(11), true, true, &[LeadId(10), LeadId(11)]);
            assert_eq!(ids(selection), [2, 11]);
        });
    }

    #[test]
    fn clears_the_selection_when_its_context_changes() {
        Owner::new().with(|| {
            let selection = LeadSelection::new();
            let among = |user, conditions: &str| Among { user: Some(UserId(user)), conditions: conditions.to_owned() };
            // Another user gets no report about this selection.
            for (other, kept, told) in [(among(1, "a"), 1, 0), (among(1, "b"), 0, 1), (among(2, "a"), 0, 0)] {
                selection.look_at(among(1, "a"));
                selection.press(LeadId(2), true, false, &PAGE);
                assert_eq!(selection.look_at(other), told);
                assert_eq!(ids(selection).len(), kept);
            }
        });
    }

    #[test]
    fn excludes_leads_from_select_all() {
        Owner::new().with(|| {
            let selection = LeadSelection::new();
            selection.choose_all("{}".to_owned(), 900);
            assert!(selection.has(LeadId(1)) && selection.len() == 900);
            assert!(selection.is_all());
            selection.press(LeadId(9), false, false, &PAGE);
            assert!(!selection.has(LeadId(9)) && selection.has(LeadId(7)) && !selection.is_all());
            assert_eq!(selection.len(), 899);
            selection.press(LeadId(9), true, false, &PAGE);
            assert!(selection.is_all());
        });
    }
}
