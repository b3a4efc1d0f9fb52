//! Purged and deleted data: they are in no file of the data folder, and in no later backup.

use std::fs::File;
use std::io::Read;

use chrono::TimeDelta;
use leadscribe_engine::api::RecordingSide::{Callee, Caller};
use leadscribe_server::storage::AfterAttempt;
use serde_json::json;

use super::logged::wav_with;
use super::{canary, digits, files_with, found_in};
use crate::harness::{Server, body, eventually, told};

#[tokio::test]
async fn purged_and_deleted_data_are_in_no_file_or_backup() {
    let server = Server::configured(|config| {
        (config.retention.transcript_days, config.retention.recording_days) = (1, 1);
        config.retention.delivery_days = 1;
    })
    .await;
    let admin = server.admin();
    let token = server.speech_token("Acme").await;
    let holder = server.anonymous().with_header("x-speech-token", &token);
    let [said, sound, url, name, reused, imported] = [canary(), canary(), canary(), canary(), canary(), canary()];
    let phone = digits();

    // Many items, so that everything spans several pages.
    for _ in 0..30 {
        let text = format!("{said} said {}", "one word after the other ".repeat(50));
        let others = json!({});
        let call = server.transcribed_call(&token, others, &[(Caller, text.as_str()), (Callee, said.as_str())]).await;
        let audio = admin.with_header("content-type", "audio/wav");
        let other = admin.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
        audio.put(&format!("/api/calls/{other}/recording"), wav_with(&sound)).await.expect(200);
        holder.get(&format!("/api/speech-recognition/{call}")).await.expect(200);
    }
    let search = format!("/api/speech-recognition?words={said}&limit=1;0&callback_url=https://x.example/{url}");
    holder.get(&search).await.expect(202);
    server.deliver(204, AfterAttempt::Delivered).await;
    let mut leads = Vec::new();
    for _ in 0..30 {
        let lead = json!({ "phone": format!("+1{phone}"), "last_name": name, "custom_fields": { "note": name } });
        leads.push(admin.create("/api/leads", lead).await);
    }
    // Imported and previous values are kept as long as the import can be undone, except those of deleted leads.
    let rows: String = leads.iter().map(|lead| format!("{lead},{imported},{phone}\n")).collect();
    let csv = admin.with_header("content-type", "text/csv");
    let import = csv.post("/api/imports/leads", format!("id,last_name,custom.note\n{rows}")).await.expect(202);
    let path = format!("/api/imports/{}", import["id"]);
    eventually("the import has ended", async || admin.get(&path).await.expect(200)["state"] != "running").await;
    let import = admin.get(&path).await.expect(200);
    assert_eq!((&import["state"], &import["undo"]["to_restore"]), (&json!("completed"), &json!(30)));
    for lead in leads {
        let path = format!("/api/leads/{lead}");
        admin.patch(&path, body(json!({ "last_name": reused, "city": name }))).await.expect(200);
        admin.delete(&path).await.expect(204);
    }

    let canaries = [&said, &sound, &url, &name, &reused, &imported, &phone].map(String::as_str);
    let before = files_with(server.data_dir(), &canaries).join("\n");
    assert!(canaries.iter().all(|canary| before.contains(canary)), "each is somewhere before: {before}");
    server.advance(TimeDelta::days(3));
    let purged = server.purge().await;
    assert_eq!((purged.transcripts, purged.recordings, purged.deliveries), (30, 60, 1));
    server.forget_deleted().await;
    assert_eq!(files_with(server.data_dir(), &canaries), [""; 0]);

    let home = tempfile::tempdir().unwrap();
    let backup = home.path().join("backup");
    told(server.data_dir(), &["backup".to_owned(), backup.to_str().unwrap().to_owned()]);
    let mut bytes = Vec::new();
    zstd::Decoder::new(File::open(&backup).unwrap()).unwrap().read_to_end(&mut bytes).unwrap();
    assert!(bytes.len() > 100_000, "{}", bytes.len());
    assert_eq!(found_in(&bytes, &canaries), [""; 0]);
}
