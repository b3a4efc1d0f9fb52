//! The JSONTestSuite: the reader takes what is JSON and refuses what is none, and as a body none of it makes a failure.

use leadscribe_engine::json;

use super::document::Document;
use super::sweep::permitted;
use crate::harness::{JsonText, Server, json_texts};

/// JSON that is refused on purpose: equal keys, U+0000, and halves of surrogate pairs.
const REFUSED: [&str; 4] = [
    "y_object_duplicated_key.json",
    "y_object_duplicated_key_and_value.json",
    "y_object_escaped_null_in_key.json",
    "y_string_null_escape.json",
];

/// What stands in the suite as bytes, which its package can't hold.
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
fn the_reader_takes_what_is_json_and_nothing_else() {
    let texts = json_texts();
    assert!(texts.len() > 300, "{}", texts.len());
    for JsonText { name, text } in texts {
        let read = json::read(&text);
        // A text without anything in it is for the caller to judge.
        let taken = read.faults.is_empty() && read.root.is_some();
        let good = name.starts_with("y_") && !REFUSED.contains(&name.as_str());
        assert!(name.starts_with("i_") || taken == good, "{name}: {text:.200}\n{:?}", read.faults);
    }
}

#[tokio::test]
async fn no_json_text_makes_a_failure() {
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
