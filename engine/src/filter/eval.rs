//! Evaluates predicates on leads. The SQL of every storage adapter must agree with it.

use std::cmp::Ordering;

use super::fields::{FieldId, Owner};
use super::predicate::{CheckedFilter, Comparison, FieldRef, Predicate, Test, TextMatch, Value};
use crate::api::{CampaignLead, CustomValue, Lead, Timestamp};
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
    // Without a campaign lead, the same or fewer tests match, except a test for "in no campaign". So that case is only evaluated for leads
    // without campaign leads.
    match row.campaign_leads {
        [] => holds(predicate, row.lead, None, now),
        pairs => pairs.iter().any(|(campaign_lead, name)| holds(predicate, row.lead, Some((campaign_lead, name)), now)),
    }
}

/// Returns true if the predicate matches one pair: the lead, and one of its campaign leads with the campaign's name.
///
/// `now` determines the day of `calls_today`. A test on a verdict is false, because a single pair doesn't determine it.
/// [`crate::callable::condition::Rules::resolve`] replaces such tests first.
pub fn holds(predicate: &Predicate, lead: &Lead, pair: Option<(&CampaignLead, &str)>, now: Timestamp) -> bool {
    match predicate {
        Predicate::All(parts) => parts.iter().all(|part| holds(part, lead, pair, now)),
        Predicate::Any(parts) => parts.iter().any(|part| holds(part, lead, pair, now)),
        Predicate::Verdict(condition) => holds(condition, lead, pair, now),
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

/// A borrowed value of a field of a lead or campaign lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldValueRef<'a> {
    /// An id or a count.
    Integer(i64),
    /// An amount or a coordinate.
    Number(f64),
    /// A text or a status.
    Text(&'a str),
    /// A flag.
    Boolean(bool),
    /// A timestamp; a date is its midnight in UTC.
    Time(Timestamp),
}

impl<'a> FieldValueRef<'a> {
    fn from_custom(value: &'a CustomValue) -> Self {
        match value {
            CustomValue::Bool(value) => Self::Boolean(*value),
            CustomValue::Integer(value) => Self::Integer(*value),
            CustomValue::Number(value) => Self::Number(*value),
            CustomValue::Text(text) => Self::Text(text),
        }
    }

    fn from_value(value: &'a Value) -> Self {
        match value {
            Value::Integer(value) => Self::Integer(*value),
            Value::Number(value) => Self::Number(*value),
            Value::Text(text) => Self::Text(text),
            Value::Boolean(value) => Self::Boolean(*value),
            Value::Time(time) => Self::Time(*time),
        }
    }

    /// Converts to an owned value.
    pub fn to_value(self) -> Value {
        match self {
            Self::Integer(value) => Value::Integer(value),
            Self::Number(value) => Value::Number(value),
            Self::Text(text) => Value::Text(text.to_owned()),
            Self::Boolean(value) => Value::Boolean(value),
            Self::Time(time) => Value::Time(time),
        }
    }

    /// Compares two values; `None` if their types differ.
    fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(&b)),
            (Self::Number(a), Self::Number(b)) => a.partial_cmp(&b),
            (Self::Integer(a), Self::Number(b)) => compare_mixed(a, b),
            (Self::Number(a), Self::Integer(b)) => compare_mixed(b, a).map(Ordering::reverse),
            (Self::Text(a), Self::Text(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
            (Self::Boolean(a), Self::Boolean(b)) => Some(a.cmp(&b)),
            (Self::Time(a), Self::Time(b)) => Some(a.cmp(&b)),
            _ => None,
        }
    }

    fn equals(self, other: Self) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }
}

/// Compares an integer with a double exactly. A conversion of either would round.
fn compare_mixed(integer: i64, number: f64) -> Option<Ordering> {
    const TWO_POW_63: f64 = 9_223_372_036_854_775_808.0; // 2^63, the first double above all integers
    if number.is_nan() {
        None
    } else if number >= TWO_POW_63 {
        Some(Ordering::Less)
    } else if number < -TWO_POW_63 {
        Some(Ordering::Greater)
    } else {
        let fraction = number.fract();
        let ordering = integer.cmp(&(number.trunc() as i64));
        Some(ordering.then(0.0_f64.partial_cmp(&fraction).unwrap_or(Ordering::Equal)))
    }
}

