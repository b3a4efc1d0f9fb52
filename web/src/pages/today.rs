//! `/?days=…`: the Today page. Activity by day, pending work, and which leads can be called now and why others can't. Each
//! number links to the items that it counts.

use std::time::Duration;

use leadscribe_engine::api::{ActivityOverview, CallableOverview, Change};
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::api::use_api;
use crate::components::error_notice::ErrorNotice;
use crate::components::segments::{Segments, segment};
use crate::components::shell::page_head::PageHead;
use crate::live::use_live;
use crate::query::use_query;
use crate::remote::Remote;
use crate::texts::{shell, today as texts};
use crate::when;

mod activity;
mod callable;

use activity::{Charts, Queues, Tiles};
use callable::{ByCampaign, ByReason};

/// Numbers of days to choose from; the first is the default.
const DAYS: [u32; 2] = [30, 14];

/// Refresh interval for changes without an event: leads become callable with time.
const EVERY: Duration = Duration::from_secs(60);

#[component]
pub fn TodayPage() -> impl IntoView {
    let api = use_api();
    let query = use_query();
    let chosen = move || query.get("days").and_then(|days| days.parse().ok()).filter(|days| DAYS.contains(days));
    let days = Memo::new(move |_| chosen().unwrap_or(DAYS[0]));
    let activity = Remote::<ActivityOverview>::new();
    let callable = Remote::<CallableOverview>::new();
    let ask_activity = move || api.activity(days.get_untracked(), when::time_zone());
    let load_activity = move || activity.load(ask_activity());
    let load_callable = move || callable.load(api.callable());
    Effect::new(move |_| {
        days.get();
        load_activity();
    });
    load_callable();
    use_live().reload(
        |change| matches!(change, Change::Transcription { .. } | Change::Delivery { .. }),
        move || activity.refresh(ask_activity()),
    );
    let again = move || {
        if !document().hidden() {
            activity.refresh(ask_activity());
            callable.refresh(api.callable());
        }
    };
    if let Ok(timer) = set_interval_with_handle(again, EVERY) {
        on_cleanup(move || timer.clear());
    }

    let failed = move || {
        let activity = activity.error().map(|error| (error, Callback::new(move |()| load_activity())));
        let callable = callable.error().map(|error| (error, Callback::new(move |()| load_callable())));
        let each = [activity, callable].into_iter().flatten();
        each.map(|(error, on_retry)| view! { <ErrorNotice error on_retry /> }).collect_view()
    };
    let fact = move || view! { <span class="secondary">{when::today()}</span> };
    view! {
        <PageHead title=shell::today() fact=ViewFn::from(fact)>
            <DaysSwitch days />
        </PageHead>
        <div class="stack today">
            {failed}
            <Tiles activity />
            <div class="today-pair">
                <ByCampaign callable />
                <ByReason callable />
            </div>
            <Charts activity />
            <Queues activity />
        </div>
    }
    .into_any()
}

/// Switch for the number of days.
#[component]
fn DaysSwitch(days: Memo<u32>) -> impl IntoView {
    let navigate = use_navigate();
    let show = Callback::new(move |days: u32| {
        let place = if days == DAYS[0] { "/".to_owned() } else { format!("/?days={days}") };
        navigate(&place, leptos_router::NavigateOptions { scroll: false, ..Default::default() });
    });
    let mut choices = DAYS;
    choices.sort_unstable();
    let segments = choices.map(|one| segment(one, texts::days(one.into()), format!("days-{one}")));
    view! { <Segments label=texts::days_shown() segments=segments.into() chosen=days on_choose=show /> }
}
