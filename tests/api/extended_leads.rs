//! `PUT /api/leads/extended-data`: every form of the filter, its results, and the position of each diagnostic.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::harness::{Client, Response, Server, body};

const PATH: &str = "/api/leads/extended-data";

/// Empty list of lead ids.
const NO_LEADS: [i64; 0] = [];

async fn create(client: &Client, path: &str, request: Value) -> i64 {
    client.post(path, body(request)).await.expect(201)["id"].as_i64().unwrap()
}

async fn search(client: &Client, filter: Value) -> Response {
    client.put(PATH, body(filter)).await
}

/// Returns the ids that a filter matches.
async fn matching_ids(client: &Client, filter: Value) -> Vec<i64> {
    let response = search(client, filter).await.expect(200);
    response["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect()
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
    let campaign_lead = |lead_id: i64, campaign_id: i64, fields: Value| {
        let mut request = json!({ "lead_id": lead_id, "campaign_id": campaign_id });
        fields.as_object().unwrap().iter().for_each(|(name, value)| request[name] = value.clone());
        request
    };
    create(&client, "/api/campaign-leads", campaign_lead(ann, solar, json!({ "calls_count": 2, "weight": 10 }))).await;
    create(&client, "/api/campaign-leads", campaign_lead(ann, night, json!({ "status": "closed", "calls_count": 5 })))
        .await;
    let frozen_fields =
        json!({ "status": "no_answer", "calls_count": 3, "freeze_until": server.now() + TimeDelta::hours(2) });
    create(&client, "/api/campaign-leads", campaign_lead(bob, night, frozen_fields)).await;
    TestData { server, client, ann, bob, cid, solar, night }
}

#[tokio::test]
async fn documented_filter_forms_work() {
    let TestData { client, ann, bob, cid, night, server, .. } = create_test_data().await;
    assert_eq!(matching_ids(&client, json!({ "limit": "200;0" })).await, [ann, bob, cid]);
    assert_eq!(matching_ids(&client, json!({ "id": [bob, cid, 999] })).await, [bob, cid]);
    assert_eq!(
        matching_ids(&client, json!({ "first_name": ["Ann", "Cid"], "campaign_id": night, "limit": "500;0" })).await,
        [ann]
    );
    let hours_ago = |hours: i64| (server.now() - TimeDelta::hours(hours)).format("%Y-%m-%d %H:%M:%S").to_string();
    let (before_creation, after_creation) =
        (hours_ago(2), (server.now() - TimeDelta::minutes(30)).format("%Y-%m-%d %H:%M:%S").to_string());
    assert_eq!(
        matching_ids(&client, json!({ "updated_at": format!("{before_creation};>|{after_creation};<") })).await,
        [ann, bob, cid]
    );
    assert_eq!(matching_ids(&client, json!({ "updated_at": format!("{after_creation};>") })).await, NO_LEADS);
    assert_eq!(
        matching_ids(&client, json!({ "campaign_updated_at": format!("{after_creation};>") })).await,
        [ann, bob]
    );
    assert_eq!(matching_ids(&client, json!({ "global_updated_at": format!("{after_creation};>") })).await, [ann, bob]);
    assert_eq!(matching_ids(&client, json!({ "global_updated_at": format!("{after_creation};<") })).await, [cid]);
    assert_eq!(matching_ids(&client, json!({ "id": [] })).await, NO_LEADS);
    assert_eq!(matching_ids(&client, json!({ "last_name": null })).await, [bob, cid]);
    assert_eq!(matching_ids(&client, json!({ "last_name": [null, "Smith"] })).await, [ann, bob, cid]);
}

#[tokio::test]
async fn filter_extensions_work() {
    let TestData { client, ann, bob, cid, server: _server, .. } = create_test_data().await;
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
        assert_eq!(matching_ids(&client, filter.clone()).await, expected, "{filter}");
    }
}

