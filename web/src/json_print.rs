//! JSON pretty-printer that keeps the order of members and the notation of numbers.

use leadscribe_engine::json::{self, Node, Value, quote};

/// Maximum width of a list of plain values on one line, in characters.
const WIDTH: usize = 72;

/// Differences between JSON and similar notations.
pub struct Style {
    pub yes: &'static str,
    pub no: &'static str,
    pub none: &'static str,
    /// Indentation of one level, in spaces.
    pub step: usize,
}

/// Style of JSON and JavaScript.
pub const JSON: Style = Style { yes: "true", no: "false", none: "null", step: 2 };

/// Pretty-prints a JSON text; `None` if it is not JSON.
pub fn pretty(text: &str) -> Option<String> {
    let read = json::read(text);
    let root = read.root.filter(|_| read.faults.is_empty())?;
    Some(print(&root, &JSON, 0))
}

/// Prints a value in the given style. All lines but the first are indented by `indent` spaces.
pub fn print(node: &Node, style: &Style, indent: usize) -> String {
    let mut out = String::new();
    write(node, style, indent, &mut out);
    out
}

fn write(node: &Node, style: &Style, indent: usize, out: &mut String) {
    match &node.value {
        Value::Null | Value::Invalid => out.push_str(style.none),
        Value::Bool(true) => out.push_str(style.yes),
        Value::Bool(false) => out.push_str(style.no),
        Value::Number(number) => out.push_str(number),
        Value::String(text) => out.push_str(&quote(text)),
        Value::Array(items) => {
            let line = short(items, style);
            match line {
                Some(line) => out.push_str(&line),
                None => lines(items.iter().map(|item| (None, item)), ['[', ']'], style, indent, out),
            }
        }
        Value::Object(members) if members.is_empty() => out.push_str("{}"),
        Value::Object(members) => {
            let members = members.iter().map(|member| (Some(member.key.as_str()), &member.value));
            lines(members, ['{', '}'], style, indent, out);
        }
    }
}

fn lines<'a>(
    entries: impl Iterator<Item = (Option<&'a str>, &'a Node)>,
    [open, close]: [char; 2],
    style: &Style,
    indent: usize,
    out: &mut String,
) {
    out.push(open);
    for (place, (key, value)) in entries.enumerate() {
        out.push_str(if place == 0 { "\n" } else { ",\n" });
        out.push_str(&" ".repeat(indent + style.step));
        if let Some(key) = key {
            out.push_str(&quote(key));
            out.push_str(": ");
        }
        write(value, style, indent + style.step, out);
    }
    out.push('\n');
    out.push_str(&" ".repeat(indent));
    out.push(close);
}

/// Prints a list of plain values on one line, if it fits.
fn short(items: &[Node], style: &Style) -> Option<String> {
    let is_plain = |item: &Node| !matches!(item.value, Value::Array(_) | Value::Object(_));
    if !items.iter().all(is_plain) {
        return None;
    }
    let items: Vec<_> = items.iter().map(|item| print(item, style, 0)).collect();
    let line = format!("[{}]", items.join(", "));
    (line.chars().count() <= WIDTH).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_member_order_and_number_notation() {
        let text = r#"{"b":12345678901234567890,"a":[1,2.50,"ü"],"c":{},"d":[{"x":null}],"e":[]}"#;
        let laid_out = "{\n  \"b\": 12345678901234567890,\n  \"a\": [1, 2.50, \"ü\"],\n  \"c\": {},\n  \"d\": [\n    \
                        {\n      \"x\": null\n    }\n  ],\n  \"e\": []\n}";
        assert_eq!(pretty(text).as_deref(), Some(laid_out));
        assert_eq!(pretty(laid_out).as_deref(), Some(laid_out));
    }

    #[test]
    fn prints_long_lists_one_value_per_line() {
        let text = format!("[{}]", vec!["12345"; 20].join(","));
        assert_eq!(pretty(&text).unwrap().lines().count(), 22);
    }

    #[test]
    fn rejects_invalid_json() {
        assert_eq!(pretty("{\"a\": }"), None);
        assert_eq!(pretty(""), None);
    }
}
