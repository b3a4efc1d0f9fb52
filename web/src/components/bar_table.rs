//! Counts side by side: a table whose rows have a bar below their names, each the way to what was counted.

use leptos::prelude::*;

use crate::texts::today;
use crate::when;

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct BarRow {
    /// What tells it from the others, for tests.
    pub key: String,
    pub name: String,
    /// Where these are listed.
    pub href: Option<String>,
    /// How many; none where that isn't known.
    pub count: Option<u64>,
    /// Of how many, where that is to be shown.
    pub of: Option<u64>,
    /// The class of its colour; none for one that isn't compared with the others, and has no bar.
    pub class: Option<&'static str>,
}

/// Rows with bars. The longest bar is as wide as the table.
#[component]
pub fn BarTable(
    title: &'static str,
    /// The heads: what the rows are, and what was counted.
    heads: [&'static str; 2],
    rows: Vec<BarRow>,
) -> impl IntoView {
    let most =
        rows.iter().filter(|row| row.class.is_some()).filter_map(|row| row.of.max(row.count)).max().unwrap_or(0).max(1);
    let percent = move |count: u64| format!("{:.2}%", 100.0 * count as f64 / most as f64);
    let rows = rows.into_iter().map(|row| {
        let name = match row.href {
            Some(href) => view! { <a href=href>{row.name}</a> }.into_any(),
            None => view! { <span>{row.name}</span> }.into_any(),
        };
        let count = match row.count {
            Some(count) => when::count(count).into_any(),
            None => {
                view! { <span class="muted" title=today::not_counted_why()>{today::not_counted()}</span> }.into_any()
            }
        };
        let of = row.of.map(|of| view! { <span class="muted">{today::of(of)}</span> });
        let track = row.of.map(|of| view! { <i class="track" style:width=percent(of)></i> });
        let bar = row.class.map(|class| {
            view! {
                <span class="bar-line" aria-hidden="true">
                    {track} <i class=format!("bar {class}") style:width=percent(row.count.unwrap_or(0))></i>
                </span>
            }
        });
        view! {
            <tr data-test="bar" data-key=row.key data-count=row.count.map(|count| count.to_string())>
                <th scope="row">
                    {name} {bar}
                </th>
                <td class="number">{count} {of}</td>
            </tr>
        }
    });
    let heads = heads.map(|head| view! { <th scope="col">{head}</th> });
    view! {
        <table class="bar-table" aria-label=title>
            <thead class="visually-hidden">
                <tr>{heads.collect_view()}</tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
    .into_any()
}
