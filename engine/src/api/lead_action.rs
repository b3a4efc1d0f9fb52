//! Bulk actions on leads: the values to write, the outcome, and the outcome of the undo.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{CampaignId, LeadActionId, LeadId, UserId, deserialize_present};

/// The values that an action sets. Absent fields aren't changed; null removes a value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadValues {
    /// True if the leads must not be called in any campaign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = bool, required = false))]
    pub do_not_call: Option<bool>,
    /// The campaign that the leads are added to. Their new campaign leads get the other values. Leads that are already in the campaign
    /// aren't changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = CampaignId, required = false))]
    pub campaign_id: Option<CampaignId>,
    /// The status of their campaign leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub status: Option<String>,
    /// The weight of their campaign leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = i64, required = false))]
    pub weight: Option<i64>,
    /// The user that their campaign leads are assigned to.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<UserId>, required = false))]
    pub assigned_user_id: Option<Option<UserId>>,
    /// The time until which their campaign leads are frozen.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime<Utc>>, required = false))]
    pub freeze_until: Option<Option<DateTime<Utc>>>,
}

/// A completed action on leads that can still be undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadActionEntry {
    /// Id of the action, used to undo it.
    pub id: LeadActionId,
    /// Time of the action.
    pub performed_at: DateTime<Utc>,
    /// Actor, as in the audit log.
    pub actor: String,
    /// The values that the action wrote.
    pub set: LeadValues,
    /// Number of changed leads. A lead counts if it or any of its campaign leads changed.
    pub leads: u64,
    /// Number of campaign leads changed or created.
    pub campaign_leads: u64,
    /// Time of the undo.
    pub undone_at: Option<DateTime<Utc>>,
}

/// The changes of an action on leads. In a dry run: the changes that it would make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadActionOutcome {
    /// Id of the action, used to undo it; null if nothing was changed, as in a dry run.
    pub id: Option<LeadActionId>,
    /// The selected leads. A lead counts as changed if it or any of its campaign leads changed.
    pub leads: ChangeCounts,
    /// The selected campaign leads; null if the action only sets fields of the lead itself. For leads added to a campaign: the campaign
    /// leads created, and those that already existed.
    pub campaign_leads: ChangeCounts,
    /// Number of given ids that don't exist.
    pub missing: u64,
    /// The last lead of this batch if more leads follow. Pass it as `after_id` to continue.
    pub next_after_id: Option<LeadId>,
    /// In a dry run, the effect on which leads can be called; null after a real action.
    pub callable: Option<CallableChange>,
}

/// The effect of an action on which leads can be called. Each lead counts once, regardless of the number of campaigns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallableChange {
    /// Leads that can't be called now but could be afterwards, including in the campaign that they are added to.
    pub gained: u64,
    /// Leads that can be called now but couldn't be afterwards.
    pub lost: u64,
    /// Leads that become callable, now or later, only through the action: for example leads with a status that isn't dialable, or leads
    /// marked as not to be called.
    pub unblocked: u64,
}

/// Number of records that an action changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangeCounts {
    /// Number of records changed.
    pub changed: u64,
    /// Number of records that already had these values.
    pub unchanged: u64,
}

/// Outcome of undoing an action on leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadActionUndo {
    /// The action.
    pub id: LeadActionId,
    /// Leads that the action had changed, by outcome for the lead or any of its campaign leads.
    pub leads: UndoCounts,
    /// The campaign leads that it had changed.
    pub campaign_leads: UndoCounts,
}

/// Number of records that the undo restored or skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UndoCounts {
    /// Records whose previous values were restored, and created records that were deleted.
    pub restored: u64,
    /// Records left unchanged, because they were changed or deleted later, or because a record that the action created was called.
    pub skipped: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_null_from_absent_values() {
        let cases = [
            (LeadValues::default(), "{}"),
            (
                LeadValues { weight: Some(-5), assigned_user_id: Some(Some(UserId(4))), ..LeadValues::default() },
                r#"{"weight":-5,"assigned_user_id":4}"#,
            ),
            (
                LeadValues { assigned_user_id: Some(None), freeze_until: Some(None), ..LeadValues::default() },
                r#"{"assigned_user_id":null,"freeze_until":null}"#,
            ),
            (
                LeadValues { campaign_id: Some(CampaignId(3)), weight: Some(5), ..LeadValues::default() },
                r#"{"campaign_id":3,"weight":5}"#,
            ),
        ];
        for (values, text) in cases {
            assert_eq!(serde_json::to_string(&values).unwrap(), text);
            assert_eq!(serde_json::from_str::<LeadValues>(text).unwrap(), values);
        }
    }
}
