//! Call page: reading the transcript, and playing it word by word.

use fantoccini::key::Key;
use leadscribe_engine::api::{RecordingSide, Role};
use leadscribe_engine::diagnostic::Message;
use serde_json::{Value, json};

use super::bulk::expect_toast;
use super::calls::is_playing;
use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::Server;

/// Lines of the call. A line starts every 1.5 seconds.
const TRANSCRIPT_LINES: [(RecordingSide, &str); 4] = [
    (RecordingSide::Caller, "Good morning, this is Anna."),
    (RecordingSide::Callee, "Good morning, what is it about?"),
    (RecordingSide::Caller, "It is about the delivery of Monday."),
    (RecordingSide::Callee, "[card number] I hope the morning suits you."),
];

journey!(transcript_plays_word_by_word, async |page, server| {
    let call = create_transcribed_call(server).await;
    log_in(page, server, Role::Viewer, "/calls").await;
    page.click(&format!("[data-test=call-row][data-id='{call}'] [data-test=transcript-link]")).await;
    page.expect_location(&format!("/calls/{call}")).await;
    page.expect_text("h1", &format!("Call {call}")).await;
    page.wait_for("[data-test=segment]").await;
    let sides = TRANSCRIPT_LINES.map(|(side, _)| side.as_str().to_owned());
    page.expect_attributes("[data-test=segment]", "data-side", &sides).await;
    assert_eq!(page.texts(".segment-text").await, TRANSCRIPT_LINES.map(|(_, text)| text));
    assert_eq!(page.texts(".segment-speaker").await, ["Caller", "Callee", "Caller", "Callee"]);
    assert_eq!(page.texts(".redacted").await, ["[card number]"]);
    page.wait_for("[data-test=waveform] [data-test=lanes][data-lanes='2']").await;
    let details = page.text("[data-test=transcript-details]").await;
    assert!(details.contains("English") && details.contains("test · none"), "{details}");

    page.expect_text("[data-test=sent-by]", "Quality team").await;

    // "about" in the second line starts at 1.5 s + 5/6 s.
    page.click("[data-word='10']").await;
    page.wait_until("it plays from the word", async || (playback_position(page).await > 2.3).then_some(())).await;
    assert!(is_playing(page).await);
    page.wait_until("later words are marked", async || {
        let words = spoken_words(page).await;
        (words.first().is_some_and(|word| *word > 10)).then_some(())
    })
    .await;

    // Clicking a word keeps the focus where the page's shortcuts work.
    page.type_keys(" ").await;
    page.wait_until("Space pauses", async || (!is_playing(page).await).then_some(())).await;
    let position_before = playback_position(page).await;
    page.type_keys(&Key::Left).await;
    let expected_position = (position_before - 5.0).max(0.0);
    page.wait_until("ArrowLeft seeks back", async || {
        ((playback_position(page).await - expected_position).abs() < 0.05).then_some(())
    })
    .await;
    page.type_keys("j").await;
    page.wait_until("J selects the second segment", async || {
        ((playback_position(page).await - 1.5).abs() < 0.05).then_some(())
    })
    .await;
    assert_eq!(spoken_words(page).await.last(), Some(&5));
    page.type_keys("k").await;
    page.wait_until("K selects the first segment", async || (playback_position(page).await < 0.05).then_some(())).await;
});

journey!(transcript_search_steps_through_matches, async |page, server| {
    let call = create_transcribed_call(server).await;
    log_in(page, server, Role::Viewer, &format!("/calls/{call}")).await;
    page.wait_for("[data-test=segment]").await;
    page.type_keys("/").await;
    page.type_keys("morning").await;
    page.expect_text("[data-test=find-count]", "1 of 3").await;
    assert_eq!(page.texts(".is-match").await, ["morning,", "morning,", "morning"]);
    page.type_keys(&Key::Enter).await;
    page.expect_text("[data-test=find-count]", "2 of 3").await;
    page.expect_attributes(".is-current-match", "data-word", &["6".to_owned()]).await;
    page.click("[data-test=find-next]").await;
    page.click("[data-test=find-next]").await;
    page.expect_text("[data-test=find-count]", "1 of 3").await;
    page.click("[data-test=find-previous]").await;
    page.expect_text("[data-test=find-count]", "3 of 3").await;
    page.fill("[data-test=find]", "\"about the deliv").await;
    page.expect_text("[data-test=find-count]", "No matches").await;
    page.fill("[data-test=find]", "\"about the deliv\"*").await;
    page.expect_text("[data-test=find-count]", "1 of 1").await;
    assert_eq!(page.texts(".is-match").await, ["about", "the", "delivery"]);

    // A link from the transcript search: search words and position.
    page.open(&format!("/calls/{call}?q=morning&t=1.6")).await;
    page.expect_text("[data-test=find-count]", "2 of 3").await;
    page.wait_until("the playback position is set", async || {
        ((playback_position(page).await - 1.6).abs() < 0.05).then_some(())
    })
    .await;
    assert!(!is_playing(page).await, "playback doesn't start by itself");
});

