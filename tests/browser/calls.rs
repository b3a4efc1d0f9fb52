//! Calls: submitting them to speech recognition, and playing them in the list.

use std::cell::RefCell;

use fantoccini::key::Key;
use leadscribe_engine::api::{RecordingSide, Role};
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::Server;

/// In the sample data, the newest call is still being prepared, the one before failed, and the one before that is too
/// short.
const PENDING: &str = "150";
const FAILED: &str = "149";
const TOO_SHORT: &str = "148";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_are_searched_while_typing() {
    journey("calls_typed", async |page, server| {
        let search = "[data-test=call-search]";
        let agent = server.admin().get("/api/calls?limit=1;0").await.expect(200)["items"][0]["agent"].clone();
        let agent = agent.as_str().unwrap();
        let total = async |text: &str| {
            let text: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
            let found = server.admin().get(&format!("/api/calls?limit=0;0&search={text}")).await.expect(200);
            format!("{} calls", found["total"])
        };
        log_in(page, server, Role::Viewer, "/calls?status=answered").await;
        page.see("[data-test=call-row]").await;
        page.open("/calls").await;
        page.shows("[data-test=total]", "50 calls").await;
        // Enter isn't needed, and further input is kept.
        page.click(search).await;
        let (first, rest) = agent.split_at(2);
        page.press(first).await;
        page.is_at(&format!("/calls?search={first}")).await;
        page.press(rest).await;
        page.shows("[data-test=total]", &total(agent).await).await;
        let typed = async || page.run("return document.querySelector(arguments[0]).value", search).await;
        page.until_equal("what was typed", json!(agent), typed).await;
        // One step back leaves the search and empties the input.
        page.run("history.back()", Value::Null).await;
        page.is_at("/calls").await;
        page.shows("[data-test=total]", "50 calls").await;
        page.until_equal("nothing is looked for", json!(""), typed).await;
        let lead = page.text("[data-test=call-row] a[href^='/leads/']").await;
        page.click(search).await;
        page.press(lead.as_str()).await;
        let leads = "const rows = [...document.querySelectorAll('[data-test=call-row]')];
            return [...new Set(rows.map(row => row.querySelector('a[href^=\"/leads/\"]')?.textContent.trim() ?? ''))]";
        page.until_equal("calls of this lead alone", json!([lead]), async || page.run(leads, Value::Null).await).await;
    })
    .await;
}

