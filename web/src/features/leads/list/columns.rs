//! Columns of the list and their widths, stored in the URL.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::PAGE_PATH;
use crate::ui::lead::columns as lead_columns;
use crate::ui::lead::columns::Column;
use crate::ui::lead::table::{ColumnWidths, widths_from_text};

/// Shown columns, and a callback to change them.
#[derive(Clone, Copy)]
pub struct ColumnSettings {
    pub shown: Memo<Vec<Column>>,
    pub widths: ColumnWidths,
    pub set: Callback<Vec<Column>>,
}

/// Columns in the URL. `open_view_id` is the saved view that is shown, an empty name for none. `show` puts another text into the
/// URL.
pub fn use_column_settings(
    text: Memo<String>,
    open_view_id: Memo<Option<String>>,
    show: Callback<String>,
) -> ColumnSettings {
    let shown = Memo::new(move |_| lead_columns::parse_columns(&text.get()));
    let widths_in_use = RwSignal::new(text.with_untracked(|text| widths_from_text(text)));
    Effect::new(move |_| {
        let url_widths = text.with(|text| widths_from_text(text));
        if widths_in_use.with_untracked(|widths_in_use| *widths_in_use != url_widths) {
            widths_in_use.set(url_widths);
        }
    });
    let pathname = use_location().pathname;
    Effect::new(move |_| {
        // Puts the stored columns into the URL, so that a link contains them. Not while navigating away, when the URL
        // already belongs to another page, and not in a saved view, which has its own columns.
        let can_restore = text.with(String::is_empty) && open_view_id.get().is_some_and(|view| view.is_empty());
        let remembered = can_restore.then(lead_columns::load_stored).flatten();
        if let Some(remembered) = remembered.filter(|_| pathname.get_untracked() == PAGE_PATH) {
            show.run(remembered);
        }
    });
    let set = Callback::new(move |columns: Vec<Column>| {
        let text = widths_in_use.with_untracked(|widths| lead_columns::format_columns(&columns, widths));
        if open_view_id.with_untracked(|view| view.as_ref().is_some_and(String::is_empty)) {
            lead_columns::store(&text);
        }
        show.run(text);
    });
    let widths = ColumnWidths::with_callback(widths_in_use, Callback::new(move |()| set.run(shown.get_untracked())));
    ColumnSettings { shown, widths, set }
}
