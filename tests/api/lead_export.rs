//! `GET /api/leads/export`: all leads that match a filter, as a file.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{Client, Server, body};

/// Returns the URL of an export. `more` has further parameters, starting with `&`.
fn target(filter: &Value, format: &str, more: &str) -> String {
    let filter: String = url::form_urlencoded::byte_serialize(filter.to_string().as_bytes()).collect();
    format!("/api/leads/export?filter={filter}&format={format}{more}")
}

async fn lines(client: &Client, filter: Value) -> Vec<Value> {
    let answer = client.get(&target(&filter, "jsonl", "")).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/jsonl")), "{}", answer.text());
    answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the rows of the file; the first row has the column names.
async fn rows(client: &Client, filter: Value) -> Vec<Vec<String>> {
    let answer = client.get(&target(&filter, "csv", "")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(answer.body.as_slice());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[tokio::test]
async fn export_has_every_match_ordered_by_id() {
    let server = Server::start().await;
    server.load_demo().await;
    let client = server.admin();
    let all = json!({ "limit": "3;7", "_order": "-last_name" });
    let found = client.put("/api/leads/extended-data", body(json!({ "limit": "1000;0" }))).await.expect(200);
    let total = found["total_leads"].as_u64().unwrap() as usize;
    assert!(total > 4_000, "more than two pages of the store are needed, {total} leads were found");

    let lines = lines(&client, all.clone()).await;
    assert_eq!(lines.len(), total);
    let ids: Vec<_> = lines.iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
    assert!(ids.is_sorted_by(|one, next| one < next));
    assert_eq!(lines[..1_000], found["leads"].as_array().unwrap()[..]);

    let rows = rows(&client, all).await;
    assert_eq!(rows.len(), total + 1);
    let in_rows: Vec<_> = rows[1..].iter().map(|row| row[0].parse::<i64>().unwrap()).collect();
    assert_eq!(in_rows, ids);

    let some = json!({ "last_name": { "starts_with": "S" }, "limit": "1;0", "_fields": ["last_name", "campaigns"] });
    for lead in self::lines(&client, some).await {
        let members: BTreeSet<_> = lead.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members, BTreeSet::from(["campaigns", "id", "last_name"]));
        assert!(lead["last_name"].as_str().unwrap().starts_with('S'), "{lead}");
    }
}

#[tokio::test]
async fn exported_file_can_be_imported_unchanged() {
    let server = Server::start().await;
    let client = server.admin();
    let new = json!({ "first_name": "Ann, \"A\"", "address1": "1st line\n2nd line", "lat": -33.9, "purchase_date": "2026-04-01",
        "phone": "+49 30 123456", "do_not_call": true, "custom_fields": { "tier": "gold", "größe": "5", "score": 7, "rate": -0.5, "vip": true } });
    let id = client.create("/api/leads", new).await;
    client
        .create(
            "/api/leads",
            json!({ "last_name": "Bee", "custom_fields": { "tier": "tin", "score": 70, "vip": false } }),
        )
        .await;
    let before = client.get(&format!("/api/leads/{id}")).await.expect(200);
    let answer = client.get(&target(&json!({ "limit": "1;0" }), "csv", "")).await;
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"leads-2026-05-01.csv\""));
    assert!(answer.text().starts_with("id,first_name,last_name,"), "{}", answer.text());
    assert!(
        answer
            .text()
            .lines()
            .next()
            .unwrap()
            .ends_with(",updated_at,custom.größe,custom.rate,custom.score,custom.tier,custom.vip")
    );

    client.patch(&format!("/api/leads/{id}"), r#"{"first_name":"Zoe","lat":null}"#).await.expect(200);
    let import = super::imports::import(&client, "leads", answer.body).await;
    let count = |name: &str| import["counts"][name].as_u64().unwrap();
    assert_eq!(["updated", "unchanged", "rejected"].map(count), [1, 1, 0], "{import}");
    assert_eq!(client.get(&format!("/api/leads/{id}")).await.expect(200), before);
    // Numbers keep their type and compare numerically.
    let found = client.put("/api/leads/extended-data", r#"{"custom.score":{"gte":50}}"#).await.expect(200);
    assert_eq!(found["total_leads"], 1);
}

#[tokio::test]
async fn export_escapes_formulas() {
    let server = Server::start().await;
    let client = server.admin();
    let formula = "=HYPERLINK(\"http://evil.example\")";
    let new =
        json!({ "last_name": formula, "phone_normalized": "+4930123456", "custom_fields": { "note": "@SUM(1)" } });
    client.create("/api/leads", new).await;
    let fields = json!(["last_name", "phone_normalized", "custom_fields"]);
    let rows = rows(&client, json!({ "limit": "1;0", "_fields": fields })).await;
    assert_eq!(rows[0], ["id", "last_name", "phone_normalized", "custom.note"]);
    assert_eq!(rows[1][1..], [format!("'{formula}"), "+4930123456".to_owned(), "'@SUM(1)".to_owned()]);
    let lines = lines(&client, json!({ "limit": "1;0" })).await;
    assert_eq!(lines[0]["last_name"], formula, "JSON says what is stored");

    let marked = client.get(&target(&json!({ "limit": "1;0" }), "csv", "&bom=true")).await;
    assert!(marked.body.starts_with(b"\xef\xbb\xbfid,"), "{}", marked.text());
    let parted = client.get(&target(&json!({ "limit": "1;0" }), "csv", "&column=id&column=city&delimiter=;")).await;
    assert!(parted.text().starts_with("id;city\n"), "{}", parted.text());
    let none = client.get(&target(&json!({ "city": "Nowhere" }), "csv", "")).await.text();
    assert_eq!(none.lines().count(), 1, "{none}");
    assert_eq!(client.get(&target(&json!({ "city": "Nowhere" }), "jsonl", "")).await.text(), "");
}

#[tokio::test]
async fn export_has_exactly_the_requested_columns() {
    let server = Server::start().await;
    let client = server.admin();
    let ann = client
        .create("/api/leads", json!({ "last_name": "Ann", "city": "Bonn", "custom_fields": { "a, b": "=1" } }))
        .await;
    let bee = client
        .create("/api/leads", json!({ "last_name": "Bee", "country": "DE", "phone_normalized": "+4930123456" }))
        .await;
    for name in ["Solar", "Wind"] {
        let campaign = client.create("/api/campaigns", json!({ "name": name, "active": true })).await;
        client.create("/api/campaign-leads", json!({ "lead_id": bee, "campaign_id": campaign })).await;
    }
    let columns = "&column=last_name&column=custom.a,%20b&column=place&column=campaign_name&column=campaign_status\
                   &column=next_call&column=not_callable_reasons&column=id";
    let read = async |filter: Value| {
        let answer = client.get(&target(&filter, "csv", columns)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text()
    };
    let head = "last_name,\"custom.a, b\",place,campaign_name,status,next_call,not_callable_reasons,id\n";
    let without = format!("Ann,'=1,Bonn,,,,\"the lead isn't in a campaign, the lead has no phone number\",{ann}\n");
    let with = |campaigns: &str, status: &str, next: &str, why: &str| {
        format!("Bee,,DE,{campaigns},{status},{next},{why},{bee}\n")
    };
    let both = with("Solar | Wind", "new | new", "now | now", "");
    assert_eq!(read(json!({ "limit": "1;0", "_fields": ["id", "campaigns"] })).await, format!("{head}{without}{both}"));
    // Only the campaigns that match are exported.
    assert_eq!(read(json!({ "campaign_name": "Wind" })).await, format!("{head}{}", with("Wind", "new", "now", "")));

    let get = async |form: &str, more: &str| client.get(&target(&json!({ "limit": "1;0" }), form, more)).await;
    let faults = get("csv", "&column=ctiy&column=id&column=id&column=lead_id").await.refused(400, "invalid_parameter");
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(faults[0].contains("ctiy") && faults[1].contains("twice") && faults[2].contains("lead_id"), "{faults:?}");
    let faults = get("jsonl", "&column=id").await.refused(400, "invalid_parameter");
    assert!(faults[0].starts_with("\"column\" not_available"), "{faults:?}");
}

#[tokio::test]
async fn invalid_exports_are_rejected_before_the_file_starts() {
    let server = Server::start().await;
    let client = server.admin();
    let get = async |filter: Value, format: &str, more: &str| client.get(&target(&filter, format, more)).await;
    let faults = get(json!({ "ctiy": "Bonn", "_order": "nothing" }), "csv", "").await.refused(400, "invalid_filter");
    assert!(faults[0].starts_with("\"/_order\"") && faults[1].starts_with("\"/ctiy\" unknown_key"), "{faults:?}");
    get(json!({}), "csv", "").await.refused(400, "invalid_filter");
    let fields = json!({ "limit": "1;0", "_fields": ["id", "campaigns", "not_callable_reasons"] });
    let faults = get(fields, "csv", "").await.refused(400, "invalid_filter");
    assert!(faults.iter().all(|fault| fault.starts_with("\"/_fields\" not_available")), "{faults:?}");
    assert_eq!(faults.len(), 2);
    let faults = get(json!({ "limit": "1;0" }), "xlsx", "&bom=yes").await.refused(400, "invalid_parameter");
    assert!(faults[0].starts_with("\"format\" not_permitted") && faults[1].starts_with("\"bom\""), "{faults:?}");
    let faults = client.get("/api/leads/export").await.refused(400, "invalid_parameter");
    assert_eq!(faults.len(), 2, "{faults:?}");
    get(json!({ "limit": "1;0" }), "csv", "&columns=id").await.refused(400, "unknown_parameter");
    let target = target(&json!({ "limit": "1;0" }), "csv", "");
    server.with_scopes(&["calls:read", "leads:write"]).await.get(&target).await.refused(403, "forbidden");

    let exports = "/api/audit-log?action=lead.export";
    assert_eq!(client.get(exports).await.expect(200)["total"], 0);
    server.with_scopes(&["leads:read"]).await.get(&target).await;
    let noted = client.get(exports).await.expect(200);
    assert_eq!((&noted["total"], &noted["items"][0]["subject"]), (&json!(1), &json!("leads")));
    // HEAD returns no lead.
    let head = client.send(reqwest::Method::HEAD, &target, "").await;
    assert_eq!((head.status, head.header("content-type")), (200, Some("text/csv; charset=utf-8; header=present")));
    assert_eq!(client.get(exports).await.expect(200)["total"], 1);
}
