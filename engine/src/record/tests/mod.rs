//! Tests the rules of records in both forms, each with its exact message, and their application.

mod applied;
mod mappings;
mod rows;
mod rules;

use super::*;
use crate::api::*;
use crate::time;
use crate::wording::Language;

fn at(text: &str) -> Timestamp {
    time::parse(text).expect(text)
}

const NOW: &str = "2026-11-21T09:00:00Z";

/// Asserts that the diagnostic has a German text and is the same after serialization.
fn assert_translated(fault: &Diagnostic) {
    let kept: Diagnostic = serde_json::from_str(&serde_json::to_string(fault).unwrap()).unwrap();
    assert_eq!(*fault, kept.at(fault.at));
    for message in
        [Some(&fault.message), fault.suggestion.as_ref().map(|suggestion| &suggestion.message)].into_iter().flatten()
    {
        assert_ne!(message.text(Language::German), message.to_string());
    }
}

fn line(fault: &Diagnostic) -> String {
    assert_translated(fault);
    let place = match &fault.place {
        Place::Pointer(pointer) => pointer.clone(),
        Place::Column(column) => format!("[{column}]"),
        Place::Parameter(name) => panic!("{name} is no place in a record"),
    };
    let span = fault.span.map(|span| format!(" {}..{}", span.start, span.end)).unwrap_or_default();
    format!("{place}{span} {}: {}", fault.code, fault.summary())
}

fn refused<T: std::fmt::Debug>(result: Result<T, Vec<Diagnostic>>) -> Vec<String> {
    result.expect_err("it breaks a rule").iter().map(line).collect()
}

/// Returns the faults of a row under a header, both separated by commas.
fn refused_row<R: rule::Record + std::fmt::Debug>(header: &str, row: &str) -> Vec<String> {
    let reader = CsvReader::<R>::new(&header.split(',').collect::<Vec<_>>(), &Mapping::default());
    let reader = reader.map_err(|faults| faults.iter().map(line).collect::<Vec<_>>()).expect("the header is good");
    refused(reader.row(&row.split(',').collect::<Vec<_>>()))
}

fn row<R: rule::Record>(header: &str, row: &str) -> R {
    let reader = CsvReader::<R>::new(&header.split(',').collect::<Vec<_>>(), &Mapping::default());
    let reader = reader.map_err(|faults| faults.iter().map(line).collect::<Vec<_>>()).expect("the header is good");
    let record = reader.row(&row.split(',').collect::<Vec<_>>());
    record.map_err(|faults| faults.iter().map(line).collect::<Vec<_>>()).expect("the row is good")
}
