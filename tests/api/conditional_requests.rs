//! Entity tags of single records: `If-None-Match` and `If-Match`.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::json;

use crate::harness::{Client, Response, Server};

fn etag(response: &Response) -> String {
    response.header("etag").unwrap_or_else(|| panic!("no ETag: {response:?}")).to_owned()
}

/// Creates a lead, a campaign and a campaign lead. Returns for each its path, a change, and the methods that check
/// `If-Match`.
async fn create_records(client: &Client) -> Vec<(String, &'static str, [Method; 2])> {
    let lead = client.create("/api/leads", json!({ "first_name": "Ada" })).await;
    let campaign = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    let other_campaign = client.create("/api/campaigns", json!({ "name": "Wind" })).await;
    let campaign_lead = client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    let methods = [Method::PATCH, Method::DELETE];
    vec![
        (format!("/api/campaign-leads/{campaign_lead}"), r#"{"weight":5}"#, methods.clone()),
        (format!("/api/leads/{lead}"), r#"{"city":"Bonn"}"#, methods.clone()),
        (format!("/api/campaigns/{other_campaign}"), r#"{"active":false}"#, methods),
    ]
}

#[tokio::test]
async fn if_match_refuses_outdated_versions() {
    let server = Server::start().await;
    let client = server.admin();
    for (path, change, [update, delete]) in create_records(&client).await {
        let first = etag(&client.get(&path).await);
        server.advance(TimeDelta::microseconds(1));
        let changed = client.with_header("if-match", &first).send(update.clone(), &path, change).await;
        assert_eq!(changed.status, 200, "{path}: {}", changed.text());
        for outdated in [first.as_str(), "\"5\"", "\"other\"", &format!("W/{}", etag(&changed))] {
            let client = client.with_header("if-match", outdated);
            for (method, body) in [(&update, change), (&delete, "")] {
                let response = client.send(method.clone(), &path, body).await;
                let diagnostics = response.expect_problem(412, "precondition_failed");
                assert!(diagnostics.len() == 1 && diagnostics[0].contains("edit_conflict"), "{path}: {diagnostics:?}");
            }
        }
        // The tags of changes and of compressed responses name the version too.
        let compressed = etag(&client.get(&path).await).replace("\"", "");
        for current in [etag(&changed), format!("\"5\", \"{compressed}-gzip\""), "*".to_owned()] {
            client.with_header("if-match", &current).send(update.clone(), &path, change).await.expect(200);
        }
        let current = etag(&client.get(&path).await);
        client.with_header("if-match", &current).send(delete, &path, "").await.expect(204);
        client.with_header("if-match", &current).patch(&path, change).await.expect_problem(404, "not_found");
    }
}

#[tokio::test]
async fn if_none_match_saves_the_download() {
    let server = Server::start().await;
    let client = server.admin();
    let call = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
    let records = create_records(&client).await.into_iter().map(|(path, change, _)| (path, change));
    for (path, change) in records.chain([(format!("/api/calls/{call}"), r#"{"status":"busy"}"#)]) {
        let first = client.get(&path).await;
        let conditional = client.with_header("if-none-match", &etag(&first));
        let unchanged = conditional.get(&path).await;
        assert_eq!((unchanged.status, unchanged.body.len(), etag(&unchanged)), (304, 0, etag(&first)), "{path}");
        server.advance(TimeDelta::microseconds(1));
        client.patch(&path, change).await.expect(200);
        assert_eq!(conditional.get(&path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn etag_of_lead_covers_campaigns_and_time() {
    let server = Server::start().await;
    let client = server.admin();
    let lead = client.create("/api/leads", json!({ "phone": "+493023125123", "country": "DE" })).await;
    let path = format!("/api/leads/{lead}");
    let first = etag(&client.get(&path).await);
    let campaign = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    let conditional = client.with_header("if-none-match", &first);
    let second = conditional.get(&path).await;
    assert_eq!(second.status, 200, "the lead is in a campaign now");
    // A change may still be based on the first version, because the lead itself is the same.
    client.with_header("if-match", &etag(&second)).patch(&path, r#"{"city":"Bonn"}"#).await.expect(200);
}

#[tokio::test]
async fn calls_refuse_if_match() {
    let server = Server::start().await;
    let client = server.admin();
    let call = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
    let diagnostics = client.with_header("if-match", "*").patch(&format!("/api/calls/{call}"), "{}").await;
    assert_eq!(
        diagnostics.expect_problem(400, "invalid_parameter"),
        ["\"If-Match\" not_supported: the record has no version"]
    );
}

#[tokio::test]
async fn views_have_versions() {
    let server = Server::start().await;
    let client = server.logged_in_client("manager").await;
    let view = json!({ "name": "Bonn", "filter": "{\"city\":\"Bonn\"}", "dates": "", "columns": "", "shared": false })
        .to_string();
    let created = client.post("/api/views", view.clone()).await;
    let path = format!("/api/views/{}", created.expect(201)["id"]);
    server.advance(TimeDelta::microseconds(1));
    let renamed = view.replace("Bonn", "Berlin");
    client.with_header("if-match", &etag(&created)).put(&path, renamed).await.expect(200);
    let outdated = client.with_header("if-match", &etag(&created));
    outdated.put(&path, view.clone()).await.expect_problem(412, "precondition_failed");
    outdated.delete(&path).await.expect_problem(412, "precondition_failed");
    let read = client.get(&path).await;
    assert_eq!(client.with_header("if-none-match", &etag(&read)).get(&path).await.status, 304);
    client.with_header("if-match", &etag(&read)).delete(&path).await.expect(204);
    // With `If-Match`, PUT doesn't restore a deleted view.
    outdated.put(&path, view.clone()).await.expect_problem(404, "not_found");
    client.put(&path, view).await.expect(200);
}
