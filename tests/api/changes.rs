//! `GET /api/changes`: pages, long polling and streams of changes.

use std::time::{Duration, Instant};

use leadscribe_engine::api::RecordingSide;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::harness::{Client, Server, body};

const PATH: &str = "/api/changes";

/// Time limit for events, generous for a slow machine.
const TIMEOUT: Duration = Duration::from_secs(20);

async fn latest(client: &Client) -> String {
    let page = client.get(&format!("{PATH}?after=latest")).await.expect(200);
    assert_eq!((&page["items"], &page["has_more"]), (&json!([]), &json!(false)));
    page["next_cursor"].as_str().unwrap().to_owned()
}

/// Formats the changes of a page: `lead 1 insert`.
fn lines(page: &Value) -> Vec<String> {
    let text = |item: &Value, name: &str| item[name].as_str().unwrap().to_owned();
    let line = |item: &Value| format!("{} {} {}", text(item, "type"), item["id"], text(item, "change"));
    page["items"].as_array().unwrap().iter().map(line).collect()
}

/// Returns the page once it has these changes. On PostgreSQL, changes become visible after all earlier transactions of
/// the server, including those of other tests.
async fn expect_lines(client: &Client, query: &str, expected: &[String]) -> Value {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let page = client.get(&format!("{PATH}{query}")).await.expect(200);
        if lines(&page) == expected {
            return page;
        }
        assert!(Instant::now() < deadline, "expected {expected:?}, found {page}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn changes_follow_the_cursor() {
    let (_server, client) = Server::start_with_admin().await;
    let start = latest(&client).await;
    let lead = client.create("/api/leads", json!({ "city": "Bonn" })).await;
    let other_lead = client.create("/api/leads", json!({ "city": "Ulm" })).await;
    let both = [format!("lead {lead} insert"), format!("lead {other_lead} insert")];
    expect_lines(&client, &format!("?after={start}"), &both).await;
    let first = client.get(&format!("{PATH}?after={start}&limit=1")).await.expect(200);
    assert_eq!((lines(&first), &first["has_more"]), (vec![format!("lead {lead} insert")], &json!(true)));
    assert_eq!(first["items"][0]["record"]["city"], "Bonn");
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = client.get(&format!("{PATH}?after={cursor}&limit=1")).await.expect(200);
    assert_eq!((lines(&second), &second["has_more"]), (vec![format!("lead {other_lead} insert")], &json!(false)));

    let cursor = second["next_cursor"].as_str().unwrap();
    client.patch(&format!("/api/leads/{lead}"), r#"{"city":"Rome"}"#).await.expect(200);
    client.delete(&format!("/api/leads/{other_lead}")).await.expect(204);
    let expected = [format!("lead {lead} update"), format!("lead {other_lead} delete")];
    let third = expect_lines(&client, &format!("?after={cursor}"), &expected).await;
    assert_eq!((&third["items"][0]["record"]["city"], &third["items"][1]["record"]), (&json!("Rome"), &Value::Null));
    // Without a cursor, reading starts with the oldest change. A record that was created and changed has one entry.
    let all = client.get(PATH).await.expect(200);
    assert_eq!(lines(&all), lines(&third).iter().map(|line| line.replace("update", "insert")).collect::<Vec<_>>());
}

#[tokio::test]
async fn types_require_their_scopes() {
    let server = Server::start().await;
    let token = server.create_speech_token("Acme").await;
    let leads = server.client_with_scopes(&["leads:read", "leads:write"]).await;
    let calls = server.client_with_scopes(&["calls:read"]).await;
    let transcripts = server.client_with_scopes(&["speech:read"]).await;
    leads.create("/api/leads", json!({ "city": "Bonn" })).await;
    let call = server.create_transcribed_call(&token, json!({}), &[(RecordingSide::Caller, "hello")]).await;
    for (client, expected) in [
        (&leads, "lead 1 insert".to_owned()),
        (&calls, format!("call {call} insert")),
        (&transcripts, format!("transcript {call} insert")),
    ] {
        expect_lines(client, "", &[expected]).await;
    }
    calls.get(&format!("{PATH}?types=lead")).await.expect_problem(403, "forbidden");
    leads.get(&format!("{PATH}?types=lead,call")).await.expect_problem(403, "forbidden");
    leads.get(&format!("{PATH}?types=transcript")).await.expect_problem(403, "forbidden");
    let both = server.admin().get(&format!("{PATH}?types=transcript,lead")).await.expect(200);
    assert_eq!(lines(&both), ["lead 1 insert".to_owned(), format!("transcript {call} insert")]);
    let page = transcripts.get(PATH).await.expect(200);
    assert_eq!(page["items"][0]["record"], Value::Null, "changes contain no transcripts");
}

#[tokio::test]
async fn waiting_request_returns_with_the_first_change() {
    let (_server, client) = Server::start_with_admin().await;
    let start = latest(&client).await;
    let path = format!("{PATH}?after={start}&wait=30");
    let writer = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        client.create("/api/leads", json!({ "city": "Bonn" })).await
    };
    let began = Instant::now();
    let (page, lead) = tokio::join!(client.get(&path), writer);
    assert_eq!(lines(&page.expect(200)), [format!("lead {lead} insert")]);
    assert!(began.elapsed() < Duration::from_secs(15));
    let end = latest(&client).await;
    let empty = client.get(&format!("{PATH}?after={end}&wait=1")).await.expect(200);
    assert_eq!((&empty["items"], &empty["has_more"]), (&json!([]), &json!(false)));
}

#[tokio::test]
async fn invalid_and_expired_cursors_are_refused() {
    let (_server, client) = Server::start_with_admin().await;
    let errors = client.get(&format!("{PATH}?after=5&types=lead,leed&limit=0&wait=31")).await;
    assert_eq!(
        errors.expect_problem(400, "invalid_parameter"),
        [
            "\"types\" not_permitted: expected lead, campaign_lead, call or transcript, found \"leed\"",
            "\"limit\" out_of_range: expected a whole number from 1 to 1000, found \"0\"",
            "\"wait\" out_of_range: expected a whole number from 0 to 30, found \"31\"",
            "\"after\" invalid_cursor: expected the `next_cursor` of an earlier response or `latest`, found \"5\"",
        ]
    );
    let cursor = latest(&client).await;
    let (_, position) = cursor.split_once('.').unwrap();
    let response = client.get(&format!("{PATH}?after=0.{position}")).await;
    let errors = response.expect_problem(410, "cursor_expired");
    assert!(errors[0].starts_with("\"after\" cursor_expired: "), "{errors:?}");
    let oldest = response.json()["errors"][0]["permitted"][0].as_str().unwrap().to_owned();
    client.get(&format!("{PATH}?after={oldest}")).await.expect(200);
}

#[tokio::test]
async fn stream_continues_after_the_last_event() {
    let (_server, client) = Server::start_with_admin().await;
    let start = latest(&client).await;
    let stream_client = client.with_header("accept", "text/event-stream");
    let mut stream = stream_client.events(&format!("{PATH}?types=lead&after={start}")).await;
    assert_eq!(stream.next_block().await.as_deref(), Some("retry: 3000"));
    let lead = client.create("/api/leads", json!({ "city": "Bonn" })).await;
    client.create_call().await;
    let event = timeout(TIMEOUT, next_event(&mut stream)).await.unwrap();
    let [id, kind, data] = event;
    assert_eq!(kind, "event: lead");
    let data: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
    let id = id.strip_prefix("id: ").unwrap();
    assert_eq!((&data["cursor"], &data["id"], &data["record"]["city"]), (&json!(id), &json!(lead), &json!("Bonn")));
    drop(stream);

    client.patch(&format!("/api/leads/{lead}"), r#"{"city":"Ulm"}"#).await.expect(200);
    let reconnected = stream_client.with_header("last-event-id", id);
    let mut stream = reconnected.events(&format!("{PATH}?types=lead&after={start}")).await;
    let data = timeout(TIMEOUT, stream.next_data()).await.unwrap();
    assert_eq!((&data["change"], &data["record"]["city"]), (&json!("update"), &json!("Ulm")));
}

/// Returns the lines of the next block with data.
async fn next_event(stream: &mut crate::harness::EventStream) -> [String; 3] {
    loop {
        let block = stream.next_block().await.expect("the stream hasn't ended");
        let lines: Vec<_> = block.lines().map(str::to_owned).collect();
        if let Ok(lines) = <[String; 3]>::try_from(lines) {
            return lines;
        }
    }
}

#[tokio::test]
async fn stream_ends_when_its_key_is_revoked() {
    let server = Server::start().await;
    let admin = server.admin();
    let key = admin.post("/api/api-keys", body(json!({ "name": "x", "scopes": ["leads:read"] }))).await.expect(201);
    let reader = server.anonymous().with_key(key["secret"].as_str().unwrap());
    let mut stream = reader.with_header("accept", "text/event-stream").events(PATH).await;
    assert_eq!(stream.next_block().await.as_deref(), Some("retry: 3000"));
    admin.delete(&format!("/api/api-keys/{}", key["api_key"]["id"])).await.expect(200);
    // An access check is cached for a second.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    admin.create("/api/leads", json!({ "city": "Bonn" })).await;
    while let Some(block) = timeout(TIMEOUT, stream.next_block()).await.unwrap() {
        assert!(!block.contains("Bonn"), "{block}");
    }
}
