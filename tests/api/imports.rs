//! `/api/imports`: each kind of file over HTTP, rejected rows with their reasons, and idempotent imports.

use std::time::Duration;

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::harness::{Client, Server};

const PATH: &str = "/api/imports";

/// Imports a file, and returns the import after its end.
pub(super) async fn import(client: &Client, kind: &str, file: impl Into<Vec<u8>>) -> Value {
    import_with_query(client, kind, "", file).await
}

/// Like [`import`], with further query parameters.
pub(super) async fn import_with_query(client: &Client, kind: &str, query: &str, file: impl Into<Vec<u8>>) -> Value {
    let csv = client.with_header("content-type", "text/csv");
    let response = csv.post(&format!("{PATH}/{kind}?file_name={kind}.csv{query}"), file).await;
    let started_import = response.expect(202);
    let path = response.header("location").unwrap().to_owned();
    assert_eq!(
        (path, &started_import["file_name"]),
        (format!("{PATH}/{}", started_import["id"]), &json!(format!("{kind}.csv")))
    );
    wait_until_finished(client, &started_import["id"]).await
}

pub(super) async fn wait_until_finished(client: &Client, id: &Value) -> Value {
    for _ in 0..2_000 {
        let import = client.get(&format!("{PATH}/{id}")).await.expect(200);
        if import["state"] != "running" {
            return import;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the import did not finish in time")
}

/// Returns the number of rows read, inserted, updated, unchanged and rejected.
pub(super) fn row_counts(import: &Value) -> [u64; 5] {
    ["read", "inserted", "updated", "unchanged", "rejected"].map(|name| import["counts"][name].as_u64().unwrap())
}

const CAMPAIGNS: &str = "id,name,active,calling_hours_start,calling_hours_end,calling_hours_days,max_attempts,freeze_minutes\n\
    1,Solar,true,09:00,20:00,mon-fri,6,30\n2,\"Wind, north\",false,,,,,\n";
const LEADS: &str = "id,first_name,phone,country,custom.segment,created_at,updated_at\n\
    1,Ada,020 7946 0018,GB,gold,2024-01-02T03:04:05Z,2025-01-02 03:04:05\n2,Bob,,,,,\n";
const CAMPAIGN_LEADS: &str = "id,lead_id,campaign_id,status,weight,calls_count\n1,1,1,new,10,2\n2,2,1,Hot lead,,\n";
const CALLS: &str = "id,lead_id,campaign_id,agent,direction,status,created_at\n\
    101,1,1,Grace,outbound,answered,2026-04-01T09:30:00Z\n102,,,,inbound,busy,\n";

#[tokio::test]
async fn importing_a_file_twice_changes_nothing() {
    let (server, client) = Server::start_with_admin().await;
    let files = [("campaigns", CAMPAIGNS), ("leads", LEADS), ("campaign-leads", CAMPAIGN_LEADS), ("calls", CALLS)];
    for (kind, file) in files {
        let import = import(&client, kind, file).await;
        assert_eq!((&import["state"], row_counts(&import)), (&json!("completed"), [2, 2, 0, 0, 0]), "{kind}: {import}");
        assert_eq!((&import["kind"], &import["progress"]), (&json!(kind), &json!(1.0)));
        assert_eq!(import["columns"], json!(file.lines().next().unwrap().split(',').collect::<Vec<_>>()));
        let new_statuses = if kind == "campaign-leads" { json!(["hot_lead"]) } else { json!([]) };
        assert_eq!(import["new_statuses"], new_statuses, "{kind}");
    }
    let lead = client.get("/api/leads/1").await.expect(200);
    assert_eq!(
        [&lead["phone_normalized"], &lead["custom_fields"], &lead["created_at"], &lead["updated_at"]],
        [
            &json!("+442079460018"),
            &json!({ "segment": "gold" }),
            &json!("2024-01-02T03:04:05Z"),
            &json!("2025-01-02T03:04:05Z")
        ]
    );
    assert_eq!(lead["campaigns"][0]["campaign_name"], "Solar");
    let statuses = client.get("/api/statuses").await.expect(200);
    let added_status =
        statuses["items"].as_array().unwrap().iter().find(|status| status["name"] == "hot_lead").unwrap();
    assert_eq!(added_status["dialable"], true);
    assert_eq!(client.get("/api/calls/101").await.expect(200)["created_at"], "2026-04-01T09:30:00Z");

    let pages = ["/api/campaigns", "/api/leads", "/api/calls"];
    let mut pages_before = Vec::new();
    for page in pages {
        pages_before.push(client.get(page).await.expect(200));
    }
    server.advance(chrono::TimeDelta::hours(1));
    for (kind, file) in files {
        let second_import = import(&client, kind, file).await;
        assert_eq!(
            (row_counts(&second_import), &second_import["new_statuses"]),
            ([2, 0, 0, 2, 0], &json!([])),
            "{kind}"
        );
    }
    for (page, page_before) in pages.iter().zip(pages_before) {
        assert_eq!(client.get(page).await.expect(200), page_before, "{page}");
    }
    let changed_import = import(&client, "leads", LEADS.replace("gold", "silver")).await;
    assert_eq!(row_counts(&changed_import), [2, 0, 1, 1, 0]);
    assert_eq!(client.get(PATH).await.expect(200)["total"], 9);
    assert_eq!(client.get(&format!("{PATH}?limit=1;8")).await.expect(200)["items"][0]["kind"], "campaigns");
}

/// Returns the query parameter for a mapping.
pub(super) fn map_parameter(json: Value) -> String {
    let encoded: String = url::form_urlencoded::byte_serialize(json.to_string().as_bytes()).collect();
    format!("&mapping={encoded}")
}

#[tokio::test]
async fn mapping_imports_foreign_column_names() {
    let (_server, client) = Server::start_with_admin().await;
    let columns = json!({ "Kunde": "original_identifier", "E-Mail": "email", "Farbe": "custom.colour", "Notiz": null });
    let query = map_parameter(json!({ "columns": columns, "delimiter": ";" }));
    let file = "Kunde;E-Mail;Farbe;city;Notiz\n7;ada@example.com;red;Bonn;\n8;bob;\"a;b\";Rome;x\n";
    let import = import_with_query(&client, "leads", &query, file).await;
    assert_eq!((&import["state"], row_counts(&import)), (&json!("completed"), [2, 1, 0, 0, 1]), "{import}");
    assert_eq!(import["columns"], json!(["Kunde", "E-Mail", "Farbe", "city", "Notiz"]));
    let lead = client.get("/api/leads/1").await.expect(200);
    assert_eq!(
        (&lead["original_identifier"], &lead["city"], &lead["custom_fields"]),
        (&json!("7"), &json!("Bonn"), &json!({ "colour": "red" }))
    );
    // Diagnostics use the file's own column names, and rejected rows keep their original form. After correction they
    // are imported with the same mapping.
    let path = format!("{PATH}/{}/rejected", import["id"]);
    let rejected = client.get(&path).await.expect(200);
    assert_eq!(rejected["items"][0]["diagnostics"][0]["column"], "E-Mail");
    assert_eq!((&import["delimiter"], &rejected["items"][0]["row"]), (&json!(";"), &json!("8;bob;\"a;b\";Rome;x")));
    let with_commas = client.get(&format!("{path}.csv?delimiter=,")).await.text();
    assert!(with_commas.ends_with(",8,bob,a;b,Rome,x\n"), "{with_commas}");
    let corrected_file = client.get(&format!("{path}.csv")).await.text().replace(";bob;", ";bob@example.com;");
    assert!(
        corrected_file.starts_with("line;reason;Kunde;") && corrected_file.ends_with(";\"a;b\";Rome;x\n"),
        "{corrected_file}"
    );
    let second_import = import_with_query(&client, "leads", &query, corrected_file).await;
    assert_eq!(row_counts(&second_import), [1, 1, 0, 0, 0], "{second_import}");

    // Diagnostics that the store reports use the file's column names too.
    let query = map_parameter(json!({ "columns": { "Lead": "lead_id", "Aktion": "campaign_id" } }));
    let import = import_with_query(&client, "campaign-leads", &query, "Lead,Aktion\n1,9\n").await;
    let rejected = client.get(&format!("{PATH}/{}/rejected", import["id"])).await.expect(200);
    assert_eq!(rejected["items"][0]["diagnostics"][0]["column"], "Aktion", "{rejected}");

    let unknown_field_import =
        import_with_query(&client, "leads", &map_parameter(json!({ "columns": { "Tel": "phon" } })), "id,Tel\n1,2\n")
            .await;
    assert_eq!(
        unknown_field_import["error"]["detail"],
        "header: Tel: a lead has no field `phon` (did you mean `phone`?)"
    );
    let csv = client.with_header("content-type", "text/csv");
    let invalid_mapping = map_parameter(json!({ "columns": { "Tel": 1 }, "delimiter": "+" }));
    let error_response = csv.post(&format!("{PATH}/leads?file_name=a.csv{invalid_mapping}"), "id\n").await;
    let problem = error_response.json();
    assert_eq!((error_response.status, &problem["code"]), (400, &json!("invalid_parameter")));
    let details: Vec<_> =
        problem["errors"].as_array().unwrap().iter().map(|diagnostic| diagnostic["detail"].as_str().unwrap()).collect();
    assert_eq!(
        details,
        [
            "/columns/Tel: expected the name of a field, or null to leave the column out, found a number",
            "/delimiter: expected `,`, `;`, `\\t` or `|`, found \"+\""
        ]
    );
    assert!(
        problem["errors"].as_array().unwrap().iter().all(|diagnostic| diagnostic["parameter"] == "mapping"),
        "{problem}"
    );
}

#[tokio::test]
async fn default_country_makes_numbers_dialable() {
    let (_server, client) = Server::start_with_admin().await;
    let file = "original_identifier,first_name,phone,phone2\n\
        a,Ada,030 901820,\nb,Bob,+44 20 7946 0018,\nc,Cyd,call me,\nd,Dov,,\ne,Eva,nobody,030 901821\nf,\"F\tay\",x,\n";
    let undialable_count = |import: &Value| import["counts"]["undialable"].clone();
    for query in ["&dry_run=true", ""] {
        let import = import_with_query(&client, "leads", query, file).await;
        assert_eq!((row_counts(&import), undialable_count(&import)), ([6, 5, 0, 0, 1], json!(3)), "{import}");
    }
    let german_mapping = map_parameter(json!({ "default_country": "de" }));
    let import = import_with_query(&client, "leads", &german_mapping, file).await;
    assert_eq!((row_counts(&import), undialable_count(&import)), ([6, 0, 2, 3, 1], json!(1)), "{import}");
    for (identifier, number) in
        [("a", json!("+4930901820")), ("b", json!("+442079460018")), ("c", Value::Null), ("e", json!("+4930901821"))]
    {
        let filter = json!({ "original_identifier": identifier }).to_string();
        let result = client.put("/api/leads/extended-data", filter).await.expect(200);
        let lead = &result["leads"][0];
        let dialable_number = if identifier == "e" { &lead["phone_normalized2"] } else { &lead["phone_normalized"] };
        assert_eq!(*dialable_number, number, "{identifier}");
    }
    let invalid_mapping = map_parameter(json!({ "default_country": "Germny" }));
    let csv = client.with_header("content-type", "text/csv");
    let response = csv.post(&format!("{PATH}/leads?file_name=leads.csv{invalid_mapping}"), file).await;
    let detail = "/default_country: expected a country: its name or its ISO 3166-1 code such as `DE`, found \"Germny\"";
    assert_eq!(response.expect(400)["errors"][0]["detail"], detail);
}

#[tokio::test]
async fn row_with_one_number_keeps_the_other_dialable() {
    let (_server, client) = Server::start_with_admin().await;
    let lead = client.create("/api/leads", json!({ "phone": "+44 20 7946 0018", "original_identifier": "a" })).await;
    let undialable_leads = async || {
        let filter = json!({ "phone_normalized": null, "phone_normalized2": null }).to_string();
        client.put("/api/leads/extended-data", filter).await.expect(200)["total_leads"].clone()
    };
    for (file, undialable) in [
        (format!("id,phone2\n{lead},call me\n"), 0),
        ("original_identifier,phone2,country\na,call him,GB\n".to_owned(), 0),
        (format!("id,phone\n{lead},call her\n"), 1),
        (format!("id,phone,phone2\n{lead},,nobody\n"), 1),
    ] {
        for query in ["&dry_run=true", ""] {
            let import = import_with_query(&client, "leads", query, file.as_str()).await;
            let reported = (row_counts(&import), &import["counts"]["undialable"]);
            assert_eq!(reported, ([1, 0, 1, 0, 0], &json!(undialable)), "{file}: {import}");
        }
        assert_eq!(undialable_leads().await, undialable, "{file}");
    }
}

#[tokio::test]
async fn imports_call_detail_records_as_calls() {
    let (_server, client) = Server::start_with_admin().await;
    let call = "\"2026-05-01 11:30:00\",,\"2026-05-01 11:30:07\",7,0,\"BUSY\",\"DOCUMENTATION\",\"1777627800.42\"";
    let row = format!("\"\",\"101\",\"030901820\",\"x\",\"\",\"PJSIP/101-0000002a\",\"\",\"Dial\",\"\",{call}\n");
    let query = map_parameter(json!({ "format": "asterisk", "timezone": "Europe/Berlin" }));
    let file = format!("{row}{}", row.replace("BUSY", "GONE"));
    let import = import_with_query(&client, "calls", &query, file).await;
    assert_eq!((&import["state"], row_counts(&import)), (&json!("completed"), [2, 1, 0, 0, 1]), "{import}");
    let rejected = client.get(&format!("{PATH}/{}/rejected", import["id"])).await.expect(200);
    assert_eq!(
        (&rejected["items"][0]["line"], &rejected["items"][0]["diagnostics"][0]["column"]),
        (&json!(2), &json!("disposition"))
    );
    let result = client.get("/api/calls?original_identifier=1777627800.42").await.expect(200);
    assert_eq!(result["total"], 1);
    let call = &result["items"][0];
    assert_eq!(
        [
            &call["direction"],
            &call["agent"],
            &call["callee_number"],
            &call["status"],
            &call["started_at"],
            &call["ended_at"]
        ],
        [
            &json!("outbound"),
            &json!("101"),
            &json!("030901820"),
            &json!("busy"),
            &json!("2026-05-01T09:30:00Z"),
            &json!("2026-05-01T09:30:07Z")
        ]
    );
    assert_eq!(row_counts(&import_with_query(&client, "calls", &query, row).await), [1, 0, 0, 1, 0]);
    // The corrected file of rejected rows is imported with the same mapping.
    let rejected_file = client.get(&format!("{PATH}/{}/rejected.csv?delimiter=;", import["id"])).await.text();
    let corrected_file = rejected_file.replace("GONE", "NO ANSWER").replace("1777627800.42", "1777627800.43");
    assert!(corrected_file.starts_with("line;reason;accountcode;src;"), "{corrected_file}");
    let query = map_parameter(json!({ "format": "asterisk", "timezone": "Europe/Berlin", "delimiter": ";" }));
    assert_eq!(row_counts(&import_with_query(&client, "calls", &query, corrected_file).await), [1, 1, 0, 0, 0]);
    assert_eq!(client.get("/api/calls?original_identifier=1777627800.43").await.expect(200)["total"], 1);
    assert_eq!(client.get("/api/calls?original_identifier=1777627800.4").await.expect(200)["total"], 0);
}

#[tokio::test]
async fn dry_run_counts_without_writing() {
    let (_server, client) = Server::start_with_admin().await;
    import(&client, "campaigns", CAMPAIGNS).await;
    import(&client, "leads", LEADS).await;
    let audit_total = client.get("/api/audit-log").await.expect(200)["total"].clone();
    let leads = format!("{}3,Cyd,,,,,\n4,Dan,,,,x,\n", LEADS.replace("gold", "silver"));
    let files = [
        ("leads", leads.as_str(), [4, 1, 1, 1, 1]),
        ("campaigns", CAMPAIGNS, [2, 0, 0, 2, 0]),
        ("campaign-leads", CAMPAIGN_LEADS, [2, 2, 0, 0, 0]),
        ("calls", CALLS, [2, 2, 0, 0, 0]),
    ];
    for _ in 0..2 {
        for (kind, file, expected) in files {
            let dry_run = import_with_query(&client, kind, "&dry_run=true", file).await;
            assert_eq!((&dry_run["dry_run"], &dry_run["state"]), (&json!(true), &json!("completed")), "{dry_run}");
            assert_eq!(row_counts(&dry_run), expected, "{kind}: {dry_run}");
            let new_statuses = if kind == "campaign-leads" { json!(["hot_lead"]) } else { json!([]) };
            assert_eq!(dry_run["new_statuses"], new_statuses, "{kind}");
            let rejected = client.get(&format!("{PATH}/{}/rejected.csv", dry_run["id"])).await.text();
            assert_eq!(rejected.lines().count() as u64, 1 + expected[4], "{kind}: {rejected}");
        }
    }
    assert_eq!(client.get("/api/leads").await.expect(200)["total_leads"], 2);
    assert_eq!(client.get("/api/calls").await.expect(200)["total"], 0);
    assert_eq!(client.get(PATH).await.expect(200)["total"], 2);
    assert_eq!(client.get("/api/audit-log").await.expect(200)["total"], audit_total);
    // The import has the counts of the dry run.
    assert_eq!(row_counts(&import(&client, "leads", leads.as_str()).await), [4, 1, 1, 1, 1]);
    let csv = client.with_header("content-type", "text/csv");
    csv.post(&format!("{PATH}/leads?dry_run=yes"), "id\n").await.expect_problem(400, "invalid_parameter");
}

#[tokio::test]
async fn rejected_rows_csv_escapes_formulas_and_reimports() {
    let (_server, client) = Server::start_with_admin().await;
    let first_import = import(&client, "leads", "id,first_name,last_name,email\n7,@ada,'=1,ada\n").await;
    let file = client.get(&format!("{PATH}/{}/rejected.csv", first_import["id"])).await.text();
    assert!(file.ends_with(",7,'@ada,''=1,ada\n"), "{file}");
    let corrected_file = file.replace(",ada\n", ",ada@example.com\n");
    assert_eq!(row_counts(&import(&client, "leads", corrected_file.as_str()).await), [1, 1, 0, 0, 0]);
    let lead = client.get("/api/leads/7").await.expect(200);
    assert_eq!((&lead["first_name"], &lead["last_name"]), (&json!("@ada"), &json!("'=1")));
}

#[tokio::test]
async fn bad_rows_are_rejected_with_line_and_reason() {
    let (_server, client) = Server::start_with_admin().await;
    let file = "id,first_name,email,lat\n1,Ada,ada@example.com,1\n2,Bob,bob,91\n,Nobody,,\n4,Cid,,\n5,Dan,,1,extra\n\"6\",\"a\"\"b\",x@,\n";
    let import = import(&client, "leads", file).await;
    assert_eq!((&import["state"], row_counts(&import)), (&json!("completed"), [6, 2, 0, 0, 4]), "{import}");
    let path = format!("{PATH}/{}", import["id"]);
    let rejected = client.get(&format!("{path}/rejected")).await.expect(200);
    let rows = rejected["items"].as_array().unwrap();
    let lines: Vec<_> = rows.iter().map(|row| row["line"].as_u64().unwrap()).collect();
    assert_eq!((lines, &rejected["total"]), (vec![3, 4, 6, 7], &json!(4)));
    let columns: Vec<_> = rows[0]["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|diagnostic| diagnostic["column"].as_str().unwrap())
        .collect();
    assert_eq!((columns, &rows[0]["row"]), (vec!["email", "lat"], &json!("2,Bob,bob,91")));
    let second = client.get(&format!("{path}/rejected?limit=1;1")).await.expect(200);
    assert_eq!(second["items"][0]["line"], 4);

    let response = client.get(&format!("{path}/rejected.csv")).await;
    assert_eq!(
        (response.status, response.header("content-type")),
        (200, Some("text/csv; charset=utf-8; header=present"))
    );
    let disposition = format!("attachment; filename=\"import-{}-rejected.csv\"", import["id"]);
    assert_eq!(response.header("content-disposition"), Some(disposition.as_str()));
    let text = response.text();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert_eq!(lines[0], "line,reason,id,first_name,email,lat");
    assert!(
        lines[1].starts_with("3,") && lines[1].contains("email: ") && lines[1].ends_with(",2,Bob,bob,91"),
        "{text}"
    );
    assert!(lines[4].ends_with(",6,\"a\"\"b\",x@,"), "{text}");

    // A long row is truncated in the list; the file has all of it.
    let long_row = format!("2,Bob,{},\n", "x".repeat(3_000));
    let long_import = import_with_query(&client, "leads", "", format!("id,first_name,email,lat\n{long_row}")).await;
    let long_import_path = format!("{PATH}/{}", long_import["id"]);
    let rejected_list = client.get(&format!("{long_import_path}/rejected")).await.expect(200);
    assert_eq!(rejected_list["items"][0]["row"], json!(format!("2,Bob,{}…", "x".repeat(1_994))));
    assert!(client.get(&format!("{long_import_path}/rejected.csv")).await.text().ends_with(&long_row));

    // In the format of a German spreadsheet.
    let response = client.get(&format!("{path}/rejected.csv?bom=true&delimiter=;")).await;
    let german_text = response.text();
    assert!(german_text.starts_with("\u{feff}line;reason;id;first_name;email;lat\n3;"), "{german_text}");
    assert!(german_text.contains(";2;Bob;bob;91\n") && german_text.ends_with(";6;\"a\"\"b\";x@;\n"), "{german_text}");
    assert_eq!(client.status(&format!("{path}/rejected.csv?delimiter=x")).await, 400);
    assert_eq!(client.status(&format!("{path}/rejected.csv?format=csv")).await, 400);

    // The corrected file of rejected rows can be imported as it is.
    let corrected_file = format!("{}\n{}\n", lines[0], lines[1].replace(",2,Bob,bob,91", ",2,Bob,bob@example.com,9"));
    assert_eq!(row_counts(&self::import(&client, "leads", corrected_file).await), [1, 1, 0, 0, 0]);
    assert_eq!(client.get("/api/leads/2").await.expect(200)["email"], "bob@example.com");
}

#[tokio::test]
async fn unreadable_file_is_rejected_with_a_reason() {
    let (_server, client) = Server::start_with_admin().await;
    for (file, error) in [
        (&b"\n"[..], "empty file"),
        (b"sep=^\nid^first_name\n1^Ada\n", "`sep=`"),
        (b"PK\x03\x04", "binary data"),
        (b"id,frist_name\n1,Ada\n", "did you mean `first_name`?"),
        (b"id,id\n1,1\n", "id"),
        (b"id,global_updated_at\n1,2026-05-01T00:00:00Z\n", "global_updated_at"),
        (b"id,first_n\xff\n1,Ada\n", "no field `first_n\u{ff}`"),
        (b"id,\"first_name\n1,Ada\n", "quote"),
        (b"\x00\x01\x02\x03", "header"),
    ] {
        let import = import(&client, "leads", file).await;
        assert_eq!((&import["state"], row_counts(&import)), (&json!("failed"), [0; 5]), "{import}");
        assert!(import["error"]["detail"].as_str().unwrap().contains(error), "{error}: {import}");
    }
    assert_eq!(client.get("/api/leads").await.expect(200)["total_leads"], 0);
}

#[tokio::test]
async fn import_limits_size_and_checks_type_and_name() {
    let server = Server::start_configured(|config| config.limits.max_import_bytes = 19).await;
    let client = server.admin();
    let csv = client.with_header("content-type", "text/csv");
    csv.post(&format!("{PATH}/leads"), "id,first_name\n1,Ada\n").await.expect_problem(413, "body_too_large");
    csv.post(&format!("{PATH}/leads"), "").await.expect_problem(400, "invalid_request");
    let import_without_name = csv.post(&format!("{PATH}/leads"), "id,first_name\n").await.expect(202);
    assert_eq!(import_without_name["file_name"], "upload.csv");
    client
        .with_header("content-type", "application/json")
        .post(&format!("{PATH}/leads"), "[]")
        .await
        .expect_problem(415, "unsupported_media_type");
    for name in ["", "a%0Ab", &"x".repeat(256)] {
        csv.post(&format!("{PATH}/leads?file_name={name}"), "id\n").await.expect_problem(400, "invalid_parameter");
    }
    csv.post(&format!("{PATH}/users"), "id\n").await.expect_problem(405, "method_not_allowed");
}

#[tokio::test]
async fn import_list_shows_only_readable_kinds() {
    let server = Server::start().await;
    let admin = server.admin();
    let leads = import(&admin, "leads", "city,email\nRome,ada\n").await["id"].clone();
    let calls = import(&admin, "calls", "original_identifier,caller_number\nx,+12025550143\n").await["id"].clone();
    for (scope, permitted_import, kind) in [("leads:read", &leads, "calls"), ("calls:read", &calls, "leads")] {
        let client = server.client_with_scopes(&[scope]).await;
        let list = client.get(PATH).await.expect(200);
        assert_eq!((&list["total"], &list["items"][0]["id"]), (&json!(1), permitted_import));
        let file = client.get(&format!("{PATH}/export?format=jsonl")).await.text();
        assert_eq!(file.lines().count(), 1, "{file}");
        for path in [PATH.to_owned() + "?", format!("{PATH}/export?format=csv&")] {
            client.get(&format!("{path}kind={kind}")).await.expect_problem(403, "forbidden");
        }
    }
    let client_with_both_scopes = server.client_with_scopes(&["leads:read", "calls:read"]).await;
    assert_eq!(client_with_both_scopes.get(PATH).await.expect(200)["total"], 2);
    assert_eq!(client_with_both_scopes.get(&format!("{PATH}?kind=calls")).await.expect(200)["items"][0]["id"], calls);
}

#[tokio::test]
async fn rejected_rows_are_kept_for_thirty_days() {
    let (server, client) = Server::start_with_admin().await;
    let rejected_import = import(&client, "leads", "email\nada\n").await["id"].clone();
    let complete_import = import(&client, "leads", "original_identifier,city\nx,Rome\n").await["id"].clone();
    server.advance(TimeDelta::days(30));
    assert_eq!(client.get(&format!("{PATH}/{rejected_import}/rejected")).await.expect(200)["total"], 1);
    server.advance(TimeDelta::seconds(1));
    for file in ["rejected", "rejected.csv"] {
        client.get(&format!("{PATH}/{rejected_import}/{file}")).await.expect_problem(410, "rejected_rows_purged");
        assert_eq!(client.get(&format!("{PATH}/{complete_import}/{file}")).await.status, 200);
    }
    assert_eq!(client.get(&format!("{PATH}/{rejected_import}")).await.expect(200)["counts"]["rejected"], 1);
}
