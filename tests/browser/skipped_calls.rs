//! Skipped calls of a submission: kept in a list with the reason, and submitted again when possible.

use leadscribe_engine::api::Role;
use serde_json::json;

use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::{Server, wav};

/// Call of the sample data whose recording is still being prepared.
const PENDING_CALL: &str = "150";
/// Call of the sample data whose recording is too short.
const TOO_SHORT_CALL: &str = "148";

journey!(skipped_calls_are_kept_and_can_be_resubmitted, async |page, server| {
    let admin = server.admin();
    let calls = admin.get("/api/calls?recording=ready&order=created_at&limit=1;0").await.expect(200);
    let ready_call = calls["items"][0]["id"].to_string();
    server.create_speech_token("Quality team").await;
    let tokens = admin.get("/api/speech-tokens").await.expect(200);
    log_in(page, server, Role::Manager, "/calls").await;
    page.wait_for("[data-test=call-row]").await;
    assert!(!page.is_visible("[data-test=skipped-list]").await, "nothing was skipped yet");
    for id in [PENDING_CALL, TOO_SHORT_CALL, &ready_call] {
        page.click(&format!("[data-test=call-row][data-id='{id}'] [data-test=select-call]")).await;
    }
    page.click("[data-test=send]").await;
    page.select_option("[data-test=send-token]", &tokens["items"][0]["id"].to_string()).await;
    page.select_option("[data-test=send-language]", "en").await;
    // A dry run skips nothing.
    page.click("[data-test=send-check]").await;
    page.wait_for("[data-test=submission-result-row]").await;
    page.wait_for("[data-test=send-check]:focus").await;
    page.expect_text("[data-test=send-submit]", "Send 1 call").await;
    assert!(!page.is_visible("[data-test=skipped-calls-link]").await);
    page.click("[data-test=send-submit]").await;
    page.click("[data-test=skipped-calls-link]").await;
    page.expect_location("/calls?skipped=mine").await;

    let row = |id: &str| format!("[data-test=skipped-row][data-id='{id}']");
    page.expect_text(
        &format!("{} [data-test=skipped-error]", row(PENDING_CALL)),
        "The recording is still being prepared.",
    )
    .await;
    page.expect_text(
        &format!("{} [data-test=skipped-error]", row(TOO_SHORT_CALL)),
        "The recording is shorter than the minimum duration.",
    )
    .await;
    page.wait_for("[data-test=skipped-send][aria-disabled=true]").await;
    page.click("[data-test=skipped-check]").await;
    page.expect_text("[data-test=toast] p", "0 of 2 can be sent now.").await;
    // Each row shows the same as the call list: time, numbers, lead and campaign.
    let cell_texts = async |row: &str| {
        let script = "return [...document.querySelector(arguments[0]).cells].map(cell => cell.innerText.trim())
                .filter(text => text).slice(0, 4)";
        serde_json::from_value::<Vec<String>>(page.run_script(script, row).await).unwrap()
    };
    page.wait_for(&format!("{} [data-test=call-lead]", row(TOO_SHORT_CALL))).await;
    page.click("[href='/calls'].breadcrumb").await;
    let list_row = format!("[data-test=call-row][data-id='{TOO_SHORT_CALL}']");
    page.wait_for(&format!("{list_row} [data-test=call-lead]")).await;
    let listed_cells = async || Some(cell_texts(&list_row).await).filter(|cells| !cells[3].starts_with("Campaign "));
    let listed_cells = page.wait_until("the list names the campaign", listed_cells).await;
    page.open("/calls?skipped=mine").await;
    page.wait_for(&row(TOO_SHORT_CALL)).await;
    page.wait_until_equal("the row has the cells of the call list", listed_cells, async || {
        cell_texts(&row(TOO_SHORT_CALL)).await
    })
    .await;
    let skipped_ids = [TOO_SHORT_CALL, PENDING_CALL].map(str::to_owned);
    page.expect_attributes("[data-test=skipped-row]", "data-id", &skipped_ids).await;

    // Undo restores a removed entry at its position, and the focus moves to the next row.
    for (removed, next_row) in [(TOO_SHORT_CALL, PENDING_CALL), (PENDING_CALL, TOO_SHORT_CALL)] {
        page.click(&format!("{} [data-test=skipped-remove]", row(removed))).await;
        page.wait_until_gone(&row(removed)).await;
        page.wait_for(&format!("{} [data-test=skipped-remove]:focus", row(next_row))).await;
        page.click("[data-test=undo]").await;
        page.expect_attributes("[data-test=skipped-row]", "data-id", &skipped_ids).await;
    }
    page.click("[data-test=skipped-clear]").await;
    page.wait_for("[data-test=empty-state]").await;
    page.click("[data-test=undo]").await;
    page.expect_attributes("[data-test=skipped-row]", "data-id", &skipped_ids).await;

    // The browser stores the list, and calls that became ready are found on return.
    admin.upload_recording(PENDING_CALL, wav(2, 3.0)).await;
    page.open("/calls").await;
    page.expect_text("[data-test=skipped-list]", "2 skipped calls").await;
    page.click("[data-test=skipped-list]").await;
    page.expect_text(&format!("{} .badge", row(PENDING_CALL)), "Ready").await;
    page.expect_text("[data-test=skipped-send]", "Send 1 call again").await;
    page.click("[data-test=skipped-send]").await;
    page.expect_text("[data-test=toast] p", "1 call sent").await;
    page.wait_until_gone(&row(PENDING_CALL)).await;
    page.wait_for(&row(TOO_SHORT_CALL)).await;
    page.wait_for("[data-test=skipped-send][aria-disabled=true]:focus").await;
    let submitted_call = admin.get(&format!("/api/calls/{PENDING_CALL}")).await.expect(200);
    assert_eq!(submitted_call["transcription_state"], json!("queued"));

    page.click(&format!("{} [data-test=skipped-remove]", row(TOO_SHORT_CALL))).await;
    page.wait_for("[data-test=empty-state]").await;
    page.reload().await;
    page.wait_for("[data-test=empty-state]").await;
});

