//! Rows of the panel's filter form: field, operator and values. [`super::form_tree`] combines them.
//!
//! Values are kept as entered. The field determines how a text is interpreted. For custom fields, whose type is unknown, `5` is a number
//! and `"5"`, with its quotes, is a text.

use super::ast::{Condition, FieldCondition, Literal, LiteralValue, Name, Operation, Operators, Value};
use super::expression::{is_expression, split_expressions};
use super::fields::{CUSTOM_PREFIX, Kind, find};
use super::operator::{Arity, Operator};
use super::value::accepts_expressions;
use crate::diagnostic::Span;
use crate::json;

/// A row of the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormRow {
    /// Key of the field.
    pub key: String,
    /// The operator.
    pub operator: Operator,
    /// Its values, as entered.
    pub values: Vec<String>,
}

impl FormRow {
    /// Returns true if the row is a complete condition. An empty text is the value of an untouched input, so it doesn't count.
    pub fn is_complete(&self) -> bool {
        self.key != CUSTOM_PREFIX && self.values.iter().any(|value| !value.is_empty())
    }

    /// Returns true if the form has inputs for the row: its field and all its values are known.
    fn is_editable(&self) -> bool {
        let is_known = find(&self.key).is_some() || self.key.starts_with(CUSTOM_PREFIX);
        is_known && self.is_complete() && self.values.iter().all(|value| !value.is_empty())
    }
}

/// Converts a condition to rows.
///
/// `None` if rows can't express it: unknown fields and operators, `null` or an empty text among values, empty arrays, two expressions with
/// the same operator, and invalid JSON.
pub(super) fn to_rows(condition: &FieldCondition) -> Option<Vec<FormRow>> {
    let mut rows = Vec::new();
    field_rows(condition, &mut rows)?;
    Some(rows).filter(|rows| rows.iter().all(FormRow::is_editable))
}

/// Converts the rows of one key to a condition. The rows must have different operators.
pub(super) fn to_condition(key: &str, rows: &[FormRow]) -> Condition {
    // A single input that was changed to a list can leave an empty value.
    let mut rows = rows.to_vec();
    rows.iter_mut().for_each(|row| row.values.retain(|value| !value.is_empty()));
    let value = condition_value(key, &rows.iter().collect::<Vec<_>>());
    Condition::Field(FieldCondition { key: Name::from(key), value })
}

fn field_rows(condition: &FieldCondition, rows: &mut Vec<FormRow>) -> Option<()> {
    let key = &condition.key.text;
    let kind = find(key).map(|field| field.kind);
    let row = |operator, values| FormRow { key: key.clone(), operator, values };
    match &condition.value {
        Value::Literal(Literal { value: LiteralValue::Text(text), .. })
            if kind.is_some_and(accepts_expressions) && is_expression(text) =>
        {
            match expression_rows(text) {
                Some(expressions) => {
                    if matches!(expressions.as_slice(), [(first, _), (second, _)] if first == second) {
                        return None;
                    }
                    rows.extend(expressions.into_iter().map(|(operator, value)| row(operator, vec![value])));
                }
                None => rows.push(row(Operator::Eq, vec![text.clone()])),
            }
        }
        Value::Operators(operators) if !operators.operations.is_empty() => {
            for Operation { name, operand } in &operators.operations {
                let (operator, values) = operation_row(kind, Operator::from_name(&name.text)?, operand)?;
                rows.push(row(operator, values));
            }
        }
        Value::Operators(_) => return None,
        operand => {
            let (operator, values) = operation_row(kind, Operator::Eq, operand)?;
            rows.push(row(operator, values));
        }
    }
    Some(())
}

fn operation_row(kind: Option<Kind>, operator: Operator, operand: &Value) -> Option<(Operator, Vec<String>)> {
    match (operator, operand) {
        (Operator::Eq, Value::Literal(Literal { value: LiteralValue::Null, .. })) => {
            Some((Operator::Null, vec!["true".to_owned()]))
        }
        (Operator::Not, Value::Literal(Literal { value: LiteralValue::Null, .. })) => {
            Some((Operator::Null, vec!["false".to_owned()]))
        }
        (operator, Value::Literal(literal)) => Some((operator, vec![format_input(kind, &literal.value)?])),
        (operator, Value::List(list)) => {
            let values = list.elements.iter().map(|element| format_input(kind, &element.literal.value));
            let operator = if operator == Operator::Eq { Operator::In } else { operator };
            Some((operator, values.collect::<Option<_>>()?))
        }
        (_, Value::Operators(_) | Value::Invalid) => None,
    }
}

