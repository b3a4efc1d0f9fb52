//! Stores unapplied filter edits in the session storage. Restores them when the user reloads the page, or returns to the same
//! leads or to all leads.

use leadscribe_engine::api::Timestamp;
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::PATH;
use super::finding::Finding;
use super::place::Place;
use crate::relative;
use crate::session::use_session;
use crate::storage::tab_storage;
use crate::when;

/// Key in the session storage.
const KEY: &str = "leadscribe.unrun";

/// An edited filter and its context.
#[derive(Clone, Debug, Default, PartialEq)]
struct Unrun {
    /// Id of the user.
    user: String,
    /// Address of the leads that were shown, as returned by [`address`].
    place: String,
    /// Relative dates as in an address, and the time at which the text resolves them.
    dates: String,
    at: Timestamp,
    text: String,
}

impl Unrun {
    /// Reads the stored filter.
    fn kept() -> Option<Self> {
        Self::read(&tab_storage()?.get_item(KEY).ok()??)
    }

    /// Stores the filter. If the browser refuses, it is lost when the page closes.
    fn keep(&self) {
        if let Some(storage) = tab_storage() {
            _ = storage.set_item(KEY, &self.written());
        }
    }

    /// Removes the stored filter.
    fn forget() {
        if let Some(storage) = tab_storage() {
            // Nothing to do on failure: without storage there is no filter.
            _ = storage.remove_item(KEY);
        }
    }

    /// One member per line; the text is last because it may have several lines.
    fn written(&self) -> String {
        let Self { user, place, dates, at, text } = self;
        format!("{user}\n{place}\n{dates}\n{}\n{text}", at.timestamp_millis())
    }

    fn read(written: &str) -> Option<Self> {
        let mut lines = written.splitn(5, '\n');
        let mut line = || lines.next().map(str::to_owned);
        let (user, place, dates) = (line()?, line()?, line()?);
        let at = Timestamp::from_timestamp_millis(line()?.parse().ok()?)?;
        Some(Self { user, place, dates, at, text: line()? })
    }
}

/// Restores the edited filter of this address and stores further edits.
pub fn keep(finding: Finding) {
    let Finding { here, text, dates, is_applied, is_ready, .. } = finding;
    let user = use_session().user().map(|user| user.id.to_string()).unwrap_or_default();
    let (pathname, is_begun) = (use_location().pathname, StoredValue::new(false));
    Effect::new(move |_| {
        let (Some(place), is_applied) = (here.get(), is_applied.get()) else { return };
        let (edited, chosen, at) = (text.get(), dates.chosen.get(), dates.anchor.with(|anchor| anchor.now));
        let place = address(place);
        // While navigating away, the address already belongs to another page.
        if !is_ready.get() || pathname.get() != PATH {
            return;
        }
        if !is_begun.get_value() {
            is_begun.set_value(true);
            if let Some(kept) = Unrun::kept().filter(|kept| kept.user == user && is_of(&kept.place, &place)) {
                dates.anchor.set(when::anchor_at(kept.at));
                dates.chosen.set(relative::from_text(&kept.dates));
                text.set(kept.text);
                return;
            }
        }
        if is_applied {
            return Unrun::forget();
        }
        Unrun { user: user.clone(), place, dates: relative::to_text(&chosen), at, text: edited }.keep();
    });
}

/// Address without the parameters that only affect the display.
fn address(place: Place) -> String {
    Place { columns: String::new(), row: None, ..place }.address(None)
}

/// True if a filter that was edited at one address is restored at another.
fn is_of(kept: &str, now: &str) -> bool {
    kept == now || now == PATH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restores_the_filter_at_its_address_and_at_all_leads() {
        let (bonn, ulm) = ("/leads?filter=%7B%22city%22%3A%22Bonn%22%7D", "/leads?filter=%7B%22city%22%3A%22Ulm%22%7D");
        assert!(is_of(bonn, bonn) && is_of(bonn, PATH));
        assert!(!is_of(bonn, ulm) && !is_of(PATH, bonn));
    }

    #[test]
    fn stored_filter_round_trips() {
        let unrun = Unrun {
            user: "3".to_owned(),
            place: "/leads?view=7".to_owned(),
            dates: "created_at:last-7-days".to_owned(),
            at: Timestamp::from_timestamp_millis(1_777_627_800_125).unwrap(),
            text: "{\n  \"city\": \"Bonn\"\n}".to_owned(),
        };
        assert_eq!(Unrun::read(&unrun.written()), Some(unrun));
        assert_eq!(Unrun::read("3\n/leads\n\nnow\n{}"), None);
    }
}
