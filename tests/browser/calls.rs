//! Calls: submitting them to speech recognition, and playing them in the list.

use std::cell::RefCell;

use fantoccini::key::Key;
use leadscribe_engine::api::{RecordingSide, Role};
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::Server;

/// Newest call of the sample data. Its recording is still being prepared.
const PENDING_CALL: &str = "150";
/// Second-newest call. Its recording could not be prepared.
const FAILED_CALL: &str = "149";
/// Third-newest call. Its recording is too short.
const TOO_SHORT_CALL: &str = "148";

journey!(calls_are_searched_while_typing, async |page, server| {
    let search = "[data-test=call-search]";
    let agent = server.admin().get("/api/calls?limit=1;0").await.expect(200)["items"][0]["agent"].clone();
    let agent = agent.as_str().unwrap();
    let expected_total = async |text: &str| {
        let text: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
        let result = server.admin().get(&format!("/api/calls?limit=0;0&search={text}")).await.expect(200);
        format!("{} calls", result["total"])
    };
    log_in(page, server, Role::Viewer, "/calls?status=answered").await;
    page.wait_for("[data-test=call-row]").await;
    page.open("/calls").await;
    page.expect_text("[data-test=total]", "50 calls").await;
    // Enter isn't needed, and further input is kept.
    page.click(search).await;
    let (first, remaining) = agent.split_at(2);
    page.type_keys(first).await;
    page.expect_location(&format!("/calls?search={first}")).await;
    page.type_keys(remaining).await;
    page.expect_text("[data-test=total]", &expected_total(agent).await).await;
    let input_value = async || page.run_script("return document.querySelector(arguments[0]).value", search).await;
    page.wait_until_equal("the input keeps its text", json!(agent), input_value).await;
    // One step back leaves the search and empties the input.
    page.run_script("history.back()", Value::Null).await;
    page.expect_location("/calls").await;
    page.expect_text("[data-test=total]", "50 calls").await;
    page.wait_until_equal("the search is empty", json!(""), input_value).await;
    let lead = page.text("[data-test=call-row] a[href^='/leads/']").await;
    page.click(search).await;
    page.type_keys(lead.as_str()).await;
    let lead_names_script = "const rows = [...document.querySelectorAll('[data-test=call-row]')];
            return [...new Set(rows.map(row => row.querySelector('a[href^=\"/leads/\"]')?.textContent.trim() ?? ''))]";
    page.wait_until_equal("only calls of this lead are listed", json!([lead]), async || {
        page.run_script(lead_names_script, Value::Null).await
    })
    .await;
});

/// Returns the positions of the first row and of the columns, independent of scrolling.
const POSITIONS_SCRIPT: &str =
    "const heads = [...document.querySelectorAll('.table th')].map(head => head.getBoundingClientRect());
    const row = document.querySelector('[data-test=call-row]').getBoundingClientRect();
    return [row.top + scrollY, ...heads.map(head => head.left)]";

