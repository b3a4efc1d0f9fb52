//! Whether a lead can be called: in any campaign, and in each of its own.

use leadscribe_engine::api::{CampaignDetails, NotCallableReason};
use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;

use crate::components::badge::{Badge, Tone};
use crate::components::fact_list::{Fact, FactList};
use crate::components::filter_editor::Names;
use crate::components::icon::{Glyph, Icon};
use crate::components::lead_table::StatusBadge;
use crate::components::moment::{MaybeMoment, Moment};
use crate::components::prose::prose;
use crate::components::reason_chips::reason_label;
use crate::components::reason_rules;
use crate::texts::fields::label;
use crate::texts::lead as texts;
use crate::when;

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
            <h2 id="why">{texts::can_it_be_called()}</h2>
            {(!reasons.is_empty())
                .then(|| {
                    view! {
                        <div class="card card-body">
                            <p class="label">{texts::in_any_campaign()}</p>
                            <ReasonList reasons=reason_rules::of_lead(reasons) />
                        </div>
                    }
                })}
            {cards}
            {no_campaign.then(|| view! { <p class="secondary">{texts::in_no_campaign()}</p> })}
        </section>
    }
    .into_any()
}

#[component]
fn CampaignCard(details: CampaignDetails, names: Signal<Names>) -> impl IntoView {
    let next = details.next_callable_at;
    let has_reasons = !details.not_callable_reasons.is_empty();
    let told = details.clone();
    let reasons = Signal::derive(move || reason_rules::of_campaign(&told, names));
    let verdict = if details.callable {
        view! { <Badge tone=Tone::Success text=texts::callable_now() /> }.into_any()
    } else {
        view! {
            <span class="row">
                {next
                    .map(|next| {
                        view! {
                            <span class="small secondary">
                                {texts::callable()} " " <Moment at=next relative=true />
                            </span>
                        }
                    })}
                <Badge tone=Tone::Warning text=texts::not_callable() />
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
                {move || has_reasons.then(|| view! { <ReasonList reasons=reasons.get() /> })}
                <FactList>
                    <Fact label=label(FieldId::CallsCount)>
                        {texts::calls_of_which_today(details.calls_count, details.calls_today)}
                    </Fact>
                    <Fact label=label(FieldId::LastCallAt)>
                        <MaybeMoment at=details.last_call_at relative=true none=texts::never() />
                    </Fact>
                    <Fact label=label(FieldId::FreezeUntil)>
                        <MaybeMoment at=details.freeze_until />
                    </Fact>
                    <Fact label=label(FieldId::CallbackAt)>
                        <MaybeMoment at=details.callback_at />
                    </Fact>
                    <Fact label=label(FieldId::Weight)>{details.weight.to_string()}</Fact>
                    <Fact label=label(FieldId::UpdatedAt)>
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
                            // An abbreviation such as `Std.` ends the sentence too.
                            let stop = if when::relative(until).ends_with('.') { "" } else { "." };
                            view! {
                                <span class="secondary">
                                    " " {texts::ends()} " " <Moment at=until relative=true /> {stop}
                                </span>
                            }
                        })}
                </span>
            </li>
        }
    });
    view! { <ul class="reasons">{items.collect_view()}</ul> }
}
