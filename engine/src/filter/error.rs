//! All errors of the filter language. Their texts are in [`crate::diagnostic::catalog::filter`].
//!
//! A message is one lower-case line: what was expected and what was found. The hint suggests a correction. The codes are part of the API:
//! codes may be added, but never changed.

use super::ast::LiteralValue;
use super::cursor::CursorError;
use super::expression::Expression;
use super::fields::{CUSTOM_PREFIX, FIELDS, Field, Kind, MAX_CUSTOM_NAME_CHARS};
use super::operator::{Operator, SYMBOLS, operators_for};
use super::{CONTROLS, MAX_CONDITIONS, MAX_GROUP_DEPTH, MAX_LIST_VALUES, MAX_OFFSET, MAX_ORDER_KEYS, MAX_TEXT_CHARS};
use crate::diagnostic::{
    Arg, CharRange, Diagnostic, Message, Suggestion,
    catalog::{common, filter as texts},
    expected, format_name, format_number, format_text, from_time, new_diagnostic, not_an_integer, or_list,
};
use crate::host;
use crate::json;
use crate::time::TimeError;

pub(super) use crate::diagnostic::{nul_character, wrong_type};

/// Describes the values of a kind of field.
pub(super) fn describe_kind(kind: Kind) -> Message {
    match kind {
        Kind::Integer => common::integer(),
        Kind::Number => common::number(),
        Kind::Text => common::string(),
        Kind::Boolean => common::true_or_false(),
        Kind::DateTime => common::date_time(),
        Kind::Date => common::date(),
        Kind::Custom => texts::custom_field_value(),
    }
}

/// Returns true if a value is short enough to repeat in full.
fn is_short(source: &str) -> bool {
    source.chars().count() <= 40
}

/// Number of digits of the largest integer.
const MAX_INTEGER_DIGITS: usize = 19;

/// Adapts a diagnostic to a query, whose values have no quotes.
pub(super) fn adapt_to_query(diagnostic: Diagnostic) -> Diagnostic {
    let unquoted = |suggestion: Suggestion| {
        let word = ["true", "false"].into_iter().find(|word| suggestion.message == common::write_without_quotes(*word));
        let message = word.map_or_else(|| suggestion.message.without_quotes(), common::write);
        Suggestion { message, ..suggestion }
    };
    Diagnostic { suggestion: diagnostic.suggestion.map(unquoted), ..diagnostic }
}

/// Formats a value for a message.
pub(super) fn describe_value(value: &LiteralValue) -> String {
    match value {
        LiteralValue::Null => "null".to_owned(),
        LiteralValue::Boolean(value) => value.to_string(),
        LiteralValue::Number(source) => format_number(source),
        LiteralValue::Text(text) => format_text(text),
    }
}

// Whole filter

pub(super) fn empty_filter() -> Diagnostic {
    new_diagnostic("empty_filter", texts::empty_filter()).suggest(texts::list_all())
}

pub(super) fn too_many_conditions() -> Diagnostic {
    expected("too_many", texts::at_most_conditions(MAX_CONDITIONS), common::more()).suggest(texts::use_array())
}

pub(super) fn empty_group(key: &str) -> Diagnostic {
    new_diagnostic("empty_group", texts::empty_group(key)).suggest(texts::group_form(key))
}

pub(super) fn empty_branch() -> Diagnostic {
    new_diagnostic("empty_group", texts::empty_branch())
}

pub(super) fn groups_too_deep() -> Diagnostic {
    expected("too_deep", texts::at_most_groups(MAX_GROUP_DEPTH), common::more())
}

// Keys

pub(super) fn unknown_key(key: &str) -> Diagnostic {
    let diagnostic = expected("unknown_key", texts::field(), format_name(key));
    let suggestion = match host::to_lower(key.trim_start_matches(['$', '_'])).as_str() {
        "any" | "or" => Some("_or"),
        "all" | "and" => Some("_and"),
        "order" | "orderby" | "order_by" | "sort" | "sort_by" => Some("_order"),
        _ => None,
    };
    if let Some(suggestion) = suggestion {
        return diagnostic.did_you_mean(suggestion);
    }
    let names = FIELDS.iter().flat_map(|field| field.names).copied();
    let diagnostic = diagnostic.suggest_nearest(key, names.chain(CONTROLS.iter().copied()));
    match diagnostic.suggestion {
        Some(_) => diagnostic,
        None => diagnostic.suggest(texts::custom_form(format_name(&format!("{CUSTOM_PREFIX}{key}")))),
    }
}

pub(super) fn unknown_control(key: &str) -> Diagnostic {
    let diagnostic = expected("unknown_key", texts::control(), format_name(key));
    diagnostic.suggest_nearest(key, CONTROLS.iter().copied()).permitted(CONTROLS.iter().copied())
}

