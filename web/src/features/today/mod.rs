//! `/?days=…`: the Today page. Activity by day, pending work, and which leads can be called now and why the rest can't.
//! Each number links to the items that it counts.

mod activity;
mod callable;

use std::time::Duration;

use leadscribe_engine::api::{ActivityOverview, CallableOverview, ChangeEvent};
use leptos::prelude::*;

use crate::api::{use_api, use_event_stream};
use crate::browser::query::{use_navigate_in_place, use_query};
use crate::i18n::datetime;
use crate::i18n::texts::{common, shell, today as texts};
use crate::state::ApiResource;
use crate::ui::{ErrorNotice, PageHeader, SegmentedControl, segment};

use activity::{Charts, Queues, Tiles};
use callable::{CallableByCampaign, NotCallableByReason};

/// Numbers of days to choose from; the first is the default.
const DAY_COUNT_CHOICES: [u32; 2] = [30, 14];

/// Refresh interval for changes without an event: leads become callable as time passes.
const REFRESH_INTERVAL: Duration = Duration::from_secs(60);

#[component]
pub fn TodayPage() -> impl IntoView {
    let api = use_api();
    let query = use_query();
    let requested_days =
        move || query.get("days").and_then(|days| days.parse().ok()).filter(|days| DAY_COUNT_CHOICES.contains(days));
    let days = Memo::new(move |_| requested_days().unwrap_or(DAY_COUNT_CHOICES[0]));
    let activity = ApiResource::<ActivityOverview>::new();
    let callable = ApiResource::<CallableOverview>::new();
    let request_activity = move || api.activity(days.get_untracked(), datetime::time_zone());
    let load_activity = move || activity.load(request_activity());
    let load_callable = move || callable.load(api.callable());
    Effect::new(move |_| {
        days.get();
        load_activity();
    });
    load_callable();
    use_event_stream().reload_on_change(
        |change| matches!(change, ChangeEvent::Transcription { .. } | ChangeEvent::Delivery { .. }),
        move || activity.refresh(request_activity()),
    );
    let refresh = move || {
        if !document().hidden() {
            activity.refresh(request_activity());
            callable.refresh(api.callable());
        }
    };
    if let Ok(timer) = set_interval_with_handle(refresh, REFRESH_INTERVAL) {
        on_cleanup(move || timer.clear());
    }

    let error_notices = move || {
        let activity = activity.error.get().map(|error| (error, Callback::new(move |()| load_activity())));
        let callable = callable.error.get().map(|error| (error, Callback::new(move |()| load_callable())));
        let errors = [activity, callable].into_iter().flatten();
        errors.map(|(error, on_retry)| view! { <ErrorNotice error on_retry /> }).collect_view()
    };
    let note = move || view! { <span class="secondary">{datetime::format_today()}</span> };
    view! {
        <PageHeader title=shell::today() note=ViewFn::from(note)>
            <DaysSwitch days />
        </PageHeader>
        <div class="stack today">
            {error_notices}
            <Tiles activity />
            <div class="today-columns">
                <CallableByCampaign callable />
                <NotCallableByReason callable />
            </div>
            <Charts activity />
            <Queues activity />
        </div>
    }
}

/// Switch for the number of days.
#[component]
fn DaysSwitch(days: Memo<u32>) -> impl IntoView {
    let navigate_in_place = use_navigate_in_place();
    let show = Callback::new(move |days: u32| {
        let path = if days == DAY_COUNT_CHOICES[0] { "/".to_owned() } else { format!("/?days={days}") };
        navigate_in_place(&path, false);
    });
    let mut choices = DAY_COUNT_CHOICES;
    choices.sort_unstable();
    let segments =
        choices.map(|day_count| segment(day_count, common::days(day_count.into()), format!("days-{day_count}")));
    view! { <SegmentedControl label=texts::days_shown() segments=segments.into() selected=days on_choose=show /> }
}
