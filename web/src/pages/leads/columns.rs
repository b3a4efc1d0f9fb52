//! The columns of the list, as the address names them.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::PATH;
use crate::components::lead_columns::{self, Column};

/// The columns that the address names, or else the usual ones, and what shows others. `open` is the saved view that is shown, an
/// empty name for none, and `show` puts names into the address.
pub fn chosen_columns(
    named: Memo<Option<String>>,
    open: Memo<Option<String>>,
    show: Callback<String>,
) -> (Memo<Vec<Column>>, Callback<Vec<Column>>) {
    let columns =
        Memo::new(move |_| named.get().map_or_else(lead_columns::usual, |names| lead_columns::from_names(&names)));
    let pathname = use_location().pathname;
    Effect::new(move |_| {
        // What this browser remembers goes into the address too, for whoever gets the link. On the way to another page
        // the address is no longer this page's; and a saved view has columns of its own.
        let is_free = named.get().is_none() && open.get().is_some_and(|view| view.is_empty());
        let remembered = is_free.then(lead_columns::remembered).flatten();
        if let Some(remembered) = remembered.filter(|_| pathname.get_untracked() == PATH) {
            show.run(remembered);
        }
    });
    let set = Callback::new(move |columns: Vec<Column>| {
        if open.with_untracked(|view| view.as_ref().is_some_and(String::is_empty)) {
            lead_columns::remember(&columns);
        }
        let is_usual = lead_columns::is_usual(&columns);
        show.run(if is_usual { String::new() } else { lead_columns::names(&columns) });
    });
    (columns, set)
}
