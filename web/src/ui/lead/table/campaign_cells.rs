//! Cells with one line per campaign of a lead. The lines have the same height in all such columns.

use leadscribe_engine::api::{CallStatus, CampaignDetails, ExtendedLead, Timestamp};
use leadscribe_engine::filter::fields::{FieldId, Kind};
use leadscribe_engine::record::campaign_cell;
use leptos::prelude::*;

use super::StatusBadge;
use crate::i18n::datetime;
use crate::i18n::texts::common;
use crate::ui::audit::actor::assignee_name;
use crate::ui::filter_editor::Names;
use crate::ui::lead::columns::{Column, column_label};
use crate::ui::lead::reason_chips::ReasonChips;
use crate::ui::lead::reason_rules;
use crate::ui::list::empty_value;
use crate::ui::{OptionalLocalTime, StateBadge};

/// The cell. `is_truncated` is true if the column has a user-defined width, so that content may be cut off.
pub fn cell(lead: &ExtendedLead, column: &Column, names: Signal<Names>, is_truncated: bool) -> AnyView {
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
        // Future times are absolute, because they are agreed by the clock.
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

pub fn callable_badge() -> AnyView {
    view! { <span class="chip tone-success callable">{common::callable_now()}</span> }.into_any()
}

fn time_value(at: Option<Timestamp>, relative: bool) -> AnyView {
    view! { <OptionalLocalTime at relative /> }.into_any()
}
