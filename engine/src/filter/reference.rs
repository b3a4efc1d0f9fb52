//! Generates the documentation of fields and operators from the tables.

use super::fields::{FIELDS, Field, Kind, Owner};
use super::operator::{Arity, Operator, operators_for};

/// Returns the tables of fields, of operators, and of operators per kind, in Markdown.
pub fn field_table_markdown() -> String {
    let mut text = String::new();
    for (title, owners) in [
        ("Lead", &[Owner::Lead][..]),
        ("Campaign lead and its campaign", &[Owner::CampaignLead, Owner::Campaign]),
        ("Callability", &[Owner::Verdict]),
    ] {
        text.push_str(&format!(
            "### {title}\n\n| key | aliases | kind | null | description |\n|---|---|---|---|---|\n"
        ));
        let fields: Vec<_> = FIELDS.iter().filter(|field| owners.contains(&field.owner)).collect();
        for field in &fields {
            text.push_str(&field_line(field));
        }
        for field in fields.iter().filter(|field| !field.permitted.is_empty()) {
            text.push_str(&permitted_values(field));
        }
        text.push('\n');
    }
    text.push_str("### Operators\n\n| operator | takes | description |\n|---|---|---|\n");
    for operator in Operator::ALL {
        text.push_str(&format!("| `{operator}` | {} | {} |\n", describe_operand(*operator), operator.doc()));
    }
    text.push('\n');
    text.push_str("### Operators by kind\n\n| kind | value in JSON | operators | expressions |\n|---|---|---|---|\n");
    for kind in Kind::ALL {
        let expressions = if super::value::accepts_expressions(*kind) { "yes" } else { "no" };
        let (value, operators) = (super::error::describe_kind(*kind), code_list(operators_for(*kind)));
        text.push_str(&format!("| {kind} | {value} | {operators} | {expressions} |\n"));
    }
    text
}

fn field_line(field: &Field) -> String {
    let aliases: Vec<String> = field.names[1..].iter().map(|name| format!("`{name}`")).collect();
    let null = if field.nullable { "yes" } else { "no" };
    format!("| `{}` | {} | {} | {null} | {} |\n", field.name(), aliases.join(", "), field.kind, field.doc)
}

/// Returns a paragraph with the permitted values of a field. A table cell would be too long.
fn permitted_values(field: &Field) -> String {
    let permitted: Vec<String> = field.permitted.iter().map(|value| format!("`{value}`")).collect();
    format!("\n`{}` is one of {}.\n", field.name(), permitted.join(", "))
}

fn describe_operand(operator: Operator) -> &'static str {
    match operator.arity() {
        Arity::One if operator.needs_text() => "a string",
        Arity::One => "a value",
        Arity::OneOrMore => "a value, `null`, or an array of these",
        Arity::Many => "an array of values and `null`",
        Arity::Boolean => "`true` or `false`",
    }
}

fn code_list(operators: &[Operator]) -> String {
    let names: Vec<String> = operators.iter().map(|operator| format!("`{operator}`")).collect();
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use super::field_table_markdown;
    use crate::filter::{Limits, parse_and_check};
    use crate::wording::Language;

    const DOCUMENT: &str = include_str!("../../../docs/FILTERS.md");

    #[test]
    fn documentation_has_the_generated_tables() {
        let table = field_table_markdown();
        let region = format!("<!-- fields:begin -->\n\n{}\n\n<!-- fields:end -->", table.trim());
        assert!(DOCUMENT.contains(&region), "docs/FILTERS.md should have\n{region}");
    }

    #[test]
    fn documented_examples_are_valid_filters() {
        for example in DOCUMENT.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
            parse_and_check(example, &Limits::default()).expect(example);
        }
    }

    #[test]
    fn documentation_explains_its_first_example() {
        let example = DOCUMENT.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
        let english =
            crate::filter::explain(&parse_and_check(example, &Limits::default()).unwrap(), &(), Language::English);
        assert!(DOCUMENT.contains(&format!("means: *{english}*.")), "{english}");
    }

    #[test]
    fn documentation_lists_every_code() {
        let source = include_str!("error.rs");
        let codes = ["new_diagnostic(\"", "expected(\""].iter().flat_map(|start| source.split(start).skip(1));
        let codes: Vec<&str> = codes.map(|rest| rest.split('"').next().unwrap()).collect();
        assert!(codes.len() > 30, "{codes:?}");
        for code in codes {
            assert!(DOCUMENT.contains(&format!("| `{code}` |")), "{code} is missing");
        }
    }
}
