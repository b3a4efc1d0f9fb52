//! Tests the rules of records in JSON and CSV, each with its exact message, and `apply`.

mod apply;
mod mappings;
mod rows;
mod rules;

use super::*;
use crate::api::*;
use crate::time;
use crate::wording::Language;

fn timestamp(text: &str) -> Timestamp {
    time::parse(text).expect(text)
}

const NOW: &str = "2026-11-21T09:00:00Z";

/// Asserts that the diagnostic has a German text and is the same after serialization.
fn assert_translated(diagnostic: &Diagnostic) {
    let restored: Diagnostic = serde_json::from_str(&serde_json::to_string(diagnostic).unwrap()).unwrap();
    assert_eq!(*diagnostic, restored.at(diagnostic.byte_range));
    for message in [Some(&diagnostic.message), diagnostic.suggestion.as_ref().map(|suggestion| &suggestion.message)]
        .into_iter()
        .flatten()
    {
        assert_ne!(message.text(Language::German), message.to_string());
    }
}

fn format_diagnostic(diagnostic: &Diagnostic) -> String {
    assert_translated(diagnostic);
    let location = match &diagnostic.location {
        Location::Pointer(pointer) => pointer.clone(),
        Location::Column(column) => format!("[{column}]"),
        Location::Parameter(name) => panic!("{name} is a parameter, but a record has none"),
    };
    let span = diagnostic.span.map(|span| format!(" {}..{}", span.start, span.end)).unwrap_or_default();
    format!("{location}{span} {}: {}", diagnostic.code, diagnostic.summary())
}

fn errors<T: std::fmt::Debug>(result: Result<T, Vec<Diagnostic>>) -> Vec<String> {
    result.expect_err("an invalid row").iter().map(format_diagnostic).collect()
}

/// Returns the result of a row under a header, both separated by commas.
fn read_row<R: CsvRecord>(header: &str, row: &str) -> Result<R, Vec<Diagnostic>> {
    let reader = CsvReader::<R>::new(&header.split(',').collect::<Vec<_>>(), &Mapping::default());
    let reader = reader
        .map_err(|diagnostics| diagnostics.iter().map(format_diagnostic).collect::<Vec<_>>())
        .expect("the header is valid");
    reader.row(&row.split(',').collect::<Vec<_>>())
}

/// Returns the diagnostics of a row under a header, both separated by commas.
fn row_errors<R: CsvRecord + std::fmt::Debug>(header: &str, row: &str) -> Vec<String> {
    errors(read_row::<R>(header, row))
}

fn parse_row<R: CsvRecord>(header: &str, row: &str) -> R {
    let record = read_row(header, row);
    record
        .map_err(|diagnostics| diagnostics.iter().map(format_diagnostic).collect::<Vec<_>>())
        .expect("the row is valid")
}
