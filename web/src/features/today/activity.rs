//! Activity by day and pending work.

use chrono::TimeDelta;
use leadscribe_engine::api::{ActivityOverview, DayActivity, DeliveryState, Timestamp, TranscriptionState};
use leptos::prelude::*;

use crate::api::{CallQuery, DeliveryQuery, ListQuery};
use crate::i18n::datetime;
use crate::i18n::texts::{common, shell, statuses, today as texts};
use crate::state::ApiResource;
use crate::ui::{BadgeState, BarRow, BarTable, Card, DayChart, DayColumn, Series};

/// Key figures.
#[component]
pub fn Tiles(activity: ApiResource<ActivityOverview>) -> impl IntoView {
    let count_of =
        move |read: fn(&ActivityOverview) -> u64| Signal::derive(move || activity.with(|overview| overview.map(read)));
    let to_note = move |write: fn(&ActivityOverview) -> String| {
        Signal::derive(move || activity.with(|overview| overview.map(write).unwrap_or_default()))
    };
    let today = move || activity.with(|overview| overview.and_then(|overview| overview.days.last().cloned()));
    let calls_today = Signal::derive(move || today().map_or_else(|| "/calls".to_owned(), |day| calls_url(&day)));
    let queued_count = count_of(|overview| overview.transcriptions.queued);
    let failed_count = count_of(|overview| overview.transcriptions.failed);
    let failed_deliveries = count_of(|overview| overview.deliveries.failed);
    // A tile: its name, its figure once known, and a note.
    let tile = |test_id, name, href, count: Signal<Option<u64>>, note, needs_attention| {
        let value = move || match count.get() {
            Some(count) => view! { <strong data-test=test_id>{datetime::format_count(count)}</strong> }.into_any(),
            None => view! { <span class="skeleton skeleton-3" aria-hidden="true"></span> }.into_any(),
        };
        view! {
            <a class="key-figure card" class:needs-attention=needs_attention href=href>
                <span class="secondary">{name}</span>
                <span class="key-figure-number">{value}</span>
                <span class="small muted">{note}</span>
            </a>
        }
    };
    let calls_note = to_note(|overview| {
        let total_calls: u64 = overview.days.iter().map(call_count).sum();
        texts::calls_in_days(datetime::format_count(total_calls), overview.days.len())
    });
    let queue_note = to_note(|overview| match overview.transcriptions.oldest_queued_at {
        Some(oldest) => texts::oldest_age(datetime::format_distance(oldest)),
        None => texts::queue_empty().to_owned(),
    });
    let deliveries_note =
        to_note(|overview| texts::waiting(overview.deliveries.queued + overview.deliveries.delivering));
    let calls_count = count_of(|overview| overview.days.last().map_or(0, call_count));
    let has_any = |count: Signal<Option<u64>>| Signal::derive(move || count.get().is_some_and(|count| count > 0));
    let (queued_url, failed_url) = (calls_in_state_url("queued"), calls_in_state_url("failed"));
    let failed_deliveries_url = deliveries_in_state_url("failed");
    let failed_note = Signal::stored(texts::not_retried().to_owned());
    let never = Signal::stored(false);
    view! {
        <div class="key-figures">
            {tile("calls-today", texts::calls_today(), calls_today, calls_count, calls_note, never)}
            {tile("waiting", texts::waiting_for_transcription(), Signal::stored(queued_url), queued_count, queue_note, never)}
            {tile("failed-transcriptions", texts::failed_transcriptions(), Signal::stored(failed_url), failed_count, failed_note, has_any(failed_count))}
            {tile("failed-deliveries", texts::failed_deliveries(), Signal::stored(failed_deliveries_url), failed_deliveries, deliveries_note, has_any(failed_deliveries))}
        </div>
    }
}

