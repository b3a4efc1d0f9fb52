//! Selection of leads: individual leads across pages, or all that match a filter.

use std::collections::BTreeSet;

use leadscribe_engine::api::{LeadId, UserId};
use leptos::prelude::*;

/// The selected leads.
#[derive(Clone, Debug, PartialEq)]
pub enum SelectedLeads {
    /// These leads.
    Leads(BTreeSet<LeadId>),
    /// All leads that match `filter` (JSON text) except `excluded`. `total` is the number of matches at the time of selection.
    All { filter: String, total: u64, excluded: BTreeSet<LeadId> },
}

/// Selection and the anchor for range selection. A `Copy` handle. It outlives the list, so that it is still there when the user returns
/// from a lead.
#[derive(Clone, Copy)]
pub struct LeadSelection {
    selected: RwSignal<SelectedLeads>,
    anchor: StoredValue<Option<LeadId>>,
    scope: StoredValue<Option<SelectionScope>>,
}

/// Context of a selection.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectionScope {
    /// The current user.
    pub user: Option<UserId>,
    /// Filter of the list, as JSON text.
    pub filter: String,
}

/// The panel's selection.
pub fn use_selection() -> LeadSelection {
    expect_context()
}

impl LeadSelection {
    pub fn new() -> Self {
        let empty = SelectedLeads::Leads(BTreeSet::new());
        Self { selected: RwSignal::new(empty), anchor: StoredValue::new(None), scope: StoredValue::new(None) }
    }

    /// Sets the context of the list. Clears the selection if it has changed, because selected leads could be hidden. Returns how many leads
    /// of the same user were deselected.
    pub fn set_scope(self, scope: SelectionScope) -> u64 {
        let Some(previous) = self.scope.get_value() else {
            self.scope.set_value(Some(scope));
            return 0;
        };
        if previous == scope {
            return 0;
        }
        let deselected = if previous.user == scope.user { untrack(|| self.len()) } else { 0 };
        self.clear();
        self.scope.set_value(Some(scope));
        deselected
    }

    pub fn get(self) -> SelectedLeads {
        self.selected.get()
    }

    pub fn get_untracked(self) -> SelectedLeads {
        self.selected.get_untracked()
    }

    pub fn len(self) -> u64 {
        self.selected.with(|selected| match selected {
            SelectedLeads::Leads(leads) => leads.len() as u64,
            SelectedLeads::All { total, excluded, .. } => total.saturating_sub(excluded.len() as u64),
        })
    }

    /// True if all leads that match a filter are selected, without exceptions.
    pub fn is_all(self) -> bool {
        self.selected.with(|selected| matches!(selected, SelectedLeads::All { excluded, .. } if excluded.is_empty()))
    }

    pub fn contains(self, id: LeadId) -> bool {
        self.selected.with(|selected| match selected {
            SelectedLeads::Leads(leads) => leads.contains(&id),
            SelectedLeads::All { excluded, .. } => !excluded.contains(&id),
        })
    }

    pub fn clear(self) {
        self.selected.set(SelectedLeads::Leads(BTreeSet::new()));
        self.anchor.set_value(None);
    }

    /// Context of the selection.
    pub fn scope(self) -> Option<SelectionScope> {
        self.scope.get_value()
    }

    /// Restores a selection, unless the list or the selection has changed.
    pub fn restore(self, selected: SelectedLeads, scope: Option<SelectionScope>) {
        if self.scope.with_value(|current| *current == scope) && untrack(|| self.len()) == 0 {
            self.selected.set(selected);
        }
    }

    pub fn select_all(self, filter: String, total: u64) {
        self.selected.set(SelectedLeads::All { filter, total, excluded: BTreeSet::new() });
    }

    /// Selects or deselects a lead; with `range`, all leads between it and the anchor. `visible` are the leads of the page.
    pub fn select(self, id: LeadId, selected: bool, range: bool, visible: &[LeadId]) {
        let position = |id| visible.iter().position(|other| *other == id);
        let ids = match (self.anchor.get_value().and_then(position), position(id)) {
            (Some(from), Some(to)) if range => &visible[from.min(to)..=from.max(to)],
            _ => &[id],
        };
        self.set_selected(ids, selected);
        self.anchor.set_value(Some(id));
    }

    /// Selects or deselects these leads.
    pub fn set_selected(self, ids: &[LeadId], selected: bool) {
        self.selected.update(|selection| {
            let (ids_to_change, should_insert) = match selection {
                SelectedLeads::Leads(leads) => (leads, selected),
                SelectedLeads::All { excluded, .. } => (excluded, !selected),
            };
            for id in ids {
                if should_insert {
                    ids_to_change.insert(*id);
                } else {
                    ids_to_change.remove(id);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::ui::lead::selection::*;

    const PAGE: [LeadId; 4] = [LeadId(4), LeadId(2), LeadId(9), LeadId(7)];

    fn ids(selection: LeadSelection) -> Vec<i64> {
        match selection.get() {
            SelectedLeads::Leads(leads) => leads.into_iter().map(|id| id.0).collect(),
            SelectedLeads::All { .. } => panic!("all are selected"),
        }
    }

    #[test]
    fn ranges_follow_the_order_of_the_page() {
        Owner::new().with(|| {
            let selection = LeadSelection::new();
            selection.select(LeadId(2), true, false, &PAGE);
            selection.select(LeadId(7), true, true, &PAGE);
            assert_eq!(ids(selection), [2, 7, 9]);
            selection.select(LeadId(9), false, true, &PAGE);
            assert_eq!(ids(selection), [2]);
            // The anchor is on another page.
            selection.select(LeadId(11), true, true, &[LeadId(10), LeadId(11)]);
            assert_eq!(ids(selection), [2, 11]);
        });
    }

    #[test]
    fn clears_the_selection_when_its_context_changes() {
        Owner::new().with(|| {
            let selection = LeadSelection::new();
            let scope = |user, filter: &str| SelectionScope { user: Some(UserId(user)), filter: filter.to_owned() };
            // Another user gets no report about this selection.
            for (next_scope, expected_len, expected_deselected) in
                [(scope(1, "a"), 1, 0), (scope(1, "b"), 0, 1), (scope(2, "a"), 0, 0)]
            {
                selection.set_scope(scope(1, "a"));
                selection.select(LeadId(2), true, false, &PAGE);
                assert_eq!(selection.set_scope(next_scope), expected_deselected);
                assert_eq!(ids(selection).len(), expected_len);
            }
        });
    }

    #[test]
    fn excludes_leads_from_select_all() {
        Owner::new().with(|| {
            let selection = LeadSelection::new();
            selection.select_all("{}".to_owned(), 900);
            assert!(selection.contains(LeadId(1)) && selection.len() == 900);
            assert!(selection.is_all());
            selection.select(LeadId(9), false, false, &PAGE);
            assert!(!selection.contains(LeadId(9)) && selection.contains(LeadId(7)) && !selection.is_all());
            assert_eq!(selection.len(), 899);
            selection.select(LeadId(9), true, false, &PAGE);
            assert!(selection.is_all());
        });
    }
}
