//! Leads that can be called now, and the reasons why the rest can't.

use std::cmp::Reverse;

use leadscribe_engine::api::{CallableOverview, CampaignOverview, NotCallableCode, ReasonOverview};
use leptos::prelude::*;

use crate::i18n::language;
use crate::i18n::texts::{common, shell, today as texts};
use crate::state::ApiResource;
use crate::ui::filter_editor::filter_text::list_url;
use crate::ui::list::SkeletonBars;
use crate::ui::{BarRow, BarTable, Card, EmptyState, Glyph, LocalTime};

/// Maximum number of campaigns to show. The campaigns with the most callable leads are shown.
const MAX_CAMPAIGNS: usize = 10;

/// Reason that is shown last and without a bar. Imported leads are in no campaign at first; their number would dwarf
/// all other bars.
const SEPARATE_REASON: NotCallableCode = NotCallableCode::NotInCampaign;

/// Callable leads by campaign.
#[component]
pub fn CallableByCampaign(callable: ApiResource<CallableOverview>) -> impl IntoView {
    let overview =
        Memo::new(move |_| callable.with(|overview| Some((overview?.campaigns.clone(), overview?.active_campaigns))));
    let content = move || {
        let Some((mut campaigns, active_count)) = overview.get() else { return skeleton_bars(MAX_CAMPAIGNS) };
        if campaigns.is_empty() {
            let (title, text) = (texts::none_active(), texts::none_active_hint());
            let link = ("/campaigns", texts::show_campaigns());
            return view! { <EmptyState glyph=Glyph::Campaigns title text link /> }.into_any();
        }
        campaigns.sort_by_key(|campaign| Reverse(campaign.callable));
        campaigns.truncate(MAX_CAMPAIGNS);
        let remaining = active_count.saturating_sub(campaigns.len() as u64);
        let more = (remaining > 0).then(|| {
            view! { <p class="small"><a href="/campaigns">{texts::and_more(remaining)}</a></p> }
        });
        let rows = campaigns.into_iter().map(campaign_row).collect();
        view! { <BarTable title=texts::callable_by_campaign() headers=[common::campaign(), shell::leads()] rows /> {more} }
            .into_any()
    };
    view! {
        <CountsCard title=texts::callable_by_campaign() test_id="by-campaign" callable>
            {content}
        </CountsCard>
    }
    .into_any()
}

/// Leads by the reason why they can't be called now.
#[component]
pub fn NotCallableByReason(callable: ApiResource<CallableOverview>) -> impl IntoView {
    let overview = Memo::new(move |_| callable.with(|overview| Some(overview?.reasons.clone())));
    let content = move || {
        let Some(mut reasons) = overview.get() else { return skeleton_bars(NotCallableCode::ALL.len()) };
        reasons.retain(|reason| reason.leads != Some(0));
        if reasons.is_empty() {
            return view! { <EmptyState glyph=Glyph::Check title=texts::all_callable() /> }.into_any();
        }
        reasons.sort_by_key(|reason| (reason.code == SEPARATE_REASON, Reverse(reason.leads)));
        let rows = reasons.into_iter().map(reason_row).collect();
        view! {
            <BarTable title=texts::why_not_callable() headers=[common::reason(), shell::leads()] rows />
            <p class="small muted">{common::multiple_reasons_note()}</p>
        }
        .into_any()
    };
    view! {
        <CountsCard title=texts::why_not_callable() test_id="by-reason" callable>
            {content}
        </CountsCard>
    }
    .into_any()
}

/// Card with counts, and the time at which the server counted the leads.
#[component]
fn CountsCard(
    title: &'static str,
    test_id: &'static str,
    callable: ApiResource<CallableOverview>,
    children: Children,
) -> impl IntoView {
    let counted_at = Memo::new(move |_| callable.with(|overview| overview.map(|overview| overview.counted_at)));
    let updated_at = move || {
        let at = counted_at.get()?;
        Some(view! { <span class="small muted">{texts::updated_at_prefix()} " " <LocalTime at /></span> })
    };
    view! {
        <Card title test_id hidden=move || callable.has_failed() header=move || updated_at>
            {children()}
        </Card>
    }
}

fn campaign_row(campaign: CampaignOverview) -> BarRow {
    BarRow {
        key: campaign.campaign_id.to_string(),
        name: campaign.name,
        href: list_url(&campaign.filter),
        count: campaign.callable,
        total: campaign.leads,
        bar_class: Some("fill-accent"),
    }
}

fn reason_row(reason: ReasonOverview) -> BarRow {
    BarRow {
        key: reason.code.as_str().to_owned(),
        name: reason.code.label(language()).to_owned(),
        href: list_url(&reason.filter),
        count: reason.leads,
        total: None,
        bar_class: (reason.code != SEPARATE_REASON).then_some("fill-warning"),
    }
}

/// Placeholder for the bars while the counts are loading.
pub fn skeleton_bars(count: usize) -> AnyView {
    view! {
        <div class="bars-placeholder" aria-hidden="true">
            <SkeletonBars bars=count />
        </div>
    }
    .into_any()
}
