//! Converts the syntax tree to a checked filter: validates names against the field table and values against their kinds.

use super::ast::{
    Condition, Element, FieldCondition, Group, Junction, List, Literal, LiteralValue, Operation, SyntaxTree, Value,
};
use super::error;
use super::expression::{Expression, char_range, is_expression, split_expressions};
use super::fields::{CUSTOM_PREFIX, FieldId, Kind, MAX_CUSTOM_NAME_CHARS, find};
use super::operator::{Operator, operators_for};
use super::predicate::{self, CheckedFilter, FieldRef, Predicate, Test};
use super::report::DiagnosticCollector;
use super::value::{accepts_expressions, check_blanks, check_text, parse_expression_value, parse_literal};
use super::{Limits, MAX_CONDITIONS, MAX_GROUP_DEPTH, MAX_LIST_VALUES, controls};
use crate::country;
use crate::diagnostic::{Diagnostic, Location, Span, catalog::common};
use crate::zone;

/// Checks a filter from any source.
///
/// A filter without conditions and controls is valid here and lists all leads. Empty *texts* are rejected by [`super::parse`].
///
/// # Errors
/// All errors, in the order of the tree.
pub fn check(filter: &SyntaxTree, limits: &Limits) -> Result<CheckedFilter, Vec<Diagnostic>> {
    let mut checker = Checker::new(Location::default());
    let predicate = checker.check_conditions(&filter.conditions, 0);
    let checked = controls::check(&filter.controls, limits, predicate, &mut checker.report);
    match checker.report.diagnostics.is_empty() {
        true => Ok(checked),
        false => Err(checker.report.diagnostics),
    }
}

/// The field of a condition.
struct ResolvedField<'a> {
    field: FieldRef,
    key: &'a str,
    kind: Kind,
    permitted: &'static [&'static str],
}

impl ResolvedField<'_> {
    /// Returns the typed value of a literal without expressions.
    fn parse_value(&self, literal: &LiteralValue) -> Result<predicate::Value, Diagnostic> {
        let value = parse_literal(self.kind, self.permitted, literal)?;
        match &value {
            predicate::Value::Text(text) => check_blanks(&self.field, text, true).map(|()| value),
            _ => Ok(value),
        }
    }
}

/// Checks conditions and collects their errors. Invalid conditions are omitted from the predicates.
pub(super) struct Checker {
    pub report: DiagnosticCollector,
    test_count: usize,
}

impl Checker {
    pub fn new(location: Location) -> Self {
        Self { report: DiagnosticCollector::new(location), test_count: 0 }
    }

    /// Checks conditions inside `depth` groups and joins them.
    fn check_conditions(&mut self, conditions: &[Condition], depth: usize) -> Predicate {
        let mut predicates = Vec::with_capacity(conditions.len());
        for condition in conditions {
            if self.report.is_full() {
                break;
            }
            match condition {
                Condition::Field(condition) => {
                    let parent = self.report.enter(&condition.key.text);
                    self.check_field(condition, &mut predicates);
                    self.report.leave(parent);
                }
                Condition::Group(group) => {
                    let parent = self.report.enter(group.junction.key());
                    self.check_group(group, depth + 1, &mut predicates);
                    self.report.leave(parent);
                }
            }
        }
        Predicate::All(predicates)
    }

    fn check_group(&mut self, group: &Group, depth: usize, predicates: &mut Vec<Predicate>) {
        if depth > MAX_GROUP_DEPTH {
            return self.report.add(group.key_span, error::groups_too_deep());
        }
        if group.branches.is_empty() {
            return self.report.add(group.span, error::empty_group(group.junction.key()));
        }
        let mut branches = Vec::with_capacity(group.branches.len());
        for branch in &group.branches {
            let parent = self.report.enter(&branch.index.to_string());
            if branch.conditions.is_empty() {
                self.report.add(branch.span, error::empty_branch());
            }
            branches.push(self.check_conditions(&branch.conditions, depth));
            self.report.leave(parent);
        }
        match group.junction {
            Junction::Any => predicates.push(Predicate::Any(branches.into_iter().map(unwrap_single).collect())),
            Junction::All => predicates.extend(branches.into_iter().flat_map(|branch| match branch {
                Predicate::All(parts) => parts,
                other => vec![other],
            })),
        }
    }

    /// Checks a condition on a field and appends its tests to `predicates`.
    pub fn check_field(&mut self, condition: &FieldCondition, predicates: &mut Vec<Predicate>) {
        let subject = match resolve_field(&condition.key.text) {
            Ok(subject) => subject,
            Err(diagnostic) => return self.report.add(condition.key.span, diagnostic),
        };
        match &condition.value {
            Value::Invalid => {}
            Value::Literal(Literal { value: LiteralValue::Text(text), span })
                if accepts_expressions(subject.kind) && is_expression(text) =>
            {
                self.check_expressions(&subject, text, *span, predicates);
            }
            Value::Literal(_) | Value::List(_) => {
                let test = self.check_membership(&subject, None, &condition.value, false);
                self.push_test(&subject, test, condition.key.span, predicates);
            }
            Value::Operators(operators) if operators.operations.is_empty() => {
                self.report.add(operators.span, error::empty_operators(subject.kind));
            }
            Value::Operators(operators) => {
                for operation in operators.operations.iter().take(MAX_CONDITIONS + 1) {
                    let parent = self.report.enter(&operation.name.text);
                    let test = self.check_operation(&subject, operation);
                    self.push_test(&subject, test, operation.name.span, predicates);
                    self.report.leave(parent);
                }
            }
        }
    }

