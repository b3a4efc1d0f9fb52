//! Activity by day and pending work.

use chrono::TimeDelta;
use leadscribe_engine::api::{ActivityOverview, DayActivity, DeliveryState, Timestamp, TranscriptionState};
use leptos::prelude::*;

use crate::api::{CallQuery, DeliveryQuery, ListQuery};
use crate::components::badge::{delivery_state_name, transcription_state_name};
use crate::components::bar_table::{BarRow, BarTable};
use crate::components::day_chart::{DayChart, DayColumn, Kind};
use crate::components::tile::Tile;
use crate::remote::Remote;
use crate::texts::{badges, today as texts};
use crate::when;

/// Key figures.
#[component]
pub fn Tiles(activity: Remote<ActivityOverview>) -> impl IntoView {
    let of = move |read: fn(&ActivityOverview) -> u64| Signal::derive(move || activity.with(|known| known.map(read)));
    let figure = move |count: Signal<Option<u64>>| Signal::derive(move || count.get().map(when::count));
    let note = move |write: fn(&ActivityOverview) -> String| {
        Signal::derive(move || activity.with(|known| known.map(write).unwrap_or_default()))
    };
    let today = move || activity.with(|known| known.and_then(|known| known.days.last().cloned()));
    let calls_today = Signal::derive(move || today().map_or_else(|| "/calls".to_owned(), |day| calls_of(&day)));
    let waiting = of(|known| known.transcriptions.queued);
    let failed_calls = of(|known| known.transcriptions.failed);
    let failed_deliveries = of(|known| known.deliveries.failed);
    let no_alarm = Signal::stored(false);
    view! {
        <div class="key-figures">
            <Tile
                name=texts::calls_today()
                href=calls_today
                figure=figure(of(|known| known.days.last().map_or(0, calls)))
                note=note(|known| {
                    let all: u64 = known.days.iter().map(calls).sum();
                    texts::in_days(when::count(all), known.days.len())
                })
                alarming=no_alarm
                test="calls-today"
            />
            <Tile
                name=texts::waiting_for_transcription()
                href=Signal::stored(in_state("queued"))
                figure=figure(waiting)
                note=note(|known| match known.transcriptions.oldest_queued_at {
                    Some(oldest) => texts::the_oldest_for(when::distance(oldest)),
                    None => texts::nothing_queued().to_owned(),
                })
                alarming=no_alarm
                test="waiting"
            />
            <Tile
                name=texts::failed_transcriptions()
                href=Signal::stored(in_state("failed"))
                figure=figure(failed_calls)
                note=Signal::stored(texts::not_sent_again().to_owned())
                alarming=Signal::derive(move || failed_calls.get().is_some_and(|count| count > 0))
                test="failed-transcriptions"
            />
            <Tile
                name=texts::failed_deliveries()
                href=Signal::stored(delivered("failed"))
                figure=figure(failed_deliveries)
                note=note(|known| texts::waiting(known.deliveries.queued + known.deliveries.delivering))
                alarming=Signal::derive(move || failed_deliveries.get().is_some_and(|count| count > 0))
                test="failed-deliveries"
            />
        </div>
    }
    .into_any()
}

/// Charts of calls and transcriptions by day.
#[component]
pub fn Charts(activity: Remote<ActivityOverview>) -> impl IntoView {
    let chart = move |title, kinds, column: fn(&DayActivity) -> DayColumn| {
        // The queue changes more often than the days.
        let days = Memo::new(move |_| activity.with(|known| Some(known?.days.iter().map(column).collect::<Vec<_>>())));
        let shown = move || match days.get() {
            Some(days) => view! { <DayChart title kinds days /> }.into_any(),
            None => view! { <div class="chart-place skeleton" aria-hidden="true"></div> }.into_any(),
        };
        view! {
            <section class="card" aria-label=title hidden=move || activity.has_failed()>
                <div class="card-head">
                    <h2>{title}</h2>
                </div>
                <div class="card-body">{shown}</div>
            </section>
        }
    };
    let kinds: [Kind; 2] = [(texts::answered(), "fill-accent"), (texts::not_answered(), "fill-warning")];
    let calls = chart(texts::calls_per_day(), kinds, |day| DayColumn {
        date: day.date,
        counts: [day.answered, day.unanswered],
        href: calls_of(day),
    });
    let kinds: [Kind; 2] = [(badges::completed(), "fill-info"), (badges::failed(), "fill-danger")];
    let transcriptions = chart(texts::transcriptions_per_day(), kinds, |day| DayColumn {
        date: day.date,
        counts: [day.transcribed, day.failed],
        href: transcriptions_on(day),
    });
    view! { <div class="today-pair">{calls} {transcriptions}</div> }.into_any()
}

