//! Sort order of a list. It is part of the URL.

use leptos::prelude::*;

use crate::api::ListQuery;

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

    /// True if the list is sorted by the column `column_order` in descending order, `None` if it is sorted by another column.
    /// `column_order` is the order that the first click on the column selects.
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
    use crate::ui::list::list_order::*;

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