/// Returns the position of the first row, independent of scrolling, and those of the columns.
const PLACES: &str =
    "const heads = [...document.querySelectorAll('.table th')].map(head => head.getBoundingClientRect());
    const row = document.querySelector('[data-test=call-row]').getBoundingClientRect();
    return [row.top + scrollY, ...heads.map(head => head.left)]";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn submission_shows_the_outcome_of_each_call() {
    journey("send_calls", async |page, server| {
        let calls = server.admin().get("/api/calls?recording=ready&order=created_at&limit=1;0").await.expect(200);
        let ready = calls["items"][0]["id"].to_string();
        server.speech_token("Quality team").await;
        log_in(page, server, Role::Manager, "/calls").await;
        page.shows("[data-test=total]", "50 calls").await;
        page.choose("[aria-label=Outcome]", "answered").await;
        page.is_at("/calls?status=answered").await;
        page.shows("[data-test=total]", "43 calls").await;

        page.see("[data-test=preview] .is-drawn path").await;
        let places = page.run(PLACES, ()).await;
        for id in [PENDING, FAILED, TOO_SHORT, &ready] {
            page.click(&format!("[data-test=call-row][data-id='{id}'] [data-test=select-call]")).await;
        }
        page.shows("[data-test=selected]", "4 calls selected").await;
        assert_eq!(page.run(PLACES, ()).await, places, "selecting moves nothing");
        page.click("[data-test=send]").await;
        page.shows("[data-test=send-dialog] h2", "Send 4 calls to speech recognition").await;
        let token = page.texts("[data-test=send-token] option").await;
        assert!(token.contains(&"Quality team".to_owned()), "{token:?}");
        let id = page.run(TOKEN_VALUE, "Quality team").await;
        page.choose("[data-test=send-token]", id.as_str().unwrap()).await;
        page.choose("[data-test=send-language]", "en").await;

        page.click("[data-test=send-check]").await;
        page.shows("[data-test=outcome] strong", "1 call will be transcribed").await;
        // Skipped calls come first. Each shows the other party and the length of its recording.
        let order = [TOO_SHORT, FAILED, PENDING, &ready].map(str::to_owned);
        page.until_equal("the order", order.into(), async || {
            let rows = "return [...document.querySelectorAll('[data-test=outcome-row]')].map(row => row.dataset.id)";
            serde_json::from_value::<Vec<String>>(page.run(rows, ()).await).unwrap()
        })
        .await;
        let sent = &calls["items"][0];
        let lead = server.admin().get(&format!("/api/leads/{}", sent["lead_id"])).await.expect(200);
        let named = format!("{} {}", lead["first_name"].as_str().unwrap(), lead["last_name"].as_str().unwrap());
        let seconds = sent["recording"]["duration_seconds"].as_f64().unwrap();
        let (over, nearest) = (seconds as u64, seconds.round() as u64);
        let length = format!("{}:{:02}", over / 60, over % 60);
        let in_all = match (nearest / 60, nearest % 60) {
            (0, seconds) => format!("{seconds} s"),
            (minutes, seconds) => format!("{minutes} min {seconds} s"),
        };
        let row = format!("[data-test=outcome-row][data-id='{ready}'] td");
        page.until("the lead and the length", async || {
            let cells = page.texts(&row).await;
            (cells[0].starts_with(&named) && cells[0].contains(&format!("Call {ready}, ")) && cells[1] == length)
                .then_some(())
        })
        .await;
        page.shows("[data-test=outcome] .notice p", &format!("{in_all} of recording, 3 calls skipped.")).await;
        let skipped = |verdict| {
            [
                (TOO_SHORT, verdict, "shorter than the minimum duration"),
                (FAILED, verdict, "could not be prepared"),
                (PENDING, verdict, "The recording is still being prepared."),
            ]
        };
        let why = ["1 with a recording still being prepared", "1 with a failed recording", "1 too short"];
        assert_eq!(page.texts("[data-test=skipped-because]").await, why);
        page.shows("[data-test=send-check]", "Check again").await;
        see_outcomes(page, &[(&ready, "Ready", "")]).await;
        see_outcomes(page, &skipped("Skipped")).await;
        assert_eq!(queued(server).await, 0, "a check queues nothing");

        page.click("[data-test=send-submit]").await;
        page.shows("[data-test=outcome] strong", "1 call sent").await;
        page.shows("[data-test=send-dialog] h2", "Sent to speech recognition").await;
        see_outcomes(page, &[(&ready, "Sent", "Transcription ")]).await;
        see_outcomes(page, &skipped("Skipped")).await;
        page.click("[data-test=send-dialog] .dialog-foot .button").await;
        page.see_gone("[data-test=send-dialog]").await;
        page.shows(&format!("[data-test=call-row][data-id='{ready}'] td:last-child"), "Queued").await;
        page.shows(&format!("[data-test=call-row][data-id='{PENDING}'] td:last-child"), "Not sent").await;
        assert_eq!(queued(server).await, 1);
        page.shows("[data-test=queue]", "1 in queue").await;
        assert_eq!(page.run(PLACES, ()).await, places, "neither the table moves nor a column of it");

        assert!(!page.sees("[data-test=cancel-transcriptions]").await, "nothing that waits is selected");
        for id in [PENDING, &ready] {
            page.click(&format!("[data-test=call-row][data-id='{id}'] [data-test=select-call]")).await;
        }
        page.click("[data-test=cancel-transcriptions]").await;
        // Only one of the two is in the queue; the other was never submitted.
        let only = "You can send the call again later.";
        page.shows("[data-test=confirm-dialog] .dialog-body p", only).await;
        page.click("[data-test=confirm]").await;
        page.shows("[data-test=toast] p", "1 transcription cancelled").await;
        page.shows(&format!("[data-test=call-row][data-id='{ready}'] td:last-child"), "Cancelled").await;
        page.see_gone("[data-test=cancel-transcriptions]").await;
        assert_eq!(queued(server).await, 0);

        // The form starts with the values of the last submission, shows a note about it, and can be reset.
        page.click(&format!("[data-test=call-row][data-id='{ready}'] [data-test=select-call]")).await;
        page.click("[data-test=send]").await;
        page.see("[data-test=send-as-last]").await;
        let languages = async || {
            let body =
                page.run("return document.querySelector('[data-test=send-body]').textContent", Value::Null).await;
            serde_json::from_str::<Value>(body.as_str().unwrap()).unwrap()["languages"].clone()
        };
        page.until_equal("those of the last send", json!(["en"]), languages).await;
        page.click("[data-test=send-afresh]").await;
        page.see_gone("[data-test=send-as-last]").await;
        page.until_equal("none", json!([]), languages).await;
        assert!(!page.sees("[data-test=send-dialog] [data-test=fault]").await, "nobody made a fault yet");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn form_faults_are_shown_at_their_fields() {
    journey("send_faults", async |page, server| {
        server.speech_token("Quality team").await;
        log_in(page, server, Role::Manager, "/calls").await;
        page.click("[data-test=call-row]:first-child [data-test=select-call]").await;
        page.click("[data-test=send]").await;
        page.see("[data-test=send-language]").await;
        assert!(!page.sees("[data-test=send-dialog] [data-test=fault]").await, "nobody made a fault yet");

        // Month, day, year; Tab moves on to the time.
        page.see("#send-from").await.send_keys("05022026\t093000AM").await.unwrap();
        page.see("#send-till").await.send_keys("05012026\t093000AM").await.unwrap();
        page.fill("[data-test=send-min-duration]", "0").await;
        let fault = |field: &str| format!("#{field}-note [data-test=fault]");
        page.see(&fault("send-languages")).await;
        page.see(&fault("send-duration")).await;
        let order = page.texts(&format!("{}, {}", fault("send-from"), fault("send-till"))).await;
        assert_eq!(order.len(), 1, "{order:?}");
        assert!(!page.see("[data-test=send-submit]").await.is_enabled().await.unwrap());
        // The reason is shown next to the disabled button.
        let why = "[data-test=send-dialog] .dialog-foot .start";
        page.shows(why, "Choose a language first.").await;

        page.choose("[data-test=send-language]", "en").await;
        page.shows(why, "Fix the highlighted fields.").await;
        page.see_gone(&fault("send-languages")).await;
        page.fill("[data-test=send-min-duration]", "10").await;
        page.see_gone(&fault("send-duration")).await;
        page.see("#send-till").await.send_keys("05032026").await.unwrap();
        page.see_gone("[data-test=send-dialog] [data-test=fault]").await;
        page.shows(why, "").await;
        let sent = page.run("return document.querySelector('[data-test=send-body]').textContent", Value::Null).await;
        let sent: Value = serde_json::from_str(sent.as_str().unwrap()).unwrap();
        assert_eq!((&sent["from"], &sent["till"]), (&json!("2026-05-02 09:30:00"), &json!("2026-05-03 09:30:00")));
        assert_eq!((&sent["languages"], &sent["min_duration"]), (&json!(["en"]), &json!(10)));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recordings_play_in_the_list_one_at_a_time() {
    journey("play", async |page, server| {
        let calls = server.admin().get("/api/calls?recording=ready&limit=50;0").await.expect(200);
        let long: Vec<_> = calls["items"].as_array().unwrap().iter().filter(|call| seconds(call) > 8.0).collect();
        let [one, other, ..] = long[..] else { panic!("two long recordings were expected") };
        log_in(page, server, Role::Viewer, "/calls").await;
        page.see(&format!("{} .is-drawn path", preview(one))).await;
        assert!(!page.sees(&format!("[data-id='{FAILED}'] [data-test=preview]")).await, "it has no recording");

        page.click(&format!("{} [data-test=play]", preview(one))).await;
        page.until("it plays", async || (heard(page, "currentTime").await > 0.3).then_some(())).await;
        let length = heard(page, "duration").await;
        assert!((length - seconds(one)).abs() < 0.05, "{length} s instead of {} s", seconds(one));
        page.until("the outline shows how far", async || (played(page).await > 0.0).then_some(())).await;

        // The button has the focus; the seek control comes next.
        page.press(" ").await;
        page.until("the space bar pauses", async || (!is_playing(page).await).then_some(())).await;
        let before = heard(page, "currentTime").await;
        page.press(&Key::Tab).await;
        page.press(&Key::Right).await;
        let after = before + 5.0;
        let is_there = async || ((heard(page, "currentTime").await - after).abs() < 0.05).then_some(());
        page.until("the arrow goes on", is_there).await;
        let far = played(page).await;
        assert!((far - after / length).abs() < 0.02, "{far} of the outline is played, at {after} of {length} s");

        // Clicking in the middle of another waveform plays that recording from there.
        page.click(&format!("{} [data-test=preview-wave]", preview(other))).await;
        let half = seconds(other) / 2.0;
        page.until("the other plays from its middle", async || {
            (is_playing(page).await && heard(page, "currentTime").await > half).then_some(())
        })
        .await;
        assert!((heard(page, "duration").await - seconds(other)).abs() < 0.05);
        page.lists(
            ".preview.is-here [data-test=play]",
            "aria-label",
            &[format!("Pause the recording of call {}", other["id"])],
        )
        .await;

        page.choose("[aria-label=Outcome]", "busy").await;
        page.until("what is out of the list is silent", async || (!is_playing(page).await).then_some(())).await;

        let network = page.network().await;
        let answers = |path: String| {
            let url = format!("{}{path}", server.base());
            let answers = network.iter().filter(move |(method, _)| method == "Network.responseReceived");
            answers
                .filter(|(_, answer)| answer["response"]["url"] == url)
                .map(|(_, answer)| answer["response"]["status"].clone())
                .collect::<Vec<_>>()
        };
        let sound = answers(format!("/api/calls/{}/recording", one["id"]));
        assert!(!sound.is_empty() && sound.iter().all(|status| *status == 206), "{sound:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waveforms_load_when_their_rows_are_visible() {
    journey("previews", async |page, server| {
        log_in(page, server, Role::Viewer, "/calls?recording=ready").await;
        page.see("[data-test=preview] .is-drawn path").await;
        let rows = page.texts("[data-test=preview]").await.len();
        // Visible waveforms are drawn; those far outside the viewport aren't.
        page.until("all in sight are drawn", async || (drawn(page, true).await == json!([true])).then_some(())).await;
        assert_eq!(drawn(page, false).await, json!([false]));
        let asked = asked_for(page).await;
        assert!(asked.len() > 3 && asked.len() < rows, "{} of {rows} are asked for", asked.len());

        page.run("document.querySelector('[data-test=call-row]:last-child').scrollIntoView()", Value::Null).await;
        page.see("[data-test=call-row]:last-child .is-drawn path").await;
        page.run("scrollTo(0, 0)", Value::Null).await;
        page.until("all in sight are drawn", async || (drawn(page, true).await == json!([true])).then_some(())).await;
        let again: Vec<_> = asked_for(page).await.into_iter().filter(|url| asked.contains(url)).collect();
        assert_eq!(again, Vec::<String>::new(), "what is known isn't asked for again");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_load_all_lead_names_in_one_request() {
    journey("lead_names", async |page, server| {
        let lead = json!({ "first_name": "Zebulon", "last_name": "Quartermain" });
        let lead = server.admin().create("/api/leads", lead).await;
        let token = server.speech_token("Quality team").await;
        let said = [(RecordingSide::Both, "good morning")];
        let call = server.transcribed_call(&token, json!({ "lead_id": lead }), &said).await;
        log_in(page, server, Role::Viewer, "/calls").await;
        let named = format!("[data-test=call-row][data-id='{call}'] [data-test=call-lead]");
        page.shows(&named, "Zebulon Quartermain").await;
        // The campaign is a link too.
        let place = page.see("[data-test=call-campaign]").await.attr("href").await.unwrap().unwrap();
        let campaign = server.admin().get(&format!("/api{place}")).await.expect(200)["name"].clone();
        page.shows(&format!("[data-test=call-campaign][href='{place}']"), campaign.as_str().unwrap()).await;
        let shown = page.texts("[data-test=call-lead]").await;
        assert!(shown.len() > 20 && shown.iter().all(|name| !name.starts_with("Lead ")), "{shown:?}");
        // The list may have just been reloaded, with its names still to be requested.
        let asked = RefCell::new(Vec::new());
        let count = |part: &str| asked.borrow().iter().filter(|url: &&String| url.contains(part)).count();
        let questions = async || {
            let more = sent(page).await;
            asked.borrow_mut().extend(more);
            count("/extended-data") == count("/api/calls?")
        };
        page.until_equal("there was a question for each list, none for a row", true, questions).await;
        assert_eq!(count("/api/leads/"), count("/extended-data"));

        page.open("/transcripts").await;
        page.shows(&format!("[data-test=hit][data-id='{call}'] [data-test=hit-lead]"), "Zebulon Quartermain").await;
        page.click("[data-test=hit-lead]").await;
        page.is_at(&format!("/leads/{lead}")).await;
    })
    .await;
}

fn seconds(call: &Value) -> f64 {
    call["recording"]["duration_seconds"].as_f64().unwrap()
}

/// Returns the selector of a call's player.
fn preview(call: &Value) -> String {
    format!("[data-test=call-row][data-id='{}'] [data-test=preview]", call["id"])
}

/// Returns a property of the audio element as a number.
async fn heard(page: &Page, what: &str) -> f64 {
    let value = page.run("return document.querySelector('audio')?.[arguments[0]] ?? null", what).await;
    value.as_f64().unwrap_or(0.0)
}

async fn is_playing(page: &Page) -> bool {
    page.run("return [...document.querySelectorAll('audio')].some(audio => !audio.paused)", Value::Null).await
        == json!(true)
}

/// Returns the fraction of the waveform that is shown as played, 0 to 1.
async fn played(page: &Page) -> f64 {
    let left = page
        .run("return parseFloat(document.querySelector('.preview-played').style.clipPath.split(' ')[1])", Value::Null)
        .await;
    1.0 - left.as_f64().unwrap() / 100.0
}

/// Returns whether previews are drawn: those in the viewport, or those more than a screen away. Each distinct result
/// appears once.
async fn drawn(page: &Page, in_sight: bool) -> Value {
    let script = "const all = [...document.querySelectorAll('.preview-wave')].filter(wave => {
            const { top, bottom } = wave.getBoundingClientRect();
            const away = arguments[0] ? 0 : innerHeight + 10;
            return (bottom > -away && top < innerHeight + away) === arguments[0];
        });
        return [...new Set(all.map(wave => wave.matches('.is-drawn')))]";
    page.run(script, in_sight).await
}

/// Returns the waveform requests since the last call.
async fn asked_for(page: &Page) -> Vec<String> {
    sent(page).await.into_iter().filter(|url| url.contains("/recording/peaks")).collect()
}

/// Returns the URLs of the requests since the last call.
async fn sent(page: &Page) -> Vec<String> {
    let sent = page.network().await.into_iter().filter(|(method, _)| method == "Network.requestWillBeSent");
    sent.map(|(_, request)| request["request"]["url"].as_str().unwrap().to_owned()).collect()
}

/// Returns the value of the option with this label.
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
