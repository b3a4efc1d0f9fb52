//! The checked filter: typed and complete. It is the only form that storage receives.
//!
//! A predicate is a formula over a pair: a lead, and one of its campaign leads or none. A lead matches if one of its pairs satisfies the
//! formula. Without a campaign lead, every test on a campaign-lead or campaign field is false, including null tests; only null tests on the
//! id of the campaign lead or campaign mean "in no campaign". A test on a field without a value is false, except [`Test::IsNull`],
//! [`Test::In`] with null, and [`Test::NotIn`] without null. Tests on a verdict are translated to tests on stored fields before the lookup.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::fields::{FieldId, Owner};
use crate::api::{CustomValue, Timestamp};

/// A formula over a lead and one of its campaign leads.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// All of them match; true if empty.
    All(Vec<Predicate>),
    /// At least one matches; false if empty.
    Any(Vec<Predicate>),
    /// A test on a field.
    Field(FieldRef, Test),
    /// A verdict condition, as a predicate on stored fields. Only
    /// [`resolve`](crate::callable::condition::Rules::resolve) creates it. Equal conditions of a filter share one
    /// instance.
    Verdict(Arc<Predicate>),
}

/// The field of a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldRef {
    /// A built-in field.
    Builtin(FieldId),
    /// The custom field of this name.
    Custom(String),
}

impl FieldRef {
    /// Returns the owner of the field.
    pub fn owner(&self) -> Owner {
        match self {
            Self::Builtin(id) => id.field().owner,
            Self::Custom(_) => Owner::Lead,
        }
    }
}

/// A value of a field. For a built-in field, the variant of its kind; for a custom field, any variant except `Time`.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Value of an integer field.
    Integer(i64),
    /// Value of a number field; finite. A custom field's number equals an integer of the same value.
    Number(f64),
    /// Value of a text field.
    Text(String),
    /// Value of a boolean field.
    Boolean(bool),
    /// Value of a date-time or date field.
    Time(Timestamp),
}

/// A comparison of two values. Texts are compared by their UTF-8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Less than.
    Less,
    /// Less than or equal.
    LessOrEqual,
    /// Greater than.
    Greater,
    /// Greater than or equal.
    GreaterOrEqual,
}

impl Comparison {
    /// Returns the negated comparison, for two comparable values.
    pub const fn negated(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }
}

/// Position of a text within another. Only the letters A to Z are case-insensitive, so that every database returns the same rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextMatch {
    /// Anywhere.
    Contains,
    /// At the start.
    StartsWith,
    /// At the end.
    EndsWith,
}

/// A test on a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// The value is one of `values`. With `includes_null`, a missing value matches too. With neither, the test is false.
    In {
        /// The permitted values.
        values: Vec<Value>,
        /// True if a missing value matches.
        includes_null: bool,
    },
    /// The exact opposite of [`Test::In`]: without `includes_null`, a missing value matches.
    NotIn {
        /// The excluded values.
        values: Vec<Value>,
        /// True if a missing value is excluded.
        includes_null: bool,
    },
    /// The value compares in this way to the given one. For custom fields, numbers are only compared with numbers and texts with texts.
    Compare(Comparison, Value),
    /// The value contains the text at this position. For custom fields, only texts match.
    Text(TextMatch, String),
    /// The field has no value (`true`) or has one (`false`).
    IsNull(bool),
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
    pub(super) fn from_custom(value: &'a CustomValue) -> Self {
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
    const TWO_POW_63: f64 = 9_223_372_036_854_775_808.0; // 2^63, the first double above all 64-bit integers
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

/// Returns true if the text contains, starts with or ends with `needle`. Compares bytes, because only A to Z are case-insensitive.
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

/// The requested page of the matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Maximum number of leads; 0 returns only the total.
    pub count: u32,
    /// Number of leads to skip.
    pub offset: u64,
}

impl Default for Limit {
    fn default() -> Self {
        Self { count: 200, offset: 0 }
    }
}

/// A sort key. Leads without a value come last in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderKey {
    /// A field of the lead.
    pub field: FieldId,
    /// True for descending order.
    pub descending: bool,
}

/// Start of a page with a cursor.
#[derive(Clone, Debug, PartialEq)]
pub enum Cursor {
    /// The first lead.
    Start,
    /// After the lead with these values, one per field of the order, with the id last.
    After(Vec<Option<Value>>),
}

/// The campaign leads that are returned with a matching lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CampaignSelection {
    /// Campaign leads that satisfy the formula together with the lead.
    #[default]
    Matching,
    /// All campaign leads.
    All,
}

/// A checked filter. User input becomes one in [`super::check`]; the server also builds some itself.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedFilter {
    /// Condition that selects the leads.
    pub predicate: Predicate,
    /// Requested page.
    pub limit: Limit,
    /// Sort order. Never empty; always ends with the id, so that it is total.
    pub order: Vec<OrderKey>,
    /// Start of the page, for paging by cursor.
    pub cursor: Option<Cursor>,
    /// Members of a lead to return, always including `id`; `None` returns all.
    pub fields: Option<BTreeSet<String>>,
    /// Campaign leads to return.
    pub campaigns: CampaignSelection,
}

impl Predicate {
    /// Returns true for a test that means "in no campaign". Every campaign lead has an id and a campaign id.
    pub(super) fn is_no_campaign_test(&self) -> bool {
        let Self::Field(FieldRef::Builtin(FieldId::CampaignId | FieldId::CampaignLeadId), test) = self else {
            return false;
        };
        matches!(test, Test::IsNull(true) | Test::In { includes_null: true, .. })
    }

    /// Returns true if it has a test on a verdict, so it must be [resolved](crate::callable::condition::Rules::resolve).
    pub fn has_verdict_condition(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::has_verdict_condition),
            Self::Verdict(_) => false,
            Self::Field(field, _) => field.owner() == Owner::Verdict,
        }
    }

    /// Returns true if it has a test on a campaign lead or its campaign.
    pub fn needs_campaign_lead(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::needs_campaign_lead),
            Self::Verdict(condition) => condition.needs_campaign_lead(),
            Self::Field(field, _) => field.owner() != Owner::Lead,
        }
    }
}