pub(super) fn invalid_custom_name(characters: usize) -> Diagnostic {
    expected("unknown_key", common::custom_name(MAX_CUSTOM_NAME_CHARS), characters)
}

pub(super) fn control_in_branch(key: &str) -> Diagnostic {
    new_diagnostic("misplaced_control", texts::control_in_branch(key)).suggest(texts::move_to_top(key))
}

pub(super) fn repeated_parameter(key: &str) -> Diagnostic {
    new_diagnostic("duplicate_key", common::repeated(key)).suggest(common::keep_one())
}

pub(super) fn group_in_parameters(key: &str) -> Diagnostic {
    new_diagnostic("not_available", texts::group_in_parameters(key)).suggest(texts::groups_need_body())
}

// Values

pub(super) fn wrong_value(kind: Kind, value: &LiteralValue) -> Diagnostic {
    let diagnostic = match (kind, value) {
        (Kind::Integer, LiteralValue::Number(source)) => not_an_integer(source, format_number(source)),
        (Kind::Integer, LiteralValue::Text(text)) if !json::is_number(text) => not_an_integer(text, format_text(text)),
        _ => wrong_type(describe_kind(kind), describe_value(value)),
    };
    let hint = match (kind, value) {
        (Kind::Integer, LiteralValue::Number(number)) => equal_integer(number).map(common::write),
        (Kind::Integer, LiteralValue::Text(text)) if json::is_number(text) => {
            equal_integer(text).map(common::write_without_quotes)
        }
        (Kind::Number, LiteralValue::Text(text)) if json::is_number(text) => {
            is_short(text).then(|| common::write_without_quotes(text.as_str()))
        }
        (Kind::Integer | Kind::Number, LiteralValue::Text(_)) => Some(texts::number_or_expression()),
        (Kind::Text, LiteralValue::Number(number)) if is_short(number) => Some(texts::write_in_quotes(number.as_str())),
        (Kind::Text, LiteralValue::Boolean(value)) => Some(texts::write_in_quotes(value.to_string())),
        (Kind::Boolean, LiteralValue::Text(text)) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => Some(common::write_without_quotes("true")),
            "false" | "no" | "0" => Some(common::write_without_quotes("false")),
            _ => None,
        },
        (Kind::Boolean, LiteralValue::Number(number)) => match number.as_str() {
            "1" => Some(common::write("true")),
            "0" => Some(common::write("false")),
            _ => None,
        },
        (Kind::DateTime, _) => Some(texts::date_time_form()),
        (Kind::Date, _) => Some(texts::iso_date()),
        _ => None,
    };
    match hint {
        Some(hint) => diagnostic.suggest(hint),
        None => diagnostic,
    }
}

/// Returns the integer that equals a JSON number in another form (`7.0`, `7e2`). Works on the digits, so no precision
/// is lost. `None` if the number isn't an integer or exceeds an `i64`.
fn equal_integer(number: &str) -> Option<i64> {
    let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (integer, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let zeros = exponent.parse::<i64>().ok()?.checked_sub(fraction.len().try_into().ok()?)?;
    let digits_without_point = format!("{integer}{fraction}");
    let integer_digits = match usize::try_from(zeros) {
        Ok(zeros) if zeros <= MAX_INTEGER_DIGITS => digits_without_point + &"0".repeat(zeros),
        Ok(_) => return None,
        Err(_) => {
            let (integer_part, fraction_part) = digits_without_point
                .split_at_checked(digits_without_point.len().checked_sub(usize::try_from(-zeros).ok()?)?)?;
            if !fraction_part.bytes().all(|digit| digit == b'0') {
                return None;
            }
            integer_part.to_owned()
        }
    };
    integer_digits.parse().ok()
}

pub(super) fn integer_out_of_range(source: &str) -> Diagnostic {
    expected("out_of_range", common::integer_within(i64::MIN, i64::MAX), format_number(source))
}

pub(super) fn number_out_of_range(source: &str) -> Diagnostic {
    expected("out_of_range", common::number_of_64_bits(), format_number(source))
}

pub(super) fn text_too_long(characters: usize) -> Diagnostic {
    expected("too_long", common::at_most_characters(MAX_TEXT_CHARS), characters)
}

pub(super) fn not_permitted(value: &str, permitted: &'static [&'static str]) -> Diagnostic {
    crate::diagnostic::not_permitted(value, permitted.iter().copied())
}

pub(super) fn list_too_long(length: usize) -> Diagnostic {
    expected("too_many", texts::at_most_values(MAX_LIST_VALUES), length)
}

pub(super) fn nested_value(found: impl Into<Arg>) -> Diagnostic {
    wrong_type(texts::plain_value(), found)
}

