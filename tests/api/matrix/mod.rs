//! Access matrix: every operation, in every state of its resource, called by every identity.
//!
//! The expected statuses are in `matrix.txt`, which is written by hand and independent of the route table. An operation
//! without a row fails the test, and so does any other status. Each response must match the OpenAPI document, and so
//! must the identities that may use an operation.

mod identities;
mod test_data;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use leadscribe_server::http::routes;
use serde_json::{Value, json};

use self::identities::{IDENTITY_NAMES, Identities};
use self::test_data::MatrixData;
use super::document::{OpenApiDocument, Operation};
use crate::harness::{Response, Server};

/// Table with one row per operation and state: `METHOD path state`, then the expected status for each identity.
const MATRIX_PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/api/matrix/matrix.txt");

/// Statuses by identity.
type ExpectedStatuses = Vec<u16>;

fn read_matrix() -> BTreeMap<String, ExpectedStatuses> {
    let table = fs::read_to_string(MATRIX_PATH).unwrap();
    let mut lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let names: Vec<_> = lines.next().unwrap().split_whitespace().filter(|name| *name != "|").collect();
    assert_eq!(names, IDENTITY_NAMES, "header of the matrix");
    let mut rows = BTreeMap::new();
    for line in lines {
        let mut columns = line.split_whitespace();
        let name = columns.by_ref().take(3).collect::<Vec<_>>().join(" ");
        let statuses =
            columns.filter(|word| *word != "|").map(|word| word.parse().unwrap_or_else(|_| panic!("{line}")));
        assert!(rows.insert(name, statuses.collect()).is_none(), "duplicate row: {line}");
    }
    rows
}

/// Formats a row as in `matrix.txt`.
fn format_row(operation_and_state: &str, row: &[u16]) -> String {
    let mut line = format!("{operation_and_state:<70}");
    for (status, identity) in row.iter().zip(IDENTITY_NAMES) {
        // A bar separates the kinds of identities.
        let bar = if matches!(identity, "anonymous" | "viewer" | "leads:read" | "own" | "key+own") { " |" } else { "" };
        write!(line, "{bar} {status}").unwrap();
    }
    line
}

#[tokio::test]
async fn operations_match_the_access_matrix() {
    let server = Server::start_without_login_limits().await;
    let identities = Identities::create(&server).await;
    let test_data = MatrixData::create(&server, &identities).await;
    let document = OpenApiDocument::fetch(&server).await;
    let operations = document.operations();
    assert_eq!(operations.len(), routes::all().len(), "the document contains every route");

    let mut actual = BTreeMap::new();
    for operation in &operations {
        for state in test_data::states(operation) {
            let mut row = ExpectedStatuses::new();
            for name in IDENTITY_NAMES {
                let response = send_empty_request(&server, &identities, &test_data, operation, state, name).await;
                document.assert_documented(operation, &response);
                // The other states have further rules: for the kind of an import, or the owner of a view.
                if ["absent", "-"].contains(state)
                    && let Some(is_permitted) = is_documented_as_permitted(operation, name)
                {
                    assert_eq!(response.status != 403, is_permitted, "{} by {name}", operation.name());
                }
                row.push(response.status);
            }
            actual.insert(format!("{} {state}", operation.name()), row);
        }
    }

    let mut differences = String::new();
    let expected = read_matrix();
    for (name, row) in actual.iter().filter(|(name, row)| expected.get(*name) != Some(*row)) {
        writeln!(differences, "{}", format_row(name, row)).unwrap();
    }
    let unknown_rows: Vec<_> = expected.keys().filter(|name| !actual.contains_key(*name)).collect();
    assert!(differences.is_empty(), "statuses that differ from the matrix, or have no row in it:\n{differences}");
    assert!(unknown_rows.is_empty(), "matrix rows without an operation: {unknown_rows:?}");
}

/// True if the document permits the operation to this role or scope. `None` for other identities.
fn is_documented_as_permitted(operation: &Operation, identity: &str) -> Option<bool> {
    let description = &operation.description;
    match identity {
        "viewer" | "manager" | "admin" => {
            let roles = description.get("x-permitted-roles").and_then(Value::as_array);
            Some(roles.is_none_or(|roles| roles.contains(&json!(identity))))
        }
        "admin_key" | "leads:read" | "leads:write" | "calls:read" | "calls:write" | "speech:submit" | "speech:read" => {
            if !operation.accepts_scheme("api_key") && !operation.accepts_scheme("speech_token") {
                return Some(operation.is_public());
            }
            let required = description.get("x-required-scope");
            Some(identity == "admin_key" || required.is_none_or(|scope| scope.to_string().contains(identity)))
        }
        _ => None,
    }
}

/// Returns the response to one identity.
async fn send_empty_request(
    server: &Server,
    identities: &Identities,
    test_data: &MatrixData,
    operation: &Operation,
    state: &'static str,
    name: &'static str,
) -> Response {
    let client = identities.client(server, operation, name).await;
    let client = match operation.body() {
        Some((media_type, _)) => client.with_header("content-type", &media_type.replace('*', "wav")),
        None => client,
    };
    let target = test_data.url_for(server, operation, state).await;
    // An empty body is rejected after authorization, so nothing changes.
    let body = if operation.has_json_body() { "{}" } else { "" };
    client.send(operation.method.clone(), &target, body).await
}
