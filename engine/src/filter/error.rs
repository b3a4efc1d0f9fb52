//! Every message of the filter language, in one place.
//!
//! A message is one lower-case line: what was expected and what was found. The hint says what would cure it. The codes
//! are part of the API: they may be added to, never changed.

use super::ast::LiteralValue;
use super::expression::Part;
use super::fields::{CUSTOM_PREFIX, FIELDS, Field, Kind, MAX_CUSTOM_NAME};
use super::operator::{Operator, SYMBOLS, operators_for};
use super::{CONTROLS, MAX_CONDITIONS, MAX_GROUP_DEPTH, MAX_LIST, MAX_OFFSET, MAX_ORDER, MAX_TEXT};
use crate::fault::{CharRange, Fault, Place};
use crate::json;
use crate::suggest::nearest;
use crate::time::TimeError;

fn fault(code: &str, detail: String) -> Fault {
    Fault::new(Place::default(), code, detail)
}

fn expected(code: &str, expected: &str, found: &str) -> Fault {
    fault(code, format!("expected {expected}, found {found}"))
}

/// A text in a message: quoted as in JSON, and shortened.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        None => json::quote(text),
        Some((end, _)) => json::quote(&format!("{}…", &text[..end])),
    }
}

/// A name in a message: in backquotes, shortened, and on one line.
fn name(text: &str) -> String {
    let quoted = shown(text);
    format!("`{}`", &quoted[1..quoted.len() - 1])
}

/// `a, b or c`.
fn or_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => (*only).to_owned(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
    }
}

fn did_you_mean(fault: Fault, given: &str, permitted: impl IntoIterator<Item = &'static str>) -> Fault {
    match nearest(given, permitted) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault,
    }
}

/// What values a kind of field takes, in words.
pub(super) fn kind_in_words(kind: Kind) -> &'static str {
    match kind {
        Kind::Integer => "an integer",
        Kind::Number => "a number",
        Kind::Text => "a string",
        Kind::Boolean => "`true` or `false`",
        Kind::DateTime => "a date-time in a string",
        Kind::Date => "a date in a string",
        Kind::Custom => "a string, a number, `true` or `false`",
    }
}

/// A value in a message.
pub(super) fn found(value: &LiteralValue) -> String {
    match value {
        LiteralValue::Null => "null".to_owned(),
        LiteralValue::Boolean(value) => value.to_string(),
        LiteralValue::Number(number) => number.chars().take(40).collect(),
        LiteralValue::Text(text) => shown(text),
    }
}

// The filter as a whole

