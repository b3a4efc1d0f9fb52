//! Sort choice of the list of leads on screens without column headers.

use leadscribe_engine::filter::fields::{FieldId, find};
use leptos::prelude::*;

use crate::components::lead::columns::{Column, label_of};
use crate::components::list::sort_pick::{SortPick, Sorting};
use crate::texts::lead_table as texts;

/// Sortable columns, including the lead column.
#[component]
pub fn LeadSortPick(
    #[prop(into)] columns: Signal<Vec<Column>>,
    /// First sort key: the field, and true for descending order.
    order: Signal<Option<(FieldId, bool)>>,
    on_sort: Callback<FieldId>,
    /// Content before the choice.
    #[prop(optional_no_strip)]
    before: Option<AnyView>,
) -> impl IntoView {
    let choice = |field: FieldId, label: String| (field.field().name().to_owned(), label);
    let choices = Signal::derive(move || {
        let columns = columns.get();
        let others = columns.iter().filter_map(|column| Some(choice(column.order()?, label_of(column).into_owned())));
        [choice(FieldId::LastName, texts::lead().to_owned())].into_iter().chain(others).collect::<Vec<_>>()
    });
    let sorting = Signal::derive(move || {
        order.get().map(|(field, down)| Sorting { by: field.field().name().to_owned(), down, ends: down })
    });
    let on_sort = Callback::new(move |name: String| {
        if let Some(field) = find(&name) {
            on_sort.run(field.id);
        }
    });
    view! { <SortPick choices sorting on_sort before /> }
}