journey!(submission_shows_the_outcome_of_each_call, async |page, server| {
    let calls = server.admin().get("/api/calls?recording=ready&order=created_at&limit=1;0").await.expect(200);
    let ready_call = calls["items"][0]["id"].to_string();
    server.create_speech_token("Quality team").await;
    log_in(page, server, Role::Manager, "/calls").await;
    page.expect_text("[data-test=total]", "50 calls").await;
    page.select_option("[aria-label=Outcome]", "answered").await;
    page.expect_location("/calls?status=answered").await;
    page.expect_text("[data-test=total]", "43 calls").await;

    page.wait_for("[data-test=preview] .has-waveform path").await;
    let positions = page.run_script(POSITIONS_SCRIPT, ()).await;
    for id in [PENDING_CALL, FAILED_CALL, TOO_SHORT_CALL, &ready_call] {
        page.click(&format!("[data-test=call-row][data-id='{id}'] [data-test=select-call]")).await;
    }
    page.expect_text("[data-test=selected]", "4 calls selected").await;
    assert_eq!(page.run_script(POSITIONS_SCRIPT, ()).await, positions, "selecting causes no layout shift");
    page.click("[data-test=send]").await;
    page.expect_text("[data-test=send-dialog] h2", "Send 4 calls to speech recognition").await;
    let token_names = page.texts("[data-test=send-token] option").await;
    assert!(token_names.contains(&"Quality team".to_owned()), "{token_names:?}");
    let id = page.run_script(TOKEN_OPTION_SCRIPT, "Quality team").await;
    page.select_option("[data-test=send-token]", id.as_str().unwrap()).await;
    page.select_option("[data-test=send-language]", "en").await;

    page.click("[data-test=send-check]").await;
    page.expect_text("[data-test=submission-result] strong", "1 call will be transcribed").await;
    // Skipped calls come first. Each shows the other party and the length of its recording.
    let expected_order = [TOO_SHORT_CALL, FAILED_CALL, PENDING_CALL, &ready_call].map(str::to_owned);
    page.wait_until_equal("the calls are in order", expected_order.into(), async || {
        let script =
            "return [...document.querySelectorAll('[data-test=submission-result-row]')].map(row => row.dataset.id)";
        serde_json::from_value::<Vec<String>>(page.run_script(script, ()).await).unwrap()
    })
    .await;
    let submitted_call = &calls["items"][0];
    let lead = server.admin().get(&format!("/api/leads/{}", submitted_call["lead_id"])).await.expect(200);
    let lead_name = format!("{} {}", lead["first_name"].as_str().unwrap(), lead["last_name"].as_str().unwrap());
    let seconds = submitted_call["recording"]["duration_seconds"].as_f64().unwrap();
    let (whole_seconds, rounded_seconds) = (seconds as u64, seconds.round() as u64);
    let length = format!("{}:{:02}", whole_seconds / 60, whole_seconds % 60);
    let total_length = match (rounded_seconds / 60, rounded_seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    };
    let row = format!("[data-test=submission-result-row][data-id='{ready_call}'] td");
    page.wait_until("lead and duration are shown", async || {
        let cells = page.texts(&row).await;
        (cells[0].starts_with(&lead_name) && cells[0].contains(&format!("Call {ready_call}, ")) && cells[1] == length)
            .then_some(())
    })
    .await;
    page.expect_text("[data-test=submission-result] .notice p", &format!("{total_length} of audio, 3 calls skipped."))
        .await;
    let skipped_outcomes = |verdict| {
        [
            (TOO_SHORT_CALL, verdict, "shorter than the minimum duration"),
            (FAILED_CALL, verdict, "could not be prepared"),
            (PENDING_CALL, verdict, "The recording is still being prepared."),
        ]
    };
    let reasons = ["1 with a recording still being prepared", "1 with a failed recording", "1 too short"];
    assert_eq!(page.texts("[data-test=skipped-reason]").await, reasons);
    page.expect_text("[data-test=send-check]", "Check again").await;
    expect_outcomes(page, &[(&ready_call, "Ready", "")]).await;
    expect_outcomes(page, &skipped_outcomes("Skipped")).await;
    assert_eq!(queued_count(server).await, 0, "a check submits nothing");

    page.click("[data-test=send-submit]").await;
    page.expect_text("[data-test=submission-result] strong", "1 call sent").await;
    page.expect_text("[data-test=send-dialog] h2", "Sent to speech recognition").await;
    expect_outcomes(page, &[(&ready_call, "Sent", "Transcription ")]).await;
    expect_outcomes(page, &skipped_outcomes("Skipped")).await;
    page.click("[data-test=send-dialog] .dialog-footer .button").await;
    page.wait_until_gone("[data-test=send-dialog]").await;
    page.expect_text(&format!("[data-test=call-row][data-id='{ready_call}'] td:last-child"), "Queued").await;
    page.expect_text(&format!("[data-test=call-row][data-id='{PENDING_CALL}'] td:last-child"), "Not sent").await;
    assert_eq!(queued_count(server).await, 1);
    page.expect_text("[data-test=queue]", "1 in queue").await;
    assert_eq!(page.run_script(POSITIONS_SCRIPT, ()).await, positions, "neither the table nor its columns move");

    assert!(!page.is_visible("[data-test=cancel-transcriptions]").await, "queued calls are not selected");
    for id in [PENDING_CALL, &ready_call] {
        page.click(&format!("[data-test=call-row][data-id='{id}'] [data-test=select-call]")).await;
    }
    page.click("[data-test=cancel-transcriptions]").await;
    // Only one of the two is in the queue; the other was never submitted.
    let confirmation_text = "You can send the call again later.";
    page.expect_text("[data-test=confirm-dialog] .dialog-body p", confirmation_text).await;
    page.click("[data-test=confirm]").await;
    page.expect_text("[data-test=toast] p", "1 transcription cancelled").await;
    page.expect_text(&format!("[data-test=call-row][data-id='{ready_call}'] td:last-child"), "Cancelled").await;
    page.wait_until_gone("[data-test=cancel-transcriptions]").await;
    assert_eq!(queued_count(server).await, 0);

    // The form starts with the values of the last submission, shows a note about it, and can be reset.
    page.click(&format!("[data-test=call-row][data-id='{ready_call}'] [data-test=select-call]")).await;
    page.click("[data-test=send]").await;
    page.wait_for("[data-test=send-defaults-notice]").await;
    let languages = async || {
        let body =
            page.run_script("return document.querySelector('[data-test=send-body]').textContent", Value::Null).await;
        serde_json::from_str::<Value>(body.as_str().unwrap()).unwrap()["languages"].clone()
    };
    page.wait_until_equal("the languages of the last submission are restored", json!(["en"]), languages).await;
    page.click("[data-test=send-reset]").await;
    page.wait_until_gone("[data-test=send-defaults-notice]").await;
    page.wait_until_equal("no language is chosen", json!([]), languages).await;
    assert!(
        !page.is_visible("[data-test=send-dialog] [data-test=diagnostic]").await,
        "no error is shown before the first input"
    );
});

