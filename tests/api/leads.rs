//! `/api/leads`: single leads, and searches with the filter in the query or the path.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::harness::{Client, Server, body};

const PATH: &str = "/api/leads";

async fn matching_ids(client: &Client, target: &str) -> Vec<i64> {
    let page = client.get(&format!("{PATH}{target}")).await.expect(200);
    page["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn lead_can_be_created_read_changed_and_deleted() {
    let (server, client) = Server::start_with_admin().await;
    let lead = json!({ "first_name": "Ann", "email": "ann@example.com", "lat": -33.9, "purchase_date": "2026-04-01",
        "custom_fields": { "tier": "gold", "score": 5, "vip": true, "rate": 0.5 } });
    let response = client.post(PATH, body(lead)).await;
    let created = response.expect(201);
    let path = response.header("location").unwrap().to_owned();
    assert_eq!(created["custom_fields"], json!({ "tier": "gold", "score": 5, "vip": true, "rate": 0.5 }));
    assert_eq!((&created["do_not_call"], &created["last_name"]), (&json!(false), &Value::Null));

    let stored = client.get(&path).await.expect(200);
    for (member, value) in created.as_object().unwrap() {
        assert_eq!(&stored[member], value, "{member}");
    }
    assert_eq!(stored["campaigns"], json!([]));
    assert!(stored["not_callable_reasons"].to_string().contains("not_in_campaign"), "{stored}");

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
    client.patch(&path, r#"{"city":"Bonn"}"#).await.expect_problem(404, "not_found");
    // Changing the phone number reads the stored lead first, which is missing.
    client.patch(&path, r#"{"phone":"030 123456"}"#).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn empty_cursor_returns_the_first_page() {
    let (_server, client) = Server::start_with_admin().await;
    for name in ["Ann", "Bob", "Cid"] {
        client.create(PATH, json!({ "first_name": name })).await;
    }
    let first = client.get(&format!("{PATH}?_cursor=&limit=2;0")).await.expect(200);
    let next_cursor = first["next_cursor"].as_str().unwrap();
    assert_eq!(matching_ids(&client, "?_cursor=&limit=2;0").await, [1, 2]);
    assert_eq!(matching_ids(&client, &format!("?_cursor={next_cursor}&limit=2;0")).await, [3]);
}

#[tokio::test]
async fn phone_numbers_are_normalized_by_country() {
    let (_server, client) = Server::start_with_admin().await;
    let created =
        client.post(PATH, r#"{"phone":"020 7946 0018","phone2":"nonsense","country":"GB"}"#).await.expect(201);
    let path = format!("{PATH}/{}", created["id"]);
    assert_eq!(
        [&created["phone"], &created["phone_normalized"], &created["phone_normalized2"]],
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
    // A normalized number in the request is stored unchanged.
    let changed_normalized =
        client.patch(&path, r#"{"phone":"x","phone_normalized":"+33123456789"}"#).await.expect(200);
    assert_eq!(changed_normalized["phone_normalized"], "+33123456789");
    let diagnostics =
        client.patch(&path, r#"{"phone_normalized":"0331"}"#).await.expect_problem(400, "invalid_request");
    assert!(diagnostics[0].starts_with("\"/phone_normalized\" invalid_phone_number"), "{diagnostics:?}");
}

#[tokio::test]
async fn default_country_normalizes_numbers() {
    let server = Server::start_configured(|config| config.leads.default_country = "GB".parse().unwrap()).await;
    let created = server.admin().post(PATH, r#"{"phone":"020 7946 0018"}"#).await.expect(201);
    assert_eq!(created["phone_normalized"], "+442079460018");
}

#[tokio::test]
async fn rejects_read_only_members_by_name() {
    let (_server, client) = Server::start_with_admin().await;
    let id = client.create(PATH, json!({ "first_name": "Ann" })).await;
    let path = format!("{PATH}/{id}");
    for (member, value) in [
        ("id", json!(9)),
        ("created_at", json!("2026-05-01T00:00:00Z")),
        ("updated_at", json!("2026-05-01T00:00:00Z")),
        ("global_updated_at", json!("2026-05-01T00:00:00Z")),
    ] {
        let response = client.patch(&path, body(json!({ member: value, "city": "Bonn" }))).await;
        let diagnostics = response.expect_problem(400, "invalid_request");
        assert!(
            diagnostics.len() == 1 && diagnostics[0].starts_with(&format!("\"/{member}\" read_only")),
            "{diagnostics:?}"
        );
    }
    assert_eq!(client.get(&path).await.expect(200)["city"], Value::Null, "a rejected change has no effect");
}

#[tokio::test]
async fn reports_all_errors_of_a_lead() {
    let server = Server::start().await;
    let too_long = "x".repeat(201);
    let invalid_lead = json!({ "first_name": too_long, "email": "ann", "timezone": "Europe/Berln", "lat": 91, "birthdate": "2026-02-30",
        "do_not_call": null, "custom_fields": { "card_number": "4111", "list": [1] }, "frist_name": "A" });
    let response = server.admin().post(PATH, body(invalid_lead)).await;
    response.expect_problem(400, "invalid_request");
    let problem = response.json();
    let mut pointers: Vec<_> = problem["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|diagnostic| diagnostic["pointer"].as_str().unwrap())
        .collect();
    pointers.sort_unstable();
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
    assert_eq!(pointers, expected);
    assert!(
        response.text().contains("did you mean `Europe/Berlin`?")
            && response.text().contains("did you mean `first_name`?")
    );
}

#[tokio::test]
async fn chosen_ids_are_unique() {
    let (_server, client) = Server::start_with_admin().await;
    assert_eq!(client.create(PATH, json!({ "id": 4711, "first_name": "Ann" })).await, 4711);
    client.post(PATH, r#"{"id":4711,"first_name":"Bob"}"#).await.expect_problem(409, "conflict");
    assert_eq!(client.create(PATH, json!({ "first_name": "Cid" })).await, 4712);
    // Ids assigned after the largest chosen one are still in the range that a body accepts.
    let largest = 9_000_000_000_000_000_i64;
    client.create(PATH, json!({ "id": largest, "first_name": "Last" })).await;
    assert_eq!(client.create(PATH, json!({ "first_name": "Later" })).await, largest + 1);
    for id in [largest + 1, (1 << 53) - 1, i64::MAX] {
        let diagnostics = client
            .post(PATH, body(json!({ "id": id, "first_name": "Late" })))
            .await
            .expect_problem(400, "invalid_request");
        assert!(diagnostics[0].starts_with("\"/id\" out_of_range"), "{diagnostics:?}");
    }
}

#[tokio::test]
async fn query_and_path_are_filters() {
    let (_server, client) = Server::start_with_admin().await;
    let mut ids = Vec::new();
    for (name, city, score) in [("Ann", "Bonn", 5), ("Bob", "A/B C", 7), ("Cid", "Bonn", 9)] {
        let lead = json!({ "first_name": name, "city": city, "lat": score, "custom_fields": { "score": score } });
        ids.push(client.create(PATH, lead).await);
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
        assert_eq!(matching_ids(&client, query).await, expected, "{query}");
        assert_eq!(matching_ids(&client, path).await, expected, "{path}");
    }
    assert_eq!(matching_ids(&client, "").await, [ann, bob, cid], "all leads without a filter");
    let selected_fields = client.get(&format!("{PATH}?_fields=first_name&id={bob}")).await.expect(200);
    assert_eq!(selected_fields["leads"], json!([{ "id": bob, "first_name": "Bob" }]));

    let diagnostics = client.get(&format!("{PATH}/city/Bonn/country")).await.expect_problem(400, "invalid_filter");
    assert!(diagnostics[0].starts_with("\"path\" missing_value"), "{diagnostics:?}");
    let invalid_query = "?id=x&lat=5;?&frist_name=A&limit=5000;0&first_name[like]=B";
    let diagnostics = client.get(&format!("{PATH}{invalid_query}")).await.expect_problem(400, "invalid_filter");
    assert_eq!(diagnostics.len(), 5, "all errors are reported together: {diagnostics:?}");
    let extended_query = client.get(&format!("{PATH}?_campaigns=all&_fields=id,campaigns,city&id=x")).await;
    let expected_diagnostics = [
        "\"_campaigns\" not_available: basic records have no `_campaigns`",
        "\"_fields\" not_available: basic records have no `campaigns`",
    ];
    let diagnostics = extended_query.expect_problem(400, "invalid_filter");
    assert_eq!(
        (&diagnostics[..2], diagnostics.len()),
        (&expected_diagnostics.map(str::to_owned)[..], 3),
        "{diagnostics:?}"
    );
    let diagnostics =
        client.get(&format!("{PATH}/_fields/not_callable_reasons")).await.expect_problem(400, "invalid_filter");
    assert!(diagnostics[0].starts_with("\"_fields\" not_available"), "{diagnostics:?}");
    for encoding in ["?city=%ff", "?city=%2", "/city/%ff", "/%ff/x"] {
        client.get(&format!("{PATH}{encoding}")).await.expect_problem(400, "invalid_parameter");
    }
    let long_path = format!("{PATH}?city={}", "x".repeat(17_000));
    client.get(&long_path).await.expect_problem(414, "uri_too_long");
}

#[tokio::test]
async fn leads_are_upserted_by_identifier() {
    let (server, client) = Server::start_with_admin().await;
    let path = format!("{PATH}/by-identifier/crm%2F7");
    let response = client.put(&path, r#"{"city":"Bonn","phone":"030 901820","country":"DE"}"#).await;
    let created = response.expect(201);
    assert_eq!(response.header("location"), Some(format!("{PATH}/{}", created["id"]).as_str()));
    assert_eq!(
        (&created["original_identifier"], &created["phone_normalized"]),
        (&json!("crm/7"), &json!("+4930901820"))
    );
    server.advance(TimeDelta::minutes(5));
    let response = client.put(&path, r#"{"city":"Ulm","original_identifier":"crm/7"}"#).await;
    let changed = response.expect(200);
    assert_eq!((&changed["id"], &changed["city"], &changed["country"]), (&created["id"], &json!("Ulm"), &json!("DE")));
    assert_eq!(client.put(&path, r#"{"city":"Ulm"}"#).await.expect(200), changed, "nothing changes");
    let etag = response.header("etag").unwrap();
    client.with_header("if-match", etag).put(&path, r#"{"city":"Rome"}"#).await.expect(200);
    server.advance(TimeDelta::minutes(5));
    client.put(&path, r#"{"city":"Paris"}"#).await.expect(200);
    client
        .with_header("if-match", etag)
        .put(&path, r#"{"city":"Bonn"}"#)
        .await
        .expect_problem(412, "precondition_failed");
    let missing = format!("{PATH}/by-identifier/new");
    client
        .with_header("if-match", etag)
        .put(&missing, r#"{"city":"Bonn"}"#)
        .await
        .expect_problem(412, "precondition_failed");
    let errors = client.put(&path, r#"{"original_identifier":"other"}"#).await.expect_problem(400, "invalid_request");
    assert_eq!(errors, ["\"/original_identifier\" not_permitted: the path names the identifier `crm/7`"]);
    let too_long = format!("{PATH}/by-identifier/{}", "x".repeat(500));
    let errors = client.put(&too_long, r#"{"city":"Bonn"}"#).await.expect_problem(400, "invalid_request");
    assert!(errors[0].starts_with("\"original_identifier\" "), "{errors:?}");
}

#[tokio::test]
async fn concurrent_upserts_create_one_lead() {
    let (_server, client) = Server::start_with_admin().await;
    let path = format!("{PATH}/by-identifier/a");
    let upserts = (0..8).map(|number| client.put(&path, format!(r#"{{"zip":"{number}"}}"#)));
    let responses = futures::future::join_all(upserts).await;
    let mut statuses: Vec<_> = responses.iter().map(|response| response.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 200, 201]);
    assert_eq!(client.get(PATH).await.expect(200)["total_leads"], 1);
}

#[tokio::test]
async fn original_identifiers_are_unique() {
    let (_server, client) = Server::start_with_admin().await;
    let first = client.create(PATH, json!({ "original_identifier": "a" })).await;
    let taken = [format!("\"/original_identifier\" taken: identifier `a` is already used by lead {first}")];
    assert_eq!(client.post(PATH, r#"{"original_identifier":"a"}"#).await.expect_problem(409, "conflict"), taken);
    let other = client.create(PATH, json!({ "original_identifier": "b" })).await;
    let other_path = format!("{PATH}/{other}");
    assert_eq!(
        client.patch(&other_path, r#"{"original_identifier":"a"}"#).await.expect_problem(409, "conflict"),
        taken
    );
    let file = format!("id,original_identifier\n70,a\n{other},a\n71,c\n");
    let import = client.import_leads("leads.csv", file).await;
    assert_eq!((&import["counts"]["inserted"], &import["counts"]["rejected"]), (&json!(1), &json!(2)));
    let twice = r#"[{"original_identifier":"d","id":80},{"id":80},{"original_identifier":"d"}]"#;
    let errors = client.post(PATH, twice).await.expect_problem(400, "invalid_request");
    assert_eq!(
        errors,
        [
            "\"/1/id\" duplicate: lead 0 of the array has the same `id`",
            "\"/2/original_identifier\" duplicate: lead 0 of the array has the same `original_identifier`"
        ]
    );
}

#[tokio::test]
async fn upserts_can_be_limited_to_new_or_existing_leads() {
    let (_server, client) = Server::start_with_admin().await;
    let path = format!("{PATH}/by-identifier/a");
    let if_match = client.with_header("if-match", "*");
    let if_none_match = client.with_header("if-none-match", "*");
    let both = if_match.with_header("if-none-match", "*");
    let refused = async |client: &Client| {
        client.put(&path, r#"{"city":"Ulm"}"#).await.expect_problem(412, "precondition_failed").remove(0)
    };
    let not_saved = "your change was not saved";
    assert_eq!(refused(&if_match).await, format!("\"\" edit_conflict: no lead has this identifier; {not_saved}"));
    refused(&both).await;
    assert_eq!(client.get(PATH).await.expect(200)["total_leads"], 0);
    if_none_match.put(&path, r#"{"city":"Bonn"}"#).await.expect(201);
    let exists = format!("\"\" edit_conflict: a lead with this identifier exists; {not_saved}");
    assert_eq!(refused(&if_none_match).await, exists);
    refused(&both).await;
    let with_tag = client.with_header("if-none-match", "\"5f2a\"").put(&path, r#"{"city":"Ulm"}"#).await;
    let errors = with_tag.expect_problem(400, "invalid_parameter");
    assert_eq!(errors, ["\"If-None-Match\" not_supported: only `*` is supported here"]);
    assert_eq!(if_match.put(&path, r#"{"zip":"53111"}"#).await.expect(200)["city"], "Bonn");
}

#[tokio::test]
async fn array_of_leads_is_created_all_or_not_at_all() {
    let (_server, client) = Server::start_with_admin().await;
    let created = client.post(PATH, r#"[{"city":"Bonn"},{"phone":"030 901820","country":"DE"}]"#).await.expect(201);
    assert_eq!((&created[0]["city"], &created[1]["phone_normalized"]), (&json!("Bonn"), &json!("+4930901820")));
    let errors = client.post(PATH, r#"[{"city":"Ulm"},{"phone":5},{"cty":"x"}]"#).await;
    assert_eq!(
        errors
            .expect_problem(400, "invalid_request")
            .iter()
            .map(|error| error.split(' ').next().unwrap())
            .collect::<Vec<_>>(),
        ["\"/1/phone\"", "\"/2/cty\""]
    );
    let errors = client.post(PATH, r#"[{"city":"Ulm"},{"id":1}]"#).await.expect_problem(409, "conflict");
    assert_eq!(errors, ["\"/1/id\" taken: id 1 already exists"]);
    client.post(PATH, "[]").await.expect_problem(400, "invalid_request");
    assert_eq!(client.get(PATH).await.expect(200)["total_leads"], 2, "nothing of a refused array is stored");
    let many: Vec<_> = (0..1_000).map(|number| json!({ "original_identifier": format!("L{number}") })).collect();
    assert_eq!(client.post(PATH, body(json!(many))).await.expect(201).as_array().unwrap().len(), 1_000);
}
