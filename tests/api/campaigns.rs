//! `/api/campaigns`: campaigns with their calling hours and limits.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::harness::{Server, body};

const PATH: &str = "/api/campaigns";

#[tokio::test]
async fn campaign_can_be_created_read_changed_and_deleted() {
    let (server, client) = Server::start_with_admin().await;
    let hours = json!({ "start": "09:00", "end": "20:00", "days": ["mon", "fri"] });
    let request = json!({ "name": "Solar", "calling_hours": hours, "max_attempts": 6, "freeze_minutes": 30 });
    let response = client.post(PATH, body(request)).await;
    let created = response.expect(201);
    let path = response.header("location").unwrap().to_owned();
    assert_eq!(path, format!("{PATH}/{}", created["id"]));
    assert_eq!(
        [
            &created["active"],
            &created["calling_hours"],
            &created["max_attempts"],
            &created["daily_attempts"],
            &created["freeze_minutes"]
        ],
        [&json!(true), &hours, &json!(6), &Value::Null, &json!(30)]
    );
    assert_eq!(
        (&created["created_at"], &created["updated_at"]),
        (&json!("2026-05-01T09:30:00Z"), &json!("2026-05-01T09:30:00Z"))
    );
    assert_eq!(client.get(&path).await.expect(200), created);

    server.advance(TimeDelta::minutes(1));
    let changed = client.patch(&path, r#"{"active":false,"max_attempts":null}"#).await.expect(200);
    assert_eq!((&changed["active"], &changed["max_attempts"]), (&json!(false), &Value::Null));
    assert_eq!((&changed["calling_hours"], &changed["updated_at"]), (&hours, &json!("2026-05-01T09:31:00Z")));
    server.advance(TimeDelta::minutes(1));
    let unchanged = client.patch(&path, r#"{"active":false}"#).await.expect(200);
    assert_eq!(unchanged, changed, "an update without changes keeps updated_at");

    client.delete(&path).await.expect(204);
    client.patch(&path, r#"{"active":true}"#).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn campaign_with_leads_cannot_be_deleted() {
    let (_server, client) = Server::start_with_admin().await;
    let campaign = client.create(PATH, json!({ "name": "Solar" })).await;
    let lead = client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    let campaign_lead = client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    let diagnostics = client.delete(&format!("{PATH}/{campaign}")).await.expect_problem(409, "conflict");
    assert!(diagnostics[0].contains("in_use"), "{diagnostics:?}");
    client.delete(&format!("/api/campaign-leads/{campaign_lead}")).await.expect(204);
    client.delete(&format!("{PATH}/{campaign}")).await.expect(204);
}

#[tokio::test]
async fn campaign_names_and_ids_are_unique() {
    let (_server, client) = Server::start_with_admin().await;
    client.create(PATH, json!({ "id": 7, "name": "Solar" })).await;
    let other = client.create(PATH, json!({ "name": "Wind" })).await;
    let diagnostics = client.post(PATH, r#"{"name":"Solar"}"#).await.expect_problem(409, "conflict");
    assert!(diagnostics[0].starts_with("\"/name\" taken"), "{diagnostics:?}");
    let diagnostics = client.post(PATH, r#"{"id":7,"name":"Tide"}"#).await.expect_problem(409, "conflict");
    assert!(diagnostics[0].starts_with("\"/id\" taken"), "{diagnostics:?}");
    client.patch(&format!("{PATH}/{other}"), r#"{"name":"Solar"}"#).await.expect_problem(409, "conflict");
    client.patch(&format!("{PATH}/7"), r#"{"name":"Solar"}"#).await.expect(200);
}

#[tokio::test]
async fn campaign_list_supports_search_and_paging() {
    let (_server, client) = Server::start_with_admin().await;
    for name in ["Solar north", "Wind", "SOLAR south", "100%_sure"] {
        client.create(PATH, json!({ "name": name })).await;
    }
    let search_names = async |query: &str| {
        let page = client.get(&format!("{PATH}{query}")).await.expect(200);
        let names =
            page["items"].as_array().unwrap().iter().map(|campaign| campaign["name"].as_str().unwrap().to_owned());
        (names.collect::<Vec<_>>(), page["total"].as_u64().unwrap())
    };
    let expected_page = |list: &[&str], total| (list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), total);
    assert_eq!(search_names("?search=solar").await, expected_page(&["Solar north", "SOLAR south"], 2));
    assert_eq!(search_names("?search=%25_").await, expected_page(&["100%_sure"], 1));
    assert_eq!(search_names("?limit=1;1").await, expected_page(&["Wind"], 4));
    assert_eq!(search_names("?limit=0").await, expected_page(&[], 4));
    assert_eq!(search_names("?limit=1000;4").await, expected_page(&[], 4));
    for limit in ["1001", "-1", "1;-1", "1;;1", "x", "", "1;99999999999999999999"] {
        let diagnostics = client.get(&format!("{PATH}?limit={limit}")).await.expect_problem(400, "invalid_parameter");
        assert!(diagnostics[0].starts_with("\"limit\" invalid_limit"), "{diagnostics:?}");
    }
    client.get(&format!("{PATH}?limit=1&limit=2")).await.expect_problem(400, "invalid_parameter");
    let response = client.get(&format!("{PATH}?serach=solar")).await;
    response.expect_problem(400, "unknown_parameter");
    assert_eq!(response.json()["errors"][0]["suggestion"]["detail"], "did you mean `search`?");
}

#[tokio::test]
async fn reports_all_errors_of_a_campaign() {
    let (_server, client) = Server::start_with_admin().await;
    let invalid_body = r#"{"name":" ","active":"yes","calling_hours":{"start":"24:00","end":"8:00","days":["monday"]},
        "max_attempts":0,"freeze_minutes":1.5,"created_at":"2026-05-01T00:00:00Z","nme":"x"}"#;
    let response = client.post(PATH, invalid_body).await;
    response.expect_problem(400, "invalid_request");
    let problem = response.json();
    let pointers: Vec<_> = problem["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|diagnostic| diagnostic["pointer"].as_str().unwrap())
        .collect();
    let expected = [
        "/name",
        "/active",
        "/calling_hours/start",
        "/calling_hours/end",
        "/calling_hours/days/0",
        "/max_attempts",
        "/freeze_minutes",
        "/created_at",
        "/nme",
    ];
    assert_eq!(pointers, expected);
    client.post(PATH, r#"{"active":true}"#).await.expect_problem(400, "invalid_request");
    let id = client.create(PATH, json!({ "name": "Solar" })).await;
    for invalid_body in [r#"{"id":5}"#, r#"{"name":null}"#, "{}"] {
        client.patch(&format!("{PATH}/{id}"), invalid_body).await.expect_problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn preview_reports_effects_without_changing_anything() {
    let (_server, client) = Server::start_with_admin().await;
    let request = json!({ "name": "Solar", "max_attempts": 2, "daily_attempts": 1,
        "calling_hours": { "start": "18:00", "end": "20:00", "days": ["fri"] } });
    let campaign = client.create(PATH, request).await;
    // The time is 10:30 on a Friday in London.
    for (calls, calls_today, do_not_call) in [(0, 0, false), (2, 1, false), (1, 1, false), (0, 0, true)] {
        let lead =
            json!({ "phone_normalized": "+442079460018", "timezone": "Europe/London", "do_not_call": do_not_call });
        let lead = client.create("/api/leads", lead).await;
        let campaign_lead = json!({ "lead_id": lead, "campaign_id": campaign, "calls_count": calls, "calls_today": calls_today,
            "last_call_at": "2026-05-01T08:00:00Z" });
        client.create("/api/campaign-leads", campaign_lead).await;
    }
    let path = format!("{PATH}/{campaign}");
    let saved = client.get(&path).await.expect(200);
    let preview = async |change: Value| client.post(&format!("{path}/preview"), body(change)).await;

    let change = json!({ "name": "Sun", "calling_hours": null, "max_attempts": 3, "daily_attempts": 1 });
    let mut response = preview(change).await.expect(200);
    // Filtering by a reason finds only leads of this campaign.
    let other = client.create(PATH, json!({ "name": "Wind" })).await;
    let other_lead = client.create("/api/leads", json!({ "do_not_call": true })).await;
    client
        .create("/api/campaign-leads", json!({ "lead_id": other_lead, "campaign_id": other, "calls_count": 9 }))
        .await;
    for reason_count in response["before"]["reasons"].as_array_mut().unwrap() {
        let filter = reason_count["filter"].take();
        let found = client.put("/api/leads/extended-data", filter.as_str().unwrap()).await.expect(200);
        assert_eq!(found["total_leads"], reason_count["leads"], "{filter}");
    }
    let reason_count = |code: &str, leads: u64| json!({ "code": code, "leads": leads, "filter": null });
    let expected_before = json!({ "callable": 0, "reasons": [reason_count("outside_calling_hours", 4), reason_count("do_not_call", 1),
        reason_count("attempt_limit", 1), reason_count("daily_limit", 2)] });
    let expected_after =
        json!({ "callable": 1, "reasons": [reason_count("do_not_call", 1), reason_count("daily_limit", 2)] });
    let changes = json!([{ "field": "calling_hours", "callable": 1 }, { "field": "max_attempts", "callable": 0 }]);
    let expected =
        json!({ "leads": 4, "evaluated": 4, "before": expected_before, "after": expected_after, "changes": changes });
    assert_eq!(response, expected, "unchanged values and names don't affect who is callable");

    let unlimited_preview =
        preview(json!({ "calling_hours": null, "max_attempts": null, "daily_attempts": null })).await.expect(200);
    assert_eq!(unlimited_preview["after"], json!({ "callable": 3, "reasons": [reason_count("do_not_call", 1)] }));
    let inactive_preview = preview(json!({ "active": false })).await.expect(200);
    assert_eq!(inactive_preview["after"]["reasons"][0], reason_count("campaign_inactive", 4));
    assert_eq!(client.get(&path).await.expect(200), saved, "a preview changes nothing");

    let diagnostics = preview(json!({ "max_attempts": 0, "id": 5 })).await.expect_problem(400, "invalid_request");
    assert_eq!(diagnostics.len(), 2, "{diagnostics:?}");
    client.post(&format!("{PATH}/987654321/preview"), r#"{"active":true}"#).await.expect_problem(404, "not_found");
}