#[tokio::test]
async fn campaign_conditions_match_one_campaign_lead() {
    let TestData { client, ann, solar, night, server: _server, .. } = create_test_data().await;
    assert_eq!(matching_ids(&client, json!({ "campaign_id": solar, "calls_count": 5 })).await, NO_LEADS);
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
async fn total_counts_all_matches_on_every_page() {
    let TestData { client, ann, bob, cid, server: _server, .. } = create_test_data().await;
    for (limit, expected_ids) in
        [("2;0", vec![ann, bob]), ("2;2", vec![cid]), ("2;4", vec![]), ("0;0", vec![]), ("1000;0", vec![ann, bob, cid])]
    {
        let response = search(&client, json!({ "limit": limit })).await.expect(200);
        assert_eq!(response["total_leads"], 3, "{limit}");
        let page_ids: Vec<_> =
            response["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
        assert_eq!(page_ids, expected_ids, "{limit}");
    }
}

#[tokio::test]
async fn fields_select_the_returned_columns() {
    let TestData { client, ann, server: _server, .. } = create_test_data().await;
    let response = search(&client, json!({ "id": ann, "_fields": ["first_name", "campaigns"] })).await.expect(200);
    let members: BTreeSet<_> = response["leads"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, BTreeSet::from(["id", "first_name", "campaigns"]));
    let error_response = search(&client, json!({ "id": ann, "_fields": ["first_nam"] })).await;
    let diagnostics = error_response.expect_problem(400, "invalid_filter");
    assert_eq!(
        diagnostics,
        ["\"/_fields/0\" unknown_field: expected a member of the returned leads, found `first_nam`"]
    );
}

#[tokio::test]
async fn cursor_neither_skips_nor_repeats_rows_during_changes() {
    let server = Server::start().await;
    let client = server.admin();
    let mut created_ids = Vec::new();
    for n in 0..25 {
        created_ids.push(create(&client, "/api/leads", json!({ "first_name": format!("n{n}"), "city": "Bonn" })).await);
    }
    let mut seen = Vec::new();
    let mut cursor = json!("");
    let mut pages = 0;
    loop {
        let response = search(&client, json!({ "city": "Bonn", "limit": "4;0", "_cursor": cursor })).await.expect(200);
        let page: Vec<_> =
            response["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
        seen.extend(&page);
        pages += 1;
        // Deletes a row of the first page. With an offset, the next page would skip a row.
        client.delete(&format!("/api/leads/{}", page[0])).await;
        create(&client, "/api/leads", json!({ "first_name": "late", "city": "Köln" })).await;
        match response.get("next_cursor") {
            Some(next) => cursor = next.clone(),
            None => break,
        }
    }
    assert_eq!((seen, pages), (created_ids, 7));
    for invalid_cursor in ["nonsense", "eyJ9"] {
        let error_response = search(&client, json!({ "city": "Bonn", "_cursor": invalid_cursor })).await;
        let diagnostics = error_response.expect_problem(400, "invalid_filter");
        assert!(diagnostics[0].starts_with("\"/_cursor\" invalid_cursor"), "{diagnostics:?}");
    }
}

#[tokio::test]
async fn rejects_empty_filter_bodies() {
    let server = Server::start().await;
    let client = server.admin();
    for empty in ["", " ", "\n\t ", "null", "[]", "{}", " {} "] {
        let response = client.put(PATH, empty).await;
        let diagnostics = response.expect_problem(400, "invalid_filter");
        assert_eq!(diagnostics.len(), 1, "{empty:?}: {diagnostics:?}");
        assert!(diagnostics[0].starts_with("\"\" "), "{empty:?}: {diagnostics:?}");
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
        let diagnostics = search(&client, json!({ "limit": limit })).await.expect_problem(400, "invalid_filter");
        assert!(
            !diagnostics.is_empty() && diagnostics.iter().all(|diagnostic| diagnostic.starts_with("\"/limit\"")),
            "{limit:?}: {diagnostics:?}"
        );
    }
    for limit in [json!(10), json!(["10;0"]), json!(null), json!({ "count": 1 })] {
        let diagnostics = search(&client, json!({ "limit": limit })).await.expect_problem(400, "invalid_filter");
        assert!(diagnostics[0].starts_with("\"/limit\" wrong_type"), "{limit}: {diagnostics:?}");
    }
    let diagnostics = search(&client, json!({ "limit": "1001;0" })).await.expect_problem(400, "invalid_filter");
    assert_eq!(diagnostics, ["\"/limit\" out_of_range 0..4: expected a count from 0 to 1000, found `1001`"]);
}

#[tokio::test]
async fn diagnostics_have_character_ranges() {
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
        (r#"{"id":1,"id":2}"#, "\"/id\" duplicate_key: the key `id` is repeated"),
        ("{\"first_name\":\"a\\u0000b\"}", "\"/first_name\" nul_character: expected no U+0000 in a string, found one"),
    ] {
        let diagnostics = client.put(PATH, filter).await.expect_problem(400, "invalid_filter");
        assert_eq!(diagnostics, [expected], "{filter}");
    }
    let problem = client.put(PATH, r#"{"first_nam":"Ann"}"#).await.expect(400);
    assert_eq!(problem["errors"][0]["suggestion"]["detail"], "did you mean `first_name`?");
}

#[tokio::test]
async fn reports_all_filter_errors() {
    let server = Server::start().await;
    let filter =
        r#"{"id":"x","updated_at":"now","limit":"5000;0","_order":["nme"],"_campaigns":"some","frist_name":"A"}"#;
    let response = server.admin().put(PATH, filter).await;
    response.expect_problem(400, "invalid_filter");
    let locations: Vec<_> = response.json()["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|diagnostic| diagnostic["pointer"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(locations, ["/id", "/updated_at", "/limit", "/_order/0", "/_campaigns", "/frist_name"]);
}

#[tokio::test]
async fn rejects_bodies_that_are_not_filters() {
    let server = Server::start().await;
    let client = server.admin();
    let deeply_nested = format!("{}{}", r#"{"_or":["#.repeat(50_000), "]}".repeat(50_000));
    let many_values = format!(r#"{{"id":[{}]}}"#, vec!["1"; 200_000].join(","));
    for invalid_body in [
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
        &deeply_nested,
        &many_values,
    ] {
        client.put(PATH, invalid_body).await.expect_problem(400, "invalid_filter");
    }
    client.put(PATH, b"{\"first_name\":\"\xff\"}".to_vec()).await.expect(400);
    client.put(PATH, vec![b' '; 2 * 1024 * 1024]).await.expect_problem(413, "body_too_large");
    client
        .with_header("content-type", "text/csv")
        .put(PATH, r#"{"id":1}"#)
        .await
        .expect_problem(415, "unsupported_media_type");
    client.post(PATH, r#"{"id":1}"#).await.expect_problem(405, "method_not_allowed");
}

#[tokio::test]
async fn lead_search_requires_credentials_and_permission() {
    let server = Server::start().await;
    let filter = r#"{"limit":"1;0"}"#;
    server.anonymous().put(PATH, filter).await.expect_problem(401, "unauthenticated");
    server.client_with_scopes(&["calls:read"]).await.put(PATH, filter).await.expect_problem(403, "forbidden");
    server.client_with_scopes(&["leads:read"]).await.put(PATH, filter).await.expect(200);
    server.client_with_scopes(&["admin"]).await.put(PATH, filter).await.expect(200);
}

#[tokio::test]
async fn basic_records_accept_equal_keys_in_query_and_path() {
    let TestData { client, ann, bob, cid, server: _server, .. } = create_test_data().await;
    for path in [
        "/api/leads?first_name=Ann&first_name=Cid&limit=500;0",
        "/api/leads?id=1&id=3",
        "/api/leads/limit/500;0/first_name/Ann/first_name/Cid",
        "/api/leads?first_name[not]=Bob",
    ] {
        let response = client.get(path).await.expect(200);
        let page_ids: Vec<_> =
            response["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
        assert_eq!((page_ids, &response["total_leads"]), (vec![ann, cid], &json!(2)), "{path}");
    }
    let unfiltered = client.get("/api/leads/limit/500;0/created_at/2001-12-21%2013:15:11;%3E").await.expect(200);
    assert_eq!(unfiltered["total_leads"], 3);
    assert_eq!(unfiltered["leads"][1]["id"], bob);
    // Query values are untyped, so a custom field that is a number is found by its text.
    let by_score = client.get("/api/leads?custom.score=5").await.expect(200);
    assert_eq!((&by_score["total_leads"], &by_score["leads"][0]["id"]), (&json!(1), &json!(ann)));
    let diagnostics = client.get("/api/leads?calls_cuont=5").await.expect_problem(400, "invalid_filter");
    assert_eq!(
        diagnostics,
        ["\"calls_cuont\" unknown_key: expected a field of leads or campaign leads, found `calls_cuont`"]
    );
}
