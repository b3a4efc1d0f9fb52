//! Columns of the list and their widths, stored in the address.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::PATH;
use crate::components::lead::columns::{self as lead_columns, Column};
use crate::components::lead::table::{Widths, widths_from_text};

/// Shown columns, and a callback to change them.
#[derive(Clone, Copy)]
pub struct Columns {
    pub shown: Memo<Vec<Column>>,
    pub widths: Widths,
    pub set: Callback<Vec<Column>>,
}

/// Columns in the address. `open` is the saved view that is shown, an empty name for none. `show` puts another text into the
/// address.
pub fn chosen_columns(text: Memo<String>, open: Memo<Option<String>>, show: Callback<String>) -> Columns {
    let shown = Memo::new(move |_| lead_columns::from_text(&text.get()));
    let chosen = RwSignal::new(text.with_untracked(|text| widths_from_text(text)));
    Effect::new(move |_| {
        let said = text.with(|text| widths_from_text(text));
        if chosen.with_untracked(|chosen| *chosen != said) {
            chosen.set(said);
        }
    });
    let pathname = use_location().pathname;
    Effect::new(move |_| {
        // Puts the stored columns into the address, so that a link contains them. Not while navigating away, when the address
        // already belongs to another page, and not in a saved view, which has its own columns.
        let is_free = text.with(String::is_empty) && open.get().is_some_and(|view| view.is_empty());
        let remembered = is_free.then(lead_columns::remembered).flatten();
        if let Some(remembered) = remembered.filter(|_| pathname.get_untracked() == PATH) {
            show.run(remembered);
        }
    });
    let set = Callback::new(move |columns: Vec<Column>| {
        let text = chosen.with_untracked(|widths| lead_columns::to_text(&columns, widths));
        if open.with_untracked(|view| view.as_ref().is_some_and(String::is_empty)) {
            lead_columns::remember(&text);
        }
        show.run(text);
    });
    let widths = Widths::told(chosen, Callback::new(move |()| set.run(shown.get_untracked())));
    Columns { shown, widths, set }
}
