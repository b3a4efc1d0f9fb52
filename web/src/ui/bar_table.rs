//! Bar table: counts with a bar below each name. Each row links to the items it counts.

use leptos::prelude::*;

use crate::i18n::datetime;
use crate::i18n::texts::today;

#[derive(Clone, Debug, PartialEq)]
pub struct BarRow {
    /// Unique key, for tests.
    pub key: String,
    pub name: String,
    /// Link to the list of the counted items.
    pub href: String,
    /// The count; `None` if unknown.
    pub count: Option<u64>,
    /// Total that includes `count`; `None` if the row shows no total.
    pub total: Option<u64>,
    /// CSS class of the bar's color. Rows with `None` have no bar and don't affect the scale.
    pub bar_class: Option<&'static str>,
}

/// Rows with bars. The longest bar is as wide as the table.
#[component]
pub fn BarTable(
    title: &'static str,
    /// Column headers: what a row stands for, and what is counted.
    headers: [&'static str; 2],
    rows: Vec<BarRow>,
) -> impl IntoView {
    let max_count = rows
        .iter()
        .filter(|row| row.bar_class.is_some())
        .filter_map(|row| row.total.max(row.count))
        .max()
        .unwrap_or(0)
        .max(1);
    let percent = move |count: u64| format!("{:.2}%", 100.0 * count as f64 / max_count as f64);
    let rows = rows.into_iter().map(|row| {
        let count = match row.count {
            Some(count) => datetime::format_count(count).into_any(),
            None => {
                view! { <span class="muted" title=today::not_counted_hint()>{today::not_counted()}</span> }.into_any()
            }
        };
        let total = row.total.map(|total| view! { <span class="muted">{today::of(total)}</span> });
        let track = row.total.map(|total| view! { <i class="track" style:width=percent(total)></i> });
        let bar = row.bar_class.map(|bar_class| {
            view! {
                <span class="bar-line" aria-hidden="true">
                    {track} <i class=format!("bar {bar_class}") style:width=percent(row.count.unwrap_or(0))></i>
                </span>
            }
        });
        view! {
            <tr data-test="bar" data-key=row.key data-count=row.count.map(|count| count.to_string())>
                <th scope="row">
                    <a href=row.href>{row.name}</a>
                    {bar}
                </th>
                <td class="number">{count} {total}</td>
            </tr>
        }
    });
    let headers = headers.map(|header| view! { <th scope="col">{header}</th> });
    view! {
        <table class="bar-table" aria-label=title>
            <thead class="visually-hidden">
                <tr>{headers.collect_view()}</tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
}
