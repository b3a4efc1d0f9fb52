//! Every operation of the OpenAPI document: robustness against any content of a request.
//!
//! The test client checks that no response is a 5xx and that each error is a complete problem document.

use reqwest::Method;
use serde_json::{Value, json};

use super::document::{OpenApiDocument, Operation};
use crate::harness::{Client, Server, log_in};

/// Bodies that are invalid for every operation. CSV imports report that only after the response.
fn invalid_bodies() -> Vec<(&'static str, Vec<u8>)> {
    let mut megabytes = b"{\"a\":\"".to_vec();
    megabytes.resize(2 * 1024 * 1024, b'x');
    megabytes.extend(b"\"}");
    vec![
        ("an empty body", Vec::new()),
        ("a blank", b" ".to_vec()),
        ("null", b"null".to_vec()),
        ("an array", b"[]".to_vec()),
        ("an array of an object", b"[{}]".to_vec()),
        ("a number", b"1".to_vec()),
        ("a string", b"\"x\"".to_vec()),
        ("an open brace", b"{".to_vec()),
        ("a broken member", b"{\"a\":}".to_vec()),
        ("a trailing comma", b"{\"a\":1,}".to_vec()),
        ("two values", b"{} {}".to_vec()),
        ("deep arrays", b"[".repeat(200_000)),
        ("deep objects", b"{\"a\":".repeat(100_000)),
        ("two megabytes", megabytes),
        ("invalid UTF-8", b"{\"a\":\"\xff\xfe\"}".to_vec()),
        ("a byte order mark", b"\xef\xbb\xbf{}".to_vec()),
        ("a NUL byte", b"\0".to_vec()),
        ("an unknown key", b"{\"no_such_key\":1}".to_vec()),
        ("an unknown key with NUL", b"{\"a\\u0000b\":1}".to_vec()),
    ]
}

/// Returns variants of an example, each with one invalid or duplicate member. They are strings, because JSON libraries
/// can't write most of them.
fn invalid_variants(example: &Value) -> Vec<String> {
    let members = example.as_object().unwrap();
    let mut bodies = Vec::new();
    for invalid_value in [
        "9223372036854775808",
        "-9223372036854775809",
        "1e400",
        "01",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "\"\u{1}\"",
        "{\"\":{}}",
        "[[[[]]]]",
        "tru",
    ] {
        for invalid_key in members.keys() {
            let texts = members.iter().map(|(key, value)| {
                let value = if key == invalid_key { invalid_value.to_owned() } else { value.to_string() };
                format!("{}:{value}", json!(key))
            });
            bodies.push(format!("{{{}}}", texts.collect::<Vec<_>>().join(",")));
        }
    }
    for (key, value) in members {
        let (key, text) = (json!(key), example.to_string());
        bodies.push(format!("{},{key}:{value}}}", text.strip_suffix('}').unwrap()));
    }
    bodies
}

/// Returns a client with a credential that permits the operation.
pub(super) async fn permitted_client(server: &Server, operation: &Operation) -> Client {
    match operation.accepts_scheme("api_key") || operation.is_public() {
        true => server.admin(),
        false if operation.accepts_scheme("speech_token") => {
            server.anonymous().with_header("x-speech-token", &server.create_speech_token("Acme").await)
        }
        false => server.panel_client(&log_in(&server.anonymous(), "admin@example.com", crate::harness::PASSWORD).await),
    }
}

