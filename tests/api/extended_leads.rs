//! `PUT /api/leads/extended-data`: every form of the filter, its results, and the position of each fault.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, body};

const PATH: &str = "/api/leads/extended-data";

/// Empty list of lead ids.
const NONE: [i64; 0] = [];

async fn create(client: &Client, path: &str, new: Value) -> i64 {
    client.post(path, body(new)).await.expect(201)["id"].as_i64().unwrap()
}

async fn ask(client: &Client, filter: Value) -> Answer {
    client.put(PATH, body(filter)).await
}

/// Returns the ids that a filter matches.
async fn ids(client: &Client, filter: Value) -> Vec<i64> {
    let answer = ask(client, filter).await.expect(200);
    answer["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect()
}

/// Three leads in two campaigns: Ann in both, Bob in the second, Cid in none. The server stops when this is dropped.
struct World {
    server: Server,
    client: Client,
    ann: i64,
    bob: i64,
    cid: i64,
    solar: i64,
    night: i64,
}

async fn world() -> World {
    let server = Server::start().await;
    let client = server.admin();
    let solar = create(&client, "/api/campaigns", json!({ "name": "Solar" })).await;
    let night =
        create(&client, "/api/campaigns", json!({ "name": "Night desk", "active": false, "max_attempts": 3 })).await;
    let ann = json!({ "first_name": "Ann", "last_name": "Smith", "phone": "+1 212 555 0100", "country": "US", "lat": 40.71,
        "custom_fields": { "tier": "gold", "score": 5 } });
    let ann = create(&client, "/api/leads", ann).await;
    let bob =
        create(&client, "/api/leads", json!({ "first_name": "Bob", "phone": "12", "purchase_date": "2026-04-01" }))
            .await;
    let cid = create(&client, "/api/leads", json!({ "first_name": "Cid", "do_not_call": true })).await;
    server.advance(TimeDelta::hours(1));
    let lead = |lead_id: i64, campaign_id: i64, others: Value| {
        let mut new = json!({ "lead_id": lead_id, "campaign_id": campaign_id });
        others.as_object().unwrap().iter().for_each(|(name, value)| new[name] = value.clone());
        new
    };
    create(&client, "/api/campaign-leads", lead(ann, solar, json!({ "calls_count": 2, "weight": 10 }))).await;
    create(&client, "/api/campaign-leads", lead(ann, night, json!({ "status": "closed", "calls_count": 5 }))).await;
    let freeze = json!({ "status": "no_answer", "calls_count": 3, "freeze_until": server.now() + TimeDelta::hours(2) });
    create(&client, "/api/campaign-leads", lead(bob, night, freeze)).await;
    World { server, client, ann, bob, cid, solar, night }
}

#[tokio::test]
async fn documented_filter_forms_work() {
    let World { client, ann, bob, cid, night, server, .. } = world().await;
    assert_eq!(ids(&client, json!({ "limit": "200;0" })).await, [ann, bob, cid]);
    assert_eq!(ids(&client, json!({ "id": [bob, cid, 999] })).await, [bob, cid]);
    assert_eq!(
        ids(&client, json!({ "first_name": ["Ann", "Cid"], "campaign_id": night, "limit": "500;0" })).await,
        [ann]
    );
    let after = |hours: i64| (server.now() - TimeDelta::hours(hours)).format("%Y-%m-%d %H:%M:%S").to_string();
    let (before, between) = (after(2), (server.now() - TimeDelta::minutes(30)).format("%Y-%m-%d %H:%M:%S").to_string());
    assert_eq!(ids(&client, json!({ "updated_at": format!("{before};>|{between};<") })).await, [ann, bob, cid]);
    assert_eq!(ids(&client, json!({ "updated_at": format!("{between};>") })).await, NONE);
    assert_eq!(ids(&client, json!({ "campaign_updated_at": format!("{between};>") })).await, [ann, bob]);
    assert_eq!(ids(&client, json!({ "global_updated_at": format!("{between};>") })).await, [ann, bob]);
    assert_eq!(ids(&client, json!({ "global_updated_at": format!("{between};<") })).await, [cid]);
    assert_eq!(ids(&client, json!({ "id": [] })).await, NONE);
    assert_eq!(ids(&client, json!({ "last_name": null })).await, [bob, cid]);
    assert_eq!(ids(&client, json!({ "last_name": [null, "Smith"] })).await, [ann, bob, cid]);
}

#[tokio::test]
async fn filter_extensions_work() {
    let World { client, ann, bob, cid, server: _server, .. } = world().await;
    for (filter, expected) in [
        (json!({ "last_name": { "contains": "MI" } }), vec![ann]),
        (json!({ "calls_count": { "gte": 2, "lt": 5 } }), vec![ann, bob]),
        (json!({ "email": { "null": true } }), vec![ann, bob, cid]),
        (json!({ "status": { "not": ["closed", "new"] } }), vec![bob]),
        (json!({ "calls_count": "2;>=|4;<=" }), vec![ann, bob]),
        (json!({ "lat": 40.71 }), vec![ann]),
        (json!({ "purchase_date": "2026-04-01" }), vec![bob]),
        (json!({ "do_not_call": true }), vec![cid]),
        (json!({ "custom.tier": "gold" }), vec![ann]),
        (json!({ "custom.score": { "gt": 4 } }), vec![ann]),
        (json!({ "custom.score": "5" }), vec![]),
        (json!({ "_or": [{ "first_name": "Cid" }, { "status": "no_answer" }] }), vec![bob, cid]),
        (json!({ "_and": [{ "first_name": { "not": "Cid" } }, { "_or": [{ "id": cid }, { "id": ann }] }] }), vec![ann]),
        (json!({ "_order": ["-first_name"], "limit": "2;0" }), vec![cid, bob]),
    ] {
        assert_eq!(ids(&client, filter.clone()).await, expected, "{filter}");
    }
}

#[tokio::test]
async fn campaign_conditions_match_one_campaign_lead() {
    let World { client, ann, solar, night, server: _server, .. } = world().await;
    assert_eq!(ids(&client, json!({ "campaign_id": solar, "calls_count": 5 })).await, NONE);
    let shown = |answer: Value| -> Vec<i64> {
        answer["leads"][0]["campaigns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["campaign_id"].as_i64().unwrap())
            .collect()
    };
    let matching = ask(&client, json!({ "id": ann, "campaign_status": "closed" })).await.expect(200);
    assert_eq!(shown(matching), [night]);
    let all = ask(&client, json!({ "id": ann, "campaign_status": "closed", "_campaigns": "all" })).await.expect(200);
    assert_eq!(shown(all), [solar, night]);
}

#[tokio::test]
async fn lead_includes_campaigns_and_not_callable_reasons() {
    let World { client, ann, bob, cid, server, .. } = world().await;
    let answer = ask(&client, json!({ "limit": "200;0" })).await.expect(200);
    assert_eq!(answer["total_leads"], 3);
    let [in_both, in_night, in_none] = answer["leads"].as_array().unwrap().as_slice() else { panic!("{answer}") };
    assert_eq!([&in_both["id"], &in_night["id"], &in_none["id"]], [&json!(ann), &json!(bob), &json!(cid)]);

    let codes = |reasons: &Value| -> BTreeSet<String> {
        reasons.as_array().unwrap().iter().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect()
    };
    let solar = &in_both["campaigns"][0];
    assert_eq!((&solar["callable"], &solar["not_callable_reasons"]), (&json!(true), &json!([])));
    assert_eq!(
        (&solar["campaign_name"], &solar["weight"], &solar["calls_count"]),
        (&json!("Solar"), &json!(10), &json!(2))
    );
    let closed = &in_both["campaigns"][1];
    assert_eq!(closed["callable"], false);
    let expected = ["attempt_limit", "campaign_inactive", "status_not_dialable"].map(str::to_owned).into();
    assert_eq!(codes(&closed["not_callable_reasons"]), expected);

    let frozen = &in_night["campaigns"][0];
    let expected = ["attempt_limit", "campaign_inactive", "frozen", "invalid_phone"].map(str::to_owned).into();
    assert_eq!(codes(&frozen["not_callable_reasons"]), expected);
    let freeze =
        frozen["not_callable_reasons"].as_array().unwrap().iter().find(|reason| reason["code"] == "frozen").unwrap();
    let until: chrono::DateTime<chrono::Utc> = freeze["until"].as_str().unwrap().parse().unwrap();
    assert_eq!(until, server.now() + TimeDelta::hours(2));

    let expected = ["do_not_call", "no_phone", "not_in_campaign"].map(str::to_owned).into();
    assert_eq!(codes(&in_none["not_callable_reasons"]), expected);
    assert_eq!(in_none["campaigns"], json!([]));
}

#[tokio::test]
async fn total_counts_all_matches_on_every_page() {
    let World { client, ann, bob, cid, server: _server, .. } = world().await;
    for (limit, page) in
        [("2;0", vec![ann, bob]), ("2;2", vec![cid]), ("2;4", vec![]), ("0;0", vec![]), ("1000;0", vec![ann, bob, cid])]
    {
        let answer = ask(&client, json!({ "limit": limit })).await.expect(200);
        assert_eq!(answer["total_leads"], 3, "{limit}");
        let found: Vec<_> =
            answer["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
        assert_eq!(found, page, "{limit}");
    }
}

#[tokio::test]
async fn fields_select_the_returned_columns() {
    let World { client, ann, server: _server, .. } = world().await;
    let answer = ask(&client, json!({ "id": ann, "_fields": ["first_name", "campaigns"] })).await.expect(200);
    let members: BTreeSet<_> = answer["leads"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, BTreeSet::from(["id", "first_name", "campaigns"]));
    let refused = ask(&client, json!({ "id": ann, "_fields": ["first_nam"] })).await;
    let faults = refused.refused(400, "invalid_filter");
    assert_eq!(faults, ["\"/_fields/0\" unknown_field: expected a member of an answered lead, found `first_nam`"]);
}

#[tokio::test]
async fn cursor_neither_skips_nor_repeats_rows_during_changes() {
    let server = Server::start().await;
    let client = server.admin();
    let mut all = Vec::new();
    for n in 0..25 {
        all.push(create(&client, "/api/leads", json!({ "first_name": format!("n{n}"), "city": "Bonn" })).await);
    }
    let mut seen = Vec::new();
    let mut cursor = json!("");
    let mut pages = 0;
    loop {
        let answer = ask(&client, json!({ "city": "Bonn", "limit": "4;0", "_cursor": cursor })).await.expect(200);
        let page: Vec<_> =
            answer["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
        seen.extend(&page);
        pages += 1;
        // Deletes a row of the first page. With an offset, the next page would skip a row.
        client.delete(&format!("/api/leads/{}", page[0])).await;
        create(&client, "/api/leads", json!({ "first_name": "late", "city": "Köln" })).await;
        match answer.get("next_cursor") {
            Some(next) => cursor = next.clone(),
            None => break,
        }
    }
    assert_eq!((seen, pages), (all, 7));
    for bad in ["nonsense", "eyJ9"] {
        let refused = ask(&client, json!({ "city": "Bonn", "_cursor": bad })).await;
        let faults = refused.refused(400, "invalid_filter");
        assert!(faults[0].starts_with("\"/_cursor\" invalid_cursor"), "{faults:?}");
    }
}

#[tokio::test]
async fn rejects_empty_filter_bodies() {
    let server = Server::start().await;
    let client = server.admin();
    for empty in ["", " ", "\n\t ", "null", "[]", "{}", " {} "] {
        let answer = client.put(PATH, empty).await;
        let faults = answer.refused(400, "invalid_filter");
        assert_eq!(faults.len(), 1, "{empty:?}: {faults:?}");
        assert!(faults[0].starts_with("\"\" "), "{empty:?}: {faults:?}");
    }
}

#[tokio::test]
async fn rejects_limits_out_of_range() {
    let server = Server::start().await;
    let client = server.admin();
    for limit in [
        "",
        ";",
        "10",
        "10;",
        ";0",
        "10;0;0",
        "-1;0",
        "+1;0",
        " 10;0",
        "10; 0",
        "1e2;0",
        "1001;0",
        "10;-1",
        "10,0",
        "٣;0",
        "99999999999999999999;0",
        "1;99999999999999999999",
    ] {
        let faults = ask(&client, json!({ "limit": limit })).await.refused(400, "invalid_filter");
        assert!(
            !faults.is_empty() && faults.iter().all(|fault| fault.starts_with("\"/limit\"")),
            "{limit:?}: {faults:?}"
        );
    }
    for limit in [json!(10), json!(["10;0"]), json!(null), json!({ "count": 1 })] {
        let faults = ask(&client, json!({ "limit": limit })).await.refused(400, "invalid_filter");
        assert!(faults[0].starts_with("\"/limit\" wrong_type"), "{limit}: {faults:?}");
    }
    let faults = ask(&client, json!({ "limit": "1001;0" })).await.refused(400, "invalid_filter");
    assert_eq!(faults, ["\"/limit\" out_of_range 0..4: expected a count from 0 to 1000, found `1001`"]);
}

#[tokio::test]
async fn faults_point_at_their_characters() {
    let server = Server::start().await;
    let client = server.admin();
    for (filter, expected) in [
        (
            r#"{"first_nam":"Ann"}"#,
            "\"/first_nam\" unknown_key: expected a field of leads or campaign leads, found `first_nam`",
        ),
        (r#"{"id":"5"}"#, "\"/id\" wrong_type: expected an integer, found \"5\""),
        (r#"{"id":1.0}"#, "\"/id\" wrong_type: expected an integer, found 1.0"),
        (r#"{"id":1e2}"#, "\"/id\" wrong_type: expected an integer, found 1e2"),
        (r#"{"id":[1,"2"]}"#, "\"/id/1\" wrong_type: expected an integer, found \"2\""),
        (r#"{"first_name":5}"#, "\"/first_name\" wrong_type: expected a string, found 5"),
        (r#"{"do_not_call":"true"}"#, "\"/do_not_call\" wrong_type: expected `true` or `false`, found \"true\""),
        (
            r#"{"updated_at":"2026-05-01 09:30:00;>|2026-02-30 00:00:00;<"}"#,
            "\"/updated_at\" no_such_time 30..32: there is no day 30 in February 2026",
        ),
        (
            r#"{"updated_at":"2026-05-01 09:30:00;=>"}"#,
            "\"/updated_at\" invalid_expression 20..22: expected an operator (>, <, >=, <=, = or !=), found `=>`",
        ),
        (
            r#"{"calls_count":"1;>|5;<|3;!="}"#,
            "\"/calls_count\" invalid_expression 8..12: expected at most two expressions joined by `|`, found 3",
        ),
        (
            r#"{"id":{"contains":"5"}}"#,
            "\"/id/contains\" operator_not_applicable: expected an operator for `id` (eq, not, in, gt, gte, lt, lte or null), found `contains`",
        ),
        (r#"{"id":1,"id":2}"#, "\"/id\" duplicate_key: expected each key once, found `id` again"),
        ("{\"first_name\":\"a\\u0000b\"}", "\"/first_name\" nul_character: expected no U+0000 in a string, found one"),
    ] {
        let faults = client.put(PATH, filter).await.refused(400, "invalid_filter");
        assert_eq!(faults, [expected], "{filter}");
    }
    let hint = client.put(PATH, r#"{"first_nam":"Ann"}"#).await.expect(400);
    assert_eq!(hint["errors"][0]["suggestion"]["detail"], "did you mean `first_name`?");
}

#[tokio::test]
async fn reports_all_filter_faults() {
    let server = Server::start().await;
    let filter =
        r#"{"id":"x","updated_at":"now","limit":"5000;0","_order":["nme"],"_campaigns":"some","frist_name":"A"}"#;
    let answer = server.admin().put(PATH, filter).await;
    answer.refused(400, "invalid_filter");
    let places: Vec<_> = answer.json()["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| fault["pointer"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(places, ["/id", "/updated_at", "/limit", "/_order/0", "/_campaigns", "/frist_name"]);
}

#[tokio::test]
async fn rejects_bodies_that_are_not_filters() {
    let server = Server::start().await;
    let client = server.admin();
    let deep = format!("{}{}", r#"{"_or":["#.repeat(50_000), "]}".repeat(50_000));
    let many = format!(r#"{{"id":[{}]}}"#, vec!["1"; 200_000].join(","));
    for bad in [
        "5",
        "\"x\"",
        "[1]",
        "{",
        "{\"id\":1",
        "{\"id\":1,}",
        "{\"id\":01}",
        "{'id':1}",
        "{\"id\":1}x",
        "\u{feff}{}",
        "{\"a\":\"\\ud800\"}",
        &deep,
        &many,
    ] {
        client.put(PATH, bad).await.refused(400, "invalid_filter");
    }
    client.put(PATH, b"{\"first_name\":\"\xff\"}".to_vec()).await.expect(400);
    client.put(PATH, vec![b' '; 2 * 1024 * 1024]).await.refused(413, "body_too_large");
    client
        .with_header("content-type", "text/csv")
        .put(PATH, r#"{"id":1}"#)
        .await
        .refused(415, "unsupported_media_type");
    client.post(PATH, r#"{"id":1}"#).await.refused(405, "method_not_allowed");
}

#[tokio::test]
async fn lead_search_requires_credentials_and_permission() {
    let server = Server::start().await;
    let filter = r#"{"limit":"1;0"}"#;
    server.anonymous().put(PATH, filter).await.refused(401, "unauthenticated");
    server.with_scopes(&["calls:read"]).await.put(PATH, filter).await.refused(403, "forbidden");
    server.with_scopes(&["leads:read"]).await.put(PATH, filter).await.expect(200);
    server.with_scopes(&["admin"]).await.put(PATH, filter).await.expect(200);
}

#[tokio::test]
async fn basic_records_accept_equal_keys_in_query_and_path() {
    let World { client, ann, bob, cid, server: _server, .. } = world().await;
    for path in [
        "/api/leads?first_name=Ann&first_name=Cid&limit=500;0",
        "/api/leads?id=1&id=3",
        "/api/leads/limit/500;0/first_name/Ann/first_name/Cid",
        "/api/leads?first_name[not]=Bob",
    ] {
        let answer = client.get(path).await.expect(200);
        let found: Vec<_> =
            answer["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
        assert_eq!((found, &answer["total_leads"]), (vec![ann, cid], &json!(2)), "{path}");
    }
    let all = client.get("/api/leads/limit/500;0/created_at/2001-12-21%2013:15:11;%3E").await.expect(200);
    assert_eq!(all["total_leads"], 3);
    assert_eq!(all["leads"][1]["id"], bob);
    // Query values are untyped, so a custom field that is a number is found by its text.
    let scored = client.get("/api/leads?custom.score=5").await.expect(200);
    assert_eq!((&scored["total_leads"], &scored["leads"][0]["id"]), (&json!(1), &json!(ann)));
    let faults = client.get("/api/leads?calls_cuont=5").await.refused(400, "invalid_filter");
    assert_eq!(
        faults,
        ["\"calls_cuont\" unknown_key: expected a field of leads or campaign leads, found `calls_cuont`"]
    );
}
