//! `/leads/{id}`: one lead, its campaigns with every reason why it can't be called, and its calls.

use leadscribe_engine::api::{Call, CampaignDetails, CustomValue, ExtendedLead, Lead, LeadId, NotCallableReason, Page};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use crate::api::{CallQuery, use_api};
use crate::components::badge::{Badge, Tone};
use crate::components::call_table::CallTable;
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::fact_list::{Fact, FactList};
use crate::components::filter_editor::Names;
use crate::components::icon::{Glyph, Icon};
use crate::components::lead_table::{StatusBadge, lead_name};
use crate::components::moment::{MaybeMoment, Moment};
use crate::components::page_head::PageHead;
use crate::components::prose::prose;
use crate::components::reason_chips::reason_label;
use crate::remote::Remote;

#[component]
pub fn LeadPage() -> impl IntoView {
    let api = use_api();
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")).and_then(|id| id.parse().ok()).map(LeadId));
    let (lead, calls, statuses) = (Remote::<ExtendedLead>::new(), Remote::<Page<Call>>::new(), Remote::new());
    statuses.load(api.statuses());
    let names = Signal::derive(move || Names {
        statuses: statuses.with(|page| page.map(|page| page.items.clone()).unwrap_or_default()),
        ..Default::default()
    });
    let load = move || {
        if let Some(id) = id.get_untracked() {
            lead.load(api.lead(id));
            let of_lead = CallQuery { lead_id: id.to_string(), limit: "100;0".to_owned(), ..Default::default() };
            calls.load(api.calls(of_lead));
        }
    };
    let on_retry = Callback::new(move |()| load());
    Effect::new(move |_| {
        id.get();
        lead.clear();
        calls.clear();
        load();
    });
    let title = Signal::derive(move || {
        lead.with(|lead| lead.map(|lead| lead_name(&lead.lead))).unwrap_or_else(|| "Lead".to_owned())
    });
    let fact = move || {
        view! {
            <a class="breadcrumb" href="/leads">
                <Icon glyph=Glyph::Previous />
                "All leads"
            </a>
        }
    };
    let body = move || match (id.get(), lead.error(), lead.get()) {
        (None, ..) => view! { <NoSuchLead /> }.into_any(),
        (_, Some(error), _) if error.status() == Some(404) => view! { <NoSuchLead /> }.into_any(),
        (_, Some(error), _) => view! { <ErrorNotice error on_retry /> }.into_any(),
        (_, _, None) => view! { <LoadingLead /> }.into_any(),
        (_, _, Some(lead)) => view! { <LeadBody lead names calls on_retry /> }.into_any(),
    };
    view! {
        <PageHead title fact=ViewFn::from(fact) />
        {body}
    }
    .into_any()
}

#[component]
fn NoSuchLead() -> impl IntoView {
    view! {
        <Empty glyph=Glyph::Leads title="There is no such lead" text="It may have been deleted since the link was made.">
            <a class="button" href="/leads">
                "All leads"
            </a>
        </Empty>
    }
}

#[component]
fn LoadingLead() -> impl IntoView {
    let bars = (0..9).map(|row| view! { <span class=format!("skeleton skeleton-{}", 1 + row % 3)></span> });
    view! { <div class="card card-body" aria-busy="true">{bars.collect_view()}</div> }
}

