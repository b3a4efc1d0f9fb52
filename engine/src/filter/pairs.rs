//! The filter language as pairs of texts: query parameters and path segments.
//!
//! Example: `GET /api/leads?city=Bonn&city=Berlin&calls_count=2;<&email[null]=true&limit=500;0`. All values are texts, and each is read
//! according to its field's kind. Groups are only supported in JSON bodies.

use super::ast::{Control, Controls, FieldCondition, List, LiteralValue, Name, Operation, Operators, Value};
use super::check::Checker;
use super::error;
use super::fields::{CUSTOM_PREFIX, Kind, find};
use super::operator::{Arity, Operator};
use super::predicate::{CheckedFilter, Predicate};
use super::{Limits, controls, is_control};
use crate::diagnostic::{Diagnostic, Location, Span};
use crate::json;

/// Parses a filter from decoded pairs of key and value. Without pairs, the filter lists all leads.
///
/// A repeated key matches any of its values.
///
/// # Errors
/// All errors, in the order of the keys. Each names its parameter as written.
pub fn parse_pairs(pairs: &[(String, String)], limits: &Limits) -> Result<CheckedFilter, Vec<Diagnostic>> {
    let mut checker = Checker::new(Location::Parameter(String::new()));
    let mut controls = Controls::default();
    let mut predicates = Vec::new();
    for (key, values) in group_by_key(pairs) {
        if checker.report.is_full() {
            break;
        }
        let parent = checker.report.enter(key);
        if is_control(key) {
            match values.as_slice() {
                &[value] => set_control(&mut controls, key, value),
                _ => checker.report.add(Span::default(), error::repeated_parameter(key)),
            }
        } else if matches!(key, "_or" | "_and") {
            checker.report.add(Span::default(), error::group_in_parameters(key));
        } else if key.starts_with('_') {
            checker.report.add(Span::default(), error::unknown_control(key));
        } else {
            checker.check_field(&parse_condition(key, &values), &mut predicates);
        }
        checker.report.leave(parent);
    }
    let filter = controls::check(&controls, limits, Predicate::All(predicates), &mut checker.report);
    match checker.report.diagnostics.is_empty() {
        true => Ok(filter),
        false => Err(checker.report.diagnostics),
    }
}

/// Groups the values by key, in the order of each key's first occurrence.
fn group_by_key(pairs: &[(String, String)]) -> Vec<(&str, Vec<&str>)> {
    let mut indexes = std::collections::BTreeMap::new();
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for (key, value) in pairs {
        let index = *indexes.entry(key.as_str()).or_insert(groups.len());
        match groups.get_mut(index) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}

fn set_control(controls: &mut Controls, key: &str, value: &str) {
    let text = || Some(Control::from(value.to_owned()));
    let names = || Some(Control::from(value.split(',').map(Name::from).collect::<Vec<_>>()));
    match key {
        "limit" => controls.limit = text(),
        "_order" => controls.order = names(),
        "_cursor" => controls.cursor = text(),
        "_fields" => controls.fields = names(),
        _ => controls.campaigns = text(),
    }
}

/// Parses `field=value` or `field[operator]=value`, with at least one value.
fn parse_condition(key: &str, values: &[&str]) -> FieldCondition {
    // The last brackets contain the operator, because the name of a custom field may contain brackets too.
    let (field, operator) = match key.strip_suffix(']').and_then(|key| key.rsplit_once('[')) {
        Some((field, operator)) => (field, Some(operator)),
        None => (key, None),
    };
    let known_operator = operator.and_then(Operator::from_name);
    let kind = match known_operator {
        Some(operator) if operator.arity() == Arity::Boolean => Some(Kind::Boolean),
        // The operand of a text match is always a text.
        Some(operator) if operator.needs_text() => Some(Kind::Text),
        _ => find(field).map(|field| field.kind).or(field.starts_with(CUSTOM_PREFIX).then_some(Kind::Custom)),
    };
    let accepts_several = matches!(known_operator.map(Operator::arity), None | Some(Arity::OneOrMore | Arity::Many));
    let literals: Vec<LiteralValue> =
        values.iter().flat_map(|value| possible_literals(kind, value, accepts_several)).collect();
    let value = match <[LiteralValue; 1]>::try_from(literals) {
        Ok([single]) if known_operator != Some(Operator::In) => Value::from(single),
        Ok(single) => Value::List(List::from_iter(single)),
        Err(values) => Value::List(List::from_iter(values)),
    };
    let value = match operator {
        Some(operator) => {
            let operation = Operation { name: Name::from(operator), operand: value };
            Value::Operators(Operators { operations: vec![operation], span: Span::default() })
        }
        None => value,
    };
    FieldCondition { key: Name::from(field), value }
}

/// Returns the possible values of a text on a field of this kind. A custom field may contain it as text or as another
/// type, so both are returned if the operator accepts several values.
fn possible_literals(kind: Option<Kind>, text: &str, accepts_several: bool) -> Vec<LiteralValue> {
    let typed_value = match (kind, text) {
        (Some(Kind::Boolean | Kind::Custom), "true") => Some(LiteralValue::Boolean(true)),
        (Some(Kind::Boolean | Kind::Custom), "false") => Some(LiteralValue::Boolean(false)),
        (Some(Kind::Integer | Kind::Number | Kind::Custom), number) if json::is_number(number) => {
            Some(LiteralValue::Number(number.to_owned()))
        }
        _ => None,
    };
    let text_value = LiteralValue::Text(text.to_owned());
    match typed_value {
        Some(typed_value) if kind == Some(Kind::Custom) && accepts_several => vec![typed_value, text_value],
        Some(typed_value) => vec![typed_value],
        None => vec![text_value],
    }
}
