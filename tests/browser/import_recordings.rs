//! Call detail records with a folder of recordings, and uploading a recording to a single call.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use crate::harness::{Server, wav};

/// Returns a row of Asterisk's `Master.csv`.
fn cdr_row(uniqueid: &str, disposition: &str) -> String {
    let call = "\"2026-05-01 11:30:00\",,\"2026-05-01 11:30:07\",7,0";
    format!(
        "\"\",\"101\",\"030901820\",\"x\",\"\",\"PJSIP/101-0000002a\",\"\",\"Dial\",\"\",{call},\"{disposition}\",\"DOCUMENTATION\",\"{uniqueid}\",\"\"\n"
    )
}

/// Returns the calls of the file: two with a recording each, one unanswered, one with an invalid recording, and one
/// that matches two files.
fn master_csv() -> String {
    let rows = [
        ("1777627800.1", "ANSWERED"),
        ("1777627800.2", "ANSWERED"),
        ("1777627800.3", "BUSY"),
        ("1777627800.4", "ANSWERED"),
        ("1777627800.5", "ANSWERED"),
    ];
    rows.map(|(uniqueid, disposition)| cdr_row(uniqueid, disposition)).concat()
}

async fn find_call(server: &Server, identifier: &str) -> Value {
    let page = server.admin().get(&format!("/api/calls?original_identifier={identifier}")).await.expect(200);
    page["items"][0].clone()
}

