//! Converts the syntax tree to a checked filter: validates names against the field table and values against their kinds.

use super::ast::{
    Condition, Element, FieldCondition, Filter, Group, Junction, List, Literal, LiteralValue, Operation, Value,
};
use super::error;
use super::expression::{Part, is_expression, parts, range};
use super::fields::{CUSTOM_PREFIX, FieldId, Kind, MAX_CUSTOM_NAME, find};
use super::operator::{Operator, operators_for};
use super::predicate::{self, CheckedFilter, FieldRef, Predicate, Test, TextMatch};
use super::report::Report;
use super::value::{check_blanks, check_text, of_expression, of_literal, takes_expressions};
use super::{Limits, MAX_CONDITIONS, MAX_GROUP_DEPTH, MAX_LIST, controls};
use crate::country;
use crate::diagnostic::{Diagnostic, Place, Span, catalog::common};
use crate::zone;

/// Checks a filter from any source.
///
/// A filter without conditions and controls is valid here and lists all leads. Empty *texts* are rejected by [`super::parse`].
///
/// # Errors
/// All faults, in the order of the tree.
pub fn check(filter: &Filter, limits: &Limits) -> Result<CheckedFilter, Vec<Diagnostic>> {
    let mut checker = Checker::new(Place::default());
    let predicate = checker.all(&filter.conditions, 0);
    let checked = controls::check(&filter.controls, limits, predicate, &mut checker.report);
    match checker.report.faults.is_empty() {
        true => Ok(checked),
        false => Err(checker.report.faults),
    }
}

/// The field of a condition.
struct Subject<'a> {
    field: FieldRef,
    key: &'a str,
    kind: Kind,
    permitted: &'static [&'static str],
}

impl Subject<'_> {
    /// Returns the typed value of a literal without expressions.
    fn read(&self, literal: &LiteralValue) -> Result<predicate::Value, Diagnostic> {
        let value = of_literal(self.kind, self.permitted, literal)?;
        match &value {
            predicate::Value::Text(text) => check_blanks(&self.field, text, true).map(|()| value),
            _ => Ok(value),
        }
    }
}

/// Checks conditions and collects their faults. Invalid conditions are omitted from the predicates.
pub(super) struct Checker {
    pub report: Report,
    tests: usize,
}

impl Checker {
    pub fn new(place: Place) -> Self {
        Self { report: Report::new(place), tests: 0 }
    }

    /// Checks conditions inside `depth` groups and joins them.
    fn all(&mut self, conditions: &[Condition], depth: usize) -> Predicate {
        let mut all = Vec::with_capacity(conditions.len());
        for condition in conditions {
            if self.report.is_full() {
                break;
            }
            match condition {
                Condition::Field(condition) => {
                    let outer = self.report.step(&condition.key.text);
                    self.field(condition, &mut all);
                    self.report.back(outer);
                }
                Condition::Group(group) => {
                    let outer = self.report.step(group.junction.key());
                    self.group(group, depth + 1, &mut all);
                    self.report.back(outer);
                }
            }
        }
        Predicate::All(all)
    }

    fn group(&mut self, group: &Group, depth: usize, all: &mut Vec<Predicate>) {
        if depth > MAX_GROUP_DEPTH {
            return self.report.add(group.key_span, error::groups_too_deep());
        }
        if group.branches.is_empty() {
            return self.report.add(group.span, error::empty_group(group.junction.key()));
        }
        let mut branches = Vec::with_capacity(group.branches.len());
        for branch in &group.branches {
            let outer = self.report.step(&branch.index.to_string());
            if branch.conditions.is_empty() {
                self.report.add(branch.span, error::empty_branch());
            }
            branches.push(self.all(&branch.conditions, depth));
            self.report.back(outer);
        }
        match group.junction {
            Junction::Any => all.push(Predicate::Any(branches.into_iter().map(unwrap_single).collect())),
            Junction::All => all.extend(branches.into_iter().flat_map(|branch| match branch {
                Predicate::All(parts) => parts,
                other => vec![other],
            })),
        }
    }

    /// Checks a condition on a field and appends its tests to `all`.
    pub fn field(&mut self, condition: &FieldCondition, all: &mut Vec<Predicate>) {
        let subject = match subject(&condition.key.text) {
            Ok(subject) => subject,
            Err(fault) => return self.report.add(condition.key.span, fault),
        };
        match &condition.value {
            Value::Invalid => {}
            Value::Literal(Literal { value: LiteralValue::Text(text), span })
                if takes_expressions(subject.kind) && is_expression(text) =>
            {
                self.expressions(&subject, text, *span, all);
            }
            Value::Literal(_) | Value::List(_) => {
                let test = self.membership(&subject, None, &condition.value, false);
                self.add(&subject, test, condition.key.span, all);
            }
            Value::Operators(operators) if operators.operations.is_empty() => {
                self.report.add(operators.span, error::empty_operators(subject.kind));
            }
            Value::Operators(operators) => {
                for operation in operators.operations.iter().take(MAX_CONDITIONS + 1) {
                    let outer = self.report.step(&operation.name.text);
                    let test = self.operation(&subject, operation);
                    self.add(&subject, test, operation.name.span, all);
                    self.report.back(outer);
                }
            }
        }
    }

