//! Skipped calls of a submission: kept in a list with the reason, and submitted again when possible.

use leadscribe_engine::api::Role;
use serde_json::json;

use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::{Server, wav};

/// In the sample data, the newest call is still being prepared, and the third-newest is too short.
const PENDING: &str = "150";
const TOO_SHORT: &str = "148";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn skipped_calls_are_kept_and_can_be_resubmitted() {
    journey("skipped_calls", async |page, server| {
        let admin = server.admin();
        let calls = admin.get("/api/calls?recording=ready&order=created_at&limit=1;0").await.expect(200);
        let ready = calls["items"][0]["id"].to_string();
        server.speech_token("Quality team").await;
        let tokens = admin.get("/api/speech-tokens").await.expect(200);
        log_in(page, server, Role::Manager, "/calls").await;
        page.see("[data-test=call-row]").await;
        assert!(!page.sees("[data-test=skipped-list]").await, "nothing was skipped yet");
        for id in [PENDING, TOO_SHORT, &ready] {
            page.click(&format!("[data-test=call-row][data-id='{id}'] [data-test=select-call]")).await;
        }
        page.click("[data-test=send]").await;
        page.choose("[data-test=send-token]", &tokens["items"][0]["id"].to_string()).await;
        page.choose("[data-test=send-language]", "en").await;
        // A dry run skips nothing.
        page.click("[data-test=send-check]").await;
        page.see("[data-test=outcome-row]").await;
        page.see("[data-test=send-check]:focus").await;
        page.shows("[data-test=send-submit]", "Send 1 call").await;
        assert!(!page.sees("[data-test=see-skipped]").await);
        page.click("[data-test=send-submit]").await;
        page.click("[data-test=see-skipped]").await;
        page.is_at("/calls?skipped=mine").await;

        let row = |id: &str| format!("[data-test=skipped-row][data-id='{id}']");
        page.shows(&format!("{} [data-test=skipped-why]", row(PENDING)), "The recording is still being prepared.")
            .await;
        page.shows(
            &format!("{} [data-test=skipped-why]", row(TOO_SHORT)),
            "The recording is shorter than the minimum duration.",
        )
        .await;
        page.see("[data-test=skipped-send][aria-disabled=true]").await;
        page.click("[data-test=skipped-check]").await;
        page.shows("[data-test=toast] p", "0 of 2 can be sent now").await;
        // Each row shows the same as the call list: time, numbers, lead and campaign.
        let told = async |row: &str| {
            let cells = "return [...document.querySelector(arguments[0]).cells].map(cell => cell.innerText.trim())
                .filter(text => text).slice(0, 4)";
            serde_json::from_value::<Vec<String>>(page.run(cells, row).await).unwrap()
        };
        page.see(&format!("{} [data-test=call-lead]", row(TOO_SHORT))).await;
        page.click("[href='/calls'].breadcrumb").await;
        let listed = format!("[data-test=call-row][data-id='{TOO_SHORT}']");
        page.see(&format!("{listed} [data-test=call-lead]")).await;
        let in_list = async || Some(told(&listed).await).filter(|cells| !cells[3].starts_with("Campaign "));
        let in_list = page.until("the list names the campaign", in_list).await;
        page.open("/calls?skipped=mine").await;
        page.see(&row(TOO_SHORT)).await;
        page.until_equal("what the call is known by", in_list, async || told(&row(TOO_SHORT)).await).await;
        let both = [TOO_SHORT, PENDING].map(str::to_owned);
        page.lists("[data-test=skipped-row]", "data-id", &both).await;

        // Undo restores a removed entry at its position, and the focus moves to the next row.
        for (gone, next) in [(TOO_SHORT, PENDING), (PENDING, TOO_SHORT)] {
            page.click(&format!("{} [data-test=skipped-forget]", row(gone))).await;
            page.see_gone(&row(gone)).await;
            page.see(&format!("{} [data-test=skipped-forget]:focus", row(next))).await;
            page.click("[data-test=undo]").await;
            page.lists("[data-test=skipped-row]", "data-id", &both).await;
        }
        page.click("[data-test=skipped-clear]").await;
        page.see("[data-test=empty]").await;
        page.click("[data-test=undo]").await;
        page.lists("[data-test=skipped-row]", "data-id", &both).await;

        // The browser stores the list, and calls that became ready are found on return.
        let audio = admin.with_header("content-type", "audio/wav");
        audio.put(&format!("/api/calls/{PENDING}/recording"), wav(2, 3.0)).await.expect(200);
        page.open("/calls").await;
        page.shows("[data-test=skipped-list]", "2 skipped calls").await;
        page.click("[data-test=skipped-list]").await;
        page.shows(&format!("{} .badge", row(PENDING)), "Ready").await;
        page.shows("[data-test=skipped-send]", "Send 1 call again").await;
        page.click("[data-test=skipped-send]").await;
        page.shows("[data-test=toast] p", "1 call sent").await;
        page.see_gone(&row(PENDING)).await;
        page.see(&row(TOO_SHORT)).await;
        page.see("[data-test=skipped-send][aria-disabled=true]:focus").await;
        let sent = admin.get(&format!("/api/calls/{PENDING}")).await.expect(200);
        assert_eq!(sent["transcription_state"], json!("queued"));

        page.click(&format!("{} [data-test=skipped-forget]", row(TOO_SHORT))).await;
        page.see("[data-test=empty]").await;
        page.reload().await;
        page.see("[data-test=empty]").await;
    })
    .await;
}

