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

/// Asserts that the fault can be translated to German after serialisation, with its English text unchanged.
fn is_told_in_german(fault: &Fault) {
    let kept: Fault = serde_json::from_str(&serde_json::to_string(fault).unwrap()).unwrap();
    for (message, kept) in [(Some(&fault.detail), Some(&kept.detail)), (fault.hint.as_ref(), kept.hint.as_ref())] {
        let (Some(message), Some(kept)) = (message, kept) else { continue };
        let german = kept.words(Language::German);
        assert_ne!(german, message.to_string(), "it stays English");
        assert_eq!(german, message.words(Language::German));
    }
}

fn line(fault: &Fault) -> String {
    is_told_in_german(fault);
    let place = match &fault.place {
        Place::Pointer(pointer) => pointer.clone(),
        Place::Column(column) => format!("[{column}]"),
        Place::Parameter(name) => panic!("{name} is no place in a record"),
    };
    let span = fault.span.map(|span| format!(" {}..{}", span.start, span.end)).unwrap_or_default();
    let hint = fault.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    format!("{place}{span} {}: {}{hint}", fault.code, fault.detail)
}

fn refused<T: std::fmt::Debug>(result: Result<T, Vec<Fault>>) -> Vec<String> {
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