    fn add(&mut self, subject: &Subject<'_>, test: Option<Test>, at: Span, all: &mut Vec<Predicate>) {
        self.tests += 1;
        if self.tests == MAX_CONDITIONS + 1 {
            self.report.add(at, error::too_many_conditions());
        }
        if let Some(test) = test.filter(|_| self.tests <= MAX_CONDITIONS) {
            all.push(Predicate::Field(subject.field.clone(), test));
        }
    }

    /// Checks one or two expressions of the form `"<value>;<operator>"`.
    fn expressions(&mut self, subject: &Subject<'_>, text: &str, span: Span, all: &mut Vec<Predicate>) {
        let parts = parts(text);
        if let [_, _, third, ..] = parts.as_slice() {
            let rest = range(third.start, text.splitn(3, '|').last().unwrap_or_default());
            self.report.add(span, error::too_many_expressions(parts.len(), rest));
        }
        for part in parts.iter().take(2) {
            let test = self.expression(subject, part, span);
            self.add(subject, test, span, all);
        }
    }

    fn expression(&mut self, subject: &Subject<'_>, part: &Part<'_>, span: Span) -> Option<Test> {
        let symbol = self.report.take(span, part.symbol.ok_or_else(|| error::expression_without_operator(part)))?;
        if part.value.is_empty() {
            self.report.add(span, error::expression_without_value(part.at()));
            return None;
        }
        let value = self.report.take(span, of_expression(subject.kind, part));
        let operator = Operator::from_symbol(symbol).ok_or_else(|| error::unknown_symbol(symbol, part.symbol_at()));
        let (operator, value) = (self.report.take(span, operator)?, value?);
        Some(match operator.comparison() {
            Some(comparison) => Test::Compare(comparison, value),
            None if operator == Operator::Not => Test::NotIn { values: vec![value], null: false },
            None => Test::In { values: vec![value], null: false },
        })
    }

    /// Checks an operator of an object; `None` if it has a fault.
    fn operation(&mut self, subject: &Subject<'_>, operation: &Operation) -> Option<Test> {
        let name = &operation.name;
        let Some(operator) = Operator::from_name(&name.text) else {
            self.report.add(name.span, error::unknown_operator(&name.text, subject.kind));
            return None;
        };
        if !operators_for(subject.kind).contains(&operator) {
            self.report.add(name.span, error::operator_not_for(operator, subject.key, subject.kind));
            return None;
        }
        match (operator, &operation.operand) {
            (_, Value::Invalid | Value::Operators(_)) => None,
            (Operator::Eq | Operator::Not, operand) => {
                self.membership(subject, Some(operator), operand, operator == Operator::Not)
            }
            (Operator::In, Value::Literal(literal)) => {
                self.report.add(literal.span, error::array_for_in(&literal.value));
                None
            }
            (Operator::In, operand) => self.membership(subject, Some(operator), operand, false),
            (Operator::Null, Value::Literal(Literal { value: LiteralValue::Boolean(null), .. })) => {
                Some(Test::IsNull(*null))
            }
            (Operator::Null, Value::Literal(literal)) => {
                self.report.add(literal.span, error::truth_for_null(error::found(&literal.value)));
                None
            }
            (Operator::Null, Value::List(list)) => {
                self.report.add(list.span, error::truth_for_null(common::array()));
                None
            }
            (_, Value::List(list)) => {
                self.report.add(list.span, error::single_value(operator.as_str(), common::array()));
                None
            }
            (_, Value::Literal(literal)) => self.comparison(subject, operator, literal),
        }
    }

    /// Checks an operator with a single value other than null: a comparison or a text match.
    fn comparison(&mut self, subject: &Subject<'_>, operator: Operator, literal: &Literal) -> Option<Test> {
        if literal.value == LiteralValue::Null {
            self.report.add(literal.span, error::single_value(operator.as_str(), "null"));
            return None;
        }
        if let Some(text_match) = operator.text_match() {
            let text = match &literal.value {
                LiteralValue::Text(text) => check_text(text)
                    .and_then(|()| check_blanks(&subject.field, text, text_match == TextMatch::StartsWith))
                    .map(|()| text.clone()),
                other => Err(error::wrong_value(Kind::Text, other)),
            };
            return self.report.take(literal.span, text).map(|text| Test::Text(text_match, text));
        }
        // A closed list of permitted values doesn't restrict the bounds of a comparison.
        let open = Subject { field: subject.field.clone(), key: subject.key, kind: subject.kind, permitted: &[] };
        let value = self.value(&open, Some(operator), literal)?;
        if let predicate::Value::Boolean(_) = value {
            self.report.add(literal.span, error::wrong_type(common::string_or_number(), error::found(&literal.value)));
            return None;
        }
        operator.comparison().map(|comparison| Test::Compare(comparison, value))
    }

