//! Generates the documentation of file columns from the rule tables.

use serde_json::Value;

use super::MAX_CUSTOM_FIELDS;
use super::body_schema::member_docs;
use super::rule::{Access, Record};
use super::value::{MAX_ID, MAX_LONG_TEXT_CHARS, MAX_NEW_ID};
use super::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord};
use crate::api::{Call, Campaign};
use crate::filter::fields::{CUSTOM_PREFIX, Owner};
use crate::schema::field_description;

/// Returns the tables of columns, one for each kind of file, in Markdown.
pub fn column_tables_markdown() -> String {
    let field_docs = |owner| move |name: &str| field_description(owner, name).unwrap_or_default().to_owned();
    let docs = member_docs::<Call>();
    let call = |name: &str| match name {
        "recording" => "File name of its recording, relative to the recordings folder.".to_owned(),
        "updated_at" => "Checked but not stored: calls have no such time.".to_owned(),
        _ => docs(name),
    };
    [
        column_table::<CampaignRecord>("Campaigns", member_docs::<Campaign>()),
        column_table::<LeadRecord>("Leads", field_docs(Owner::Lead)),
        column_table::<CampaignLeadRecord>("Campaign leads", field_docs(Owner::CampaignLead)),
        column_table::<CallRecord>("Calls", call),
    ]
    .join("\n")
}

fn column_table<R: Record>(title: &str, doc: impl Fn(&str) -> String) -> String {
    let mut text = format!("#### {title}\n\n| column | value | null | description |\n|---|---|---|---|\n");
    for rule in R::RULES.iter().filter(|rule| rule.access != Access::ServerManaged) {
        let full_schema = (rule.schema)();
        let null = if rule.nullable { "yes" } else { "no" };
        let required_note = if R::REQUIRED.contains(&rule.name) { " Required for new records." } else { "" };
        for column in rule.columns {
            // If the field is an object in JSON, each column is a member.
            let member = column.strip_prefix(rule.name).and_then(|rest| rest.strip_prefix('_'));
            let schema = member.map_or(&full_schema, |member| &full_schema["properties"][member]);
            let doc = schema["description"].as_str().map_or_else(|| doc(rule.name), str::to_owned);
            text += &format!("| `{column}` | {} | {null} | {doc}{required_note} |\n", describe_value(schema));
        }
    }
    if R::HAS_CUSTOM_FIELDS {
        text += &format!(
            "| `{CUSTOM_PREFIX}<name>` | text, up to {MAX_LONG_TEXT_CHARS} characters | yes | A custom field; at most {MAX_CUSTOM_FIELDS} per lead. \
             Names that suggest card data are rejected. Values aren't checked. |\n"
        );
    }
    text
}

/// Describes the values of a cell.
fn describe_value(schema: &Value) -> String {
    let number = |bound: &str| schema[bound].as_f64().unwrap_or_default();
    let kind = schema["type"].as_str().unwrap_or_default();
    match (kind, names(&schema["enum"])) {
        (_, Some(names)) => format!("one of {names}"),
        ("array", None) => {
            let names = names(&schema["items"]["enum"]).unwrap_or_default();
            format!("one or more of {names}, separated by spaces; `mon-fri` is a range")
        }
        ("integer", None) if [MAX_ID, MAX_NEW_ID].iter().any(|max| schema["maximum"] == *max) => "id".to_owned(),
        ("integer", None) => format!("whole number, {} to {}", number("minimum"), number("maximum")),
        ("number", None) => format!("number, {} to {}", number("minimum"), number("maximum")),
        ("boolean", None) => "true or false".to_owned(),
        ("string", None) if schema["format"] == "date" => "date".to_owned(),
        ("string", None) => match (schema["maxLength"].as_u64(), schema["examples"][0].as_str()) {
            (Some(max_chars), _) => format!("text, up to {max_chars} characters"),
            (None, Some(example)) => format!("text such as `{example}`"),
            (None, None) => "text".to_owned(),
        },
        _ => "time".to_owned(),
    }
}

fn names(values: &Value) -> Option<String> {
    let names = values.as_array()?.iter().filter_map(Value::as_str).map(|name| format!("`{name}`"));
    Some(names.collect::<Vec<_>>().join(", "))
}
