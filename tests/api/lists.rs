//! Lists in every order they support, and their exports: a file has the same rows as the pages of its list.

use chrono::TimeDelta;
use leadscribe_engine::api::RecordingSide::Caller;
use reqwest::Method;
use serde_json::{Value, json};

use super::document::OpenApiDocument;
use super::imports::import;
use crate::harness::{Client, Response, Server};

/// List: its path, its id member, the name of its export in the audit log, and a filter that some entries match.
struct ListEndpoint {
    path: &'static str,
    id_member: &'static str,
    export_action: &'static str,
    condition: &'static str,
}

const LISTS: [ListEndpoint; 6] = [
    ListEndpoint { path: "/api/calls", id_member: "id", export_action: "call.export", condition: "status=busy" },
    ListEndpoint { path: "/api/campaigns", id_member: "id", export_action: "campaign.export", condition: "search=SOL" },
    ListEndpoint { path: "/api/deliveries", id_member: "id", export_action: "delivery.export", condition: "call_id=2" },
    ListEndpoint { path: "/api/imports", id_member: "id", export_action: "import.export", condition: "kind=leads" },
    ListEndpoint {
        path: "/api/audit-log",
        id_member: "id",
        export_action: "audit_log.export",
        condition: "action=campaign",
    },
    ListEndpoint {
        path: "/api/transcripts",
        id_member: "call_id",
        export_action: "transcript.export",
        condition: "search=invoice",
    },
];

impl ListEndpoint {
    fn entry_ids(&self, entries: &[Value]) -> Vec<i64> {
        entries.iter().map(|entry| entry[self.id_member].as_i64().unwrap()).collect()
    }

    /// Returns all entries of the list, read in pages of `page_size`.
    async fn fetch_all(&self, client: &Client, query: &str, page_size: usize) -> Vec<Value> {
        let mut entries = Vec::new();
        loop {
            let target = format!("{}?{query}&limit={page_size};{}", self.path, entries.len());
            let page = client.get(&target).await.expect(200);
            let items = page["items"].as_array().unwrap();
            entries.extend(items.iter().cloned());
            if items.len() < page_size {
                assert_eq!(page["total"], entries.len(), "{target}");
                return entries;
            }
        }
    }

    async fn export_file(&self, client: &Client, query: &str) -> Response {
        let response = client.get(&format!("{}/export?{query}", self.path)).await;
        assert_eq!(response.status, 200, "{}", response.text());
        response
    }

