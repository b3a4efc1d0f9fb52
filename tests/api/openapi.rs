//! `GET /api/openapi.json`: the document is valid, and the server behaves as documented.

use std::collections::BTreeSet;
use std::time::Duration;

use leadscribe_engine::api::RecordingSide;
use leadscribe_server::storage::AttemptResult;
use reqwest::Method;
use serde_json::{Value, json};

use super::document::{OpenApiDocument, Operation};
use crate::harness::{Client, Server, wav};

/// Calls a function for every member of every object in a value.
fn visit_members(value: &Value, callback: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            callback(key, value);
            visit_members(value, callback);
        }),
        Value::Array(items) => items.iter().for_each(|item| visit_members(item, callback)),
        _ => {}
    }
}

#[tokio::test]
async fn document_is_valid() {
    let server = Server::start().await;
    let document = OpenApiDocument::fetch(&server).await;
    assert!(document.0["openapi"].as_str().unwrap().starts_with("3.1."));
    assert!(document.0["info"]["title"].is_string() && document.0["info"]["version"].is_string());
    let mut references = BTreeSet::new();
    visit_members(&document.0, &mut |key, value| {
        if key == "$ref" {
            references.insert(value.as_str().unwrap().to_owned());
        }
    });
    for reference in &references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.0.pointer(pointer).is_some_and(Value::is_object), "{reference} is a dangling reference");
    }
    for name in document.0["components"]["schemas"].as_object().unwrap().keys() {
        assert!(references.contains(&format!("#/components/schemas/{name}")), "nothing refers to {name}");
    }
    let schemes = document.0["components"]["securitySchemes"].as_object().unwrap();
    let tags: Vec<_> = document.0["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    let mut ids = BTreeSet::new();
    for operation in document.operations() {
        let (name, description) = (operation.name(), &operation.description);
        assert!(ids.insert(description["operationId"].as_str().unwrap().to_owned()), "{name}: duplicate operation id");
        assert!(description["summary"].as_str().is_some_and(|summary| !summary.is_empty()), "{name} has no summary");
        assert!(description["tags"].as_array().unwrap().iter().all(|tag| tags.contains(&tag)), "{name}");
        let parameters = description["parameters"].as_array().map_or(&[][..], Vec::as_slice);
        let path_parameters: BTreeSet<_> = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        assert_eq!(path_parameters, operation.placeholders().into_iter().collect(), "{name}");
        let mut seen = BTreeSet::new();
        for parameter in parameters {
            assert!(parameter["schema"].is_object(), "{name}: {parameter}");
            assert!(parameter["in"] != "path" || parameter["required"] == true, "{name}: {parameter}");
            assert!(
                seen.insert((parameter["in"].to_string(), parameter["name"].to_string())),
                "{name}: duplicate parameter {parameter}"
            );
        }
        assert!(!description["responses"].as_object().unwrap().is_empty(), "{name}");
        for (status, response) in description["responses"].as_object().unwrap() {
            assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()), "{name} {status}");
            let is_error = status.starts_with(['4', '5']);
            let problem = &response["content"]["application/problem+json"]["schema"]["$ref"];
            assert_eq!(is_error, problem == "#/components/schemas/Problem", "{name} {status}: {response}");
        }
        for scheme in description["security"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|requirement| requirement.as_object().unwrap().keys())
        {
            assert!(schemes.contains_key(scheme), "{name}: {scheme}");
        }
    }
}

#[tokio::test]
async fn body_schemas_accept_examples_and_describe_members() {
    let server = Server::start().await;
    let document = OpenApiDocument::fetch(&server).await;
    let mut bodies = 0;
    for operation in document.operations() {
        let Some((_, content)) = operation.body().filter(|_| operation.has_json_body()) else { continue };
        bodies += 1;
        let name = operation.name();
        let reference = content["schema"]["$ref"].as_str().unwrap_or_else(|| panic!("{name} has no named schema"));
        let mut schema = document.0.pointer(&reference[1..]).unwrap();
        // The body is one object or an array of such objects.
        if let Some(item) = schema["oneOf"][0]["$ref"].as_str() {
            schema = document.0.pointer(&item[1..]).unwrap();
        }
        let members = schema["properties"].as_object().unwrap_or_else(|| panic!("{reference} has no members"));
        for (member, schema) in members {
            assert!(schema.to_string().contains("\"description\""), "{reference}/{member} has no description");
        }
        let example = operation.example_body().unwrap_or_else(|| panic!("{name} has no example"));
        assert_eq!(document.validation_errors(&content["schema"], &example), [""; 0], "{name}: {example}");
        assert_ne!(
            document.validation_errors(&content["schema"], &json!([])),
            [""; 0],
            "{name}: the schema accepts an array"
        );
    }
    assert!(bodies >= 16, "{bodies}");
}