/// States of the queues.
#[component]
pub fn Queues(activity: Remote<ActivityOverview>) -> impl IntoView {
    let queue = move |title, rows: fn(&ActivityOverview) -> Vec<BarRow>| {
        let rows = Memo::new(move |_| activity.with(|known| known.map(rows)));
        let shown = move || match rows.get() {
            Some(rows) => view! { <BarTable title heads=[texts::state(), texts::how_many()] rows /> }.into_any(),
            None => super::callable::waiting_bars(5),
        };
        view! {
            <section class="card" aria-label=title hidden=move || activity.has_failed()>
                <div class="card-head">
                    <h2>{title}</h2>
                </div>
                <div class="card-body">{shown}</div>
            </section>
        }
    };
    let transcriptions = queue(texts::transcription_queue(), |known| {
        use TranscriptionState::{Failed, Processing, Queued};
        let states = known.transcriptions;
        let row = |state: TranscriptionState, count, class| {
            row(in_state(state.as_str()), state.as_str(), transcription_state_name(state), count, class)
        };
        vec![
            row(Queued, states.queued, "fill-info"),
            row(Processing, states.processing, "fill-violet"),
            row(Failed, states.failed, "fill-danger"),
        ]
    });
    let deliveries = queue(texts::deliveries(), |known| {
        use DeliveryState::{Delivered, Delivering, Failed, Queued, Stopped};
        let states = known.deliveries;
        let row = |state: DeliveryState, count, class| {
            row(delivered(state.as_str()), state.as_str(), delivery_state_name(state), count, class)
        };
        vec![
            row(Queued, states.queued, "fill-info"),
            row(Delivering, states.delivering, "fill-violet"),
            row(Delivered, states.delivered, "fill-accent"),
            row(Failed, states.failed, "fill-danger"),
            row(Stopped, states.stopped, "fill-warning"),
        ]
    });
    view! { <div class="today-pair">{transcriptions} {deliveries}</div> }.into_any()
}

fn row(href: String, state: &str, name: &str, count: u64, class: &'static str) -> BarRow {
    let (key, name) = (state.to_owned(), name.to_owned());
    BarRow { key, name, href: Some(href), count: Some(count), of: None, class: Some(class) }
}

fn calls(day: &DayActivity) -> u64 {
    day.answered + day.unanswered
}

/// List of a day's calls.
fn calls_of(day: &DayActivity) -> String {
    let (from, till) = bounds(day);
    listed(CallQuery { from, till, ..CallQuery::default() })
}

/// List of the calls whose transcription ended on a day.
fn transcriptions_on(day: &DayActivity) -> String {
    let (transcription_from, transcription_till) = bounds(day);
    listed(CallQuery { transcription_from, transcription_till, ..CallQuery::default() })
}

/// First and last moment of a day, in milliseconds as the list's inputs use them.
fn bounds(day: &DayActivity) -> (String, String) {
    let text = |at: Timestamp| at.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
    (text(day.from), text(day.till - TimeDelta::milliseconds(1)))
}

fn listed(query: CallQuery) -> String {
    format!("/calls{}", query.query_string())
}

/// List of the calls with this transcription state.
fn in_state(state: &str) -> String {
    listed(CallQuery { transcription: state.to_owned(), ..CallQuery::default() })
}

/// List of the deliveries in this state.
fn delivered(state: &str) -> String {
    format!("/deliveries{}", DeliveryQuery { state: state.to_owned(), ..DeliveryQuery::default() }.query_string())
}
