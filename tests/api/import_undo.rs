//! `POST /api/imports/{import_id}/undo`: undoes an import, except for rows that were changed or used since.

use std::time::Duration;

use serde_json::{Value, json};

use super::imports::import;
use crate::harness::{Client, Server, body};

/// Undoes an import, and returns its `undo` member after completion.
async fn undo(client: &Client, import: &Value) -> Value {
    let path = format!("/api/imports/{}", import["id"]);
    let answer = client.post(&format!("{path}/undo"), "").await;
    assert_eq!(answer.expect(202)["id"], import["id"]);
    assert_eq!(answer.header("location"), Some(path.as_str()));
    for _ in 0..2_000 {
        let undo = client.get(&path).await.expect(200)["undo"].take();
        if undo["state"] == "completed" {
            return undo;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the undo goes on and on")
}

#[tokio::test]
async fn cancelled_undo_can_be_resumed() {
    let server = Server::start().await;
    let client = server.admin();
    let rows: String = (0..20_000).map(|row| format!("key-{row},Cancel\n")).collect();
    let begun = import(&client, "leads", format!("original_identifier,last_name\n{rows}")).await;
    let path = format!("/api/imports/{}", begun["id"]);
    let cancel = format!("{path}/undo/cancel");
    client.post(&cancel, "").await.refused(409, "conflict");
    client.post("/api/imports/999/undo/cancel", "").await.refused(404, "not_found");
    client.post(&format!("{path}/undo"), "").await.expect(202);
    while client.get(&path).await.expect(200)["undo"]["deleted"] == 0 {
        tokio::task::yield_now().await;
    }
    server.with_scopes(&["leads:read"]).await.post(&cancel, "").await.refused(403, "forbidden");
    let cancelled = client.post(&cancel, "").await.expect(200)["undo"].take();
    let deleted = cancelled["deleted"].as_u64().unwrap();
    assert!(cancelled["state"] == "cancelled" && (1..20_000).contains(&deleted), "{cancelled}");
    let there = async || client.put("/api/leads/extended-data", r#"{"last_name":"Cancel"}"#).await.expect(200);
    assert_eq!(there().await["total_leads"], 20_000 - deleted, "what the answer says is the end of it");
    assert_eq!(client.get(&path).await.expect(200)["undo"], cancelled);
    let logged = client.get(&format!("/api/audit-log?action=import.cancel_undo&subject=import:{}", begun["id"])).await;
    assert_eq!(logged.expect(200)["total"], 1);
    assert_eq!(counts(&undo(&client, &begun).await), [20_000, 0, 0]);
    assert_eq!(there().await["total_leads"], 0);
}

/// Returns the rows deleted, restored and left unchanged.
fn counts(undo: &Value) -> [u64; 3] {
    ["deleted", "restored", "left"].map(|name| undo[name].as_u64().unwrap())
}

#[tokio::test]
async fn undo_keeps_rows_changed_since_the_import() {
    let server = Server::start().await;
    let client = server.admin();
    let old =
        client.create("/api/leads", json!({ "id": 1, "city": "Bonn", "custom_fields": { "tier": "gold" } })).await;
    server.advance(chrono::TimeDelta::hours(1));
    let file = "id,city,custom.tier\n1,Rome,silver\n2,Rome,\n3,Rome,\n4,Rome,\nx,Rome,\n";
    let import = import(&client, "leads", file).await;
    let undoable = &import["undo"];
    assert_eq!(
        (&undoable["state"], &undoable["to_delete"], &undoable["to_restore"]),
        (&json!("possible"), &json!(3), &json!(1)),
        "{import}"
    );
    server.advance(chrono::TimeDelta::hours(1));
    client.patch("/api/leads/3", body(json!({ "last_name": "Kept" }))).await.expect(200);

    let undone = undo(&client, &import).await;
    assert_eq!(counts(&undone), [2, 1, 1], "{undone}");
    assert_eq!((&undone["started_at"], &undone["finished_at"]), (&json!(server.now()), &json!(server.now())));
    let lead = client.get(&format!("/api/leads/{old}")).await.expect(200);
    assert_eq!((&lead["city"], &lead["custom_fields"]), (&json!("Bonn"), &json!({ "tier": "gold" })));
    assert_eq!(lead["updated_at"], json!(server.now()), "who pulls what changed sees it");
    for gone in [2, 4] {
        client.get(&format!("/api/leads/{gone}")).await.refused(404, "not_found");
    }
    let path = format!("/api/imports/{}", import["id"]);
    let left = client.get(&format!("{path}/left")).await.expect(200);
    let row =
        json!({ "id": 3, "kind": "leads", "lead_id": 3, "reason": "changed", "detail": "somebody changed it since" });
    assert_eq!(left, json!({ "items": [row], "total": 1 }));
    assert_eq!(client.get(&format!("{path}/left?limit=1;1")).await.expect(200)["items"], json!([]));
    let listed = client.get("/api/imports").await.expect(200)["items"][0]["undo"].take();
    assert_eq!(listed, undone);

    let again = client.post(&format!("{path}/undo"), "").await;
    again.refused(409, "conflict");
    assert!(again.text().contains("is already"), "{}", again.text());
    let logged = client.get(&format!("/api/audit-log?action=import.undo&subject=import:{}", import["id"])).await;
    let logged = logged.expect(200);
    assert_eq!((&logged["total"], &logged["items"][0]["actor"]), (&json!(1), &undone["by"]));
}

#[tokio::test]
async fn undo_requires_the_import_permission_of_its_kind() {
    let server = Server::start().await;
    let client = server.admin();
    let files = [
        ("campaigns", "id,name\n1,Solar\n"),
        ("leads", "id\n1\n"),
        ("campaign-leads", "id,lead_id,campaign_id,status\n1,1,1,new_one\n"),
        ("calls", "id,direction,status\n1,outbound,busy\n"),
    ];
    let mut imports = Vec::new();
    for (kind, file) in files {
        imports.push(import(&client, kind, file).await);
    }
    // A campaign that still has leads can't be deleted, so the undo leaves it unchanged.
    let left = undo(&client, &imports[0]).await;
    assert_eq!(counts(&left), [0, 0, 1]);
    let of_leads = format!("/api/imports/{}/undo", imports[1]["id"]);
    let of_calls = format!("/api/imports/{}/undo", imports[3]["id"]);
    let viewer = server.staff("viewer").await;
    viewer.post(&of_leads, "").await.refused(403, "forbidden");
    server.with_scopes(&["leads:read"]).await.post(&of_leads, "").await.refused(403, "forbidden");
    server.with_scopes(&["leads:write"]).await.post(&of_calls, "").await.refused(403, "forbidden");
    server.with_scopes(&["calls:write"]).await.post(&of_calls, "").await.refused(403, "forbidden");
    let writer = server.with_scopes(&["leads:write", "leads:read", "calls:write"]).await;
    assert_eq!(counts(&undo(&writer, &imports[3]).await), [1, 0, 0]);
    let manager = server.staff("manager").await;
    assert_eq!(counts(&undo(&manager, &imports[2]).await), [1, 0, 0]);
    let undone = undo(&manager, &imports[1]).await;
    assert_eq!(counts(&undone), [1, 0, 0]);
    assert!(undone["by"].as_str().unwrap().starts_with("user:"), "{undone}");
    for path in ["/api/leads/1", "/api/campaign-leads/1", "/api/calls/1"] {
        client.get(path).await.refused(404, "not_found");
    }
    client.get("/api/campaigns/1").await.expect(200);
    let reason =
        &viewer.get(&format!("/api/imports/{}/left", imports[0]["id"])).await.expect(200)["items"][0]["reason"];
    assert_eq!(reason, "has_leads");
}

#[tokio::test]
async fn undo_is_rejected_for_unknown_and_expired_imports() {
    let server = Server::start().await;
    let client = server.admin();
    for path in ["/999/undo", "/999/left"] {
        let answer = if path.ends_with("undo") {
            client.post(&format!("/api/imports{path}"), "").await
        } else {
            client.get(&format!("/api/imports{path}")).await
        };
        answer.refused(404, "not_found");
    }
    let csv = client.with_header("content-type", "text/csv");
    let tried = csv.post("/api/imports/leads?dry_run=true", "id\n1\n").await.expect(202);
    assert_eq!(tried["undo"], json!(null));
    let import = import(&client, "leads", "id\n1\n").await;
    client.post(&format!("/api/imports/{}/undo", tried["id"]), "").await.refused(409, "conflict");

    server.advance(chrono::TimeDelta::days(29));
    assert_eq!(server.purge().await.undo_rows, 0);
    server.advance(chrono::TimeDelta::days(2));
    assert_eq!(server.purge().await.undo_rows, 1);
    let path = format!("/api/imports/{}", import["id"]);
    assert_eq!(client.get(&path).await.expect(200)["undo"], json!(null));
    let refused = client.post(&format!("{path}/undo"), "").await;
    refused.refused(409, "conflict");
    assert!(refused.text().contains("changes are kept for 30 days"), "{}", refused.text());
    client.get("/api/leads/1").await.expect(200);
}
