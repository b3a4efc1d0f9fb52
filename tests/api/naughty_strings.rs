//! The big list of naughty strings, in every text position of every operation: bodies, queries, paths and headers.
//!
//! The test client checks that no response is a 5xx and that each error is a complete problem document. These tests
//! check that the error is documented.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::{StreamExt, stream};
use leadscribe_engine::api::ImportKind;
use leadscribe_engine::csv::trim_cell;
use leadscribe_engine::record;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::header::HeaderValue;
use serde_json::{Value, json};

use super::body_paths::{BodyPath, PathStep, put_string};
use super::document::{OpenApiDocument, Operation};
use super::imports::import;
use super::sweep::permitted_client;
use crate::harness::{Client, Database, Server, naughty_strings, wav};

/// Headers that the server reads. `Content-Length` and similar ones are tested in tests/api/wire.rs.
const HEADERS: [&str; 16] = [
    "accept",
    "accept-language",
    "authorization",
    "content-type",
    "cookie",
    "host",
    "idempotency-key",
    "if-none-match",
    "if-range",
    "origin",
    "range",
    "user-agent",
    "x-csrf-token",
    "x-forwarded-for",
    "x-request-id",
    "x-speech-token",
];

const MAX_CONCURRENT_REQUESTS: usize = 8;

/// Operations that read most of the headers. With [`StringsPerPosition::All`] these get every string in each header.
/// The other operations get two.
const HEADER_SENSITIVE_OPERATIONS: [&str; 5] = [
    "POST /api/session",
    "GET /api/views",
    "GET /api/calls/{call_id}/recording",
    "POST /api/speech-recognition",
    "GET /api/speech-recognition",
];

/// Number of strings per position. Each position continues the list where the previous one stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum StringsPerPosition {
    All,
    UpTo(usize),
}

