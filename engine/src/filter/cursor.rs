//! Cursors: opaque texts that mark the start of a page.
//!
//! A cursor contains its order and the values of the order's fields at the last lead of a page, as JSON in base64url. The next page starts
//! after these values, so that no lead is skipped or repeated because of concurrent changes.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::eval::lead_value;
use super::fields::Kind;
use super::predicate::{FieldValueRef, OrderKey, Value};
use crate::api::{Lead, Timestamp};
use crate::host;
use crate::json;
use crate::time;

/// Reason why a text isn't a valid cursor for an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CursorError {
    /// The text isn't a cursor, or is incomplete.
    Damaged,
    /// The cursor belongs to another order.
    DifferentOrder,
}

/// Returns the cursor after the lead with these values, one per field of the order.
pub fn encode(order: &[OrderKey], values: &[Option<Value>]) -> String {
    let mut json = String::from("[");
    json::push_quoted(&mut json, &format_order(order));
    for value in values {
        json.push(',');
        match value {
            None => json.push_str("null"),
            Some(Value::Integer(value)) => json.push_str(&value.to_string()),
            // The text that Rust writes for a double parses back to the same double.
            Some(Value::Number(value)) => json::push_quoted(&mut json, &value.to_string()),
            Some(Value::Text(text)) => json::push_quoted(&mut json, text),
            Some(Value::Boolean(value)) => json.push_str(if *value { "true" } else { "false" }),
            Some(Value::Time(time)) => json.push_str(&time.timestamp_micros().to_string()),
        }
    }
    json.push(']');
    URL_SAFE_NO_PAD.encode(json)
}

/// Returns the cursor after a lead.
pub fn encode_after(order: &[OrderKey], lead: &Lead) -> String {
    let value = |key: &OrderKey| lead_value(key.field, lead).map(FieldValueRef::to_value);
    encode(order, &order.iter().map(value).collect::<Vec<_>>())
}

/// Returns the values in a cursor, one per field of this order.
///
/// # Errors
/// The text isn't a cursor, or is a cursor for another order.
pub fn decode(order: &[OrderKey], cursor: &str) -> Result<Vec<Option<Value>>, CursorError> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| CursorError::Damaged)?;
    let text = String::from_utf8(bytes).map_err(|_| CursorError::Damaged)?;
    let document = json::parse(&text);
    let Some(json::Node { value: json::Value::Array(items), .. }) =
        document.root.filter(|_| document.diagnostics.is_empty())
    else {
        return Err(CursorError::Damaged);
    };
    let Some((json::Node { value: json::Value::String(order_text), .. }, values)) = items.split_first() else {
        return Err(CursorError::Damaged);
    };
    if *order_text != format_order(order) {
        return Err(CursorError::DifferentOrder);
    }
    if values.len() != order.len() {
        return Err(CursorError::Damaged);
    }
    order.iter().zip(values).map(|(key, node)| decode_value(key, &node.value)).collect()
}

fn decode_value(key: &OrderKey, value: &json::Value) -> Result<Option<Value>, CursorError> {
    let field = key.field.field();
    let value = match (field.kind, value) {
        (_, json::Value::Null) if field.nullable => return Ok(None),
        (Kind::Integer, json::Value::Number(number)) => number.parse().ok().map(Value::Integer),
        (Kind::Number, json::Value::String(number)) => {
            host::parse_float(number).filter(|number| number.is_finite()).map(Value::Number)
        }
        (Kind::Text, json::Value::String(text)) => Some(Value::Text(text.clone())),
        (Kind::Boolean, json::Value::Bool(value)) => Some(Value::Boolean(*value)),
        (Kind::DateTime | Kind::Date, json::Value::Number(micros)) => {
            let time = micros.parse().ok().and_then(Timestamp::from_timestamp_micros);
            time.filter(|time| time::is_supported_year(*time)).map(Value::Time)
        }
        _ => None,
    };
    value.map(Some).ok_or(CursorError::Damaged)
}

/// Formats an order, such as `-updated_at,id`.
fn format_order(order: &[OrderKey]) -> String {
    let names: Vec<String> = order
        .iter()
        .map(|key| format!("{}{}", if key.descending { "-" } else { "" }, key.field.field().name()))
        .collect();
    names.join(",")
}