impl Test {
    /// Returns true if a value, or the absence of one, passes the test.
    pub fn passes(&self, value: Option<FieldValueRef<'_>>) -> bool {
        match (self, value) {
            (Test::In { includes_null, .. }, None) => *includes_null,
            (Test::NotIn { includes_null, .. }, None) => !*includes_null,
            (Test::In { values, .. }, Some(value)) => {
                values.iter().any(|other| value.equals(FieldValueRef::from_value(other)))
            }
            (Test::NotIn { values, .. }, Some(value)) => {
                !values.iter().any(|other| value.equals(FieldValueRef::from_value(other)))
            }
            (Test::IsNull(null), value) => *null == value.is_none(),
            (Test::Compare(..) | Test::Text(..), None) => false,
            (Test::Compare(comparison, bound), Some(value)) => match value.compare(FieldValueRef::from_value(bound)) {
                None => false,
                Some(order) => match comparison {
                    Comparison::Less => order == Ordering::Less,
                    Comparison::LessOrEqual => order != Ordering::Greater,
                    Comparison::Greater => order == Ordering::Greater,
                    Comparison::GreaterOrEqual => order != Ordering::Less,
                },
            },
            (Test::Text(text_match, needle), Some(FieldValueRef::Text(text))) => {
                matches_text(*text_match, needle.as_bytes(), text.as_bytes())
            }
            (Test::Text(..), Some(_)) => false,
        }
    }
}

/// Bytes are compared one by one, because only A to Z are case-insensitive.
fn matches_text(text_match: TextMatch, needle: &[u8], text: &[u8]) -> bool {
    if needle.len() > text.len() {
        return false;
    }
    match text_match {
        TextMatch::StartsWith => text[..needle.len()].eq_ignore_ascii_case(needle),
        TextMatch::EndsWith => text[text.len() - needle.len()..].eq_ignore_ascii_case(needle),
        TextMatch::Contains => {
            needle.is_empty() || text.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle))
        }
    }
}

fn text_value(text: &Option<String>) -> Option<FieldValueRef<'_>> {
    text.as_deref().map(FieldValueRef::Text)
}

/// Returns the value of a lead's own field; `None` if the lead has no value, and for fields of campaign leads and campaigns.
pub fn lead_value(id: FieldId, lead: &Lead) -> Option<FieldValueRef<'_>> {
    match id {
        FieldId::Id => Some(FieldValueRef::Integer(lead.id.0)),
        FieldId::FirstName => text_value(&lead.first_name),
        FieldId::LastName => text_value(&lead.last_name),
        FieldId::Phone => text_value(&lead.phone),
        FieldId::Phone2 => text_value(&lead.phone2),
        FieldId::PhoneNormalized => text_value(&lead.phone_normalized),
        FieldId::PhoneNormalized2 => text_value(&lead.phone_normalized2),
        FieldId::Email => text_value(&lead.email),
        FieldId::Address1 => text_value(&lead.address1),
        FieldId::Address2 => text_value(&lead.address2),
        FieldId::City => text_value(&lead.city),
        FieldId::State => text_value(&lead.state),
        FieldId::Zip => text_value(&lead.zip),
        FieldId::Country => text_value(&lead.country),
        FieldId::Timezone => text_value(&lead.timezone),
        FieldId::Lat => lead.lat.map(FieldValueRef::Number),
        FieldId::Lng => lead.lng.map(FieldValueRef::Number),
        FieldId::OriginalIdentifier => text_value(&lead.original_identifier),
        FieldId::SupportSite => text_value(&lead.support_site),
        FieldId::PurchaseSite => text_value(&lead.purchase_site),
        FieldId::PurchaseDate => lead.purchase_date.map(start_of_day).map(FieldValueRef::Time),
        FieldId::PurchaseAmount => lead.purchase_amount.map(FieldValueRef::Number),
        FieldId::PurchaseProductName => text_value(&lead.purchase_product_name),
        FieldId::Birthdate => lead.birthdate.map(start_of_day).map(FieldValueRef::Time),
        FieldId::DoNotCall => Some(FieldValueRef::Boolean(lead.do_not_call)),
        FieldId::Blacklisted => Some(FieldValueRef::Boolean(lead.blacklisted)),
        FieldId::ImportId => lead.import_id.map(|import| FieldValueRef::Integer(import.0)),
        FieldId::CreatedAt => Some(FieldValueRef::Time(lead.created_at)),
        FieldId::UpdatedAt => Some(FieldValueRef::Time(lead.updated_at)),
        FieldId::GlobalUpdatedAt => Some(FieldValueRef::Time(lead.global_updated_at)),
        FieldId::CampaignLeadId
        | FieldId::CampaignLeadLeadId
        | FieldId::CampaignId
        | FieldId::CampaignName
        | FieldId::Status
        | FieldId::Weight
        | FieldId::CallsCount
        | FieldId::CallsToday
        | FieldId::LastCallAt
        | FieldId::LastCallStatus
        | FieldId::FreezeUntil
        | FieldId::CallbackAt
        | FieldId::AssignedUserId
        | FieldId::CampaignCreatedAt
        | FieldId::CampaignUpdatedAt
        | FieldId::Callable
        | FieldId::NotCallableReason => None,
    }
}

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