#[component]
fn LeadBody(
    lead: ExtendedLead,
    names: Signal<Names>,
    calls: Remote<Page<Call>>,
    on_retry: Callback<()>,
) -> impl IntoView {
    let ExtendedLead { lead, campaigns, not_callable_reasons } = lead;
    let no_campaign = campaigns.is_empty();
    let cards = campaigns.into_iter().map(|details| view! { <CampaignCard details names /> }).collect_view();
    let call_items = Signal::derive(move || calls.with(|page| page.map(|page| page.items.clone())));
    let has_no_calls = move || call_items.with(|items| items.as_ref().is_some_and(Vec::is_empty));
    view! {
        <div class="lead-page">
            <div class="stack">
                <section class="stack-tight" aria-labelledby="why">
                    <h2 id="why">"Can it be called?"</h2>
                    {(!not_callable_reasons.is_empty())
                        .then(|| {
                            view! {
                                <div class="card card-body">
                                    <p class="label">"In any campaign"</p>
                                    <ReasonList reasons=not_callable_reasons />
                                </div>
                            }
                        })}
                    {cards}
                    {no_campaign
                        .then(|| view! { <p class="secondary">"A lead is called for a campaign; this one is in none."</p> })}
                </section>
                <section class="stack-tight" aria-labelledby="calls">
                    <h2 id="calls">"Calls"</h2>
                    {move || calls.error().map(|error| view! { <ErrorNotice error on_retry /> })}
                    <div class="table-card as-cards" hidden=move || calls.has_failed()>
                        {move || {
                            if has_no_calls() {
                                view! {
                                    <Empty glyph=Glyph::Calls title="No calls yet" text="Calls of this lead appear here." />
                                }
                                    .into_any()
                            } else {
                                view! { <CallTable calls=call_items names brief=true /> }.into_any()
                            }
                        }}
                    </div>
                </section>
            </div>
            <LeadFacts lead />
        </div>
    }
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

#[component]
fn LeadFacts(lead: Lead) -> impl IntoView {
    let truth = |value: bool| if value { "Yes" } else { "No" }.to_owned();
    let number = |value: Option<f64>| value.map(|value| value.to_string());
    let facts = [
        ("Lead ID", Some(lead.id.to_string())),
        ("First name", lead.first_name),
        ("Last name", lead.last_name),
        ("Phone", lead.phone),
        ("Phone (E.164)", lead.phone_normalized),
        ("Second phone", lead.phone2),
        ("Second phone (E.164)", lead.phone_normalized2),
        ("E-mail", lead.email),
        ("Address", lead.address1),
        ("Address, line 2", lead.address2),
        ("ZIP code", lead.zip),
        ("City", lead.city),
        ("State", lead.state),
        ("Country", lead.country),
        ("Time zone", lead.timezone),
        ("Latitude", number(lead.lat)),
        ("Longitude", number(lead.lng)),
        ("Date of birth", lead.birthdate.map(|date| date.to_string())),
        ("Original identifier", lead.original_identifier),
        ("Support site", lead.support_site),
        ("Purchase site", lead.purchase_site),
        ("Purchase date", lead.purchase_date.map(|date| date.to_string())),
        ("Purchase amount", number(lead.purchase_amount)),
        ("Product", lead.purchase_product_name),
        ("Do not call", Some(truth(lead.do_not_call))),
        ("Blacklisted", Some(truth(lead.blacklisted))),
    ];
    let known = facts.into_iter().filter_map(|(label, value)| value.map(|value| fact(label.to_owned(), value)));
    let custom = lead.custom_fields.into_iter().map(|(name, value)| fact(name, custom_text(value)));
    let custom: Vec<_> = custom.collect();
    view! {
        <aside class="card" aria-label="Fields of the lead">
            <div class="card-head">
                <h2>"Fields"</h2>
            </div>
            <div class="card-body stack">
                <FactList>
                    {known.collect_view()} <Fact label="Created">
                        <Moment at=lead.created_at />
                    </Fact> <Fact label="Updated">
                        <Moment at=lead.updated_at />
                    </Fact>
                </FactList>
                {(!custom.is_empty())
                    .then(|| {
                        view! {
                            <h3>"Custom fields"</h3>
                            <FactList>{custom.into_iter().collect_view()}</FactList>
                        }
                    })}
            </div>
        </aside>
    }
}

fn fact(label: String, value: String) -> AnyView {
    view! { <Fact label>{value}</Fact> }.into_any()
}

fn custom_text(value: CustomValue) -> String {
    match value {
        CustomValue::Bool(value) => value.to_string(),
        CustomValue::Integer(value) => value.to_string(),
        CustomValue::Number(value) => value.to_string(),
        CustomValue::Text(value) => value,
    }
}
