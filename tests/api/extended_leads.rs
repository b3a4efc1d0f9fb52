//! `PUT /api/leads/extended-data`: every form of the filter, its results, and the position of each diagnostic.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::harness::{Client, Response, Server, body};

const PATH: &str = "/api/leads/extended-data";

/// Empty list of lead ids.
const NO_LEADS: [i64; 0] = [];

async fn search(client: &Client, filter: Value) -> Response {
    client.put(PATH, body(filter)).await
}

/// Three leads in two campaigns: Ann in both, Bob in the second, Cid in none. The server stops when this is dropped.
struct TestData {
    server: Server,
    client: Client,
    ann: i64,
    bob: i64,
    cid: i64,
    solar: i64,
    night: i64,
}

async fn create_test_data() -> TestData {
    let (server, client) = Server::start_with_admin().await;
    let solar = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    let night =
        client.create("/api/campaigns", json!({ "name": "Night desk", "active": false, "max_attempts": 3 })).await;
    let ann = json!({ "first_name": "Ann", "last_name": "Smith", "phone": "+1 212 555 0100", "country": "US", "lat": 40.71,
        "custom_fields": { "tier": "gold", "score": 5 } });
    let ann = client.create("/api/leads", ann).await;
    let bob =
        client.create("/api/leads", json!({ "first_name": "Bob", "phone": "12", "purchase_date": "2026-04-01" })).await;
    let cid = client.create("/api/leads", json!({ "first_name": "Cid", "do_not_call": true })).await;
    server.advance(TimeDelta::hours(1));
    let campaign_lead = |lead_id: i64, campaign_id: i64, fields: Value| {
        let mut request = json!({ "lead_id": lead_id, "campaign_id": campaign_id });
        fields.as_object().unwrap().iter().for_each(|(name, value)| request[name] = value.clone());
        request
    };
    client.create("/api/campaign-leads", campaign_lead(ann, solar, json!({ "calls_count": 2, "weight": 10 }))).await;
    client
        .create("/api/campaign-leads", campaign_lead(ann, night, json!({ "status": "closed", "calls_count": 5 })))
        .await;
    let frozen_fields =
        json!({ "status": "no_answer", "calls_count": 3, "freeze_until": server.now() + TimeDelta::hours(2) });
    client.create("/api/campaign-leads", campaign_lead(bob, night, frozen_fields)).await;
    TestData { server, client, ann, bob, cid, solar, night }
}

#[tokio::test]
async fn documented_filter_forms_work() {
    let TestData { client, ann, bob, cid, night, server, .. } = create_test_data().await;
    assert_eq!(client.matching_ids(json!({ "limit": "200;0" })).await, [ann, bob, cid]);
    assert_eq!(client.matching_ids(json!({ "id": [bob, cid, 999] })).await, [bob, cid]);
    assert_eq!(
        client.matching_ids(json!({ "first_name": ["Ann", "Cid"], "campaign_id": night, "limit": "500;0" })).await,
        [ann]
    );
    let hours_ago = |hours: i64| (server.now() - TimeDelta::hours(hours)).format("%Y-%m-%d %H:%M:%S").to_string();
    let (before_creation, after_creation) =
        (hours_ago(2), (server.now() - TimeDelta::minutes(30)).format("%Y-%m-%d %H:%M:%S").to_string());
    assert_eq!(
        client.matching_ids(json!({ "updated_at": format!("{before_creation};>|{after_creation};<") })).await,
        [ann, bob, cid]
    );
    assert_eq!(client.matching_ids(json!({ "updated_at": format!("{after_creation};>") })).await, NO_LEADS);
    assert_eq!(client.matching_ids(json!({ "campaign_updated_at": format!("{after_creation};>") })).await, [ann, bob]);
    assert_eq!(client.matching_ids(json!({ "global_updated_at": format!("{after_creation};>") })).await, [ann, bob]);
    assert_eq!(client.matching_ids(json!({ "global_updated_at": format!("{after_creation};<") })).await, [cid]);
    assert_eq!(client.matching_ids(json!({ "id": [] })).await, NO_LEADS);
    assert_eq!(client.matching_ids(json!({ "last_name": null })).await, [bob, cid]);
    assert_eq!(client.matching_ids(json!({ "last_name": [null, "Smith"] })).await, [ann, bob, cid]);
}

