//! Deliveries: ordering them with a template, and following their outcome.

use std::time::Duration;

use fantoccini::key::Key;
use leadscribe_engine::api::{RecordingSide, Role};
use leadscribe_server::storage::AfterAttempt;
use serde_json::{Value, json};

use super::bulk::says;
use super::login::{fill_in, log_in};
use super::page::Page;
use super::{assert_panel_is_built, journey, visit};
use crate::harness::{Client, Endpoint, PASSWORD, Program, Server, SpeechServer, body, run};

const TEMPLATE: &str = "#callback-template";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn search_results_are_delivered_with_the_template() {
    assert_panel_is_built();
    let home = tempfile::tempdir().unwrap();
    let key = run(home.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(home.path(), &["token", "create", "--name", "Quality team"]);
    let speech = SpeechServer::saying("please send the invoice again", Duration::ZERO).await;
    let mut options = speech.options().to_vec();
    options.push(("LEADSCRIBE_CALLBACK_NETWORKS", "127.0.0.1"));
    let program = Program::start_with(home.path(), &options).await;
    let client = program.client().with_key(&key);
    let staff = json!({ "email": "manager@example.com", "password": PASSWORD, "role": "manager" });
    client.create("/api/users", staff).await;
    let call = sent_call(&program, &client, &token).await;
    let endpoint = Endpoint::answering(&[]).await;

    visit("deliver", &program.base, async |page| {
        page.open("/transcripts?words=invoice").await;
        fill_in(page, "manager@example.com", PASSWORD).await;
        page.until("the call is transcribed", async || {
            if page.sees("[data-test=hit]").await {
                return Some(());
            }
            page.click("[data-test=search]").await;
            None
        })
        .await;
        page.click("[data-test=deliver]").await;
        page.shows("[data-test=deliver-submit]", "Send 1 call").await;
        page.fill("[data-test=callback-url]", &endpoint.url).await;
        page.fill(TEMPLATE, r#"{"call": "{cal_id}", "heard": "{transcript_text}"}"#).await;
        page.shows("[data-test=fault] .strong", "Expected the name of a placeholder, found cal_id.").await;
        assert!(!page.see("[data-test=deliver-submit]").await.is_enabled().await.unwrap());
        page.click("[data-test=use-suggestion]").await;
        page.see_gone("[data-test=fault]").await;

        page.fill(TEMPLATE, r#"{"call": "{call_id}", "heard": "{transcript_text}"}"#).await;
        let shown = page.text("[data-test=callback-preview]").await;
        let shown: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(shown["call"], 5012, "{shown}");
        page.click("[data-test=deliver-submit]").await;
        page.is_at("/deliveries?speech_request_id=1").await;
        page.shows("[data-test=delivery-row] .badge", "Delivered").await;

        let arrived = endpoint.wait_for(1).await;
        let delivered: Value = serde_json::from_slice(&arrived[0].body).unwrap();
        assert_eq!((arrived[0].method.as_str(), &delivered["call"]), ("POST", &json!(call)));
        assert!(delivered["heard"].as_str().unwrap().contains("please send the invoice again"), "{delivered}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn delivery_shows_its_attempts_and_can_be_retried() {
    journey("delivery", async |page, server| {
        let token = server.speech_token("Quality team").await;
        let call = server.transcribed_call(&token, json!({}), &[(RecordingSide::Both, "good morning")]).await;
        ask_for_delivery(server).await;
        log_in(page, server, Role::Manager, "/deliveries").await;
        let row = "[data-test=delivery-row]";
        page.shows(&format!("{row} .badge"), "Queued").await;
        page.shows(&format!("{row} .target-url"), "example.com/hook?…").await;
        page.shows(&format!("{row} td:nth-child(3)"), &format!("Call {call}")).await;

        // An invalid call number is reported and doesn't filter.
        page.fill("[data-test=delivery-call]", "0").await;
        page.press(&Key::Enter).await;
        page.shows(".not-taken", "Ignored: enter a whole number, at least 1.").await;
        page.is_at("/deliveries").await;
        page.fill("[data-test=delivery-call]", &call.to_string()).await;
        page.press(&Key::Enter).await;
        page.is_at(&format!("/deliveries?call_id={call}")).await;
        page.see_gone(".not-taken").await;

        // Changes are recognised by their time, so it must differ.
        server.advance(chrono::TimeDelta::seconds(1));
        let later = server.now() + chrono::TimeDelta::hours(4);
        server.deliver(503, AfterAttempt::Retry(later)).await;
        page.shows(&format!("{row} td:nth-child(5)"), "1").await;
        page.click(&format!("{row} .row-link")).await;
        page.shows("[data-test=attempt-coming]", "Next attempt in 4 hr").await;
        page.lists("[data-test=attempt]", "data-number", &["1".to_owned()]).await;
        page.shows("[data-test=replay]", "Retry now").await;
        page.click("[data-test=replay]").await;
        page.click("[data-test=confirm]").await;
        page.shows("[data-test=toast] p", "Retrying delivery 1").await;
        page.see_gone("[data-test=replay]").await;

        // The confirmation closes if another session replays the delivery.
        server.advance(chrono::TimeDelta::seconds(1));
        server.deliver(503, AfterAttempt::Retry(server.now() + chrono::TimeDelta::hours(4))).await;
        page.click("[data-test=replay]").await;
        page.see("[data-test=confirm-dialog][open]").await;
        server.advance(chrono::TimeDelta::seconds(1));
        server.admin().post("/api/deliveries/1/replay", "").await.expect(202);
        page.see_gone("[data-test=confirm-dialog][open]").await;
        says(page, "The delivery went on meanwhile, or is about to: there is nothing to confirm any more.").await;
        server.advance(chrono::TimeDelta::seconds(1));

        server.deliver(204, AfterAttempt::Delivered).await;
        page.shows("[data-test=delivery-state]", "Delivered").await;
        page.lists("[data-test=attempt]", "data-number", &["3", "2", "1"].map(str::to_owned)).await;
        page.click("[data-test=replay]").await;
        page.click("[data-test=confirm]").await;
        page.shows("[data-test=delivery-state]", "Queued").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn focus_stays_on_its_delivery_while_the_list_changes() {
    journey("deliveries_live", async |page, server| {
        let token = server.speech_token("Quality team").await;
        server.transcribed_call(&token, json!({}), &[(RecordingSide::Both, "good morning")]).await;
        ask_for_delivery(server).await;
        log_in(page, server, Role::Manager, "/deliveries").await;
        page.see("[data-test=delivery-row]").await;
        page.run("document.querySelector('[data-row] [data-opens]').focus()", Value::Null).await;
        let at = "return document.activeElement.closest('[data-row]')?.dataset.id";
        for count in 2..5 {
            server.advance(chrono::TimeDelta::seconds(1));
            ask_for_delivery(server).await;
            let ids: Vec<_> = (1..=count).rev().map(|id: u8| id.to_string()).collect();
            page.lists("[data-test=delivery-row]", "data-id", &ids).await;
            assert_eq!(page.run(at, Value::Null).await, "1");
        }
        server.advance(chrono::TimeDelta::seconds(1));
        server.deliver(503, AfterAttempt::Failed).await;
        page.shows("[data-test=delivery-row][data-id='1'] .badge", "Failed").await;
        assert_eq!(page.run(at, Value::Null).await, "1");
        page.press(&Key::Enter).await;
        page.is_at("/deliveries/1").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signing_secret_is_shown_and_rotated() {
    journey("signing", async |page, server| {
        server.speech_token("Quality team").await;
        log_in(page, server, Role::Admin, "/settings?tab=tokens").await;
        page.click("[data-test=signing]").await;
        let first = signing_secret(page).await;
        page.click("[data-test=rotate-signing]").await;
        page.click("[data-test=confirm-rotate-signing]").await;
        page.until("there is another secret", async || (signing_secret(page).await != first).then_some(())).await;
        let tokens = server.admin().get("/api/speech-tokens").await.expect(200);
        let stored =
            server.admin().get(&format!("/api/speech-tokens/{}/webhook-secret", tokens["items"][0]["id"])).await;
        assert_eq!(stored.expect(200)["secret"], signing_secret(page).await);
    })
    .await;
}

async fn signing_secret(page: &Page) -> String {
    page.text("[data-test=signing-secret]").await
}

/// Queues deliveries of all transcripts of the only token.
pub async fn ask_for_delivery(server: &Server) {
    let tokens = server.admin().get("/api/speech-tokens").await.expect(200);
    let asked = json!({ "callback": { "callback_url": "https://example.com/hook?key=secret" } });
    let url = format!("/api/speech-tokens/{}/speech-requests", tokens["items"][0]["id"]);
    server.admin().post(&url, body(asked)).await.expect(202);
}

/// Creates a call with a recording of speech, and submits it.
async fn sent_call(program: &Program, client: &Client, token: &str) -> i64 {
    let call = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
    let audio = client.with_header("content-type", "audio/wav");
    audio.put(&format!("/api/calls/{call}/recording"), speech()).await.expect(200);
    let sent = json!({ "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both" });
    program.client().post("/api/speech-recognition", sent.to_string()).await.expect(200);
    call
}

/// Returns a few seconds of speech from the sample data.
fn speech() -> Vec<u8> {
    std::fs::read(super::root().join("server/demo/recordings/librivox_0880.wav")).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endpoints_show_the_outcome_of_their_deliveries() {
    journey("endpoints", async |page, server| {
        let token = server.speech_token("Quality team").await;
        server.transcribed_call(&token, json!({}), &[(RecordingSide::Both, "good morning")]).await;
        log_in(page, server, Role::Manager, "/settings?tab=endpoints").await;
        page.see("[data-test=empty]").await;
        ask_for_delivery(server).await;
        page.shows("[data-test=endpoint]", "example.com/hook?…").await;
        let elsewhere = json!({ "callback_url": "https://example.org/other" });
        server.admin().post("/api/speech-tokens/1/test-deliveries", body(elsewhere)).await.expect(202);
        server.advance(chrono::TimeDelta::seconds(1));
        server.deliver(500, AfterAttempt::Failed).await;
        page.until("both are there", async || (page.texts("[data-test=endpoint]").await.len() == 2).then_some(()))
            .await;
        page.shows("[data-test=endpoint-failed]", "1").await;
        // One endpoint per page.
        page.open("/settings?tab=endpoints&limit=1;0").await;
        page.shows("[data-test=range]", "1–1 of 2").await;
        let first = page.text("[data-test=endpoint]").await;
        page.click("[aria-label='Next page']").await;
        page.is_at("/settings?tab=endpoints&limit=1%3B1").await;
        page.shows("[data-test=range]", "2–2 of 2").await;
        let shown = async || page.texts("[data-test=endpoint]").await;
        page.until_equal("the other one alone is shown", (1, false), async || {
            let shown = shown().await;
            (shown.len(), shown.contains(&first))
        })
        .await;
        page.open("/settings?tab=endpoints").await;
        page.shows("[data-test=endpoint-failed]", "1").await;
        page.click("[data-test=endpoint-failed]").await;
        page.is_at("/deliveries?state=failed&same_url_as=1").await;
        page.lists("[data-test=delivery-row]", "data-id", &["1".to_owned()]).await;
        page.shows("[data-test=one-address] span", "Only deliveries to the URL of delivery 1.").await;
        page.click("[data-test=all-addresses]").await;
        page.is_at("/deliveries?state=failed").await;
        page.see_gone("[data-test=one-address]").await;
    })
    .await;
}
