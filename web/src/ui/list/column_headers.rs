//! Column headers of a list. The same definition produces the sortable headers and the sort choice on a phone, where rows are cards without
//! headers.

use leptos::prelude::*;

use super::sort_select::{CurrentSort, SortSelect};
use super::table::{SortState, SortableHeader};
use crate::ui::list::list_order::{ListOrder, field_name};

/// A column header.
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
            let sort_state = Signal::derive(move || order.sort_state(sort_key));
            let on_sort = Callback::new(move |()| order.cycle(sort_key));
            view! { <SortableHeader name=field_name(sort_key).to_owned() label=label() class sort_state on_sort /> }
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

/// Choice of the sort order.
#[component]
pub fn OrderSelect(
    headers: &'static [ColumnHeader],
    order: ListOrder,
    /// Content before the choice.
    #[prop(optional_no_strip)]
    leading: Option<AnyView>,
) -> impl IntoView {
    let sortable = headers.iter().filter_map(|header| Some((header.sort_key?, header.label)));
    let choices = sortable
        .clone()
        .map(|(sort_key, label)| (field_name(sort_key).to_owned(), label().to_owned()))
        .collect::<Vec<_>>();
    let sort_keys = StoredValue::new(sortable.map(|(sort_key, _)| sort_key).collect::<Vec<_>>());
    let current_sort = move || {
        let sort_key = sort_keys.with_value(|sort_keys| {
            sort_keys.iter().copied().find(|sort_key| order.sort_state(sort_key) != SortState::Unsorted)
        })?;
        let is_descending = order.sort_state(sort_key) == SortState::Descending;
        Some(CurrentSort {
            key: field_name(sort_key).to_owned(),
            is_descending,
            clears_next: order.is_last_in_cycle(sort_key),
        })
    };
    let on_sort = Callback::new(move |selected: String| {
        if let Some(sort_key) = sort_keys
            .with_value(|sort_keys| sort_keys.iter().copied().find(|sort_key| field_name(sort_key) == selected))
        {
            order.cycle(sort_key);
        }
    });
    view! { <SortSelect choices=Signal::stored(choices) current_sort=Signal::derive(current_sort) on_sort leading /> }
        .into_any()
}