pub(super) fn space_in_value(key: &str, text: &str, blank_index: usize) -> Diagnostic {
    expected("space_in_value", texts::without_space(key), format_text(text)).within(blank_index, blank_index + 1)
}

pub(super) fn invalid_time(error: TimeError, kind: Kind, text: &str, start: usize) -> Diagnostic {
    let range = error.range;
    let diagnostic = from_time(error).within(start + range.start, start + range.end);
    match crate::time::parse_date(text) {
        Ok(_) if kind == Kind::DateTime => diagnostic.suggest(common::add_time(text)),
        _ => diagnostic,
    }
}

// Expressions

pub(super) fn expression_in_list(range: CharRange) -> Diagnostic {
    new_diagnostic("invalid_expression", texts::expression_in_list())
        .suggest(texts::expression_alone())
        .within(range.start, range.end)
}

pub(super) fn expression_in_operator(operator: &str, range: CharRange) -> Diagnostic {
    new_diagnostic("invalid_expression", texts::expression_in_operator(operator))
        .suggest(texts::omit_symbol())
        .within(range.start, range.end)
}

pub(super) fn too_many_expressions(count: usize, rest: CharRange) -> Diagnostic {
    expected("invalid_expression", texts::at_most_two_expressions(), count)
        .suggest(texts::use_operators())
        .within(rest.start, rest.end)
}

pub(super) fn expression_without_operator(part: &Expression<'_>) -> Diagnostic {
    let range = part.range();
    expected("invalid_expression", texts::expression(), format_name(part.text))
        .suggest(texts::add_symbol())
        .within(range.start, range.end)
}

pub(super) fn expression_without_value(range: CharRange) -> Diagnostic {
    new_diagnostic("invalid_expression", texts::value_before_symbol()).within(range.start, range.end)
}

pub(super) fn unknown_symbol(symbol: &str, range: CharRange) -> Diagnostic {
    let expected_text = texts::symbol(or_list(SYMBOLS.iter().copied()));
    let diagnostic = expected("invalid_expression", expected_text, name_or_none(symbol)).within(range.start, range.end);
    let diagnostic = diagnostic.permitted(SYMBOLS.iter().copied());
    let suggestion = match symbol.trim().to_ascii_lowercase().as_str() {
        "=>" => Some(">="),
        "=<" => Some("<="),
        "==" | "===" | "eq" => Some("="),
        "<>" | "!" | "not" | "ne" => Some("!="),
        other => SYMBOLS
            .iter()
            .copied()
            .find(|symbol| *symbol == other)
            .or_else(|| Operator::from_name(other).and_then(Operator::symbol)),
    };
    match suggestion {
        Some(suggestion) => diagnostic.did_you_mean(suggestion),
        None => diagnostic,
    }
}

/// Formats a name for a message, or `none` for an empty one.
fn name_or_none(text: &str) -> Arg {
    if text.is_empty() { common::none().into() } else { format_name(text).into() }
}

pub(super) fn wrong_expression_value(kind: Kind, text: &str, range: CharRange) -> Diagnostic {
    let diagnostic = match kind {
        Kind::Integer => {
            Diagnostic { code: "invalid_expression".to_owned(), ..not_an_integer(text, format_name(text)) }
        }
        _ => expected("invalid_expression", describe_kind(kind), format_name(text)),
    };
    diagnostic.within(range.start, range.end)
}

// Operators

pub(super) fn empty_operators(kind: Kind) -> Diagnostic {
    let permitted = operators_for(kind).iter().map(|operator| operator.as_str());
    new_diagnostic("empty_operators", texts::empty_operators()).permitted(permitted)
}

pub(super) fn unknown_operator(operator_name: &str, kind: Kind) -> Diagnostic {
    let names = operators_for(kind).iter().map(|operator| operator.as_str());
    let diagnostic =
        expected("unknown_operator", texts::operator(), format_name(operator_name)).permitted(names.clone());
    let suggestion = Operator::from_symbol(operator_name).or(match operator_name.to_ascii_lowercase().as_str() {
        "==" => Some(Operator::Eq),
        "ne" | "neq" | "not_in" | "<>" => Some(Operator::Not),
        "ge" | "min" => Some(Operator::Gte),
        "le" | "max" => Some(Operator::Lte),
        "like" | "includes" => Some(Operator::Contains),
        "is_null" | "isnull" => Some(Operator::Null),
        _ => None,
    });
    match suggestion.filter(|suggestion| operators_for(kind).contains(suggestion)) {
        Some(suggestion) => diagnostic.did_you_mean(suggestion.as_str()),
        None => diagnostic.suggest_nearest(operator_name, names),
    }
}

