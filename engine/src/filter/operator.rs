//! The operators, and which kinds of field take them.

use super::fields::Kind;
use super::predicate::{Comparison, TextMatch};
use crate::api::named_enum;

named_enum! {
    /// An operator, as it stands in an object of operators: `{"calls_count":{"gte":2}}`.
    Operator {
        /// The value is this, or any of these.
        Eq = "eq",
        /// The value is not this, or none of these.
        Not = "not",
        /// The value is any of these.
        In = "in",
        /// The value is greater than this.
        Gt = "gt",
        /// The value is greater than or equal to this.
        Gte = "gte",
        /// The value is less than this.
        Lt = "lt",
        /// The value is less than or equal to this.
        Lte = "lte",
        /// The text stands somewhere in the value.
        Contains = "contains",
        /// The value starts with the text.
        StartsWith = "starts_with",
        /// The value ends with the text.
        EndsWith = "ends_with",
        /// There is no value (`true`), or there is one (`false`).
        Null = "null",
    }
}

/// How many values an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one.
    One,
    /// One, or an array of them.
    OneOrMore,
    /// An array.
    Many,
    /// `true` or `false`, whatever the field's kind.
    Truth,
}

/// Operators that every kind takes.
const EQUALITY: &[Operator] = &[Operator::Eq, Operator::Not, Operator::In, Operator::Null];

/// Operators of kinds that have an order.
const ORDERED: &[Operator] = &[
    Operator::Eq,
    Operator::Not,
    Operator::In,
    Operator::Gt,
    Operator::Gte,
    Operator::Lt,
    Operator::Lte,
    Operator::Null,
];

/// The operators that fields of this kind take, in the order in which they are offered.
pub fn operators_for(kind: Kind) -> &'static [Operator] {
    match kind {
        Kind::Boolean => EQUALITY,
        Kind::Integer | Kind::Number | Kind::DateTime | Kind::Date => ORDERED,
        Kind::Text | Kind::Custom => Operator::ALL,
    }
}

impl Operator {
    /// How many values it takes.
    pub const fn arity(self) -> Arity {
        match self {
            Self::Eq | Self::Not => Arity::OneOrMore,
            Self::In => Arity::Many,
            Self::Null => Arity::Truth,
            _ => Arity::One,
        }
    }

    /// What staff read between the field and the value.
    pub const fn label(self, kind: Kind) -> &'static str {
        let moment = matches!(kind, Kind::DateTime | Kind::Date);
        match self {
            Self::Eq => "is",
            Self::Not => "is not",
            Self::In => "is any of",
            Self::Gt if moment => "is after",
            Self::Gte if moment => "is at or after",
            Self::Lt if moment => "is before",
            Self::Lte if moment => "is at or before",
            Self::Gt => "is greater than",
            Self::Gte => "is at least",
            Self::Lt => "is less than",
            Self::Lte => "is at most",
            Self::Contains => "contains",
            Self::StartsWith => "starts with",
            Self::EndsWith => "ends with",
            Self::Null => "has no value",
        }
    }

    /// How it stands in an expression, `"<value>;<operator>"`, if it can.
    pub const fn symbol(self) -> Option<&'static str> {
        match self {
            Self::Eq => Some("="),
            Self::Not => Some("!="),
            Self::Gt => Some(">"),
            Self::Gte => Some(">="),
            Self::Lt => Some("<"),
            Self::Lte => Some("<="),
            _ => None,
        }
    }

    /// The operator that stands so in an expression.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|operator| operator.symbol() == Some(symbol))
    }

    /// How it compares, if it does.
    pub(super) const fn comparison(self) -> Option<Comparison> {
        match self {
            Self::Gt => Some(Comparison::Greater),
            Self::Gte => Some(Comparison::GreaterOrEqual),
            Self::Lt => Some(Comparison::Less),
            Self::Lte => Some(Comparison::LessOrEqual),
            _ => None,
        }
    }

    /// Where it looks in a text, if it does.
    pub(super) const fn text_match(self) -> Option<TextMatch> {
        match self {
            Self::Contains => Some(TextMatch::Contains),
            Self::StartsWith => Some(TextMatch::StartsWith),
            Self::EndsWith => Some(TextMatch::EndsWith),
            _ => None,
        }
    }
}

/// The symbols of expressions, in their documented order.
pub(super) const SYMBOLS: &[&str] = &[">", "<", ">=", "<=", "=", "!="];
