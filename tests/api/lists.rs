//! Lists in every order they support, and their exports: a file has the same rows as the pages of its list.

use chrono::TimeDelta;
use leadscribe_engine::api::RecordingSide::Caller;
use reqwest::Method;
use serde_json::{Value, json};

use super::document::Document;
use super::imports::import;
use crate::harness::{Answer, Client, Server};

/// List: its path, its id member, the name of its export in the audit log, and a filter that some entries match.
struct List {
    path: &'static str,
    id: &'static str,
    action: &'static str,
    condition: &'static str,
}

const LISTS: [List; 6] = [
    List { path: "/api/calls", id: "id", action: "call.export", condition: "status=busy" },
    List { path: "/api/campaigns", id: "id", action: "campaign.export", condition: "search=SOL" },
    List { path: "/api/deliveries", id: "id", action: "delivery.export", condition: "call_id=2" },
    List { path: "/api/imports", id: "id", action: "import.export", condition: "kind=leads" },
    List { path: "/api/audit-log", id: "id", action: "audit_log.export", condition: "action=campaign" },
    List { path: "/api/transcripts", id: "call_id", action: "transcript.export", condition: "words=invoice" },
];

impl List {
    fn ids(&self, entries: &[Value]) -> Vec<i64> {
        entries.iter().map(|entry| entry[self.id].as_i64().unwrap()).collect()
    }

    /// Returns all entries of the list, read in pages of `count`.
    async fn paged(&self, client: &Client, query: &str, count: usize) -> Vec<Value> {
        let mut all = Vec::new();
        loop {
            let target = format!("{}?{query}&limit={count};{}", self.path, all.len());
            let page = client.get(&target).await.expect(200);
            let items = page["items"].as_array().unwrap();
            all.extend(items.iter().cloned());
            if items.len() < count {
                assert_eq!(page["total"], all.len(), "{target}");
                return all;
            }
        }
    }