/// Position of a string in a request.
enum StringPosition {
    /// Several members of the body, all with the same string.
    Body(Vec<BodyPath>),
    Query(String),
    Path(String),
    Header(&'static str),
}

#[tokio::test]
async fn naughty_strings_never_cause_a_5xx() {
    // Each position gets two strings; together the positions cover the whole list.
    let requests = sweep(Database::from_env(), StringsPerPosition::UpTo(2)).await;
    assert!(requests > 5_000, "{requests}");
}

#[tokio::test]
async fn naughty_strings_never_break_an_import() {
    let (_server, client) = Server::start_with_admin().await;
    for kind in [ImportKind::Campaigns, ImportKind::Leads, ImportKind::CampaignLeads, ImportKind::Calls] {
        let columns = record::column_names(kind);
        let mut file = csv::Writer::from_writer(Vec::new());
        file.write_record(&columns).unwrap();
        // Each string is in every third column. Empty rows are skipped.
        let mut rows = 0;
        for (index, text) in naughty_strings().iter().enumerate().filter(|(_, text)| !trim_cell(text).is_empty()) {
            for column in (index % 3..columns.len()).step_by(3) {
                let mut cells = vec![""; columns.len()];
                cells[column] = text;
                file.write_record(&cells).unwrap();
                rows += 1;
            }
        }
        let import = import(&client, kind.as_str(), file.into_inner().unwrap()).await;
        assert_eq!(
            (&import["state"], &import["counts"]["read"]),
            (&json!("completed"), &json!(rows)),
            "{kind}: {import}"
        );
    }
}

/// Sends the strings in every position of every operation, and returns the number of requests.
pub async fn sweep(database: Database, strings_per_position: StringsPerPosition) -> usize {
    let server = Server::start_configured_on(database, |config| {
        (config.login.account_attempts, config.login.address_attempts) = (1_000_000, 1_000_000);
        // Otherwise X-Forwarded-For is ignored.
        config.http.trust_forwarded_for = true;
    })
    .await;
    create_resources(&server).await;
    let (document, strings) = (OpenApiDocument::fetch(&server).await, naughty_strings());
    let requests = AtomicUsize::new(0);
    let mut next_string = 0;
    for operation in document.operations() {
        let client = ready_client(&server, &operation).await;
        for position in positions(&document, &operation, strings_per_position) {
            let ignores_headers = matches!(position, StringPosition::Header(_))
                && !HEADER_SENSITIVE_OPERATIONS.contains(&operation.name().as_str());
            let count = match strings_per_position {
                StringsPerPosition::UpTo(count) => count,
                StringsPerPosition::All if ignores_headers => 2,
                StringsPerPosition::All => strings.len(),
            };
            let selected = (next_string..next_string + count).map(|index| &strings[index % strings.len()]);
            next_string += count;
            stream::iter(selected.filter(|text| can_be_sent(&operation, &position, text)))
                .for_each_concurrent(MAX_CONCURRENT_REQUESTS, async |text| {
                    let client = client_with_session(&server, &operation, &client).await;
                    send_string(&operation, &client, &position, text).await;
                    requests.fetch_add(1, Ordering::Relaxed);
                })
                .await;
        }
    }
    requests.into_inner()
}

/// Creates the resources that most ids in the document refer to.
async fn create_resources(server: &Server) {
    server.load_demo().await;
    server.create_user("admin@example.com", "admin").await;
    server.create_user("other@example.com", "viewer").await;
    let token = server.create_speech_token("Acme").await;
    let call = server.create_recorded_call(json!({ "id": 900_001 })).await;
    server.submit_call(call, &token).await;
}

/// Returns a client that may call an operation, with the media type of its body.
async fn ready_client(server: &Server, operation: &Operation) -> Client {
    let client = permitted_client(server, operation).await;
    match operation.body() {
        Some((media_type, _)) => client.with_header("content-type", &media_type.replace('*', "wav")),
        None => client,
    }
}

/// Returns the same client, or one with a new session if the operation may have ended the session.
async fn client_with_session(server: &Server, operation: &Operation, client: &Client) -> Client {
    let ends_session = operation.method == reqwest::Method::DELETE && operation.path.starts_with("/api/session");
    if operation.path != "/api/session/password" && !ends_session {
        return client.clone();
    }
    static NEXT_USER: AtomicUsize = AtomicUsize::new(0);
    let email = format!("staff-{}@example.com", NEXT_USER.fetch_add(1, Ordering::Relaxed));
    server.create_user(&email, "viewer").await;
    let login = crate::harness::log_in(&server.anonymous(), &email, crate::harness::PASSWORD).await;
    server.panel_client(&login)
}

fn positions(
    document: &OpenApiDocument,
    operation: &Operation,
    strings_per_position: StringsPerPosition,
) -> Vec<StringPosition> {
    let body_paths = document.string_positions(operation);
    let body_paths = if strings_per_position == StringsPerPosition::All {
        group_positions(operation, body_paths)
    } else {
        body_paths.into_iter().map(|body_path| vec![body_path]).collect()
    };
    let mut positions: Vec<_> = body_paths.into_iter().map(StringPosition::Body).collect();
    for parameter in operation.description["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap().to_owned();
        match parameter["in"].as_str() {
            Some("query") => positions.push(StringPosition::Query(name)),
            Some("path") => positions.push(StringPosition::Path(name)),
            _ => {}
        }
    }
    positions.extend(HEADERS.map(StringPosition::Header));
    positions
}

/// Groups positions to test together. All keys of a filter accept the same values, so they get one string together:
/// each alone would take hours.
fn group_positions(operation: &Operation, body_paths: Vec<BodyPath>) -> Vec<Vec<BodyPath>> {
    let key_index = match operation.path.as_str() {
        "/api/leads/extended-data" => 0,
        "/api/leads/actions" => 1,
        _ => return body_paths.into_iter().map(|body_path| vec![body_path]).collect(),
    };
    let mut groups = BTreeMap::<BodyPath, Vec<BodyPath>>::new();
    for body_path in body_paths {
        let mut group_key = body_path.clone();
        if let Some(PathStep::Member(name)) = group_key.get_mut(key_index)
            && !name.starts_with('_')
        {
            name.clear();
        }
        groups.entry(group_key).or_default().push(body_path);
    }
    groups.into_values().collect()
}

/// False for strings that can't be sent: invalid header values, and path segments that would change the path. Also
/// false for a number as the id of a deletion, which might delete the caller.
fn can_be_sent(operation: &Operation, position: &StringPosition, text: &str) -> bool {
    match position {
        StringPosition::Header(_) => HeaderValue::from_bytes(text.as_bytes()).is_ok(),
        StringPosition::Path(_) if matches!(text, "" | "." | "..") => false,
        StringPosition::Path(_) => operation.method != reqwest::Method::DELETE || text.parse::<f64>().is_err(),
        StringPosition::Body(_) | StringPosition::Query(_) => true,
    }
}

async fn send_string(operation: &Operation, client: &Client, position: &StringPosition, text: &str) {
    let mut client = client.clone();
    let (mut path, mut query) = (None, operation.required_query());
    let mut body = operation.example_body();
    match position {
        StringPosition::Body(body_paths) => {
            body_paths.iter().for_each(|body_path| put_string(body.as_mut().unwrap(), body_path, text))
        }
        StringPosition::Path(name) => path = Some((name.as_str(), percent_encode(text))),
        StringPosition::Query(name) => query = with_parameter(&query, name, text),
        StringPosition::Header(name) => client = client.with_header(name, text),
    }
    let target = operation.path_with(|name| match &path {
        Some((parameter_name, text)) if *parameter_name == name => text.clone(),
        _ => valid_value(name).to_owned(),
    });
    let body = match operation.body().map(|(media_type, _)| media_type) {
        Some("text/csv") => {
            operation.description["requestBody"]["content"]["text/csv"]["example"].as_str().unwrap().into()
        }
        Some("audio/*") => wav(1, 1.0),
        _ => body.as_ref().map(Value::to_string).unwrap_or_default().into_bytes(),
    };
    let response = client.send(operation.method.clone(), &(target + &query), body).await;
    operation.documented_response(&response);
}

fn valid_value(placeholder: &str) -> &'static str {
    match placeholder {
        "name" => "call_back_later",
        "key" => "limit",
        "rest" => "1;0/country/DE",
        // Id 1 is the calling key and the logged-in user.
        "api_key_id" | "user_id" => "2",
        "call_id" => "900001",
        _ => "1",
    }
}

fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// Adds a parameter to a query, or replaces the one with its name.
fn with_parameter(query: &str, name: &str, text: &str) -> String {
    let prefix = format!("{name}=");
    let other_parameters =
        query.trim_start_matches('?').split('&').filter(|part| !part.is_empty() && !part.starts_with(&prefix));
    let parameters: Vec<_> = other_parameters
        .map(str::to_owned)
        .chain([format!("{}={}", percent_encode(name), percent_encode(text))])
        .collect();
    format!("?{}", parameters.join("&"))
}