journey!(form_errors_are_shown_at_their_fields, async |page, server| {
    server.create_speech_token("Quality team").await;
    log_in(page, server, Role::Manager, "/calls").await;
    page.click("[data-test=call-row]:first-child [data-test=select-call]").await;
    page.click("[data-test=send]").await;
    page.wait_for("[data-test=send-language]").await;
    assert!(
        !page.is_visible("[data-test=send-dialog] [data-test=diagnostic]").await,
        "no error is shown before the first input"
    );

    // Month, day, year; Tab moves on to the time.
    page.wait_for("#send-from").await.send_keys("05022026\t093000AM").await.unwrap();
    page.wait_for("#send-till").await.send_keys("05012026\t093000AM").await.unwrap();
    page.fill("[data-test=send-min-duration]", "0").await;
    let diagnostic_of = |field: &str| format!("#{field}-note [data-test=diagnostic]");
    page.wait_for(&diagnostic_of("send-languages")).await;
    page.wait_for(&diagnostic_of("send-min-duration")).await;
    let range_errors = page.texts(&format!("{}, {}", diagnostic_of("send-from"), diagnostic_of("send-till"))).await;
    assert_eq!(range_errors.len(), 1, "{range_errors:?}");
    assert!(!page.wait_for("[data-test=send-submit]").await.is_enabled().await.unwrap());
    // The reason is shown next to the disabled button.
    let reason_selector = "[data-test=send-dialog] .dialog-footer .footer-start";
    page.expect_text(reason_selector, "Choose a language first.").await;

    page.select_option("[data-test=send-language]", "en").await;
    page.expect_text(reason_selector, "Fix the highlighted fields.").await;
    page.wait_until_gone(&diagnostic_of("send-languages")).await;
    page.fill("[data-test=send-min-duration]", "10").await;
    page.wait_until_gone(&diagnostic_of("send-min-duration")).await;
    page.wait_for("#send-till").await.send_keys("05032026").await.unwrap();
    page.wait_until_gone("[data-test=send-dialog] [data-test=diagnostic]").await;
    page.expect_text(reason_selector, "").await;
    let request_body =
        page.run_script("return document.querySelector('[data-test=send-body]').textContent", Value::Null).await;
    let request_body: Value = serde_json::from_str(request_body.as_str().unwrap()).unwrap();
    assert_eq!(
        (&request_body["from"], &request_body["till"]),
        (&json!("2026-05-02 09:30:00"), &json!("2026-05-03 09:30:00"))
    );
    assert_eq!((&request_body["languages"], &request_body["min_duration"]), (&json!(["en"]), &json!(10)));
});

