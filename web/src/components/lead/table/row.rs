//! A row of the list of leads.

use std::borrow::Cow;

use leadscribe_engine::api::{CampaignDetails, ExtendedLead, Lead, LeadId, NotCallableReason};
use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;

use super::{StatusBadge, custom_text, facts, lead_name, lead_text};
use crate::components::filter_editor::Names;
use crate::components::lead::columns::{Column, label_of};
use crate::components::lead::reason_chips::ReasonChips;
use crate::components::lead::reason_rules;
use crate::components::lead::selection::LeadSelection;
use crate::components::moment::Moment;
use crate::components::phone::Phone;
use crate::texts::{common, lead_table as texts};
use crate::when;

/// Settings shared by all rows of a table.
#[derive(Clone, Copy)]
pub struct Rows {
    pub names: Signal<Names>,
    pub selection: Option<LeadSelection>,
    /// Ids of the leads in order, for range selection.
    pub shown: Signal<Vec<LeadId>>,
}

/// Checkbox of a row.
#[component]
fn LeadBox(id: LeadId, name: String, selection: LeadSelection, shown: Signal<Vec<LeadId>>) -> impl IntoView {
    let shift = StoredValue::new(false);
    view! {
        <input
            class="checkbox"
            type="checkbox"
            aria-label=texts::select(name)
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

/// A row. `place` is the index of the lead in a list that is only partly rendered, counted from 0. `cut` is true for each
/// column that may cut off its content, starting with the lead column. Such cells show their text on hover.
pub fn row(lead: ExtendedLead, columns: &[Column], rows: Rows, place: Option<u64>, cut: &[bool]) -> AnyView {
    let Rows { names, selection, shown } = rows;
    let (cut, others) = cut.split_first().map_or((false, cut), |(lead, others)| (*lead, others));
    let cells: Vec<_> = columns
        .iter()
        .zip(others)
        .map(|(column, cut)| match column {
            Column::Campaigns => {
                let ExtendedLead { lead, campaigns, not_callable_reasons: reasons } = lead.clone();
                view! { <CampaignsCell campaigns reasons timezone=lead.timezone names cut=*cut /> }.into_any()
            }
            column if column.is_of_campaigns() => facts::cell(&lead, column, names, *cut),
            column => cell(&lead.lead, column, *cut),
        })
        .collect();
    let lead = lead.lead;
    let (id, name) = (lead.id, lead_name(&lead));
    let select = selection.map(|selection| view! { <LeadBox id name=name.clone() selection shown /> });
    let selected = move || selection.map(|selection| selection.has(id).to_string());
    // The header is row 1.
    let index = place.map(|place| (place + 2).to_string());
    let title = cut.then(|| name.clone());
    view! {
        <tr data-row="" data-test="lead-row" data-id=id.to_string() aria-rowindex=index aria-selected=selected>
            <td class="lead-cell" class:with-box=selection.is_some() class:is-cut=cut data-label=texts::lead()>
                {select}
                <a class="row-link" data-opens="" href=format!("/leads/{id}") title=title>
                    {name}
                </a>
                <div class="cell-sub">"#" {id.to_string()}</div>
            </td>
            {cells}
        </tr>
    }
    .into_any()
}

/// Cell of a column that isn't about campaigns.
fn cell(lead: &Lead, column: &Column, cut: bool) -> AnyView {
    let moment = match column {
        Column::Field(FieldId::CreatedAt) => Some(lead.created_at),
        Column::Field(FieldId::UpdatedAt) => Some(lead.updated_at),
        Column::Field(FieldId::GlobalUpdatedAt) => Some(lead.global_updated_at),
        _ => None,
    };
    if let Some(at) = moment {
        return view! {
            <td data-label=label_of(column) class="secondary" class:is-cut=cut>
                <Moment at relative=true />
            </td>
        }
        .into_any();
    }
    let text = column.own_cell(lead).map(Cow::into_owned);
    let text = match column {
        Column::Number => {
            let note = lead.phone.as_ref().map(texts::phone_as_given);
            let number = text.map(|number| view! { <Phone number note /> });
            return view! {
                <td data-label=label_of(column) class="nowrap" class:is-cut=cut>
                    {number.map_or_else(|| "–".into_any(), IntoAny::into_any)}
                </td>
            }
            .into_any();
        }
        Column::Field(id) => text.map(|text| lead_text(*id, text)),
        Column::Custom(name) => lead.custom_fields.get(name).map(custom_text),
        _ => text,
    };
    let title = text.clone().filter(|_| cut);
    view! {
        <td data-label=label_of(column) class="as-typed" class:is-cut=cut title=title>
            {text.unwrap_or_else(|| "–".to_owned())}
        </td>
    }
    .into_any()
}

#[component]
fn CampaignsCell(
    campaigns: Vec<CampaignDetails>,
    reasons: Vec<NotCallableReason>,
    timezone: Option<String>,
    names: Signal<Names>,
    cut: bool,
) -> impl IntoView {
    // Reasons that hold in every campaign are shown once: in the only campaign, or separately if there are several.
    let is_several = campaigns.len() > 1;
    let apart = if campaigns.len() == 1 { Vec::new() } else { reasons };
    let but_apart = |details: CampaignDetails| CampaignDetails {
        not_callable_reasons: without(details.not_callable_reasons, &apart),
        ..details
    };
    let line = |details| view! { <CampaignLine details timezone=timezone.clone() names /> };
    let lines = campaigns.into_iter().map(but_apart).map(line).collect_view();
    view! {
        <td data-label=texts::campaigns() class="lead-campaigns" class:is-cut=cut>
            <div class="campaign-lines">
                {lines}
                {(!apart.is_empty())
                    .then(|| {
                        view! {
                            <div class="campaign-line">
                                {is_several.then(|| view! { <span class="muted small">{texts::in_any_campaign()}</span> })}
                                <ReasonChips reasons=reason_rules::of_lead(apart) />
                            </div>
                        }
                    })}
            </div>
        </td>
    }
}

/// Removes reasons that are shown elsewhere.
fn without(mut reasons: Vec<NotCallableReason>, elsewhere: &[NotCallableReason]) -> Vec<NotCallableReason> {
    reasons.retain(|reason| elsewhere.iter().all(|other| other.code != reason.code));
    reasons
}

/// One campaign of a lead: its status, and the reasons why the lead can't be called there.
#[component]
fn CampaignLine(details: CampaignDetails, timezone: Option<String>, names: Signal<Names>) -> impl IntoView {
    let calls = match (details.calls_count, details.calls_today) {
        (0, _) => texts::no_calls().to_owned(),
        (count, 0) => common::calls(count.into()),
        (count, today) => texts::calls_and_today(count.into(), when::count(today.into())),
    };
    let told = details.clone();
    let reasons = Signal::derive(move || reason_rules::of_campaign(&told, timezone.as_deref(), names));
    let frozen = details.freeze_until.filter(|until| *until > when::now()).map(|until| {
        view! {
            <span class="small" title=when::exact(until)>
                {texts::frozen_until(when::local(until))}
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
                view! { <span class="chip tone-success callable">{texts::callable_now()}</span> }.into_any()
            } else {
                (move || view! { <ReasonChips reasons=reasons.get() /> }).into_any()
            }}
        </div>
    }
}
