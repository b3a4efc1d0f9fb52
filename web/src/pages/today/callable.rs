//! Which leads can be called now, and why the others can't.

use leadscribe_engine::api::{CallableOverview, CampaignCallable, LeadsWithReason, NotCallableCode};
use leadscribe_engine::filter;
use leptos::prelude::*;

use crate::components::bar_table::{BarRow, BarTable};
use crate::components::empty::Empty;
use crate::components::icon::Glyph;
use crate::components::moment::Moment;
use crate::components::reason_chips::reason_label;
use crate::query::query_string;
use crate::remote::Remote;
use crate::when;

/// Campaigns that are shown; those with most leads to call.
const CAMPAIGNS: usize = 10;

/// Leads of a page of the list.
const PAGE: &str = "50;0";

/// Callable leads by campaign.
#[component]
pub fn ByCampaign(callable: Remote<CallableOverview>) -> impl IntoView {
    let shown = move || {
        let Some(known) = callable.get() else { return waiting_bars(CAMPAIGNS) };
        if known.campaigns.is_empty() {
            return view! {
                <Empty
                    glyph=Glyph::Campaigns
                    title="No campaign is active"
                    text="Leads can be called once a campaign that has them is switched on."
                >
                    <a class="button" href="/campaigns">
                        "See the campaigns"
                    </a>
                </Empty>
            }
            .into_any();
        }
        let mut campaigns = known.campaigns;
        campaigns.sort_by_key(|campaign| std::cmp::Reverse(campaign.callable));
        campaigns.truncate(CAMPAIGNS);
        let left = known.active_campaigns.saturating_sub(campaigns.len() as u64);
        let more = (left > 0).then(|| {
            let text = format!("and {} more", when::counted(left, "campaign", "campaigns"));
            view! { <p class="small"><a href="/campaigns">{text}</a></p> }
        });
        let rows = campaigns.into_iter().map(campaign_row).collect();
        view! { <BarTable title="Callable now, by campaign" heads=["Campaign", "Leads"] rows /> {more} }.into_any()
    };
    view! {
        <section class="card" aria-label="Callable now, by campaign" data-test="by-campaign" hidden=move || callable.has_failed()>
            <div class="card-head">
                <h2>"Callable now, by campaign"</h2>
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
    let shown = move || {
        let Some(known) = callable.get() else { return waiting_bars(NotCallableCode::ALL.len()) };
        let mut reasons = known.reasons;
        reasons.retain(|reason| reason.leads != Some(0));
        if reasons.is_empty() {
            return view! {
                <Empty glyph=Glyph::Check title="Nothing stands in the way" text="No lead has a reason not to be called now." />
            }
            .into_any();
        }
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.leads));
        let rows = reasons.into_iter().map(reason_row).collect();
        view! {
            <BarTable title="Why leads can't be called now" heads=["Reason", "Leads"] rows />
            <p class="small muted">"A lead counts at each of its reasons, in whichever campaign."</p>
        }
        .into_any()
    };
    view! {
        <section class="card" aria-label="Why leads can't be called now" data-test="by-reason" hidden=move || callable.has_failed()>
            <div class="card-head">
                <h2>"Why leads can't be called now"</h2>
                <AsOf callable />
            </div>
            <div class="card-body">{shown}</div>
        </section>
    }
    .into_any()
}

/// As of when the counts are.
#[component]
fn AsOf(callable: Remote<CallableOverview>) -> impl IntoView {
    let at = Memo::new(move |_| callable.with(|known| known.map(|known| known.at)));
    move || at.get().map(|at| view! { <span class="small muted">"as of " <Moment at /></span> }).into_any()
}

fn campaign_row(campaign: CampaignCallable) -> BarRow {
    BarRow {
        key: campaign.campaign_id.to_string(),
        name: campaign.name,
        href: Some(leads_found_by(&campaign.filter)),
        count: campaign.callable,
        of: campaign.leads,
        class: "fill-accent",
    }
}

fn reason_row(reason: LeadsWithReason) -> BarRow {
    BarRow {
        key: reason.code.as_str().to_owned(),
        name: reason_label(reason.code).to_owned(),
        href: reason.filter.as_deref().map(leads_found_by),
        count: reason.leads,
        of: None,
        class: "fill-warning",
    }
}

/// The list of the leads that a filter finds.
fn leads_found_by(text: &str) -> String {
    let mut tree = filter::parse(text).tree;
    tree.controls.limit = Some(PAGE.to_owned().into());
    format!("/leads{}", query_string(&[("filter", &filter::print(&tree))]))
}

/// What holds the place of bars while they are counted.
pub fn waiting_bars(count: usize) -> AnyView {
    let rows = (0..count).map(|row| view! { <span class=format!("skeleton skeleton-{}", 1 + row % 3)></span> });
    view! { <div class="bars-place" aria-hidden="true">{rows.collect_view()}</div> }.into_any()
}