    fn push_test(
        &mut self,
        subject: &ResolvedField<'_>,
        test: Option<Test>,
        span: Span,
        predicates: &mut Vec<Predicate>,
    ) {
        self.test_count += 1;
        if self.test_count == MAX_CONDITIONS + 1 {
            self.report.add(span, error::too_many_conditions());
        }
        if let Some(test) = test.filter(|_| self.test_count <= MAX_CONDITIONS) {
            predicates.push(Predicate::Field(subject.field.clone(), test));
        }
    }

    /// Checks one or two expressions of the form `"<value>;<operator>"`.
    fn check_expressions(
        &mut self,
        subject: &ResolvedField<'_>,
        text: &str,
        span: Span,
        predicates: &mut Vec<Predicate>,
    ) {
        let parts = split_expressions(text);
        if let [_, _, third, ..] = parts.as_slice() {
            let extra_range = char_range(third.start_char, text.splitn(3, '|').last().unwrap_or_default());
            self.report.add(span, error::too_many_expressions(parts.len(), extra_range));
        }
        for part in parts.iter().take(2) {
            let test = self.check_expression(subject, part, span);
            self.push_test(subject, test, span, predicates);
        }
    }

    fn check_expression(&mut self, subject: &ResolvedField<'_>, part: &Expression<'_>, span: Span) -> Option<Test> {
        let symbol =
            self.report.ok_or_report(span, part.symbol.ok_or_else(|| error::expression_without_operator(part)))?;
        if part.value.is_empty() {
            self.report.add(span, error::expression_without_value(part.range()));
            return None;
        }
        let value = self.report.ok_or_report(span, parse_expression_value(subject.kind, part));
        let operator = Operator::from_symbol(symbol).ok_or_else(|| error::unknown_symbol(symbol, part.symbol_range()));
        let (operator, value) = (self.report.ok_or_report(span, operator)?, value?);
        Some(operator.test(value))
    }

    /// Checks an operator of an object; `None` if it is invalid.
    fn check_operation(&mut self, subject: &ResolvedField<'_>, operation: &Operation) -> Option<Test> {
        let name = &operation.name;
        let Some(operator) = Operator::from_name(&name.text) else {
            self.report.add(name.span, error::unknown_operator(&name.text, subject.kind));
            return None;
        };
        if !operators_for(subject.kind).contains(&operator) {
            self.report.add(name.span, error::operator_not_applicable(operator, subject.key, subject.kind));
            return None;
        }
        match (operator, &operation.operand) {
            (_, Value::Invalid | Value::Operators(_)) => None,
            (Operator::Eq | Operator::Not, operand) => {
                self.check_membership(subject, Some(operator), operand, operator == Operator::Not)
            }
            (Operator::In, Value::Literal(literal)) => {
                self.report.add(literal.span, error::array_required(&literal.value));
                None
            }
            (Operator::In, operand) => self.check_membership(subject, Some(operator), operand, false),
            (Operator::Null, Value::Literal(Literal { value: LiteralValue::Boolean(null), .. })) => {
                Some(Test::IsNull(*null))
            }
            (Operator::Null, Value::Literal(literal)) => {
                self.report.add(literal.span, error::boolean_required(error::describe_value(&literal.value)));
                None
            }
            (Operator::Null, Value::List(list)) => {
                self.report.add(list.span, error::boolean_required(common::array()));
                None
            }
            (_, Value::List(list)) => {
                self.report.add(list.span, error::single_value_required(operator.as_str(), common::array()));
                None
            }
            (_, Value::Literal(literal)) => self.check_comparison(subject, operator, literal),
        }
    }

    /// Checks an operator with a single value other than null: a comparison or a text match.
    fn check_comparison(&mut self, subject: &ResolvedField<'_>, operator: Operator, literal: &Literal) -> Option<Test> {
        if literal.value == LiteralValue::Null {
            self.report.add(literal.span, error::single_value_required(operator.as_str(), "null"));
            return None;
        }
        if operator.needs_text() {
            let text = match &literal.value {
                LiteralValue::Text(text) => check_text(text)
                    .and_then(|()| check_blanks(&subject.field, text, operator == Operator::StartsWith))
                    .map(|()| text.clone()),
                other => Err(error::wrong_value(Kind::Text, other)),
            };
            let text = self.report.ok_or_report(literal.span, text);
            return text.map(|text| operator.test(predicate::Value::Text(text)));
        }
        // A closed list of permitted values doesn't restrict the bounds of a comparison.
        let unrestricted =
            ResolvedField { field: subject.field.clone(), key: subject.key, kind: subject.kind, permitted: &[] };
        let value = self.check_value(&unrestricted, Some(operator), literal)?;
        if let predicate::Value::Boolean(_) = value {
            self.report.add(
                literal.span,
                error::wrong_type(common::string_or_number(), error::describe_value(&literal.value)),
            );
            return None;
        }
        Some(operator.test(value))
    }

