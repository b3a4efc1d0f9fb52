//! Deliveries: requesting them with a template, and following their outcome.

use std::time::Duration;

use fantoccini::key::Key;
use leadscribe_engine::api::{RecordingSide, Role};
use leadscribe_server::storage::AttemptResult;
use serde_json::{Value, json};

use super::bulk::expect_toast;
use super::login::{log_in, submit_login};
use super::page::Page;
use super::{assert_panel_is_built, journey, run_in_browser};
use crate::harness::{Client, Endpoint, PASSWORD, Server, ServerProcess, SpeechServer, body, run, sample_recording};

const TEMPLATE_INPUT: &str = "#callback-template";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn search_results_are_delivered_with_the_template() {
    assert_panel_is_built();
    let temp_dir = tempfile::tempdir().unwrap();
    let key = run(temp_dir.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(temp_dir.path(), &["token", "create", "--name", "Quality team"]);
    let speech = SpeechServer::start("please send the invoice again", Duration::ZERO).await;
    let mut options = speech.options().to_vec();
    options.push(("LEADSCRIBE_CALLBACK_ALLOWED_NETWORKS", "127.0.0.1"));
    let program = ServerProcess::start_with(temp_dir.path(), &options).await;
    let client = program.client().with_key(&key);
    let manager = json!({ "email": "manager@example.com", "password": PASSWORD, "role": "manager" });
    client.create("/api/users", manager).await;
    let call = submit_recorded_call(&program, &client, &token).await;
    let endpoint = Endpoint::start(&[]).await;

    run_in_browser("search_results_are_delivered_with_the_template", &program.base_url, async |page| {
        page.open("/transcripts?search=invoice").await;
        submit_login(page, "manager@example.com", PASSWORD).await;
        page.wait_until("the call is transcribed", async || {
            if page.is_visible("[data-test=hit]").await {
                return Some(());
            }
            page.click("[data-test=search]").await;
            None
        })
        .await;
        page.click("[data-test=deliver]").await;
        page.expect_text("[data-test=deliver-submit]", "Send 1 call").await;
        page.fill("[data-test=callback-url]", &endpoint.url).await;
        page.fill(TEMPLATE_INPUT, r#"{"call": "{cal_id}", "heard": "{transcript_text}"}"#).await;
        page.expect_text("[data-test=diagnostic] .strong", "Expected the name of a placeholder, found cal_id.").await;
        assert!(!page.wait_for("[data-test=deliver-submit]").await.is_enabled().await.unwrap());
        page.click("[data-test=use-suggestion]").await;
        page.wait_until_gone("[data-test=diagnostic]").await;

        page.fill(TEMPLATE_INPUT, r#"{"call": "{call_id}", "heard": "{transcript_text}"}"#).await;
        let preview = page.text("[data-test=callback-preview]").await;
        let preview: Value = serde_json::from_str(&preview).unwrap();
        assert_eq!(preview["call"], 5012, "{preview}");
        page.click("[data-test=deliver-submit]").await;
        page.expect_location("/deliveries?speech_request_id=1").await;
        page.expect_text("[data-test=delivery-row] .badge", "Delivered").await;

        let deliveries = endpoint.wait_for(1).await;
        let delivered: Value = serde_json::from_slice(&deliveries[0].body).unwrap();
        assert_eq!((deliveries[0].method.as_str(), &delivered["call"]), ("POST", &json!(call)));
        assert!(delivered["heard"].as_str().unwrap().contains("please send the invoice again"), "{delivered}");
    })
    .await;
}

journey!(delivery_shows_its_attempts_and_can_be_retried, async |page, server| {
    let token = server.create_speech_token("Quality team").await;
    let call = server.create_transcribed_call(&token, json!({}), &[(RecordingSide::Both, "good morning")]).await;
    request_deliveries(server).await;
    log_in(page, server, Role::Manager, "/deliveries").await;
    let row = "[data-test=delivery-row]";
    page.expect_text(&format!("{row} .badge"), "Queued").await;
    page.expect_text(&format!("{row} .target-url"), "example.com/hook?…").await;
    page.expect_text(&format!("{row} td:nth-child(3)"), &format!("Call {call}")).await;

    // An invalid call number is reported and doesn't filter.
    page.fill("[data-test=delivery-call]", "0").await;
    page.type_keys(&Key::Enter).await;
    page.expect_text(".invalid-value-note", "Ignored: enter a whole number, at least 1.").await;
    page.expect_location("/deliveries").await;
    page.fill("[data-test=delivery-call]", &call.to_string()).await;
    page.type_keys(&Key::Enter).await;
    page.expect_location(&format!("/deliveries?call_id={call}")).await;
    page.wait_until_gone(".invalid-value-note").await;

    // Changes are recognized by their time, so it must differ.
    server.advance(chrono::TimeDelta::seconds(1));
    let retry_at = server.now() + chrono::TimeDelta::hours(4);
    server.finish_delivery(503, AttemptResult::Retry(retry_at)).await;
    page.expect_text(&format!("{row} td:nth-child(5)"), "1").await;
    page.click(&format!("{row} .row-link")).await;
    page.expect_text("[data-test=attempt-next]", "Next attempt in 4 h").await;
    page.expect_attributes("[data-test=attempt]", "data-number", &["1".to_owned()]).await;
    page.expect_text("[data-test=replay]", "Retry now").await;
    page.click("[data-test=replay]").await;
    page.click("[data-test=confirm]").await;
    page.expect_text("[data-test=toast] p", "Retrying delivery 1…").await;
    page.wait_until_gone("[data-test=replay]").await;

    // The confirmation closes if another session replays the delivery.
    server.advance(chrono::TimeDelta::seconds(1));
    server.finish_delivery(503, AttemptResult::Retry(server.now() + chrono::TimeDelta::hours(4))).await;
    page.click("[data-test=replay]").await;
    page.wait_for("[data-test=confirm-dialog][open]").await;
    server.advance(chrono::TimeDelta::seconds(1));
    server.admin().post("/api/deliveries/1/replay", "").await.expect(202);
    page.wait_until_gone("[data-test=confirm-dialog][open]").await;
    expect_toast(page, "The delivery is already in progress.").await;
    server.advance(chrono::TimeDelta::seconds(1));

    server.finish_delivery(204, AttemptResult::Delivered).await;
    page.expect_text("[data-test=delivery-state]", "Delivered").await;
    page.expect_attributes("[data-test=attempt]", "data-number", &["3", "2", "1"].map(str::to_owned)).await;
    page.click("[data-test=replay]").await;
    page.click("[data-test=confirm]").await;
    page.expect_text("[data-test=delivery-state]", "Queued").await;
});

journey!(focus_stays_on_its_delivery_while_the_list_changes, async |page, server| {
    let token = server.create_speech_token("Quality team").await;
    server.create_transcribed_call(&token, json!({}), &[(RecordingSide::Both, "good morning")]).await;
    request_deliveries(server).await;
    log_in(page, server, Role::Manager, "/deliveries").await;
    page.wait_for("[data-test=delivery-row]").await;
    page.run_script("document.querySelector('[data-row] [data-row-link]').focus()", Value::Null).await;
    let focused_row_script = "return document.activeElement.closest('[data-row]')?.dataset.id";
    for count in 2..5 {
        server.advance(chrono::TimeDelta::seconds(1));
        request_deliveries(server).await;
        let ids: Vec<_> = (1..=count).rev().map(|id: u8| id.to_string()).collect();
        page.expect_attributes("[data-test=delivery-row]", "data-id", &ids).await;
        assert_eq!(page.run_script(focused_row_script, Value::Null).await, "1");
    }
    server.advance(chrono::TimeDelta::seconds(1));
    server.finish_delivery(503, AttemptResult::Failed).await;
    page.expect_text("[data-test=delivery-row][data-id='1'] .badge", "Failed").await;
    assert_eq!(page.run_script(focused_row_script, Value::Null).await, "1");
    page.type_keys(&Key::Enter).await;
    page.expect_location("/deliveries/1").await;
});

journey!(signing_secret_is_shown_and_rotated, async |page, server| {
    server.create_speech_token("Quality team").await;
    log_in(page, server, Role::Admin, "/settings?tab=tokens").await;
    page.click("[data-test=signing]").await;
    let old_secret = signing_secret(page).await;
    page.click("[data-test=rotate-signing]").await;
    page.click("[data-test=confirm-rotate-signing]").await;
    page.wait_until("the secret has changed", async || (signing_secret(page).await != old_secret).then_some(())).await;
    let tokens = server.admin().get("/api/speech-tokens").await.expect(200);
    let stored = server.admin().get(&format!("/api/speech-tokens/{}/webhook-secret", tokens["items"][0]["id"])).await;
    assert_eq!(stored.expect(200)["secret"], signing_secret(page).await);
});

async fn signing_secret(page: &Page) -> String {
    page.text("[data-test=signing-secret]").await
}

/// Queues deliveries of all transcripts of the only token.
pub async fn request_deliveries(server: &Server) {
    let tokens = server.admin().get("/api/speech-tokens").await.expect(200);
    let request = json!({ "callback": { "callback_url": "https://example.com/hook?key=secret" } });
    let url = format!("/api/speech-tokens/{}/speech-requests", tokens["items"][0]["id"]);
    server.admin().post(&url, body(request)).await.expect(202);
}

/// Creates a call with a recording of speech, and submits it.
async fn submit_recorded_call(program: &ServerProcess, client: &Client, token: &str) -> i64 {
    let call = client.create_recorded_call(sample_recording("librivox_0880.wav")).await;
    let submission = json!({ "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both" });
    program.client().post("/api/speech-recognition", submission.to_string()).await.expect(200);
    call
}

journey!(endpoints_show_the_outcome_of_their_deliveries, async |page, server| {
    let token = server.create_speech_token("Quality team").await;
    server.create_transcribed_call(&token, json!({}), &[(RecordingSide::Both, "good morning")]).await;
    log_in(page, server, Role::Manager, "/settings?tab=endpoints").await;
    page.wait_for("[data-test=empty-state]").await;
    request_deliveries(server).await;
    page.expect_text("[data-test=endpoint]", "example.com/hook?…").await;
    let other_endpoint = json!({ "callback_url": "https://example.org/other" });
    server.admin().post("/api/speech-tokens/1/test-deliveries", body(other_endpoint)).await.expect(202);
    server.advance(chrono::TimeDelta::seconds(1));
    server.finish_delivery(500, AttemptResult::Failed).await;
    page.wait_until("both endpoints are listed", async || {
        (page.texts("[data-test=endpoint]").await.len() == 2).then_some(())
    })
    .await;
    page.expect_text("[data-test=endpoint-failed]", "1").await;
    // One endpoint per page.
    page.open("/settings?tab=endpoints&limit=1;0").await;
    page.expect_text("[data-test=range]", "1–1 of 2").await;
    let first_endpoint = page.text("[data-test=endpoint]").await;
    page.click("[aria-label='Next page']").await;
    page.expect_location("/settings?tab=endpoints&limit=1%3B1").await;
    page.expect_text("[data-test=range]", "2–2 of 2").await;
    let endpoint_texts = async || page.texts("[data-test=endpoint]").await;
    page.wait_until_equal("only the other one is listed", (1, false), async || {
        let endpoint_texts = endpoint_texts().await;
        (endpoint_texts.len(), endpoint_texts.contains(&first_endpoint))
    })
    .await;
    page.open("/settings?tab=endpoints").await;
    page.expect_text("[data-test=endpoint-failed]", "1").await;
    page.click("[data-test=endpoint-failed]").await;
    page.expect_location("/deliveries?state=failed&same_url_as=1").await;
    page.expect_attributes("[data-test=delivery-row]", "data-id", &["1".to_owned()]).await;
    page.expect_text("[data-test=endpoint-filter] span", "Only deliveries to the URL of delivery 1.").await;
    page.click("[data-test=all-endpoints]").await;
    page.expect_location("/deliveries?state=failed").await;
    page.wait_until_gone("[data-test=endpoint-filter]").await;
});
