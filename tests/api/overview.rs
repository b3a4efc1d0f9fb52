//! `/api/overview`: activity by day, pending work, callable leads, and reasons why other leads aren't callable.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::harness::{Client, Server};

const ACTIVITY_PATH: &str = "/api/overview/activity";
const CALLABLE_PATH: &str = "/api/overview/callable";

#[tokio::test]
async fn activity_is_reported_by_day() {
    let (server, client) = Server::start_with_admin().await;
    let create_call =
        async |status: &str| client.create("/api/calls", json!({ "direction": "outbound", "status": status })).await;
    create_call("answered").await;
    server.advance(TimeDelta::hours(14));
    // 23:30 in UTC is 01:30 of the next day in Berlin.
    for status in ["answered", "busy", "failed"] {
        create_call(status).await;
    }
    let token = server.create_speech_token("Acme").await;
    let recorded_call = server.create_recorded_call(json!({})).await;
    server.submit_call(recorded_call, &token).await;

    let activity = client.get(&format!("{ACTIVITY_PATH}?days=2")).await.expect(200);
    let expected_day = |date: &str, start: &str, end: &str, answered: u32, unanswered: u32| {
        json!({
            "date": date, "start": start, "end": end, "answered": answered, "unanswered": unanswered, "transcribed": 0,
            "failed": 0
        })
    };
    assert_eq!(
        activity["days"],
        json!([
            expected_day("2026-04-30", "2026-04-30T00:00:00Z", "2026-05-01T00:00:00Z", 0, 0),
            expected_day("2026-05-01", "2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z", 3, 2)
        ])
    );
    assert_eq!((&activity["counted_at"], &activity["timezone"]), (&json!("2026-05-01T23:30:00Z"), &json!("UTC")));
    assert_eq!(
        activity["transcriptions"],
        json!({ "queued": 1, "processing": 0, "failed": 0, "oldest_queued_at": "2026-05-01T23:30:00Z" })
    );
    let no_deliveries =
        json!({ "waiting": 0, "queued": 0, "delivering": 0, "delivered": 0, "failed": 0, "stopped": 0 });
    assert_eq!(activity["deliveries"], no_deliveries);

    let activity = client.get(&format!("{ACTIVITY_PATH}?days=2&timezone=Europe/Berlin")).await.expect(200);
    assert_eq!(
        activity["days"],
        json!([
            expected_day("2026-05-01", "2026-04-30T22:00:00Z", "2026-05-01T22:00:00Z", 1, 0),
            expected_day("2026-05-02", "2026-05-01T22:00:00Z", "2026-05-02T22:00:00Z", 2, 2)
        ])
    );
    let activity = client.get(ACTIVITY_PATH).await.expect(200);
    assert_eq!(activity["days"].as_array().unwrap().len(), 30);
}

#[tokio::test]
async fn reports_all_query_errors() {
    let (_server, client) = Server::start_with_admin().await;
    for days in ["0", "91", "-1", "%2B5", "1.5", "x", ""] {
        let diagnostics =
            client.get(&format!("{ACTIVITY_PATH}?days={days}")).await.expect_problem(400, "invalid_parameter");
        assert!(diagnostics[0].starts_with("\"days\" out_of_range"), "{days}: {diagnostics:?}");
    }
    let diagnostics = client
        .get(&format!("{ACTIVITY_PATH}?days=0&timezone=Mars/Olympus"))
        .await
        .expect_problem(400, "invalid_parameter");
    assert!(
        diagnostics[0].starts_with("\"days\"") && diagnostics[1].starts_with("\"timezone\" unknown_time_zone"),
        "{diagnostics:?}"
    );
    client.get(&format!("{ACTIVITY_PATH}?day=3")).await.expect_problem(400, "unknown_parameter");
}

/// Returns all leads with their campaigns.
async fn all_leads(client: &Client) -> Vec<Value> {
    let mut leads = Vec::new();
    loop {
        let filter = json!({ "limit": format!("1000;{}", leads.len()) }).to_string();
        let page = client.put("/api/leads/extended-data", filter).await.expect(200);
        leads.extend(page["leads"].as_array().unwrap().iter().cloned());
        if page["total_leads"] == leads.len() {
            return leads;
        }
    }
}

fn reason_codes(reasons: &Value) -> impl Iterator<Item = String> {
    reasons.as_array().unwrap().iter().map(|reason| reason["code"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn counts_equal_verdicts_and_filter_results() {
    let server = Server::start().await;
    server.load_demo().await;
    let client = server.admin();
    let overview = client.get(CALLABLE_PATH).await.expect(200);

    let (mut callable, mut reasons) = (BTreeMap::<i64, u64>::new(), BTreeMap::<String, u64>::new());
    let leads = all_leads(&client).await;
    for lead in &leads {
        let mut lead_codes: BTreeSet<_> = reason_codes(&lead["not_callable_reasons"]).collect();
        for campaign in lead["campaigns"].as_array().unwrap() {
            lead_codes.extend(reason_codes(&campaign["not_callable_reasons"]));
            if campaign["callable"] == true {
                *callable.entry(campaign["campaign_id"].as_i64().unwrap()).or_default() += 1;
            }
        }
        lead_codes.into_iter().for_each(|code| *reasons.entry(code).or_default() += 1);
    }
    assert_eq!(overview["leads"], leads.len());

    let count_leads = async |filter: &Value| {
        let mut filter: Value = serde_json::from_str(filter.as_str().unwrap()).unwrap();
        filter["limit"] = json!("0;0");
        client.search_leads(filter).await["total_leads"].take()
    };
    let campaigns = overview["campaigns"].as_array().unwrap();
    assert!(campaigns.len() > 1 && overview["active_campaigns"] == campaigns.len(), "{campaigns:?}");
    for campaign in campaigns {
        let id = campaign["campaign_id"].as_i64().unwrap();
        assert_eq!(campaign["callable"], callable.remove(&id).unwrap_or(0), "{campaign}");
        assert_eq!(campaign["callable"], count_leads(&campaign["filter"]).await);
        assert_eq!(campaign["leads"], count_leads(&json!(json!({ "campaign_id": id }).to_string())).await);
    }
    assert_eq!(callable, BTreeMap::new(), "only active campaigns are listed");

    let mut reported_counts = BTreeMap::new();
    for reason in overview["reasons"].as_array().unwrap() {
        assert_eq!(reason["leads"], count_leads(&reason["filter"]).await, "{reason}");
        reported_counts.insert(reason["code"].as_str().unwrap().to_owned(), reason["leads"].as_u64().unwrap());
    }
    reported_counts.retain(|_, leads| *leads > 0);
    assert_eq!(reported_counts, reasons);
}
