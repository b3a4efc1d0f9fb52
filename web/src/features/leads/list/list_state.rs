//! State of the lead list in the URL and in saved views. Unapplied filter edits are in the session storage; they are
//! restored when the user reloads the page, or returns to the same leads or to all leads.

use leadscribe_engine::api::{SavedView, Timestamp, ViewRequest};
use leadscribe_engine::filter;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use serde::{Deserialize, Serialize};

use crate::api::use_session;
use crate::browser::query::{Query, query_string};
use crate::browser::storage::session_storage;
use crate::features::leads::list::PAGE_PATH;
use crate::features::leads::list::search_state::LeadSearchState;
use crate::i18n::{datetime, relative_date};
use crate::ui::filter_editor::filter_text::{ALL_LEADS, canonicalize, page_window, resolve_dates_at_fixed_time};
use crate::ui::list::{PageWindow, view_href};

/// State of the list. An empty member has its default value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListState {
    pub filter: String,
    pub dates: String,
    pub columns: String,
    pub view: String,
    /// Text search in the filter's result; not part of a saved view.
    pub search: String,
}

impl ListState {
    pub fn from_query(query: Query) -> Self {
        let parameter = |name| query.get(name).unwrap_or_default();
        Self {
            filter: parameter("filter"),
            dates: parameter("dates"),
            columns: parameter("columns"),
            view: parameter("view"),
            search: parameter("search"),
        }
    }

    /// State that a saved view stores.
    pub fn from_view(view: &SavedView) -> Self {
        let SavedView { filter, dates, columns, .. } = view.clone();
        Self { filter, dates, columns, view: view.id.to_string(), ..Self::default() }
    }

    /// True if it only names a saved view.
    pub fn names_only_a_view(&self) -> bool {
        !self.view.is_empty() && [&self.filter, &self.dates, &self.columns].into_iter().all(String::is_empty)
    }

    /// URL of this state. It names only the view if the state equals the open saved view.
    pub fn url(&self, open_view: Option<&SavedView>) -> String {
        if let Some(view) = open_view.filter(|view| self.with_fixed_dates() == Self::from_view(view).with_fixed_dates())
        {
            return view_href(view);
        }
        // Without a filter, the URL would open the view as it was saved.
        let filter = if self.view.is_empty() || !self.filter.is_empty() { self.filter.as_str() } else { ALL_LEADS };
        let parameters = [
            ("filter", filter),
            ("dates", &*self.dates),
            ("columns", &*self.columns),
            ("view", &*self.view),
            ("search", &*self.search),
        ];
        format!("/leads{}", query_string(&parameters))
    }

    /// True if it equals a saved view, regardless of page and text search.
    pub fn equals_view(&self, view: &SavedView) -> bool {
        let saved = Self::from_view(view);
        let comparable = |state: &Self| {
            let filter = with_first_page(&state.filter);
            Self { search: String::new(), filter, ..state.clone() }.with_fixed_dates()
        };
        comparable(self) == comparable(&saved)
    }

    /// The same state with relative dates resolved at a fixed time, for comparison.
    fn with_fixed_dates(&self) -> Self {
        Self { filter: resolve_dates_at_fixed_time(&self.filter, &self.dates), ..self.clone() }
    }

    /// Request that saves the state as a view.
    pub fn to_view(&self, name: String, shared: bool) -> ViewRequest {
        let Self { dates, columns, .. } = self.clone();
        ViewRequest { name, filter: with_first_page(&self.filter), dates, columns, shared }
    }
}

/// Returns the filter with the limit set to the first page.
pub fn with_first_page(text: &str) -> String {
    let text = if text.is_empty() { ALL_LEADS } else { text };
    let mut parsed = filter::parse(text);
    if !parsed.diagnostics.is_empty() {
        return canonicalize(text);
    }
    let window = page_window(&parsed.tree);
    if window.offset > 0 {
        parsed.tree.controls.limit = Some(PageWindow { offset: 0, ..window }.limit().into());
    }
    filter::print(&parsed.tree)
}

const STORAGE_KEY: &str = "leadscribe.unsaved-filter";

/// An edited filter and its context.
#[derive(Serialize, Deserialize)]
struct UnsavedFilter {
    user: String,
    /// URL of the leads that were shown, without the parameters that only affect the display.
    list_url: String,
    /// Relative dates as in a URL.
    dates: String,
    /// Time at which the relative dates in `text` were resolved.
    at: Timestamp,
    text: String,
}

