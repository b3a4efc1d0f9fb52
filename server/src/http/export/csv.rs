//! CSV rows that are safe to open in a spreadsheet.

use std::borrow::Cow;

use leadscribe_engine::record::{Delimiter, is_formula};
use serde::Serialize;
use serde_json::Value;

/// Separator between values that share a cell.
const BETWEEN: &str = " | ";

/// Returns the header line.
pub fn head(columns: &[&str], delimiter: Delimiter) -> Vec<u8> {
    records([columns.iter().map(|name| Cow::Borrowed(*name))], delimiter)
}

/// Returns a line for each entry, with the members that the columns name.
pub fn lines<T: Serialize>(columns: &[&str], entries: &[T], delimiter: Delimiter) -> Vec<u8> {
    let rows = entries.iter().map(|entry| {
        let entry = serde_json::to_value(entry).expect("wire types have string keys and no failing serialisers");
        columns.iter().map(move |name| cell(&entry, name).into())
    });
    records(rows, delimiter)
}

/// Returns the value at a dotted path of members. For a list, the values of all its items share the cell.
fn cell(value: &Value, name: &str) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(|one| cell(one, name)).collect::<Vec<_>>().join(BETWEEN),
        Value::Object(members) => {
            let (member, rest) = name.split_once('.').unwrap_or((name, ""));
            members.get(member).map_or_else(String::new, |value| cell(value, rest))
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// Writes rows with the same number of cells.
pub fn records<'a, R>(rows: impl IntoIterator<Item = R>, delimiter: Delimiter) -> Vec<u8>
where
    R: Iterator<Item = Cow<'a, str>>,
{
    let mut text = csv::WriterBuilder::new().delimiter(delimiter.byte()).from_writer(Vec::new());
    for row in rows {
        for cell in row {
            text.write_field(harmless(cell).as_bytes()).expect("writing to memory does not fail");
        }
        text.write_record(None::<&[u8]>).expect("each row has a cell for every column");
    }
    text.into_inner().expect("writing to memory does not fail")
}

/// Prefixes a cell with an apostrophe if a spreadsheet would evaluate it as a formula.
fn harmless(cell: Cow<'_, str>) -> Cow<'_, str> {
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
        let text = |bytes| String::from_utf8(bytes).unwrap();
        assert_eq!(text(head(&columns, Delimiter::Comma)), "id,name,on,to.url,fields,said.text\n");
        assert_eq!(text(lines(&columns, &entries, Delimiter::Comma)), "7,\"a, b\",,x,a | b,'=1 | 2\n8,,true,,,\n");
        assert_eq!(text(lines(&columns, &entries[1..], Delimiter::Semicolon)), "8;;true;;;\n");
    }
}
