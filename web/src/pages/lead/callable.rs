//! Whether a lead can be called: in any campaign, and in each of its own.

use leadscribe_engine::api::{CampaignDetails, NotCallableReason};
use leptos::prelude::*;

use crate::components::badge::{Badge, Tone};
use crate::components::fact_list::{Fact, FactList};
use crate::components::filter_editor::Names;
use crate::components::icon::{Glyph, Icon};
use crate::components::lead_table::StatusBadge;
use crate::components::moment::{MaybeMoment, Moment};
use crate::components::prose::prose;
use crate::components::reason_chips::reason_label;

/// The section, with a card for each campaign.
#[component]
pub fn Callable(
    campaigns: Vec<CampaignDetails>,
    reasons: Vec<NotCallableReason>,
    names: Signal<Names>,
) -> impl IntoView {
    let no_campaign = campaigns.is_empty();
    let cards = campaigns.into_iter().map(|details| view! { <CampaignCard details names /> }).collect_view();
    view! {
        <section class="stack-tight" aria-labelledby="why">
            <h2 id="why">"Can it be called?"</h2>
            {(!reasons.is_empty())
                .then(|| {
                    view! {
                        <div class="card card-body">
                            <p class="label">"In any campaign"</p>
                            <ReasonList reasons />
                        </div>
                    }
                })}
            {cards}
            {no_campaign.then(|| view! { <p class="secondary">"A lead is called for a campaign; this one is in none."</p> })}
        </section>
    }
    .into_any()
}

#[component]
fn CampaignCard(details: CampaignDetails, names: Signal<Names>) -> impl IntoView {
    let next = details.next_callable_at;
    let verdict = if details.callable {
        view! { <Badge tone=Tone::Success text="Callable now" /> }.into_any()
    } else {
        view! {
            <span class="row">
                {next
                    .map(|next| {
                        view! {
                            <span class="small secondary">
                                "callable " <Moment at=next relative=true />
                            </span>
                        }
                    })}
                <Badge tone=Tone::Warning text="Not callable" />
            </span>
        }
        .into_any()
    };
    view! {
        <article class="card" data-test="lead-campaign">
            <div class="card-head">
                <div class="row">
                    <h3>{details.campaign_name}</h3>
                    <StatusBadge name=details.status names />
                </div>
                {verdict}
            </div>
            <div class="card-body stack">
                {(!details.not_callable_reasons.is_empty())
                    .then(|| view! { <ReasonList reasons=details.not_callable_reasons /> })}
                <FactList>
                    <Fact label="Calls">
                        {details.calls_count.to_string()} ", " {details.calls_today.to_string()} " today"
                    </Fact>
                    <Fact label="Last call">
                        <MaybeMoment at=details.last_call_at relative=true none="never" />
                    </Fact>
                    <Fact label="Frozen until">
                        <MaybeMoment at=details.freeze_until />
                    </Fact>
                    <Fact label="Callback">
                        <MaybeMoment at=details.callback_at />
                    </Fact>
                    <Fact label="Weight">{details.weight.to_string()}</Fact>
                    <Fact label="Updated">
                        <Moment at=details.updated_at relative=true />
                    </Fact>
                </FactList>
            </div>
        </article>
    }
}

/// Each reason with the rule behind it and its end.
#[component]
fn ReasonList(reasons: Vec<NotCallableReason>) -> impl IntoView {
    let items = reasons.into_iter().map(|reason| {
        view! {
            <li data-test="reason" data-code=reason.code.as_str()>
                <Icon glyph=if reason.until.is_some() { Glyph::Clock } else { Glyph::Alert } />
                <span>
                    <span class="strong">{reason_label(reason.code)}</span>
                    <span class="secondary">". " {prose(&reason.detail)}</span>
                    {reason
                        .until
                        .map(|until| {
                            view! {
                                <span class="secondary">
                                    " Ends " <Moment at=until relative=true /> "."
                                </span>
                            }
                        })}
                </span>
            </li>
        }
    });
    view! { <ul class="reasons">{items.collect_view()}</ul> }
}
