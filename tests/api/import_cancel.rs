//! `POST /api/imports/{import_id}/cancel`: cancels a running import.

use serde_json::json;

use super::imports::{ended, import};
use crate::harness::Server;

#[tokio::test]
async fn cancelled_import_stops_and_can_be_undone() {
    let server = Server::start().await;
    let client = server.admin();
    let rows: String = (0..60_000).map(|row| format!("key-{row},Cancel\n")).collect();
    let csv = client.with_header("content-type", "text/csv");
    let begun = csv.post("/api/imports/leads", format!("original_identifier,last_name\n{rows}")).await.expect(202);
    let path = format!("/api/imports/{}", begun["id"]);
    let answer = client.post(&format!("{path}/cancel"), "").await;
    assert_eq!((&answer.expect(202)["state"], answer.header("location")), (&json!("running"), Some(path.as_str())));
    let ended = ended(&client, &begun["id"]).await;
    let read = ended["counts"]["read"].as_u64().unwrap();
    assert!(ended["state"] == "cancelled" && ended["error"].is_null() && read < 60_000, "{ended}");
    let found = client.put("/api/leads/extended-data", r#"{"last_name":"Cancel"}"#).await.expect(200);
    assert_eq!((&found["total_leads"], &ended["undo"]["to_delete"]), (&json!(read), &json!(read)));

    let logged = client.get(&format!("/api/audit-log?action=import.cancel&subject=import:{}", begun["id"])).await;
    assert_eq!(logged.expect(200)["total"], 1);
    let again = client.post(&format!("{path}/cancel"), "").await;
    again.refused(409, "conflict");
    assert!(again.text().contains("is not running"), "{}", again.text());
    if read > 0 {
        client.post(&format!("{path}/undo"), "").await.expect(202);
    }
}

#[tokio::test]
async fn cancelling_requires_import_permission() {
    let server = Server::start().await;
    let client = server.admin();
    client.post("/api/imports/999/cancel", "").await.refused(404, "not_found");
    let calls = import(&client, "calls", "id\n1\n").await;
    let path = format!("/api/imports/{}/cancel", calls["id"]);
    server.with_scopes(&["leads:read"]).await.post(&path, "").await.refused(403, "forbidden");
    server.with_scopes(&["leads:write"]).await.post(&path, "").await.refused(403, "forbidden");
    server.with_scopes(&["leads:write", "calls:write"]).await.post(&path, "").await.refused(409, "conflict");
}
