//! `POST /api/imports/{import_id}/undo`: undoes an import, except for rows that were changed or used since.

use std::time::Duration;

use serde_json::{Value, json};

use super::imports::import;
use crate::harness::{Client, Server, body};

/// Undoes an import, and returns its `undo` member after completion.
async fn run_undo(client: &Client, import: &Value) -> Value {
    let path = format!("/api/imports/{}", import["id"]);
    let response = client.post(&format!("{path}/undo"), "").await;
    assert_eq!(response.expect(202)["id"], import["id"]);
    assert_eq!(response.header("location"), Some(path.as_str()));
    for _ in 0..2_000 {
        let undo = client.get(&path).await.expect(200)["undo"].take();
        if undo["state"] == "completed" {
            return undo;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the undo did not finish in time")
}

#[tokio::test]
async fn cancelled_undo_can_be_resumed() {
    let (_server, client) = Server::start_with_admin().await;
    let rows: String = (0..20_000).map(|row| format!("key-{row},Cancel\n")).collect();
    let started_import = import(&client, "leads", format!("original_identifier,last_name\n{rows}")).await;
    let path = format!("/api/imports/{}", started_import["id"]);
    let cancel_path = format!("{path}/undo/cancel");
    client.post(&cancel_path, "").await.expect_problem(409, "conflict");
    client.post(&format!("{path}/undo"), "").await.expect(202);
    while client.get(&path).await.expect(200)["undo"]["deleted"] == 0 {
        tokio::task::yield_now().await;
    }
    let cancelled = client.post(&cancel_path, "").await.expect(200)["undo"].take();
    let deleted = cancelled["deleted"].as_u64().unwrap();
    assert!(cancelled["state"] == "cancelled" && (1..20_000).contains(&deleted), "{cancelled}");
    let remaining_leads = async || client.count_leads(json!({ "last_name": "Cancel" })).await;
    assert_eq!(remaining_leads().await, 20_000 - deleted, "the reported counts are final");
    assert_eq!(client.get(&path).await.expect(200)["undo"], cancelled);
    let audit_log =
        client.get(&format!("/api/audit-log?action=import.cancel_undo&subject=import:{}", started_import["id"])).await;
    assert_eq!(audit_log.expect(200)["total"], 1);
    assert_eq!(undo_counts(&run_undo(&client, &started_import).await), [20_000, 0, 0]);
    assert_eq!(remaining_leads().await, 0);
}

/// Returns the rows deleted, restored and left unchanged.
fn undo_counts(undo: &Value) -> [u64; 3] {
    ["deleted", "restored", "skipped"].map(|name| undo[name].as_u64().unwrap())
}

#[tokio::test]
async fn undo_keeps_rows_changed_since_the_import() {
    let (server, client) = Server::start_with_admin().await;
    let existing_lead =
        client.create("/api/leads", json!({ "id": 1, "city": "Bonn", "custom_fields": { "tier": "gold" } })).await;
    server.advance(chrono::TimeDelta::hours(1));
    let file = "id,city,custom.tier\n1,Rome,silver\n2,Rome,\n3,Rome,\n4,Rome,\nx,Rome,\n";
    let import = import(&client, "leads", file).await;
    let undo_state = &import["undo"];
    assert_eq!(
        (&undo_state["state"], &undo_state["to_delete"], &undo_state["to_restore"]),
        (&json!("possible"), &json!(3), &json!(1)),
        "{import}"
    );
    server.advance(chrono::TimeDelta::hours(1));
    client.patch("/api/leads/3", body(json!({ "last_name": "Kept" }))).await.expect(200);

    let completed_undo = run_undo(&client, &import).await;
    assert_eq!(undo_counts(&completed_undo), [2, 1, 1], "{completed_undo}");
    assert_eq!(
        (&completed_undo["started_at"], &completed_undo["finished_at"]),
        (&json!(server.now()), &json!(server.now()))
    );
    let lead = client.get(&format!("/api/leads/{existing_lead}")).await.expect(200);
    assert_eq!((&lead["city"], &lead["custom_fields"]), (&json!("Bonn"), &json!({ "tier": "gold" })));
    assert_eq!(lead["updated_at"], json!(server.now()), "the undo changes updated_at");
    for deleted_lead in [2, 4] {
        client.get(&format!("/api/leads/{deleted_lead}")).await.expect_problem(404, "not_found");
    }
    let path = format!("/api/imports/{}", import["id"]);
    let skipped_rows = client.get(&format!("{path}/undo/skipped")).await.expect(200);
    let row = json!({ "id": 3, "kind": "leads", "lead_id": 3, "reason": "changed", "detail": "changed since the import", "message": { "id": "changed_since" } });
    assert_eq!(skipped_rows, json!({ "items": [row], "total": 1 }));
    assert_eq!(client.get(&format!("{path}/undo/skipped?limit=1;1")).await.expect(200)["items"], json!([]));
    let listed_undo = client.get("/api/imports").await.expect(200)["items"][0]["undo"].take();
    assert_eq!(listed_undo, completed_undo);

    let second_attempt = client.post(&format!("{path}/undo"), "").await;
    second_attempt.expect_problem(409, "conflict");
    assert!(second_attempt.text().contains("is already"), "{}", second_attempt.text());
    let audit_log = client.get(&format!("/api/audit-log?action=import.undo&subject=import:{}", import["id"])).await;
    let audit_log = audit_log.expect(200);
    assert_eq!((&audit_log["total"], &audit_log["items"][0]["actor"]), (&json!(1), &completed_undo["actor"]));
}

#[tokio::test]
async fn each_kind_of_import_can_be_undone() {
    let (server, client) = Server::start_with_admin().await;
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
    let campaign_undo = run_undo(&client, &imports[0]).await;
    assert_eq!(undo_counts(&campaign_undo), [0, 0, 1]);
    // Undoing an import of calls requires several scopes.
    let writer = server.client_with_scopes(&["leads:write", "leads:read", "calls:write"]).await;
    assert_eq!(undo_counts(&run_undo(&writer, &imports[3]).await), [1, 0, 0]);
    let manager = server.logged_in_client("manager").await;
    assert_eq!(undo_counts(&run_undo(&manager, &imports[2]).await), [1, 0, 0]);
    let completed_undo = run_undo(&manager, &imports[1]).await;
    assert_eq!(undo_counts(&completed_undo), [1, 0, 0]);
    assert!(completed_undo["actor"].as_str().unwrap().starts_with("user:"), "{completed_undo}");
    for path in ["/api/leads/1", "/api/campaign-leads/1", "/api/calls/1"] {
        client.get(path).await.expect_problem(404, "not_found");
    }
    client.get("/api/campaigns/1").await.expect(200);
    let reason =
        &client.get(&format!("/api/imports/{}/undo/skipped", imports[0]["id"])).await.expect(200)["items"][0]["reason"];
    assert_eq!(reason, "has_leads");
}

#[tokio::test]
async fn undo_is_rejected_for_dry_runs_and_expired_imports() {
    let (server, client) = Server::start_with_admin().await;
    let csv = client.with_header("content-type", "text/csv");
    let dry_run = csv.post("/api/imports/leads?dry_run=true", "id\n1\n").await.expect(202);
    assert_eq!(dry_run["undo"], json!(null));
    let import = import(&client, "leads", "id\n1\n").await;
    client.post(&format!("/api/imports/{}/undo", dry_run["id"]), "").await.expect_problem(409, "conflict");

    server.advance(chrono::TimeDelta::days(29));
    assert_eq!(server.purge().await.undo_rows, 0);
    server.advance(chrono::TimeDelta::days(2));
    assert_eq!(server.purge().await.undo_rows, 1);
    let path = format!("/api/imports/{}", import["id"]);
    assert_eq!(client.get(&path).await.expect(200)["undo"], json!(null));
    let error_response = client.post(&format!("{path}/undo"), "").await;
    error_response.expect_problem(409, "conflict");
    assert!(error_response.text().contains("changes are stored for 30 days"), "{}", error_response.text());
    client.get("/api/leads/1").await.expect(200);
}
