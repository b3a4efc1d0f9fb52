//! Prints the tree as JSON, in the canonical form of a filter. Parsing the result returns the same tree.

use super::ast::{Branch, Condition, Control, LiteralValue, Name, SyntaxTree, Value};
use crate::json::push_quoted;

/// Prints the filter on one line, without blanks.
pub fn print(filter: &SyntaxTree) -> String {
    let mut printer = Printer { json: String::new(), is_pretty: false };
    printer.filter(filter);
    printer.json
}

/// Prints the filter with one key per line, for editing.
pub fn print_pretty(filter: &SyntaxTree) -> String {
    let mut printer = Printer { json: String::new(), is_pretty: true };
    printer.filter(filter);
    printer.json
}

struct Printer {
    json: String,
    is_pretty: bool,
}

impl Printer {
    fn filter(&mut self, filter: &SyntaxTree) {
        let controls = &filter.controls;
        let mut entries = self.open('{');
        for condition in &filter.conditions {
            self.begin_entry(&mut entries, 1);
            self.condition(condition, 1);
        }
        let mut key = |printer: &mut Self, key: &str| {
            printer.begin_entry(&mut entries, 1);
            printer.key(key);
        };
        if let Some(Control { value, .. }) = &controls.limit {
            key(self, "limit");
            push_quoted(&mut self.json, value);
        }
        if let Some(Control { value, .. }) = &controls.order {
            key(self, "_order");
            match value.as_slice() {
                [single] => push_quoted(&mut self.json, &single.text),
                several => self.names(several),
            }
        }
        if let Some(Control { value, .. }) = &controls.cursor {
            key(self, "_cursor");
            push_quoted(&mut self.json, value);
        }
        if let Some(Control { value, .. }) = &controls.fields {
            key(self, "_fields");
            self.names(value);
        }
        if let Some(Control { value, .. }) = &controls.campaigns {
            key(self, "_campaigns");
            push_quoted(&mut self.json, value);
        }
        self.close('}', entries, 0);
    }

    fn condition(&mut self, condition: &Condition, depth: usize) {
        match condition {
            Condition::Field(field) => {
                self.key(&field.key.text);
                self.value(&field.value);
            }
            Condition::Group(group) => {
                self.key(group.junction.key());
                let mut entries = self.open('[');
                for branch in &group.branches {
                    self.begin_entry(&mut entries, depth + 1);
                    self.branch(branch, depth + 1);
                }
                self.close(']', entries, depth);
            }
        }
    }

    fn branch(&mut self, branch: &Branch, depth: usize) {
        let mut entries = self.open('{');
        for condition in &branch.conditions {
            self.begin_entry(&mut entries, depth + 1);
            self.condition(condition, depth + 1);
        }
        self.close('}', entries, depth);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Literal(literal) => self.literal(&literal.value),
            Value::List(list) => {
                self.json.push('[');
                for (index, element) in list.elements.iter().enumerate() {
                    self.separate_inline(index);
                    self.literal(&element.literal.value);
                }
                self.json.push(']');
            }
            Value::Operators(operators) => {
                self.json.push('{');
                for (index, operation) in operators.operations.iter().enumerate() {
                    self.separate_inline(index);
                    self.key(&operation.name.text);
                    self.value(&operation.operand);
                }
                self.json.push('}');
            }
            // Only invalid JSON produces this. An empty array matches nothing, so it is the safe choice.
            Value::Invalid => self.json.push_str("[]"),
        }
    }

    fn literal(&mut self, value: &LiteralValue) {
        match value {
            LiteralValue::Null => self.json.push_str("null"),
            LiteralValue::Boolean(true) => self.json.push_str("true"),
            LiteralValue::Boolean(false) => self.json.push_str("false"),
            LiteralValue::Number(number) => self.json.push_str(number),
            LiteralValue::Text(text) => push_quoted(&mut self.json, text),
        }
    }

    fn names(&mut self, names: &[Name]) {
        self.json.push('[');
        for (index, name) in names.iter().enumerate() {
            self.separate_inline(index);
            push_quoted(&mut self.json, &name.text);
        }
        self.json.push(']');
    }

    fn key(&mut self, key: &str) {
        push_quoted(&mut self.json, key);
        self.json.push_str(if self.is_pretty { ": " } else { ":" });
    }

    /// Writes the separator before an entry on the same line.
    fn separate_inline(&mut self, index: usize) {
        if index > 0 {
            self.json.push_str(if self.is_pretty { ", " } else { "," });
        }
    }

    /// Opens a bracket with its entries on separate lines. Returns the number of entries so far.
    fn open(&mut self, bracket: char) -> usize {
        self.json.push(bracket);
        0
    }

    fn begin_entry(&mut self, entries: &mut usize, depth: usize) {
        if *entries > 0 {
            self.json.push(',');
        }
        *entries += 1;
        self.new_line(depth);
    }

    fn close(&mut self, bracket: char, entries: usize, depth: usize) {
        if entries > 0 {
            self.new_line(depth);
        }
        self.json.push(bracket);
    }

    fn new_line(&mut self, depth: usize) {
        if self.is_pretty {
            self.json.push('\n');
            self.json.extend(std::iter::repeat_n("  ", depth));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::parse;

    #[test]
    fn pretty_print_indents_each_key() {
        let text = r#"{
  "city": ["Bonn", null],
  "_or": [
    {
      "status": "new",
      "_and": [
        {
          "weight": {"gt": 5}
        }
      ]
    }
  ],
  "limit": "10;0",
  "_order": ["-city", "id"]
}"#;
        assert_eq!(print_pretty(&parse(text).tree), text);
    }
}