    /// Checks equality with one or any of several values.
    fn check_membership(
        &mut self,
        subject: &ResolvedField<'_>,
        operator: Option<Operator>,
        operand: &Value,
        is_negated: bool,
    ) -> Option<Test> {
        let (values, has_null) = match operand {
            Value::Literal(Literal { value: LiteralValue::Null, .. }) => return Some(Test::IsNull(!is_negated)),
            Value::Literal(literal) => (vec![self.check_value(subject, operator, literal)?], false),
            Value::List(list) => self.check_list(subject, list)?,
            Value::Operators(_) | Value::Invalid => return None,
        };
        let values = values.into_iter().flat_map(|value| stored_forms(&subject.field, value)).collect();
        Some(match is_negated {
            true => Test::NotIn { values, includes_null: has_null },
            false => Test::In { values, includes_null: has_null },
        })
    }

    fn check_list(&mut self, subject: &ResolvedField<'_>, list: &List) -> Option<(Vec<predicate::Value>, bool)> {
        if list.elements.len() > MAX_LIST_VALUES {
            self.report.add(list.span, error::list_too_long(list.elements.len()));
            return None;
        }
        let mut values = Vec::with_capacity(list.elements.len());
        let (mut has_null, mut is_complete) = (false, true);
        for Element { index, literal } in &list.elements {
            if self.report.is_full() {
                return None;
            }
            if literal.value == LiteralValue::Null {
                has_null = true;
                continue;
            }
            let parent = self.report.enter(&index.to_string());
            let checked = reject_expression(subject, &literal.value, error::expression_in_list)
                .and_then(|()| subject.parse_value(&literal.value));
            match self.report.ok_or_report(literal.span, checked) {
                Some(value) => values.push(value),
                None => is_complete = false,
            }
            self.report.leave(parent);
        }
        is_complete.then_some((values, has_null))
    }

    /// Checks a single value; `None` if it is invalid.
    fn check_value(
        &mut self,
        subject: &ResolvedField<'_>,
        operator: Option<Operator>,
        literal: &Literal,
    ) -> Option<predicate::Value> {
        let name = operator.unwrap_or(Operator::Eq).as_str();
        let checked = reject_expression(subject, &literal.value, |at| error::expression_in_operator(name, at));
        let value = checked.and_then(|()| subject.parse_value(&literal.value));
        self.report.ok_or_report(literal.span, value)
    }
}

/// Returns the stored forms of a value: for a country, the code and the text of older records; for a time zone, its current name.
fn stored_forms(field: &FieldRef, value: predicate::Value) -> Vec<predicate::Value> {
    let stored_text = match (field, &value) {
        (FieldRef::Builtin(FieldId::Country), predicate::Value::Text(text)) => country::find(text),
        (FieldRef::Builtin(FieldId::Timezone), predicate::Value::Text(text)) => Some(zone::current_name(text)),
        _ => None,
    };
    let stored_text =
        stored_text.map(|text| predicate::Value::Text(text.to_owned())).filter(|stored_text| *stored_text != value);
    stored_text.into_iter().chain([value]).collect()
}

/// Rejects an expression where only a plain value is permitted.
fn reject_expression(
    subject: &ResolvedField<'_>,
    value: &LiteralValue,
    make_error: impl Fn(crate::diagnostic::CharRange) -> Diagnostic,
) -> Result<(), Diagnostic> {
    match value {
        LiteralValue::Text(text) if accepts_expressions(subject.kind) && is_expression(text) => {
            let offset = text.find([';', '|']).unwrap_or_default();
            let start = text[..offset].chars().count();
            Err(make_error(char_range(start, &text[offset..])))
        }
        _ => Ok(()),
    }
}

/// Returns the field for this key.
fn resolve_field(key: &str) -> Result<ResolvedField<'_>, Diagnostic> {
    if let Some(field) = find(key) {
        return Ok(ResolvedField {
            field: FieldRef::Builtin(field.id),
            key,
            kind: field.kind,
            permitted: field.permitted,
        });
    }
    let Some(name) = key.strip_prefix(CUSTOM_PREFIX) else {
        return Err(error::unknown_key(key));
    };
    match name.chars().count() {
        1..=MAX_CUSTOM_NAME_CHARS if name.contains('\0') => Err(error::nul_character(0)),
        1..=MAX_CUSTOM_NAME_CHARS => {
            Ok(ResolvedField { field: FieldRef::Custom(name.to_owned()), key, kind: Kind::Custom, permitted: &[] })
        }
        characters => Err(error::invalid_custom_name(characters)),
    }
}

fn unwrap_single(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::All(mut parts) if parts.len() == 1 => parts.remove(0),
        other => other,
    }
}
