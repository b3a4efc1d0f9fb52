//! `/campaigns?…`: list of campaigns with their progress.

use leadscribe_engine::api::{CallingHours, Campaign, CampaignProgress, Page};
use leadscribe_engine::callable::format_days;
use leptos::prelude::*;

use crate::api::{CampaignQuery, ListQuery, use_api, use_session};
use crate::features::campaigns::form::format_minutes;
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{campaigns as texts, common, shell};
use crate::i18n::{diagnostics_signal, language};
use crate::state::ApiResource;
use crate::ui::input::{FieldDiagnostics, SearchInput};
use crate::ui::list::{ColumnHeader, ExportMenu, ItemTable, ListSection, PaginatedList, Total, export_files};
use crate::ui::{Badge, EmptyState, Glyph, Icon, PageHeader, Tone};

#[component]
pub fn CampaignsPage() -> impl IntoView {
    let (api, session) = (use_api(), use_session());
    let build_url = |query: &CampaignQuery| format!("/campaigns{}", query.query_string());
    let list = PaginatedList::<_, Campaign>::new(build_url, |query| &query.search);
    let PaginatedList { list_query, show, .. } = list;
    let progress = ApiResource::<Page<CampaignProgress>>::new();
    let on_retry = list.load_with(move |query: CampaignQuery| {
        // Counting takes longer than listing, so the list doesn't wait for it.
        progress.clear();
        progress.load(api.campaign_progress(query.clone()));
        api.page(query)
    });
    let (order, items, stale) = (list.order(DEFAULT_ORDER), list.items(), list.is_stale());
    let progress_items = Signal::derive(move || {
        // If the progress can't be loaded, the list is shown without it, below the error.
        let empty_on_error = progress.error.get().is_some().then(Vec::new);
        progress.with(|page| page.map(|page| page.items.clone())).or(empty_on_error)
    });
    let table = move || {
        let row = move |campaign| campaign_row(campaign, progress_items);
        view! {
            <ItemTable
                caption=shell::campaigns()
                class="campaign-table"
                columns=&COLUMNS
                order
                items
                stale
                lines=2
                row
            />
        }
    };
    let empty = move || {
        let link = session.can_write().then_some(("/campaigns/new", texts::create_first()));
        let (title, text) = (texts::no_campaigns(), texts::no_campaigns_hint());
        view! { <EmptyState glyph=Glyph::Campaigns title text link is_primary=true /> }
    };
    let note = move || view! { <Total total=list.total() format=common::campaigns /> };
    view! {
        <PageHeader title=shell::campaigns() note=ViewFn::from(note)>
            <ExportMenu files=export_files(list_query) />
            <Show when=move || session.can_write()>
                <a class="button button-primary" href="/campaigns/new" data-test="new-campaign">
                    <Icon glyph=Glyph::Plus />
                    {texts::new_campaign()}
                </a>
            </Show>
        </PageHeader>
        <div class="stack">
            <form class="campaign-filter" role="search" aria-label=shell::campaigns() on:submit=|event| event.prevent_default()>
                <div class="search">
                    <Icon glyph=Glyph::Search />
                    <SearchInput
                        label=texts::search_names()
                        placeholder=common::name()
                        test_id="campaign-search"
                        value=Signal::derive(move || list_query.get().search)
                        set=Callback::new(move |search| {
                            show.run(CampaignQuery { search, ..list_query.get_untracked().first_page() });
                        })
                    />
                </div>
                <FieldDiagnostics diagnostics=diagnostics_signal(list.diagnostics(), "search") />
            </form>
            <ListSection
                list
                label=texts::campaigns_found()
                field_parameters=&["search"]
                columns=&COLUMNS
                order
                glyph=Glyph::Campaigns
                no_match=(texts::no_match(), texts::no_match_hint())
                reset_label=texts::show_all()
                on_retry
                other_error=Signal::derive(move || progress.error.get())
                empty
                table
            />
        </div>
    }
}

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
