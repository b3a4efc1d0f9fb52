//! The leads that were found, with their campaigns and why they can't be called.

use leadscribe_engine::api::{CampaignDetails, ExtendedLead, Lead};
use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;

use super::badge::{Badge, Tone, lead_status_tone, spelled};
use super::filter_editor::Names;
use super::moment::Moment;
use super::reason_chips::ReasonChips;
use super::table::{SkeletonRows, SortHead, Sorted};
use crate::when::{self, counted};

/// How a lead is called on the screen.
pub fn lead_name(lead: &Lead) -> String {
    let names: Vec<_> = [&lead.first_name, &lead.last_name].into_iter().flatten().map(String::as_str).collect();
    if names.is_empty() { format!("Lead {}", lead.id) } else { names.join(" ") }
}

#[component]
pub fn LeadTable(
    /// None while the first answer is awaited.
    #[prop(into)]
    leads: Signal<Option<Vec<ExtendedLead>>>,
    #[prop(into)] stale: Signal<bool>,
    #[prop(into)] names: Signal<Names>,
    /// The first key of the order: the field, and whether from the largest.
    #[prop(into)]
    order: Signal<Option<(FieldId, bool)>>,
    on_sort: Callback<FieldId>,
) -> impl IntoView {
    let head = move |label: &'static str, field: FieldId| {
        let sorted = move || match order.get() {
            Some((by, descending)) if by == field => {
                if descending {
                    Sorted::Descending
                } else {
                    Sorted::Ascending
                }
            }
            _ => Sorted::No,
        };
        view! { <SortHead label sorted=Signal::derive(sorted) on_sort=Callback::new(move |()| on_sort.run(field)) /> }
    };
    let rows = move || match leads.get() {
        None => view! { <SkeletonRows columns=5 /> }.into_any(),
        Some(leads) => leads.into_iter().map(|lead| view! { <LeadRow lead names /> }).collect_view().into_any(),
    };
    view! {
        <div class="table-wrap" class:is-stale=stale aria-busy=move || stale.get().to_string()>
            <table class="table lead-table">
                <caption class="visually-hidden">"Leads that match the filter"</caption>
                <thead>
                    <tr>
                        {head("Lead", FieldId::LastName)}
                        <th scope="col">"Phone"</th>
                        {head("Place", FieldId::City)}
                        <th scope="col">
                            <span class="campaign-line">
                                <span>"Campaigns"</span>
                                <span>"Why not callable"</span>
                            </span>
                        </th>
                        {head("Updated", FieldId::GlobalUpdatedAt)}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

#[component]
fn LeadRow(lead: ExtendedLead, names: Signal<Names>) -> impl IntoView {
    let ExtendedLead { lead, campaigns, not_callable_reasons } = lead;
    let place: Vec<_> = [lead.city.clone(), lead.country.clone()].into_iter().flatten().collect();
    let phone = lead.phone_normalized.clone().or_else(|| lead.phone.clone());
    let phone_title = lead.phone.clone().map(|phone| format!("As given: {phone}"));
    let lines = campaigns.into_iter().map(|details| view! { <CampaignLine details names /> }).collect_view();
    view! {
        <tr data-test="lead-row" data-id=lead.id.to_string()>
            <td class="lead-cell" data-label="Lead">
                <a class="row-link" href=format!("/leads/{}", lead.id)>
                    {lead_name(&lead)}
                </a>
                <div class="cell-sub">"#" {lead.id.to_string()}</div>
            </td>
            <td class="nowrap" data-label="Phone" title=phone_title>
                {phone.unwrap_or_else(|| "–".to_owned())}
            </td>
            <td data-label="Place">{if place.is_empty() { "–".to_owned() } else { place.join(", ") }}</td>
            <td data-label="Campaigns" class="lead-campaigns">
                <div class="campaign-lines">
                    {lines}
                    {(!not_callable_reasons.is_empty())
                        .then(|| {
                            view! {
                                <div class="campaign-line">
                                    <span class="muted small">"In any campaign"</span>
                                    <ReasonChips reasons=not_callable_reasons />
                                </div>
                            }
                        })}
                </div>
            </td>
            <td data-label="Updated" class="secondary">
                <Moment at=lead.global_updated_at relative=true />
            </td>
        </tr>
    }
}

/// One campaign of a lead: where it stands, and why it can't be called there.
#[component]
fn CampaignLine(details: CampaignDetails, names: Signal<Names>) -> impl IntoView {
    let calls = match (details.calls_count, details.calls_today) {
        (0, _) => "no calls".to_owned(),
        (count, 0) => counted(count.into(), "call", "calls"),
        (count, today) => format!("{}, {today} today", counted(count.into(), "call", "calls")),
    };
    let frozen = details.freeze_until.filter(|until| *until > when::now()).map(|until| {
        view! {
            <span class="small" title=when::exact(until)>
                "frozen until " {when::local(until)}
            </span>
        }
    });
    view! {
        <div class="campaign-line">
            <div class="campaign-facts">
                <span>{details.campaign_name}</span>
                <StatusBadge name=details.status names />
                <span class="small muted nowrap">{calls}</span>
                {frozen}
            </div>
            {if details.callable {
                view! { <span class="chip tone-success callable">"Callable now"</span> }.into_any()
            } else {
                view! { <ReasonChips reasons=details.not_callable_reasons /> }.into_any()
            }}
        </div>
    }
}

/// The status of a campaign lead, by the label staff gave it.
#[component]
pub fn StatusBadge(name: String, #[prop(into)] names: Signal<Names>) -> impl IntoView {
    move || {
        let label = names
            .with(|names| names.statuses.iter().find(|status| status.name == name).map(|status| status.label.clone()));
        let tone: Tone = lead_status_tone(&name);
        view! { <Badge tone text=label.unwrap_or_else(|| spelled(&name)) /> }
    }
}
