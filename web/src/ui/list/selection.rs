//! Selection of rows of a list: individual rows across pages, or all that match a filter. Checkboxes that select a row,
//! or all rows of a page.

use std::collections::BTreeSet;

use leadscribe_engine::api::{CallId, LeadId, UserId};
use leptos::prelude::*;

pub type LeadSelection = Selection<LeadId>;

pub type CallSelection = Selection<CallId>;

pub type SelectedLeads = SelectedRows<LeadId>;

pub trait RowId: Copy + Ord + Send + Sync + 'static {}

impl<T: Copy + Ord + Send + Sync + 'static> RowId for T {}

#[derive(Clone, Debug, PartialEq)]
pub enum SelectedRows<Id: RowId> {
    Ids(BTreeSet<Id>),
    /// All rows that match `filter` except `excluded`. `total` is the number of matches at the time of selection.
    All {
        filter: String,
        total: u64,
        excluded: BTreeSet<Id>,
    },
}

/// Selection and the anchor for range selection. A `Copy` handle in the context of the panel. It outlives the list, so
/// that it is kept while the user visits the page of an item.
#[derive(Clone, Copy)]
pub struct Selection<Id: RowId> {
    selected: RwSignal<SelectedRows<Id>>,
    anchor: StoredValue<Option<Id>>,
    scope: StoredValue<Option<SelectionScope>>,
}

/// Context of a selection.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectionScope {
    pub user: Option<UserId>,
    pub filter: String,
}

impl<Id: RowId> Selection<Id> {
    pub fn new() -> Self {
        let empty = SelectedRows::Ids(BTreeSet::new());
        Self { selected: RwSignal::new(empty), anchor: StoredValue::new(None), scope: StoredValue::new(None) }
    }

    /// Sets the context of the list. Clears the selection if it has changed, because selected rows could be hidden.
    /// Returns how many rows of the same user were deselected, or `None` if nothing has changed.
    pub fn set_scope(self, scope: SelectionScope) -> Option<u64> {
        let previous = self.scope.get_value();
        if previous.as_ref() == Some(&scope) {
            return None;
        }
        let is_same_user = previous.is_some_and(|previous| previous.user == scope.user);
        let deselected = if is_same_user { untrack(|| self.len()) } else { 0 };
        self.clear();
        self.scope.set_value(Some(scope));
        Some(deselected)
    }

    pub fn get(self) -> SelectedRows<Id> {
        self.selected.get()
    }

    pub fn get_untracked(self) -> SelectedRows<Id> {
        self.selected.get_untracked()
    }

    pub fn len(self) -> u64 {
        self.selected.with(|selected| match selected {
            SelectedRows::Ids(ids) => ids.len() as u64,
            SelectedRows::All { total, excluded, .. } => total.saturating_sub(excluded.len() as u64),
        })
    }

    /// Ids of individually selected rows.
    pub fn ids(self) -> Vec<Id> {
        self.selected.with(|selected| match selected {
            SelectedRows::Ids(ids) => ids.iter().copied().collect(),
            SelectedRows::All { .. } => Vec::new(),
        })
    }

    /// True if all rows that match a filter are selected, without exceptions.
    pub fn is_all(self) -> bool {
        self.selected.with(|selected| matches!(selected, SelectedRows::All { excluded, .. } if excluded.is_empty()))
    }

    pub fn contains(self, id: Id) -> bool {
        self.selected.with(|selected| match selected {
            SelectedRows::Ids(ids) => ids.contains(&id),
            SelectedRows::All { excluded, .. } => !excluded.contains(&id),
        })
    }

    pub fn clear(self) {
        self.selected.set(SelectedRows::Ids(BTreeSet::new()));
        self.anchor.set_value(None);
    }

    pub fn scope(self) -> Option<SelectionScope> {
        self.scope.get_value()
    }