pub(super) fn operator_not_applicable(operator: Operator, key: &str, kind: Kind) -> Diagnostic {
    let names = operators_for(kind).iter().map(|operator| operator.as_str());
    let expected_text = texts::operator_for(format_name(key), or_list(names.clone()));
    expected("operator_not_applicable", expected_text, format!("`{operator}`")).permitted(names)
}

pub(super) fn single_value_required(operator: &str, found: impl Into<Arg>) -> Diagnostic {
    wrong_type(texts::single_value(operator), found.into())
}

pub(super) fn array_required(value: &LiteralValue) -> Diagnostic {
    let diagnostic = wrong_type(texts::array_for_in(), describe_value(value));
    match value {
        LiteralValue::Text(source) | LiteralValue::Number(source) if !is_short(source) => {
            diagnostic.suggest(texts::put_into_array())
        }
        LiteralValue::Text(text) => diagnostic.suggest(texts::write_array(json::quote(text))),
        _ => diagnostic.suggest(texts::write_array(describe_value(value))),
    }
}

pub(super) fn boolean_required(found: impl Into<Arg>) -> Diagnostic {
    wrong_type(texts::boolean_for_null(), found.into())
}

// Controls

pub(super) fn wrong_limit_type(found: impl Into<Arg>, number: Option<&str>) -> Diagnostic {
    let diagnostic = wrong_type(texts::limit_string(), found);
    match number {
        Some(number) if is_short(number) && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            diagnostic.suggest(common::write(format!("\"{number}\"")))
        }
        _ => diagnostic.suggest(common::write("\"200;0\"")),
    }
}

pub(super) fn invalid_limit(text: &str) -> Diagnostic {
    expected("invalid_limit", texts::limit_form(), format_text(text)).suggest(texts::limit_examples())
}

pub(super) fn invalid_count(text: &str, range: CharRange) -> Diagnostic {
    expected("invalid_limit", texts::count_in_digits(), name_or_none(text)).within(range.start, range.end)
}

pub(super) fn invalid_offset(text: &str, range: CharRange) -> Diagnostic {
    expected("invalid_limit", texts::offset_in_digits(), name_or_none(text)).within(range.start, range.end)
}

pub(super) fn count_out_of_range(max: u32, text: &str, range: CharRange) -> Diagnostic {
    expected("out_of_range", texts::count_within(max), format_name(text)).within(range.start, range.end)
}

pub(super) fn offset_out_of_range(text: &str, range: CharRange) -> Diagnostic {
    expected("out_of_range", texts::offset_within(MAX_OFFSET), format_name(text))
        .suggest(texts::use_cursor())
        .within(range.start, range.end)
}

pub(super) fn too_many_order_keys(found: usize) -> Diagnostic {
    expected("too_many", texts::at_most_order_keys(MAX_ORDER_KEYS), found)
}

pub(super) fn not_orderable(field: &Field, range: CharRange) -> Diagnostic {
    expected("not_orderable", texts::lead_field(), format!("`{}`", field.name()))
        .suggest(texts::order_by_lead_field())
        .within(range.start, range.end)
}

pub(super) fn unknown_order_field(field_name: &str, range: CharRange) -> Diagnostic {
    let names = FIELDS.iter().filter(|field| field.is_orderable()).map(Field::name);
    let diagnostic =
        expected("unknown_field", texts::lead_field(), format_name(field_name)).within(range.start, range.end);
    diagnostic.suggest_nearest(field_name, names)
}

pub(super) fn repeated_order_field(field_name: &str) -> Diagnostic {
    new_diagnostic("duplicate_key", texts::repeated_order(format_name(field_name)))
}

pub(super) fn unknown_member(member_name: &str, members: impl IntoIterator<Item = &'static str>) -> Diagnostic {
    let diagnostic = expected("unknown_field", texts::response_field(), format_name(member_name));
    match member_name.starts_with(CUSTOM_PREFIX) {
        true => diagnostic.suggest(texts::custom_fields_together()),
        false => diagnostic.suggest_nearest(member_name, members),
    }
}

pub(super) fn wrong_fields_type(found: impl Into<Arg>) -> Diagnostic {
    wrong_type(common::strings(), found).suggest(texts::names_form())
}

pub(super) fn invalid_cursor(cursor_error: CursorError) -> Diagnostic {
    let detail = match cursor_error {
        CursorError::Damaged => texts::invalid_cursor(),
        CursorError::DifferentOrder => texts::cursor_of_other_order(),
    };
    new_diagnostic("invalid_cursor", detail).suggest(texts::use_next_cursor())
}

pub(super) fn cursor_with_offset() -> Diagnostic {
    new_diagnostic("cursor_with_offset", texts::cursor_with_offset()).suggest(texts::cursor_sets_start())
}
