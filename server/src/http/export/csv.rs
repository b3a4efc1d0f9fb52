//! CSV rows that are safe to open in a spreadsheet.

use std::borrow::Cow;

use leadscribe_engine::record::{Delimiter, is_formula};
use serde::Serialize;
use serde_json::Value;

/// Separator between values that share a cell.
const VALUE_SEPARATOR: &str = " | ";

pub fn header_line(columns: &[&str], delimiter: Delimiter) -> Vec<u8> {
    write_rows([columns.iter().map(|name| Cow::Borrowed(*name))], delimiter)
}

/// Returns a line for each entry, with the members that the columns name.
pub fn data_lines<T: Serialize>(columns: &[&str], entries: &[T], delimiter: Delimiter) -> Vec<u8> {
    let rows = entries.iter().map(|entry| {
        let entry = serde_json::to_value(entry).expect("wire types have string keys and no failing serializers");
        columns.iter().map(move |name| cell(&entry, name).into())
    });
    write_rows(rows, delimiter)
}

/// Returns the value at a dotted path of members. For a list, the values of all its items share the cell.
fn cell(value: &Value, name: &str) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(|item| cell(item, name)).collect::<Vec<_>>().join(VALUE_SEPARATOR),
        Value::Object(members) => {
            let (member, rest) = name.split_once('.').unwrap_or((name, ""));
            members.get(member).map_or_else(String::new, |value| cell(value, rest))
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// Writes rows with the same number of cells.
pub fn write_rows<'a, R>(rows: impl IntoIterator<Item = R>, delimiter: Delimiter) -> Vec<u8>
where
    R: Iterator<Item = Cow<'a, str>>,
{
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter.byte()).from_writer(Vec::new());
    for row in rows {
        for cell in row {
            writer.write_field(escape_formula(cell).as_bytes()).expect("writing to memory does not fail");
        }
        writer.write_record(None::<&[u8]>).expect("each row has a cell for every column");
    }
    writer.into_inner().expect("writing to memory does not fail")
}

/// Prefixes a cell with an apostrophe if a spreadsheet would evaluate it as a formula.
fn escape_formula(cell: Cow<'_, str>) -> Cow<'_, str> {
    if is_formula(cell.as_bytes()) { format!("'{cell}").into() } else { cell }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_become_cells() {
        let entries = [
            json!({ "id": 7, "name": "a, b", "to": { "url": "x" }, "fields": ["a", "b"], "said": [{ "text": "=1" }, { "text": "2" }] }),
            json!({ "id": 8, "name": null, "on": true, "to": null, "fields": [] }),
        ];
        let columns = ["id", "name", "on", "to.url", "fields", "said.text"];
        let to_text = |bytes| String::from_utf8(bytes).unwrap();
        assert_eq!(to_text(header_line(&columns, Delimiter::Comma)), "id,name,on,to.url,fields,said.text\n");
        assert_eq!(
            to_text(data_lines(&columns, &entries, Delimiter::Comma)),
            "7,\"a, b\",,x,a | b,'=1 | 2\n8,,true,,,\n"
        );
        assert_eq!(to_text(data_lines(&columns, &entries[1..], Delimiter::Semicolon)), "8;;true;;;\n");
    }
}
