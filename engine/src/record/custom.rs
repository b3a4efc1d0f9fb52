//! How custom fields are read: their names, their values, and what may not be among them.

use std::collections::BTreeMap;

use super::value::{Given, LONG, lines};
use crate::api::CustomValue;
use crate::fault::{Fault, Place};
use crate::filter::fields::MAX_CUSTOM_NAME;
use crate::json::{Node, Value};
use crate::message::{self, below, fault, is_whole, wrong_type};

/// Most custom fields of one record.
pub const MAX_CUSTOM_FIELDS: usize = 100;

/// Reads an object of custom fields into the slot; a field that is null is taken away.
pub fn custom_fields(
    slot: &mut Option<BTreeMap<String, Option<CustomValue>>>,
    given: &Given<'_>,
    faults: &mut Vec<Fault>,
) {
    let Given::Json(Node { value: Value::Object(members), .. }) = given else {
        faults.push(given.wrong("an object of custom fields"));
        return;
    };
    if members.len() > MAX_CUSTOM_FIELDS {
        let detail = format!("expected at most {MAX_CUSTOM_FIELDS} custom fields, found {}", members.len());
        faults.push(fault("too_many", detail));
        return;
    }
    let fields = slot.get_or_insert_default();
    // What is no JSON was already reported.
    for member in members.iter().filter(|member| member.value.value != Value::Invalid) {
        if let Err(wrong) = check_name(&member.key) {
            faults.push(Fault { place: below(&member.key), at: member.key_span, ..wrong });
        }
        match value(&member.value) {
            Ok(value) => drop(fields.insert(member.key.clone(), value)),
            Err(wrong) => faults.push(Fault { place: below(&member.key), at: member.value.span, ..wrong }),
        }
    }
}

fn value(node: &Node) -> Result<Option<CustomValue>, Fault> {
    Ok(Some(match &node.value {
        Value::Null => return Ok(None),
        Value::Bool(value) => CustomValue::Bool(*value),
        Value::String(_) => CustomValue::Text(lines(LONG)(&Given::Json(node))?),
        Value::Number(number) if is_whole(number) => CustomValue::Integer(number.parse().map_err(|_| {
            let detail = format!("expected an integer of 64 bits, found {number:.40}");
            fault("out_of_range", detail).hint("send it as a string, to keep its digits")
        })?),
        Value::Number(number) => match number.parse::<f64>() {
            Ok(value) if value.is_finite() => CustomValue::Number(value),
            _ => return Err(fault("out_of_range", format!("expected a finite number, found {number:.40}"))),
        },
        other => return Err(wrong_type("a string, a number, true, false or null", other.kind())),
    }))
}

/// A cell of a `custom.<name>` column. It is always a text: whether `007` is a number only its sender knows.
pub fn from_cell(cell: &str) -> Result<Option<CustomValue>, Fault> {
    if cell.is_empty() {
        return Ok(None);
    }
    lines(LONG)(&Given::Cells(&[cell])).map(|text| Some(CustomValue::Text(text)))
}

/// Checks the name of a custom field.
pub fn check_name(name: &str) -> Result<(), Fault> {
    let length = name.chars().count();
    if !(1..=MAX_CUSTOM_NAME).contains(&length) {
        let detail = format!("expected a name of 1 to {MAX_CUSTOM_NAME} characters, found {length}");
        return Err(fault("invalid_name", detail));
    }
    if let Some(c) = name.chars().find(|c| c.is_control()) {
        let detail = format!("expected no control characters in a name, found U+{:04X}", u32::from(c));
        return Err(fault("control_character", detail));
    }
    if names_card_data(name) {
        let detail = format!("{} names card data, which is never stored", message::name(name));
        return Err(fault("card_data", detail));
    }
    Ok(())
}

/// Whether a name says that its value is card data. Values are not looked at: every IMEI, and one in ten of all other
/// numbers of that length, would pass for a card number.
fn names_card_data(name: &str) -> bool {
    const WHOLE: [&str; 9] = ["cvv", "cvv2", "cvc", "cvc2", "ccnumber", "ccnum", "cccvv", "cardpin", "cardexpiry"];
    const PARTS: [&str; 6] = ["cardnumber", "cardnum", "creditcard", "debitcard", "cardcvv", "cardcvc"];
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    WHOLE.contains(&letters.as_str()) || PARTS.iter().any(|part| letters.contains(part))
}

/// The place of a custom field's column.
pub fn column(name: &str) -> Place {
    Place::Column(format!("{}{name}", crate::filter::fields::CUSTOM_PREFIX))
}
