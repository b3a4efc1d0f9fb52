//! `/api/leads`: single leads, and searches with the filter in the query or the path.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::harness::{Client, Server, body};

const PATH: &str = "/api/leads";

async fn found(client: &Client, target: &str) -> Vec<i64> {
    let page = client.get(&format!("{PATH}{target}")).await.expect(200);
    page["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn lead_can_be_created_read_changed_and_deleted() {
    let server = Server::start().await;
    let client = server.admin();
    let new = json!({ "first_name": "Ann", "email": "ann@example.com", "lat": -33.9, "purchase_date": "2026-04-01",
        "custom_fields": { "tier": "gold", "score": 5, "vip": true, "rate": 0.5 } });
    let answer = client.post(PATH, body(new)).await;
    let made = answer.expect(201);
    let path = answer.header("location").unwrap().to_owned();
    assert_eq!(made["custom_fields"], json!({ "tier": "gold", "score": 5, "vip": true, "rate": 0.5 }));
    assert_eq!((&made["do_not_call"], &made["last_name"]), (&json!(false), &Value::Null));

    let read = client.get(&path).await.expect(200);
    for (member, value) in made.as_object().unwrap() {
        assert_eq!(&read[member], value, "{member}");
    }
    assert_eq!(read["campaigns"], json!([]));
    assert!(read["not_callable_reasons"].to_string().contains("not_in_campaign"), "{read}");

    server.advance(TimeDelta::minutes(5));
    let change = json!({ "email": null, "do_not_call": true, "custom_fields": { "tier": null, "score": 6 } });
    let changed = client.patch(&path, body(change)).await.expect(200);
    assert_eq!(
        (&changed["email"], &changed["do_not_call"], &changed["first_name"]),
        (&Value::Null, &json!(true), &json!("Ann"))
    );
    assert_eq!(changed["custom_fields"], json!({ "score": 6, "vip": true, "rate": 0.5 }));
    assert_eq!(
        (&changed["created_at"], &changed["updated_at"]),
        (&json!("2026-05-01T09:30:00Z"), &json!("2026-05-01T09:35:00Z"))
    );

    client.delete(&path).await.expect(204);
    for answer in [client.get(&path).await, client.patch(&path, r#"{"city":"Bonn"}"#).await, client.delete(&path).await]
    {
        answer.refused(404, "not_found");
    }
    // Changing the phone number reads the stored lead first, which is missing.
    client.patch(&path, r#"{"phone":"030 123456"}"#).await.refused(404, "not_found");
}

#[tokio::test]
async fn empty_cursor_returns_the_first_page() {
    let server = Server::start().await;
    let client = server.admin();
    for name in ["Ann", "Bob", "Cid"] {
        client.create(PATH, json!({ "first_name": name })).await;
    }
    let first = client.get(&format!("{PATH}?_cursor=&limit=2;0")).await.expect(200);
    let next = first["next_cursor"].as_str().unwrap();
    assert_eq!(found(&client, "?_cursor=&limit=2;0").await, [1, 2]);
    assert_eq!(found(&client, &format!("?_cursor={next}&limit=2;0")).await, [3]);
}

#[tokio::test]
async fn phone_numbers_are_normalised_by_country() {
    let server = Server::start().await;
    let client = server.admin();
    let made = client.post(PATH, r#"{"phone":"020 7946 0018","phone2":"nonsense","country":"GB"}"#).await.expect(201);
    let path = format!("{PATH}/{}", made["id"]);
    assert_eq!(
        [&made["phone"], &made["phone_normalized"], &made["phone_normalized2"]],
        [&json!("020 7946 0018"), &json!("+442079460018"), &Value::Null]
    );
    let changed = client.patch(&path, r#"{"phone2":"+49 30 123456"}"#).await.expect(200);
    assert_eq!(
        (&changed["phone_normalized"], &changed["phone_normalized2"]),
        (&json!("+442079460018"), &json!("+4930123456"))
    );
    let changed = client.patch(&path, r#"{"phone":"030 123456","country":"DE"}"#).await.expect(200);
    assert_eq!(changed["phone_normalized"], "+4930123456");
    let changed = client.patch(&path, r#"{"phone":null}"#).await.expect(200);
    assert_eq!((&changed["phone"], &changed["phone_normalized"]), (&Value::Null, &Value::Null));
    // A normalised number in the request is stored unchanged.
    let given = client.patch(&path, r#"{"phone":"x","phone_normalized":"+33123456789"}"#).await.expect(200);
    assert_eq!(given["phone_normalized"], "+33123456789");
    let faults = client.patch(&path, r#"{"phone_normalized":"0331"}"#).await.refused(400, "invalid_request");
    assert!(faults[0].starts_with("\"/phone_normalized\" invalid_phone_number"), "{faults:?}");
}

#[tokio::test]
async fn default_country_normalises_numbers() {
    let server = Server::configured(|config| config.leads.default_country = "GB".parse().unwrap()).await;
    let made = server.admin().post(PATH, r#"{"phone":"020 7946 0018"}"#).await.expect(201);
    assert_eq!(made["phone_normalized"], "+442079460018");
}

#[tokio::test]
async fn rejects_read_only_members_by_name() {
    let server = Server::start().await;
    let client = server.admin();
    let id = client.create(PATH, json!({ "first_name": "Ann" })).await;
    let path = format!("{PATH}/{id}");
    for (member, value) in [
        ("id", json!(9)),
        ("created_at", json!("2026-05-01T00:00:00Z")),
        ("updated_at", json!("2026-05-01T00:00:00Z")),
        ("global_updated_at", json!("2026-05-01T00:00:00Z")),
    ] {
        let answer = client.patch(&path, body(json!({ member: value, "city": "Bonn" }))).await;
        let faults = answer.refused(400, "invalid_request");
        assert!(faults.len() == 1 && faults[0].starts_with(&format!("\"/{member}\" read_only")), "{faults:?}");
    }
    assert_eq!(client.get(&path).await.expect(200)["city"], Value::Null, "a refused change changes nothing");
}

#[tokio::test]
async fn reports_all_faults_of_a_lead() {
    let server = Server::start().await;
    let long = "x".repeat(201);
    let bad = json!({ "first_name": long, "email": "ann", "timezone": "Europe/Berln", "lat": 91, "birthdate": "2026-02-30",
        "do_not_call": null, "custom_fields": { "card_number": "4111", "list": [1] }, "frist_name": "A" });
    let answer = server.admin().post(PATH, body(bad)).await;
    answer.refused(400, "invalid_request");
    let problem = answer.json();
    let mut places: Vec<_> =
        problem["errors"].as_array().unwrap().iter().map(|fault| fault["pointer"].as_str().unwrap()).collect();
    places.sort_unstable();
    let expected = [
        "/birthdate",
        "/custom_fields/card_number",
        "/custom_fields/list",
        "/do_not_call",
        "/email",
        "/first_name",
        "/frist_name",
        "/lat",
        "/timezone",
    ];
    assert_eq!(places, expected);
    assert!(
        answer.text().contains("did you mean `Europe/Berlin`?") && answer.text().contains("did you mean `first_name`?")
    );
}

#[tokio::test]
async fn chosen_ids_are_unique() {
    let server = Server::start().await;
    let client = server.admin();
    assert_eq!(client.create(PATH, json!({ "id": 4711, "first_name": "Ann" })).await, 4711);
    client.post(PATH, r#"{"id":4711,"first_name":"Bob"}"#).await.refused(409, "conflict");
    assert_eq!(client.create(PATH, json!({ "first_name": "Cid" })).await, 4712);
    // Ids assigned after the largest chosen one are still in the range that a body accepts.
    let largest = 9_000_000_000_000_000_i64;
    client.create(PATH, json!({ "id": largest, "first_name": "Last" })).await;
    assert_eq!(client.create(PATH, json!({ "first_name": "Later" })).await, largest + 1);
    for id in [largest + 1, (1 << 53) - 1, i64::MAX] {
        let faults =
            client.post(PATH, body(json!({ "id": id, "first_name": "Late" }))).await.refused(400, "invalid_request");
        assert!(faults[0].starts_with("\"/id\" out_of_range"), "{faults:?}");
    }
}

#[tokio::test]
async fn query_and_path_are_filters() {
    let server = Server::start().await;
    let client = server.admin();
    let mut ids = Vec::new();
    for (name, city, score) in [("Ann", "Bonn", 5), ("Bob", "A/B C", 7), ("Cid", "Bonn", 9)] {
        let new = json!({ "first_name": name, "city": city, "lat": score, "custom_fields": { "score": score } });
        ids.push(client.create(PATH, new).await);
    }
    let [ann, bob, cid] = ids[..] else { panic!("three leads") };
    for (query, path, expected) in [
        ("?city=Bonn", "/city/Bonn", vec![ann, cid]),
        ("?city=A/B+C", "/city/A%2FB%20C", vec![bob]),
        ("?first_name=Ann&first_name=Bob", "/first_name/Ann/first_name/Bob", vec![ann, bob]),
        ("?lat=5;>|9;<", "/lat/5;%3E%7C9;%3C", vec![bob]),
        ("?custom.score=7", "/custom.score/7", vec![bob]),
        ("?first_name[starts_with]=B", "/first_name[starts_with]/B", vec![bob]),
        ("?email[null]=true&limit=2;1", "/email[null]/true/limit/2;1", vec![bob, cid]),
        ("?_order=-id", "/_order/-id", vec![cid, bob, ann]),
    ] {
        assert_eq!(found(&client, query).await, expected, "{query}");
        assert_eq!(found(&client, path).await, expected, "{path}");
    }
    assert_eq!(found(&client, "").await, [ann, bob, cid], "without a filter, all");
    let some = client.get(&format!("{PATH}?_fields=first_name&id={bob}")).await.expect(200);
    assert_eq!(some["leads"], json!([{ "id": bob, "first_name": "Bob" }]));

    let faults = client.get(&format!("{PATH}/city/Bonn/country")).await.refused(400, "invalid_filter");
    assert!(faults[0].starts_with("\"path\" odd_segments"), "{faults:?}");
    let bad = "?id=x&lat=5;?&frist_name=A&limit=5000;0&first_name[like]=B";
    let faults = client.get(&format!("{PATH}{bad}")).await.refused(400, "invalid_filter");
    assert_eq!(faults.len(), 5, "all at once: {faults:?}");
    let extended = client.get(&format!("{PATH}?_campaigns=all&_fields=id,campaigns,city&id=x")).await;
    let only_extended = [
        "\"_campaigns\" not_available: expected no `_campaigns` for basic records, found one",
        "\"_fields\" not_available: expected members of a basic record, found `campaigns`",
    ];
    let faults = extended.refused(400, "invalid_filter");
    assert_eq!((&faults[..2], faults.len()), (&only_extended.map(str::to_owned)[..], 3), "{faults:?}");
    let faults = client.get(&format!("{PATH}/_fields/not_callable_reasons")).await.refused(400, "invalid_filter");
    assert!(faults[0].ends_with("found `not_callable_reasons`"), "{faults:?}");
    for encoding in ["?city=%ff", "?city=%2", "/city/%ff", "/%ff/x"] {
        client.get(&format!("{PATH}{encoding}")).await.refused(400, "invalid_parameter");
    }
    let long = format!("{PATH}?city={}", "x".repeat(17_000));
    client.get(&long).await.refused(414, "uri_too_long");
}
