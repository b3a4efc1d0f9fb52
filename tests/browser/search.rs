//! Transcripts: full-text search, and links to the position in the call.

use leadscribe_engine::api::{RecordingSide, Role};
use serde_json::json;

use super::journey;
use super::login::log_in;

const WORDS: &str = "[data-test=words]";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn search_result_links_to_its_position() {
    journey("search", async |page, server| {
        let token = server.speech_token("Quality team").await;
        let said = [(RecordingSide::Caller, "good morning"), (RecordingSide::Callee, "when is my delivery")];
        let asked = server.transcribed_call(&token, json!({ "agent": "Jordan" }), &said).await;
        let said = [(RecordingSide::Caller, "your delivery is late please call me back")];
        server.transcribed_call(&token, json!({ "agent": "Robin" }), &said).await;

        log_in(page, server, Role::Manager, "/transcripts").await;
        page.shows("[data-test=total]", "2 calls").await;
        page.fill(WORDS, "\"my delivery").await;
        page.shows(
            "#search-note [data-test=fault]",
            "Expected \" at the end of the phrase, found none. Close it with \", or leave out the \".",
        )
        .await;
        assert!(!page.see("[data-test=search]").await.is_enabled().await.unwrap());
        page.is_at("/transcripts").await;

        page.fill(WORDS, "\"my deliver\"*\n").await;
        page.is_at("/transcripts?words=%22my%20deliver%22*").await;
        page.shows("[data-test=total]", "1 call").await;
        page.lists("[data-test=hit]", "data-id", &[asked.to_string()]).await;
        page.shows("[data-test=hit-matches]", "1 match").await;
        assert_eq!(page.texts("[data-test=passage] mark").await, ["my delivery"]);
        assert_eq!(page.texts("[data-test=passage] .passage-side").await, ["Callee"]);

        page.reload().await;
        page.shows("[data-test=hit-matches]", "1 match").await;
        page.click("[data-test=passage]").await;
        // The second line starts at 1.5 s and has four words. The phrase begins with the third.
        page.is_at(&format!("/calls/{asked}?t=2.00&q=%22my%20deliver%22*")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unsubmitted_search_words_apply_with_a_filter() {
    journey("search_typed", async |page, server| {
        let token = server.speech_token("Quality team").await;
        for said in ["good morning", "my delivery is late"] {
            server.transcribed_call(&token, json!({}), &[(RecordingSide::Both, said)]).await;
        }
        log_in(page, server, Role::Manager, "/transcripts").await;
        page.shows("[data-test=total]", "2 calls").await;
        page.fill(WORDS, "delivery").await;
        page.fill("[data-test=search-min]", "0\t").await;
        page.is_at("/transcripts?words=delivery&min_duration=0").await;
        page.shows("[data-test=total]", "1 call").await;
        // Invalid search words aren't submitted until they are corrected.
        page.fill(WORDS, "\"late").await;
        page.see("#search-note [data-test=fault]").await;
        page.fill("[data-test=search-max]", "900\t").await;
        page.is_at("/transcripts?words=delivery&min_duration=0&max_duration=900").await;
        page.shows("[data-test=total]", "1 call").await;
        let typed = page.run("return document.querySelector(arguments[0]).value", WORDS).await;
        assert_eq!(typed, "\"late");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn search_without_matches_says_so() {
    journey("search_nothing", async |page, server| {
        log_in(page, server, Role::Viewer, "/transcripts").await;
        page.shows("[data-test=empty] h2", "No transcripts yet").await;
        assert!(!page.sees("[data-test=empty] .button").await, "they may not send calls");

        let token = server.speech_token("Quality team").await;
        server.transcribed_call(&token, json!({}), &[(RecordingSide::Both, "good morning")]).await;
        page.fill(WORDS, "bicycle\n").await;
        page.shows("[data-test=empty] h2", "No results for “bicycle”").await;
        page.click("[data-test=empty] .button").await;
        page.is_at("/transcripts").await;
        page.shows("[data-test=total]", "1 call").await;
        assert!(!page.sees("[data-test=deliver]").await, "they may not deliver");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_list_updates_transcription_states_live() {
    journey("live", async |page, server| {
        let token = server.speech_token("Quality team").await;
        let call = server.recorded_call(json!({})).await;
        log_in(page, server, Role::Viewer, "/calls").await;
        let state = format!("[data-test=call-row][data-id='{call}'] td:last-child");
        page.shows(&state, "Not sent").await;
        page.shows("[data-test=recognizer] strong", "Speech recognition is off").await;
        server.submit(call, &token).await;
        page.shows(&state, "Queued").await;
        page.shows("[data-test=queue]", "1 in queue").await;
        // The stream is open, and the list was reloaded when it opened.
        page.run("document.querySelector(arguments[0]).classList.add('seen')", state.as_str()).await;
        let work = server.begin(call).await;
        page.shows(&state, "Processing").await;
        server.finish(&work, &[(RecordingSide::Both, "good morning")]).await;
        page.shows(&state, "Transcript").await;
        page.see_gone("[data-test=queue] .icon").await;
        assert!(page.sees(&format!("{state}.seen")).await, "the row is still the same");
    })
    .await;
}
