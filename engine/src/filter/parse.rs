//! Parses text into a syntax tree.
//!
//! The parser only checks the structure: objects, arrays and controls. [`super::check`] validates names and values,
//! even in a filter with syntax errors, so that all errors are reported at once.

use super::ast::{
    Branch, Condition, Control, Controls, Element, FieldCondition, Group, Junction, List, Literal, LiteralValue, Name,
    Operation, Operators, SyntaxTree, Value,
};
use super::error;
use super::report::DiagnosticCollector;
use super::{CONTROLS, is_control};
use crate::diagnostic::{
    Diagnostic, Location, Message,
    catalog::{common, filter as texts},
};
use crate::json::{self, Member, Node};

/// The tree as far as it could be parsed, and the errors in syntax and structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParsedFilter {
    /// The filter without its invalid parts.
    pub tree: SyntaxTree,
    /// Diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a filter from JSON text, as far as possible.
///
/// Names and values in the tree are not validated yet.
pub fn parse(text: &str) -> ParsedFilter {
    let document = json::parse(text);
    let is_valid_json = document.diagnostics.is_empty();
    let mut parser = Parser { report: DiagnosticCollector::new(Location::default()), controls: Controls::default() };
    let mut tree = SyntaxTree::default();
    match &document.root {
        Some(root) => {
            tree.span = root.span;
            match &root.value {
                json::Value::Object(members) if !members.is_empty() => {
                    tree.conditions = parser.conditions(members, true)
                }
                json::Value::Object(_) if !is_valid_json => {}
                json::Value::Null | json::Value::Object(_) => parser.report.add(root.span, error::empty_filter()),
                json::Value::Array(items) if items.is_empty() && is_valid_json => {
                    parser.report.add(root.span, error::empty_filter());
                }
                other => parser.report.add(root.span, error::wrong_type(texts::filter_object(), other.kind())),
            }
        }
        None if is_valid_json => parser.report.add(Default::default(), error::empty_filter()),
        None => {}
    }
    tree.controls = parser.controls;
    let mut diagnostics = document.diagnostics;
    diagnostics.append(&mut parser.report.diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.byte_range.start);
    ParsedFilter { tree, diagnostics }
}

struct Parser {
    report: DiagnosticCollector,
    controls: Controls,
}