    /// Restores a selection, unless the list or the selection has changed.
    pub fn restore(self, selected: SelectedRows<Id>, scope: Option<SelectionScope>) {
        if self.scope.with_value(|current| *current == scope) && untrack(|| self.len()) == 0 {
            self.selected.set(selected);
        }
    }

    pub fn select_all(self, filter: String, total: u64) {
        self.selected.set(SelectedRows::All { filter, total, excluded: BTreeSet::new() });
    }

    /// Selects or deselects a row; with `range`, all rows between it and the anchor. `visible` are the rows of the
    /// page.
    pub fn select(self, id: Id, selected: bool, range: bool, visible: &[Id]) {
        let position = |id| visible.iter().position(|other| *other == id);
        let ids = match (self.anchor.get_value().and_then(position), position(id)) {
            (Some(from), Some(to)) if range => &visible[from.min(to)..=from.max(to)],
            _ => &[id],
        };
        self.set_selected(ids, selected);
        self.anchor.set_value(Some(id));
    }

    /// Selects or deselects these rows.
    pub fn set_selected(self, ids: &[Id], selected: bool) {
        self.selected.update(|selection| {
            let (ids_to_change, should_insert) = match selection {
                SelectedRows::Ids(ids) => (ids, selected),
                SelectedRows::All { excluded, .. } => (excluded, !selected),
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

/// Checkbox of all rows of a page: in the table header, or above the cards on a phone. It can be indeterminate.
#[component]
pub fn PageCheckbox<Id: RowId>(
    #[prop(optional)] id: Option<&'static str>,
    label: &'static str,
    test_id: &'static str,
    selection: Selection<Id>,
    /// Ids of the rows of the page.
    #[prop(into)]
    visible: Signal<Vec<Id>>,
) -> impl IntoView {
    // Number of selected rows, and number of rows.
    let counts = Memo::new(move |_| {
        visible.with(|visible| (visible.iter().filter(|id| selection.contains(**id)).count(), visible.len()))
    });
    let on_change = move |selected: bool| {
        if !selected && untrack(|| selection.is_all()) {
            selection.clear();
        } else {
            visible.with_untracked(|visible| selection.set_selected(visible, selected));
        }
    };
    view! {
        <input
            id=id
            class="checkbox"
            type="checkbox"
            aria-label=label
            data-test=test_id
            prop:checked=move || matches!(counts.get(), (some, all) if some > 0 && some == all)
            prop:indeterminate=move || matches!(counts.get(), (some, all) if some > 0 && some < all)
            on:change:target=move |event| on_change(event.target().checked())
        />
    }
}

/// Checkbox of a row. With Shift, all rows from the last clicked one change too.
#[component]
pub fn RowCheckbox<Id: RowId>(
    id: Id,
    label: String,
    test_id: &'static str,
    selection: Selection<Id>,
    /// Ids of the rows of the page in order.
    #[prop(into)]
    visible: Signal<Vec<Id>>,
) -> impl IntoView {
    let is_shift_pressed = StoredValue::new(false);
    view! {
        <input
            class="checkbox"
            type="checkbox"
            aria-label=label
            data-test=test_id
            prop:checked=move || selection.contains(id)
            on:click=move |event: web_sys::MouseEvent| is_shift_pressed.set_value(event.shift_key())
            on:change:target=move |event| {
                let selected = event.target().checked();
                visible.with_untracked(|visible| selection.select(id, selected, is_shift_pressed.get_value(), visible));
            }
        />
    }
}

#[cfg(test)]
mod tests {
    use crate::ui::list::selection::*;

    const PAGE: [LeadId; 4] = [LeadId(4), LeadId(2), LeadId(9), LeadId(7)];

    fn ids(selection: LeadSelection) -> Vec<i64> {
        selection.ids().into_iter().map(|id| id.0).collect()
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
            // The deselected rows aren't reported to another user.
            for (next_scope, expected_len, expected_deselected) in
                [(scope(1, "a"), 1, None), (scope(1, "b"), 0, Some(1)), (scope(2, "a"), 0, Some(0))]
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