    /// Checks equality with one or any of several values.
    fn membership(
        &mut self,
        subject: &Subject<'_>,
        operator: Option<Operator>,
        operand: &Value,
        negated: bool,
    ) -> Option<Test> {
        let (values, null) = match operand {
            Value::Literal(Literal { value: LiteralValue::Null, .. }) => return Some(Test::IsNull(!negated)),
            Value::Literal(literal) => (vec![self.value(subject, operator, literal)?], false),
            Value::List(list) => self.list(subject, list)?,
            Value::Operators(_) | Value::Invalid => return None,
        };
        let values = values.into_iter().flat_map(|value| as_stored(&subject.field, value)).collect();
        Some(match negated {
            true => Test::NotIn { values, null },
            false => Test::In { values, null },
        })
    }

    fn list(&mut self, subject: &Subject<'_>, list: &List) -> Option<(Vec<predicate::Value>, bool)> {
        if list.elements.len() > MAX_LIST {
            self.report.add(list.span, error::list_too_long(list.elements.len()));
            return None;
        }
        let mut values = Vec::with_capacity(list.elements.len());
        let (mut null, mut complete) = (false, true);
        for Element { index, literal } in &list.elements {
            if self.report.is_full() {
                return None;
            }
            if literal.value == LiteralValue::Null {
                null = true;
                continue;
            }
            let outer = self.report.step(&index.to_string());
            let checked =
                plain(subject, &literal.value, error::expression_in_list).and_then(|()| subject.read(&literal.value));
            match self.report.take(literal.span, checked) {
                Some(value) => values.push(value),
                None => complete = false,
            }
            self.report.back(outer);
        }
        complete.then_some((values, null))
    }

    /// Checks a single value; `None` if it has a fault.
    fn value(
        &mut self,
        subject: &Subject<'_>,
        operator: Option<Operator>,
        literal: &Literal,
    ) -> Option<predicate::Value> {
        let name = operator.unwrap_or(Operator::Eq).as_str();
        let checked = plain(subject, &literal.value, |at| error::expression_in_operator(name, at));
        let value = checked.and_then(|()| subject.read(&literal.value));
        self.report.take(literal.span, value)
    }
}

/// Returns the stored forms of a value: for a country, the code and the text of older records; for a time zone, its current name.
fn as_stored(field: &FieldRef, value: predicate::Value) -> Vec<predicate::Value> {
    let stored = match (field, &value) {
        (FieldRef::Known(FieldId::Country), predicate::Value::Text(text)) => country::find(text),
        (FieldRef::Known(FieldId::Timezone), predicate::Value::Text(text)) => Some(zone::current_name(text)),
        _ => None,
    };
    let stored = stored.map(|text| predicate::Value::Text(text.to_owned())).filter(|stored| *stored != value);
    stored.into_iter().chain([value]).collect()
}

/// Rejects an expression where only a plain value is permitted.
fn plain(
    subject: &Subject<'_>,
    value: &LiteralValue,
    refuse: impl Fn(crate::diagnostic::CharRange) -> Diagnostic,
) -> Result<(), Diagnostic> {
    match value {
        LiteralValue::Text(text) if takes_expressions(subject.kind) && is_expression(text) => {
            let before = text.find([';', '|']).unwrap_or_default();
            let start = text[..before].chars().count();
            Err(refuse(range(start, &text[before..])))
        }
        _ => Ok(()),
    }
}

/// Returns the field for this key.
fn subject(key: &str) -> Result<Subject<'_>, Diagnostic> {
    if let Some(field) = find(key) {
        return Ok(Subject { field: FieldRef::Known(field.id), key, kind: field.kind, permitted: field.permitted });
    }
    let Some(name) = key.strip_prefix(CUSTOM_PREFIX) else {
        return Err(error::unknown_key(key));
    };
    match name.chars().count() {
        1..=MAX_CUSTOM_NAME if name.contains('\0') => Err(error::nul_character(0)),
        1..=MAX_CUSTOM_NAME => {
            Ok(Subject { field: FieldRef::Custom(name.to_owned()), key, kind: Kind::Custom, permitted: &[] })
        }
        characters => Err(error::custom_name(characters)),
    }
}

fn unwrap_single(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::All(mut parts) if parts.len() == 1 => parts.remove(0),
        other => other,
    }
}
