//! A filter that somebody edited and didn't run: kept by this tab while they look at another page or load this one again, for who
//! comes back to the leads that were shown beside it, or to all leads.

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

/// Where the tab keeps it.
const KEY: &str = "leadscribe.unrun";

/// What was edited, and where.
#[derive(Clone, Debug, Default, PartialEq)]
struct Unrun {
    /// The id of who edited it.
    user: String,
    /// The address of the leads that were shown, as [`address`] gives it.
    place: String,
    /// Relative dates as an address has them, and the moment as of which the text says what they are.
    dates: String,
    at: Timestamp,
    text: String,
}

impl Unrun {
    /// What the tab keeps.
    fn kept() -> Option<Self> {
        Self::read(&tab_storage()?.get_item(KEY).ok()??)
    }

    /// Keeps it. A tab that refuses forgets it with the page.
    fn keep(&self) {
        if let Some(storage) = tab_storage() {
            _ = storage.set_item(KEY, &self.written());
        }
    }

    /// Keeps none any more.
    fn forget() {
        if let Some(storage) = tab_storage() {
            // What can't be removed wasn't kept either.
            _ = storage.remove_item(KEY);
        }
    }

    /// On a line each, but for the text, which may have several.
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

/// Puts back what was edited at this place, and keeps what is edited from now on.
pub fn keep(finding: Finding) {
    let Finding { here, text, dates, is_applied, is_ready, .. } = finding;
    let user = use_session().user().map(|user| user.id.to_string()).unwrap_or_default();
    let (pathname, is_begun) = (use_location().pathname, StoredValue::new(false));
    Effect::new(move |_| {
        let (Some(place), is_applied) = (here.get(), is_applied.get()) else { return };
        let (edited, chosen, at) = (text.get(), dates.chosen.get(), dates.anchor.with(|anchor| anchor.now));
        let place = address(place);
        // The address of the page that comes next says nothing of this one.
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

/// The address of a place without what says how the leads are shown.
fn address(place: Place) -> String {
    Place { columns: String::new(), row: None, ..place }.address(None)
}

/// Whether what was edited at one address belongs to another that somebody comes to.
fn is_of(kept: &str, now: &str) -> bool {
    kept == now || now == PATH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_edited_comes_back_with_what_stood_beside_it_and_with_all_leads() {
        let (bonn, ulm) = ("/leads?filter=%7B%22city%22%3A%22Bonn%22%7D", "/leads?filter=%7B%22city%22%3A%22Ulm%22%7D");
        assert!(is_of(bonn, bonn) && is_of(bonn, PATH));
        assert!(!is_of(bonn, ulm) && !is_of(PATH, bonn));
    }

    #[test]
    fn what_is_kept_is_read_as_it_was() {
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