    async fn file(&self, client: &Client, query: &str) -> Answer {
        let answer = client.get(&format!("{}/export?{query}", self.path)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer
    }

    async fn lines(&self, client: &Client, query: &str) -> Vec<Value> {
        let text = self.file(client, &format!("{query}&format=jsonl")).await.text();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns the rows of the file; the first row has the column names.
    async fn rows(&self, client: &Client, query: &str) -> Vec<Vec<String>> {
        rows(&self.file(client, &format!("{query}&format=csv")).await)
    }
}

fn rows(answer: &Answer) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(answer.body.as_slice());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// Starts a server with a few entries in each list, including ties and missing values.
async fn stocked() -> Server {
    let server = Server::start().await;
    let client = server.admin();
    let solar = client.create("/api/campaigns", json!({ "name": "Solar", "active": true })).await;
    client.create("/api/campaigns", json!({ "name": "wind", "active": false })).await;
    client.create("/api/campaigns", json!({ "name": "Absolute", "active": true })).await;
    let lead = client.create("/api/leads", json!({ "city": "Bonn" })).await;
    client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": solar })).await;
    let token = server.speech_token("Acme").await;
    server
        .transcribed_call(&token, json!({ "agent": "Zoe", "campaign_id": solar }), &[(Caller, "the invoice is wrong")])
        .await;
    server.transcribed_call(&token, json!({ "agent": "ann" }), &[(Caller, "an invoice, please")]).await;
    server.advance(TimeDelta::hours(1));
    server.transcribed_call(&token, json!({ "lead_id": lead }), &[(Caller, "good morning")]).await;
    for (status, agent) in [("busy", Some("ann")), ("busy", None), ("failed", Some("=1+1"))] {
        let call = json!({ "direction": "outbound", "status": status, "agent": agent, "caller_number": "+49 30 1" });
        client.create("/api/calls", call).await;
    }
    let holder = server.anonymous().with_header("x-speech-token", &token);
    holder.get("/api/speech-recognition?callback_url=https://example.com/calls").await.expect(202);
    import(&client, "leads", "city\nRome\n").await;
    import(&client, "calls", "direction,status\ninbound,nothing\n").await;
    server
}

/// Returns the orders in the OpenAPI document.
fn orders(document: &Document, path: &str) -> Vec<String> {
    let parameters = document.0["paths"][path]["get"]["parameters"].as_array().unwrap();
    let order = parameters.iter().find(|parameter| parameter["name"] == "order").unwrap();
    order["schema"]["enum"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn export_equals_its_list_in_every_order() {
    let server = stocked().await;
    let document = Document::of(&server).await;
    for list in LISTS {
        let client = server.admin();
        let orders = orders(&document, list.path);
        assert_eq!(orders, self::orders(&document, &format!("{}/export", list.path)));
        // Each export adds an audit entry, so compare only entries from before the export.
        let till = server.now();
        server.advance(TimeDelta::seconds(1));
        let noted = match list.path {
            "/api/audit-log" => format!("till={}&", till.format("%Y-%m-%dT%H:%M:%SZ")),
            _ => String::new(),
        };
        for order in orders {
            let query = format!("{noted}order={order}");
            let shown = list.paged(&client, &query, 100).await;
            assert!(shown.len() > 1, "{query} shows {shown:?}");
            assert_eq!(list.paged(&client, &query, 2).await, shown, "{query} page by page");
            let lines = list.lines(&client, &query).await;
            match list.path {
                "/api/campaigns" => assert_eq!(list.ids(&lines), list.ids(&shown), "{query}"),
                _ => assert_eq!(lines, shown, "{query}"),
            }
            let rows = list.rows(&client, &query).await;
            assert_eq!(rows[0][0], list.id);
            let ids: Vec<i64> = rows[1..].iter().map(|row| row[0].parse().unwrap()).collect();
            assert_eq!(ids, list.ids(&shown), "{query}");
        }
    }
}

#[tokio::test]
async fn ties_sort_by_id_and_missing_values_last() {
    let server = stocked().await;
    let client = server.admin();
    let calls = &LISTS[0];
    let agents = async |order: &str| {
        let shown = calls.paged(&client, &format!("order={order}"), 3).await;
        shown.iter().map(|call| (call["agent"].clone(), call["id"].as_i64().unwrap())).collect::<Vec<_>>()
    };
    let (ann, zoe, sum) = (json!("ann"), json!("Zoe"), json!("=1+1"));
    let named = [(sum, 6), (ann.clone(), 2), (ann, 4), (zoe, 1)];
    let nobody = [3, 5].map(|id| (Value::Null, id));
    assert_eq!(agents("agent").await, [&named[..], &nobody[..]].concat());
    let turned = |list: &[(Value, i64)]| list.iter().rev().cloned().collect::<Vec<_>>();
    assert_eq!(agents("-agent").await, [turned(&named), turned(&nobody)].concat());

    let names = async |order: &str| {
        let query = format!("/api/campaigns?order={order}");
        let campaigns = client.get(&query).await.expect(200);
        let progress = client.get(&query.replace('?', "/progress?")).await.expect(200);
        let ids = |page: &Value, id: &str| {
            page["items"].as_array().unwrap().iter().map(|one| one[id].clone()).collect::<Vec<_>>()
        };
        assert_eq!(ids(&campaigns, "id"), ids(&progress, "campaign_id"), "{order}");
        ids(&campaigns, "name")
    };
    assert_eq!(names("name").await, ["Absolute", "Solar", "wind"]);
    assert_eq!(names("-leads").await, ["Solar", "Absolute", "wind"]);
    assert_eq!(names("active").await, ["wind", "Solar", "Absolute"]);
}

#[tokio::test]
async fn export_applies_the_filters_of_its_list() {
    let server = stocked().await;
    let client = server.admin();
    for list in LISTS {
        let (some, all) = (list.paged(&client, list.condition, 100).await, list.paged(&client, "", 100).await);
        assert!(!some.is_empty() && some.len() < all.len(), "{} of {} meet {}", some.len(), all.len(), list.condition);
        assert_eq!(list.ids(&list.lines(&client, list.condition).await), list.ids(&some), "{}", list.condition);
    }
    let lines = LISTS[1].lines(&client, "search=solar").await;
    let counts = ["leads", "new", "called", "done"].map(|name| lines[0][name].as_u64().unwrap());
    assert_eq!((&lines[0]["name"], counts), (&json!("Solar"), [1, 1, 0, 0]));
    assert_eq!(LISTS[0].rows(&client, "search=nobody").await.len(), 1, "the names of the columns");
}

#[tokio::test]
async fn export_escapes_formulas_names_the_day_and_is_audited() {
    let server = stocked().await;
    let client = server.admin();
    let agent = LISTS[0].rows(&client, "id=6").await;
    let column = agent[0].iter().position(|name| name == "agent").unwrap();
    assert_eq!(agent[1][column], "'=1+1");
    assert_eq!(LISTS[0].lines(&client, "id=6").await[0]["agent"], "=1+1", "JSON says what is stored");
    let marked = LISTS[0].file(&client, "format=csv&bom=true").await;
    assert!(marked.body.starts_with(b"\xef\xbb\xbfid,"), "{}", marked.text());
    let parted = LISTS[0].file(&client, "format=csv&delimiter=;&id=6").await.text();
    assert!(parted.lines().next().unwrap().starts_with("id;original_identifier;"), "{parted}");
    let said = LISTS[5].rows(&client, "words=wrong").await;
    let column = said[0].iter().position(|name| name == "passages.text").unwrap();
    assert_eq!(said[1][column], "the invoice is wrong");

    for list in LISTS {
        let noted = async || {
            let log = client.get(&format!("/api/audit-log?action={}", list.action)).await.expect(200);
            (log["total"].as_u64().unwrap(), log["items"][0]["subject"].clone())
        };
        let (before, _) = noted().await;
        let name = list.path.trim_start_matches("/api/");
        for (format, media_type) in [("csv", "text/csv; charset=utf-8; header=present"), ("jsonl", "application/jsonl")]
        {
            let target = format!("{}/export?format={format}", list.path);
            let head = client.send(Method::HEAD, &target, "").await;
            let file = client.get(&target).await;
            for answer in [head, file] {
                assert_eq!((answer.status, answer.header("content-type")), (200, Some(media_type)));
                let expected = format!("attachment; filename=\"{name}-2026-05-01.{format}\"");
                assert_eq!(answer.header("content-disposition"), Some(expected.as_str()));
            }
        }
        // HEAD returns no entry.
        assert_eq!(noted().await, (before + 2, json!(name)));
    }
}

#[tokio::test]
async fn rejects_unsupported_orders() {
    let server = Server::start().await;
    let client = server.admin();
    let lists = LISTS.iter().flat_map(|list| [list.path.to_owned(), format!("{}/export", list.path)]);
    for path in lists.chain(["/api/campaigns/progress".to_owned()]) {
        for order in ["random", "", "-", "id,agent", "--id"] {
            let format = if path.ends_with("/export") { "&format=csv" } else { "" };
            let answer = client.get(&format!("{path}?order={order}{format}")).await;
            let faults = answer.refused(400, "invalid_parameter");
            assert!(faults[0].starts_with("\"order\" not_permitted: expected one of "), "{path}: {faults:?}");
        }
    }
    let answer = client.get("/api/calls?order=-agnet").await;
    answer.refused(400, "invalid_parameter");
    let fault = &answer.json()["errors"][0];
    assert_eq!(fault["suggestion"]["detail"], "did you mean `-agent`?");
    assert!(fault["permitted"].as_array().unwrap().contains(&json!("-agent")), "{fault}");
    assert_eq!(client.get("/api/calls/export").await.refused(400, "invalid_parameter").len(), 1);
    client.get("/api/calls/export?format=csv&limit=1").await.refused(400, "unknown_parameter");
    let faults = client
        .get("/api/calls/export?format=xls&status=none&bom=1&delimiter=x")
        .await
        .refused(400, "invalid_parameter");
    assert_eq!(faults.len(), 4, "{faults:?}");
}