/// Returns the operators and values of expressions, if all of them are valid.
fn expression_rows(text: &str) -> Option<Vec<(Operator, String)>> {
    let parts = split_expressions(text);
    let rows = parts.iter().map(|part| Some((Operator::from_symbol(part.symbol?)?, part.value.to_owned())));
    rows.collect::<Option<Vec<_>>>().filter(|rows| rows.len() <= 2 && rows.iter().all(|(_, value)| !value.is_empty()))
}

fn condition_value(key: &str, rows: &[&FormRow]) -> Value {
    let kind = find(key).map(|field| field.kind);
    if let [FormRow { operator: Operator::Eq | Operator::In, .. }] = rows {
        return to_operand(kind, rows[0]);
    }
    if let [FormRow { operator: Operator::Null, values, .. }] = rows
        && values.first().is_some_and(|value| value == "true")
    {
        return Value::from(LiteralValue::Null);
    }
    if let Some(expressions) = kind.filter(|kind| accepts_expressions(*kind)).and_then(|_| to_expressions(rows)) {
        return Value::from(LiteralValue::Text(expressions));
    }
    let operations = rows
        .iter()
        .map(|row| Operation { name: row.operator.as_str().into(), operand: to_operand(kind, row) })
        .collect();
    Value::Operators(Operators { operations, span: Span::default() })
}

/// Returns one or two comparisons in the documented form.
fn to_expressions(rows: &[&FormRow]) -> Option<String> {
    let expression = |row: &&FormRow| match row.values.as_slice() {
        [value]
            if row.operator.arity() == Arity::One
                && !row.operator.needs_text()
                && !is_expression(value)
                && !value.is_empty() =>
        {
            row.operator.symbol().map(|symbol| format!("{value};{symbol}"))
        }
        _ => None,
    };
    let expressions = rows.iter().map(expression).collect::<Option<Vec<_>>>()?;
    matches!(expressions.len(), 1 | 2).then(|| expressions.join("|"))
}

fn to_operand(kind: Option<Kind>, row: &FormRow) -> Value {
    let arity = row.operator.arity();
    let kind = if arity == Arity::Boolean { Some(Kind::Boolean) } else { kind };
    match row.values.as_slice() {
        [single] if arity != Arity::Many => Value::from(parse_input(kind, single)),
        values => Value::List(values.iter().map(|value| parse_input(kind, value)).collect()),
    }
}

/// Converts an entered text to a value of a field of this kind. `None` stands for a field of unknown kind.
fn parse_input(kind: Option<Kind>, text: &str) -> LiteralValue {
    let is_untyped = matches!(kind, None | Some(Kind::Custom));
    let trimmed = text.trim();
    match kind {
        None | Some(Kind::Custom | Kind::Integer | Kind::Number) if json::is_number(trimmed) => {
            LiteralValue::Number(trimmed.to_owned())
        }
        None | Some(Kind::Custom | Kind::Boolean) if trimmed == "true" => LiteralValue::Boolean(true),
        None | Some(Kind::Custom | Kind::Boolean) if trimmed == "false" => LiteralValue::Boolean(false),
        Some(Kind::Integer | Kind::Number | Kind::DateTime | Kind::Date) => LiteralValue::Text(trimmed.to_owned()),
        _ if is_untyped && text.starts_with('"') => match json::parse(text) {
            json::Document { root: Some(json::Node { value: json::Value::String(text), .. }), diagnostics }
                if diagnostics.is_empty() =>
            {
                LiteralValue::Text(text)
            }
            _ => LiteralValue::Text(text.to_owned()),
        },
        _ => LiteralValue::Text(text.to_owned()),
    }
}

/// Returns the text to enter for this value of the field: the text itself, or the quoted text if it would be read as another type.
pub fn input_text(key: &str, text: &str) -> String {
    let literal = LiteralValue::Text(text.to_owned());
    format_input(find(key).map(|field| field.kind), &literal).unwrap_or_default()
}

/// Returns the text that [`parse_input`] converts to this value; `None` for null.
fn format_input(kind: Option<Kind>, value: &LiteralValue) -> Option<String> {
    match value {
        LiteralValue::Null => None,
        LiteralValue::Boolean(value) => Some(value.to_string()),
        LiteralValue::Number(number) => Some(number.clone()),
        LiteralValue::Text(text) => match kind {
            None | Some(Kind::Custom) if parse_input(kind, text) != *value => Some(json::quote(text)),
            _ => Some(text.clone()),
        },
    }
}