journey!(recordings_play_in_the_list_one_at_a_time, async |page, server| {
    let calls = server.admin().get("/api/calls?recording=ready&limit=50;0").await.expect(200);
    let long_calls: Vec<_> =
        calls["items"].as_array().unwrap().iter().filter(|call| duration_seconds(call) > 8.0).collect();
    let [first, second, ..] = long_calls[..] else { panic!("expected two long recordings") };
    log_in(page, server, Role::Viewer, "/calls").await;
    page.wait_for(&format!("{} .has-waveform path", preview_selector(first))).await;
    assert!(
        !page.is_visible(&format!("[data-id='{FAILED_CALL}'] [data-test=preview]")).await,
        "the call has no recording"
    );

    page.click(&format!("{} [data-test=play]", preview_selector(first))).await;
    page.wait_until("the recording plays", async || (audio_property(page, "currentTime").await > 0.3).then_some(()))
        .await;
    let length = audio_property(page, "duration").await;
    assert!((length - duration_seconds(first)).abs() < 0.05, "{length} s instead of {} s", duration_seconds(first));
    page.wait_until("the waveform shows the position", async || (played_fraction(page).await > 0.0).then_some(()))
        .await;

    // The button has the focus; the seek control comes next.
    page.type_keys(" ").await;
    page.wait_until("Space pauses", async || (!is_playing(page).await).then_some(())).await;
    let position_before = audio_property(page, "currentTime").await;
    page.type_keys(&Key::Tab).await;
    page.type_keys(&Key::Right).await;
    let expected_position = position_before + 5.0;
    let has_moved =
        async || ((audio_property(page, "currentTime").await - expected_position).abs() < 0.05).then_some(());
    page.wait_until("ArrowRight seeks forward", has_moved).await;
    let fraction = played_fraction(page).await;
    assert!(
        (fraction - expected_position / length).abs() < 0.02,
        "{fraction} of the waveform is played at {expected_position} of {length} s"
    );

    // Clicking in the middle of another waveform plays that recording from there.
    page.click(&format!("{} [data-test=preview-wave]", preview_selector(second))).await;
    let middle = duration_seconds(second) / 2.0;
    page.wait_until("the other recording plays from its middle", async || {
        (is_playing(page).await && audio_property(page, "currentTime").await > middle).then_some(())
    })
    .await;
    assert!((audio_property(page, "duration").await - duration_seconds(second)).abs() < 0.05);
    page.expect_attributes(
        ".preview.is-current [data-test=play]",
        "aria-label",
        &[format!("Pause the recording of call {}", second["id"])],
    )
    .await;

    page.select_option("[aria-label=Outcome]", "busy").await;
    page.wait_until("playback stops when the row is removed", async || (!is_playing(page).await).then_some(())).await;

    let network = page.take_network_events().await;
    let response_statuses = |path: String| {
        let url = format!("{}{path}", server.base());
        let responses = network.iter().filter(move |(method, _)| method == "Network.responseReceived");
        responses
            .filter(|(_, response)| response["response"]["url"] == url)
            .map(|(_, response)| response["response"]["status"].clone())
            .collect::<Vec<_>>()
    };
    let statuses = response_statuses(format!("/api/calls/{}/recording", first["id"]));
    assert!(!statuses.is_empty() && statuses.iter().all(|status| *status == 206), "{statuses:?}");
});

journey!(waveforms_load_when_their_rows_are_visible, async |page, server| {
    log_in(page, server, Role::Viewer, "/calls?recording=ready").await;
    page.wait_for("[data-test=preview] .has-waveform path").await;
    let rows = page.texts("[data-test=preview]").await.len();
    // Visible waveforms are drawn; those far outside the viewport aren't.
    page.wait_until("all visible waveforms are drawn", async || {
        (drawn_states(page, true).await == json!([true])).then_some(())
    })
    .await;
    assert_eq!(drawn_states(page, false).await, json!([false]));
    let first_requests = waveform_requests(page).await;
    assert!(
        first_requests.len() > 3 && first_requests.len() < rows,
        "{} of {rows} are requested",
        first_requests.len()
    );

    page.run_script("document.querySelector('[data-test=call-row]:last-child').scrollIntoView()", Value::Null).await;
    page.wait_for("[data-test=call-row]:last-child .has-waveform path").await;
    page.run_script("scrollTo(0, 0)", Value::Null).await;
    page.wait_until("all visible waveforms are drawn", async || {
        (drawn_states(page, true).await == json!([true])).then_some(())
    })
    .await;
    let repeated_requests: Vec<_> =
        waveform_requests(page).await.into_iter().filter(|url| first_requests.contains(url)).collect();
    assert_eq!(repeated_requests, Vec::<String>::new(), "cached waveforms are not requested again");
});

