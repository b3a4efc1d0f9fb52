//! `/api/calls`: single calls, and the list with each of its filters.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::imports::import;
use crate::harness::{Client, Server, body, wav};

const PATH: &str = "/api/calls";

/// Returns the ids of the page that a query returns, and the total.
async fn list_calls(client: &Client, query: &str) -> (Vec<i64>, u64) {
    let page = client.get(&format!("{PATH}?{query}")).await.expect(200);
    let ids = page["items"].as_array().unwrap().iter().map(|call| call["id"].as_i64().unwrap()).collect();
    (ids, page["total"].as_u64().unwrap())
}

#[tokio::test]
async fn call_can_be_created_read_and_changed() {
    let (_server, client) = Server::start_with_admin().await;
    let lead = client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    let campaign = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    let campaign_lead = client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    let request = json!({ "lead_id": lead, "campaign_id": campaign, "campaign_lead_id": campaign_lead, "agent": "Grace",
        "direction": "outbound", "status": "answered", "caller_number": "+12025550143", "callee_number": "anonymous",
        "started_at": "2026-05-01 09:00:00", "ended_at": "2026-05-01T09:04:10.5Z", "recording_state": "pending" });
    let response = client.post(PATH, body(request)).await;
    let created = response.expect(201);
    let path = response.header("location").unwrap().to_owned();
    assert_eq!(
        (&created["started_at"], &created["ended_at"]),
        (&json!("2026-05-01T09:00:00Z"), &json!("2026-05-01T09:04:10.500Z"))
    );
    assert_eq!((&created["recording"]["state"], &created["transcription_state"]), (&json!("pending"), &Value::Null));
    assert_eq!(client.get(&path).await.expect(200), created);
    let changed = client.patch(&path, r#"{"status":"busy","agent":null,"lead_id":null}"#).await.expect(200);
    assert_eq!(
        (&changed["status"], &changed["agent"], &changed["lead_id"]),
        (&json!("busy"), &Value::Null, &Value::Null)
    );
    assert_eq!(changed["campaign_id"], campaign);
    client.patch(&format!("{PATH}/999"), r#"{"status":"busy"}"#).await.expect_problem(404, "not_found");
    // Deleting a lead keeps its calls.
    client.delete(&format!("/api/leads/{lead}")).await.expect(204);
    assert_eq!(client.get(&path).await.expect(200)["campaign_lead_id"], Value::Null);
}

#[tokio::test]
async fn call_counts_as_attempt_and_freezes_the_lead() {
    let (server, client) = Server::start_with_admin().await;
    let campaign = json!({ "name": "Solar", "freeze_minutes": 45, "max_attempts": 2 });
    let campaign = client.create("/api/campaigns", campaign).await;
    let lead = client.create("/api/leads", json!({ "phone": "+49 30 901820" })).await;
    client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    let call_state = async || {
        let filter = json!({ "campaign_id": campaign, "_order": ["id"] });
        let mut page = client.search_leads(filter).await;
        let details = page["leads"][0]["campaigns"][0].take();
        let reasons = details["not_callable_reasons"].as_array().unwrap();
        let reasons = reasons.iter().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        (details["calls_count"].as_u64().unwrap(), reasons, details["next_callable_at"].clone())
    };
    assert_eq!(call_state().await, (0, vec![], Value::Null));

    // The call is matched to the lead by phone number.
    let create_ended_call = async |status: &str, ended_at: chrono::DateTime<chrono::Utc>| {
        let call = json!({ "campaign_id": campaign, "direction": "outbound", "status": status,
            "callee_number": "+4930901820", "started_at": ended_at - TimeDelta::minutes(5), "ended_at": ended_at });
        client.post(PATH, body(call)).await.expect(201);
    };
    let (first_end, second_end) = (server.now() - TimeDelta::minutes(20), server.now() - TimeDelta::minutes(50));
    create_ended_call("no_answer", first_end).await;
    let frozen = (1, vec!["frozen".to_owned()], json!(first_end + TimeDelta::minutes(45)));
    assert_eq!(call_state().await, frozen);
    create_ended_call("busy", second_end).await;
    assert_eq!(call_state().await, frozen, "only the latest call counts");
    server.advance(TimeDelta::hours(1));
    create_ended_call("answered", server.now() - TimeDelta::minutes(46)).await;
    assert_eq!(call_state().await, (2, vec!["attempt_limit".to_owned()], Value::Null));
}

#[tokio::test]
async fn new_call_is_matched_to_the_lead_with_its_number() {
    let (_server, client) = Server::start_with_admin().await;
    let lead_body = |phone: &str| json!({ "phone": phone, "country": "DE" });
    let ann = client.create("/api/leads", lead_body("030 901820")).await;
    let bob = client.create("/api/leads", json!({ "phone2": "+44 20 7946 0018" })).await;
    for _ in 0..2 {
        client.create("/api/leads", lead_body("030 901821")).await;
    }
    let matched_lead = async |mut call_body: Value| {
        call_body["status"] = json!("answered");
        client.post(PATH, body(call_body)).await.expect(201)["lead_id"].clone()
    };
    let (from, to) = ("+49 30 901820", "+44 20 79460018");
    let call_body = |direction: &str| json!({ "direction": direction, "caller_number": from, "callee_number": to });
    assert_eq!(matched_lead(call_body("inbound")).await, ann);
    assert_eq!(matched_lead(call_body("outbound")).await, bob);
    let call_of_shared_number = json!({ "direction": "inbound", "caller_number": "+4930901821" });
    assert_eq!(matched_lead(call_of_shared_number).await, Value::Null, "two leads have this number");
    let call_without_lead = json!({ "direction": "inbound", "caller_number": from, "lead_id": null });
    assert_eq!(matched_lead(call_without_lead).await, Value::Null, "an explicit null is kept");

    // Imported from a file. A second import keeps values that a user changed.
    let rows = format!("original_identifier,direction,status,caller_number\nx1,inbound,answered,{from}\n");
    import(&client, "calls", rows.as_str()).await;
    let imported_call =
        async || client.get(&format!("{PATH}?original_identifier=x1")).await.expect(200)["items"][0].clone();
    let first_import = imported_call().await;
    assert_eq!(first_import["lead_id"], ann);
    client.patch(&format!("{PATH}/{}", first_import["id"]), r#"{"lead_id":null}"#).await.expect(200);
    import(&client, "calls", rows.replace("answered", "busy")).await;
    let second_import = imported_call().await;
    assert_eq!((&second_import["status"], &second_import["lead_id"]), (&json!("busy"), &Value::Null));
}

#[tokio::test]
async fn call_list_supports_every_filter() {
    let (server, client) = Server::start_with_admin().await;
    let token = server.create_speech_token("Acme").await;
    let lead = client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    let campaign = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    let first_call = json!({ "direction": "inbound", "status": "no_answer", "lead_id": lead, "agent": "Grace Hopper" });
    let first_call = client.create(PATH, first_call).await;
    server.advance(TimeDelta::hours(1));
    let second_call = json!({ "direction": "outbound", "status": "answered", "campaign_id": campaign, "callee_number": "+4930555_1" });
    let second_call = client.create(PATH, second_call).await;
    client.upload_recording(second_call, wav(2, 2.0)).await;
    server.advance(TimeDelta::hours(1));
    let third_call = json!({ "direction": "outbound", "status": "failed", "recording_state": "failed" });
    let third_call = client.create(PATH, third_call).await;
    let submission =
        json!({ "call_ids": [second_call], "token": token, "languages": ["en"], "recording_side": "both" });
    client.post("/api/speech-recognition", body(submission)).await.expect(200);

    for (query, ids) in [
        (String::new(), vec![third_call, second_call, first_call]),
        ("order=created_at".to_owned(), vec![first_call, second_call, third_call]),
        ("order=-created_at&limit=1;1".to_owned(), vec![second_call]),
        (format!("id={first_call}&id={third_call}&id=999"), vec![third_call, first_call]),
        (format!("lead_id={lead}"), vec![first_call]),
        (format!("campaign_id={campaign}"), vec![second_call]),
        ("direction=outbound".to_owned(), vec![third_call, second_call]),
        ("status=no_answer".to_owned(), vec![first_call]),
        ("recording=none".to_owned(), vec![first_call]),
        ("recording=ready".to_owned(), vec![second_call]),
        ("recording=failed".to_owned(), vec![third_call]),
        ("recording=pending".to_owned(), vec![]),
        ("transcription=never".to_owned(), vec![third_call, first_call]),
        ("transcription=queued".to_owned(), vec![second_call]),
        ("transcription=completed".to_owned(), vec![]),
        ("from=2026-05-01T10:30:00Z".to_owned(), vec![third_call, second_call]),
        ("till=2026-05-01%2010:30:00".to_owned(), vec![second_call, first_call]),
        ("from=2026-05-01T12:30:00%2B02:00&till=2026-05-01T10:30:00Z".to_owned(), vec![second_call]),
        ("transcription_from=2026-05-01T11:00:00Z".to_owned(), vec![]),
        ("search=hopper".to_owned(), vec![first_call]),
        ("search=ann".to_owned(), vec![first_call]),
        ("search=555_".to_owned(), vec![second_call]),
        ("search=%25".to_owned(), vec![]),
        ("search=".to_owned(), vec![third_call, second_call, first_call]),
        ("direction=outbound&status=answered".to_owned(), vec![second_call]),
        ("direction=inbound&status=answered".to_owned(), vec![]),
    ] {
        let (found, total) = list_calls(&client, &query).await;
        assert_eq!(found, ids, "{query}");
        let expected_total = if query.contains("limit") { 3 } else { ids.len() as u64 };
        assert_eq!(total, expected_total, "{query}");
    }
}

#[tokio::test]
async fn call_list_reports_all_invalid_query_values() {
    let server = Server::start().await;
    let query = "id=0&lead_id=x&campaign_id=-1&direction=sideways&status=anwsered&recording=no&transcription=done\
        &from=yesterday&till=2026-02-30T00:00:00Z&order=random&limit=9999;0\
        &transcription_from=1&transcription_till=2";
    let response = server.admin().get(&format!("{PATH}?{query}")).await;
    let diagnostics = response.expect_problem(400, "invalid_parameter");
    let mut locations: Vec<_> =
        diagnostics.iter().map(|diagnostic| diagnostic.split(' ').next().unwrap().trim_matches('"')).collect();
    locations.sort_unstable();
    let expected = [
        "campaign_id",
        "direction",
        "from",
        "id",
        "lead_id",
        "limit",
        "order",
        "recording",
        "status",
        "till",
        "transcription",
        "transcription_from",
        "transcription_till",
    ];
    assert_eq!(locations, expected);
    assert!(response.text().contains("did you mean `answered`?"), "{}", response.text());
    let client = server.admin();
    for (query, code) in [
        ("from=2026-05-02T00:00:00Z&till=2026-05-01T00:00:00Z", "out_of_order"),
        ("transcription_from=2026-05-02T00:00:00Z&transcription_till=2026-05-01T00:00:00Z", "out_of_order"),
        (&format!("search={}", "x".repeat(201)), "too_long"),
        (&vec!["id=1"; 1_001].join("&"), "too_many"),
        ("status=busy&status=failed", "duplicate_parameter"),
        ("id=9223372036854775808", "invalid_id"),
    ] {
        let diagnostics = client.get(&format!("{PATH}?{query}")).await.expect_problem(400, "invalid_parameter");
        assert!(diagnostics.len() == 1 && diagnostics[0].contains(code), "{diagnostics:?}");
    }
}

#[tokio::test]
async fn reports_all_errors_of_a_call() {
    let (_server, client) = Server::start_with_admin().await;
    let response = client.post(PATH, r#"{"agent":5,"lead_id":"1","recording":"a.wav","id":0}"#).await;
    let diagnostics = response.expect_problem(400, "invalid_request");
    assert_eq!(diagnostics.len(), 6, "expected four invalid and two missing fields: {diagnostics:?}");
    for (fields, pointer) in [
        (r#""lead_id":999"#, "/lead_id"),
        (r#""campaign_id":999"#, "/campaign_id"),
        (r#""campaign_lead_id":999"#, "/campaign_lead_id"),
    ] {
        let fields = format!(r#"{{"direction":"inbound","status":"busy",{fields}}}"#);
        let diagnostics = client.post(PATH, fields).await.expect_problem(422, "unprocessable");
        assert!(diagnostics[0].starts_with(&format!("{pointer:?} ")), "{diagnostics:?}");
    }
    let id = client
        .create(PATH, json!({ "direction": "inbound", "status": "busy", "started_at": "2026-05-01T09:00:00Z" }))
        .await;
    client
        .post(PATH, format!(r#"{{"id":{id},"direction":"inbound","status":"busy"}}"#))
        .await
        .expect_problem(409, "conflict");
    let ready_call = r#"{"direction":"inbound","status":"busy","recording_state":"ready"}"#;
    let diagnostics = client.post(PATH, ready_call).await.expect_problem(400, "invalid_request");
    assert!(diagnostics[0].starts_with("\"/recording_state\" no_recording"), "{diagnostics:?}");
    // A patch is also checked against stored values: a call can't end before it began.
    let response = client.patch(&format!("{PATH}/{id}"), r#"{"ended_at":"2026-05-01T08:59:59Z"}"#).await;
    assert!((400..500).contains(&response.status), "{} {}", response.status, response.text());
}
