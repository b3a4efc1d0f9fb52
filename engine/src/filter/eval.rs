//! Evaluates predicates on leads. The SQL of every storage adapter must agree with it.

use chrono::NaiveDate;

use super::fields::{FieldId, Owner};
use super::predicate::{CheckedFilter, FieldRef, FieldValueRef, Predicate};
use crate::api::{CampaignLead, ImportId, Lead, LeadId, Timestamp};
use crate::lead_members;
use crate::time::start_of_day;

/// A lead with all its campaign leads and the names of their campaigns.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The lead.
    pub lead: &'a Lead,
    /// Its campaign leads.
    pub campaign_leads: &'a [(CampaignLead, String)],
}

impl CheckedFilter {
    /// Returns true if the lead matches the filter, ignoring page and order.
    pub fn matches(&self, row: &Row<'_>, now: Timestamp) -> bool {
        matches(&self.predicate, row, now)
    }
}

/// Returns true if the predicate matches the lead together with at least one of its campaign leads, or without one if it has none.
pub fn matches(predicate: &Predicate, row: &Row<'_>, now: Timestamp) -> bool {
    // Except for "in no campaign", a predicate that matches without a campaign lead also matches with one. So the case
    // without a campaign lead is only evaluated for leads that have none.
    match row.campaign_leads {
        [] => matches_pair(predicate, row.lead, None, now),
        pairs => pairs
            .iter()
            .any(|(campaign_lead, name)| matches_pair(predicate, row.lead, Some((campaign_lead, name)), now)),
    }
}

/// Returns true if the predicate matches one pair: the lead, and one of its campaign leads with the campaign's name.
///
/// `now` determines the day of `calls_today`. A test on a verdict is false, because a single pair doesn't determine it.
/// [`crate::callable::condition::Rules::resolve`] replaces such tests first.
pub fn matches_pair(predicate: &Predicate, lead: &Lead, pair: Option<(&CampaignLead, &str)>, now: Timestamp) -> bool {
    match predicate {
        Predicate::All(parts) => parts.iter().all(|part| matches_pair(part, lead, pair, now)),
        Predicate::Any(parts) => parts.iter().any(|part| matches_pair(part, lead, pair, now)),
        Predicate::Verdict(condition) => matches_pair(condition, lead, pair, now),
        Predicate::Field(FieldRef::Custom(name), test) => {
            test.passes(lead.custom_fields.get(name).map(FieldValueRef::from_custom))
        }
        Predicate::Field(FieldRef::Builtin(id), test) => match (id.field().owner, pair) {
            (Owner::Lead, _) => test.passes(lead_value(*id, lead)),
            (Owner::Verdict, _) => false,
            (_, Some((campaign_lead, name))) => test.passes(campaign_value(*id, campaign_lead, name, now)),
            (_, None) => predicate.is_no_campaign_test(),
        },
    }
}

/// Conversion of a lead's member to the value of a field.
trait MemberValue {
    fn value(&self) -> Option<FieldValueRef<'_>>;
}

impl<T: MemberValue> MemberValue for Option<T> {
    fn value(&self) -> Option<FieldValueRef<'_>> {
        self.as_ref().and_then(T::value)
    }
}

macro_rules! member_values {
    ($($type:ty: $value:ident => $field_value:expr;)+) => {$(
        impl MemberValue for $type {
            fn value(&self) -> Option<FieldValueRef<'_>> {
                let $value = self;
                Some($field_value)
            }
        }
    )+};
}

member_values! {
    LeadId: id => FieldValueRef::Integer(id.0);
    ImportId: id => FieldValueRef::Integer(id.0);
    f64: number => FieldValueRef::Number(*number);
    String: text => FieldValueRef::Text(text);
    bool: flag => FieldValueRef::Boolean(*flag);
    Timestamp: time => FieldValueRef::Time(*time);
    NaiveDate: date => FieldValueRef::Time(start_of_day(*date));
}

macro_rules! lead_value {
    ($($(#[$attribute:meta])* $member:ident: $type:ty [$($id:ident, $($about:tt)+)?];)+) => {
        /// Returns the value of a lead's own field; `None` if the lead has no value, and for fields of campaign leads and campaigns.
        pub fn lead_value(id: FieldId, lead: &Lead) -> Option<FieldValueRef<'_>> {
            match id {
                $($(FieldId::$id => lead.$member.value(),)?)+
                _ => None,
            }
        }
    };
}
lead_members!(lead_value);

/// Returns the value of a field of a campaign lead or its campaign.
fn campaign_value<'a>(
    id: FieldId,
    campaign_lead: &'a CampaignLead,
    name: &'a str,
    now: Timestamp,
) -> Option<FieldValueRef<'a>> {
    match id {
        FieldId::CampaignLeadId => Some(FieldValueRef::Integer(campaign_lead.id.0)),
        FieldId::CampaignLeadLeadId => Some(FieldValueRef::Integer(campaign_lead.lead_id.0)),
        FieldId::CampaignId => Some(FieldValueRef::Integer(campaign_lead.campaign_id.0)),
        FieldId::CampaignName => Some(FieldValueRef::Text(name)),
        FieldId::Status => Some(FieldValueRef::Text(&campaign_lead.status)),
        FieldId::Weight => Some(FieldValueRef::Integer(campaign_lead.weight)),
        FieldId::CallsCount => Some(FieldValueRef::Integer(campaign_lead.calls_count.into())),
        FieldId::CallsToday => Some(FieldValueRef::Integer(calls_today(campaign_lead, now).into())),
        FieldId::LastCallAt => campaign_lead.last_call_at.map(FieldValueRef::Time),
        FieldId::LastCallStatus => campaign_lead.last_call_status.as_deref().map(FieldValueRef::Text),
        FieldId::FreezeUntil => campaign_lead.freeze_until.map(FieldValueRef::Time),
        FieldId::CallbackAt => campaign_lead.callback_at.map(FieldValueRef::Time),
        FieldId::AssignedUserId => campaign_lead.assigned_user_id.map(|user| FieldValueRef::Integer(user.0)),
        FieldId::CampaignCreatedAt => Some(FieldValueRef::Time(campaign_lead.created_at)),
        FieldId::CampaignUpdatedAt => Some(FieldValueRef::Time(campaign_lead.updated_at)),
        _ => None,
    }
}

/// Returns the number of calls on the UTC day of `now`. The stored count refers to the day of the last call, so any other day counts as 0.
pub fn calls_today(campaign_lead: &CampaignLead, now: Timestamp) -> u32 {
    match campaign_lead.last_call_at {
        Some(last) if last.date_naive() == now.date_naive() => campaign_lead.calls_today,
        _ => 0,
    }
}
