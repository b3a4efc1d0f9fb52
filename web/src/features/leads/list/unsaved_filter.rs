//! Stores unapplied filter edits in the session storage. Restores them when the user reloads the page, or returns to the same
//! leads or to all leads.

use leadscribe_engine::api::Timestamp;
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::PAGE_PATH;
use super::list_state::ListState;
use super::search_state::LeadSearchState;
use crate::api::session::use_session;
use crate::browser::storage::session_storage;
use crate::i18n::datetime;
use crate::i18n::relative_date;

/// Key in the session storage.
const STORAGE_KEY: &str = "leadscribe.unsaved-filter";

/// An edited filter and its context.
#[derive(Clone, Debug, Default, PartialEq)]
struct UnsavedFilter {
    /// Id of the user.
    user: String,
    /// URL of the leads that were shown, as returned by [`leads_url`].
    list_url: String,
    /// Relative dates as in a URL, and the time at which the text resolves them.
    dates: String,
    at: Timestamp,
    text: String,
}

impl UnsavedFilter {
    /// Reads the stored filter.
    fn load() -> Option<Self> {
        Self::decode(&session_storage()?.get_item(STORAGE_KEY).ok()??)
    }

    /// Stores the filter. If the browser refuses, it is lost when the page closes.
    fn store(&self) {
        if let Some(storage) = session_storage() {
            _ = storage.set_item(STORAGE_KEY, &self.encode());
        }
    }

    /// Removes the stored filter.
    fn remove() {
        if let Some(storage) = session_storage() {
            // Nothing to do on failure: without storage there is no filter.
            _ = storage.remove_item(STORAGE_KEY);
        }
    }

    /// One member per line; the text is last because it may have several lines.
    fn encode(&self) -> String {
        let Self { user, list_url, dates, at, text } = self;
        format!("{user}\n{list_url}\n{dates}\n{}\n{text}", at.timestamp_millis())
    }

    fn decode(encoded: &str) -> Option<Self> {
        let mut lines = encoded.splitn(5, '\n');
        let mut next_line = || lines.next().map(str::to_owned);
        let (user, list_url, dates) = (next_line()?, next_line()?, next_line()?);
        let at = Timestamp::from_timestamp_millis(next_line()?.parse().ok()?)?;
        Some(Self { user, list_url, dates, at, text: next_line()? })
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
            (text.get(), dates.choices.get(), dates.anchor.with(|anchor| anchor.now));
        let list_url = leads_url(list_state);
        // While navigating away, the URL already belongs to another page.
        if !is_editor_ready.get() || pathname.get() != PAGE_PATH {
            return;
        }
        if !was_restored.get_value() {
            was_restored.set_value(true);
            if let Some(stored) = UnsavedFilter::load()
                .filter(|stored| stored.user == user && is_restored_at(&stored.list_url, &list_url))
            {
                dates.anchor.set(datetime::anchor_at(stored.at));
                dates.choices.set(relative_date::decode(&stored.dates));
                text.set(stored.text);
                return;
            }
        }
        if is_applied {
            return UnsavedFilter::remove();
        }
        UnsavedFilter {
            user: user.clone(),
            list_url,
            dates: relative_date::encode(&relative_dates),
            at,
            text: edited_filter,
        }
        .store();
    });
}

/// URL without the parameters that only affect the display.
fn leads_url(list_state: ListState) -> String {
    ListState { columns: String::new(), ..list_state }.url(None)
}

/// True if a filter that was edited at one URL is restored at another.
fn is_restored_at(stored: &str, current: &str) -> bool {
    stored == current || current == PAGE_PATH
}

#[cfg(test)]
mod tests {
    use crate::features::leads::list::unsaved_filter::*;

    #[test]
    fn restores_the_filter_at_its_url_and_at_all_leads() {
        let (bonn, ulm) = ("/leads?filter=%7B%22city%22%3A%22Bonn%22%7D", "/leads?filter=%7B%22city%22%3A%22Ulm%22%7D");
        assert!(is_restored_at(bonn, bonn) && is_restored_at(bonn, PAGE_PATH));
        assert!(!is_restored_at(bonn, ulm) && !is_restored_at(PAGE_PATH, bonn));
    }

    #[test]
    fn stored_filter_round_trips() {
        let stored = UnsavedFilter {
            user: "3".to_owned(),
            list_url: "/leads?view=7".to_owned(),
            dates: "created_at:last-7-days".to_owned(),
            at: Timestamp::from_timestamp_millis(1_777_627_800_125).unwrap(),
            text: "{\n  \"city\": \"Bonn\"\n}".to_owned(),
        };
        assert_eq!(UnsavedFilter::decode(&stored.encode()), Some(stored));
        assert_eq!(UnsavedFilter::decode("3\n/leads\n\nnow\n{}"), None);
    }
}
