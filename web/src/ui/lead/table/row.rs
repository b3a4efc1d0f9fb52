//! A row of the list of leads.

use std::borrow::Cow;

use leadscribe_engine::api::{CallStatus, CampaignDetails, ExtendedLead, Lead, LeadId, Timestamp};
use leadscribe_engine::filter::fields::{FieldId, Kind};
use leadscribe_engine::record::campaign_cell;
use leptos::prelude::*;

use super::{StatusBadge, custom_text, lead_name, lead_text};
use crate::i18n::datetime;
use crate::i18n::texts::{common, leads as texts};
use crate::ui::audit::assignee_name;
use crate::ui::filter_editor::Names;
use crate::ui::lead::columns::{Column, column_label};
use crate::ui::lead::reason_rules;
use crate::ui::lead::reason_rules::ReasonChips;
use crate::ui::list::{LeadSelection, RowCheckbox, empty_value};
use crate::ui::{LocalTime, OptionalLocalTime, Phone, StateBadge};

/// A row. `truncated` is true for each column that may cut off its content, starting with the lead column. Such cells
/// show their text on hover.
pub fn row(
    lead: ExtendedLead,
    columns: &[Column],
    names: Signal<Names>,
    selection: Option<LeadSelection>,
    visible_ids: Signal<Vec<LeadId>>,
    truncated: &[bool],
) -> AnyView {
    let (truncated, other_columns) =
        truncated.split_first().map_or((false, truncated), |(lead, other_columns)| (*lead, other_columns));
    let cells: Vec<_> = columns
        .iter()
        .zip(other_columns)
        .map(|(column, truncated)| match column {
            Column::Campaigns => campaigns_cell(lead.clone(), names, *truncated),
            column if column.is_per_campaign() => per_campaign_cell(&lead, column, names, *truncated),
            column => cell(&lead.lead, column, *truncated),
        })
        .collect();
    let lead = lead.lead;
    let (id, name) = (lead.id, lead_name(&lead));
    let select = selection.map(|selection| {
        let label = texts::select(&name);
        view! { <RowCheckbox id label test_id="select-lead" selection visible=visible_ids /> }
    });
    let selected = move || selection.map(|selection| selection.contains(id).to_string());
    let title = truncated.then(|| name.clone());
    view! {
        <tr data-row="" data-test="lead-row" data-id=id.to_string() aria-selected=selected>
            <td class="lead-cell" class:has-checkbox=selection.is_some() class:is-truncated=truncated data-label=common::lead()>
                {select}
                <a class="row-link" data-row-link="" href=format!("/leads/{id}") title=title>
                    {name}
                </a>
                <div class="cell-detail">"#" {id.to_string()}</div>
            </td>
            {cells}
        </tr>
    }
    .into_any()
}

/// Cell of a column that isn't about campaigns.
fn cell(lead: &Lead, column: &Column, is_truncated: bool) -> AnyView {
    let timestamp = match column {
        Column::Field(FieldId::CreatedAt) => Some(lead.created_at),
        Column::Field(FieldId::UpdatedAt) => Some(lead.updated_at),
        Column::Field(FieldId::GlobalUpdatedAt) => Some(lead.global_updated_at),
        _ => None,
    };
    if let Some(at) = timestamp {
        return view! {
            <td data-label=column_label(column) class="secondary" class:is-truncated=is_truncated>
                <LocalTime at relative=true />
            </td>
        }
        .into_any();
    }
    let text = column.own_cell(lead).map(Cow::into_owned);
    let text = match column {
        Column::Number => {
            let note = lead.phone.as_ref().map(texts::phone_entered_as);
            let number = text.map(|number| view! { <Phone number note /> });
            return view! {
                <td data-label=column_label(column) class="nowrap" class:is-truncated=is_truncated>
                    {number.map_or_else(|| "–".into_any(), IntoAny::into_any)}
                </td>
            }
            .into_any();
        }
        Column::Field(id) => text.map(|text| lead_text(*id, text)),
        Column::Custom(name) => lead.custom_fields.get(name).map(custom_text),
        _ => text,
    };
    let title = text.clone().filter(|_| is_truncated);
    view! {
        <td data-label=column_label(column) class="preserve-spaces" class:is-truncated=is_truncated title=title>
            {text.unwrap_or_else(|| "–".to_owned())}
        </td>
    }
    .into_any()
}

fn campaigns_cell(lead: ExtendedLead, names: Signal<Names>, is_truncated: bool) -> AnyView {
    let ExtendedLead { lead, campaigns, not_callable_reasons: reasons } = lead;
    // Reasons that hold in every campaign are shown once: in the only campaign, or separately if there are several.
    let has_several_campaigns = campaigns.len() > 1;
    let shared_reasons = if campaigns.len() == 1 { Vec::new() } else { reasons };
    let without_shared = |mut details: CampaignDetails| {
        details.not_callable_reasons.retain(|reason| shared_reasons.iter().all(|shared| shared.code != reason.code));
        details
    };
    let line = |details| campaign_line(details, lead.timezone.clone(), names);
    let lines = campaigns.into_iter().map(without_shared).map(line).collect_view();
    view! {
        <td data-label=texts::campaigns() class="lead-campaigns" class:is-truncated=is_truncated>
            <div class="campaign-lines">
                {lines}
                {(!shared_reasons.is_empty())
                    .then(|| {
                        view! {
                            <div class="baseline campaign-line">
                                {has_several_campaigns.then(|| view! { <span class="muted small">{texts::in_any_campaign()}</span> })}
                                <ReasonChips reasons=reason_rules::lead_reasons(shared_reasons) />
                            </div>
                        }
                    })}
            </div>
        </td>
    }
    .into_any()
}

