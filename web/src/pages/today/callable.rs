//! Leads that can be called now, and the reasons why others can't.

use std::cmp::Reverse;

use leadscribe_engine::api::{CallableOverview, CampaignCallable, LeadsWithReason, NotCallableCode};
use leptos::prelude::*;

use crate::components::bar_table::{BarRow, BarTable};
use crate::components::empty::Empty;
use crate::components::icon::Glyph;
use crate::components::list::table::SkeletonBars;
use crate::components::moment::Moment;
use crate::filter_text::list_of;
use crate::language::language;
use crate::remote::Remote;
use crate::texts::today as texts;

/// Maximum number of campaigns to show; those with the most callable leads.
const CAMPAIGNS: usize = 10;

/// Reason that is shown last and without a bar. Imported leads are in no campaign at first; their number would dwarf all other
/// bars.
const APART: NotCallableCode = NotCallableCode::NotInCampaign;

/// Callable leads by campaign.
#[component]
pub fn ByCampaign(callable: Remote<CallableOverview>) -> impl IntoView {
    let known = Memo::new(move |_| callable.with(|known| Some((known?.campaigns.clone(), known?.active_campaigns))));
    let shown = move || {
        let Some((mut campaigns, active)) = known.get() else { return waiting_bars(CAMPAIGNS) };
        if campaigns.is_empty() {
            return view! {
                <Empty
                    glyph=Glyph::Campaigns
                    title=texts::none_active()
                    text=texts::none_active_why()
                >
                    <a class="button" href="/campaigns">
                        {texts::see_campaigns()}
                    </a>
                </Empty>
            }
            .into_any();
        }
        campaigns.sort_by_key(|campaign| Reverse(campaign.callable));
        campaigns.truncate(CAMPAIGNS);
        let left = active.saturating_sub(campaigns.len() as u64);
        let more = (left > 0).then(|| {
            view! { <p class="small"><a href="/campaigns">{texts::and_more(left)}</a></p> }
        });
        let rows = campaigns.into_iter().map(campaign_row).collect();
        view! { <BarTable title=texts::callable_by_campaign() heads=[texts::campaign(), texts::leads()] rows /> {more} }
            .into_any()
    };
    view! {
        <section class="card" aria-label=texts::callable_by_campaign() data-test="by-campaign" hidden=move || callable.has_failed()>
            <div class="card-head">
                <h2>{texts::callable_by_campaign()}</h2>
                <AsOf callable />
            </div>
            <div class="card-body">{shown}</div>
        </section>
    }
    .into_any()
}

/// Leads by the reason why they can't be called now.
#[component]
pub fn ByReason(callable: Remote<CallableOverview>) -> impl IntoView {
    let known = Memo::new(move |_| callable.with(|known| Some(known?.reasons.clone())));
    let shown = move || {
        let Some(mut reasons) = known.get() else { return waiting_bars(NotCallableCode::ALL.len()) };
        reasons.retain(|reason| reason.leads != Some(0));
        if reasons.is_empty() {
            return view! {
                <Empty glyph=Glyph::Check title=texts::nothing_in_the_way() />
            }
            .into_any();
        }
        reasons.sort_by_key(|reason| (reason.code == APART, Reverse(reason.leads)));
        let rows = reasons.into_iter().map(reason_row).collect();
        view! {
            <BarTable title=texts::why_not_callable() heads=[texts::reason(), texts::leads()] rows />
            <p class="small muted">{texts::counts_at_each()}</p>
        }
        .into_any()
    };
    view! {
        <section class="card" aria-label=texts::why_not_callable() data-test="by-reason" hidden=move || callable.has_failed()>
            <div class="card-head">
                <h2>{texts::why_not_callable()}</h2>
                <AsOf callable />
            </div>
            <div class="card-body">{shown}</div>
        </section>
    }
    .into_any()
}

/// Time of the counts.
#[component]
fn AsOf(callable: Remote<CallableOverview>) -> impl IntoView {
    let at = Memo::new(move |_| callable.with(|known| known.map(|known| known.at)));
    move || at.get().map(|at| view! { <span class="small muted">{texts::as_of()} " " <Moment at /></span> }).into_any()
}

fn campaign_row(campaign: CampaignCallable) -> BarRow {
    BarRow {
        key: campaign.campaign_id.to_string(),
        name: campaign.name,
        href: Some(list_of(&campaign.filter)),
        count: campaign.callable,
        of: campaign.leads,
        class: Some("fill-accent"),
    }
}

fn reason_row(reason: LeadsWithReason) -> BarRow {
    BarRow {
        key: reason.code.as_str().to_owned(),
        name: reason.code.label(language()).to_owned(),
        href: Some(list_of(&reason.filter)),
        count: reason.leads,
        of: None,
        class: (reason.code != APART).then_some("fill-warning"),
    }
}

/// Placeholder for bars while the numbers are loaded.
pub fn waiting_bars(count: usize) -> AnyView {
    view! {
        <div class="bars-place" aria-hidden="true">
            <SkeletonBars bars=count />
        </div>
    }
    .into_any()
}