pub(super) fn empty_filter() -> Fault {
    fault("empty_filter", "expected a filter with at least one key, found none".to_owned())
        .hint(r#"to list all leads, send {"limit":"200;0"}"#)
}

pub(super) fn wrong_type(wanted: &str, found: &str) -> Fault {
    expected("wrong_type", wanted, found)
}

pub(super) fn too_many_conditions() -> Fault {
    fault("too_many", format!("expected at most {MAX_CONDITIONS} conditions, found more"))
        .hint("one array can hold many values of a field")
}

pub(super) fn empty_group(key: &str) -> Fault {
    fault("empty_group", format!("expected at least one branch in `{key}`, found none"))
        .hint(format!(r#"a group is written {{"{key}":[{{"city":"Bonn"}},{{"state":"CA"}}]}}"#))
}

pub(super) fn empty_branch() -> Fault {
    fault("empty_group", "expected at least one condition in a branch, found none".to_owned())
}

pub(super) fn groups_too_deep() -> Fault {
    fault("too_deep", format!("expected at most {MAX_GROUP_DEPTH} groups within each other, found more"))
}

// Keys

pub(super) fn unknown_key(key: &str) -> Fault {
    let unknown = fault("unknown_key", format!("expected a field of leads or campaign leads, found {}", name(key)));
    let names = FIELDS.iter().flat_map(|field| field.names).copied();
    let unknown = did_you_mean(unknown, key, names.chain(CONTROLS.iter().copied()));
    match unknown.hint {
        Some(_) => unknown,
        None => unknown.hint(format!("a custom field is written {}", name(&format!("{CUSTOM_PREFIX}{key}")))),
    }
}

pub(super) fn unknown_control(key: &str) -> Fault {
    let unknown = fault("unknown_key", format!("expected a control, found {}", name(key)));
    did_you_mean(unknown, key, CONTROLS.iter().copied()).permitted(CONTROLS.iter().copied())
}

pub(super) fn custom_name(characters: usize) -> Fault {
    let wanted = format!("1 to {MAX_CUSTOM_NAME} characters after `{CUSTOM_PREFIX}`");
    expected("unknown_key", &wanted, &characters.to_string())
}

pub(super) fn control_in_branch(key: &str) -> Fault {
    fault("misplaced_control", format!("expected conditions in a branch, found the control `{key}`"))
        .hint(format!("put `{key}` at the top of the filter"))
}

pub(super) fn repeated_parameter(key: &str) -> Fault {
    fault("duplicate_key", format!("expected `{key}` once, found it again")).hint("keep one of them")
}

pub(super) fn group_in_parameters(key: &str) -> Fault {
    fault("not_available", format!("expected a field or a control, found the group `{key}`"))
        .hint("groups need a JSON body: PUT /api/leads/extended-data")
}

// Values

pub(super) fn wrong_value(kind: Kind, value: &LiteralValue) -> Fault {
    let fault = wrong_type(kind_in_words(kind), &found(value));
    let hint = match (kind, value) {
        (Kind::Integer, LiteralValue::Number(number)) => whole(number).map(|whole| format!("write {whole}")),
        (Kind::Integer | Kind::Number, LiteralValue::Text(text)) => Some(match json::is_number(text) {
            true => format!("write {} without quotes", text.chars().take(40).collect::<String>()),
            false => r#"write a number such as 5, or an expression such as "5;>""#.to_owned(),
        }),
        (Kind::Text, LiteralValue::Number(number)) if number.len() <= 40 => {
            Some(format!("write \"{number}\" in quotes"))
        }
        (Kind::Text, LiteralValue::Boolean(value)) => Some(format!("write \"{value}\" in quotes")),
        (Kind::Boolean, LiteralValue::Text(text)) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => Some("write true without quotes".to_owned()),
            "false" | "no" | "0" => Some("write false without quotes".to_owned()),
            _ => None,
        },
        (Kind::Boolean, LiteralValue::Number(number)) => match number.as_str() {
            "1" => Some("write true".to_owned()),
            "0" => Some("write false".to_owned()),
            _ => None,
        },
        (Kind::DateTime, _) => Some(r#"write it like "2026-05-01 09:30:00""#.to_owned()),
        (Kind::Date, _) => Some(r#"write it like "2026-05-01""#.to_owned()),
        _ => None,
    };
    match hint {
        Some(hint) => fault.hint(hint),
        None => fault,
    }
}

/// The integer that a number of another form stands for.
fn whole(number: &str) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53: up to here each integer is a double of its own
    let value: f64 = number.parse().ok()?;
    (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i64)
}

pub(super) fn integer_out_of_range(number: &str) -> Fault {
    let range = format!("an integer from {} to {}", i64::MIN, i64::MAX);
    expected("out_of_range", &range, &number.chars().take(40).collect::<String>())
}

pub(super) fn number_out_of_range(number: &str) -> Fault {
    let number: String = number.chars().take(40).collect();
    expected("out_of_range", "a number that a 64-bit floating-point number can hold", &number)
}

pub(super) fn text_too_long(characters: usize) -> Fault {
    expected("too_long", &format!("at most {MAX_TEXT} characters"), &characters.to_string())
}

pub(super) fn nul_character(at: usize) -> Fault {
    fault("nul_character", "expected no U+0000 in a string, found one".to_owned())
        .hint("databases can't keep it: leave it out")
        .within(at, at + 1)
}

pub(super) fn not_permitted(value: &str, permitted: &'static [&'static str]) -> Fault {
    let fault = expected("not_permitted", &or_list(permitted.iter().copied()), &shown(value));
    did_you_mean(fault, value, permitted.iter().copied()).permitted(permitted.iter().copied())
}

pub(super) fn list_too_long(length: usize) -> Fault {
    expected("too_many", &format!("at most {MAX_LIST} values in an array"), &length.to_string())
}

pub(super) fn nested_value(found: &str) -> Fault {
    wrong_type("a value without parts in the array", found)
}

pub(super) fn invalid_time(error: TimeError, kind: Kind, text: &str, start: usize) -> Fault {
    let fault = fault(error.code, error.message).within(start + error.range.start, start + error.range.end);
    match crate::time::parse_date(text) {
        Ok(_) if kind == Kind::DateTime => fault.hint(format!("add a time: `{text} 00:00:00`")),
        _ => fault,
    }
}

// Expressions

pub(super) fn expression_in_list(at: CharRange) -> Fault {
    fault("invalid_expression", "expected plain values in the array, found an expression".to_owned())
        .hint("an expression stands alone; several conditions on one field go into an object of operators")
        .within(at.start, at.end)
}

pub(super) fn expression_in_operator(operator: &str, at: CharRange) -> Fault {
    fault("invalid_expression", format!("expected a plain value for `{operator}`, found an expression"))
        .hint("leave out `;` and what follows: the operator stands before the value")
        .within(at.start, at.end)
}

pub(super) fn too_many_expressions(count: usize, rest: CharRange) -> Fault {
    expected("invalid_expression", "at most two expressions joined by `|`", &count.to_string())
        .hint(r#"more conditions on one field go into an object of operators: {"gte":…,"not":…}"#)
        .within(rest.start, rest.end)
}

pub(super) fn expression_without_operator(part: &Part<'_>) -> Fault {
    let at = part.at();
    expected("invalid_expression", "`<value>;<operator>`", &name(part.text))
        .hint("add an operator: `;>`, `;<`, `;>=`, `;<=`, `;=` or `;!=`")
        .within(at.start, at.end)
}

pub(super) fn expression_without_value(at: CharRange) -> Fault {
    fault("invalid_expression", "expected a value before `;`, found none".to_owned()).within(at.start, at.end)
}

pub(super) fn unknown_symbol(symbol: &str, at: CharRange) -> Fault {
    let found = if symbol.is_empty() { "none".to_owned() } else { name(symbol) };
    let wanted = format!("an operator ({})", or_list(SYMBOLS.iter().copied()));
    let fault = expected("invalid_expression", &wanted, &found).within(at.start, at.end);
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
        Some(meant) => fault.hint(format!("did you mean `{meant}`?")),
        None => fault,
    }
}

pub(super) fn wrong_expression_value(kind: Kind, text: &str, at: CharRange) -> Fault {
    expected("invalid_expression", kind_in_words(kind), &name(text)).within(at.start, at.end)
}

// Operators

pub(super) fn empty_operators(kind: Kind) -> Fault {
    let permitted = operators_for(kind).iter().map(|operator| operator.as_str());
    fault("empty_operators", "expected at least one operator in the object, found none".to_owned()).permitted(permitted)
}

pub(super) fn unknown_operator(given: &str, kind: Kind) -> Fault {
    let names = operators_for(kind).iter().map(|operator| operator.as_str());
    let fault = expected("unknown_operator", "an operator", &name(given)).permitted(names.clone());
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
        Some(meant) => fault.hint(format!("did you mean `{meant}`?")),
        None => did_you_mean(fault, given, names),
    }
}

pub(super) fn operator_not_for(operator: Operator, key: &str, kind: Kind) -> Fault {
    let names = operators_for(kind).iter().map(|operator| operator.as_str());
    let wanted = format!("an operator for {} ({})", name(key), or_list(names.clone()));
    expected("operator_not_applicable", &wanted, &format!("`{operator}`")).permitted(names)
}

pub(super) fn single_value(operator: &str, found: &str) -> Fault {
    wrong_type(&format!("a single value for `{operator}`"), found)
}

pub(super) fn array_for_in(value: &LiteralValue) -> Fault {
    let fault = wrong_type("an array for `in`", &found(value));
    match value {
        LiteralValue::Text(text) if text.chars().count() > 40 => fault.hint("put it into [ ]"),
        LiteralValue::Text(text) => fault.hint(format!("write [{}]", json::quote(text))),
        _ => fault.hint(format!("write [{}]", found(value))),
    }
}

pub(super) fn truth_for_null(found: &str) -> Fault {
    wrong_type("`true` or `false` for `null`", found)
}

// Controls

pub(super) fn limit_type(found: &str, number: Option<&str>) -> Fault {
    let fault = wrong_type(r#"a string "<count>;<offset>""#, found);
    match number {
        Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => fault.hint(format!("write \"{number};0\"")),
        _ => fault.hint(r#"write "200;0""#),
    }
}

pub(super) fn limit_form(text: &str) -> Fault {
    let fault = expected("invalid_limit", r#""<count>;<offset>" in plain digits"#, &shown(text));
    match !text.is_empty() && text.len() <= 40 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => fault.hint(format!("write \"{text};0\"")),
        false => fault.hint(r#"the first 200 are "200;0", the next 200 are "200;200""#),
    }
}

pub(super) fn limit_digits(what: &str, text: &str, at: CharRange) -> Fault {
    let found = if text.is_empty() { "none".to_owned() } else { name(text) };
    expected("invalid_limit", &format!("the {what} in plain digits"), &found).within(at.start, at.end)
}

pub(super) fn count_out_of_range(max: u32, text: &str, at: CharRange) -> Fault {
    expected("out_of_range", &format!("a count from 0 to {max}"), &name(text)).within(at.start, at.end)
}

pub(super) fn offset_out_of_range(text: &str, at: CharRange) -> Fault {
    expected("out_of_range", &format!("an offset from 0 to {MAX_OFFSET}"), &name(text))
        .hint("go through many leads with `_cursor`")
        .within(at.start, at.end)
}

pub(super) fn too_many_order_keys(found: usize) -> Fault {
    expected("too_many", &format!("at most {MAX_ORDER} fields in `_order`"), &found.to_string())
}

pub(super) fn not_orderable(field: &Field, at: CharRange) -> Fault {
    let fault = fault("not_orderable", format!("expected a field of the lead, found `{}`", field.name()));
    fault.hint("a lead has one place in the order, and may be in several campaigns").within(at.start, at.end)
}

pub(super) fn unknown_order(given: &str, at: CharRange) -> Fault {
    let names = FIELDS.iter().filter(|field| field.orderable()).map(Field::name);
    let fault = expected("unknown_field", "a field of the lead", &name(given)).within(at.start, at.end);
    did_you_mean(fault, given, names)
}

pub(super) fn repeated_order(given: &str) -> Fault {
    fault("duplicate_key", format!("expected each field once in `_order`, found {} again", name(given)))
}

pub(super) fn unknown_member(given: &str, members: impl IntoIterator<Item = &'static str>) -> Fault {
    let fault = expected("unknown_field", "a member of an answered lead", &name(given));
    match given.starts_with(CUSTOM_PREFIX) {
        true => fault.hint("custom fields are answered together: `custom_fields`"),
        false => did_you_mean(fault, given, members),
    }
}

pub(super) fn fields_type(found: &str) -> Fault {
    wrong_type("an array of strings", found).hint(r#"write ["first_name","phone"]"#)
}

pub(super) fn invalid_cursor(detail: &str) -> Fault {
    fault("invalid_cursor", detail.to_owned())
        .hint("send the `next_cursor` of the page before, with the same `_order`; the first page has \"\"")
}

pub(super) fn cursor_with_offset() -> Fault {
    fault("cursor_with_offset", "expected the offset 0 with `_cursor`, found another".to_owned())
        .hint("the cursor already says where the page starts")
}