journey!(lists_load_all_lead_names_in_one_request, async |page, server| {
    let lead = json!({ "first_name": "Zebulon", "last_name": "Quartermain" });
    let lead = server.admin().create("/api/leads", lead).await;
    let token = server.create_speech_token("Quality team").await;
    let lines = [(RecordingSide::Both, "good morning")];
    let call = server.create_transcribed_call(&token, json!({ "lead_id": lead }), &lines).await;
    log_in(page, server, Role::Viewer, "/calls").await;
    let lead_cell = format!("[data-test=call-row][data-id='{call}'] [data-test=call-lead]");
    page.expect_text(&lead_cell, "Zebulon Quartermain").await;
    // The campaign is a link too.
    let campaign_path = page.wait_for("[data-test=call-campaign]").await.attr("href").await.unwrap().unwrap();
    let campaign = server.admin().get(&format!("/api{campaign_path}")).await.expect(200)["name"].clone();
    page.expect_text(&format!("[data-test=call-campaign][href='{campaign_path}']"), campaign.as_str().unwrap()).await;
    let lead_names = page.texts("[data-test=call-lead]").await;
    assert!(lead_names.len() > 20 && lead_names.iter().all(|name| !name.starts_with("Lead ")), "{lead_names:?}");
    // The list may have just been reloaded, with its names still to be requested.
    let requested_urls = RefCell::new(Vec::new());
    let count = |part: &str| requested_urls.borrow().iter().filter(|url: &&String| url.contains(part)).count();
    let has_one_request_per_list = async || {
        let new_urls = requests(page).await;
        requested_urls.borrow_mut().extend(new_urls);
        count("/extended-data") == count("/api/calls?")
    };
    page.wait_until_equal("each list loads its lead names in one request", true, has_one_request_per_list).await;
    assert_eq!(count("/api/leads/"), count("/extended-data"));

    page.open("/transcripts").await;
    page.expect_text(&format!("[data-test=hit][data-id='{call}'] [data-test=hit-lead]"), "Zebulon Quartermain").await;
    page.click("[data-test=hit-lead]").await;
    page.expect_location(&format!("/leads/{lead}")).await;
});

fn duration_seconds(call: &Value) -> f64 {
    call["recording"]["duration_seconds"].as_f64().unwrap()
}

/// Returns the selector of a call's player.
fn preview_selector(call: &Value) -> String {
    format!("[data-test=call-row][data-id='{}'] [data-test=preview]", call["id"])
}

/// Returns a property of the audio element as a number.
async fn audio_property(page: &Page, property: &str) -> f64 {
    let value = page.run_script("return document.querySelector('audio')?.[arguments[0]] ?? null", property).await;
    value.as_f64().unwrap_or(0.0)
}

/// True if any audio element is playing.
pub async fn is_playing(page: &Page) -> bool {
    page.run_script("return [...document.querySelectorAll('audio')].some(audio => !audio.paused)", Value::Null).await
        == json!(true)
}

/// Returns the fraction of the waveform that is shown as played, 0 to 1.
async fn played_fraction(page: &Page) -> f64 {
    let unplayed_percent = page
        .run_script(
            "return parseFloat(document.querySelector('.preview-played').style.clipPath.split(' ')[1])",
            Value::Null,
        )
        .await;
    1.0 - unplayed_percent.as_f64().unwrap() / 100.0
}

/// Returns whether previews are drawn: those in the viewport, or those more than a screen away. Each distinct result
/// appears once.
async fn drawn_states(page: &Page, is_visible: bool) -> Value {
    let script = "const all = [...document.querySelectorAll('.preview-wave')].filter(wave => {
            const { top, bottom } = wave.getBoundingClientRect();
            const away = arguments[0] ? 0 : innerHeight + 10;
            return (bottom > -away && top < innerHeight + away) === arguments[0];
        });
        return [...new Set(all.map(wave => wave.matches('.has-waveform')))]";
    page.run_script(script, is_visible).await
}

/// Returns the waveform requests since the last call.
async fn waveform_requests(page: &Page) -> Vec<String> {
    requests(page).await.into_iter().filter(|url| url.contains("/recording/peaks")).collect()
}

/// Returns the URLs of the requests since the last call.
async fn requests(page: &Page) -> Vec<String> {
    let requests =
        page.take_network_events().await.into_iter().filter(|(method, _)| method == "Network.requestWillBeSent");
    requests.map(|(_, request)| request["request"]["url"].as_str().unwrap().to_owned()).collect()
}

/// Returns the value of the option with this label.
const TOKEN_OPTION_SCRIPT: &str = "return [...document.querySelectorAll('[data-test=send-token] option')]
    .find(option => option.innerText.trim() === arguments[0]).value";

/// Waits for the rows of these calls: id, outcome, and a part of the reason.
async fn expect_outcomes(page: &Page, expected: &[(&str, &str, &str)]) {
    for (id, outcome, reason_part) in expected {
        let row = format!("[data-test=submission-result-row][data-id='{id}']");
        page.expect_text(&format!("{row} .badge"), outcome).await;
        let reason = page.texts(&format!("{row} td:last-child")).await.concat();
        assert!(reason.contains(reason_part), "call {id}: {reason:?} should say {reason_part:?}");
    }
}

async fn queued_count(server: &Server) -> u64 {
    let page = server.admin().get("/api/calls?transcription=queued&limit=1;0").await.expect(200);
    page["total"].as_u64().unwrap()
}
