//! `/api/calls`: single calls, and the list with each of its filters.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::imports::import;
use crate::harness::{Client, Server, body, wav};

const PATH: &str = "/api/calls";

/// Returns the ids of the page that a query returns, and the total.
async fn listed(client: &Client, query: &str) -> (Vec<i64>, u64) {
    let page = client.get(&format!("{PATH}?{query}")).await.expect(200);
    let ids = page["items"].as_array().unwrap().iter().map(|call| call["id"].as_i64().unwrap()).collect();
    (ids, page["total"].as_u64().unwrap())
}

async fn record(client: &Client, call: i64) {
    let audio = client.with_header("content-type", "audio/wav");
    audio.put(&format!("{PATH}/{call}/recording"), wav(2, 2.0)).await.expect(200);
}

#[tokio::test]
async fn call_can_be_created_read_and_changed() {
    let server = Server::start().await;
    let client = server.admin();
    let lead = client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    let campaign = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    let inside = client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    let new = json!({ "lead_id": lead, "campaign_id": campaign, "campaign_lead_id": inside, "agent": "Grace",
        "direction": "outbound", "status": "answered", "caller_number": "+12025550143", "callee_number": "anonymous",
        "started_at": "2026-05-01 09:00:00", "ended_at": "2026-05-01T09:04:10.5Z", "recording_state": "pending" });
    let answer = client.post(PATH, body(new)).await;
    let made = answer.expect(201);
    let path = answer.header("location").unwrap().to_owned();
    assert_eq!(
        (&made["started_at"], &made["ended_at"]),
        (&json!("2026-05-01T09:00:00Z"), &json!("2026-05-01T09:04:10.500Z"))
    );
    assert_eq!((&made["recording"]["state"], &made["transcription_state"]), (&json!("pending"), &Value::Null));
    assert_eq!(client.get(&path).await.expect(200), made);
    let changed = client.patch(&path, r#"{"status":"busy","agent":null,"lead_id":null}"#).await.expect(200);
    assert_eq!(
        (&changed["status"], &changed["agent"], &changed["lead_id"]),
        (&json!("busy"), &Value::Null, &Value::Null)
    );
    assert_eq!(changed["campaign_id"], campaign);
    client.get(&format!("{PATH}/999")).await.refused(404, "not_found");
    client.patch(&format!("{PATH}/999"), r#"{"status":"busy"}"#).await.refused(404, "not_found");
    // Deleting a lead keeps its calls.
    client.delete(&format!("/api/leads/{lead}")).await.expect(204);
    assert_eq!(client.get(&path).await.expect(200)["campaign_lead_id"], Value::Null);
}

#[tokio::test]
async fn call_counts_as_attempt_and_freezes_the_lead() {
    let server = Server::start().await;
    let client = server.admin();
    let campaign = json!({ "name": "Solar", "freeze_minutes": 45, "max_attempts": 2 });
    let campaign = client.create("/api/campaigns", campaign).await;
    let lead = client.create("/api/leads", json!({ "phone": "+49 30 901820" })).await;
    client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    let verdict = async || {
        let filter = json!({ "campaign_id": campaign, "_order": ["id"] });
        let mut found = client.put("/api/leads/extended-data", body(filter)).await.expect(200);
        let details = found["leads"][0]["campaigns"][0].take();
        let reasons = details["not_callable_reasons"].as_array().unwrap();
        let reasons = reasons.iter().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        (details["calls_count"].as_u64().unwrap(), reasons, details["next_callable_at"].clone())
    };
    assert_eq!(verdict().await, (0, vec![], Value::Null));

    // The call is matched to the lead by phone number.
    let called = async |status: &str, ended: chrono::DateTime<chrono::Utc>| {
        let call = json!({ "campaign_id": campaign, "direction": "outbound", "status": status,
            "callee_number": "+4930901820", "started_at": ended - TimeDelta::minutes(5), "ended_at": ended });
        client.post(PATH, body(call)).await.expect(201);
    };
    let (first, second) = (server.now() - TimeDelta::minutes(20), server.now() - TimeDelta::minutes(50));
    called("no_answer", first).await;
    let frozen = (1, vec!["frozen".to_owned()], json!(first + TimeDelta::minutes(45)));
    assert_eq!(verdict().await, frozen);
    called("busy", second).await;
    assert_eq!(verdict().await, frozen, "it was before the last one that is known");
    server.advance(TimeDelta::hours(1));
    called("answered", server.now() - TimeDelta::minutes(46)).await;
    assert_eq!(verdict().await, (2, vec!["attempt_limit".to_owned()], Value::Null));
}

#[tokio::test]
async fn new_call_is_matched_to_the_lead_with_its_number() {
    let server = Server::start().await;
    let client = server.admin();
    let lead = |phone: &str| json!({ "phone": phone, "country": "DE" });
    let ann = client.create("/api/leads", lead("030 901820")).await;
    let bob = client.create("/api/leads", json!({ "phone2": "+44 20 7946 0018" })).await;
    for _ in 0..2 {
        client.create("/api/leads", lead("030 901821")).await;
    }
    let lead_of = async |mut call: Value| {
        call["status"] = json!("answered");
        client.post(PATH, body(call)).await.expect(201)["lead_id"].clone()
    };
    let (from, to) = ("+49 30 901820", "+44 20 79460018");
    let call = |direction: &str| json!({ "direction": direction, "caller_number": from, "callee_number": to });
    assert_eq!(lead_of(call("inbound")).await, ann);
    assert_eq!(lead_of(call("outbound")).await, bob);
    let shared = json!({ "direction": "inbound", "caller_number": "+4930901821" });
    assert_eq!(lead_of(shared).await, Value::Null, "two have that number");
    let named = json!({ "direction": "inbound", "caller_number": from, "lead_id": null });
    assert_eq!(lead_of(named).await, Value::Null, "it says itself that it is of none");

    // Imported from a file. A second import keeps values that a user changed.
    let rows = format!("original_identifier,direction,status,caller_number\nx1,inbound,answered,{from}\n");
    import(&client, "calls", rows.as_str()).await;
    let imported = async || client.get(&format!("{PATH}?original_identifier=x1")).await.expect(200)["items"][0].clone();
    let made = imported().await;
    assert_eq!(made["lead_id"], ann);
    client.patch(&format!("{PATH}/{}", made["id"]), r#"{"lead_id":null}"#).await.expect(200);
    import(&client, "calls", rows.replace("answered", "busy")).await;
    let again = imported().await;
    assert_eq!((&again["status"], &again["lead_id"]), (&json!("busy"), &Value::Null));
}

#[tokio::test]
async fn call_list_supports_every_filter() {
    let server = Server::start().await;
    let client = server.admin();
    let token = server.speech_token("Acme").await;
    let lead = client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    let campaign = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    let one = json!({ "direction": "inbound", "status": "no_answer", "lead_id": lead, "agent": "Grace Hopper" });
    let one = client.create(PATH, one).await;
    server.advance(TimeDelta::hours(1));
    let two = json!({ "direction": "outbound", "status": "answered", "campaign_id": campaign, "callee_number": "+4930555_1" });
    let two = client.create(PATH, two).await;
    record(&client, two).await;
    server.advance(TimeDelta::hours(1));
    let three = json!({ "direction": "outbound", "status": "failed", "recording_state": "failed" });
    let three = client.create(PATH, three).await;
    let asked = json!({ "call_ids": [two], "token": token, "languages": ["en"], "recording_side": "both" });
    client.post("/api/speech-recognition", body(asked)).await.expect(200);

    for (query, ids) in [
        (String::new(), vec![three, two, one]),
        ("order=created_at".to_owned(), vec![one, two, three]),
        ("order=-created_at&limit=1;1".to_owned(), vec![two]),
        (format!("id={one}&id={three}&id=999"), vec![three, one]),
        (format!("lead_id={lead}"), vec![one]),
        (format!("campaign_id={campaign}"), vec![two]),
        ("direction=outbound".to_owned(), vec![three, two]),
        ("status=no_answer".to_owned(), vec![one]),
        ("recording=none".to_owned(), vec![one]),
        ("recording=ready".to_owned(), vec![two]),
        ("recording=failed".to_owned(), vec![three]),
        ("recording=pending".to_owned(), vec![]),
        ("transcription=never".to_owned(), vec![three, one]),
        ("transcription=queued".to_owned(), vec![two]),
        ("transcription=completed".to_owned(), vec![]),
        ("from=2026-05-01T10:30:00Z".to_owned(), vec![three, two]),
        ("till=2026-05-01%2010:30:00".to_owned(), vec![two, one]),
        ("from=2026-05-01T12:30:00%2B02:00&till=2026-05-01T10:30:00Z".to_owned(), vec![two]),
        ("transcription_from=2026-05-01T11:00:00Z".to_owned(), vec![]),
        ("search=hopper".to_owned(), vec![one]),
        ("search=ann".to_owned(), vec![one]),
        ("search=555_".to_owned(), vec![two]),
        ("search=%25".to_owned(), vec![]),
        ("search=".to_owned(), vec![three, two, one]),
        ("direction=outbound&status=answered".to_owned(), vec![two]),
        ("direction=inbound&status=answered".to_owned(), vec![]),
    ] {
        let (found, total) = listed(&client, &query).await;
        assert_eq!(found, ids, "{query}");
        let whole = if query.contains("limit") { 3 } else { ids.len() as u64 };
        assert_eq!(total, whole, "{query}");
    }
}

#[tokio::test]
async fn calls_are_filtered_by_end_of_transcription() {
    let server = Server::start().await;
    let (client, token) = (server.admin(), server.speech_token("Acme").await);
    let first = server.transcribed_call(&token, json!({}), &[]).await;
    server.advance(TimeDelta::minutes(90));
    let second = server.transcribed_call(&token, json!({}), &[]).await;
    let failed = server.recorded_call(json!({})).await;
    server.submit(failed, &token).await;
    server.fail(failed, "no such codec").await;

    let day = "transcription_from=2026-05-01T00:00:00Z&transcription_till=2026-05-01T23:59:59.999Z";
    for (query, ids) in [
        (day, vec![failed, second, first]),
        ("transcription_from=2026-05-01T10:00:00Z", vec![failed, second]),
        ("transcription_from=2026-05-01%2011:00:00&transcription_till=2026-05-01%2011:00:00", vec![failed, second]),
        ("transcription_till=2026-05-01T10:59:59.999999Z", vec![first]),
        ("transcription_till=2026-05-01T11:00:00Z&transcription=failed", vec![failed]),
        ("transcription_till=2026-05-01T11:00:00Z&transcription=completed&limit=1;1", vec![first]),
    ] {
        assert_eq!(listed(&client, query).await.0, ids, "{query}");
    }
}

#[tokio::test]
async fn call_list_reports_all_invalid_query_values() {
    let server = Server::start().await;
    let query = "id=0&lead_id=x&campaign_id=-1&direction=sideways&status=anwsered&recording=no&transcription=done\
        &from=yesterday&till=2026-02-30T00:00:00Z&order=random&limit=9999;0\
        &transcription_from=1&transcription_till=2";
    let answer = server.admin().get(&format!("{PATH}?{query}")).await;
    let faults = answer.refused(400, "invalid_parameter");
    let mut places: Vec<_> = faults.iter().map(|fault| fault.split(' ').next().unwrap().trim_matches('"')).collect();
    places.sort_unstable();
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
    assert_eq!(places, expected);
    assert!(answer.text().contains("did you mean `answered`?"), "{}", answer.text());
    let client = server.admin();
    for (query, code) in [
        ("from=2026-05-02T00:00:00Z&till=2026-05-01T00:00:00Z", "out_of_order"),
        ("transcription_from=2026-05-02T00:00:00Z&transcription_till=2026-05-01T00:00:00Z", "out_of_order"),
        (&format!("search={}", "x".repeat(201)), "too_long"),
        (&vec!["id=1"; 1_001].join("&"), "too_many"),
        ("status=busy&status=failed", "duplicate_parameter"),
        ("id=9223372036854775808", "invalid_id"),
    ] {
        let faults = client.get(&format!("{PATH}?{query}")).await.refused(400, "invalid_parameter");
        assert!(faults.len() == 1 && faults[0].contains(code), "{faults:?}");
    }
}

#[tokio::test]
async fn reports_all_faults_of_a_call() {
    let server = Server::start().await;
    let client = server.admin();
    let faults = client.post(PATH, r#"{"agent":5,"lead_id":"1","recording":"a.wav","id":0}"#).await;
    let faults = faults.refused(400, "invalid_request");
    assert_eq!(faults.len(), 6, "four wrong and two missing: {faults:?}");
    for (new, place) in [
        (r#""lead_id":999"#, "/lead_id"),
        (r#""campaign_id":999"#, "/campaign_id"),
        (r#""campaign_lead_id":999"#, "/campaign_lead_id"),
    ] {
        let new = format!(r#"{{"direction":"inbound","status":"busy",{new}}}"#);
        let faults = client.post(PATH, new).await.refused(422, "unprocessable");
        assert!(faults[0].starts_with(&format!("{place:?} ")), "{faults:?}");
    }
    let id = client
        .create(PATH, json!({ "direction": "inbound", "status": "busy", "started_at": "2026-05-01T09:00:00Z" }))
        .await;
    client.post(PATH, format!(r#"{{"id":{id},"direction":"inbound","status":"busy"}}"#)).await.refused(409, "conflict");
    let ready = r#"{"direction":"inbound","status":"busy","recording_state":"ready"}"#;
    let faults = client.post(PATH, ready).await.refused(400, "invalid_request");
    assert!(faults[0].starts_with("\"/recording_state\" no_recording"), "{faults:?}");
    // A patch is also checked against stored values: a call can't end before it began.
    let answer = client.patch(&format!("{PATH}/{id}"), r#"{"ended_at":"2026-05-01T08:59:59Z"}"#).await;
    assert!((400..500).contains(&answer.status), "{} {}", answer.status, answer.text());
}
