//! A filter that somebody edited and didn't run: kept for this tab while they look at another page, for who comes back to the
//! leads that were shown beside it, or to all leads.

use std::cell::RefCell;

use leadscribe_engine::api::UserId;
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::PATH;
use super::finding::Finding;
use super::place::Place;
use crate::relative::{Anchor, Choice};
use crate::session::use_session;

/// What was edited, and where.
#[derive(Clone)]
struct Unrun {
    user: Option<UserId>,
    place: Place,
    text: String,
    chosen: Vec<Choice>,
    anchor: Anchor,
}

thread_local! {
    static UNRUN: RefCell<Option<Unrun>> = const { RefCell::new(None) };
}

/// Puts back what was edited at this place, and keeps what is edited from now on.
pub fn keep(finding: Finding) {
    let Finding { here, text, dates, is_applied, is_ready, .. } = finding;
    let (user, pathname) = (use_session().user().map(|user| user.id), use_location().pathname);
    let is_begun = StoredValue::new(false);
    Effect::new(move |_| {
        let (Some(place), is_applied) = (here.get(), is_applied.get()) else { return };
        let edited = (text.get(), dates.chosen.get(), dates.anchor.get());
        // The address of the page that comes next says nothing of this one.
        if !is_ready.get() || pathname.get() != PATH {
            return;
        }
        if !is_begun.get_value() {
            is_begun.set_value(true);
            let kept = UNRUN.take().filter(|kept| kept.user == user && is_of(&kept.place, &place));
            if let Some(Unrun { text: edited, chosen, anchor, .. }) = kept {
                dates.anchor.set(anchor);
                dates.chosen.set(chosen);
                text.set(edited);
                return;
            }
        }
        let (text, chosen, anchor) = edited;
        UNRUN.set((!is_applied).then_some(Unrun { user, place, text, chosen, anchor }));
    });
}

/// Whether what was edited at one place belongs to another that somebody comes to.
fn is_of(kept: &Place, now: &Place) -> bool {
    let bare = |place: &Place| Place { columns: String::new(), row: None, ..place.clone() };
    bare(kept) == bare(now) || bare(now) == Place::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_edited_comes_back_with_what_stood_beside_it_and_with_all_leads() {
        let bonn = Place { filter: r#"{"city":"Bonn"}"#.to_owned(), ..Place::default() };
        let columns = Place { columns: "city".to_owned(), ..bonn.clone() };
        let ulm = Place { filter: r#"{"city":"Ulm"}"#.to_owned(), ..Place::default() };
        assert!(is_of(&bonn, &bonn) && is_of(&bonn, &columns) && is_of(&bonn, &Place::default()));
        assert!(!is_of(&bonn, &ulm) && !is_of(&Place::default(), &bonn));
    }
}
