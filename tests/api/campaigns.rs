//! `/api/campaigns`: campaigns with their calling hours and limits.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::harness::{Server, body};

const PATH: &str = "/api/campaigns";

#[tokio::test]
async fn campaign_can_be_created_read_changed_and_deleted() {
    let server = Server::start().await;
    let client = server.admin();
    let hours = json!({ "start": "09:00", "end": "20:00", "days": ["mon", "fri"] });
    let new = json!({ "name": "Solar", "calling_hours": hours, "max_attempts": 6, "freeze_minutes": 30 });
    let answer = client.post(PATH, body(new)).await;
    let made = answer.expect(201);
    let path = answer.header("location").unwrap().to_owned();
    assert_eq!(path, format!("{PATH}/{}", made["id"]));
    assert_eq!(
        [
            &made["active"],
            &made["calling_hours"],
            &made["max_attempts"],
            &made["daily_attempts"],
            &made["freeze_minutes"]
        ],
        [&json!(true), &hours, &json!(6), &Value::Null, &json!(30)]
    );
    assert_eq!(
        (&made["created_at"], &made["updated_at"]),
        (&json!("2026-05-01T09:30:00Z"), &json!("2026-05-01T09:30:00Z"))
    );
    assert_eq!(client.get(&path).await.expect(200), made);

    server.advance(TimeDelta::minutes(1));
    let changed = client.patch(&path, r#"{"active":false,"max_attempts":null}"#).await.expect(200);
    assert_eq!((&changed["active"], &changed["max_attempts"]), (&json!(false), &Value::Null));
    assert_eq!((&changed["calling_hours"], &changed["updated_at"]), (&hours, &json!("2026-05-01T09:31:00Z")));
    server.advance(TimeDelta::minutes(1));
    let same = client.patch(&path, r#"{"active":false}"#).await.expect(200);
    assert_eq!(same, changed, "what changes nothing leaves updated_at alone");

    client.delete(&path).await.expect(204);
    for answer in [client.get(&path).await, client.patch(&path, r#"{"active":true}"#).await, client.delete(&path).await]
    {
        answer.refused(404, "not_found");
    }
}

#[tokio::test]
async fn campaign_with_leads_cannot_be_deleted() {
    let server = Server::start().await;
    let client = server.admin();
    let campaign = client.create(PATH, json!({ "name": "Solar" })).await;
    let lead = client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    let inside = client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    let faults = client.delete(&format!("{PATH}/{campaign}")).await.refused(409, "conflict");
    assert!(faults[0].contains("in_use"), "{faults:?}");
    client.delete(&format!("/api/campaign-leads/{inside}")).await.expect(204);
    client.delete(&format!("{PATH}/{campaign}")).await.expect(204);
}

#[tokio::test]
async fn campaign_names_and_ids_are_unique() {
    let server = Server::start().await;
    let client = server.admin();
    client.create(PATH, json!({ "id": 7, "name": "Solar" })).await;
    let other = client.create(PATH, json!({ "name": "Wind" })).await;
    let faults = client.post(PATH, r#"{"name":"Solar"}"#).await.refused(409, "conflict");
    assert!(faults[0].starts_with("\"/name\" taken"), "{faults:?}");
    let faults = client.post(PATH, r#"{"id":7,"name":"Tide"}"#).await.refused(409, "conflict");
    assert!(faults[0].starts_with("\"/id\" taken"), "{faults:?}");
    client.patch(&format!("{PATH}/{other}"), r#"{"name":"Solar"}"#).await.refused(409, "conflict");
    client.patch(&format!("{PATH}/7"), r#"{"name":"Solar"}"#).await.expect(200);
}

#[tokio::test]
async fn campaign_list_supports_search_and_paging() {
    let server = Server::start().await;
    let client = server.admin();
    for name in ["Solar north", "Wind", "SOLAR south", "100%_sure"] {
        client.create(PATH, json!({ "name": name })).await;
    }
    let names = async |query: &str| {
        let page = client.get(&format!("{PATH}{query}")).await.expect(200);
        let names = page["items"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned());
        (names.collect::<Vec<_>>(), page["total"].as_u64().unwrap())
    };
    let of = |list: &[&str], total| (list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), total);
    assert_eq!(names("?search=solar").await, of(&["Solar north", "SOLAR south"], 2));
    assert_eq!(names("?search=%25_").await, of(&["100%_sure"], 1));
    assert_eq!(names("?limit=1;1").await, of(&["Wind"], 4));
    assert_eq!(names("?limit=0").await, of(&[], 4));
    assert_eq!(names("?limit=1000;4").await, of(&[], 4));
    for limit in ["1001", "-1", "1;-1", "1;;1", "x", "", "1;99999999999999999999"] {
        let faults = client.get(&format!("{PATH}?limit={limit}")).await.refused(400, "invalid_parameter");
        assert!(faults[0].starts_with("\"limit\" invalid_limit"), "{faults:?}");
    }
    client.get(&format!("{PATH}?limit=1&limit=2")).await.refused(400, "invalid_parameter");
    let answer = client.get(&format!("{PATH}?serach=solar")).await;
    answer.refused(400, "unknown_parameter");
    assert_eq!(answer.json()["errors"][0]["suggestion"]["detail"], "did you mean `search`?");
}

#[tokio::test]
async fn reports_all_faults_of_a_campaign() {
    let server = Server::start().await;
    let client = server.admin();
    let bad = r#"{"name":" ","active":"yes","calling_hours":{"start":"24:00","end":"8:00","days":["monday"]},
        "max_attempts":0,"freeze_minutes":1.5,"created_at":"2026-05-01T00:00:00Z","nme":"x"}"#;
    let answer = client.post(PATH, bad).await;
    answer.refused(400, "invalid_request");
    let problem = answer.json();
    let places: Vec<_> =
        problem["errors"].as_array().unwrap().iter().map(|fault| fault["pointer"].as_str().unwrap()).collect();
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
    assert_eq!(places, expected);
    client.post(PATH, r#"{"active":true}"#).await.refused(400, "invalid_request");
    let id = client.create(PATH, json!({ "name": "Solar" })).await;
    for bad in [r#"{"id":5}"#, r#"{"name":null}"#, "{}"] {
        client.patch(&format!("{PATH}/{id}"), bad).await.refused(400, "invalid_request");
    }
}

#[tokio::test]
async fn progress_counts_leads_by_state() {
    let server = Server::start().await;
    let client = server.admin();
    let solar = client.create(PATH, json!({ "name": "Solar" })).await;
    let wind = client.create(PATH, json!({ "name": "Wind" })).await;
    for (status, calls) in [("new", 0), ("new", 0), ("busy", 1), ("closed", 3)] {
        let lead = client.create("/api/leads", json!({ "first_name": "Ann" })).await;
        let inside = json!({ "lead_id": lead, "campaign_id": solar, "status": status, "calls_count": calls });
        client.create("/api/campaign-leads", inside).await;
    }
    let of_solar = json!({ "campaign_id": solar, "new": 2, "called": 1, "done": 1 });
    let of_wind = json!({ "campaign_id": wind, "new": 0, "called": 0, "done": 0 });
    let progress = format!("{PATH}/progress");
    assert_eq!(client.get(&progress).await.expect(200), json!({ "items": [of_solar, of_wind], "total": 2 }));
    let found = client.get(&format!("{progress}?search=win&limit=1;0")).await.expect(200);
    assert_eq!(found, json!({ "items": [of_wind], "total": 1 }));
    client.get(&format!("{progress}?limit=1001")).await.refused(400, "invalid_parameter");
}

#[tokio::test]
async fn preview_reports_effects_without_changing_anything() {
    let server = Server::start().await;
    let client = server.admin();
    let new = json!({ "name": "Solar", "max_attempts": 2, "daily_attempts": 1,
        "calling_hours": { "start": "18:00", "end": "20:00", "days": ["fri"] } });
    let campaign = client.create(PATH, new).await;
    // The time is 10:30 on a Friday in London.
    for (calls, today, do_not_call) in [(0, 0, false), (2, 1, false), (1, 1, false), (0, 0, true)] {
        let lead =
            json!({ "phone_normalized": "+442079460018", "timezone": "Europe/London", "do_not_call": do_not_call });
        let lead = client.create("/api/leads", lead).await;
        let inside = json!({ "lead_id": lead, "campaign_id": campaign, "calls_count": calls, "calls_today": today,
            "last_call_at": "2026-05-01T08:00:00Z" });
        client.create("/api/campaign-leads", inside).await;
    }
    let path = format!("{PATH}/{campaign}");
    let saved = client.get(&path).await.expect(200);
    let preview = async |change: Value| client.post(&format!("{path}/preview"), body(change)).await;

    let change = json!({ "name": "Sun", "calling_hours": null, "max_attempts": 3, "daily_attempts": 1 });
    let mut answer = preview(change).await.expect(200);
    // Filtering by a reason finds only leads of this campaign.
    let other = client.create(PATH, json!({ "name": "Wind" })).await;
    let stranger = client.create("/api/leads", json!({ "do_not_call": true })).await;
    client.create("/api/campaign-leads", json!({ "lead_id": stranger, "campaign_id": other, "calls_count": 9 })).await;
    for reason in answer["before"]["reasons"].as_array_mut().unwrap() {
        let filter = reason["filter"].take();
        let found = client.put("/api/leads/extended-data", filter.as_str().unwrap()).await.expect(200);
        assert_eq!(found["total_leads"], reason["leads"], "{filter}");
    }
    let reason = |code: &str, leads: u64| json!({ "code": code, "leads": leads, "filter": null });
    let before = json!({ "callable": 0, "reasons": [reason("outside_calling_hours", 4), reason("do_not_call", 1),
        reason("attempt_limit", 1), reason("daily_limit", 2)] });
    let after = json!({ "callable": 1, "reasons": [reason("do_not_call", 1), reason("daily_limit", 2)] });
    let changes = json!([{ "field": "calling_hours", "callable": 1 }, { "field": "max_attempts", "callable": 0 }]);
    let expected = json!({ "leads": 4, "judged": 4, "before": before, "after": after, "changes": changes });
    assert_eq!(answer, expected, "what stays as it is is no change, and a name makes no lead callable");

    let all = preview(json!({ "calling_hours": null, "max_attempts": null, "daily_attempts": null })).await.expect(200);
    assert_eq!(all["after"], json!({ "callable": 3, "reasons": [reason("do_not_call", 1)] }));
    let off = preview(json!({ "active": false })).await.expect(200);
    assert_eq!(off["after"]["reasons"][0], reason("campaign_inactive", 4));
    assert_eq!(client.get(&path).await.expect(200), saved, "a preview changes nothing");

    let faults = preview(json!({ "max_attempts": 0, "id": 5 })).await.refused(400, "invalid_request");
    assert_eq!(faults.len(), 2, "{faults:?}");
    client.post(&format!("{PATH}/987654321/preview"), r#"{"active":true}"#).await.refused(404, "not_found");
    server.with_scopes(&["leads:read"]).await.post(&format!("{path}/preview"), r#"{"active":true}"#).await.expect(200);
}
