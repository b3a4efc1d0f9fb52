//! Stores unapplied filter edits in the session storage. Restores them when the user reloads the page, or returns to the same
//! leads or to all leads.

use leadscribe_engine::api::Timestamp;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use serde::{Deserialize, Serialize};

use super::PAGE_PATH;
use super::list_state::ListState;
use super::search_state::LeadSearchState;
use crate::api::use_session;
use crate::browser::storage::session_storage;
use crate::i18n::{datetime, relative_date};

const STORAGE_KEY: &str = "leadscribe.unsaved-filter";

/// An edited filter and its context.
#[derive(Serialize, Deserialize)]
struct UnsavedFilter {
    user: String,
    /// URL of the leads that were shown, without the parameters that only affect the display.
    list_url: String,
    /// Relative dates as in a URL, and the time at which the text resolves them.
    dates: String,
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
