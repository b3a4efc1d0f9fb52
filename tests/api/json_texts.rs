//! JSONTestSuite: the reader accepts exactly valid JSON, and no test case sent as a body causes a 5xx.

use leadscribe_engine::json;

use super::document::OpenApiDocument;
use super::sweep::permitted_client;
use crate::harness::{JsonText, Server, json_texts};

/// Valid JSON that the reader rejects by design: duplicate keys and U+0000.
const REJECTED_VALID_CASES: [&str; 4] = [
    "y_object_duplicated_key.json",
    "y_object_duplicated_key_and_value.json",
    "y_object_escaped_null_in_key.json",
    "y_string_null_escape.json",
];

/// Test cases that aren't UTF-8. The package doesn't contain them, because it is a JavaScript file.
const NON_UTF8_CASES: [&[u8]; 12] = [
    b"[\"\xff\"]",
    b"[\"\xe9\"]",
    b"[\"\xed\xa0\x80\"]",
    b"[\"\xf4\xbf\xbf\xbf\"]",
    b"[\"\xc0\xaf\"]",
    b"[\"\xfc\x83\xbf\xbf\xbf\xbf\"]",
    b"[\"\xe0\xff\"]",
    b"[\"\\u\xe5\"]",
    b"[1e1\xe5]",
    b"[a\xe5]",
    b"\xef\xbb",
    b"\xff\xfe[\x00\"\x00\xe9\x00\"\x00]\x00",
];

#[test]
fn reader_accepts_exactly_valid_json() {
    let texts = json_texts();
    assert!(texts.len() > 300, "{}", texts.len());
    for JsonText { name, text } in texts {
        let parsed = json::parse(&text);
        // The reader leaves empty input to its caller.
        let is_accepted = parsed.diagnostics.is_empty() && parsed.root.is_some();
        let should_accept = name.starts_with("y_") && !REJECTED_VALID_CASES.contains(&name.as_str());
        assert!(
            name.starts_with("i_") || is_accepted == should_accept,
            "{name}: {text:.200}\n{:?}",
            parsed.diagnostics
        );
    }
}

#[tokio::test]
async fn json_test_cases_never_cause_a_5xx() {
    let server = Server::start_without_login_limits().await;
    server.create_user("admin@example.com", "admin").await;
    let document = OpenApiDocument::fetch(&server).await;
    let mut bodies: Vec<_> = json_texts().into_iter().map(|text| (text.name, text.text.into_bytes())).collect();
    bodies.extend(NON_UTF8_CASES.iter().enumerate().map(|(index, bytes)| (format!("n_bytes_{index}"), bytes.to_vec())));
    for operation in document.operations().into_iter().filter(|operation| operation.has_json_body()) {
        let client = permitted_client(&server, &operation).await.with_header("content-type", "application/json");
        let target = operation.path_with(|name| if name == "name" { "later".to_owned() } else { "1".to_owned() });
        let example = operation.example_body().unwrap();
        let (member, _) = example.as_object().unwrap().iter().next().unwrap();
        for (name, text) in &bodies {
            let nested = [format!("{{{member:?}:").as_bytes(), text, b"}"].concat();
            for body in [text.clone(), nested] {
                let response = client.send(operation.method.clone(), &target, body).await;
                let is_rejected = (400..500).contains(&response.status);
                assert!(
                    is_rejected || !name.starts_with("n_"),
                    "{} accepts {name}: {}",
                    operation.name(),
                    response.text()
                );
                operation.documented_response(&response);
            }
        }
    }
}
