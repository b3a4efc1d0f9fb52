//! Every operation of the OpenAPI document: access control, and robustness against any content of a request.
//!
//! The test client checks that no response is a 5xx and that each error is a complete problem document.

use reqwest::Method;
use serde_json::{Value, json};

use super::document::{Document, Operation};
use crate::harness::{Answer, Client, Server, log_in};

const SCOPES: [&str; 7] =
    ["leads:read", "leads:write", "calls:read", "calls:write", "speech:submit", "speech:read", "admin"];

/// Id that doesn't exist.
const NOTHING: &str = "987654321";

/// Sends a request with an id that doesn't exist and an empty body.
async fn empty_request(client: &Client, operation: &Operation) -> Answer {
    let target = operation.target(|name| if name == "name" { "no_such_status".to_owned() } else { NOTHING.to_owned() });
    let client = match operation.body() {
        Some((media_type, _)) => client.with_header("content-type", &media_type.replace('*', "wav")),
        None => client.clone(),
    };
    let body = if operation.takes_json() { "{}" } else { "" };
    client.send(operation.method.clone(), &target, body).await
}

#[tokio::test]
async fn each_operation_accepts_only_documented_identities() {
    let server = Server::for_many_log_ins().await;
    let document = Document::of(&server).await;
    for role in ["viewer", "manager", "admin"] {
        server.user(&format!("{role}@example.com"), role).await;
    }
    let token = server.speech_token("Acme").await;
    let mut keys = Vec::new();
    for scope in SCOPES {
        keys.push((scope, server.with_scopes(&[scope]).await));
    }
    for operation in document.operations() {
        let name = operation.name();
        let described = &operation.description;
        let verdict = |who: &str, answer: &Answer, expected: Option<u16>| {
            let refused = [401, 403].contains(&answer.status).then_some(answer.status);
            assert_eq!(refused, expected, "{name} by {who}: {}", answer.text());
            document.check(&operation, answer);
        };
        let anonymous = empty_request(&server.anonymous(), &operation).await;
        verdict("nobody", &anonymous, (!operation.is_open()).then_some(401));
        if described["security"] == json!([]) {
            continue;
        }
        let by_token = operation.takes("speech_token");
        if by_token {
            let holder = server.anonymous().with_header("x-speech-token", &token);
            verdict("the holder of a token", &empty_request(&holder, &operation).await, None);
        }
        // A key that accompanies a token needs the permission too.
        let beside = |client: Client| if by_token { client.with_header("x-speech-token", &token) } else { client };
        for (scope, client) in &keys {
            let suffices = match described.get("x-required-scope") {
                None => true,
                Some(Value::Array(one_of)) => one_of.contains(&json!(scope)) || *scope == "admin",
                Some(needed) => needed == scope || *scope == "admin",
            };
            let permitted = if operation.takes("api_key") || by_token { suffices } else { operation.is_open() };
            verdict(scope, &empty_request(&beside(client.clone()), &operation).await, (!permitted).then_some(403));
        }
        for role in ["viewer", "manager", "admin"] {
            // A new session for each operation, because one of them ends it.
            let login = log_in(&server.anonymous(), &format!("{role}@example.com"), crate::harness::PASSWORD).await;
            let roles = described.get("x-permitted-roles").and_then(Value::as_array);
            let permitted = roles.is_none_or(|roles| roles.contains(&json!(role)));
            let answer = empty_request(&beside(server.panel(&login)), &operation).await;
            verdict(role, &answer, (!permitted).then_some(403));
        }
    }
}

/// Bodies that no operation accepts.
fn no_bodies() -> Vec<(&'static str, Vec<u8>)> {
    let mut megabytes = b"{\"a\":\"".to_vec();
    megabytes.resize(2 * 1024 * 1024, b'x');
    megabytes.extend(b"\"}");
    vec![
        ("nothing", Vec::new()),
        ("a blank", b" ".to_vec()),
        ("null", b"null".to_vec()),
        ("an array", b"[]".to_vec()),
        ("an array of an object", b"[{}]".to_vec()),
        ("a number", b"1".to_vec()),
        ("a text", b"\"x\"".to_vec()),
        ("an open brace", b"{".to_vec()),
        ("a broken member", b"{\"a\":}".to_vec()),
        ("a comma too many", b"{\"a\":1,}".to_vec()),
        ("two values", b"{} {}".to_vec()),
        ("deep arrays", b"[".repeat(200_000)),
        ("deep objects", b"{\"a\":".repeat(100_000)),
        ("two megabytes", megabytes),
        ("no UTF-8", b"{\"a\":\"\xff\xfe\"}".to_vec()),
        ("a byte order mark", b"\xef\xbb\xbf{}".to_vec()),
        ("a NUL byte", b"\0".to_vec()),
        ("an unknown key", b"{\"no_such_key\":1}".to_vec()),
        ("an unknown key with NUL", b"{\"a\\u0000b\":1}".to_vec()),
    ]
}

