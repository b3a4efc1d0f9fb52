//! Call page: reading the transcript, and playing it word by word.

use fantoccini::key::Key;
use leadscribe_engine::api::{RecordingSide, Role};
use serde_json::{Value, json};

use super::bulk::says;
use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::Server;

/// Lines of the call; each takes 1.5 seconds.
const SAID: [(RecordingSide, &str); 4] = [
    (RecordingSide::Caller, "Good morning, this is Anna."),
    (RecordingSide::Callee, "Good morning, what is it about?"),
    (RecordingSide::Caller, "It is about the delivery of Monday."),
    (RecordingSide::Callee, "[card number] I hope the morning suits you."),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transcript_plays_word_by_word() {
    journey("transcript", async |page, server| {
        let call = transcribed(server).await;
        log_in(page, server, Role::Viewer, "/calls").await;
        page.click(&format!("[data-test=call-row][data-id='{call}'] [data-test=transcript-link]")).await;
        page.is_at(&format!("/calls/{call}")).await;
        page.shows("h1", &format!("Call {call}")).await;
        page.see("[data-test=segment]").await;
        let sides = SAID.map(|(side, _)| side.as_str().to_owned());
        page.lists("[data-test=segment]", "data-side", &sides).await;
        assert_eq!(page.texts(".turn-text").await, SAID.map(|(_, text)| text));
        assert_eq!(page.texts(".turn-name").await, ["Caller", "Callee", "Caller", "Callee"]);
        assert_eq!(page.texts(".taken-out").await, ["[card number]"]);
        page.see("[data-test=waveform] [data-test=lanes][data-lanes='2']").await;
        let facts = page.text("[data-test=transcript-facts]").await;
        assert!(facts.contains("English") && facts.contains("test · none"), "{facts}");

        page.shows("[data-test=sent-by]", "Quality team").await;

        // "about" in the second line starts at 1.5 s + 5/6 s.
        page.click("[data-word='10']").await;
        page.until("it plays from the word", async || (heard(page).await > 2.3).then_some(())).await;
        assert!(is_playing(page).await);
        page.until("later words are marked", async || {
            let spoken = spoken(page).await;
            (spoken.first().is_some_and(|word| *word > 10)).then_some(())
        })
        .await;

        // Clicking a word keeps the focus where the page's shortcuts work.
        page.press(" ").await;
        page.until("the space bar pauses", async || (!is_playing(page).await).then_some(())).await;
        let before = heard(page).await;
        page.press(&Key::Left).await;
        let back = (before - 5.0).max(0.0);
        page.until("the arrow goes back", async || ((heard(page).await - back).abs() < 0.05).then_some(())).await;
        page.press("j").await;
        page.until("J goes to the second line", async || ((heard(page).await - 1.5).abs() < 0.05).then_some(())).await;
        assert_eq!(spoken(page).await.last(), Some(&5));
        page.press("k").await;
        page.until("K goes to the first line", async || (heard(page).await < 0.05).then_some(())).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transcript_search_steps_through_matches() {
    journey("transcript_search", async |page, server| {
        let call = transcribed(server).await;
        log_in(page, server, Role::Viewer, &format!("/calls/{call}")).await;
        page.see("[data-test=segment]").await;
        page.press("/").await;
        page.press("morning").await;
        page.shows("[data-test=find-count]", "1 of 3").await;
        assert_eq!(page.texts(".is-found").await, ["morning,", "morning,", "morning"]);
        page.press(&Key::Enter).await;
        page.shows("[data-test=find-count]", "2 of 3").await;
        page.lists(".is-found-here", "data-word", &["6".to_owned()]).await;
        page.click("[data-test=find-next]").await;
        page.click("[data-test=find-next]").await;
        page.shows("[data-test=find-count]", "1 of 3").await;
        page.click("[data-test=find-previous]").await;
        page.shows("[data-test=find-count]", "3 of 3").await;
        page.fill("[data-test=find]", "\"about the deliv").await;
        page.shows("[data-test=find-count]", "No matches").await;
        page.fill("[data-test=find]", "\"about the deliv\"*").await;
        page.shows("[data-test=find-count]", "1 of 1").await;
        assert_eq!(page.texts(".is-found").await, ["about", "the", "delivery"]);

        // A link from the transcript search: search words and position.
        page.open(&format!("/calls/{call}?q=morning&t=1.6")).await;
        page.shows("[data-test=find-count]", "2 of 3").await;
        page.until("it stands there", async || ((heard(page).await - 1.6).abs() < 0.05).then_some(())).await;
        assert!(!is_playing(page).await, "nobody asked for sound");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transcript_can_be_saved_in_four_formats() {
    journey("transcript_files", async |page, server| {
        let call = transcribed(server).await;
        log_in(page, server, Role::Viewer, &format!("/calls/{call}")).await;
        page.click("[data-test=download] summary").await;
        for (format, media_type, part) in [
            ("vtt", "text/vtt", "<v Caller>Good morning, this is Anna."),
            ("srt", "application/x-subrip", "Caller: Good morning, this is Anna."),
            ("text", "text/plain", "[00:00:00] Caller: Good morning, this is Anna."),
            ("json", "application/json", "\"word\":\"Anna.\""),
        ] {
            let link = page.see(&format!("[data-test=download-{format}]")).await;
            let href = link.attr("href").await.unwrap().unwrap();
            let script = "const [url, done] = arguments;
                fetch(url).then(async answer => done([answer.headers.get('content-type'), await answer.text()]))";
            let answer = page.run_async(script, vec![json!(href)]).await;
            assert!(answer[0].as_str().unwrap().starts_with(media_type), "{answer}");
            assert!(answer[1].as_str().unwrap().contains(part), "{answer}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_explains_missing_transcript_and_updates_live() {
    journey("transcript_states", async |page, server| {
        let call = server.recorded_call(json!({ "agent": "Anna" })).await;
        let token = server.speech_token("Quality team").await;
        log_in(page, server, Role::Manager, &format!("/calls/{call}")).await;
        page.shows("[data-test=empty] h2", "Not transcribed yet").await;
        page.click("[data-test=send-here]").await;
        page.choose("[data-test=send-token]", &token_id(page).await).await;
        page.choose("[data-test=send-language]", "en").await;
        page.click("[data-test=send-submit]").await;
        page.click("[data-test=send-dialog] .dialog-foot .button-primary").await;
        page.see("[data-test=pending][data-state=queued]").await;
        assert!(!page.sees("[data-test=send]").await, "it is sent already");
        page.click("[data-test=cancel-transcriptions]").await;
        page.click("[data-test=confirm]").await;
        page.shows("[data-test=empty] h2", "Transcription cancelled").await;
        let at = async || page.run("return document.activeElement.id", Value::Null).await;
        page.until_equal("the keyboard goes on from the content", json!("main"), at).await;
        page.see("[data-test=send-here]").await;
        server.advance(chrono::TimeDelta::seconds(1));
        server.submit(call, &token).await;
        page.see("[data-test=pending][data-state=queued]").await;

        // If the transcription ends while the confirmation is open, the dialog closes with the reason.
        page.click("[data-test=cancel-transcriptions]").await;
        page.see("[data-test=confirm-dialog][open]").await;
        server.fail(call, "the recording can't be decoded").await;
        page.see_gone("[data-test=confirm-dialog][open]").await;
        says(page, "Already transcribed: nothing to cancel").await;
        page.shows("[data-test=empty] h2", "Transcription failed").await;
        page.shows("[data-test=empty] p", "The recording can't be decoded.").await;
        // A second later, because resubmission at the same time isn't seen as a change.
        server.advance(chrono::TimeDelta::seconds(1));
        server.submit(call, &token).await;
        page.see("[data-test=pending][data-state=queued]").await;
        server.complete(call, &SAID).await;
        page.see("[data-test=segment]").await;
        server.purge_transcripts().await;
        page.reload().await;
        page.shows("[data-test=empty] h2", "Transcript deleted").await;

        let silent = server.transcribed_call(&token, json!({}), &[]).await;
        page.open(&format!("/calls/{silent}")).await;
        page.shows("[data-test=empty] h2", "No speech in this call").await;
        page.open("/calls/999999").await;
        page.shows("[data-test=empty] h2", "Call not found").await;
    })
    .await;
}

/// Creates a call with the transcript [`SAID`].
async fn transcribed(server: &Server) -> i64 {
    let token = server.speech_token("Quality team").await;
    server.transcribed_call(&token, json!({ "agent": "Anna" }), &SAID).await
}

/// Returns the playback position in seconds.
async fn heard(page: &Page) -> f64 {
    page.run("return document.querySelector('audio').currentTime", Value::Null).await.as_f64().unwrap()
}

async fn is_playing(page: &Page) -> bool {
    page.run("return !document.querySelector('audio').paused", Value::Null).await == json!(true)
}

/// Returns the words marked as being spoken.
async fn spoken(page: &Page) -> Vec<u64> {
    let script = "return [...document.querySelectorAll('.is-spoken')].map(word => Number(word.dataset.word))";
    serde_json::from_value(page.run(script, Value::Null).await).unwrap()
}

/// Returns the first token that the form offers.
async fn token_id(page: &Page) -> String {
    page.see("[data-test=send-token]").await;
    let script =
        "return [...document.querySelectorAll('[data-test=send-token] option')].map(o => o.value).find(v => v)";
    page.until("a token is offered", async || page.run(script, Value::Null).await.as_str().map(str::to_owned)).await
}