/// Charts of calls and transcriptions by day.
#[component]
pub fn Charts(activity: ApiResource<ActivityOverview>) -> impl IntoView {
    let chart = move |title, empty, series, column: fn(&DayActivity) -> DayColumn| {
        // The queue changes more often than the days.
        let days =
            Memo::new(move |_| activity.with(|overview| Some(overview?.days.iter().map(column).collect::<Vec<_>>())));
        view! {
            <Card title hidden=move || activity.has_failed()>
                <DayChart title series days empty />
            </Card>
        }
    };
    let series: [Series; 2] = [(statuses::answered(), "fill-accent"), (texts::not_answered(), "fill-warning")];
    let calls = chart(texts::calls_per_day(), texts::no_calls(), series, |day| DayColumn {
        date: day.date,
        counts: [day.answered, day.unanswered],
        href: calls_url(day),
    });
    let series: [Series; 2] = [(statuses::completed(), "fill-info"), (common::failed(), "fill-danger")];
    let transcriptions = chart(texts::transcriptions_per_day(), texts::no_transcriptions(), series, |day| DayColumn {
        date: day.date,
        counts: [day.transcribed, day.failed],
        href: transcriptions_url(day),
    });
    view! { <div class="today-columns">{calls} {transcriptions}</div> }.into_any()
}

/// States of the queues.
#[component]
pub fn Queues(activity: ApiResource<ActivityOverview>) -> impl IntoView {
    let queue = move |title, rows: fn(&ActivityOverview) -> Vec<BarRow>| {
        let rows = Memo::new(move |_| activity.with(|overview| overview.map(rows)));
        let content = move || match rows.get() {
            Some(rows) => view! { <BarTable title headers=[common::status(), common::count()] rows /> }.into_any(),
            None => super::callable::skeleton_bars(5),
        };
        view! {
            <Card title hidden=move || activity.has_failed()>
                {content}
            </Card>
        }
    };
    let transcriptions = queue(texts::transcription_queue(), |overview| {
        use TranscriptionState::{Failed, Processing, Queued};
        let states = overview.transcriptions;
        let row = |state: TranscriptionState, count, class| {
            queue_row(calls_in_state_url(state.as_str()), state.as_str(), state.state_label(), count, class)
        };
        vec![
            row(Queued, states.queued, "fill-info"),
            row(Processing, states.processing, "fill-violet"),
            row(Failed, states.failed, "fill-danger"),
        ]
    });
    let deliveries = queue(shell::deliveries(), |overview| {
        use DeliveryState::{Delivered, Delivering, Failed, Queued, Stopped, Waiting};
        let states = overview.deliveries;
        let row = |state: DeliveryState, count, class| {
            queue_row(deliveries_in_state_url(state.as_str()), state.as_str(), state.state_label(), count, class)
        };
        vec![
            row(Waiting, states.waiting, "fill-neutral"),
            row(Queued, states.queued, "fill-info"),
            row(Delivering, states.delivering, "fill-violet"),
            row(Delivered, states.delivered, "fill-accent"),
            row(Failed, states.failed, "fill-danger"),
            row(Stopped, states.stopped, "fill-warning"),
        ]
    });
    view! { <div class="today-columns">{transcriptions} {deliveries}</div> }.into_any()
}

fn queue_row(href: String, state: &str, name: &str, count: u64, class: &'static str) -> BarRow {
    let (key, name) = (state.to_owned(), name.to_owned());
    BarRow { key, name, href, count: Some(count), total: None, bar_class: Some(class) }
}

fn call_count(day: &DayActivity) -> u64 {
    day.answered + day.unanswered
}

/// List of a day's calls.
fn calls_url(day: &DayActivity) -> String {
    let (from, till) = day_bounds(day);
    call_list_url(CallQuery { from, till, ..CallQuery::default() })
}

/// List of the calls whose transcription ended on a day.
fn transcriptions_url(day: &DayActivity) -> String {
    let (transcription_from, transcription_till) = day_bounds(day);
    call_list_url(CallQuery { transcription_from, transcription_till, ..CallQuery::default() })
}

/// First and last moment of a day, in milliseconds as the list's inputs use them.
fn day_bounds(day: &DayActivity) -> (String, String) {
    let text = |at: Timestamp| at.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
    (text(day.start), text(day.end - TimeDelta::milliseconds(1)))
}

fn call_list_url(query: CallQuery) -> String {
    format!("/calls{}", query.query_string())
}

/// List of the calls with this transcription state.
fn calls_in_state_url(state: &str) -> String {
    call_list_url(CallQuery { transcription: state.to_owned(), ..CallQuery::default() })
}

/// List of the deliveries in this state.
fn deliveries_in_state_url(state: &str) -> String {
    format!("/deliveries{}", DeliveryQuery { state: state.to_owned(), ..DeliveryQuery::default() }.query_string())
}
