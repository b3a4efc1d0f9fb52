//! The leads that were found, with their campaigns and why they can't be called.

use std::borrow::Cow;

use leadscribe_engine::api::{CampaignDetails, ExtendedLead, Lead, LeadId, NotCallableReason};
use leadscribe_engine::filter::fields::{FieldId, Kind};
use leadscribe_engine::record::{custom_cell, lead_cell};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::badge::{Badge, Tone, lead_status_tone, spelled};
use super::filter_editor::Names;
use super::lead_columns::Column;
use super::lead_selection::LeadSelection;
use super::moment::Moment;
use super::reason_chips::ReasonChips;
use super::reason_rules;
use super::table::{SkeletonRows, SortHead, Sorted};
use crate::when::{self, counted};

/// How a lead is called on the screen.
pub fn lead_name(lead: &Lead) -> String {
    let names: Vec<_> = [&lead.first_name, &lead.last_name].into_iter().flatten().map(String::as_str).collect();
    if names.is_empty() { format!("Lead {}", lead.id) } else { names.join(" ") }
}

/// The id of the box that selects the leads of the page.
pub const SELECT_PAGE: &str = "lead-select-page";

#[component]
pub fn LeadTable(
    /// None while the first answer is awaited.
    #[prop(into)]
    leads: Signal<Option<Vec<ExtendedLead>>>,
    #[prop(into)] stale: Signal<bool>,
    #[prop(into)] names: Signal<Names>,
    /// Those beside the lead itself.
    #[prop(into)]
    columns: Signal<Vec<Column>>,
    /// The first key of the order: the field, and whether from the largest.
    #[prop(into)]
    order: Signal<Option<(FieldId, bool)>>,
    on_sort: Callback<FieldId>,
    /// Where rows can be selected.
    #[prop(optional_no_strip)]
    selection: Option<LeadSelection>,
) -> impl IntoView {
    let shown =
        Memo::new(move |_| leads.with(|leads| leads.iter().flatten().map(|lead| lead.lead.id).collect::<Vec<_>>()));
    let sorted_by = move |field: FieldId| {
        move || match order.get() {
            Some((by, descending)) if by == field => {
                if descending {
                    Sorted::Descending
                } else {
                    Sorted::Ascending
                }
            }
            _ => Sorted::No,
        }
    };
    let head = move |label: Cow<'static, str>, field: FieldId| {
        let on_sort = Callback::new(move |()| on_sort.run(field));
        view! { <SortHead label sorted=Signal::derive(sorted_by(field)) on_sort /> }.into_any()
    };
    let lead_head = view! {
        <SortHead
            label="Lead"
            sorted=Signal::derive(sorted_by(FieldId::LastName))
            on_sort=Callback::new(move |()| on_sort.run(FieldId::LastName))
        >
            {selection.map(|selection| view! { <PageBox selection shown /> })}
        </SortHead>
    };
    let heads = move || {
        let heads = columns.get().into_iter().map(|column| match (column.order(), &column) {
            (Some(field), _) => head(column.label(), field),
            (None, Column::Campaigns) => view! {
                <th scope="col">
                    <span class="campaign-line">
                        <span>"Campaigns"</span>
                        <span>"Why not callable"</span>
                    </span>
                </th>
            }
            .into_any(),
            (None, _) => view! { <th scope="col">{column.label()}</th> }.into_any(),
        });
        heads.collect_view()
    };
    let rows = move || {
        let columns = columns.get();
        match leads.get() {
            None => view! { <SkeletonRows columns=columns.len() + 1 lines=2 /> }.into_any(),
            Some(leads) => {
                leads.into_iter().map(|lead| row(lead, &columns, names, selection, shown)).collect_view().into_any()
            }
        }
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        let is_plain = !event.ctrl_key() && !event.alt_key() && !event.meta_key();
        let (Some(selection), true, "x" | "X") = (selection, is_plain, event.key().as_str()) else { return };
        if let Some(id) = lead_at(&event) {
            let selected = !untrack(|| selection.has(id));
            shown.with_untracked(|shown| selection.press(id, selected, event.shift_key(), shown));
        }
    };
    view! {
        <div class="table-wrap" class:is-stale=stale aria-busy=move || stale.get().to_string()>
            <table class="table lead-table" class:with-boxes=selection.is_some()>
                <caption class="visually-hidden">"Leads that match the filter"</caption>
                <thead>
                    <tr>{lead_head} {heads}</tr>
                </thead>
                <tbody on:keydown=on_key>{rows}</tbody>
            </table>
        </div>
    }
}

/// The lead in whose row a key was pressed.
fn lead_at(event: &web_sys::KeyboardEvent) -> Option<LeadId> {
    let target = event.target()?.dyn_into::<web_sys::Element>().ok()?;
    let row = target.closest("[data-id]").ok()??;
    row.get_attribute("data-id")?.parse().ok().map(LeadId)
}

