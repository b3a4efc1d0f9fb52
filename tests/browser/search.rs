//! Transcripts: full-text search, and links to the position in the call.

use leadscribe_engine::api::{RecordingSide, Role};
use serde_json::json;

use super::journey;
use super::login::log_in;

const SEARCH_INPUT: &str = "[data-test=words]";

journey!(search_result_links_to_its_position, async |page, server| {
    let token = server.create_speech_token("Quality team").await;
    let lines = [(RecordingSide::Caller, "good morning"), (RecordingSide::Callee, "when is my delivery")];
    let first_call = server.create_transcribed_call(&token, json!({ "agent": "Jordan" }), &lines).await;
    let lines = [(RecordingSide::Caller, "your delivery is late please call me back")];
    server.create_transcribed_call(&token, json!({ "agent": "Robin" }), &lines).await;

    log_in(page, server, Role::Manager, "/transcripts").await;
    page.expect_text("[data-test=total]", "2 calls").await;
    page.fill(SEARCH_INPUT, "\"my delivery").await;
    page.expect_text(
        "#search-note [data-test=diagnostic]",
        "Expected \" at the end of the phrase, found none. Close it with \", or leave out the \".",
    )
    .await;
    assert!(!page.wait_for("[data-test=search]").await.is_enabled().await.unwrap());
    page.expect_location("/transcripts").await;

    page.fill(SEARCH_INPUT, "\"my deliver\"*\n").await;
    page.expect_location("/transcripts?search=%22my%20deliver%22*").await;
    page.expect_text("[data-test=total]", "1 call").await;
    page.expect_attributes("[data-test=hit]", "data-id", &[first_call.to_string()]).await;
    page.expect_text("[data-test=hit-matches]", "1 match").await;
    assert_eq!(page.texts("[data-test=passage] mark").await, ["my delivery"]);
    assert_eq!(page.texts("[data-test=passage] .passage-side").await, ["Callee"]);

    page.reload().await;
    page.expect_text("[data-test=hit-matches]", "1 match").await;
    page.click("[data-test=passage]").await;
    // The second line starts at 1.5 s and has four words. The phrase begins with the third.
    page.expect_location(&format!("/calls/{first_call}?t=2.00&q=%22my%20deliver%22*")).await;
});

journey!(unsubmitted_search_words_apply_with_a_filter, async |page, server| {
    let token = server.create_speech_token("Quality team").await;
    for line in ["good morning", "my delivery is late"] {
        server.create_transcribed_call(&token, json!({}), &[(RecordingSide::Both, line)]).await;
    }
    log_in(page, server, Role::Manager, "/transcripts").await;
    page.expect_text("[data-test=total]", "2 calls").await;
    page.fill(SEARCH_INPUT, "delivery").await;
    page.fill("[data-test=search-min]", "0\t").await;
    page.expect_location("/transcripts?search=delivery&min_duration=0").await;
    page.expect_text("[data-test=total]", "1 call").await;
    // Invalid search words aren't submitted until they are corrected.
    page.fill(SEARCH_INPUT, "\"late").await;
    page.wait_for("#search-note [data-test=diagnostic]").await;
    page.fill("[data-test=search-max]", "900\t").await;
    page.expect_location("/transcripts?search=delivery&min_duration=0&max_duration=900").await;
    page.expect_text("[data-test=total]", "1 call").await;
    let input_value = page.run_script("return document.querySelector(arguments[0]).value", SEARCH_INPUT).await;
    assert_eq!(input_value, "\"late");
});

journey!(search_without_matches_shows_the_empty_state, async |page, server| {
    log_in(page, server, Role::Viewer, "/transcripts").await;
    page.expect_text("[data-test=empty-state] h2", "No transcripts yet").await;
    assert!(!page.is_visible("[data-test=empty-state] .button").await, "viewers can't send calls");

    let token = server.create_speech_token("Quality team").await;
    server.create_transcribed_call(&token, json!({}), &[(RecordingSide::Both, "good morning")]).await;
    page.fill(SEARCH_INPUT, "bicycle\n").await;
    page.expect_text("[data-test=empty-state] h2", "No results for “bicycle”").await;
    page.click("[data-test=empty-state] .button").await;
    page.expect_location("/transcripts").await;
    page.expect_text("[data-test=total]", "1 call").await;
    assert!(!page.is_visible("[data-test=deliver]").await, "viewers can't deliver transcripts");
});

journey!(call_list_updates_transcription_states_live, async |page, server| {
    let token = server.create_speech_token("Quality team").await;
    let call = server.create_recorded_call(json!({})).await;
    log_in(page, server, Role::Viewer, "/calls").await;
    let state = format!("[data-test=call-row][data-id='{call}'] td:last-child");
    page.expect_text(&state, "Not sent").await;
    page.expect_text("[data-test=recognizer] strong", "Speech recognition is off").await;
    server.submit_call(call, &token).await;
    page.expect_text(&state, "Queued").await;
    page.expect_text("[data-test=queue]", "1 in queue").await;
    // The stream is open, and the list was reloaded when it opened.
    page.run_script("document.querySelector(arguments[0]).classList.add('seen')", state.as_str()).await;
    let claimed = server.claim_transcription(call).await;
    page.expect_text(&state, "Processing").await;
    server.finish_transcription(&claimed, &[(RecordingSide::Both, "good morning")]).await;
    page.expect_text(&state, "Transcript").await;
    page.wait_until_gone("[data-test=queue] .icon").await;
    assert!(page.is_visible(&format!("{state}.seen")).await, "the row is still the same");
});
