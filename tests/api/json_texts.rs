//! JSONTestSuite: the reader accepts exactly valid JSON, and no test case sent as a body causes a 5xx.

use leadscribe_engine::json;

use super::document::Document;
use super::sweep::permitted;
use crate::harness::{JsonText, Server, json_texts};

/// Valid JSON that the reader rejects by design: duplicate keys, U+0000, and unpaired surrogates.
const REFUSED: [&str; 4] = [
    "y_object_duplicated_key.json",
    "y_object_duplicated_key_and_value.json",
    "y_object_escaped_null_in_key.json",
    "y_string_null_escape.json",
];

/// Test cases that aren't UTF-8, which the package can't contain.
const BYTES: [&[u8]; 12] = [
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
        let read = json::read(&text);
        // The reader leaves empty input to its caller.
        let taken = read.faults.is_empty() && read.root.is_some();
        let good = name.starts_with("y_") && !REFUSED.contains(&name.as_str());
        assert!(name.starts_with("i_") || taken == good, "{name}: {text:.200}\n{:?}", read.faults);
    }
}

#[tokio::test]
async fn no_json_test_case_causes_a_5xx() {
    let server = Server::for_many_log_ins().await;
    server.user("admin@example.com", "admin").await;
    let document = Document::of(&server).await;
    let mut bodies: Vec<_> = json_texts().into_iter().map(|text| (text.name, text.text.into_bytes())).collect();
    bodies.extend(BYTES.iter().enumerate().map(|(at, bytes)| (format!("n_bytes_{at}"), bytes.to_vec())));
    for operation in document.operations().into_iter().filter(|operation| operation.takes_json()) {
        let client = permitted(&server, &operation).await.with_header("content-type", "application/json");
        let target = operation.target(|name| if name == "name" { "later".to_owned() } else { "1".to_owned() });
        let example = operation.example().unwrap();
        let (member, _) = example.as_object().unwrap().iter().next().unwrap();
        for (name, text) in &bodies {
            let within = [format!("{{{member:?}:").as_bytes(), text, b"}"].concat();
            for body in [text.clone(), within] {
                let answer = client.send(operation.method.clone(), &target, body).await;
                let refused = (400..500).contains(&answer.status);
                assert!(refused || !name.starts_with("n_"), "{} takes {name}: {}", operation.name(), answer.text());
                operation.promised(&answer);
            }
        }
    }
}
