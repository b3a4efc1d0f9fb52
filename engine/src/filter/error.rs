//! All faults of the filter language. Their texts are in [`crate::diagnostic::catalog::filter`].
//!
//! A message is one lower-case line: what was expected and what was found. The hint suggests a correction. The codes are part of the API:
//! codes may be added, but never changed.

use super::ast::LiteralValue;
use super::cursor::CursorError;
use super::expression::Part;
use super::fields::{CUSTOM_PREFIX, FIELDS, Field, Kind, MAX_CUSTOM_NAME};
use super::operator::{Operator, SYMBOLS, operators_for};
use super::{CONTROLS, MAX_CONDITIONS, MAX_GROUP_DEPTH, MAX_LIST, MAX_OFFSET, MAX_ORDER, MAX_TEXT};
use crate::diagnostic::{
    CharRange, Diagnostic, Message, Suggestion,
    catalog::{common, filter as texts},
    expected, fault, from_time, name, not_whole, number, or_list, shown,
};
use crate::host;
use crate::json;
use crate::time::TimeError;

pub(super) use crate::diagnostic::{nul_character, wrong_type};

/// Describes the values of a kind of field.
pub(super) fn kind_in_words(kind: Kind) -> Message {
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
fn is_short(written: &str) -> bool {
    written.chars().count() <= 40
}

/// Number of digits of the largest integer.
const MAX_DIGITS: usize = 19;

/// Adapts a fault to a query, whose values have no quotes.
pub(super) fn in_query(fault: Diagnostic) -> Diagnostic {
    let unquoted = |suggestion: Suggestion| {
        let word = ["true", "false"].into_iter().find(|word| suggestion.message == common::write_without_quotes(*word));
        let message = word.map_or_else(|| suggestion.message.without_quotes(), common::write);
        Suggestion { message, ..suggestion }
    };
    Diagnostic { suggestion: fault.suggestion.map(unquoted), ..fault }
}

/// Formats a value for a message.
pub(super) fn found(value: &LiteralValue) -> String {
    match value {
        LiteralValue::Null => "null".to_owned(),
        LiteralValue::Boolean(value) => value.to_string(),
        LiteralValue::Number(written) => number(written),
        LiteralValue::Text(text) => shown(text),
    }
}

// Whole filter

pub(super) fn empty_filter() -> Diagnostic {
    fault("empty_filter", texts::empty_filter()).suggest(texts::list_all())
}

pub(super) fn too_many_conditions() -> Diagnostic {
    expected("too_many", texts::at_most_conditions(MAX_CONDITIONS), common::more()).suggest(texts::one_array())
}

pub(super) fn empty_group(key: &str) -> Diagnostic {
    fault("empty_group", texts::empty_group(key)).suggest(texts::group_form(key))
}

pub(super) fn empty_branch() -> Diagnostic {
    fault("empty_group", texts::empty_branch())
}

pub(super) fn groups_too_deep() -> Diagnostic {
    expected("too_deep", texts::at_most_groups(MAX_GROUP_DEPTH), common::more())
}

// Keys

pub(super) fn unknown_key(key: &str) -> Diagnostic {
    let unknown = expected("unknown_key", texts::field(), name(key));
    let meant = match host::lower(key.trim_start_matches(['$', '_'])).as_str() {
        "any" | "or" => Some("_or"),
        "all" | "and" => Some("_and"),
        "order" | "orderby" | "order_by" | "sort" | "sort_by" => Some("_order"),
        _ => None,
    };
    if let Some(meant) = meant {
        return unknown.did_you_mean(meant);
    }
    let names = FIELDS.iter().flat_map(|field| field.names).copied();
    let unknown = unknown.suggest_nearest(key, names.chain(CONTROLS.iter().copied()));
    match unknown.suggestion {
        Some(_) => unknown,
        None => unknown.suggest(texts::custom_form(name(&format!("{CUSTOM_PREFIX}{key}")))),
    }
}

pub(super) fn unknown_control(key: &str) -> Diagnostic {
    let unknown = expected("unknown_key", texts::control(), name(key));
    unknown.suggest_nearest(key, CONTROLS.iter().copied()).permitted(CONTROLS.iter().copied())
}

pub(super) fn custom_name(characters: usize) -> Diagnostic {
    expected("unknown_key", texts::custom_name(MAX_CUSTOM_NAME), characters)
}

pub(super) fn control_in_branch(key: &str) -> Diagnostic {
    fault("misplaced_control", texts::control_in_branch(key)).suggest(texts::put_at_top(key))
}

pub(super) fn repeated_parameter(key: &str) -> Diagnostic {
    fault("duplicate_key", texts::repeated_parameter(key)).suggest(common::keep_one())
}

pub(super) fn group_in_parameters(key: &str) -> Diagnostic {
    fault("not_available", texts::group_in_parameters(key)).suggest(texts::groups_need_body())
}

// Values

pub(super) fn wrong_value(kind: Kind, value: &LiteralValue) -> Diagnostic {
    let fault = match (kind, value) {
        (Kind::Integer, LiteralValue::Number(written)) => not_whole(written, number(written)),
        (Kind::Integer, LiteralValue::Text(text)) if !json::is_number(text) => not_whole(text, shown(text)),
        _ => wrong_type(kind_in_words(kind), found(value)),
    };
    let hint = match (kind, value) {
        (Kind::Integer, LiteralValue::Number(number)) => whole(number).map(common::write),
        (Kind::Integer, LiteralValue::Text(text)) if json::is_number(text) => {
            whole(text).map(common::write_without_quotes)
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
        Some(hint) => fault.suggest(hint),
        None => fault,
    }
}

/// Returns the integer that equals a JSON number in another form (`7.0`, `7e2`), digit by digit; `None` if the number isn't an integer or
/// exceeds an `i64`.
fn whole(number: &str) -> Option<i64> {
    let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (integer, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let zeros = exponent.parse::<i64>().ok()?.checked_sub(fraction.len().try_into().ok()?)?;
    let all = format!("{integer}{fraction}");
    let written = match usize::try_from(zeros) {
        Ok(zeros) if zeros <= MAX_DIGITS => all + &"0".repeat(zeros),
        Ok(_) => return None,
        Err(_) => {
            let (kept, cut) = all.split_at_checked(all.len().checked_sub(usize::try_from(-zeros).ok()?)?)?;
            if !cut.bytes().all(|digit| digit == b'0') {
                return None;
            }
            kept.to_owned()
        }
    };
    written.parse().ok()
}

pub(super) fn integer_out_of_range(written: &str) -> Diagnostic {
    expected("out_of_range", common::integer_within(i64::MIN, i64::MAX), number(written))
}

pub(super) fn number_out_of_range(written: &str) -> Diagnostic {
    expected("out_of_range", common::number_of_64_bits(), number(written))
}

pub(super) fn text_too_long(characters: usize) -> Diagnostic {
    expected("too_long", common::at_most_characters(MAX_TEXT), characters)
}

pub(super) fn not_permitted(value: &str, permitted: &'static [&'static str]) -> Diagnostic {
    crate::diagnostic::not_permitted(value, permitted.iter().copied())
}

pub(super) fn list_too_long(length: usize) -> Diagnostic {
    expected("too_many", texts::at_most_values(MAX_LIST), length)
}

pub(super) fn nested_value(found: Message) -> Diagnostic {
    wrong_type(texts::plain_value(), found)
}

pub(super) fn blank_in_value(key: &str, text: &str, at: usize) -> Diagnostic {
    expected("blank_in_value", texts::without_blank(key), shown(text)).within(at, at + 1)
}

pub(super) fn invalid_time(error: TimeError, kind: Kind, text: &str, start: usize) -> Diagnostic {
    let range = error.range;
    let fault = from_time(error).within(start + range.start, start + range.end);
    match crate::time::parse_date(text) {
        Ok(_) if kind == Kind::DateTime => fault.suggest(common::add_time(text)),
        _ => fault,
    }
}

// Expressions

pub(super) fn expression_in_list(at: CharRange) -> Diagnostic {
    fault("invalid_expression", texts::expression_in_list()).suggest(texts::expression_alone()).within(at.start, at.end)
}

pub(super) fn expression_in_operator(operator: &str, at: CharRange) -> Diagnostic {
    fault("invalid_expression", texts::expression_in_operator(operator))
        .suggest(texts::leave_out_symbol())
        .within(at.start, at.end)
}

pub(super) fn too_many_expressions(count: usize, rest: CharRange) -> Diagnostic {
    expected("invalid_expression", texts::two_expressions(), count)
        .suggest(texts::more_conditions())
        .within(rest.start, rest.end)
}

pub(super) fn expression_without_operator(part: &Part<'_>) -> Diagnostic {
    let at = part.at();
    expected("invalid_expression", texts::expression(), name(part.text))
        .suggest(texts::add_symbol())
        .within(at.start, at.end)
}

pub(super) fn expression_without_value(at: CharRange) -> Diagnostic {
    fault("invalid_expression", texts::value_before_symbol()).within(at.start, at.end)
}

pub(super) fn unknown_symbol(symbol: &str, at: CharRange) -> Diagnostic {
    let wanted = texts::symbol(or_list(SYMBOLS.iter().copied()));
    let fault = expected("invalid_expression", wanted, name_or_none(symbol)).within(at.start, at.end);
    let fault = fault.permitted(SYMBOLS.iter().copied());
    let meant = match symbol.trim().to_ascii_lowercase().as_str() {
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
    match meant {
        Some(meant) => fault.did_you_mean(meant),
        None => fault,
    }
}

/// Formats a name for a message, or `none` for an empty one.
fn name_or_none(text: &str) -> Message {
    if text.is_empty() { common::none() } else { name(text).into() }
}

pub(super) fn wrong_expression_value(kind: Kind, text: &str, at: CharRange) -> Diagnostic {
    let fault = match kind {
        Kind::Integer => Diagnostic { code: "invalid_expression".to_owned(), ..not_whole(text, name(text)) },
        _ => expected("invalid_expression", kind_in_words(kind), name(text)),
    };
    fault.within(at.start, at.end)
}

// Operators

pub(super) fn empty_operators(kind: Kind) -> Diagnostic {
    let permitted = operators_for(kind).iter().map(|operator| operator.as_str());
    fault("empty_operators", texts::empty_operators()).permitted(permitted)
}

pub(super) fn unknown_operator(given: &str, kind: Kind) -> Diagnostic {
    let names = operators_for(kind).iter().map(|operator| operator.as_str());
    let fault = expected("unknown_operator", texts::operator(), name(given)).permitted(names.clone());
    let meant = Operator::from_symbol(given).or(match given.to_ascii_lowercase().as_str() {
        "==" => Some(Operator::Eq),
        "ne" | "neq" | "not_in" | "<>" => Some(Operator::Not),
        "ge" | "min" => Some(Operator::Gte),
        "le" | "max" => Some(Operator::Lte),
        "like" | "includes" => Some(Operator::Contains),
        "is_null" | "isnull" => Some(Operator::Null),
        _ => None,
    });
    match meant.filter(|meant| operators_for(kind).contains(meant)) {
        Some(meant) => fault.did_you_mean(meant.as_str()),
        None => fault.suggest_nearest(given, names),
    }
}

pub(super) fn operator_not_for(operator: Operator, key: &str, kind: Kind) -> Diagnostic {
    let names = operators_for(kind).iter().map(|operator| operator.as_str());
    let wanted = texts::operator_for(name(key), or_list(names.clone()));
    expected("operator_not_applicable", wanted, format!("`{operator}`")).permitted(names)
}

pub(super) fn single_value(operator: &str, found: impl Into<Message>) -> Diagnostic {
    wrong_type(texts::single_value(operator), found.into())
}

pub(super) fn array_for_in(value: &LiteralValue) -> Diagnostic {
    let fault = wrong_type(texts::array_for_in(), found(value));
    match value {
        LiteralValue::Text(written) | LiteralValue::Number(written) if !is_short(written) => {
            fault.suggest(texts::put_into_array())
        }
        LiteralValue::Text(text) => fault.suggest(texts::write_array(json::quote(text))),
        _ => fault.suggest(texts::write_array(found(value))),
    }
}

pub(super) fn truth_for_null(found: impl Into<Message>) -> Diagnostic {
    wrong_type(texts::truth_for_null(), found.into())
}

// Controls

pub(super) fn limit_type(found: Message, number: Option<&str>) -> Diagnostic {
    let fault = wrong_type(texts::limit_string(), found);
    match number {
        Some(number) if is_short(number) && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            fault.suggest(common::write(format!("\"{number};0\"")))
        }
        _ => fault.suggest(common::write("\"200;0\"")),
    }
}

pub(super) fn limit_form(text: &str) -> Diagnostic {
    let fault = expected("invalid_limit", texts::limit_form(), shown(text));
    match !text.is_empty() && is_short(text) && text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => fault.suggest(common::write(format!("\"{text};0\""))),
        false => fault.suggest(texts::limit_examples()),
    }
}

pub(super) fn count_digits(text: &str, at: CharRange) -> Diagnostic {
    expected("invalid_limit", texts::count_in_digits(), name_or_none(text)).within(at.start, at.end)
}

pub(super) fn offset_digits(text: &str, at: CharRange) -> Diagnostic {
    expected("invalid_limit", texts::offset_in_digits(), name_or_none(text)).within(at.start, at.end)
}

pub(super) fn count_out_of_range(max: u32, text: &str, at: CharRange) -> Diagnostic {
    expected("out_of_range", texts::count_within(max), name(text)).within(at.start, at.end)
}

pub(super) fn offset_out_of_range(text: &str, at: CharRange) -> Diagnostic {
    expected("out_of_range", texts::offset_within(MAX_OFFSET), name(text))
        .suggest(texts::use_cursor())
        .within(at.start, at.end)
}

pub(super) fn too_many_order_keys(found: usize) -> Diagnostic {
    expected("too_many", texts::at_most_order_keys(MAX_ORDER), found)
}

pub(super) fn not_orderable(field: &Field, at: CharRange) -> Diagnostic {
    expected("not_orderable", texts::lead_field(), format!("`{}`", field.name()))
        .suggest(texts::one_place())
        .within(at.start, at.end)
}

pub(super) fn unknown_order(given: &str, at: CharRange) -> Diagnostic {
    let names = FIELDS.iter().filter(|field| field.orderable()).map(Field::name);
    let fault = expected("unknown_field", texts::lead_field(), name(given)).within(at.start, at.end);
    fault.suggest_nearest(given, names)
}

pub(super) fn repeated_order(given: &str) -> Diagnostic {
    fault("duplicate_key", texts::repeated_order(name(given)))
}

pub(super) fn unknown_member(given: &str, members: impl IntoIterator<Item = &'static str>) -> Diagnostic {
    let fault = expected("unknown_field", texts::member(), name(given));
    match given.starts_with(CUSTOM_PREFIX) {
        true => fault.suggest(texts::custom_together()),
        false => fault.suggest_nearest(given, members),
    }
}

pub(super) fn fields_type(found: Message) -> Diagnostic {
    wrong_type(common::strings(), found).suggest(texts::names_form())
}

pub(super) fn invalid_cursor(wrong: CursorError) -> Diagnostic {
    let detail = match wrong {
        CursorError::Damaged => texts::damaged_cursor(),
        CursorError::OtherOrder => texts::other_cursor(),
    };
    fault("invalid_cursor", detail).suggest(texts::cursor_from_answer())
}

pub(super) fn cursor_with_offset() -> Diagnostic {
    fault("cursor_with_offset", texts::cursor_with_offset()).suggest(texts::cursor_says_where())
}