#[tokio::test]
async fn filter_schema_rejects_invalid_filters() {
    let server = Server::start().await;
    let (client, document) = (server.admin(), OpenApiDocument::fetch(&server).await);
    let schema = json!({ "$ref": "#/components/schemas/LeadFilter" });
    for (filter, is_valid) in [
        (json!({ "limit": "200;0" }), true),
        (json!({ "limit": "5" }), true),
        (json!({ "id": [1, 2, null], "status": "new", "campaign_status": ["new", "busy"] }), true),
        (json!({ "updated_at": "2026-05-01 00:00:00;>|2026-06-01T00:00:00Z;<=" }), true),
        (json!({ "calls_count": { "gte": 2, "lt": 5 }, "lat": "1.5;>", "email": { "null": true } }), true),
        (json!({ "custom.tier": "gold", "custom.a b": { "starts_with": "x" } }), true),
        (json!({ "_or": [{ "city": "Bonn" }, { "_and": [{ "lat": 5 }] }], "_order": ["-updated_at", "id"] }), true),
        (json!({ "_fields": ["id", "campaigns"], "_campaigns": "all", "_cursor": null }), true),
        (json!({ "last_call_status": ["busy", null], "purchase_date": "2026-05-01;>" }), true),
        (json!({}), false),
        (json!([]), false),
        (json!({ "frist_name": "Ann" }), false),
        (json!({ "id": "5" }), false),
        (json!({ "id": { "contains": 5 } }), false),
        (json!({ "do_not_call": "true" }), false),
        (json!({ "calls_count": "5;=>" }), false),
        (json!({ "calls_count": "1;>|2;>|3;>" }), false),
        (json!({ "updated_at": "yesterday" }), false),
        (json!({ "last_call_status": "angry" }), false),
        (json!({ "limit": 5 }), false),
        (json!({ "_order": "campaign_name" }), false),
        (json!({ "_campaigns": "some" }), false),
        (json!({ "_or": [] }), false),
        (json!({ "custom.": 1 }), false),
    ] {
        let errors = document.validation_errors(&schema, &filter);
        assert_eq!(errors.is_empty(), is_valid, "schema: {filter}: {errors:?}");
        let status = client.put("/api/leads/extended-data", filter.to_string()).await.status;
        assert_eq!(status, if is_valid { 200 } else { 400 }, "server: {filter}");
    }
}

