//! The operators, and the kinds of fields that accept them.

use super::fields::Kind;
use super::predicate::{Comparison, Test, TextMatch, Value};
use super::wording as words;
use crate::api::named_enum;
use crate::wording::Language;

named_enum! {
    /// An operator, as written in an object of operators: `{"calls_count":{"gte":2}}`.
    Operator {
        /// The value equals this, or any of these.
        Eq = "eq",
        /// The value doesn't equal this, or any of these.
        Not = "not",
        /// The value equals any of these.
        In = "in",
        /// The value is greater than this.
        Gt = "gt",
        /// The value is greater than or equal to this.
        Gte = "gte",
        /// The value is less than this.
        Lt = "lt",
        /// The value is less than or equal to this.
        Lte = "lte",
        /// The value contains the text.
        Contains = "contains",
        /// The value starts with the text.
        StartsWith = "starts_with",
        /// The value ends with the text.
        EndsWith = "ends_with",
        /// The field has no value (`true`), or has one (`false`).
        Null = "null",
    }
}

/// Number of values that an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one.
    One,
    /// One, or an array of them.
    OneOrMore,
    /// An array.
    Many,
    /// `true` or `false`, regardless of the field's kind.
    Boolean,
}

/// Operators for all kinds of fields.
const EQUALITY_OPERATORS: &[Operator] = &[Operator::Eq, Operator::Not, Operator::In, Operator::Null];

/// Operators for kinds of fields whose values have an order.
const ORDERED_OPERATORS: &[Operator] = &[
    Operator::Eq,
    Operator::Not,
    Operator::In,
    Operator::Gt,
    Operator::Gte,
    Operator::Lt,
    Operator::Lte,
    Operator::Null,
];

/// Returns the operators for fields of this kind, in display order.
pub fn operators_for(kind: Kind) -> &'static [Operator] {
    match kind {
        Kind::Boolean => EQUALITY_OPERATORS,
        Kind::Integer | Kind::Number | Kind::DateTime | Kind::Date => ORDERED_OPERATORS,
        Kind::Text | Kind::Custom => Operator::ALL,
    }
}

impl Operator {
    /// Returns the number of values that the operator takes.
    pub const fn arity(self) -> Arity {
        match self {
            Self::Eq | Self::Not => Arity::OneOrMore,
            Self::In => Arity::Many,
            Self::Null => Arity::Boolean,
            _ => Arity::One,
        }
    }

    /// Returns the label shown between the field and the value.
    pub const fn label(self, kind: Kind, language: Language) -> &'static str {
        let is_time = matches!(kind, Kind::DateTime | Kind::Date);
        match self {
            Self::Eq => words::is(language),
            Self::Not => words::is_not(language),
            Self::In => words::is_any_of(language),
            Self::Gt if is_time => words::is_after(language),
            Self::Gte if is_time => words::is_at_or_after(language),
            Self::Lt if is_time => words::is_before(language),
            Self::Lte if is_time => words::is_at_or_before(language),
            Self::Gt => words::is_greater(language),
            Self::Gte => words::is_at_least(language),
            Self::Lt => words::is_less(language),
            Self::Lte => words::is_at_most(language),
            Self::Contains => words::contains(language),
            Self::StartsWith => words::starts_with(language),
            Self::EndsWith => words::ends_with(language),
            Self::Null => words::has_no_value(language),
        }
    }

    /// Returns the symbol in an expression, `"<value>;<operator>"`, if it has one.
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

    /// Returns the operator with this symbol.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|operator| operator.symbol() == Some(symbol))
    }

    /// Returns true if the operator applies to texts only.
    pub const fn needs_text(self) -> bool {
        matches!(self, Self::Contains | Self::StartsWith | Self::EndsWith)
    }

    /// Returns the test of this operator with one value, which is a text if the operator needs one.
    pub(super) fn test(self, value: Value) -> Test {
        match (self, value) {
            (Self::Gt, value) => Test::Compare(Comparison::Greater, value),
            (Self::Gte, value) => Test::Compare(Comparison::GreaterOrEqual, value),
            (Self::Lt, value) => Test::Compare(Comparison::Less, value),
            (Self::Lte, value) => Test::Compare(Comparison::LessOrEqual, value),
            (Self::Contains, Value::Text(text)) => Test::Text(TextMatch::Contains, text),
            (Self::StartsWith, Value::Text(text)) => Test::Text(TextMatch::StartsWith, text),
            (Self::EndsWith, Value::Text(text)) => Test::Text(TextMatch::EndsWith, text),
            (Self::Not, value) => Test::NotIn { values: vec![value], includes_null: false },
            (_, value) => Test::In { values: vec![value], includes_null: false },
        }
    }
}

/// The symbols of expressions, in documented order.
pub(super) const SYMBOLS: &[&str] = &[">", "<", ">=", "<=", "=", "!="];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_numbers_have_different_labels() {
        let labels = |kind| {
            [Operator::Gt, Operator::Gte, Operator::Lt, Operator::Lte]
                .map(|operator| operator.label(kind, Language::English))
        };
        let time_labels = ["is after", "is at or after", "is before", "is at or before"];
        assert_eq!([labels(Kind::DateTime), labels(Kind::Date)], [time_labels; 2]);
        let other_labels = ["is greater than", "is at least", "is less than", "is at most"];
        assert_eq!([labels(Kind::Integer), labels(Kind::Text)], [other_labels; 2]);
    }
}
