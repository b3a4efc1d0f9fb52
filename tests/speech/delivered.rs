//! Delivery to a callback from its owner's view, verified with the specification's reference library.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{recorded_call, sample, transcribed};
use crate::harness::{Arrived, Endpoint, Program, SpeechServer, run};

/// Verifies a delivery with the npm library of the specification's authors, and returns the result.
fn verified(secret: &str, arrived: &Arrived) -> Result<Value, String> {
    let folder = std::env::var_os("LEADSCRIBE_WEBHOOK_VERIFIER").map(PathBuf::from);
    let folder = folder.expect("LEADSCRIBE_WEBHOOK_VERIFIER; `cargo xtask test system` names it");
    let headers: serde_json::Map<_, _> =
        arrived.headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().into())).collect();
    let input =
        json!({ "secret": secret, "headers": headers, "body": String::from_utf8(arrived.body.clone()).unwrap() });
    let mut node = Command::new("node")
        .arg(folder.join("verify.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    node.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    if output.status.success() {
        Ok(serde_json::from_slice(&output.stdout).unwrap())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

#[tokio::test]
async fn transcript_reaches_the_callback() {
    let home = tempfile::tempdir().unwrap();
    let key = run(home.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(home.path(), &["token", "create", "--name", "test"]);
    let speech = SpeechServer::saying("please send the invoice again", Duration::ZERO).await;
    let mut options = speech.options().to_vec();
    options.push(("LEADSCRIBE_CALLBACK_NETWORKS", "127.0.0.1"));
    let program = Program::start_with(home.path(), &options).await;
    let client = program.client().with_key(&key);
    let call = recorded_call(&client, sample("librivox_0880.wav")).await;
    transcribed(&program, &token, call, &["en"]).await;

    // The first response is a 503, so that a second attempt is needed.
    let endpoint = Endpoint::answering(&[503]).await;
    let owner = program.client().with_header("x-speech-token", &token);
    let template =
        r#"{"call":"{call_id}","about":"call {call_id}","heard":"{transcript_text}","result":"{speech_result}"}"#;
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("phrase", "the invoice").append_pair("callback_url", &endpoint.url);
    query.append_pair("callback_method", "PUT").append_pair("callback_data", template);
    let asked = owner.get(&format!("/api/speech-recognition?{}", query.finish())).await.expect(202);
    assert_eq!(asked["call_ids"], json!([call]));

    let secret = owner.get("/api/speech-recognition/webhook-secret").await.expect(200);
    let secret = secret["secret"].as_str().unwrap();
    let arrived = endpoint.wait_for(2).await;
    for delivery in &arrived {
        assert_eq!(delivery.method, "PUT");
        let body = verified(secret, delivery).unwrap();
        assert_eq!((&body["call"], &body["about"]), (&json!(call), &json!(format!("call {call}"))));
        assert!(body["heard"].as_str().unwrap().contains("please send the invoice again"), "{body}");
        assert_eq!(body["result"]["segments"][0]["text"], "please send the invoice again");
    }
    assert_eq!(arrived[0].headers["webhook-id"], arrived[1].headers["webhook-id"], "it is the same message");
    let forged = Arrived { body: b"{}".to_vec(), ..arrived[1].clone() };
    assert!(verified(secret, &forged).unwrap_err().contains("No matching signature found"));

    let request = asked["speech_request_id"].as_i64().unwrap();
    let progress = format!("/api/speech-recognition/requests/{request}");
    while owner.get(&progress).await.expect(200)["delivered"] != 1 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let deliveries = client.get(&format!("/api/deliveries?speech_request_id={request}")).await.expect(200);
    let delivery = client.get(&format!("/api/deliveries/{}", deliveries["items"][0]["id"])).await.expect(200);
    let statuses: Vec<_> = delivery["attempts"].as_array().unwrap().iter().map(|one| one["status"].clone()).collect();
    assert_eq!((statuses, &delivery["delivery"]["state"]), (vec![json!(503), json!(204)], &json!("delivered")));
}