/// One campaign of a lead: its status, and the reasons why the lead can't be called there.
fn campaign_line(details: CampaignDetails, timezone: Option<String>, names: Signal<Names>) -> AnyView {
    let calls = match (details.calls_count, details.calls_today) {
        (0, _) => texts::no_calls().to_owned(),
        (count, 0) => common::calls(count.into()),
        (count, today) => texts::calls_and_today(count.into(), datetime::format_count(today.into())),
    };
    let reason_details = details.clone();
    let reasons = Signal::derive(move || reason_rules::campaign_reasons(&reason_details, timezone.as_deref(), names));
    let frozen = details.freeze_until.filter(|until| *until > datetime::now()).map(|until| {
        view! {
            <span class="small" title=datetime::format_exact(until)>
                {texts::frozen_until(datetime::format_local(until))}
            </span>
        }
    });
    view! {
        <div class="baseline campaign-line">
            <div class="row campaign-values">
                <span>{details.campaign_name}</span>
                <StatusBadge name=details.status names />
                <span class="small muted nowrap">{calls}</span>
                {frozen}
            </div>
            {if details.callable {
                callable_badge()
            } else {
                (move || view! { <ReasonChips reasons=reasons.get() /> }).into_any()
            }}
        </div>
    }
    .into_any()
}

/// Cell with one line per campaign. The lines have the same height in all such columns. `is_truncated` is true if the
/// column has a user-defined width, so that content may be cut off.
fn per_campaign_cell(lead: &ExtendedLead, column: &Column, names: Signal<Names>, is_truncated: bool) -> AnyView {
    let ExtendedLead { lead, campaigns, not_callable_reasons } = lead;
    let has_several_campaigns = campaigns.len() > 1 && *column != Column::Field(FieldId::CampaignName);
    let line = |details: &CampaignDetails| {
        // If the lead is in several campaigns, the line names the campaign.
        let campaign_label = has_several_campaigns
            .then(|| view! { <span class="campaign-label">{details.campaign_name.clone()} ":"</span> });
        view! {
            <div class="campaign-value" data-test="campaign-value">
                {campaign_label}
                {field_value(details, column, lead.timezone.clone(), names)}
            </div>
        }
    };
    let lines = match (campaigns.as_slice(), column) {
        ([], Column::Reasons) if !not_callable_reasons.is_empty() => {
            let reasons = reason_rules::lead_reasons(not_callable_reasons.clone());
            view! { <div class="campaign-value" data-test="campaign-value"><ReasonChips reasons /></div> }.into_any()
        }
        ([], _) => "–".into_any(),
        (campaigns, _) => campaigns.iter().map(line).collect_view().into_any(),
    };
    view! {
        <td data-label=column_label(column) class="campaign-values-cell" class:is-truncated=is_truncated>
            <div class="campaign-value-lines">{lines}</div>
        </td>
    }
    .into_any()
}

fn field_value(details: &CampaignDetails, column: &Column, timezone: Option<String>, names: Signal<Names>) -> AnyView {
    match column {
        Column::NextCall if details.callable => callable_badge(),
        Column::NextCall => time_value(details.next_callable_at, true),
        Column::Reasons if details.callable => callable_badge(),
        Column::Reasons => {
            let details = details.clone();
            let reasons = Signal::derive(move || reason_rules::campaign_reasons(&details, timezone.as_deref(), names));
            (move || view! { <ReasonChips reasons=reasons.get() /> }).into_any()
        }
        Column::Field(FieldId::Status) => view! { <StatusBadge name=details.status.clone() names /> }.into_any(),
        Column::Field(FieldId::LastCallStatus) => {
            let status = details.last_call_status.as_deref().and_then(CallStatus::from_name);
            status.map_or_else(empty_value, |status| view! { <StateBadge state=status /> }.into_any())
        }
        Column::Field(FieldId::AssignedUserId) => {
            let name = |id| (move || names.with(|names| assignee_name(id, &names.staff))).into_any();
            details.assigned_user_id.map_or_else(empty_value, name)
        }
        // Callbacks and freezes are shown as absolute times, because users plan by clock time.
        Column::Field(FieldId::CallbackAt) => time_value(details.callback_at, false),
        Column::Field(FieldId::FreezeUntil) => time_value(details.freeze_until, false),
        Column::Field(FieldId::LastCallAt) => time_value(details.last_call_at, true),
        Column::Field(FieldId::CampaignCreatedAt) => time_value(Some(details.created_at), true),
        Column::Field(FieldId::CampaignUpdatedAt) => time_value(Some(details.updated_at), true),
        Column::Field(id) => match campaign_cell(details, *id) {
            Some(cell) if id.field().kind == Kind::Integer => {
                cell.parse().map_or_else(|_| cell.into_owned(), datetime::format_count).into_any()
            }
            cell => cell.map_or_else(empty_value, |cell| cell.into_owned().into_any()),
        },
        _ => empty_value(),
    }
}

fn callable_badge() -> AnyView {
    view! { <span class="chip tone-success callable">{common::callable_now()}</span> }.into_any()
}

fn time_value(at: Option<Timestamp>, relative: bool) -> AnyView {
    view! { <OptionalLocalTime at relative /> }.into_any()
}
