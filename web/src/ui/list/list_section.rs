//! A paginated list below its filter: the error of its query, or its table with the sort choice and the pager.

use leptos::prelude::*;

use super::column_headers::{ColumnHeader, OrderSelect};
use super::invalid_query::ListError;
use super::list_order::ListOrder;
use super::pager::Pager;
use super::paginated_list::PaginatedList;
use crate::api::{ApiError, ListQuery};
use crate::ui::{Glyph, NoMatches, PageOutOfRange};

#[component]
pub fn ListSection<Q: ListQuery, T: Clone + PartialEq + Send + Sync + 'static>(
    list: PaginatedList<Q, T>,
    /// Accessible name.
    label: &'static str,
    /// Parameters of the query whose diagnostics are shown at their inputs.
    field_parameters: &'static [&'static str],
    columns: &'static [ColumnHeader],
    order: ListOrder,
    /// Content before the sort choice.
    #[prop(optional_no_strip)]
    leading: Option<AnyView>,
    /// Icon of the empty states.
    glyph: Glyph,
    /// Title and text if no item matches the query.
    no_match: (&'static str, &'static str),
    /// Label of the button that shows the whole list.
    reset_label: &'static str,
    on_retry: Callback<()>,
    /// Error of data in addition to the list.
    #[prop(optional, into)]
    other_error: Signal<Option<ApiError>>,
    /// Shown if the whole list has no items.
    #[prop(optional, into)]
    empty: Option<ViewFn>,
    #[prop(into)] table: ViewFn,
    /// Content below the pager.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let PaginatedList { list_query, page_resource, window, .. } = list;
    let (on_reset, on_first) = (list.on_reset(), list.on_first_page());
    let (is_past_end, is_empty) = (list.is_past_end(), list.is_empty());
    let content = move || match (is_past_end.get(), is_empty.get(), &empty) {
        (true, ..) => view! { <PageOutOfRange glyph on_first /> }.into_any(),
        (_, false, _) => table.run(),
        (_, true, Some(empty)) if !list_query.with(ListQuery::has_conditions) => empty.run(),
        (_, true, _) => {
            let (title, text) = no_match;
            view! { <NoMatches glyph title text reset_label on_reset /> }.into_any()
        }
    };
    let error = Signal::derive(move || page_resource.error.get().or_else(|| other_error.get()));
    view! {
        <ListError error field_parameters reset_label on_reset on_retry />
        <section class="table-card mobile-cards" hidden=move || page_resource.has_failed() aria-label=label>
            <OrderSelect headers=columns order leading />
            {content}
            <Pager window total=list.total() stale=list.is_stale() on_change=list.on_page() />
            {children.map(|children| children())}
        </section>
    }
}
