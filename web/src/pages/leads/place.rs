//! State of the lead list in the address and in saved views.

use leadscribe_engine::api::{SavedView, ViewRequest};
use leadscribe_engine::filter;

use crate::components::list::pager::Window;
use crate::components::list::view_menu::address_of;
use crate::filter_text::{ALL_LEADS, at_rest, canonical, window_of};
use crate::query::{Query, query_string};

/// State of the list. An empty member has its default value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    pub filter: String,
    pub dates: String,
    pub columns: String,
    /// Id of the open saved view.
    pub view: String,
    /// Text search in the filter's result; not part of a saved view.
    pub search: String,
    /// First visible row of the virtual list, counted from 1; not part of a saved view.
    pub row: Option<u64>,
}

impl Place {
    /// Reads the state from the address.
    pub fn in_address(query: Query) -> Self {
        let part = |name| query.get(name).unwrap_or_default();
        let row = query.get("row").map(|row| row.parse().unwrap_or(1).max(1));
        Self {
            filter: part("filter"),
            dates: part("dates"),
            columns: part("columns"),
            view: part("view"),
            search: part("search"),
            row,
        }
    }

    /// State that a saved view stores.
    pub fn of(view: &SavedView) -> Self {
        let SavedView { filter, dates, columns, .. } = view.clone();
        Self { filter, dates, columns, view: view.id.to_string(), ..Self::default() }
    }

    /// True if it only names a saved view.
    pub fn is_way(&self) -> bool {
        !self.view.is_empty() && [&self.filter, &self.dates, &self.columns].into_iter().all(String::is_empty)
    }

    /// Address of this state. Short if it equals the open saved view.
    pub fn address(&self, open: Option<&SavedView>) -> String {
        if let Some(view) = open.filter(|view| self.at_rest() == Self::of(view).at_rest()) {
            return address_of(view);
        }
        // Without a filter, the address would open the view as it was saved.
        let filter = if self.view.is_empty() || !self.filter.is_empty() { self.filter.as_str() } else { ALL_LEADS };
        let row = self.row.map(|row| row.to_string()).unwrap_or_default();
        let parts = [
            ("filter", filter),
            ("dates", &*self.dates),
            ("columns", &*self.columns),
            ("view", &*self.view),
            ("search", &*self.search),
            ("row", &*row),
        ];
        format!("/leads{}", query_string(&parts))
    }

    /// True if it equals a saved view, regardless of page, scroll position and text search.
    pub fn is_like(&self, view: &SavedView) -> bool {
        let saved = Self::of(view);
        let first = |place: &Self| {
            let filter = from_first_page(&place.filter);
            Self { search: String::new(), row: None, filter, ..place.clone() }.at_rest()
        };
        first(self) == first(&saved)
    }

    /// The same state with relative dates resolved at a fixed time, for comparison.
    fn at_rest(&self) -> Self {
        Self { filter: at_rest(&self.filter, &self.dates), ..self.clone() }
    }

    /// Request that saves the state as a view.
    pub fn to_view(&self, name: String, shared: bool) -> ViewRequest {
        let Self { dates, columns, .. } = self.clone();
        ViewRequest { name, filter: from_first_page(&self.filter), dates, columns, shared }
    }
}

/// Returns the filter with its first page.
pub fn from_first_page(text: &str) -> String {
    let text = if text.is_empty() { ALL_LEADS } else { text };
    let mut parsed = filter::parse(text);
    if !parsed.faults.is_empty() {
        return canonical(text);
    }
    let window = window_of(&parsed.tree);
    if window.offset > 0 {
        parsed.tree.controls.limit = Some(Window { offset: 0, ..window }.limit().into());
    }
    filter::print(&parsed.tree)
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{UserId, ViewId};

    use super::*;

    fn saved() -> SavedView {
        let at = leadscribe_engine::time::parse("2026-05-14T12:00:00Z").unwrap();
        SavedView {
            id: ViewId(7),
            name: "Bonn".to_owned(),
            filter: r#"{"city":"Bonn","limit":"50;0"}"#.to_owned(),
            dates: String::new(),
            columns: "city".to_owned(),
            shared: false,
            owner_id: Some(UserId(1)),
            owner: None,
            created_at: at,
            updated_at: at,
        }
    }

    #[test]
    fn page_is_no_change_of_a_view_but_filter_is() {
        let shown = Place::of(&saved());
        assert!(shown.is_like(&saved()) && !shown.is_way());
        assert_eq!(shown.address(Some(&saved())), "/leads?view=7");
        let third = Place { filter: r#"{ "city": "Bonn", "limit": "50;100" }"#.to_owned(), ..shown.clone() };
        assert!(third.is_like(&saved()));
        assert_eq!(third.to_view("Bonn".to_owned(), true).filter, saved().filter);
        for changed in [
            Place { filter: r#"{"city":"Bonn","limit":"10;0"}"#.to_owned(), ..shown.clone() },
            Place { dates: "created_at:today".to_owned(), ..shown.clone() },
            Place { columns: String::new(), ..shown.clone() },
            Place { filter: String::new(), ..shown.clone() },
        ] {
            assert!(!changed.is_like(&saved()), "{changed:?}");
        }
        let dates = "/_or/0/created_at:today".to_owned();
        let on = |day: u8| {
            let filter = format!(
                r#"{{"_or":[{{"created_at":"2026-05-{day} 00:00:00;>=|2026-05-{} 00:00:00;<"}},{{"city":"Bonn"}}]}}"#,
                day + 1
            );
            Place { filter, dates: dates.clone(), ..shown.clone() }
        };
        let view = SavedView { filter: on(14).filter, dates: dates.clone(), ..saved() };
        assert!(on(20).is_like(&view), "what was today then is today now");
        assert_eq!(on(20).address(Some(&view)), "/leads?view=7");
        assert!(!Place { dates: String::new(), ..on(14) }.is_like(&view), "just dates");
        let searched = Place { search: "ann".to_owned(), row: Some(12), ..shown };
        assert!(searched.is_like(&saved()));
    }

    #[test]
    fn address_with_only_a_view_opens_the_view() {
        assert!(Place { view: "7".to_owned(), ..Place::default() }.is_way());
        assert!(!Place::default().is_way());
        assert_eq!(Place::default().to_view("All".to_owned(), false).filter, ALL_LEADS);
    }
}