/// Returns the id of the speech token with this name.
async fn token(server: &Server, name: &str) -> String {
    let tokens = server.admin().get("/api/speech-tokens").await.expect(200);
    let tokens = tokens["items"].as_array().unwrap();
    tokens.iter().find(|token| token["name"] == name).expect("a token")["id"].to_string()
}

async fn open_to_send(page: &Page, call: &str) {
    page.open("/calls").await;
    page.click(&format!("[data-test=call-row][data-id='{call}'] [data-test=select-call]")).await;
    page.click("[data-test=send]").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn revoked_token_only_blocks_its_own_calls() {
    journey("skipped_revoked", async |page, server| {
        let admin = server.admin();
        server.speech_token("Quality team").await;
        log_in(page, server, Role::Manager, "/calls").await;
        open_to_send(page, PENDING).await;
        page.choose("[data-test=send-language]", "en").await;
        page.click("[data-test=send-submit]").await;
        page.see("[data-test=see-skipped]").await;
        // The token of the last submission is preselected.
        server.speech_token("Complaints").await;
        let revoked = token(server, "Complaints").await;
        open_to_send(page, TOO_SHORT).await;
        page.choose("[data-test=send-token]", &revoked).await;
        page.click("[data-test=send-submit]").await;
        page.see("[data-test=see-skipped]").await;
        admin.delete(&format!("/api/speech-tokens/{revoked}")).await.expect(200);
        let audio = admin.with_header("content-type", "audio/wav");
        audio.put(&format!("/api/calls/{PENDING}/recording"), wav(2, 3.0)).await.expect(200);

        page.open("/calls?skipped=mine").await;
        let row = |id: &str| format!("[data-test=skipped-row][data-id='{id}']");
        page.shows(&format!("{} .badge", row(PENDING)), "Ready").await;
        let why = format!("{} [data-test=skipped-why]", row(TOO_SHORT));
        let is_said = async || page.text(&why).await.starts_with("The speech token was revoked at ").then_some(());
        page.until("it is said which calls it was", is_said).await;
        assert!(!page.sees("[data-test=error]").await);
        page.shows("[data-test=skipped-send]", "Send 1 call again").await;
        page.click("[data-test=skipped-send]").await;
        page.shows("[data-test=toast] p", "1 call sent").await;
        page.see_gone(&row(PENDING)).await;
        page.see(&row(TOO_SHORT)).await;
        let sent = admin.get(&format!("/api/calls/{PENDING}")).await.expect(200);
        assert_eq!(sent["transcription_state"], json!("queued"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn short_calls_can_be_sent_with_another_minimum() {
    journey("skipped_otherwise", async |page, server| {
        let admin = server.admin();
        let calls = admin.get("/api/calls?recording=ready&order=created_at&limit=1;0").await.expect(200);
        let ready = calls["items"][0]["id"].to_string();
        server.speech_token("Quality team").await;
        log_in(page, server, Role::Manager, "/calls").await;
        open_to_send(page, &ready).await;
        page.choose("[data-test=send-language]", "en").await;
        page.fill("[data-test=send-min-duration]", "3600").await;
        page.click("[data-test=send-submit]").await;
        page.click("[data-test=see-skipped]").await;
        page.see("[data-test=skipped-send][aria-disabled=true]").await;

        // The other values of the last submission are filled in.
        page.click("[data-test=skipped-otherwise]").await;
        page.fill("[data-test=send-min-duration]", "1").await;
        page.click("[data-test=send-submit]").await;
        page.see("#send-done").await;
        page.press("\u{e00c}").await;
        page.see("[data-test=empty]").await;
        let sent = admin.get(&format!("/api/calls/{ready}")).await.expect(200);
        assert_eq!(sent["transcription_state"], json!("queued"));
    })
    .await;
}
