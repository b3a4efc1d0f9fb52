//! The rules of what is written, in both forms, each with its exact message; and what becomes of it.

mod applied;
mod mappings;
mod rows;
mod rules;

use super::*;
use crate::api::*;
use crate::time;

fn at(text: &str) -> Timestamp {
    time::parse(text).expect(text)
}

const NOW: &str = "2026-11-21T09:00:00Z";

fn line(fault: &Fault) -> String {
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

/// The faults of one row under a header, both written with commas.
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