#[tokio::test]
async fn invalid_bodies_never_cause_a_5xx() {
    let server = Server::start_configured(|config| {
        (config.login.account_attempts, config.login.address_attempts) = (100_000, 100_000);
        config.limits.max_recording_bytes = 1024 * 1024;
    })
    .await;
    server.create_user("admin@example.com", "admin").await;
    let document = OpenApiDocument::fetch(&server).await;
    let mut checked = 0;
    for operation in document.operations() {
        let Some((media_type, _)) = operation.body() else { continue };
        let client =
            permitted_client(&server, &operation).await.with_header("content-type", &media_type.replace('*', "wav"));
        let target = operation.path_with(|name| if name == "name" { "later".to_owned() } else { "1".to_owned() });
        let mut bodies = invalid_bodies();
        if operation.has_json_body() {
            let example = operation.example_body().unwrap();
            bodies.extend(invalid_variants(&example).into_iter().map(|body| ("an invalid example", body.into_bytes())));
        }
        for (description, body) in bodies {
            let excerpt = String::from_utf8_lossy(&body).chars().take(200).collect::<String>();
            let response = client.send(operation.method.clone(), &target, body).await;
            checked += 1;
            // A CSV file is checked row by row after the response.
            let expected = if media_type == "text/csv" && description != "an empty body" { 202 } else { 400 };
            assert_eq!(
                response.status / 100,
                expected / 100,
                "{}, {description}: {excerpt}\n{}",
                operation.name(),
                response.text()
            );
            document.assert_documented(&operation, &response);
        }
    }
    assert!(checked > 1_000, "{checked}");
}

#[tokio::test]
async fn invalid_ids_never_cause_a_5xx() {
    let server = Server::start_without_login_limits().await;
    server.create_user("admin@example.com", "admin").await;
    let document = OpenApiDocument::fetch(&server).await;
    for operation in document.operations().into_iter().filter(|operation| !operation.placeholders().is_empty()) {
        let client = permitted_client(&server, &operation).await;
        let client = match operation.body() {
            Some((media_type, _)) => client.with_header("content-type", &media_type.replace('*', "wav")),
            None => client,
        };
        let body = operation.example_body().map(|example| example.to_string()).unwrap_or_default();
        let encoded = ["%00", "%ff", "a%00b", "%ed%a0%80", "%2", "%zz", "%C0%AF"];
        let ids = [
            "0",
            "-1",
            "9223372036854775808",
            "99999999999999999999999999",
            "abc",
            "1.0",
            "+1",
            "1e3",
            "%201",
            "%D9%A1",
            "null",
        ];
        // Any text is an identifier.
        if operation.placeholders().contains(&"original_identifier") {
            continue;
        }
        // The names of statuses and the keys of filters in the path aren't numbers, so these texts are valid there.
        let has_only_ids = operation.placeholders().iter().all(|name| name.ends_with("_id"));
        let (long_id, path_traversal) = ("x".repeat(5_000), "..%2f..%2fetc%2fpasswd");
        let values = encoded
            .iter()
            .chain(ids.iter().filter(|_| has_only_ids))
            .copied()
            .chain([long_id.as_str(), path_traversal]);
        for id in values {
            let response =
                client.send(operation.method.clone(), &operation.path_with(|_| id.to_owned()), body.clone()).await;
            assert!((400..500).contains(&response.status), "{} with {id:.40}: {}", operation.name(), response.status);
            document.assert_documented(&operation, &response);
        }
    }
}

#[tokio::test]
async fn invalid_queries_never_cause_a_5xx() {
    let server = Server::start().await;
    let client = server.admin().with_header("x-speech-token", &server.create_speech_token("Acme").await);
    let document = OpenApiDocument::fetch(&server).await;
    let get_operations = document.operations().into_iter().filter(|operation| operation.method == Method::GET);
    let is_accessible =
        |operation: &Operation| operation.accepts_scheme("api_key") || operation.accepts_scheme("speech_token");
    for operation in get_operations.filter(|operation| is_accessible(operation) && operation.path != "/metrics") {
        let target = operation.path_with(|_| "1".to_owned());
        let unknown = client.get(&format!("{target}?no_such_parameter=1")).await;
        assert_eq!(unknown.status, 400, "{}: {}", operation.name(), unknown.text());
        let parameters = operation.description["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            for invalid_value in ["%00", "%ff", "%", "%ed%a0%80"] {
                let response = client.get(&format!("{target}?{name}={invalid_value}")).await;
                assert_eq!(response.status, 400, "{} {name}={invalid_value}: {}", operation.name(), response.text());
            }
            let long_value = "9".repeat(8_000);
            for unusual_value in
                ["", "-1", "9223372036854775808", "%E2%80%AE", "'%20OR%201=1--", "%25", "_", "[]", "{}", &long_value]
            {
                let response = client.get(&format!("{target}?{name}={unusual_value}&{name}={unusual_value}")).await;
                document.assert_documented(&operation, &response);
            }
        }
    }
}
