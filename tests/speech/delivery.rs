//! Delivery to a callback, as its owner receives it, verified with the specification's reference library.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::submit_and_wait;
use crate::harness::{Endpoint, ReceivedDelivery, ServerProcess, SpeechServer, run, sample_recording};

/// Verifies a delivery with the npm library of the specification's authors, and returns the result.
fn verify_delivery(secret: &str, delivery: &ReceivedDelivery) -> Result<Value, String> {
    let folder = std::env::var_os("LEADSCRIBE_WEBHOOK_VERIFIER").map(PathBuf::from);
    let folder = folder.expect("LEADSCRIBE_WEBHOOK_VERIFIER is not set; run `cargo xtask test system`");
    let headers: serde_json::Map<_, _> =
        delivery.headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().into())).collect();
    let input =
        json!({ "secret": secret, "headers": headers, "body": String::from_utf8(delivery.body.clone()).unwrap() });
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
async fn failed_transcription_reaches_the_callback() {
    let temp_dir = tempfile::tempdir().unwrap();
    let key = run(temp_dir.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(temp_dir.path(), &["token", "create", "--name", "test"]);
    // The response has no text, so the transcription fails without a retry.
    let speech = SpeechServer::start_with(json!({}), Duration::ZERO).await;
    let mut options = speech.options().to_vec();
    options.push(("LEADSCRIBE_CALLBACK_ALLOWED_NETWORKS", "127.0.0.1"));
    let program = ServerProcess::start_with(temp_dir.path(), &options).await;
    let call = program.client().with_key(&key).create_recorded_call(sample_recording("librivox_0880.wav")).await;

    let endpoint = Endpoint::start(&[]).await;
    let submission = json!({
        "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both", "callback_url": endpoint.url
    });
    let submitted = program.client().post("/api/speech-recognition", submission.to_string()).await.expect(200);
    let received = endpoint.wait_for(1).await;
    let token_client = program.client().with_header("x-speech-token", &token);
    let secret = token_client.get("/api/speech-recognition/webhook-secret").await.expect(200);
    let body = verify_delivery(secret["secret"].as_str().unwrap(), &received[0]).unwrap();
    let failure = token_client.get(&format!("/api/speech-recognition/{call}")).await.expect(409);
    let error = body["error"].as_str().unwrap();
    let expected =
        json!({ "call_id": call, "transcription_status": "failed", "error": error, "speech_result": Value::Null });
    assert_eq!(body, expected);
    assert!(failure["detail"].as_str().unwrap().contains(error), "{failure}");
    let progress_path = format!("/api/speech-recognition/requests/{}", submitted["speech_request_id"]);
    while token_client.get(&progress_path).await.expect(200)["delivered"] != 1 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn transcript_reaches_the_callback() {
    let temp_dir = tempfile::tempdir().unwrap();
    let key = run(temp_dir.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(temp_dir.path(), &["token", "create", "--name", "test"]);
    let speech = SpeechServer::start("please send the invoice again", Duration::ZERO).await;
    let mut options = speech.options().to_vec();
    options.push(("LEADSCRIBE_CALLBACK_ALLOWED_NETWORKS", "127.0.0.1"));
    let program = ServerProcess::start_with(temp_dir.path(), &options).await;
    let client = program.client().with_key(&key);
    let call = client.create_recorded_call(sample_recording("librivox_0880.wav")).await;
    submit_and_wait(&program, &token, call, &["en"]).await;

    // The first response is a 503, so that a second attempt is needed.
    let endpoint = Endpoint::start(&[503]).await;
    let token_client = program.client().with_header("x-speech-token", &token);
    let template =
        r#"{"call":"{call_id}","about":"call {call_id}","heard":"{transcript_text}","result":"{speech_result}"}"#;
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("phrase", "the invoice").append_pair("callback_url", &endpoint.url);
    query.append_pair("callback_method", "PUT").append_pair("callback_data", template);
    let search_response = token_client.get(&format!("/api/speech-recognition?{}", query.finish())).await.expect(202);
    assert_eq!(search_response["call_ids"], json!([call]));

    let secret = token_client.get("/api/speech-recognition/webhook-secret").await.expect(200);
    let secret = secret["secret"].as_str().unwrap();
    let received = endpoint.wait_for(2).await;
    for delivery in &received {
        assert_eq!(delivery.method, "PUT");
        let body = verify_delivery(secret, delivery).unwrap();
        assert_eq!((&body["call"], &body["about"]), (&json!(call), &json!(format!("call {call}"))));
        assert!(body["heard"].as_str().unwrap().contains("please send the invoice again"), "{body}");
        assert_eq!(body["result"]["segments"][0]["text"], "please send the invoice again");
    }
    assert_eq!(received[0].headers["webhook-id"], received[1].headers["webhook-id"], "a retry has the same message id");
    let forged_delivery = ReceivedDelivery { body: b"{}".to_vec(), ..received[1].clone() };
    assert!(verify_delivery(secret, &forged_delivery).unwrap_err().contains("No matching signature found"));

    let request_id = search_response["speech_request_id"].as_i64().unwrap();
    let progress_path = format!("/api/speech-recognition/requests/{request_id}");
    while token_client.get(&progress_path).await.expect(200)["delivered"] != 1 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let deliveries = client.get(&format!("/api/deliveries?speech_request_id={request_id}")).await.expect(200);
    let delivery = client.get(&format!("/api/deliveries/{}", deliveries["items"][0]["id"])).await.expect(200);
    let statuses: Vec<_> =
        delivery["attempts"].as_array().unwrap().iter().map(|attempt| attempt["status"].clone()).collect();
    assert_eq!((statuses, &delivery["delivery"]["state"]), (vec![json!(503), json!(204)], &json!("delivered")));
}
