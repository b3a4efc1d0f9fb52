//! Imports into a campaign, links to the created leads, corrections of rejected rows, and reported findings.

use serde_json::{Value, json};

use super::imports::{import, import_with_query, map_parameter, row_counts};
use crate::harness::Server;

const LEADS: &str = "original_identifier,first_name\na,Ada\nb,Bob\nc,Cyd\nd,Dov\n";

#[tokio::test]
async fn imports_leads_into_a_campaign_with_a_status() {
    let (_server, client) = Server::start_with_admin().await;
    import(&client, "campaigns", "id,name\n3,Spring\n").await;
    import(&client, "leads", "original_identifier,first_name\na,Ada\nb,Old\n").await;
    let target = "&campaign_id=3&status=no_answer";
    let dry_run = import_with_query(&client, "leads", &format!("{target}&dry_run=true"), LEADS).await;
    assert_eq!(
        (&dry_run["campaign"]["leads_added"], client.count_leads(json!({ "campaign_id": 3 })).await),
        (&json!(4), 0)
    );

    let first_import = import_with_query(&client, "leads", target, LEADS).await;
    assert_eq!(row_counts(&first_import), [4, 2, 1, 1, 0]);
    assert_eq!(first_import["campaign"], json!({ "id": 3, "name": "Spring", "status": "no_answer", "leads_added": 4 }));
    assert_eq!(client.count_leads(json!({ "campaign_id": 3, "status": "no_answer" })).await, 4);
    let second_import = import_with_query(&client, "leads", target, LEADS).await;
    assert_eq!((row_counts(&second_import), &second_import["campaign"]["leads_added"]), ([4, 0, 0, 4, 0], &json!(0)));

    client.post(&format!("/api/imports/{}/undo", first_import["id"]), "").await.expect(202);
    while client.get(&format!("/api/imports/{}", first_import["id"])).await.expect(200)["undo"]["state"] != "completed"
    {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert_eq!(client.count_leads(json!({ "campaign_id": 3 })).await, 0);
    assert_eq!(client.count_leads(json!({ "limit": "200;0" })).await, 2);
}

#[tokio::test]
async fn unknown_campaign_or_status_stops_the_import() {
    let (_server, client) = Server::start_with_admin().await;
    import(&client, "campaigns", "id,name\n3,Spring\n").await;
    let csv = client.with_header("content-type", "text/csv");
    let post_import = async |query: &str| csv.post(&format!("/api/imports/leads?{query}"), LEADS).await;
    for (query, parameter) in
        [("campaign_id=9", "campaign_id"), ("campaign_id=3&status=no_answr", "status"), ("status=new", "status")]
    {
        let response = post_import(query).await;
        let problem: Value = serde_json::from_str(&response.text()).unwrap();
        assert_eq!(problem["errors"][0]["parameter"], parameter, "{query}: {problem}");
    }
    let response = csv.post("/api/imports/calls?campaign_id=3", "id\n").await;
    assert!(response.text().contains("campaign_id"));
    assert_eq!(client.get("/api/imports").await.expect(200)["total"], 1, "only the campaigns were imported");
    assert_eq!(client.count_leads(json!({ "limit": "200;0" })).await, 0);
}

#[tokio::test]
async fn corrected_rows_use_the_options_of_their_import() {
    let (_server, client) = Server::start_with_admin().await;
    import(&client, "campaigns", "id,name\n3,Spring\n").await;
    let mapping =
        map_parameter(json!({ "columns": { "Kunde": "original_identifier", "Mail": "email" }, "delimiter": ";" }));
    let file = "Kunde;Mail\na;ada@example.com\nb;bob\nc;cyd\n";
    let first_import = import_with_query(&client, "leads", &format!("{mapping}&campaign_id=3"), file).await;
    assert_eq!(row_counts(&first_import), [3, 1, 0, 0, 2]);
    let fetch_rejected =
        async || client.get(&format!("/api/imports/{}/rejected", first_import["id"])).await.expect(200);
    assert_eq!(fetch_rejected().await["total"], 2);

    // A dry run keeps the rejected rows. The corrected file may use another delimiter.
    let query = format!("&corrects_import_id={}", first_import["id"]);
    let file = "line,reason,Kunde,Mail\n3,,b,bob@example.com\n";
    let dry_run = import_with_query(&client, "leads", &format!("{query}&dry_run=true"), file).await;
    assert_eq!(row_counts(&dry_run), [1, 1, 0, 0, 0], "{dry_run}");
    assert_eq!(fetch_rejected().await["total"], 2);

    // One corrected row is still invalid.
    let file = "line;reason;Kunde;Mail\n3;;b;bob@example.com\n4;;c;cyd@\n";
    let correction = import_with_query(&client, "leads", &query, file).await;
    assert_eq!(
        (row_counts(&correction), &correction["corrects_import_id"]),
        ([2, 1, 0, 0, 1], &first_import["id"]),
        "{correction}"
    );
    assert_eq!(
        (&correction["campaign"]["leads_added"], client.count_leads(json!({ "campaign_id": 3 })).await),
        (&json!(1), 2)
    );
    let remaining = fetch_rejected().await;
    assert_eq!((&remaining["total"], &remaining["items"][0]["line"]), (&json!(1), &json!(4)));
    let first_import = client.get(&format!("/api/imports/{}", first_import["id"])).await.expect(200);
    assert_eq!((&first_import["counts"]["rejected"], &first_import["counts"]["corrected"]), (&json!(2), &json!(1)));

    // Line 2 was imported, line 3 was corrected, and line 99 doesn't exist.
    let file = "line;reason;Kunde;Mail\n2;;a;zoe@example.com\n3;;b;zoe@example.com\n99;;z;zoe@example.com\n";
    assert_eq!(row_counts(&import_with_query(&client, "leads", &query, file).await), [3, 0, 0, 0, 3]);
    assert_eq!(client.count_leads(json!({ "email": "zoe@example.com" })).await, 0);
    let duplicate_line_file = "line;reason;Kunde;Mail\n4;;c;cyd@example.com\n4;;d;dan@example.com\n";
    let dry_run = import_with_query(&client, "leads", &format!("{query}&dry_run=true"), duplicate_line_file).await;
    assert_eq!(row_counts(&dry_run), [2, 1, 0, 0, 1], "one row is corrected");

    let without_lines = import_with_query(&client, "leads", &query, "Kunde;Mail\nc;cyd@example.com\n").await;
    assert_eq!(without_lines["state"], "failed");
    assert!(without_lines["error"]["detail"].as_str().unwrap().contains("`line` and `reason`"), "{without_lines}");
    let csv = client.with_header("content-type", "text/csv");
    let response =
        csv.post(&format!("/api/imports/leads?corrects_import_id={}{mapping}", first_import["id"]), file).await;
    assert!(response.text().contains("mutually_exclusive"), "{}", response.text());
}

#[tokio::test]
async fn warns_about_a_target_without_callable_leads() {
    let (_server, client) = Server::start_with_admin().await;
    import(&client, "campaigns", "id,name,active\n3,Spring,false\n").await;
    let file = "original_identifier,phone,timezone\na,+4930901820,Europe/Berlin\nb,+4930901821,Europe/Berlin\n";
    let import = import_with_query(&client, "leads", "&campaign_id=3&status=closed&dry_run=true", file).await;
    let findings = import["findings"].as_array().unwrap();
    let finding_counts: Vec<_> = findings.iter().map(|finding| json!([finding["code"], finding["count"]])).collect();
    assert_eq!(finding_counts, [json!(["campaign_inactive", 2]), json!(["status_not_dialable", 2])]);
}

#[tokio::test]
async fn unchanged_duplicates_are_rejected_again() {
    let (_server, client) = Server::start_with_admin().await;
    let first_import = import(&client, "leads", "original_identifier,first_name\na,Ada\na,Bea\n").await;
    assert_eq!(row_counts(&first_import), [2, 1, 0, 0, 1]);
    let query = format!("&corrects_import_id={}", first_import["id"]);
    let unchanged =
        import_with_query(&client, "leads", &query, "line,reason,original_identifier,first_name\n3,,a,Bea\n").await;
    assert_eq!(row_counts(&unchanged), [1, 0, 0, 0, 1]);
    let changed =
        import_with_query(&client, "leads", &query, "line,reason,original_identifier,first_name\n3,,b,Bea\n").await;
    assert_eq!(row_counts(&changed), [1, 1, 0, 0, 0]);
}

#[tokio::test]
async fn dry_run_reports_undialable_numbers_with_reasons() {
    let (_server, client) = Server::start_with_admin().await;
    let file = "original_identifier,Tel,country,timezone,do_not_call\n\
        a,030 901820,DE,Europe/Berlin,\nb,+49 30 901821,DE,Europe/Berlin,\nc,n/a,DE,Europe/Berlin,\n\
        d,030 901822,Atlantis,Europe/Berlin,\ne,030 901823,,Europe/Berlin,true\nf,,DE,,\n";
    let query = map_parameter(json!({ "columns": { "Tel": "phone" } }));
    for query in [format!("{query}&dry_run=true"), query] {
        let import = import_with_query(&client, "leads", &query, file).await;
        let findings: Vec<_> = import["findings"].as_array().unwrap().iter().collect();
        let summary = |finding: &Value| {
            let sample = &finding["samples"][0];
            json!([
                finding["code"],
                finding["column"],
                finding["count"],
                sample["line"],
                sample["cell"],
                sample["result"]
            ])
        };
        let finding_summaries: Vec<_> = findings.into_iter().map(summary).collect();
        let expected = [
            json!(["invalid_phone", "Tel", 3, 4, "n/a", null]),
            json!(["no_country", "Tel", 1, 6, "030 901823", null]),
            json!(["unknown_country", "country", 1, 5, "Atlantis", null]),
            json!(["country_code_added", "Tel", 1, 2, "030 901820", "+4930901820"]),
            json!(["no_phone", null, 1, 7, null, null]),
            json!(["no_timezone", null, 1, 7, null, null]),
            json!(["do_not_call", null, 1, 6, null, null]),
        ];
        assert_eq!(finding_summaries, expected, "{import}");
    }
}
