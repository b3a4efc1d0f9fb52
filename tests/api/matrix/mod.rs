//! Access matrix: every operation, in every state of its resource, called by every identity.
//!
//! The expected statuses are in `matrix.txt`, which is written by hand and independent of the route table. An operation
//! without a row fails the test, and so does any other status.

mod identities;
mod stage;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use leadscribe_server::http::routes;

use self::identities::{Identities, NAMES};
use self::stage::Stage;
use super::document::{Document, Operation};
use crate::harness::Server;

/// Table with one row per operation and state: `METHOD path state`, then the expected status for each identity.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/api/matrix/matrix.txt");

/// Statuses by identity.
type Row = Vec<u16>;

fn expected() -> BTreeMap<String, Row> {
    let table = fs::read_to_string(TABLE).unwrap();
    let mut lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let names: Vec<_> = lines.next().unwrap().split_whitespace().filter(|name| *name != "|").collect();
    assert_eq!(names, NAMES, "the head of the table");
    let mut rows = BTreeMap::new();
    for line in lines {
        let mut words = line.split_whitespace();
        let name = words.by_ref().take(3).collect::<Vec<_>>().join(" ");
        let statuses = words.filter(|word| *word != "|").map(|word| word.parse().unwrap_or_else(|_| panic!("{line}")));
        assert!(rows.insert(name, statuses.collect()).is_none(), "twice: {line}");
    }
    rows
}

/// Formats a row as in the table.
fn line(name: &str, row: &[u16]) -> String {
    let mut line = format!("{name:<70}");
    for (status, identity) in row.iter().zip(NAMES) {
        // A bar precedes each kind of identity.
        let bar = if matches!(identity, "nobody" | "viewer" | "leads:read" | "own") { " |" } else { "" };
        write!(line, "{bar} {status}").unwrap();
    }
    line
}

#[tokio::test]
async fn every_operation_answers_as_the_access_matrix_says() {
    let server = Server::for_many_log_ins().await;
    let identities = Identities::of(&server).await;
    let stage = Stage::of(&server, &identities).await;
    let operations = Document::of(&server).await.operations();
    assert_eq!(operations.len(), routes::all().len(), "the document has every row of the route table");

    let mut found = BTreeMap::new();
    for operation in &operations {
        for state in stage::states(operation) {
            let mut row = Row::new();
            for name in NAMES {
                row.push(answered(&server, &identities, &stage, operation, state, name).await);
            }
            found.insert(format!("{} {state}", operation.name()), row);
        }
    }

    let mut differing = String::new();
    let expected = expected();
    for (name, row) in found.iter().filter(|(name, row)| expected.get(*name) != Some(*row)) {
        writeln!(differing, "{}", line(name, row)).unwrap();
    }
    let gone: Vec<_> = expected.keys().filter(|name| !found.contains_key(*name)).collect();
    assert!(differing.is_empty(), "answered otherwise than the matrix says, or without a row in it:\n{differing}");
    assert!(gone.is_empty(), "rows without an operation: {gone:?}");
}

/// Returns the response status for one identity.
async fn answered(
    server: &Server,
    identities: &Identities,
    stage: &Stage,
    operation: &Operation,
    state: &'static str,
    name: &'static str,
) -> u16 {
    let client = identities.client(server, operation, name).await;
    let client = match operation.body() {
        Some((media_type, _)) => client.with_header("content-type", &media_type.replace('*', "wav")),
        None => client,
    };
    let target = stage.target(server, operation, state).await;
    // An empty body is rejected after authorization, so nothing changes.
    let body = if operation.takes_json() { "{}" } else { "" };
    client.send(operation.method.clone(), &target, body).await.status
}
