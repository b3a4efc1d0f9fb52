//! Purged and deleted data is gone from all files of the data folder and from later backups.

use std::fs::File;
use std::io::Read;

use chrono::TimeDelta;
use leadscribe_engine::api::RecordingSide::{Callee, Caller};
use leadscribe_server::storage::AttemptResult;
use serde_json::{Value, json};

use super::logs::wav_with;
use super::{canaries_in, canary, files_with_canaries, phone_digits};
use crate::harness::{Client, Server, body, stderr_of};

#[tokio::test]
async fn purged_and_deleted_data_is_in_no_file_or_backup() {
    let server = Server::start_configured(|config| {
        (config.retention.transcript_days, config.retention.recording_days) = (1, 1);
        config.retention.delivery_days = 1;
    })
    .await;
    let admin = server.admin();
    let token = server.create_speech_token("Acme").await;
    let token_client = server.anonymous().with_header("x-speech-token", &token);
    let [transcript_canary, recording_canary, url_canary, name_canary, changed_name, imported_name] =
        [canary(), canary(), canary(), canary(), canary(), canary()];
    let phone_digits = phone_digits();

    // Many items, so that the data spans several database pages.
    for _ in 0..30 {
        let text = format!("{transcript_canary} said {}", "one word after the other ".repeat(50));
        let call_fields = json!({});
        let call = server
            .create_transcribed_call(
                &token,
                call_fields,
                &[(Caller, text.as_str()), (Callee, transcript_canary.as_str())],
            )
            .await;
        admin.create_recorded_call(wav_with(&recording_canary)).await;
        token_client.get(&format!("/api/speech-recognition/{call}")).await.expect(200);
    }
    let search = format!(
        "/api/speech-recognition?search={transcript_canary}&limit=1;0&callback_url=https://x.example/{url_canary}"
    );
    token_client.get(&search).await.expect(202);
    server.finish_delivery(204, AttemptResult::Delivered).await;
    let mut leads = Vec::new();
    for _ in 0..30 {
        let lead = json!({ "phone": format!("+1{phone_digits}"), "last_name": name_canary, "custom_fields": { "note": name_canary } });
        leads.push(admin.create("/api/leads", lead).await);
    }
    // The undo journal keeps imported and previous values while the import can be undone, but not those of deleted
    // leads.
    let rows: String = leads.iter().map(|lead| format!("{lead},{imported_name},{phone_digits}\n")).collect();
    let import = admin.import_leads("leads.csv", format!("id,last_name,custom.note\n{rows}")).await;
    assert_eq!((&import["state"], &import["undo"]["to_restore"]), (&json!("completed"), &json!(30)));
    for lead in leads {
        let path = format!("/api/leads/{lead}");
        admin.patch(&path, body(json!({ "last_name": changed_name, "city": name_canary }))).await.expect(200);
        admin.delete(&path).await.expect(204);
    }

    let canaries = [
        &transcript_canary,
        &recording_canary,
        &url_canary,
        &name_canary,
        &changed_name,
        &imported_name,
        &phone_digits,
    ]
    .map(String::as_str);
    let files_before = files_with_canaries(server.data_dir(), &canaries).join("\n");
    assert!(
        canaries.iter().all(|canary| files_before.contains(canary)),
        "each canary is stored before the purge: {files_before}"
    );
    server.advance(TimeDelta::days(3));
    let purged = server.purge().await;
    assert_eq!((purged.transcripts, purged.recordings, purged.deliveries), (30, 60, 1));
    server.erase_deleted_data().await;
    assert_eq!(files_with_canaries(server.data_dir(), &canaries), [""; 0]);

    let temp_dir = tempfile::tempdir().unwrap();
    let backup = temp_dir.path().join("backup");
    stderr_of(server.data_dir(), &["backup".to_owned(), backup.to_str().unwrap().to_owned()]);
    let mut bytes = Vec::new();
    zstd::Decoder::new(File::open(&backup).unwrap()).unwrap().read_to_end(&mut bytes).unwrap();
    assert!(bytes.len() > 100_000, "{}", bytes.len());
    assert_eq!(canaries_in(&bytes, &canaries), [""; 0]);
}

#[tokio::test]
async fn idempotency_keys_keep_no_deleted_data() {
    let server = Server::start_configured(|config| config.retention.delivery_days = 1).await;
    let (admin, manager) = (server.admin(), server.logged_in_client("manager").await);
    server.create_speech_token("Acme").await;
    let [email, filter, file_name, url] = [canary(), canary(), canary(), canary()];
    let create = async |client: &Client, path: &str, request: Value| {
        let created = client.with_header("idempotency-key", "key").post(path, body(request)).await;
        assert!(created.status < 300, "{path}: {}", created.text());
        created.json()["id"].clone()
    };
    let user =
        json!({ "email": format!("{email}@example.com"), "password": "a long enough password", "role": "viewer" });
    let user = create(&admin, "/api/users", user).await;
    let view = json!({ "name": "Mine", "filter": body(json!({ "last_name": filter })), "dates": "", "columns": "city",
        "shared": false });
    let view = create(&manager, "/api/views", view).await;
    let delivery = json!({ "callback_url": format!("https://example.com/{url}") });
    let keyed = admin.with_header("idempotency-key", "delivery");
    keyed.post("/api/speech-tokens/1/test-deliveries", body(delivery)).await.expect(202);
    server.finish_delivery(204, AttemptResult::Delivered).await;
    let keyed = admin.with_header("idempotency-key", "import");
    keyed.import_leads(&format!("{file_name}&dry_run=true"), "city\nBonn\n").await;

    let canaries = [&email, &filter, &file_name, &url].map(String::as_str);
    let files_before = files_with_canaries(server.data_dir(), &canaries).join("\n");
    assert!(canaries.iter().all(|canary| files_before.contains(canary)), "{files_before}");
    manager.delete(&format!("/api/views/{view}")).await.expect(204);
    admin.delete(&format!("/api/users/{user}")).await.expect(204);
    // Dry runs and deliveries are purged before their keys.
    server.advance(TimeDelta::hours(25));
    let purged = server.purge().await;
    assert_eq!((purged.deliveries, purged.idempotency_keys), (1, 0));
    server.erase_deleted_data().await;
    assert_eq!(files_with_canaries(server.data_dir(), &canaries), [""; 0]);
}
