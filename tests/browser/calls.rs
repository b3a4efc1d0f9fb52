//! Calls: sending them to speech recognition, and playing a recording.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::Server;

/// Of the sample calls the newest is still being prepared, the one before failed, and the one before is too short.
const PENDING: &str = "150";
const FAILED: &str = "149";
const TOO_SHORT: &str = "148";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_are_checked_and_sent_and_each_says_what_became_of_it() {
    journey("send_calls", async |page, server| {
        let calls = server.admin().get("/api/calls?recording=ready&order=oldest&limit=1;0").await.expect(200);
        let ready = calls["items"][0]["id"].to_string();
        server.speech_token("Quality team").await;
        log_in(page, server, Role::Manager, "/calls").await;
        page.shows("[data-test=total]", "50 calls").await;
        page.choose("[aria-label=Outcome]", "answered").await;
        page.is_at("/calls?status=answered").await;
        page.shows("[data-test=total]", "43 calls").await;

        for id in [PENDING, FAILED, TOO_SHORT, &ready] {
            page.click(&format!("[data-test=call-row][data-id='{id}'] [data-test=select-call]")).await;
        }
        page.click("[data-test=send]").await;
        page.shows("[data-test=send-dialog] h2", "Send 4 calls to speech recognition").await;
        let token = page.texts("[data-test=send-token] option").await;
        assert!(token.contains(&"Quality team".to_owned()), "{token:?}");
        let id = page.run(TOKEN_VALUE, "Quality team").await;
        page.choose("[data-test=send-token]", id.as_str().unwrap()).await;
        page.choose("[data-test=send-language]", "en").await;

        page.click("[data-test=send-check]").await;
        page.shows("[data-test=outcome] strong", "1 call would be transcribed").await;
        let skipped = [
            (TOO_SHORT, "Skipped", "shorter than the minimum duration"),
            (FAILED, "Skipped", "could not be prepared"),
            (PENDING, "Skipped", "The recording is still being prepared."),
        ];
        see_outcomes(page, &[(&ready, "Would be sent", "")]).await;
        see_outcomes(page, &skipped).await;
        assert_eq!(queued(server).await, 0, "a check queues nothing");

        page.click("[data-test=send-submit]").await;
        page.shows("[data-test=outcome] strong", "1 call sent").await;
        see_outcomes(page, &[(&ready, "Accepted", "is queued.")]).await;
        see_outcomes(page, &skipped).await;
        page.click("[data-test=send-dialog] .dialog-foot .button").await;
        page.see_gone("[data-test=send-dialog]").await;
        page.shows(&format!("[data-test=call-row][data-id='{ready}'] td:last-child"), "Queued").await;
        page.shows(&format!("[data-test=call-row][data-id='{PENDING}'] td:last-child"), "Not sent").await;
        assert_eq!(queued(server).await, 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_of_the_form_stand_at_their_fields() {
    journey("send_faults", async |page, server| {
        server.speech_token("Quality team").await;
        log_in(page, server, Role::Manager, "/calls").await;
        page.click("[data-test=call-row]:first-child [data-test=select-call]").await;
        page.click("[data-test=send]").await;
        page.see("[data-test=send-language]").await;
        assert!(!page.sees("[data-test=send-dialog] [data-test=fault]").await, "nobody made a fault yet");

        // Month, day, year, and with Tab on to the time.
        page.see("#send-from").await.send_keys("05022026\t093000AM").await.unwrap();
        page.see("#send-till").await.send_keys("05012026\t093000AM").await.unwrap();
        page.fill("[data-test=send-min-duration]", "0").await;
        let fault = |field: &str| format!("#{field}-note [data-test=fault]");
        page.see(&fault("send-languages")).await;
        page.see(&fault("send-duration")).await;
        let order = page.texts(&format!("{}, {}", fault("send-from"), fault("send-till"))).await;
        assert_eq!(order.len(), 1, "{order:?}");
        assert!(!page.see("[data-test=send-submit]").await.is_enabled().await.unwrap());

        page.choose("[data-test=send-language]", "en").await;
        page.see_gone(&fault("send-languages")).await;
        page.fill("[data-test=send-min-duration]", "10").await;
        page.see_gone(&fault("send-duration")).await;
        page.see("#send-till").await.send_keys("05032026").await.unwrap();
        page.see_gone("[data-test=send-dialog] [data-test=fault]").await;
        let sent = page.run("return document.querySelector('[data-test=send-body]').textContent", Value::Null).await;
        let sent: Value = serde_json::from_str(sent.as_str().unwrap()).unwrap();
        assert_eq!((&sent["from"], &sent["till"]), (&json!("2026-05-02 09:30:00"), &json!("2026-05-03 09:30:00")));
        assert_eq!((&sent["languages"], &sent["min_duration"]), (&json!(["en"]), &json!(10)));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recording_plays_and_can_be_wound() {
    journey("play", async |page, server| {
        let calls = server.admin().get("/api/calls?recording=ready&limit=50;0").await.expect(200);
        let seconds = |call: &Value| call["recording"]["duration_seconds"].as_f64().unwrap();
        let call = calls["items"].as_array().unwrap().iter().find(|call| seconds(call) > 8.0).unwrap();
        log_in(page, server, Role::Viewer, "/calls?recording=ready").await;
        page.click(&format!("[data-test=call-row][data-id='{}'] [data-test=play]", call["id"])).await;
        page.see("[data-test=player]").await;

        let audio = async |what: &str| {
            let value = page.run("return document.querySelector('audio')?.[arguments[0]] ?? null", what).await;
            value.as_f64().unwrap_or(0.0)
        };
        page.until("it plays", async || (audio("currentTime").await > 0.3).then_some(())).await;
        let heard = audio("currentTime").await;
        page.until("it plays on", async || (audio("currentTime").await > heard + 0.3).then_some(())).await;
        let length = audio("duration").await;
        assert!((length - seconds(call)).abs() < 0.05, "{length} s instead of {} s", seconds(call));

        page.run(
            "const bar = document.querySelector('.player-bar'); bar.value = arguments[0];
                  bar.dispatchEvent(new Event('input', { bubbles: true }))",
            seconds(call) - 2.0,
        )
        .await;
        let near_end = seconds(call) - 2.5;
        page.until("it plays near its end", async || (audio("currentTime").await > near_end).then_some(())).await;

        let url = format!("{}/api/calls/{}/recording", server.base(), call["id"]);
        let network = page.network().await;
        let answers: Vec<_> = network
            .iter()
            .filter(|(method, answer)| method == "Network.responseReceived" && answer["response"]["url"] == url)
            .map(|(_, answer)| answer["response"]["status"].clone())
            .collect();
        assert!(!answers.is_empty() && answers.iter().all(|status| *status == 206), "{answers:?}");
    })
    .await;
}

/// The value of the option that reads so.
const TOKEN_VALUE: &str = "return [...document.querySelectorAll('[data-test=send-token] option')]
    .find(option => option.innerText.trim() === arguments[0]).value";

/// Waits for the rows of these calls: id, outcome, and a part of the reason.
async fn see_outcomes(page: &Page, expected: &[(&str, &str, &str)]) {
    for (id, outcome, why) in expected {
        let row = format!("[data-test=outcome-row][data-id='{id}']");
        page.shows(&format!("{row} .badge"), outcome).await;
        let reason = page.texts(&format!("{row} td:last-child")).await.concat();
        assert!(reason.contains(why), "call {id}: {reason:?} should say {why:?}");
    }
}

async fn queued(server: &Server) -> u64 {
    let page = server.admin().get("/api/calls?transcription=queued&limit=1;0").await.expect(200);
    page["total"].as_u64().unwrap()
}
