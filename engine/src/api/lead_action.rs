//! Actions on many leads at once: what one writes, what came of it, and of undoing it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize};

use super::{CampaignId, LeadActionId, LeadId, UserId};

/// What leads are to become, or became: only what is set is there. Null is a value that is taken away.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadValues {
    /// Whether the leads may not be called, in any campaign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = bool, required = false))]
    pub do_not_call: Option<bool>,
    /// The campaign that the leads are put into where they aren't in it yet. The other values are then those that they begin with
    /// in it; what is in a campaign already stays as it is.
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
    /// Whom their campaign leads are assigned to.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<UserId>, required = false))]
    pub assigned_user_id: Option<Option<UserId>>,
    /// Until when their campaign leads are frozen.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime<Utc>>, required = false))]
    pub freeze_until: Option<Option<DateTime<Utc>>>,
}

/// A member that is there, be it null.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// An action on leads that was carried out, as long as it can be undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadActionEntry {
    /// Its id, by which it is undone.
    pub id: LeadActionId,
    /// When it was carried out.
    pub at: DateTime<Utc>,
    /// Who did that, as the audit log names them.
    pub actor: String,
    /// What it wrote.
    pub set: LeadValues,
    /// How many leads it changed. One counts when itself or any of its campaign leads was.
    pub leads: u64,
    /// How many campaign leads it changed, or made.
    pub campaign_leads: u64,
    /// When it was undone.
    pub undone_at: Option<DateTime<Utc>>,
}

/// What an action on leads changed, or in a dry run would change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadActionOutcome {
    /// The action, by which it is undone; none when nothing was changed, as in a dry run.
    pub id: Option<LeadActionId>,
    /// The leads that it is about. One counts as changed when itself or any of its campaign leads is.
    pub leads: ChangeCounts,
    /// Those of their campaign leads that it is about; none where it sets only what is the lead's own. Of leads that are put into
    /// a campaign: those that are made, and those that are in it already.
    pub campaign_leads: ChangeCounts,
    /// Ids that were given, of which there is no lead.
    pub missing: u64,
    /// The last lead of a part (`at_most`) that leads follow: the next part begins `after` it.
    pub next: Option<LeadId>,
    /// In a dry run, what it would do to which leads can be called; none once it is carried out.
    pub callable: Option<CallableChange>,
}

/// What an action would do to which leads can be called. A lead counts once, in whichever of its campaigns that is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallableChange {
    /// Leads that can't be called now, and could be then; in a campaign that they are put into as well.
    pub gained: u64,
    /// Leads that can be called now, and couldn't be then.
    pub lost: u64,
    /// Leads that aren't called however long one waits, and would be, at once or later: their status takes no calls now, or they
    /// are marked as not to be called.
    pub released: u64,
}

/// How many of the things that an action is about it changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangeCounts {
    /// Those that became another.
    pub changed: u64,
    /// Those that were so already.
    pub unchanged: u64,
}

/// What came of undoing an action on leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadActionUndo {
    /// The action.
    pub id: LeadActionId,
    /// The leads that it had changed, by what became of them or of any of their campaign leads.
    pub leads: UndoCounts,
    /// The campaign leads that it had changed.
    pub campaign_leads: UndoCounts,
}

/// How many of the things that an action changed are again as they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UndoCounts {
    /// Those that got back what they had, or are gone again where the action made them.
    pub restored: u64,
    /// Those that were left alone, because somebody changed or deleted them meanwhile, or called what the action made.
    pub left: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_taken_away_are_told_from_those_left_alone() {
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