impl UnsavedFilter {
    fn load() -> Option<Self> {
        serde_json::from_str(&session_storage()?.get_item(STORAGE_KEY).ok()??).ok()
    }

    /// Stores the filter. If the browser refuses, it is lost when the page closes.
    fn store(&self) {
        let text = serde_json::to_string(self).expect("stored values always serialize");
        _ = session_storage().map(|storage| storage.set_item(STORAGE_KEY, &text));
    }

    fn remove() {
        // Nothing to do on failure: without storage there is no filter.
        _ = session_storage().map(|storage| storage.remove_item(STORAGE_KEY));
    }
}

/// Restores the edited filter of this URL and stores further edits.
pub fn restore_and_track(search_state: LeadSearchState) {
    let LeadSearchState { list_state, edited_filter: text, dates, is_applied, is_editor_ready, .. } = search_state;
    let user = use_session().user().map(|user| user.id.to_string()).unwrap_or_default();
    let (pathname, was_restored) = (use_location().pathname, StoredValue::new(false));
    Effect::new(move |_| {
        let (Some(list_state), is_applied) = (list_state.get(), is_applied.get()) else { return };
        let (edited_filter, relative_dates, at) =
            (text.get(), dates.conditions.get(), dates.anchor.with(|anchor| anchor.now));
        let list_url = ListState { columns: String::new(), ..list_state }.url(None);
        // While navigating away, the URL already belongs to another page.
        if !is_editor_ready.get() || pathname.get() != PAGE_PATH {
            return;
        }
        if !was_restored.get_value() {
            was_restored.set_value(true);
            let is_restored =
                |stored: &UnsavedFilter| stored.user == user && (stored.list_url == list_url || list_url == PAGE_PATH);
            if let Some(stored) = UnsavedFilter::load().filter(is_restored) {
                dates.anchor.set(datetime::anchor_at(stored.at));
                dates.conditions.set(relative_date::decode(&stored.dates));
                text.set(stored.text);
                return;
            }
        }
        if is_applied {
            return UnsavedFilter::remove();
        }
        let dates = relative_date::encode(&relative_dates);
        UnsavedFilter { user: user.clone(), list_url, dates, at, text: edited_filter }.store();
    });
}

#[cfg(test)]
mod tests {
    use crate::features::leads::list::list_state::*;

    fn saved_view() -> SavedView {
        let view = r#"{"id":7,"name":"Bonn","filter":"{\"city\":\"Bonn\",\"limit\":\"50;0\"}","dates":"","columns":"city",
            "shared":false,"owner_id":1,"created_at":"2026-05-14T12:00:00Z","updated_at":"2026-05-14T12:00:00Z"}"#;
        serde_json::from_str(view).unwrap()
    }

    #[test]
    fn page_and_search_do_not_change_a_view() {
        let state = ListState::from_view(&saved_view());
        assert_eq!(state.url(Some(&saved_view())), "/leads?view=7");
        let third_page = ListState {
            filter: r#"{ "city": "Bonn", "limit": "50;100" }"#.to_owned(),
            search: "ann".to_owned(),
            ..state.clone()
        };
        assert!(third_page.equals_view(&saved_view()));
        assert_eq!(third_page.to_view("Bonn".to_owned(), true).filter, saved_view().filter);
        for changed in [
            ListState { filter: r#"{"city":"Bonn","limit":"10;0"}"#.to_owned(), ..state.clone() },
            ListState { dates: "created_at:today".to_owned(), ..state.clone() },
            ListState { columns: String::new(), ..state },
        ] {
            assert!(!changed.equals_view(&saved_view()), "{changed:?}");
        }
    }

    #[test]
    fn relative_date_moves_with_the_current_day() {
        let dates = "/_or/0/created_at:today".to_owned();
        let view_on_day = |day: u8| {
            let range = format!("2026-05-{day} 00:00:00;>=|2026-05-{} 00:00:00;<", day + 1);
            let filter = format!(r#"{{"_or":[{{"created_at":"{range}"}},{{"city":"Bonn"}}]}}"#);
            SavedView { filter, dates: dates.clone(), ..saved_view() }
        };
        let state = ListState::from_view(&view_on_day(20));
        assert!(state.equals_view(&view_on_day(14)));
        assert_eq!(state.url(Some(&view_on_day(14))), "/leads?view=7");
        let exact_dates = ListState { dates: String::new(), ..ListState::from_view(&view_on_day(14)) };
        assert!(!exact_dates.equals_view(&view_on_day(14)));
    }
}
