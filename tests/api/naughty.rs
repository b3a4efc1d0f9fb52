//! The big list of naughty strings, in every text position of every operation: bodies, queries, paths and headers.
//!
//! The test client checks that no response is a 5xx and that each error is a complete problem document. These tests
//! check that the error is documented.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::{StreamExt, stream};
use leadscribe_engine::api::ImportKind;
use leadscribe_engine::csv::trimmed;
use leadscribe_engine::record;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::header::HeaderValue;
use serde_json::{Value, json};

use super::document::{Document, Operation};
use super::imports::import;
use super::places::{Step, Way, put};
use super::sweep::permitted;
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

/// Number of concurrent requests.
const AT_ONCE: usize = 8;

/// Operations that read most of the headers. With [`Share::All`] these get every string in each header, the other
/// operations a part.
const HEADERS_MATTER: [&str; 5] = [
    "POST /api/session",
    "GET /api/views",
    "GET /api/calls/{call_id}/recording",
    "POST /api/speech-recognition",
    "GET /api/speech-recognition",
];

/// Number of strings to try at each position. The next position continues with the string after the last one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Share {
    All,
    Some(usize),
}

/// Position of a string in a request.
enum Place {
    /// Several members of the body, all with the same string.
    Body(Vec<Way>),
    Query(String),
    Path(String),
    Header(&'static str),
}

#[tokio::test]
async fn no_naughty_string_causes_a_5xx() {
    // All positions together get every string, each position a part.
    let requests = sweep(Database::usual(), Share::Some(2)).await;
    assert!(requests > 5_000, "{requests}");
}

#[tokio::test]
async fn no_naughty_string_breaks_an_import() {
    let server = Server::start().await;
    let client = server.admin();
    for kind in [ImportKind::Campaigns, ImportKind::Leads, ImportKind::CampaignLeads, ImportKind::Calls] {
        let columns = record::columns(kind);
        let mut file = csv::Writer::from_writer(Vec::new());
        file.write_record(&columns).unwrap();
        // Each string is in every third column. Empty rows are skipped.
        let mut rows = 0;
        for (at, text) in naughty_strings().iter().enumerate().filter(|(_, text)| !trimmed(text).is_empty()) {
            for place in (at % 3..columns.len()).step_by(3) {
                let mut cells = vec![""; columns.len()];
                cells[place] = text;
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
pub async fn sweep(database: Database, share: Share) -> usize {
    let server = Server::configured_on(database, |config| {
        (config.login.account_attempts, config.login.address_attempts) = (1_000_000, 1_000_000);
        // Otherwise X-Forwarded-For is ignored.
        config.http.trust_forwarded_for = true;
    })
    .await;
    furnish(&server).await;
    let (document, strings) = (Document::of(&server).await, naughty_strings());
    let requests = AtomicUsize::new(0);
    let mut first = 0;
    for operation in document.operations() {
        let client = ready(&server, &operation).await;
        for place in places(&document, &operation, share) {
            let elsewhere = matches!(place, Place::Header(_)) && !HEADERS_MATTER.contains(&operation.name().as_str());
            let count = match share {
                Share::Some(count) => count,
                Share::All if elsewhere => 2,
                Share::All => strings.len(),
            };
            let tried = (first..first + count).map(|at| &strings[at % strings.len()]);
            first += count;
            stream::iter(tried.filter(|text| may_be_sent(&operation, &place, text)))
                .for_each_concurrent(AT_ONCE, async |text| {
                    let client = renewed(&server, &operation, &client).await;
                    send(&operation, &client, &place, text).await;
                    requests.fetch_add(1, Ordering::Relaxed);
                })
                .await;
        }
    }
    requests.into_inner()
}

/// Creates the resources that most ids in the document refer to.
async fn furnish(server: &Server) {
    server.load_demo().await;
    server.user("admin@example.com", "admin").await;
    server.user("other@example.com", "viewer").await;
    let token = server.speech_token("Acme").await;
    let call = server.recorded_call(json!({ "id": 900_001 })).await;
    server.submit(call, &token).await;
}

/// Returns a client that may call an operation, with the media type of its body.
async fn ready(server: &Server, operation: &Operation) -> Client {
    let client = permitted(server, operation).await;
    match operation.body() {
        Some((media_type, _)) => client.with_header("content-type", &media_type.replace('*', "wav")),
        None => client,
    }
}

/// Returns the same client, or one with a new session if the operation may have ended the session.
async fn renewed(server: &Server, operation: &Operation, client: &Client) -> Client {
    let ends = operation.method == reqwest::Method::DELETE && operation.path.starts_with("/api/session");
    if operation.path != "/api/session/password" && !ends {
        return client.clone();
    }
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let email = format!("staff-{}@example.com", NEXT.fetch_add(1, Ordering::Relaxed));
    server.user(&email, "viewer").await;
    let login = crate::harness::log_in(&server.anonymous(), &email, crate::harness::PASSWORD).await;
    server.panel(&login)
}

fn places(document: &Document, operation: &Operation, share: Share) -> Vec<Place> {
    let ways = document.places(operation);
    let ways =
        if share == Share::All { together(operation, ways) } else { ways.into_iter().map(|way| vec![way]).collect() };
    let mut places: Vec<_> = ways.into_iter().map(Place::Body).collect();
    for parameter in operation.description["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap().to_owned();
        match parameter["in"].as_str() {
            Some("query") => places.push(Place::Query(name)),
            Some("path") => places.push(Place::Path(name)),
            _ => {}
        }
    }
    places.extend(HEADERS.map(Place::Header));
    places
}

/// Groups positions to test together. All keys of a filter accept the same values, so they get one string together:
/// each alone would take hours.
fn together(operation: &Operation, ways: Vec<Way>) -> Vec<Vec<Way>> {
    let key = match operation.path.as_str() {
        "/api/leads/extended-data" => 0,
        "/api/leads/actions" => 1,
        _ => return ways.into_iter().map(|way| vec![way]).collect(),
    };
    let mut groups = BTreeMap::<Way, Vec<Way>>::new();
    for way in ways {
        let mut alike = way.clone();
        if let Some(Step::Member(name)) = alike.get_mut(key)
            && !name.starts_with('_')
        {
            name.clear();
        }
        groups.entry(alike).or_default().push(way);
    }
    groups.into_values().collect()
}

/// Skips strings that would make another request: invalid header values, empty or dots-only path segments, which change
/// the path, and a number as the id of a deletion, which may delete the caller.
fn may_be_sent(operation: &Operation, place: &Place, text: &str) -> bool {
    match place {
        Place::Header(_) => HeaderValue::from_bytes(text.as_bytes()).is_ok(),
        Place::Path(_) if matches!(text, "" | "." | "..") => false,
        Place::Path(_) => operation.method != reqwest::Method::DELETE || text.parse::<f64>().is_err(),
        Place::Body(_) | Place::Query(_) => true,
    }
}

async fn send(operation: &Operation, client: &Client, place: &Place, text: &str) {
    let mut client = client.clone();
    let (mut path, mut query) = (None, operation.query());
    let mut body = operation.example();
    match place {
        Place::Body(ways) => ways.iter().for_each(|way| put(body.as_mut().unwrap(), way, text)),
        Place::Path(name) => path = Some((name.as_str(), encoded(text))),
        Place::Query(name) => query = with_parameter(&query, name, text),
        Place::Header(name) => client = client.with_header(name, text),
    }
    let target = operation.target(|name| match &path {
        Some((named, text)) if *named == name => text.clone(),
        _ => usual(name).to_owned(),
    });
    let body = match operation.body().map(|(media_type, _)| media_type) {
        Some("text/csv") => {
            operation.description["requestBody"]["content"]["text/csv"]["example"].as_str().unwrap().into()
        }
        Some("audio/*") => wav(1, 1.0),
        _ => body.as_ref().map(Value::to_string).unwrap_or_default().into_bytes(),
    };
    let answer = client.send(operation.method.clone(), &(target + &query), body).await;
    operation.promised(&answer);
}

/// Returns a valid value for a placeholder.
fn usual(placeholder: &str) -> &'static str {
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

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// Adds a parameter to a query, or replaces the one with its name.
fn with_parameter(query: &str, name: &str, text: &str) -> String {
    let prefix = format!("{name}=");
    let others = query.trim_start_matches('?').split('&').filter(|part| !part.is_empty() && !part.starts_with(&prefix));
    let all: Vec<_> = others.map(str::to_owned).chain([format!("{}={}", encoded(name), encoded(text))]).collect();
    format!("?{}", all.join("&"))
}
