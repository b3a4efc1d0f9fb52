//! Column headers of a list. The same definition produces the sortable headers and the sort choice on a phone, where rows are cards without
//! headers.

use leptos::prelude::*;

use super::sort_select::SortSelect;
use super::table::SortableHeader;
use crate::ui::list::ListOrder;
use crate::ui::list::list_order::field_name;

#[derive(Clone, Copy)]
pub struct ColumnHeader {
    label: fn() -> &'static str,
    /// Sort key of the first press.
    pub sort_key: Option<&'static str>,
    class: Option<&'static str>,
    is_hidden: bool,
}

impl ColumnHeader {
    /// Header without sorting.
    pub const fn new(label: fn() -> &'static str) -> Self {
        Self { label, sort_key: None, class: None, is_hidden: false }
    }

    /// Makes the column sortable. `sort_key` applies on the first click; a `-` prefix means descending.
    pub const fn sorted_by(self, sort_key: &'static str) -> Self {
        Self { sort_key: Some(sort_key), ..self }
    }

    pub const fn class(self, class: &'static str) -> Self {
        Self { class: Some(class), ..self }
    }

    /// Visible to screen readers only.
    pub const fn hidden(self) -> Self {
        Self { is_hidden: true, ..self }
    }
}

/// Renders the headers; they sort if there is an `order`.
pub fn column_headers(columns: &'static [ColumnHeader], order: Option<ListOrder>) -> AnyView {
    columns.iter().map(|column| header_cell(*column, order)).collect_view().into_any()
}

fn header_cell(header: ColumnHeader, order: Option<ListOrder>) -> AnyView {
    let ColumnHeader { label, sort_key, class, is_hidden } = header;
    match (sort_key, order) {
        (Some(sort_key), Some(order)) => {
            view! { <SortableHeader name=field_name(sort_key).to_owned() label=label() class sort_key order /> }
                .into_any()
        }
        _ => view! {
            <th scope="col" class=class>
                <span class:visually-hidden=is_hidden>{label()}</span>
            </th>
        }
        .into_any(),
    }
}

#[component]
pub fn OrderSelect(
    headers: &'static [ColumnHeader],
    order: ListOrder,
    /// Content before the choice.
    #[prop(optional_no_strip)]
    leading: Option<AnyView>,
) -> impl IntoView {
    let choice = |header: &ColumnHeader| Some((header.sort_key?.to_owned(), (header.label)().to_owned()));
    let choices = headers.iter().filter_map(choice).collect::<Vec<_>>();
    view! { <SortSelect choices=Signal::stored(choices) order leading /> }
}
