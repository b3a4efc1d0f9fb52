//! Parses text into a syntax tree.
//!
//! The parser only checks the structure: objects, arrays and controls. [`super::check`] validates names and values, so that both report
//! their faults together.

use super::ast::{
    Branch, Condition, Control, Controls, Element, FieldCondition, Filter, Group, Junction, List, Literal,
    LiteralValue, Name, Operation, Operators, Value,
};
use super::error;
use super::report::Report;
use super::{CONTROLS, is_control};
use crate::diagnostic::{
    Diagnostic, Message, Place,
    catalog::{common, filter as texts},
};
use crate::json::{self, Member, Node};

/// The tree as far as it could be read, and the faults in syntax and structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// The filter without its invalid parts.
    pub tree: Filter,
    /// Faults, in the order of the text.
    pub faults: Vec<Diagnostic>,
}

/// Parses a filter from JSON text, as far as possible.
///
/// Names and values in the tree are not validated yet.
pub fn parse(text: &str) -> Parsed {
    let document = json::read(text);
    let clean = document.faults.is_empty();
    let mut parser = Parser { report: Report::new(Place::default()), controls: Controls::default() };
    let mut tree = Filter::default();
    match &document.root {
        Some(root) => {
            tree.span = root.span;
            match &root.value {
                json::Value::Object(members) if !members.is_empty() => {
                    tree.conditions = parser.conditions(members, true)
                }
                json::Value::Object(_) if !clean => {}
                json::Value::Null | json::Value::Object(_) => parser.report.add(root.span, error::empty_filter()),
                json::Value::Array(items) if items.is_empty() && clean => {
                    parser.report.add(root.span, error::empty_filter());
                }
                other => parser.report.add(root.span, error::wrong_type(texts::filter_object(), other.kind())),
            }
        }
        None if clean => parser.report.add(Default::default(), error::empty_filter()),
        None => {}
    }
    tree.controls = parser.controls;
    let mut faults = document.faults;
    faults.append(&mut parser.report.faults);
    faults.sort_by_key(|fault| fault.at.start);
    Parsed { tree, faults }
}

struct Parser {
    report: Report,
    controls: Controls,
}

impl Parser {
    /// Returns the conditions among the members of an object. Controls are collected at the top level, and rejected below it.
    fn conditions(&mut self, members: &[Member], top: bool) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for member in members {
            if self.report.is_full() {
                break;
            }
            let outer = self.report.step(&member.key);
            match member.key.as_str() {
                "_or" => conditions.extend(self.group(Junction::Any, member)),
                "_and" => conditions.extend(self.group(Junction::All, member)),
                key if is_control(key) && top => self.control(key, &member.value),
                key if is_control(key) => self.report.add(member.key_span, error::control_in_branch(key)),
                key if key.starts_with('_') => self.report.add(member.key_span, error::unknown_control(key)),
                _ => conditions.push(Condition::Field(FieldCondition {
                    key: Name { text: member.key.clone(), span: member.key_span },
                    value: self.value(&member.value),
                })),
            }
            self.report.back(outer);
        }
        conditions
    }

    /// Parses a group; `None` if it is invalid, which is reported.
    fn group(&mut self, junction: Junction, member: &Member) -> Option<Condition> {
        let json::Value::Array(items) = &member.value.value else {
            self.expected(texts::branches(), &member.value);
            return None;
        };
        let mut branches = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let outer = self.report.step(&index.to_string());
            match &item.value {
                json::Value::Object(members) => {
                    let conditions = self.conditions(members, false);
                    if members.is_empty() || !conditions.is_empty() {
                        branches.push(Branch { index, conditions, span: item.span });
                    }
                }
                _ => self.expected(texts::conditions(), item),
            }
            self.report.back(outer);
        }
        let (key_span, span) = (member.key_span, member.value.span);
        let readable = items.is_empty() || !branches.is_empty();
        readable.then_some(Condition::Group(Group { junction, key_span, branches, span }))
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
        let outer = self.report.step(&member.key);
        let operand = match &member.value.value {
            json::Value::Object(_) => {
                self.expected(texts::value_or_array(), &member.value);
                Value::Invalid
            }
            _ => self.operand(&member.value),
        };
        self.report.back(outer);
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
                    let outer = self.report.step(&index.to_string());
                    self.report.add(item.span, error::nested_value(item.value.kind()));
                    self.report.back(outer);
                }
            }
        }
        Value::List(List { elements, span: node.span })
    }

    fn control(&mut self, key: &str, node: &Node) {
        debug_assert!(CONTROLS.contains(&key));
        match key {
            "limit" => match &node.value {
                json::Value::String(text) => set(&mut self.controls.limit, text.clone(), node),
                json::Value::Number(number) => {
                    self.report.add(node.span, error::limit_type(common::number(), Some(number)));
                }
                json::Value::Invalid => {}
                other => self.report.add(node.span, error::limit_type(other.kind(), None)),
            },
            "_order" => match &node.value {
                json::Value::String(text) => {
                    let name = Name { text: text.clone(), span: node.span };
                    set(&mut self.controls.order, vec![name], node);
                }
                json::Value::Array(items) => {
                    if let Some(names) = self.names(items) {
                        set(&mut self.controls.order, names, node);
                    }
                }
                _ => self.expected(texts::string_or_strings(), node),
            },
            "_cursor" => match &node.value {
                json::Value::String(text) => set(&mut self.controls.cursor, text.clone(), node),
                json::Value::Null => set(&mut self.controls.cursor, String::new(), node),
                _ => self.expected(texts::string_or_null(), node),
            },
            "_fields" => match &node.value {
                json::Value::Array(items) => {
                    if let Some(names) = self.names(items) {
                        set(&mut self.controls.fields, names, node);
                    }
                }
                json::Value::Invalid => {}
                other => self.report.add(node.span, error::fields_type(other.kind())),
            },
            _ => match &node.value {
                json::Value::String(text) => set(&mut self.controls.campaigns, text.clone(), node),
                _ => self.expected(common::or("\"matching\"", "\"all\""), node),
            },
        }
    }

    /// Parses an array of strings; `None` if it contains anything else.
    fn names(&mut self, items: &[Node]) -> Option<Vec<Name>> {
        let mut names = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let outer = self.report.step(&index.to_string());
            match &item.value {
                json::Value::String(text) => names.push(Name { text: text.clone(), span: item.span }),
                _ => self.expected(common::string(), item),
            }
            self.report.back(outer);
        }
        (names.len() == items.len()).then_some(names)
    }

    /// Reports a value of the wrong type, unless it is invalid JSON and already reported.
    fn expected(&mut self, wanted: Message, node: &Node) {
        if node.value != json::Value::Invalid {
            self.report.add(node.span, error::wrong_type(wanted, node.value.kind()));
        }
    }
}

/// Sets a control. Of duplicate keys, which are a fault, the first one counts.
fn set<T>(control: &mut Option<Control<T>>, value: T, node: &Node) {
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
