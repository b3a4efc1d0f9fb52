//! The checked filter: typed, complete, and all that storage ever sees.
//!
//! Meaning. A predicate is a formula over a pair: a lead, and one of its campaign leads or none. A lead matches when
//! some pair with it satisfies the formula. With no campaign lead every test on a campaign-lead or campaign field is
//! false, the null tests included. A test on a field without a value is false, except [`Test::IsNull`] and the negated
//! tests [`Test::NotIn`], which hold. Tests on a verdict are said of other fields before anything is looked up.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::fields::{FieldId, Owner};
use crate::api::Timestamp;

/// A formula over a lead and one of its campaign leads.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// All of them hold; of none, true.
    All(Vec<Predicate>),
    /// At least one holds; of none, false.
    Any(Vec<Predicate>),
    /// One condition on one field.
    Field(FieldRef, Test),
    /// A verdict condition, as a predicate on stored fields. Only [`resolve`](crate::callable::condition::Rules::resolve) creates it;
    /// equal conditions of a filter share one.
    Verdict(Arc<Predicate>),
}

/// A field a test is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldRef {
    /// A field of the table.
    Known(FieldId),
    /// The custom field of this name.
    Custom(String),
}

impl FieldRef {
    /// Whose property it is.
    pub fn owner(&self) -> Owner {
        match self {
            Self::Known(id) => id.field().owner,
            Self::Custom(_) => Owner::Lead,
        }
    }
}

/// A value of a field. Of a field of the table, always the variant of its kind; of a custom field, any but `Time`.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of an integer field.
    Integer(i64),
    /// Of a number field; finite. A custom field's number equals an integer of the same value.
    Number(f64),
    /// Of a text field.
    Text(String),
    /// Of a boolean field.
    Boolean(bool),
    /// Of a date-time or date field.
    Time(Timestamp),
}

/// How two values are compared. Texts compare by their UTF-8 bytes.
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
    /// The comparison that holds exactly where this one doesn't, of two values that can be compared.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }
}

/// Where a text must stand in another. The letters A to Z are compared without case, all else exactly, so that every
/// database gives the same rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextMatch {
    /// Anywhere.
    Contains,
    /// At the start.
    StartsWith,
    /// At the end.
    EndsWith,
}

/// One condition on a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// The value is one of these; with `null`, having none counts too. Of no values and no null, false.
    In {
        /// The permitted values.
        values: Vec<Value>,
        /// Whether no value is permitted.
        null: bool,
    },
    /// The exact opposite of [`Test::In`]: without `null`, having no value satisfies it.
    NotIn {
        /// The excluded values.
        values: Vec<Value>,
        /// Whether no value is excluded.
        null: bool,
    },
    /// The value stands so to this one. For custom fields numbers are compared with numbers and texts with texts.
    Compare(Comparison, Value),
    /// The text stands in the value. For custom fields, only in texts.
    Text(TextMatch, String),
    /// There is no value (`true`) or there is one (`false`).
    IsNull(bool),
}

/// Which part of the matches is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// At most so many leads; 0 for the total alone.
    pub count: u32,
    /// After passing over so many.
    pub offset: u64,
}

impl Default for Limit {
    fn default() -> Self {
        Self { count: 200, offset: 0 }
    }
}

/// One key of the order. Leads without a value come last, in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderKey {
    /// A field of the lead.
    pub field: FieldId,
    /// From the largest to the smallest.
    pub descending: bool,
}

/// Where a page by cursor starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Cursor {
    /// At the first lead.
    Start,
    /// After the lead with these values of the order's fields (one each, the id last).
    After(Vec<Option<Value>>),
}

/// Which of a matching lead's campaign leads are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CampaignsShown {
    /// Those that satisfy the formula together with the lead.
    #[default]
    Matching,
    /// All.
    All,
}

/// A checked filter. Only [`super::check`] makes one.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedFilter {
    /// Which leads match.
    pub predicate: Predicate,
    /// Which part of them is answered.
    pub limit: Limit,
    /// In what order; never empty, and always ends with the id, so that it is total.
    pub order: Vec<OrderKey>,
    /// Where to start, when paging by cursor.
    pub cursor: Option<Cursor>,
    /// The members of a lead that are answered, `id` always among them; none means all.
    pub fields: Option<BTreeSet<String>>,
    /// Which campaign leads are answered.
    pub campaigns: CampaignsShown,
}

impl Predicate {
    /// Whether it is a test that says: in no campaign. In a campaign nothing is without the campaign's id, nor without its own.
    pub(super) fn says_no_campaign(&self) -> bool {
        let Self::Field(FieldRef::Known(FieldId::CampaignId | FieldId::CampaignLeadId), test) = self else {
            return false;
        };
        matches!(test, Test::IsNull(true) | Test::In { null: true, .. })
    }

    /// Whether any test in it is about a verdict, and so has to be [resolved](crate::callable::condition::Rules::resolve).
    pub fn asks_for_verdict(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::asks_for_verdict),
            Self::Verdict(_) => false,
            Self::Field(field, _) => field.owner() == Owner::Verdict,
        }
    }

    /// Whether any test in it is about a campaign lead or its campaign.
    pub fn needs_campaign_lead(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::needs_campaign_lead),
            Self::Verdict(stored) => stored.needs_campaign_lead(),
            Self::Field(field, _) => field.owner() != Owner::Lead,
        }
    }
}
