//! `POST /api/imports/{import_id}/cancel`: cancels a running import.

use serde_json::json;

use super::imports::wait_until_finished;
use crate::harness::Server;

#[tokio::test]
async fn cancelled_import_stops_and_can_be_undone() {
    let (_server, client) = Server::start_with_admin().await;
    let rows: String = (0..60_000).map(|row| format!("key-{row},Cancel\n")).collect();
    let csv = client.with_header("content-type", "text/csv");
    let started_import =
        csv.post("/api/imports/leads", format!("original_identifier,last_name\n{rows}")).await.expect(202);
    let path = format!("/api/imports/{}", started_import["id"]);
    let response = client.post(&format!("{path}/cancel"), "").await;
    assert_eq!((&response.expect(202)["state"], response.header("location")), (&json!("running"), Some(path.as_str())));
    let finished_import = wait_until_finished(&client, &started_import["id"]).await;
    let rows_read = finished_import["counts"]["read"].as_u64().unwrap();
    assert!(
        finished_import["state"] == "cancelled" && finished_import["error"].is_null() && rows_read < 60_000,
        "{finished_import}"
    );
    assert_eq!(client.count_leads(json!({ "last_name": "Cancel" })).await, rows_read);
    assert_eq!(finished_import["undo"]["to_delete"], rows_read);

    let audit_log =
        client.get(&format!("/api/audit-log?action=import.cancel&subject=import:{}", started_import["id"])).await;
    assert_eq!(audit_log.expect(200)["total"], 1);
    let second_attempt = client.post(&format!("{path}/cancel"), "").await;
    second_attempt.expect_problem(409, "conflict");
    assert!(second_attempt.text().contains("is not running"), "{}", second_attempt.text());
    if rows_read > 0 {
        client.post(&format!("{path}/undo"), "").await.expect(202);
    }
}
