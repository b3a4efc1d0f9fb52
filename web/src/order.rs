//! Sort order of a list. It is part of the address.

use leptos::prelude::*;

use crate::api::ListQuery;
use crate::components::list::table::Sorted;

/// Sort order of a list: the name of a field, with `-` before it for descending order.
#[derive(Clone, Copy)]
pub struct ListOrder {
    given: Signal<String>,
    /// Default order of the list, if the address names none.
    usual: &'static str,
    show: Callback<String>,
}

impl ListOrder {
    /// Sort order of a list that is shown by a query.
    pub fn of<Q: ListQuery>(wanted: Memo<Q>, usual: &'static str, show: Callback<Q>) -> Self {
        let given = Signal::derive(move || wanted.with(|wanted| wanted.order().to_owned()));
        let show = Callback::new(move |order| show.run(wanted.get_untracked().ordered(order)));
        Self { given, usual, show }
    }

    /// Sort state of the column `by`. `by` is the order that its first click selects.
    pub fn sorted(self, by: &str) -> Sorted {
        self.given.with(|given| sorted(in_force(given, self.usual), by))
    }

    /// True if the next click on `by` returns to the default order.
    pub fn ends(self, by: &str) -> bool {
        self.given.with(|given| pressed(given, self.usual, by).is_empty())
    }

    /// Cycles the order of `by`: its first order, the reverse, the default order.
    pub fn press(self, by: &str) {
        self.show.run(self.given.with_untracked(|given| pressed(given, self.usual, by)));
    }
}

fn in_force<'a>(given: &'a str, usual: &'a str) -> &'a str {
    if given.is_empty() { usual } else { given }
}

/// Field name of an order.
pub fn name(order: &str) -> &str {
    order.strip_prefix('-').unwrap_or(order)
}

fn sorted(order: &str, by: &str) -> Sorted {
    match (name(order) == name(by), order.starts_with('-')) {
        (false, _) => Sorted::No,
        (true, true) => Sorted::Descending,
        (true, false) => Sorted::Ascending,
    }
}

/// Order after a click, as stored in the address; empty for the default order.
fn pressed(given: &str, usual: &str, by: &str) -> String {
    let now = in_force(given, usual);
    let next = match now.strip_prefix('-') {
        _ if name(now) != name(by) => by.to_owned(),
        _ if now != by => usual.to_owned(),
        Some(name) => name.to_owned(),
        None => format!("-{now}"),
    };
    if next == usual { String::new() } else { next }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clicks_cycle_back_to_the_default_order() {
        let round = |usual: &str, by: &str| {
            let mut order = String::new();
            let mut next = || {
                order = pressed(&order, usual, by);
                order.clone()
            };
            [next(), next(), next(), next()]
        };
        assert_eq!(round("-created_at", "agent"), ["agent", "-agent", "", "agent"]);
        assert_eq!(round("-created_at", "-attempts"), ["-attempts", "attempts", "", "-attempts"]);
        assert_eq!(round("-created_at", "-created_at"), ["created_at", "", "created_at", ""]);
        assert_eq!(pressed("-agent", "-id", "status"), "status");
    }

    #[test]
    fn header_shows_the_sort_order() {
        let shown = |given: &str, by: &str| sorted(in_force(given, "-created_at"), by);
        assert_eq!(shown("", "-created_at"), Sorted::Descending);
        assert_eq!(shown("created_at", "-created_at"), Sorted::Ascending);
        assert_eq!(shown("agent", "-created_at"), Sorted::No);
        assert_eq!(shown("nonsense", "agent"), Sorted::No);
    }
}