journey!(recordings_folder_is_imported_with_the_calls, async |page, server| {
    let temp_dir = tempfile::tempdir().unwrap();
    let file = temp_dir.path().join("Master.csv");
    std::fs::write(&file, master_csv()).unwrap();
    let folder = temp_dir.path().join("monitor");
    std::fs::create_dir_all(folder.join("2026/05")).unwrap();
    std::fs::write(folder.join("2026/05/out-030901820-101-1777627800.1.wav"), wav(2, 2.0)).unwrap();
    std::fs::write(folder.join("1777627800.2.wav"), wav(1, 3.0)).unwrap();
    std::fs::write(folder.join("1777627800.3.wav"), wav(1, 3.0)).unwrap();
    std::fs::write(folder.join("1777627800.4.wav"), "no sound").unwrap();
    std::fs::write(folder.join("greeting.wav"), wav(1, 1.0)).unwrap();
    for side in ["in", "out"] {
        std::fs::write(folder.join(format!("1777627800.5-{side}.wav")), wav(1, 3.0)).unwrap();
    }
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    page.set_file("[data-test=recording-folder]", &folder).await;
    page.expect_text("[data-test=recordings-found]", "3 recordings match calls.").await;
    page.expect_text("[data-test=recordings-unused]", "2 files match no answered call").await;
    let expected_ambiguous = "Several files match call 1777627800.5, so none is uploaded. \
            monitor/1777627800.5-in.wav, monitor/1777627800.5-out.wav";
    page.expect_text("[data-test=recordings-ambiguous]", expected_ambiguous).await;
    page.click("[data-test=recordings-unused]").await;
    assert_eq!(page.texts("details[open] li").await, ["monitor/1777627800.3.wav", "monitor/greeting.wav"]);

    page.click("[data-test=import-start]").await;
    page.wait_for("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
    page.wait_for("[data-test=recording-uploads][data-stage=finished]").await;
    page.expect_text("[data-test=recordings-status]", "2 of 3 recordings uploaded.").await;
    let failure_texts = page.texts("[data-test=recording-failed]").await;
    let files = ["5-in", "5-out", "4"].map(|call| format!("monitor/1777627800.{call}.wav"));
    assert!(
        failure_texts.len() == 3 && failure_texts.iter().zip(&files).all(|(text, file)| text.contains(file)),
        "{failure_texts:?}"
    );
    for (identifier, channels) in [("1777627800.1", 2), ("1777627800.2", 1)] {
        let call = find_call(server, identifier).await;
        assert_eq!((&call["recording"]["state"], &call["recording"]["channels"]), (&json!("ready"), &json!(channels)));
    }
    for identifier in ["1777627800.3", "1777627800.4"] {
        assert_eq!(find_call(server, identifier).await["recording"]["state"], "none");
    }

    // Undo removes the calls with their recordings.
    page.click("[data-test=undo-import]").await;
    page.click("[data-test=confirm]").await;
    page.wait_for("[data-test=import-undo][data-state=completed]").await;
    assert_eq!(server.admin().get("/api/calls?original_identifier=1777627800.1").await.expect(200)["total"], 0);
});

journey!(recordings_upload_can_be_cancelled, async |page, server| {
    let temp_dir = tempfile::tempdir().unwrap();
    let file = temp_dir.path().join("Master.csv");
    std::fs::write(&file, master_csv()).unwrap();
    let folder = temp_dir.path().join("monitor");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("1777627800.1.wav"), wav(2, 60.0)).unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    page.set_file("[data-test=recording-folder]", &folder).await;
    page.expect_text("[data-test=recordings-found]", "1 recording matches a call.").await;
    page.devtools_command("Network.enable", json!({})).await;
    let network_conditions =
        json!({ "offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 20_000 });
    page.devtools_command("Network.emulateNetworkConditions", network_conditions).await;
    page.click("[data-test=import-start]").await;
    page.wait_for("[data-test=recording-uploads][data-stage=running]").await;
    // Leaving requires confirmation.
    page.click(".sidebar [href='/calls']").await;
    page.click("dialog[open] .dialog-footer .button:first-child").await;
    page.click("[data-test=recordings-stop]").await;
    page.expect_text("[data-test=recordings-status]", "Stopped: 0 of 1 recording uploaded.").await;
    page.wait_until_gone("[data-test=recordings-stop]").await;
    assert_eq!(find_call(server, "1777627800.1").await["recording"]["state"], "none");
});

/// Makes the given number of recording uploads fail with 503.
const FAIL_UPLOADS_SCRIPT: &str = "let left = arguments[0];
    const problem = { type: 'x', title: 'Overloaded', status: 503, code: 'overloaded', detail: 'try again' };
    window.XMLHttpRequest = class extends XMLHttpRequest {
        open(method, url, ...rest) {
            this.is_refused = method === 'PUT' && left-- > 0;
            super.open(...(this.is_refused ? ['GET', '/healthz'] : [method, url]), ...rest);
        }
        get status() {
            return this.is_refused ? 503 : super.status;
        }
        get responseText() {
            return this.is_refused ? JSON.stringify(problem) : super.responseText;
        }
        getResponseHeader(name) {
            return this.is_refused && name === 'Retry-After' ? '1' : super.getResponseHeader(name);
        }
    }";

journey!(recordings_upload_retries_while_the_server_is_busy, async |page, server| {
    let temp_dir = tempfile::tempdir().unwrap();
    let file = temp_dir.path().join("Master.csv");
    std::fs::write(&file, master_csv()).unwrap();
    let folder = temp_dir.path().join("monitor");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("1777627800.1.wav"), wav(2, 2.0)).unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    page.set_file("[data-test=recording-folder]", &folder).await;
    page.expect_text("[data-test=recordings-found]", "1 recording matches a call.").await;
    // More retries than for a lost connection.
    page.run_script(FAIL_UPLOADS_SCRIPT, 5).await;
    page.click("[data-test=import-start]").await;
    let retry_message = "0 of 1 recording uploaded. Overloaded. Retrying…";
    page.expect_text("[data-test=recordings-status]", retry_message).await;
    page.wait_for("[data-test=recording-uploads][data-stage=finished]").await;
    page.expect_text("[data-test=recordings-status]", "1 of 1 recording uploaded.").await;
    assert!(!page.is_visible("[data-test=recording-failed]").await);
    assert_eq!(find_call(server, "1777627800.1").await["recording"]["state"], "ready");
});

journey!(recording_can_be_added_to_a_call, async |page, server| {
    let call_data = json!({ "direction": "inbound", "status": "answered", "original_identifier": "by-hand" });
    let call = server.admin().create("/api/calls", call_data).await;
    let temp_dir = tempfile::tempdir().unwrap();
    let (audio_file, text_file) = (temp_dir.path().join("call.wav"), temp_dir.path().join("notes.txt"));
    std::fs::write(&audio_file, wav(2, 4.0)).unwrap();
    std::fs::write(&text_file, "no sound").unwrap();
    log_in(page, server, Role::Manager, &format!("/calls/{call}")).await;
    page.set_file("[data-test=recording-file]", &text_file).await;
    page.expect_text("[data-test=error] strong", "Unusable recording").await;
    page.set_file("[data-test=recording-file]", &audio_file).await;
    page.wait_for("[data-test=player]").await;
    page.wait_for("[data-test=send]").await;
    assert_eq!(find_call(server, "by-hand").await["recording"]["channels"], json!(2));

    // A recording can be replaced until the call has a transcript.
    let other_file = temp_dir.path().join("other.wav");
    std::fs::write(&other_file, wav(1, 9.0)).unwrap();
    page.click("[data-test=replace-recording]").await;
    page.set_file("[data-test=recording-file]", &other_file).await;
    let shows_new_length = async || page.text("[data-test=call]").await.contains("0:09").then_some(());
    page.wait_until("the length of the new recording is shown", shows_new_length).await;
    page.wait_for("[data-test=player]").await;
    assert_eq!(find_call(server, "by-hand").await["recording"]["channels"], json!(1));
});
