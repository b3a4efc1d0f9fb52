//! By what the list of leads is sorted, where it has no heads to press.

use leadscribe_engine::filter::fields::{FieldId, find};
use leptos::prelude::*;

use crate::components::lead::columns::{Column, label_of};
use crate::components::list::sort_pick::{SortPick, Sorting};
use crate::texts::lead_table as texts;

/// The columns that sort, and that of the lead itself.
#[component]
pub fn LeadSortPick(
    #[prop(into)] columns: Signal<Vec<Column>>,
    /// The first key of the order: the field, and whether from the largest.
    order: Signal<Option<(FieldId, bool)>>,
    on_sort: Callback<FieldId>,
    /// What stands before it.
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