impl Parser {
    /// Returns the conditions among the members of an object. Controls are collected at the top level, and rejected below it.
    fn conditions(&mut self, members: &[Member], is_top_level: bool) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for member in members {
            if self.report.is_full() {
                break;
            }
            let parent = self.report.enter(&member.key);
            match member.key.as_str() {
                "_or" => conditions.extend(self.group(Junction::Any, member)),
                "_and" => conditions.extend(self.group(Junction::All, member)),
                key if is_control(key) && is_top_level => self.control(key, &member.value),
                key if is_control(key) => self.report.add(member.key_span, error::control_in_branch(key)),
                key if key.starts_with('_') => self.report.add(member.key_span, error::unknown_control(key)),
                _ => conditions.push(Condition::Field(FieldCondition {
                    key: Name { text: member.key.clone(), span: member.key_span },
                    value: self.value(&member.value),
                })),
            }
            self.report.leave(parent);
        }
        conditions
    }

    /// Parses a group; `None` if it is invalid, which is reported.
    fn group(&mut self, junction: Junction, member: &Member) -> Option<Condition> {
        let json::Value::Array(items) = &member.value.value else {
            self.report_wrong_type(texts::branches(), &member.value);
            return None;
        };
        let mut branches = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let parent = self.report.enter(&index.to_string());
            match &item.value {
                json::Value::Object(members) => {
                    let conditions = self.conditions(members, false);
                    if members.is_empty() || !conditions.is_empty() {
                        branches.push(Branch { index, conditions, span: item.span });
                    }
                }
                _ => self.report_wrong_type(texts::conditions(), item),
            }
            self.report.leave(parent);
        }
        let (key_span, span) = (member.key_span, member.value.span);
        let is_usable = items.is_empty() || !branches.is_empty();
        is_usable.then_some(Condition::Group(Group { junction, key_span, branches, span }))
    }

    fn value(&mut self, node: &Node) -> Value {
        match &node.value {
            json::Value::Object(members) => {
                let operations = members.iter().map(|member| self.operation(member)).collect();
                Value::Operators(Operators { operations, span: node.span })
            }
            _ => self.operand(node),
        }
    }

    fn operation(&mut self, member: &Member) -> Operation {
        let parent = self.report.enter(&member.key);
        let operand = match &member.value.value {
            json::Value::Object(_) => {
                self.report_wrong_type(texts::value_or_array(), &member.value);
                Value::Invalid
            }
            _ => self.operand(&member.value),
        };
        self.report.leave(parent);
        Operation { name: Name { text: member.key.clone(), span: member.key_span }, operand }
    }

    /// Parses a value other than an object.
    fn operand(&mut self, node: &Node) -> Value {
        let json::Value::Array(items) = &node.value else {
            return literal(node).map_or(Value::Invalid, Value::Literal);
        };
        let mut elements = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            match literal(item) {
                Some(literal) => elements.push(Element { index, literal }),
                None if item.value == json::Value::Invalid => {}
                None => {
                    let parent = self.report.enter(&index.to_string());
                    self.report.add(item.span, error::nested_value(item.value.kind()));
                    self.report.leave(parent);
                }
            }
        }
        Value::List(List { elements, span: node.span })
    }

    fn control(&mut self, key: &str, node: &Node) {
        debug_assert!(CONTROLS.contains(&key));
        match key {
            "limit" => match &node.value {
                json::Value::String(text) => set_control(&mut self.controls.limit, text.clone(), node),
                json::Value::Number(number) => {
                    self.report.add(node.span, error::wrong_limit_type(common::number(), Some(number)));
                }
                json::Value::Invalid => {}
                other => self.report.add(node.span, error::wrong_limit_type(other.kind(), None)),
            },
            "_order" => match &node.value {
                json::Value::String(text) => {
                    let name = Name { text: text.clone(), span: node.span };
                    set_control(&mut self.controls.order, vec![name], node);
                }
                json::Value::Array(items) => {
                    if let Some(names) = self.names(items) {
                        set_control(&mut self.controls.order, names, node);
                    }
                }
                _ => self.report_wrong_type(texts::string_or_strings(), node),
            },
            "_cursor" => match &node.value {
                json::Value::String(text) => set_control(&mut self.controls.cursor, text.clone(), node),
                json::Value::Null => set_control(&mut self.controls.cursor, String::new(), node),
                _ => self.report_wrong_type(texts::string_or_null(), node),
            },
            "_fields" => match &node.value {
                json::Value::Array(items) => {
                    if let Some(names) = self.names(items) {
                        set_control(&mut self.controls.fields, names, node);
                    }
                }
                json::Value::Invalid => {}
                other => self.report.add(node.span, error::wrong_fields_type(other.kind())),
            },
            _ => match &node.value {
                json::Value::String(text) => set_control(&mut self.controls.campaigns, text.clone(), node),
                _ => self.report_wrong_type(common::or("\"matching\"", "\"all\""), node),
            },
        }
    }

    /// Parses an array of strings; `None` if it contains anything else.
    fn names(&mut self, items: &[Node]) -> Option<Vec<Name>> {
        let mut names = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let parent = self.report.enter(&index.to_string());
            match &item.value {
                json::Value::String(text) => names.push(Name { text: text.clone(), span: item.span }),
                _ => self.report_wrong_type(common::string(), item),
            }
            self.report.leave(parent);
        }
        (names.len() == items.len()).then_some(names)
    }

    /// Reports a value of the wrong type, unless it is invalid JSON and already reported.
    fn report_wrong_type(&mut self, expected_type: Message, node: &Node) {
        if node.value != json::Value::Invalid {
            self.report.add(node.span, error::wrong_type(expected_type, node.value.kind()));
        }
    }
}

/// Sets a control. If a key is repeated, which is an error, the first value is used.
fn set_control<T>(control: &mut Option<Control<T>>, value: T, node: &Node) {
    control.get_or_insert(Control { value, span: node.span });
}

fn literal(node: &Node) -> Option<Literal> {
    let value = match &node.value {
        json::Value::Null => LiteralValue::Null,
        json::Value::Bool(value) => LiteralValue::Boolean(*value),
        json::Value::Number(number) => LiteralValue::Number(number.clone()),
        json::Value::String(text) => LiteralValue::Text(text.clone()),
        json::Value::Array(_) | json::Value::Object(_) | json::Value::Invalid => return None,
    };
    Some(Literal { value, span: node.span })
}