/// The box in the head: all leads of the page.
#[component]
fn PageBox(selection: LeadSelection, shown: Memo<Vec<LeadId>>) -> impl IntoView {
    let selected = Memo::new(move |_| shown.with(|shown| shown.iter().filter(|id| selection.has(**id)).count()));
    let is_full = move || selected.get() > 0 && selected.get() == shown.with(Vec::len);
    let is_part = move || selected.get() > 0 && !is_full();
    view! {
        <input
            id=SELECT_PAGE
            class="checkbox"
            type="checkbox"
            aria-label="Select all leads of this page"
            data-test="select-page"
            prop:checked=is_full
            prop:indeterminate=is_part
            on:change:target=move |event| {
                let selected = event.target().checked();
                shown.with_untracked(|shown| {
                    if !selected && selection.is_all() {
                        selection.clear();
                    } else {
                        selection.set(shown, selected, shown);
                    }
                });
            }
        />
    }
}

/// The box of a row.
#[component]
fn LeadBox(id: LeadId, name: String, selection: LeadSelection, shown: Memo<Vec<LeadId>>) -> impl IntoView {
    let shift = StoredValue::new(false);
    view! {
        <input
            class="checkbox"
            type="checkbox"
            aria-label=format!("Select {name}")
            data-test="select-lead"
            prop:checked=move || selection.has(id)
            on:click=move |event: web_sys::MouseEvent| shift.set_value(event.shift_key())
            on:change:target=move |event| {
                let selected = event.target().checked();
                shown.with_untracked(|shown| selection.press(id, selected, shift.get_value(), shown));
            }
        />
    }
}

fn row(
    lead: ExtendedLead,
    columns: &[Column],
    names: Signal<Names>,
    selection: Option<LeadSelection>,
    shown: Memo<Vec<LeadId>>,
) -> AnyView {
    let ExtendedLead { lead, campaigns, not_callable_reasons } = lead;
    let mut about_campaigns = Some((campaigns, not_callable_reasons));
    let cells: Vec<_> = columns
        .iter()
        .map(|column| match column {
            // A column stands once, so that nothing is left out of a second one.
            Column::Campaigns => {
                let (campaigns, reasons) = about_campaigns.take().unwrap_or_default();
                view! { <CampaignsCell campaigns reasons names /> }.into_any()
            }
            column => cell(&lead, column),
        })
        .collect();
    let (id, name) = (lead.id, lead_name(&lead));
    let select = selection.map(|selection| view! { <LeadBox id name=name.clone() selection shown /> });
    let selected = move || selection.map(|selection| selection.has(id).to_string());
    view! {
        <tr data-test="lead-row" data-id=id.to_string() aria-selected=selected>
            <td class="lead-cell" class:with-box=selection.is_some() data-label="Lead">
                {select}
                <a class="row-link" href=format!("/leads/{id}")>
                    {name}
                </a>
                <div class="cell-sub">"#" {id.to_string()}</div>
            </td>
            {cells}
        </tr>
    }
    .into_any()
}

/// What a lead has in a column, other than its campaigns.
fn cell(lead: &Lead, column: &Column) -> AnyView {
    let (mut class, mut title) = ("lead-text", None);
    let text = match column {
        Column::Number => {
            (class, title) = ("nowrap", lead.phone.as_ref().map(|phone| format!("As given: {phone}")));
            lead.phone_normalized.clone().or_else(|| lead.phone.clone())
        }
        Column::Place => {
            let place: Vec<_> = [lead.city.as_deref(), lead.country.as_deref()].into_iter().flatten().collect();
            (!place.is_empty()).then(|| place.join(", "))
        }
        Column::Field(id) => {
            let moment = match id {
                FieldId::CreatedAt => Some(lead.created_at),
                FieldId::UpdatedAt => Some(lead.updated_at),
                FieldId::GlobalUpdatedAt => Some(lead.global_updated_at),
                _ => None,
            };
            if let Some(at) = moment {
                return view! {
                    <td data-label=column.label() class="secondary">
                        <Moment at relative=true />
                    </td>
                }
                .into_any();
            }
            let text = lead_cell(lead, id.field().name()).map(Cow::into_owned);
            match id.field().kind {
                Kind::Boolean => Some(if text.as_deref() == Some("true") { "Yes" } else { "No" }.to_owned()),
                _ => text,
            }
        }
        Column::Custom(name) => lead.custom_fields.get(name).map(|value| custom_cell(value).into_owned()),
        Column::Campaigns => None,
    };
    view! {
        <td data-label=column.label() class=class title=title>
            {text.unwrap_or_else(|| "–".to_owned())}
        </td>
    }
    .into_any()
}

#[component]
fn CampaignsCell(
    campaigns: Vec<CampaignDetails>,
    reasons: Vec<NotCallableReason>,
    names: Signal<Names>,
) -> impl IntoView {
    let lines = campaigns.into_iter().map(|details| view! { <CampaignLine details names /> }).collect_view();
    view! {
        <td data-label="Campaigns" class="lead-campaigns">
            <div class="campaign-lines">
                {lines}
                {(!reasons.is_empty())
                    .then(|| {
                        view! {
                            <div class="campaign-line">
                                <span class="muted small">"In any campaign"</span>
                                <ReasonChips reasons=reason_rules::of_lead(reasons) />
                            </div>
                        }
                    })}
            </div>
        </td>
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
    let told = details.clone();
    let reasons = Signal::derive(move || reason_rules::of_campaign(&told, names));
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
                (move || view! { <ReasonChips reasons=reasons.get() /> }).into_any()
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