/// Returns the id of the speech token with this name.
async fn token_id(server: &Server, name: &str) -> String {
    let tokens = server.admin().get("/api/speech-tokens").await.expect(200);
    let tokens = tokens["items"].as_array().unwrap();
    tokens.iter().find(|token| token["name"] == name).expect("a token")["id"].to_string()
}

async fn open_send_dialog(page: &Page, call: &str) {
    page.open("/calls").await;
    page.click(&format!("[data-test=call-row][data-id='{call}'] [data-test=select-call]")).await;
    page.click("[data-test=send]").await;
}

journey!(revoked_token_only_blocks_its_own_calls, async |page, server| {
    let admin = server.admin();
    server.create_speech_token("Quality team").await;
    log_in(page, server, Role::Manager, "/calls").await;
    open_send_dialog(page, PENDING_CALL).await;
    page.select_option("[data-test=send-language]", "en").await;
    page.click("[data-test=send-submit]").await;
    page.wait_for("[data-test=skipped-calls-link]").await;
    // The token of the last submission is preselected.
    server.create_speech_token("Complaints").await;
    let revoked_token = token_id(server, "Complaints").await;
    open_send_dialog(page, TOO_SHORT_CALL).await;
    page.select_option("[data-test=send-token]", &revoked_token).await;
    page.click("[data-test=send-submit]").await;
    page.wait_for("[data-test=skipped-calls-link]").await;
    admin.delete(&format!("/api/speech-tokens/{revoked_token}")).await.expect(200);
    admin.upload_recording(PENDING_CALL, wav(2, 3.0)).await;

    page.open("/calls?skipped=mine").await;
    let row = |id: &str| format!("[data-test=skipped-row][data-id='{id}']");
    page.expect_text(&format!("{} .badge", row(PENDING_CALL)), "Ready").await;
    let reason_selector = format!("{} [data-test=skipped-error]", row(TOO_SHORT_CALL));
    let shows_revocation = async || page.text(&reason_selector).await.ends_with(" is revoked.").then_some(());
    page.wait_until("the reason names the revoked token", shows_revocation).await;
    assert!(!page.is_visible("[data-test=error]").await);
    page.expect_text("[data-test=skipped-send]", "Send 1 call again").await;
    page.click("[data-test=skipped-send]").await;
    page.expect_text("[data-test=toast] p", "1 call sent").await;
    page.wait_until_gone(&row(PENDING_CALL)).await;
    page.wait_for(&row(TOO_SHORT_CALL)).await;
    let submitted_call = admin.get(&format!("/api/calls/{PENDING_CALL}")).await.expect(200);
    assert_eq!(submitted_call["transcription_state"], json!("queued"));
});

journey!(short_calls_can_be_sent_with_another_minimum, async |page, server| {
    let admin = server.admin();
    let calls = admin.get("/api/calls?recording=ready&order=created_at&limit=1;0").await.expect(200);
    let ready_call = calls["items"][0]["id"].to_string();
    server.create_speech_token("Quality team").await;
    log_in(page, server, Role::Manager, "/calls").await;
    open_send_dialog(page, &ready_call).await;
    page.select_option("[data-test=send-language]", "en").await;
    page.fill("[data-test=send-min-duration]", "3600").await;
    page.click("[data-test=send-submit]").await;
    page.click("[data-test=skipped-calls-link]").await;
    page.wait_for("[data-test=skipped-send][aria-disabled=true]").await;

    // The other values of the last submission are filled in.
    page.click("[data-test=skipped-send-options]").await;
    page.fill("[data-test=send-min-duration]", "1").await;
    page.click("[data-test=send-submit]").await;
    page.wait_for("#send-dialog-close").await;
    page.type_keys("\u{e00c}").await;
    page.wait_for("[data-test=empty-state]").await;
    let submitted_call = admin.get(&format!("/api/calls/{ready_call}")).await.expect(200);
    assert_eq!(submitted_call["transcription_state"], json!("queued"));
});