/// Creates the resources that the document's examples refer to.
async fn create_example_resources(server: &Server) -> (Client, String) {
    let client = server.admin();
    client.create("/api/campaigns", json!({ "id": 3, "name": "Solar" })).await;
    for id in [1, 17] {
        client
            .create("/api/leads", json!({ "id": id, "phone": "+1 212 555 0100", "custom_fields": { "tier": "gold" } }))
            .await;
    }
    client
        .create(
            "/api/campaign-leads",
            json!({ "id": 1, "lead_id": 1, "campaign_id": 3, "freeze_until": "2026-06-01T00:00:00Z" }),
        )
        .await;
    client.put("/api/statuses/call_back_later", r#"{"label":"Later","dialable":true}"#).await.expect(200);
    for id in [1, 101, 102] {
        client
            .create("/api/calls", json!({ "id": id, "direction": "inbound", "status": "answered", "lead_id": 1 }))
            .await;
    }
    client.upload_recording(1, wav(2, 6.0)).await;
    client.upload_recording(101, wav(2, 6.0)).await;
    let csv = client.with_header("content-type", "text/csv");
    csv.post("/api/imports/leads", "id,lat\n5,x\n").await.expect(202);
    client.post("/api/leads/actions", r#"{"lead_ids":[1],"set":{"do_not_call":true}}"#).await.expect(200);
    // The test deletes the first user. The examples log in as the second.
    server.create_user("removed@example.com", "admin").await;
    server.create_user("admin@example.com", "admin").await;
    let admin = crate::harness::log_in(&server.anonymous(), "admin@example.com", crate::harness::PASSWORD).await;
    let view = json!({ "name": "Mine", "filter": "{\"city\":\"Bonn\"}" });
    server.panel_client(&admin).create("/api/views", view).await;
    let webhook = json!({ "url": "https://example.com/events", "events": ["lead.changed"] });
    client.post("/api/webhooks", webhook.to_string()).await.expect(201);
    // The test rotates and revokes the first token.
    server.create_speech_token("Rotated").await;
    let token = server.create_speech_token("Acme").await;
    server.submit_call(1, &token).await;
    server.complete_transcription(1, &[(RecordingSide::Caller, "please call me back")]).await;
    let token_client = server.anonymous().with_header("x-speech-token", &token);
    token_client.get("/api/speech-recognition?callback_url=https://example.com/calls").await.expect(202);
    server.finish_delivery(204, AttemptResult::Delivered).await;
    (client, token)
}

#[tokio::test]
async fn every_operation_matches_the_document() {
    // The test logs in again for each operation that needs a session.
    let server = Server::start_configured(|config| {
        config.login.account_attempts = 100;
        config.login.address_attempts = 100;
    })
    .await;
    let (client, token) = create_example_resources(&server).await;
    let document = OpenApiDocument::fetch(&server).await;
    let mut operations = document.operations();
    // Deletions come last. Those without an id end sessions, so they come at the very end.
    operations.sort_by_key(|operation| (operation.method == Method::DELETE, operation.path.matches('{').count() == 0));
    for operation in operations {
        let name = operation.name();
        let running_import = match operation.path.as_str() {
            "/api/imports/{import_id}/cancel" => start_import(&client).await,
            "/api/imports/{import_id}/undo/cancel" => start_undo(&client).await,
            _ => String::new(),
        };
        let target = operation.path_with(|placeholder| match placeholder {
            "import_id" if !running_import.is_empty() => running_import.clone(),
            "name" => "call_back_later".to_owned(),
            "key" => "limit".to_owned(),
            "rest" => "500;0/country/DE".to_owned(),
            // The first key is the caller's; the second is created by an earlier operation.
            "api_key_id" => "2".to_owned(),
            "campaign_id" => "3".to_owned(),
            // The first user is deleted by an earlier operation.
            "user_id" if operation.path.ends_with("/sessions") => "2".to_owned(),
            _ => "1".to_owned(),
        });
        let target = target + &operation.required_query();
        if operation.path.starts_with("/api/campaigns/") && operation.method == Method::DELETE {
            // An earlier operation added the example's lead.
            client.delete("/api/campaign-leads/2").await.expect(204);
        }
        let caller = authorized_client(&server, &client, &operation, &token).await;
        let target = match operation.path == "/api/sessions/{session_id}" {
            // An earlier operation may have ended the session that the example names.
            true => format!("/api/sessions/{}", caller.get("/api/sessions").await.expect(200)[0]["id"]),
            false => target,
        };
        let body = match operation.body() {
            Some(("application/json", _)) => {
                let mut example = operation.example_body().unwrap();
                if operation.path == "/api/speech-recognition" {
                    example["token"] = json!(token);
                }
                example.to_string().into_bytes()
            }
            Some(("text/csv", content)) => content["example"].as_str().unwrap().as_bytes().to_vec(),
            // Equals the stored recording, because the recording of a transcribed call can't be replaced.
            Some(_) => wav(2, 6.0),
            None => Vec::new(),
        };
        let response = caller.send(operation.method.clone(), &target, body).await;
        assert_eq!(response.status / 100, 2, "{name}: {} {}", response.status, response.text());
        document.assert_documented(&operation, &response);
    }
}

/// Starts a slow import and returns its id.
async fn start_import(client: &Client) -> String {
    let rows: String = (0..20_000).map(|row| format!("long-{row}\n")).collect();
    let csv = client.with_header("content-type", "text/csv");
    csv.post("/api/imports/leads", format!("original_identifier\n{rows}")).await.expect(202)["id"].to_string()
}

/// Runs a slow import, starts its undo, and returns its id.
async fn start_undo(client: &Client) -> String {
    let id = start_import(client).await;
    while client.get(&format!("/api/imports/{id}")).await.expect(200)["state"] == "running" {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    client.post(&format!("/api/imports/{id}/undo"), "").await.expect(202);
    id
}

/// Returns a client with the credentials that an operation asks for.
async fn authorized_client(server: &Server, client: &Client, operation: &Operation, token: &str) -> Client {
    let client = match operation.accepts_scheme("api_key") {
        true => client.clone(),
        false if operation.accepts_scheme("speech_token") => server.anonymous().with_header("x-speech-token", token),
        false if operation.accepts_scheme("session") => {
            let login =
                crate::harness::log_in(&server.anonymous(), "admin@example.com", crate::harness::PASSWORD).await;
            server.panel_client(&login)
        }
        false => server.anonymous(),
    };
    match operation.body() {
        Some((media_type, _)) => client.with_header("content-type", &media_type.replace('*', "wav")),
        None => client,
    }
}
