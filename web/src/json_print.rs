//! JSON pretty-printer that keeps the order of members and the notation of numbers.

use leadscribe_engine::json::{self, Node, Value, quote};

/// Maximum width of a list of plain values on one line, in characters.
const MAX_LIST_WIDTH: usize = 72;

/// Differences between JSON and similar notations.
pub struct Style {
    pub true_literal: &'static str,
    pub false_literal: &'static str,
    pub null_literal: &'static str,
    /// Indentation of one level, in spaces.
    pub indent_width: usize,
}

/// Style of JSON and JavaScript.
pub const JSON_STYLE: Style =
    Style { true_literal: "true", false_literal: "false", null_literal: "null", indent_width: 2 };

/// Pretty-prints a JSON text; `None` if it is not JSON.
pub fn pretty_print(text: &str) -> Option<String> {
    let parsed = json::parse(text);
    let root = parsed.root.filter(|_| parsed.diagnostics.is_empty())?;
    Some(print(&root, &JSON_STYLE, 0))
}

/// Prints a value in the given style. All lines but the first are indented by `indent` spaces.
pub fn print(node: &Node, style: &Style, indent: usize) -> String {
    let mut out = String::new();
    write(node, style, indent, &mut out);
    out
}

fn write(node: &Node, style: &Style, indent: usize, out: &mut String) {
    match &node.value {
        Value::Null | Value::Invalid => out.push_str(style.null_literal),
        Value::Bool(true) => out.push_str(style.true_literal),
        Value::Bool(false) => out.push_str(style.false_literal),
        Value::Number(number) => out.push_str(number),
        Value::String(text) => out.push_str(&quote(text)),
        Value::Array(items) => {
            let line = print_on_one_line(items, style);
            match line {
                Some(line) => out.push_str(&line),
                None => write_lines(items.iter().map(|item| (None, item)), ['[', ']'], style, indent, out),
            }
        }
        Value::Object(members) if members.is_empty() => out.push_str("{}"),
        Value::Object(members) => {
            let members = members.iter().map(|member| (Some(member.key.as_str()), &member.value));
            write_lines(members, ['{', '}'], style, indent, out);
        }
    }
}

fn write_lines<'a>(
    entries: impl Iterator<Item = (Option<&'a str>, &'a Node)>,
    [open, close]: [char; 2],
    style: &Style,
    indent: usize,
    out: &mut String,
) {
    out.push(open);
    for (index, (key, value)) in entries.enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&" ".repeat(indent + style.indent_width));
        if let Some(key) = key {
            out.push_str(&quote(key));
            out.push_str(": ");
        }
        write(value, style, indent + style.indent_width, out);
    }
    out.push('\n');
    out.push_str(&" ".repeat(indent));
    out.push(close);
}

/// Prints a list of plain values on one line, if it fits.
fn print_on_one_line(items: &[Node], style: &Style) -> Option<String> {
    let is_plain = |item: &Node| !matches!(item.value, Value::Array(_) | Value::Object(_));
    if !items.iter().all(is_plain) {
        return None;
    }
    let items: Vec<_> = items.iter().map(|item| print(item, style, 0)).collect();
    let line = format!("[{}]", items.join(", "));
    (line.chars().count() <= MAX_LIST_WIDTH).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_member_order_and_number_notation() {
        let text = r#"{"b":12345678901234567890,"a":[1,2.50,"ü"],"c":{},"d":[{"x":null}],"e":[]}"#;
        let expected = "{\n  \"b\": 12345678901234567890,\n  \"a\": [1, 2.50, \"ü\"],\n  \"c\": {},\n  \"d\": [\n    \
                        {\n      \"x\": null\n    }\n  ],\n  \"e\": []\n}";
        assert_eq!(pretty_print(text).as_deref(), Some(expected));
        assert_eq!(pretty_print(expected).as_deref(), Some(expected));
    }

    #[test]
    fn prints_long_lists_one_value_per_line() {
        let text = format!("[{}]", vec!["12345"; 20].join(","));
        assert_eq!(pretty_print(&text).unwrap().lines().count(), 22);
    }

    #[test]
    fn rejects_invalid_json() {
        assert_eq!(pretty_print("{\"a\": }"), None);
        assert_eq!(pretty_print(""), None);
    }
}
