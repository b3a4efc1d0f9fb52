//! Stacked column chart with two counts per day, and the same figures as a table.
//!
//! The columns are for sight and mouse. Screen readers and keyboard users get the table, which has the same content.

use chrono::NaiveDate;
use leadscribe_engine::host;
use leptos::prelude::*;

use crate::texts::today as texts;
use crate::when;

/// Name of a counted kind, and the CSS class of its colour.
pub type Kind = (&'static str, &'static str);

/// One day.
#[derive(Clone, Debug, PartialEq)]
pub struct DayColumn {
    pub date: NaiveDate,
    /// Count of each kind.
    pub counts: [u64; 2],
    /// Link to the list of the counted items.
    pub href: String,
}

/// Interval between two date labels below the columns, in days.
const BETWEEN_NAMES: usize = 7;

/// Number of scale steps above zero.
const STEPS: u64 = 4;

#[component]
pub fn DayChart(title: &'static str, kinds: [Kind; 2], days: Vec<DayColumn>) -> impl IntoView {
    let most = days.iter().map(|day| day.counts.iter().sum()).max().unwrap_or(0);
    let top = top_of_scale(most);
    let percent = move |count: u64| format!("{:.2}%", 100.0 * count as f64 / top as f64);
    let scale = (0..=STEPS).map(|step| {
        let value = top / STEPS * step;
        view! { <span style:bottom=percent(value)>{when::count(value)}</span> }
    });
    let legend = kinds.into_iter().enumerate().map(|(kind, (name, class))| {
        let total: u64 = days.iter().map(|day| day.counts[kind]).sum();
        view! {
            <li>
                <i class=format!("swatch {class}")></i>
                {name}
                <strong>{when::count(total)}</strong>
            </li>
        }
    });
    let last = days.len().saturating_sub(1);
    let columns = days.iter().enumerate().map(|(place, day)| {
        let bars = kinds.into_iter().zip(day.counts).filter(|(_, count)| *count > 0);
        let bars = bars.map(|((_, class), count)| {
            view! { <i class=format!("bar {class}") style:height=percent(count)></i> }
        });
        let below = (last - place).is_multiple_of(BETWEEN_NAMES).then(|| {
            let name = if place == last { texts::today().to_owned() } else { when::day(day.date) };
            view! { <span class="day-name">{name}</span> }
        });
        let said = kinds.iter().zip(day.counts).map(|((name, _), count)| format!("{} {}", when::count(count), name));
        let title = format!("{}: {}", when::day(day.date), host::lower(&said.collect::<Vec<_>>().join(", ")));
        let bars = view! { <span class="bars">{bars.collect_view()}</span> {below} };
        view! { <a class="day-column" tabindex="-1" href=day.href.clone() title=title data-test="day">{bars}</a> }
    });
    let columns = columns.collect_view();
    view! {
        <figure class="day-chart" aria-label=title>
            <ul class="legend">{legend.collect_view()}</ul>
            <div class="day-plot" aria-hidden="true">
                <div class="day-scale">{scale.collect_view()}</div>
                <div class="day-columns">{columns}</div>
            </div>
            <details class="figures">
                <summary>{texts::figures_as_table()}</summary>
                <Figures title kinds days />
            </details>
        </figure>
    }
    .into_any()
}

#[component]
fn Figures(title: &'static str, kinds: [Kind; 2], days: Vec<DayColumn>) -> impl IntoView {
    let rows = days.into_iter().rev().map(|day| {
        let counts = day.counts.map(|count| view! { <td class="number">{when::count(count)}</td> });
        view! {
            <tr data-date=day.date.to_string()>
                <th scope="row"><a href=day.href>{when::day(day.date)}</a></th>
                {counts.collect_view()}
            </tr>
        }
    });
    let heads = kinds.map(|(name, _)| view! { <th scope="col" class="number">{name}</th> });
    view! {
        <div class="table-wrap" tabindex="0" role="region" aria-label=texts::figures_of(title)>
            <table class="figures-table">
                <thead>
                    <tr>
                        <th scope="col">{texts::day()}</th>
                        {heads.collect_view()}
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// Returns the smallest number that is at least `most` and whose quarters are 1, 2 or 5 times a power of ten.
fn top_of_scale(most: u64) -> u64 {
    let mut power = 1;
    loop {
        for digit in [1, 2, 5] {
            let top = digit * power * STEPS;
            if top >= most {
                return top;
            }
        }
        power *= 10;
    }
}
