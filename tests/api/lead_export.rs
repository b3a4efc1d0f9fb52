//! `GET /api/leads/export`: all leads that match a filter, as a file.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{Client, Server};

/// Returns the URL of an export. `extra_parameters` has further parameters, starting with `&`.
fn export_url(filter: &Value, format: &str, extra_parameters: &str) -> String {
    let filter: String = url::form_urlencoded::byte_serialize(filter.to_string().as_bytes()).collect();
    format!("/api/leads/export?filter={filter}&format={format}{extra_parameters}")
}

async fn export_lines(client: &Client, filter: Value) -> Vec<Value> {
    let response = client.get(&export_url(&filter, "jsonl", "")).await;
    assert_eq!(
        (response.status, response.header("content-type")),
        (200, Some("application/jsonl")),
        "{}",
        response.text()
    );
    response.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the rows of the file; the first row has the column names.
async fn export_rows(client: &Client, filter: Value) -> Vec<Vec<String>> {
    let response = client.get(&export_url(&filter, "csv", "")).await;
    assert_eq!(response.status, 200, "{}", response.text());
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(response.body.as_slice());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[tokio::test]
async fn export_has_every_match_ordered_by_id() {
    let server = Server::start().await;
    server.load_demo().await;
    let client = server.admin();
    let filter = json!({ "limit": "3;7", "_order": "-last_name" });
    let page = client.search_leads(json!({ "limit": "1000;0" })).await;
    let total = page["total_leads"].as_u64().unwrap() as usize;
    assert!(total > 4_000, "the test needs more than two storage pages, found {total} leads");

    let lines = export_lines(&client, filter.clone()).await;
    assert_eq!(lines.len(), total);
    let ids: Vec<_> = lines.iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
    assert!(ids.is_sorted_by(|previous, next| previous < next));
    assert_eq!(lines[..1_000], page["leads"].as_array().unwrap()[..]);

    let rows = export_rows(&client, filter).await;
    assert_eq!(rows.len(), total + 1);
    let row_ids: Vec<_> = rows[1..].iter().map(|row| row[0].parse::<i64>().unwrap()).collect();
    assert_eq!(row_ids, ids);

    let selective_filter =
        json!({ "last_name": { "starts_with": "S" }, "limit": "1;0", "_fields": ["last_name", "campaigns"] });
    for lead in export_lines(&client, selective_filter).await {
        let members: BTreeSet<_> = lead.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members, BTreeSet::from(["campaigns", "id", "last_name"]));
        assert!(lead["last_name"].as_str().unwrap().starts_with('S'), "{lead}");
    }
}

#[tokio::test]
async fn exported_file_can_be_imported_unchanged() {
    let (_server, client) = Server::start_with_admin().await;
    let lead = json!({ "first_name": "Ann, \"A\"", "address1": "1st line\n2nd line", "lat": -33.9, "purchase_date": "2026-04-01",
        "phone": "+49 30 123456", "do_not_call": true, "custom_fields": { "tier": "gold", "größe": "5", "score": 7, "rate": -0.5, "vip": true } });
    let id = client.create("/api/leads", lead).await;
    client
        .create(
            "/api/leads",
            json!({ "last_name": "Bee", "custom_fields": { "tier": "tin", "score": 70, "vip": false } }),
        )
        .await;
    let lead_before = client.get(&format!("/api/leads/{id}")).await.expect(200);
    let response = client.get(&export_url(&json!({ "limit": "1;0" }), "csv", "")).await;
    assert_eq!(response.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    assert_eq!(response.header("content-disposition"), Some("attachment; filename=\"leads-2026-05-01.csv\""));
    assert!(response.text().starts_with("id,first_name,last_name,"), "{}", response.text());
    assert!(
        response
            .text()
            .lines()
            .next()
            .unwrap()
            .ends_with(",updated_at,custom.größe,custom.rate,custom.score,custom.tier,custom.vip")
    );

    client.patch(&format!("/api/leads/{id}"), r#"{"first_name":"Zoe","lat":null}"#).await.expect(200);
    let import = super::imports::import(&client, "leads", response.body).await;
    let count = |name: &str| import["counts"][name].as_u64().unwrap();
    assert_eq!(["updated", "unchanged", "rejected"].map(count), [1, 1, 0], "{import}");
    assert_eq!(client.get(&format!("/api/leads/{id}")).await.expect(200), lead_before);
    // Numbers keep their type and compare numerically.
    assert_eq!(client.count_leads(json!({ "custom.score": { "gte": 50 } })).await, 1);
}

#[tokio::test]
async fn export_escapes_formulas() {
    let (_server, client) = Server::start_with_admin().await;
    let formula = "=HYPERLINK(\"http://evil.example\")";
    let lead =
        json!({ "last_name": formula, "phone_normalized": "+4930123456", "custom_fields": { "note": "@SUM(1)" } });
    client.create("/api/leads", lead).await;
    let fields = json!(["last_name", "phone_normalized", "custom_fields"]);
    let rows = export_rows(&client, json!({ "limit": "1;0", "_fields": fields })).await;
    assert_eq!(rows[0], ["id", "last_name", "phone_normalized", "custom.note"]);
    assert_eq!(rows[1][1..], [format!("'{formula}"), "+4930123456".to_owned(), "'@SUM(1)".to_owned()]);
    let lines = export_lines(&client, json!({ "limit": "1;0" })).await;
    assert_eq!(lines[0]["last_name"], formula, "JSON contains the stored values");

    let with_bom = client.get(&export_url(&json!({ "limit": "1;0" }), "csv", "&bom=true")).await;
    assert!(with_bom.body.starts_with(b"\xef\xbb\xbfid,"), "{}", with_bom.text());
    let with_semicolons =
        client.get(&export_url(&json!({ "limit": "1;0" }), "csv", "&column=id&column=city&delimiter=;")).await;
    assert!(with_semicolons.text().starts_with("id;city\n"), "{}", with_semicolons.text());
    let empty_export = client.get(&export_url(&json!({ "city": "Nowhere" }), "csv", "")).await.text();
    assert_eq!(empty_export.lines().count(), 1, "{empty_export}");
    assert_eq!(client.get(&export_url(&json!({ "city": "Nowhere" }), "jsonl", "")).await.text(), "");
}

#[tokio::test]
async fn export_has_exactly_the_requested_columns() {
    let (_server, client) = Server::start_with_admin().await;
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
    let export_csv = async |filter: Value| {
        let response = client.get(&export_url(&filter, "csv", columns)).await;
        assert_eq!(response.status, 200, "{}", response.text());
        response.text()
    };
    let header_row = "last_name,\"custom.a, b\",place,campaign_name,status,next_call,not_callable_reasons,id\n";
    let row_without_campaign =
        format!("Ann,'=1,Bonn,,,,\"the lead isn't in a campaign, the lead has no phone number\",{ann}\n");
    let row_with_campaigns = |campaigns: &str, status: &str, next_call: &str, reasons: &str| {
        format!("Bee,,DE,{campaigns},{status},{next_call},{reasons},{bee}\n")
    };
    let row_with_both = row_with_campaigns("Solar | Wind", "new | new", "now | now", "");
    assert_eq!(
        export_csv(json!({ "limit": "1;0", "_fields": ["id", "campaigns"] })).await,
        format!("{header_row}{row_without_campaign}{row_with_both}")
    );
    // Only the campaigns that match are exported.
    assert_eq!(
        export_csv(json!({ "campaign_name": "Wind" })).await,
        format!("{header_row}{}", row_with_campaigns("Wind", "new", "now", ""))
    );

    let get_export = async |format: &str, extra_parameters: &str| {
        client.get(&export_url(&json!({ "limit": "1;0" }), format, extra_parameters)).await
    };
    let diagnostics = get_export("csv", "&column=ctiy&column=id&column=id&column=lead_id")
        .await
        .expect_problem(400, "invalid_parameter");
    assert_eq!(diagnostics.len(), 3, "{diagnostics:?}");
    assert!(
        diagnostics[0].contains("ctiy") && diagnostics[1].contains("is repeated") && diagnostics[2].contains("lead_id"),
        "{diagnostics:?}"
    );
    let diagnostics = get_export("jsonl", "&column=id").await.expect_problem(400, "invalid_parameter");
    assert!(diagnostics[0].starts_with("\"column\" not_available"), "{diagnostics:?}");
}

#[tokio::test]
async fn invalid_exports_are_rejected_before_the_file_starts() {
    let (server, client) = Server::start_with_admin().await;
    let get_export = async |filter: Value, format: &str, extra_parameters: &str| {
        client.get(&export_url(&filter, format, extra_parameters)).await
    };
    let diagnostics = get_export(json!({ "ctiy": "Bonn", "_order": "nothing" }), "csv", "")
        .await
        .expect_problem(400, "invalid_filter");
    assert!(
        diagnostics[0].starts_with("\"/_order\"") && diagnostics[1].starts_with("\"/ctiy\" unknown_key"),
        "{diagnostics:?}"
    );
    get_export(json!({}), "csv", "").await.expect_problem(400, "invalid_filter");
    let fields = json!({ "limit": "1;0", "_fields": ["id", "campaigns", "not_callable_reasons"] });
    let diagnostics = get_export(fields, "csv", "").await.expect_problem(400, "invalid_filter");
    assert!(
        diagnostics.iter().all(|diagnostic| diagnostic.starts_with("\"/_fields\" not_available")),
        "{diagnostics:?}"
    );
    assert_eq!(diagnostics.len(), 2);
    let diagnostics =
        get_export(json!({ "limit": "1;0" }), "xlsx", "&bom=yes").await.expect_problem(400, "invalid_parameter");
    assert!(
        diagnostics[0].starts_with("\"format\" not_permitted") && diagnostics[1].starts_with("\"bom\""),
        "{diagnostics:?}"
    );
    let diagnostics = client.get("/api/leads/export").await.expect_problem(400, "invalid_parameter");
    assert_eq!(diagnostics.len(), 2, "{diagnostics:?}");
    get_export(json!({ "limit": "1;0" }), "csv", "&columns=id").await.expect_problem(400, "unknown_parameter");
    let target = export_url(&json!({ "limit": "1;0" }), "csv", "");

    let audit_log_path = "/api/audit-log?action=lead.export";
    assert_eq!(client.get(audit_log_path).await.expect(200)["total"], 0);
    server.client_with_scopes(&["leads:read"]).await.get(&target).await;
    let audit_log = client.get(audit_log_path).await.expect(200);
    assert_eq!((&audit_log["total"], &audit_log["items"][0]["subject"]), (&json!(1), &json!("leads")));
    // HEAD returns no leads, so it isn't recorded in the audit log.
    let head_response = client.send(reqwest::Method::HEAD, &target, "").await;
    assert_eq!(
        (head_response.status, head_response.header("content-type")),
        (200, Some("text/csv; charset=utf-8; header=present"))
    );
    assert_eq!(client.get(audit_log_path).await.expect(200)["total"], 1);
}
