//! Table of campaigns with their progress.

use leadscribe_engine::api::{CallingHours, Campaign, CampaignProgress};
use leadscribe_engine::callable::format_days;
use leptos::prelude::*;

use super::form::format_minutes;
use crate::i18n::datetime::format_count;
use crate::i18n::language;
use crate::i18n::texts::{campaigns as texts, common};
use crate::ui::list::ColumnHeader;
use crate::ui::{Badge, Tone};

pub static COLUMNS: [ColumnHeader; 5] = [
    ColumnHeader::new(common::campaign).sorted_by("name"),
    ColumnHeader::new(common::status).sorted_by("-active"),
    ColumnHeader::new(common::progress).sorted_by("-done"),
    ColumnHeader::new(texts::calling_hours),
    ColumnHeader::new(common::attempts),
];

/// Default sort order: order of creation.
pub const DEFAULT_ORDER: &str = "id";

/// Row of a campaign. `progress` is `None` until it is loaded.
pub fn campaign_row(campaign: Campaign, progress: Signal<Option<Vec<CampaignProgress>>>) -> AnyView {
    let id = campaign.id;
    let (tone, state) =
        if campaign.active { (Tone::Success, texts::active()) } else { (Tone::Neutral, texts::inactive()) };
    let hours = match &campaign.calling_hours {
        None => view! { <span class="secondary">{texts::at_any_time()}</span> }.into_any(),
        Some(hours) => view! {
            <span>
                <span class="nowrap">{format_hours(hours)}</span>
                <span class="cell-detail cell-line">{format_days(&hours.days, language())}</span>
            </span>
        }
        .into_any(),
    };
    let attempts = match (campaign.max_attempts, campaign.daily_attempts) {
        (None, None) => texts::without_limit().to_owned(),
        (Some(all), None) => texts::total_limit(format_count(all.into())),
        (None, Some(daily)) => texts::daily_limit(format_count(daily.into())),
        (Some(all), Some(daily)) => texts::total_and_daily_limit(format_count(all.into()), format_count(daily.into())),
    };
    let freeze = (campaign.freeze_minutes > 0).then(|| {
        let text = texts::freeze_after_attempt(format_minutes(campaign.freeze_minutes));
        view! { <span class="cell-detail cell-line">{text}</span> }
    });
    let progress_cell = move || {
        progress.with(|progress| match progress {
            None => view! { <span class="skeleton skeleton-2"></span> }.into_any(),
            Some(all) => all.iter().find(|entry| entry.campaign_id == id).map(|entry| progress_bar(*entry)).into_any(),
        })
    };
    view! {
        <tr data-row="" data-test="campaign-row" data-id=id.to_string()>
            <td class="lead-cell">
                <a href=format!("/campaigns/{id}") class="row-link" data-row-link="" data-test="campaign">
                    {campaign.name}
                </a>
            </td>
            <td data-label=common::status()>
                <Badge tone text=state />
            </td>
            <td data-label=common::progress() class="campaign-progress" data-test="progress">
                {progress_cell}
            </td>
            <td data-label=texts::calling_hours()>{hours}</td>
            <td data-label=common::attempts()>
                <span>
                    {attempts} {freeze}
                </span>
            </td>
        </tr>
    }
    .into_any()
}

/// Daily calling hours.
pub fn format_hours(hours: &CallingHours) -> String {
    match hours.start == hours.end {
        true => texts::all_day().to_owned(),
        false => format!("{}–{}", hours.start.format("%H:%M"), hours.end.format("%H:%M")),
    }
}

/// Progress bar: leads of a campaign by state, with their counts.
fn progress_bar(progress: CampaignProgress) -> AnyView {
    let total = progress.leads();
    if total == 0 {
        return view! { <span class="muted">{texts::no_leads()}</span> }.into_any();
    }
    type Part = (&'static str, u64, fn(u64) -> String);
    let parts: [Part; 3] = [
        ("done", progress.done, texts::done),
        ("called", progress.called, texts::called),
        ("new", progress.new, texts::new),
    ];
    let segments = parts.map(|(name, leads, _)| {
        let width = format!("{:.2}%", leads as f64 * 100.0 / total as f64);
        view! { <span class=format!("progress-part progress-part-{name}") style:width=width></span> }
    });
    let legend = parts.map(|(name, leads, format)| {
        view! { <li class=format!("progress-legend-item progress-part-{name}")>{format(leads)}</li> }
    });
    view! {
        <div class="stack-tight">
            <div class="progress-parts" aria-hidden="true">
                {segments.collect_view()}
            </div>
            <ul class="row small secondary progress-legend" aria-label=common::leads(total)>
                {legend.collect_view()}
            </ul>
        </div>
    }
    .into_any()
}
