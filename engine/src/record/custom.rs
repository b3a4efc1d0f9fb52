//! Custom fields: validates names and values, and rejects card data.

use std::collections::BTreeMap;

use super::value::{FieldInput, MAX_LONG_TEXT_CHARS, lines};
use crate::api::CustomValue;
use crate::diagnostic::{
    self, Diagnostic, Location, catalog::record as texts, expected, is_integer_literal, member_location,
    new_diagnostic, wrong_type,
};
use crate::filter::fields::MAX_CUSTOM_NAME_CHARS;
use crate::host;
use crate::json::{Node, Value};

/// Maximum number of custom fields, per lead and per record.
pub const MAX_CUSTOM_FIELDS: usize = 100;

/// Parses an object of custom fields into the slot. A null field is removed.
pub fn custom_fields(
    slot: &mut Option<BTreeMap<String, Option<CustomValue>>>,
    input: &FieldInput<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let FieldInput::Json(Node { value: Value::Object(members), .. }) = input else {
        diagnostics.push(input.wrong_type(texts::custom_fields()));
        return;
    };
    if members.len() > MAX_CUSTOM_FIELDS {
        diagnostics.push(expected("too_many", texts::at_most_custom_fields(MAX_CUSTOM_FIELDS), members.len()));
        return;
    }
    let fields = slot.get_or_insert_default();
    // Invalid JSON was already reported.
    for member in members.iter().filter(|member| member.value.value != Value::Invalid) {
        if let Err(error) = check_name(&member.key) {
            diagnostics.push(Diagnostic {
                location: member_location(&member.key),
                byte_range: member.key_span,
                ..error
            });
        }
        match parse_value(&member.value) {
            Ok(value) => drop(fields.insert(member.key.clone(), value)),
            Err(error) => diagnostics.push(Diagnostic {
                location: member_location(&member.key),
                byte_range: member.value.span,
                ..error
            }),
        }
    }
}

fn parse_value(node: &Node) -> Result<Option<CustomValue>, Diagnostic> {
    Ok(Some(match &node.value {
        Value::Null => return Ok(None),
        Value::Bool(value) => CustomValue::Bool(*value),
        Value::String(_) => CustomValue::Text(lines(MAX_LONG_TEXT_CHARS)(&FieldInput::Json(node))?),
        Value::Number(number) if is_integer_literal(number) => CustomValue::Integer(number.parse().map_err(|_| {
            let error = expected("out_of_range", texts::integer_of_64_bits(), diagnostic::format_number(number));
            error.suggest(texts::send_as_string())
        })?),
        Value::Number(number) => match host::parse_float(number) {
            Some(value) if value.is_finite() => CustomValue::Number(value),
            _ => return Err(expected("out_of_range", texts::finite_number(), diagnostic::format_number(number))),
        },
        other => return Err(wrong_type(texts::custom_value(), other.kind())),
    }))
}

/// Parses a cell of a `custom.<name>` column. The result is always a text, because the type of `007` is ambiguous.
/// [`LeadRecord::with_stored_types`](super::LeadRecord::with_stored_types) applies the types of an existing lead.
pub fn parse_cell(cell: &str) -> Result<Option<CustomValue>, Diagnostic> {
    if cell.is_empty() {
        return Ok(None);
    }
    lines(MAX_LONG_TEXT_CHARS)(&FieldInput::Cells(&[cell], None)).map(|text| Some(CustomValue::Text(text)))
}

/// Validates the name of a custom field.
pub fn check_name(name: &str) -> Result<(), Diagnostic> {
    let length = name.chars().count();
    if !(1..=MAX_CUSTOM_NAME_CHARS).contains(&length) {
        return Err(expected("invalid_name", texts::name_length(MAX_CUSTOM_NAME_CHARS), length));
    }
    if let Some(c) = name.chars().find(|c| c.is_control()) {
        let code = format!("U+{:04X}", u32::from(c));
        return Err(new_diagnostic("control_character", texts::forbidden_character(code)));
    }
    if is_card_data_name(name) {
        return Err(new_diagnostic("card_data", texts::card_data(diagnostic::format_name(name))));
    }
    Ok(())
}

/// Returns true if a name indicates card data. Values aren't checked: every IMEI, and one in ten other numbers of that length, would pass
/// as a card number.
fn is_card_data_name(name: &str) -> bool {
    const FORBIDDEN_NAMES: [&str; 9] =
        ["cvv", "cvv2", "cvc", "cvc2", "ccnumber", "ccnum", "cccvv", "cardpin", "cardexpiry"];
    const FORBIDDEN_PARTS: [&str; 6] = ["cardnumber", "cardnum", "creditcard", "debitcard", "cardcvv", "cardcvc"];
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    FORBIDDEN_NAMES.contains(&letters.as_str()) || FORBIDDEN_PARTS.iter().any(|part| letters.contains(part))
}

/// Returns the location of a custom field's column.
pub fn column_location(name: &str) -> Location {
    Location::Column(format!("{}{name}", crate::filter::fields::CUSTOM_PREFIX))
}