journey!(transcript_can_be_saved_in_four_formats, async |page, server| {
    let call = create_transcribed_call(server).await;
    log_in(page, server, Role::Viewer, &format!("/calls/{call}")).await;
    page.click("[data-test=download] summary").await;
    for (format, media_type, part) in [
        ("vtt", "text/vtt", "<v Caller>Good morning, this is Anna."),
        ("srt", "application/x-subrip", "Caller: Good morning, this is Anna."),
        ("text", "text/plain", "[00:00:00] Caller: Good morning, this is Anna."),
        ("json", "application/json", "\"word\":\"Anna.\""),
    ] {
        let link = page.wait_for(&format!("[data-test=download-{format}]")).await;
        let href = link.attr("href").await.unwrap().unwrap();
        let script = "const [url, done] = arguments;
                fetch(url).then(async response => done([response.headers.get('content-type'), await response.text()]))";
        let response = page.run_async_script(script, vec![json!(href)]).await;
        assert!(response[0].as_str().unwrap().starts_with(media_type), "{response}");
        assert!(response[1].as_str().unwrap().contains(part), "{response}");
    }
});

journey!(call_explains_missing_transcript_and_updates_live, async |page, server| {
    let call = server.create_recorded_call(json!({ "agent": "Anna" })).await;
    let token = server.create_speech_token("Quality team").await;
    log_in(page, server, Role::Manager, &format!("/calls/{call}")).await;
    page.expect_text("[data-test=empty-state] h2", "Not transcribed yet").await;
    page.click("[data-test=send-this-call]").await;
    page.select_option("[data-test=send-token]", &first_token_id(page).await).await;
    page.select_option("[data-test=send-language]", "en").await;
    page.click("[data-test=send-submit]").await;
    page.expect_text("[data-test=submission-result] strong", "1 call sent").await;
    page.click("[data-test=send-dialog] .dialog-footer .button-primary").await;
    page.wait_for("[data-test=pending][data-state=queued]").await;
    assert!(!page.is_visible("[data-test=send]").await, "the call is already submitted");
    page.click("[data-test=cancel-transcriptions]").await;
    page.click("[data-test=confirm]").await;
    page.expect_text("[data-test=empty-state] h2", "Transcription cancelled").await;
    let focused_element = async || page.run_script("return document.activeElement.id", Value::Null).await;
    page.wait_until_equal("the content has the focus", json!("main"), focused_element).await;
    page.wait_for("[data-test=send-this-call]").await;
    server.advance(chrono::TimeDelta::seconds(1));
    server.submit_call(call, &token).await;
    page.wait_for("[data-test=pending][data-state=queued]").await;

    // If the transcription ends while the confirmation is open, the dialog closes with the reason.
    page.click("[data-test=cancel-transcriptions]").await;
    page.wait_for("[data-test=confirm-dialog][open]").await;
    server.fail_transcription(call, Message::from_stored("the recording can't be decoded".to_owned())).await;
    page.wait_until_gone("[data-test=confirm-dialog][open]").await;
    expect_toast(page, "Already transcribed: nothing to cancel").await;
    page.expect_text("[data-test=empty-state] h2", "Transcription failed").await;
    page.expect_text("[data-test=empty-state] p", "The recording can't be decoded.").await;
    // A second later, because resubmission at the same time isn't seen as a change.
    server.advance(chrono::TimeDelta::seconds(1));
    server.submit_call(call, &token).await;
    page.wait_for("[data-test=pending][data-state=queued]").await;
    server.complete_transcription(call, &TRANSCRIPT_LINES).await;
    page.wait_for("[data-test=segment]").await;
    server.purge_transcripts().await;
    page.reload().await;
    page.expect_text("[data-test=empty-state] h2", "Transcript deleted").await;

    let call_without_speech = server.create_transcribed_call(&token, json!({}), &[]).await;
    page.open(&format!("/calls/{call_without_speech}")).await;
    page.expect_text("[data-test=empty-state] h2", "No speech in this call").await;
    page.open("/calls/999999").await;
    page.expect_text("[data-test=empty-state] h2", "Call not found").await;
});

/// Creates a call with the transcript [`TRANSCRIPT_LINES`].
async fn create_transcribed_call(server: &Server) -> i64 {
    let token = server.create_speech_token("Quality team").await;
    server.create_transcribed_call(&token, json!({ "agent": "Anna" }), &TRANSCRIPT_LINES).await
}

/// Returns the playback position in seconds.
async fn playback_position(page: &Page) -> f64 {
    page.run_script("return document.querySelector('audio').currentTime", Value::Null).await.as_f64().unwrap()
}

/// Returns the words marked as being spoken.
async fn spoken_words(page: &Page) -> Vec<u64> {
    let script = "return [...document.querySelectorAll('.is-spoken')].map(word => Number(word.dataset.word))";
    serde_json::from_value(page.run_script(script, Value::Null).await).unwrap()
}

/// Returns the first token that the form offers.
async fn first_token_id(page: &Page) -> String {
    page.wait_for("[data-test=send-token]").await;
    let script =
        "return [...document.querySelectorAll('[data-test=send-token] option')].map(o => o.value).find(v => v)";
    page.wait_until("a token is offered", async || {
        page.run_script(script, Value::Null).await.as_str().map(str::to_owned)
    })
    .await
}