/// Variants of an example, each with one invalid member. They are strings, because JSON libraries can't write most of
/// them.
fn spoilt(example: &Value) -> Vec<String> {
    let members = example.as_object().unwrap();
    let mut bodies = Vec::new();
    for bad in [
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
        for spoilt in members.keys() {
            let texts = members.iter().map(|(key, value)| {
                let value = if key == spoilt { bad.to_owned() } else { value.to_string() };
                format!("{}:{value}", json!(key))
            });
            bodies.push(format!("{{{}}}", texts.collect::<Vec<_>>().join(",")));
        }
    }
    for (key, value) in members {
        let (key, whole) = (json!(key), example.to_string());
        bodies.push(format!("{},{key}:{value}}}", whole.strip_suffix('}').unwrap()));
    }
    bodies
}

/// Returns a client that may call every operation that accepts this kind of credential.
pub(super) async fn permitted(server: &Server, operation: &Operation) -> Client {
    match operation.takes("api_key") || operation.is_open() {
        true => server.admin(),
        false if operation.takes("speech_token") => {
            server.anonymous().with_header("x-speech-token", &server.speech_token("Acme").await)
        }
        false => server.panel(&log_in(&server.anonymous(), "admin@example.com", crate::harness::PASSWORD).await),
    }
}

#[tokio::test]
async fn no_body_causes_a_5xx() {
    let server = Server::configured(|config| {
        (config.login.account_attempts, config.login.address_attempts) = (100_000, 100_000);
        config.limits.max_recording_bytes = 1024 * 1024;
    })
    .await;
    server.user("admin@example.com", "admin").await;
    let document = Document::of(&server).await;
    let mut checked = 0;
    for operation in document.operations() {
        let Some((media_type, _)) = operation.body() else { continue };
        let client = permitted(&server, &operation).await.with_header("content-type", &media_type.replace('*', "wav"));
        let target = operation.target(|name| if name == "name" { "later".to_owned() } else { "1".to_owned() });
        let mut bodies = no_bodies();
        if operation.takes_json() {
            let example = operation.example().unwrap();
            bodies.extend(spoilt(&example).into_iter().map(|body| ("a spoilt example", body.into_bytes())));
        }
        for (kind, body) in bodies {
            let shown = String::from_utf8_lossy(&body).chars().take(200).collect::<String>();
            let answer = client.send(operation.method.clone(), &target, body).await;
            checked += 1;
            // A CSV file is checked row by row after the response.
            let expected = if media_type == "text/csv" && kind != "nothing" { 202 } else { 400 };
            assert_eq!(answer.status / 100, expected / 100, "{}, {kind}: {shown}\n{}", operation.name(), answer.text());
            document.check(&operation, &answer);
        }
    }
    assert!(checked > 1_000, "{checked}");
}

#[tokio::test]
async fn no_id_causes_a_5xx() {
    let server = Server::for_many_log_ins().await;
    server.user("admin@example.com", "admin").await;
    let document = Document::of(&server).await;
    for operation in document.operations().into_iter().filter(|operation| !operation.placeholders().is_empty()) {
        let client = permitted(&server, &operation).await;
        let client = match operation.body() {
            Some((media_type, _)) => client.with_header("content-type", &media_type.replace('*', "wav")),
            None => client,
        };
        let body = operation.example().map(|example| example.to_string()).unwrap_or_default();
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
        // A status has a name and the path form a key; for these the value is valid.
        let by_id = operation.placeholders().iter().all(|name| name.ends_with("_id"));
        let (long, dots) = ("x".repeat(5_000), "..%2f..%2fetc%2fpasswd");
        let all = encoded.iter().chain(ids.iter().filter(|_| by_id)).copied().chain([long.as_str(), dots]);
        for id in all {
            let answer =
                client.send(operation.method.clone(), &operation.target(|_| id.to_owned()), body.clone()).await;
            assert!((400..500).contains(&answer.status), "{} with {id:.40}: {}", operation.name(), answer.status);
            document.check(&operation, &answer);
        }
    }
}

#[tokio::test]
async fn no_query_causes_a_5xx() {
    let server = Server::start().await;
    let client = server.admin().with_header("x-speech-token", &server.speech_token("Acme").await);
    let document = Document::of(&server).await;
    let gets = document.operations().into_iter().filter(|operation| operation.method == Method::GET);
    let open = |operation: &Operation| operation.takes("api_key") || operation.takes("speech_token");
    for operation in gets.filter(|operation| open(operation) && operation.path != "/metrics") {
        let target = operation.target(|_| "1".to_owned());
        let unknown = client.get(&format!("{target}?no_such_parameter=1")).await;
        assert_eq!(unknown.status, 400, "{}: {}", operation.name(), unknown.text());
        let parameters = operation.description["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            for bad in ["%00", "%ff", "%", "%ed%a0%80"] {
                let answer = client.get(&format!("{target}?{name}={bad}")).await;
                assert_eq!(answer.status, 400, "{} {name}={bad}: {}", operation.name(), answer.text());
            }
            let long = "9".repeat(8_000);
            for odd in ["", "-1", "9223372036854775808", "%E2%80%AE", "'%20OR%201=1--", "%25", "_", "[]", "{}", &long] {
                let answer = client.get(&format!("{target}?{name}={odd}&{name}={odd}")).await;
                document.check(&operation, &answer);
            }
        }
    }
}
