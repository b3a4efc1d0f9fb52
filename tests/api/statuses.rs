//! `/api/statuses`: the list of statuses.

use serde_json::json;

use crate::harness::{Server, body};

const PATH: &str = "/api/statuses";

#[tokio::test]
async fn status_can_be_added_changed_used_and_removed() {
    let (_server, client) = Server::start_with_admin().await;
    let names = async || {
        let list = client.get(PATH).await.expect(200);
        list["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|status| status["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names().await.len(), 13);
    let path = format!("{PATH}/later");
    let created = client.put(&path, r#"{"label":"Later","dialable":true}"#).await.expect(200);
    assert_eq!(created, json!({ "name": "later", "label": "Later", "dialable": true }));
    assert_eq!(names().await.last().unwrap(), "later");

    let campaign = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    let lead = client.create("/api/leads", json!({ "first_name": "Ann", "phone": "+1 212 555 0100" })).await;
    let campaign_lead = json!({ "lead_id": lead, "campaign_id": campaign, "status": "later" });
    let campaign_lead = client.create("/api/campaign-leads", campaign_lead).await;
    let lead_path = format!("/api/leads/{lead}");
    assert_eq!(client.get(&lead_path).await.expect(200)["campaigns"][0]["callable"], true);
    client.put(&path, r#"{"label":"Not any more","dialable":false}"#).await.expect(200);
    let reasons = &client.get(&lead_path).await.expect(200)["campaigns"][0]["not_callable_reasons"];
    assert_eq!(reasons[0]["code"], "status_not_dialable");

    let diagnostics = client.delete(&path).await.expect_problem(409, "conflict");
    assert!(diagnostics[0].contains("in_use"), "{diagnostics:?}");
    client.patch(&format!("/api/campaign-leads/{campaign_lead}"), r#"{"status":"new"}"#).await.expect(200);
    client.delete(&path).await.expect(204);
    client.delete(&path).await.expect_problem(404, "not_found");
    assert_eq!(names().await.len(), 13);
}

#[tokio::test]
async fn status_names_and_labels_are_validated() {
    let (_server, client) = Server::start_with_admin().await;
    for name in ["Later", "call%20back", "a-b", "%C3%BC", &"x".repeat(51)] {
        let response = client.put(&format!("{PATH}/{name}"), body(json!({ "label": " ", "dialable": true }))).await;
        let diagnostics = response.expect_problem(400, "invalid_request");
        assert!(diagnostics.len() == 2 && diagnostics[0].starts_with("\"name\" "), "{diagnostics:?}");
    }
    for invalid_body in
        [r#"{"label":"Later"}"#, r#"{"label":"Later","dialable":"yes"}"#, r#"{"label":"x","dialable":true,"a":1}"#]
    {
        client.put(&format!("{PATH}/later"), invalid_body).await.expect_problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn statuses_can_be_reordered() {
    let (_server, client) = Server::start_with_admin().await;
    let list = client.get(PATH).await.expect(200);
    let mut names: Vec<_> =
        list["items"].as_array().unwrap().iter().map(|status| status["name"].as_str().unwrap().to_owned()).collect();
    names.swap(0, 1);
    let ordered = client.put(PATH, body(json!({ "names": names }))).await.expect(200);
    assert_eq!(ordered, client.get(PATH).await.expect(200));
    assert_eq!(ordered["items"][0]["name"], names[0].as_str());
    let diagnostics =
        client.put(PATH, body(json!({ "names": ["new", "a\nb"] }))).await.expect_problem(400, "invalid_request");
    assert_eq!(
        diagnostics,
        [r#""/names/1" invalid_name: expected 1 to 50 of the characters a to z, 0 to 9 and _, found "a\nb""#]
    );
    let diagnostics = client.put(PATH, body(json!({ "names": names[1..] }))).await.expect_problem(409, "conflict");
    assert!(diagnostics[0].starts_with("\"/names\" invalid_order"), "{diagnostics:?}");
    let unknown = [&names[..], &["never".to_owned()]].concat();
    client.put(PATH, body(json!({ "names": unknown }))).await.expect_problem(422, "unprocessable");
}