    async fn export_lines(&self, client: &Client, query: &str) -> Vec<Value> {
        let text = self.export_file(client, &format!("{query}&format=jsonl")).await.text();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns the rows of the file; the first row has the column names.
    async fn export_rows(&self, client: &Client, query: &str) -> Vec<Vec<String>> {
        csv_rows(&self.export_file(client, &format!("{query}&format=csv")).await)
    }
}

fn csv_rows(response: &Response) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(response.body.as_slice());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// Starts a server with a few entries in each list, including ties and missing values.
async fn server_with_data() -> Server {
    let (server, client) = Server::start_with_admin().await;
    let solar = client.create("/api/campaigns", json!({ "name": "Solar", "active": true })).await;
    client.create("/api/campaigns", json!({ "name": "wind", "active": false })).await;
    client.create("/api/campaigns", json!({ "name": "Absolute", "active": true })).await;
    let lead = client.create("/api/leads", json!({ "city": "Bonn" })).await;
    client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": solar })).await;
    let token = server.create_speech_token("Acme").await;
    server
        .create_transcribed_call(
            &token,
            json!({ "agent": "Zoe", "campaign_id": solar }),
            &[(Caller, "the invoice is wrong")],
        )
        .await;
    server.create_transcribed_call(&token, json!({ "agent": "ann" }), &[(Caller, "an invoice, please")]).await;
    server.advance(TimeDelta::hours(1));
    server.create_transcribed_call(&token, json!({ "lead_id": lead }), &[(Caller, "good morning")]).await;
    for (status, agent) in [("busy", Some("ann")), ("busy", None), ("failed", Some("=1+1"))] {
        let call = json!({ "direction": "outbound", "status": status, "agent": agent, "caller_number": "+49 30 1" });
        client.create("/api/calls", call).await;
    }
    let token_client = server.anonymous().with_header("x-speech-token", &token);
    token_client.get("/api/speech-recognition?callback_url=https://example.com/calls").await.expect(202);
    let webhook = json!({ "url": "https://example.com/events", "events": ["lead.changed"] });
    client.post("/api/webhooks", webhook.to_string()).await.expect(201);
    import(&client, "leads", "city\nRome\n").await;
    import(&client, "calls", "direction,status\ninbound,nothing\n").await;
    server
}

fn documented_orders(document: &OpenApiDocument, path: &str) -> Vec<String> {
    let parameters = document.0["paths"][path]["get"]["parameters"].as_array().unwrap();
    let order = parameters.iter().find(|parameter| parameter["name"] == "order").unwrap();
    order["schema"]["enum"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn export_equals_its_list_in_every_order() {
    let server = server_with_data().await;
    let document = OpenApiDocument::fetch(&server).await;
    for list in LISTS {
        let client = server.admin();
        let orders = documented_orders(&document, list.path);
        assert_eq!(orders, documented_orders(&document, &format!("{}/export", list.path)));
        // Each export adds an audit entry, so compare only entries from before the export.
        let export_time = server.now();
        server.advance(TimeDelta::seconds(1));
        let time_filter = match list.path {
            "/api/audit-log" => format!("till={}&", export_time.format("%Y-%m-%dT%H:%M:%SZ")),
            _ => String::new(),
        };
        for order in orders {
            let query = format!("{time_filter}order={order}");
            let entries = list.fetch_all(&client, &query, 100).await;
            assert!(entries.len() > 1, "{query} shows {entries:?}");
            assert_eq!(list.fetch_all(&client, &query, 2).await, entries, "{query} page by page");
            let lines = list.export_lines(&client, &query).await;
            match list.path {
                "/api/campaigns" => assert_eq!(list.entry_ids(&lines), list.entry_ids(&entries), "{query}"),
                _ => assert_eq!(lines, entries, "{query}"),
            }
            let rows = list.export_rows(&client, &query).await;
            assert_eq!(rows[0][0], list.id_member);
            let ids: Vec<i64> = rows[1..].iter().map(|row| row[0].parse().unwrap()).collect();
            assert_eq!(ids, list.entry_ids(&entries), "{query}");
        }
    }
}

#[tokio::test]
async fn export_applies_the_filters_of_its_list() {
    let server = server_with_data().await;
    let client = server.admin();
    for list in LISTS {
        let (matching_entries, all_entries) =
            (list.fetch_all(&client, list.condition, 100).await, list.fetch_all(&client, "", 100).await);
        assert!(
            !matching_entries.is_empty() && matching_entries.len() < all_entries.len(),
            "{} of {} match {}",
            matching_entries.len(),
            all_entries.len(),
            list.condition
        );
        assert_eq!(
            list.entry_ids(&list.export_lines(&client, list.condition).await),
            list.entry_ids(&matching_entries),
            "{}",
            list.condition
        );
    }
    let lines = LISTS[1].export_lines(&client, "search=solar").await;
    let counts = ["leads", "new", "called", "done"].map(|name| lines[0][name].as_u64().unwrap());
    assert_eq!((&lines[0]["name"], counts), (&json!("Solar"), [1, 1, 0, 0]));
    assert_eq!(LISTS[0].export_rows(&client, "search=nobody").await.len(), 1, "column names");
}

#[tokio::test]
async fn export_escapes_formulas_names_the_day_and_is_audited() {
    let server = server_with_data().await;
    let client = server.admin();
    let call_rows = LISTS[0].export_rows(&client, "id=6").await;
    let column = call_rows[0].iter().position(|name| name == "agent").unwrap();
    assert_eq!(call_rows[1][column], "'=1+1");
    assert_eq!(LISTS[0].export_lines(&client, "id=6").await[0]["agent"], "=1+1", "JSON contains the stored values");
    let with_bom = LISTS[0].export_file(&client, "format=csv&bom=true").await;
    assert!(with_bom.body.starts_with(b"\xef\xbb\xbfid,"), "{}", with_bom.text());
    let with_semicolons = LISTS[0].export_file(&client, "format=csv&delimiter=;&id=6").await.text();
    assert!(with_semicolons.lines().next().unwrap().starts_with("id;original_identifier;"), "{with_semicolons}");
    let transcript_rows = LISTS[5].export_rows(&client, "search=wrong").await;
    let column = transcript_rows[0].iter().position(|name| name == "passages.text").unwrap();
    assert_eq!(transcript_rows[1][column], "the invoice is wrong");

    for list in LISTS {
        let audit_entry = async || {
            let log = client.get(&format!("/api/audit-log?action={}", list.export_action)).await.expect(200);
            (log["total"].as_u64().unwrap(), log["items"][0]["subject"].clone())
        };
        let (total_before, _) = audit_entry().await;
        let name = list.path.trim_start_matches("/api/");
        for (format, media_type) in [("csv", "text/csv; charset=utf-8; header=present"), ("jsonl", "application/jsonl")]
        {
            let target = format!("{}/export?format={format}", list.path);
            let head_response = client.send(Method::HEAD, &target, "").await;
            let get_response = client.get(&target).await;
            for response in [head_response, get_response] {
                assert_eq!((response.status, response.header("content-type")), (200, Some(media_type)));
                let expected = format!("attachment; filename=\"{name}-2026-05-01.{format}\"");
                assert_eq!(response.header("content-disposition"), Some(expected.as_str()));
            }
        }
        // HEAD isn't audited, because it returns no entries.
        assert_eq!(audit_entry().await, (total_before + 2, json!(name)));
    }
}

#[tokio::test]
async fn rejects_unsupported_orders() {
    let (_server, client) = Server::start_with_admin().await;
    let lists = LISTS.iter().flat_map(|list| [list.path.to_owned(), format!("{}/export", list.path)]);
    for path in lists.chain(["/api/campaigns/progress".to_owned()]) {
        for order in ["random", "", "-", "id,agent", "--id"] {
            let format = if path.ends_with("/export") { "&format=csv" } else { "" };
            let response = client.get(&format!("{path}?order={order}{format}")).await;
            let diagnostics = response.expect_problem(400, "invalid_parameter");
            assert!(diagnostics[0].starts_with("\"order\" not_permitted: expected "), "{path}: {diagnostics:?}");
        }
    }
    let response = client.get("/api/calls?order=-agnet").await;
    response.expect_problem(400, "invalid_parameter");
    let diagnostic = &response.json()["errors"][0];
    assert_eq!(diagnostic["suggestion"]["detail"], "did you mean `-agent`?");
    assert!(diagnostic["permitted"].as_array().unwrap().contains(&json!("-agent")), "{diagnostic}");
    assert_eq!(client.get("/api/calls/export").await.expect_problem(400, "invalid_parameter").len(), 1);
    client.get("/api/calls/export?format=csv&limit=1").await.expect_problem(400, "unknown_parameter");
    let diagnostics = client
        .get("/api/calls/export?format=xls&status=none&bom=1&delimiter=x")
        .await
        .expect_problem(400, "invalid_parameter");
    assert_eq!(diagnostics.len(), 4, "{diagnostics:?}");
}

#[tokio::test]
async fn count_without_offset_is_the_first_page_of_every_list() {
    let server = server_with_data().await;
    let (client, document) = (server.logged_in_client("admin").await, OpenApiDocument::fetch(&server).await);
    let mut checked = 0;
    for operation in document.operations() {
        let parameters = operation.description["parameters"].as_array().cloned().unwrap_or_default();
        let has_limit = parameters.iter().any(|parameter| parameter["name"] == "limit");
        // Changes have cursors instead of offsets.
        let is_excluded = operation.path == "/api/changes" || operation.path.starts_with("/api/speech-recognition");
        if operation.method != Method::GET || !has_limit || is_excluded {
            continue;
        }
        let path = operation.path.replace("{lead_id}", "1").replace("{import_id}", "1").replace("{webhook_id}", "1");
        let separator = if path == "/api/leads/values" { "?field=city&" } else { "?" };
        let short = client.get(&format!("{path}{separator}limit=1")).await;
        assert_eq!(short.status, 200, "{path}: {}", short.text());
        let long = client.get(&format!("{path}{separator}limit=1;0")).await;
        // The values of a field have no pages.
        assert!(long.json() == short.json() || path == "/api/leads/values", "{path}");
        checked += 1;
    }
    assert!(checked >= 15, "only {checked} lists");
    let body = json!({ "country": null, "limit": "1" }).to_string();
    assert_eq!(client.put("/api/leads/extended-data", body).await.expect(200)["leads"].as_array().unwrap().len(), 1);
}
