//! Stacked column chart with two counts per day, and the same figures as a table. Bar table: counts with a bar below
//! each name. Progress bar.
//!
//! The columns are for sighted mouse users. Screen readers and keyboard users get the table, which has the same
//! content.

use chrono::NaiveDate;
use leadscribe_engine::host;
use leptos::prelude::*;

use crate::i18n::datetime;
use crate::i18n::texts::today as texts;

/// Name of a series, and the CSS class of its color.
pub type Series = (&'static str, &'static str);

#[derive(Clone, Debug, PartialEq)]
pub struct DayColumn {
    pub date: NaiveDate,
    /// Count of each series.
    pub counts: [u64; 2],
    /// Link to the list of the counted items.
    pub href: String,
}

/// Interval between two date labels below the columns, in days.
const LABEL_INTERVAL_DAYS: usize = 7;

/// Number of scale steps above zero.
const SCALE_STEPS: u64 = 4;

/// Column chart with its table. An open table stays open when the days change.
#[component]
pub fn DayChart(
    title: &'static str,
    series: [Series; 2],
    days: Memo<Option<Vec<DayColumn>>>,
    /// Text if all counts are zero.
    empty: &'static str,
) -> impl IntoView {
    let chart = move || match days.get() {
        Some(days) if days.iter().all(|day| day.counts == [0, 0]) => {
            view! { <p class="secondary chart-empty">{empty}</p> }.into_any()
        }
        Some(days) => view! { <Columns series days /> }.into_any(),
        None => view! { <div class="chart-placeholder skeleton" aria-hidden="true"></div> }.into_any(),
    };
    let table = move || days.get().map(|days| view! { <CountTable title series days /> });
    view! {
        <figure class="day-chart" aria-label=title>
            {chart}
            <details class="chart-data" hidden=move || days.with(Option::is_none)>
                <summary>{texts::show_as_table()}</summary>
                {table}
            </details>
        </figure>
    }
}

#[component]
fn Columns(series: [Series; 2], days: Vec<DayColumn>) -> impl IntoView {
    let max_total = days.iter().map(|day| day.counts.iter().sum()).max().unwrap_or(0);
    let scale_max = round_up_scale(max_total);
    let percent = move |count: u64| format!("{:.2}%", 100.0 * count as f64 / scale_max as f64);
    let scale = (0..=SCALE_STEPS).map(|step| {
        let value = scale_max / SCALE_STEPS * step;
        view! { <span style:bottom=percent(value)>{datetime::format_count(value)}</span> }
    });
    let legend = series.into_iter().enumerate().map(|(series_index, (name, class))| {
        let total: u64 = days.iter().map(|day| day.counts[series_index]).sum();
        view! {
            <li>
                <i class=format!("swatch {class}")></i>
                {name}
                <strong>{datetime::format_count(total)}</strong>
            </li>
        }
    });
    let last_index = days.len().saturating_sub(1);
    let columns = days.iter().enumerate().map(|(index, day)| {
        let bars = series.into_iter().zip(day.counts).filter(|(_, count)| *count > 0);
        let bars = bars.map(|((_, class), count)| {
            view! { <i class=format!("bar {class}") style:height=percent(count)></i> }
        });
        let label = (last_index - index).is_multiple_of(LABEL_INTERVAL_DAYS).then(|| {
            let name = if index == last_index { texts::today().to_owned() } else { datetime::format_day(day.date) };
            view! { <span class="day-name">{name}</span> }
        });
        let descriptions = series
            .iter()
            .zip(day.counts)
            .map(|((name, _), count)| format!("{} {}", datetime::format_count(count), name));
        let title = format!(
            "{}: {}",
            datetime::format_day(day.date),
            host::to_lower(&descriptions.collect::<Vec<_>>().join(", "))
        );
        let bars = view! { <span class="bars">{bars.collect_view()}</span> {label} };
        view! { <a class="day-column" tabindex="-1" href=day.href.clone() title=title data-test="day">{bars}</a> }
    });
    let columns = columns.collect_view();
    view! {
        <ul class="row legend">{legend.collect_view()}</ul>
        <div class="day-plot" aria-hidden="true">
            <div class="day-scale">{scale.collect_view()}</div>
            <div class="day-columns">{columns}</div>
        </div>
    }
}

#[component]
fn CountTable(title: &'static str, series: [Series; 2], days: Vec<DayColumn>) -> impl IntoView {
    let rows = days.into_iter().rev().map(|day| {
        let counts = day.counts.map(|count| view! { <td class="number">{datetime::format_count(count)}</td> });
        view! {
            <tr data-date=day.date.to_string()>
                <th scope="row"><a href=day.href>{datetime::format_day(day.date)}</a></th>
                {counts.collect_view()}
            </tr>
        }
    });
    let headers = series.map(|(name, _)| view! { <th scope="col" class="number">{name}</th> });
    view! {
        <div class="table-wrap" tabindex="0" role="region" aria-label=texts::table_title(title)>
            <table class="chart-data-table small">
                <thead>
                    <tr>
                        <th scope="col">{texts::day()}</th>
                        {headers.collect_view()}
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

/// Returns the smallest number that is at least `min_value` and whose quarters are 1, 2 or 5 times a power of ten.
fn round_up_scale(min_value: u64) -> u64 {
    let steps = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
    steps.map(|step| step * SCALE_STEPS).find(|candidate| *candidate >= min_value).unwrap_or(min_value)
}

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
                view! { <span class="muted" title=texts::not_counted_hint()>{texts::not_counted()}</span> }.into_any()
            }
        };
        let total = row.total.map(|total| view! { <span class="muted">{texts::of(total)}</span> });
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

/// Completed share in percent, 0 to 100.
pub fn percent(completed: u64, total: u64) -> u64 {
    (completed * 100).checked_div(total).unwrap_or(100).min(100)
}

#[component]
pub fn ProgressBar(
    label: &'static str,
    /// 0 to 100.
    percent: u64,
) -> impl IntoView {
    view! {
        <div
            class="progress"
            role="progressbar"
            aria-label=label
            aria-valuemin="0"
            aria-valuemax="100"
            aria-valuenow=percent.to_string()
        >
            <div class="progress-bar" style:width=format!("{percent}%")></div>
        </div>
    }
}