#[tokio::test]
async fn campaign_conditions_match_one_campaign_lead() {
    let TestData { client, ann, solar, night, server: _server, .. } = create_test_data().await;
    assert_eq!(client.matching_ids(json!({ "campaign_id": solar, "calls_count": 5 })).await, NO_LEADS);
    let campaign_ids = |response: Value| -> Vec<i64> {
        response["leads"][0]["campaigns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|campaign_lead| campaign_lead["campaign_id"].as_i64().unwrap())
            .collect()
    };
    let matching_response = search(&client, json!({ "id": ann, "campaign_status": "closed" })).await.expect(200);
    assert_eq!(campaign_ids(matching_response), [night]);
    let unfiltered_response =
        search(&client, json!({ "id": ann, "campaign_status": "closed", "_campaigns": "all" })).await.expect(200);
    assert_eq!(campaign_ids(unfiltered_response), [solar, night]);
}

#[tokio::test]
async fn lead_includes_campaigns_and_not_callable_reasons() {
    let TestData { client, ann, bob, cid, server, .. } = create_test_data().await;
    let response = search(&client, json!({ "limit": "200;0" })).await.expect(200);
    assert_eq!(response["total_leads"], 3);
    let [in_both, in_night, in_none] = response["leads"].as_array().unwrap().as_slice() else { panic!("{response}") };
    assert_eq!([&in_both["id"], &in_night["id"], &in_none["id"]], [&json!(ann), &json!(bob), &json!(cid)]);

    let reason_codes = |reasons: &Value| -> BTreeSet<String> {
        reasons.as_array().unwrap().iter().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect()
    };
    let solar = &in_both["campaigns"][0];
    assert_eq!((&solar["callable"], &solar["not_callable_reasons"]), (&json!(true), &json!([])));
    assert_eq!(
        (&solar["campaign_name"], &solar["weight"], &solar["calls_count"]),
        (&json!("Solar"), &json!(10), &json!(2))
    );
    let closed_campaign_lead = &in_both["campaigns"][1];
    assert_eq!(closed_campaign_lead["callable"], false);
    let expected = ["attempt_limit", "campaign_inactive", "status_not_dialable"].map(str::to_owned).into();
    assert_eq!(reason_codes(&closed_campaign_lead["not_callable_reasons"]), expected);

    let frozen_campaign_lead = &in_night["campaigns"][0];
    let expected = ["attempt_limit", "campaign_inactive", "frozen", "invalid_phone"].map(str::to_owned).into();
    assert_eq!(reason_codes(&frozen_campaign_lead["not_callable_reasons"]), expected);
    let freeze_reason = frozen_campaign_lead["not_callable_reasons"]
        .as_array()
        .unwrap()
        .iter()
        .find(|reason| reason["code"] == "frozen")
        .unwrap();
    let until: chrono::DateTime<chrono::Utc> = freeze_reason["until"].as_str().unwrap().parse().unwrap();
    assert_eq!(until, server.now() + TimeDelta::hours(2));

    let expected = ["do_not_call", "no_phone", "not_in_campaign"].map(str::to_owned).into();
    assert_eq!(reason_codes(&in_none["not_callable_reasons"]), expected);
    assert_eq!(in_none["campaigns"], json!([]));
}

#[tokio::test]
async fn fields_select_the_returned_columns() {
    let TestData { client, ann, server: _server, .. } = create_test_data().await;
    let response = search(&client, json!({ "id": ann, "_fields": ["first_name", "campaigns"] })).await.expect(200);
    let members: BTreeSet<_> = response["leads"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, BTreeSet::from(["id", "first_name", "campaigns"]));
}

#[tokio::test]
async fn reports_all_filter_errors() {
    let server = Server::start().await;
    let filter =
        r#"{"id":"x","updated_at":"now","limit":"5000;0","_order":["nme"],"_campaigns":"some","frist_name":"A"}"#;
    let response = server.admin().put(PATH, filter).await;
    response.expect_problem(400, "invalid_filter");
    assert_eq!(response.json()["errors"][2]["span"], json!({ "start": 0, "end": 4 }));
    assert_eq!(response.json()["errors"][5]["suggestion"]["detail"], "did you mean `first_name`?");
    let locations: Vec<_> = response.json()["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|diagnostic| diagnostic["pointer"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(locations, ["/id", "/updated_at", "/limit", "/_order/0", "/_campaigns", "/frist_name"]);
    let csv = server.admin().with_header("content-type", "text/csv");
    csv.put(PATH, r#"{"id":1}"#).await.expect_problem(415, "unsupported_media_type");
}
