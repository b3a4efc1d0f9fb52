//! Sort choice of the list of leads on screens without column headers.

use leadscribe_engine::filter::fields::{FieldId, find};
use leptos::prelude::*;

use crate::i18n::texts::lead_table as texts;
use crate::ui::lead::columns::{Column, column_label};
use crate::ui::list::sort_select::{CurrentSort, SortSelect};

/// Sortable columns, including the lead column.
#[component]
pub fn LeadSortSelect(
    #[prop(into)] columns: Signal<Vec<Column>>,
    /// First sort key: the field, and true for descending order.
    order: Signal<Option<(FieldId, bool)>>,
    on_sort: Callback<FieldId>,
    /// Content before the choice.
    #[prop(optional_no_strip)]
    leading: Option<AnyView>,
) -> impl IntoView {
    let choice = |field: FieldId, label: String| (field.field().name().to_owned(), label);
    let choices = Signal::derive(move || {
        let columns = columns.get();
        let other_choices =
            columns.iter().filter_map(|column| Some(choice(column.sort_field()?, column_label(column).into_owned())));
        [choice(FieldId::LastName, texts::lead().to_owned())].into_iter().chain(other_choices).collect::<Vec<_>>()
    });
    let current_sort = Signal::derive(move || {
        order.get().map(|(field, is_descending)| CurrentSort {
            key: field.field().name().to_owned(),
            is_descending,
            clears_next: is_descending,
        })
    });
    let on_sort = Callback::new(move |name: String| {
        if let Some(field) = find(&name) {
            on_sort.run(field.id);
        }
    });
    view! { <SortSelect choices current_sort on_sort leading /> }
}
