//! Column headers of a list. The same definition produces the sortable headers and the sort choice on a phone, where
//! rows are cards without headers. The sort order is part of the URL.

use leptos::prelude::*;

use super::table::SortableHeader;
use crate::api::ListQuery;
use crate::i18n::texts::{common, leads as texts};
use crate::ui::input::Choice;
use crate::ui::{Glyph, Icon};

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

/// Choice of the sort key, and a button for the direction. Each acts as a press of the column header.
#[component]
pub fn SortSelect(
    /// Sort keys of the columns, as their headers have them, and their labels.
    #[prop(into)]
    choices: Signal<Vec<Choice>>,
    order: ListOrder,
    /// Content before the choice, such as the checkbox that selects all cards.
    #[prop(optional_no_strip)]
    leading: Option<AnyView>,
) -> impl IntoView {
    let key = Memo::new(move |_| {
        choices
            .with(|choices| choices.iter().map(|(key, _)| key).find(|key| order.is_descending(key).is_some()).cloned())
    });
    let is_descending =
        Memo::new(move |_| key.with(|key| key.as_ref().and_then(|key| order.is_descending(key))) == Some(true));
    let clears_next = move || key.with(|key| key.as_ref().is_some_and(|key| order.is_last_in_cycle(key)));
    // Reads `key` before `is_descending`, which depends on it. Otherwise Leptos skips the update if `key` changes but
    // `is_descending` doesn't.
    let direction = move || match (clears_next(), is_descending.get()) {
        (true, true) => texts::sorted_descending_last(),
        (false, true) => texts::sorted_descending(),
        (true, false) => texts::sorted_ascending_last(),
        (false, false) => texts::sorted_ascending(),
    };
    let options = move || {
        let option = |(sort_key, label): Choice| {
            let value = field_name(&sort_key).to_owned();
            let selected = move || key.with(|key| key.as_ref() == Some(&sort_key));
            view! {
                <option value=value selected=selected>
                    {label}
                </option>
            }
        };
        choices.get().into_iter().map(option).collect_view()
    };
    let on_choose = move |name: String| {
        let choices = choices.get_untracked();
        if let Some((sort_key, _)) = choices.iter().find(|(sort_key, _)| field_name(sort_key) == name) {
            order.cycle(sort_key);
        }
    };
    view! {
        <div class="sort-select row">
            {leading}
            <label class="small secondary" for="sort-select">
                {texts::sort_by()}
            </label>
            <select
                id="sort-select"
                class="select"
                data-test="sort-select"
                on:change:target=move |event| on_choose(event.target().value())
            >
                <option value="" hidden selected=move || key.with(Option::is_none)>
                    {common::choose()}
                </option>
                {options}
            </select>
            <Show when=move || key.with(Option::is_some)>
                <button
                    type="button"
                    class="button button-icon"
                    aria-label=direction
                    title=direction
                    data-test="sort-direction"
                    on:click=move |_| {
                        if let Some(key) = key.get_untracked() {
                            order.cycle(&key);
                        }
                    }
                >
                    {move || view! { <Icon glyph=if is_descending.get() { Glyph::ArrowDown } else { Glyph::ArrowUp } /> }}
                </button>
            </Show>
        </div>
    }
}

/// Sort order of a list: the name of a field, with `-` before it for descending order.
#[derive(Clone, Copy)]
pub struct ListOrder {
    /// Current order; empty for the default order.
    pub order: Signal<String>,
    pub default_order: &'static str,
    pub on_change: Callback<String>,
}

impl ListOrder {
    /// Sort order of a list that is shown by a query.
    pub fn for_query<Q: ListQuery>(list_query: Memo<Q>, default_order: &'static str, on_change: Callback<Q>) -> Self {
        let current_order = Signal::derive(move || list_query.with(|list_query| list_query.order().to_owned()));
        let on_change = Callback::new(move |order| on_change.run(list_query.get_untracked().with_order(order)));
        Self { order: current_order, default_order, on_change }
    }

    /// True if the list is sorted by the column `column_order` in descending order, `None` if it is sorted by another
    /// column. `column_order` is the order that the first click on the column selects.
    pub fn is_descending(self, column_order: &str) -> Option<bool> {
        self.order.with(|order| is_descending(effective_order(order, self.default_order), column_order))
    }

    /// True if the next click on `column_order` returns to the default order.
    pub fn is_last_in_cycle(self, column_order: &str) -> bool {
        self.order.with(|order| next_order(order, self.default_order, column_order).is_empty())
    }

    /// Cycles the order of `column_order`: its first order, the reverse, the default order.
    pub fn cycle(self, column_order: &str) {
        self.on_change.run(self.order.with_untracked(|order| next_order(order, self.default_order, column_order)));
    }
}

fn effective_order<'a>(order: &'a str, default_order: &'a str) -> &'a str {
    if order.is_empty() { default_order } else { order }
}

pub fn field_name(order: &str) -> &str {
    order.strip_prefix('-').unwrap_or(order)
}

fn is_descending(order: &str, column_order: &str) -> Option<bool> {
    (field_name(order) == field_name(column_order)).then(|| order.starts_with('-'))
}

/// Order after a click, as stored in the URL; empty for the default order.
fn next_order(order: &str, default_order: &str, column_order: &str) -> String {
    let effective = effective_order(order, default_order);
    let next = match effective.strip_prefix('-') {
        _ if field_name(effective) != field_name(column_order) => column_order.to_owned(),
        _ if effective != column_order => default_order.to_owned(),
        Some(name) => name.to_owned(),
        None => format!("-{effective}"),
    };
    if next == default_order { String::new() } else { next }
}

#[cfg(test)]
mod tests {
    use crate::ui::list::column_headers::*;

    #[test]
    fn clicks_cycle_back_to_the_default_order() {
        let click_four_times = |default_order: &str, column_order: &str| {
            let mut order = String::new();
            let mut next = || {
                order = next_order(&order, default_order, column_order);
                order.clone()
            };
            [next(), next(), next(), next()]
        };
        assert_eq!(click_four_times("-created_at", "agent"), ["agent", "-agent", "", "agent"]);
        assert_eq!(click_four_times("-created_at", "-attempts"), ["-attempts", "attempts", "", "-attempts"]);
        assert_eq!(click_four_times("-created_at", "-created_at"), ["created_at", "", "created_at", ""]);
        assert_eq!(click_four_times("", "city"), ["city", "-city", "", "city"]);
        assert_eq!(next_order("-agent", "-id", "status"), "status");
    }
}
