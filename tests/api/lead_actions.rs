//! `/api/leads/actions`: bulk actions on leads, with a count beforehand and an undo afterwards.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::imports::import;
use crate::harness::{Client, Server, body};

const PATH: &str = "/api/leads/actions";
const DRY_RUN: &str = "/api/leads/actions?dry_run=true";

/// Creates a campaign with three leads, two of which live in Bonn, and a lead in no campaign.
async fn create_leads_and_campaign(client: &Client) -> (i64, Vec<i64>) {
    let campaign = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    let mut leads = Vec::new();
    for city in ["Bonn", "Köln", "Bonn", "Bonn"] {
        leads.push(client.create("/api/leads", json!({ "city": city })).await);
    }
    for lead in &leads[..3] {
        client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    }
    (campaign, leads)
}

async fn get_lead(client: &Client, lead: i64) -> Value {
    client.get(&format!("/api/leads/{lead}")).await.expect(200)
}

#[tokio::test]
async fn action_matches_its_dry_run_and_can_be_undone() {
    let (server, client) = Server::start_with_admin().await;
    let (campaign, leads) = create_leads_and_campaign(&client).await;
    let action = json!({
        "filter": { "campaign_id": campaign, "city": "Bonn" },
        "set": { "freeze_until": "2026-06-01 00:00:00", "weight": 5 }
    });
    let mut dry_run = client.post(DRY_RUN, body(action.clone())).await.expect(200);
    assert_eq!(
        dry_run,
        json!({
            "id": null,
            "leads": { "changed": 2, "unchanged": 0 },
            "campaign_leads": { "changed": 2, "unchanged": 0 },
            "missing": 0,
            "next_after_id": null,
            "callable": { "gained": 0, "lost": 0, "unblocked": 0 }
        })
    );
    assert_eq!(get_lead(&client, leads[0]).await["campaigns"][0]["weight"], 0, "a dry run changes nothing");

    server.advance(TimeDelta::hours(1));
    let result = client.post(PATH, body(action.clone())).await.expect(200);
    dry_run["id"] = result["id"].clone();
    dry_run["callable"] = Value::Null;
    assert_eq!(result, dry_run);
    let changed = get_lead(&client, leads[2]).await;
    let campaign_lead = &changed["campaigns"][0];
    assert_eq!((&campaign_lead["freeze_until"], &campaign_lead["weight"]), (&json!("2026-06-01T00:00:00Z"), &json!(5)));
    assert_eq!(changed["global_updated_at"], campaign_lead["updated_at"]);
    assert_eq!(get_lead(&client, leads[1]).await["campaigns"][0]["weight"], 0);
    let second_run = client.post(PATH, body(action)).await.expect(200);
    assert_eq!((&second_run["id"], &second_run["leads"]), (&Value::Null, &json!({ "changed": 0, "unchanged": 2 })));

    // The lead's history contains the change, and the audit log the action.
    let history = client.get(&format!("/api/audit-log/leads/{}", leads[2])).await.expect(200);
    assert_eq!(history["items"][0]["action"], "campaign_lead.update");
    let log = client.get("/api/audit-log?subject=lead_action").await.expect(200);
    assert_eq!((&log["total"], &log["items"][0]["action"]), (&json!(1), &json!("lead_action.create")));

    let undo_path = format!("{PATH}/{}/undo", result["id"]);
    let undo_result = client.post(&undo_path, "").await.expect(200);
    let counts = json!({ "restored": 2, "skipped": 0 });
    assert_eq!(undo_result, json!({ "id": result["id"], "leads": counts, "campaign_leads": counts }));
    let campaign_lead = &get_lead(&client, leads[2]).await["campaigns"][0];
    assert_eq!((&campaign_lead["freeze_until"], &campaign_lead["weight"]), (&Value::Null, &json!(0)));
    client.post(&undo_path, "").await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn adds_leads_to_a_campaign_and_removes_them() {
    let (_server, client) = Server::start_with_admin().await;
    let (campaign, leads) = create_leads_and_campaign(&client).await;
    let action = body(json!({ "lead_ids": leads, "set": { "campaign_id": campaign, "status": "busy", "weight": 5 } }));
    let mut dry_run = client.post(DRY_RUN, action.clone()).await.expect(200);
    let counts = json!({ "changed": 1, "unchanged": 3 });
    assert_eq!((&dry_run["leads"], &dry_run["campaign_leads"]), (&counts, &counts), "{dry_run}");
    assert_eq!(get_lead(&client, leads[3]).await["campaigns"], json!([]), "a dry run changes nothing");

    let result = client.post(PATH, action.clone()).await.expect(200);
    dry_run["id"] = result["id"].clone();
    dry_run["callable"] = Value::Null;
    assert_eq!(result, dry_run);
    let campaign_lead = get_lead(&client, leads[3]).await["campaigns"][0].clone();
    assert_eq!(
        (
            &campaign_lead["campaign_id"],
            &campaign_lead["status"],
            &campaign_lead["weight"],
            &campaign_lead["calls_count"]
        ),
        (&json!(campaign), &json!("busy"), &json!(5), &json!(0))
    );
    assert_eq!(
        get_lead(&client, leads[0]).await["campaigns"][0]["weight"],
        0,
        "leads already in the campaign are unchanged"
    );
    assert_eq!(client.post(PATH, action).await.expect(200)["id"], Value::Null);
    let history = client.get(&format!("/api/audit-log/leads/{}", leads[3])).await.expect(200);
    assert_eq!(history["items"][0]["action"], "campaign_lead.create");
    let action_list = client.get(PATH).await.expect(200);
    assert_eq!(action_list["items"][0]["set"], json!({ "campaign_id": campaign, "status": "busy", "weight": 5 }));

    let undo_result = client.post(&format!("{PATH}/{}/undo", result["id"]), "").await.expect(200);
    let counts = json!({ "restored": 1, "skipped": 0 });
    assert_eq!((&undo_result["leads"], &undo_result["campaign_leads"]), (&counts, &counts));
    assert_eq!(get_lead(&client, leads[3]).await["campaigns"], json!([]));
}

#[tokio::test]
async fn actions_are_listed_newest_first() {
    let (server, client) = Server::start_with_admin().await;
    let (campaign, leads) = create_leads_and_campaign(&client).await;
    let manager = server.logged_in_client("manager").await;
    let mark_action = json!({ "lead_ids": leads, "set": { "do_not_call": true } });
    let marked_action_id = client.post(PATH, body(mark_action)).await.expect(200)["id"].clone();
    server.advance(TimeDelta::hours(1));
    let weight_action = json!({ "filter": { "campaign_id": campaign }, "set": { "weight": 5, "assigned_user_id": 7 } });
    client.post(PATH, body(weight_action)).await.expect(200);
    server.advance(TimeDelta::hours(1));
    let unassign_action =
        json!({ "filter": { "campaign_id": campaign, "city": "Bonn" }, "set": { "assigned_user_id": null } });
    manager.post(PATH, body(unassign_action)).await.expect(200);
    client.post(&format!("{PATH}/{marked_action_id}/undo"), "").await.expect(200);

    // Viewers can list actions.
    let list = server.logged_in_client("viewer").await.get(PATH).await.expect(200);
    assert_eq!(list["total"], 3);
    let entries = list["items"].as_array().unwrap();
    let summaries: Vec<_> =
        entries.iter().map(|entry| (&entry["set"], &entry["leads"], &entry["campaign_leads"])).collect();
    assert_eq!(
        summaries,
        [
            (&json!({ "assigned_user_id": null }), &json!(2), &json!(2)),
            (&json!({ "weight": 5, "assigned_user_id": 7 }), &json!(3), &json!(3)),
            (&json!({ "do_not_call": true }), &json!(4), &json!(0)),
        ]
    );
    let log = client.get("/api/audit-log?action=lead_action.create").await.expect(200);
    for (entry, logged) in entries.iter().zip(log["items"].as_array().unwrap()) {
        assert_eq!((&entry["actor"], &entry["performed_at"]), (&logged["actor"], &logged["created_at"]));
    }
    assert_ne!(entries[0]["actor"], entries[1]["actor"]);
    assert_eq!((&entries[0]["undone_at"], &entries[2]["undone_at"]), (&Value::Null, &entries[0]["performed_at"]));

    let ids = async |query: &str| {
        let page = client.get(&format!("{PATH}?{query}")).await.expect(200);
        let ids: Vec<_> = page["items"].as_array().unwrap().iter().map(|entry| entry["id"].clone()).collect();
        (page["total"].clone(), ids)
    };
    let all_ids: Vec<_> = entries.iter().map(|entry| entry["id"].clone()).collect();
    assert_eq!(ids("limit=1;1").await, (json!(3), vec![all_ids[1].clone()]));
    assert_eq!(ids("undone=true").await, (json!(1), vec![all_ids[2].clone()]));
    assert_eq!(ids("undone=false").await, (json!(2), all_ids[..2].to_vec()));
    for invalid_query in ["undone=yes", "undone=true&undone=false", "limit=101", "order=-id"] {
        assert_eq!(client.get(&format!("{PATH}?{invalid_query}")).await.status, 400, "{invalid_query}");
    }
}

#[tokio::test]
async fn each_error_has_its_pointer() {
    let (_server, client) = Server::start_with_admin().await;
    let (_, leads) = create_leads_and_campaign(&client).await;
    let action = json!({ "filter": { "ctiy": "Bonn" }, "set": { "weight": "5", "statsu": "new" }, "campaign_id": 0 });
    for path in [PATH, DRY_RUN] {
        let response = client.post(path, body(action.clone())).await;
        response.expect_problem(400, "invalid_request");
        let errors = response.json()["errors"].clone();
        let pointers: Vec<_> =
            errors.as_array().unwrap().iter().map(|diagnostic| diagnostic["pointer"].as_str().unwrap()).collect();
        let mut sorted_pointers = pointers.clone();
        sorted_pointers.sort_unstable();
        assert_eq!(sorted_pointers, ["/campaign_id", "/filter/ctiy", "/set/statsu", "/set/weight"], "{errors}");
    }
    for (action, status, pointer) in [
        (json!({ "lead_ids": leads, "set": { "status": "bussy" } }), 422, "/set/status"),
        (json!({ "lead_ids": leads, "campaign_id": 99, "set": { "weight": 1 } }), 422, "/campaign_id"),
        (json!({ "lead_ids": leads, "set": { "campaign_id": 99 } }), 422, "/set/campaign_id"),
        (json!({ "lead_ids": leads, "campaign_id": 1, "set": { "campaign_id": 1 } }), 400, "/campaign_id"),
        (json!({ "lead_ids": [], "set": { "weight": 1 } }), 400, "/lead_ids"),
        (json!({ "filter": {}, "set": { "weight": 1 } }), 400, "/filter"),
        (json!({ "lead_ids": [1], "filter": { "id": 1 }, "set": { "weight": 1 } }), 400, "/filter"),
        (json!({ "lead_ids": [1], "after_id": "1", "set": { "weight": 1 } }), 400, "/after_id"),
        (json!({ "lead_ids": [1], "max_leads": 0, "set": { "weight": 1 } }), 400, "/max_leads"),
    ] {
        let response = client.post(PATH, body(action.clone())).await;
        assert_eq!(response.status, status, "{action}: {}", response.text());
        assert_eq!(response.json()["errors"][0]["pointer"], pointer, "{action}");
    }
    let missing_lead_result = client.post(PATH, r#"{"lead_ids":[987654321],"set":{"weight":1}}"#).await.expect(200);
    assert_eq!((&missing_lead_result["id"], &missing_lead_result["missing"]), (&Value::Null, &json!(1)));
}

#[tokio::test]
async fn leads_are_filtered_by_callability() {
    let (_server, client) = Server::start_with_admin().await;
    // More distinct rules than a database accepts in one query.
    let campaigns: String = (1..=1_200).map(|limit| format!("Campaign {limit},{limit}\n")).collect();
    import(&client, "campaigns", format!("name,max_attempts\n{campaigns}")).await;
    let page = client.get("/api/campaigns?search=Campaign%203&limit=1;0&order=name").await.expect(200);
    let campaign = &page["items"][0]["id"];
    let mut leads = Vec::new();
    let phone_number = Some("+442079460018");
    for (phone, calls) in [(phone_number, 0), (phone_number, 1_200), (phone_number, 1_200), (None, 0)] {
        let lead = client.create("/api/leads", json!({ "phone_normalized": phone })).await;
        let campaign_lead = json!({ "lead_id": lead, "campaign_id": campaign, "calls_count": calls });
        client.create("/api/campaign-leads", campaign_lead).await;
        leads.push(lead);
    }
    let lead_without_campaign = client.create("/api/leads", json!({ "phone_normalized": phone_number })).await;
    let matching_ids = async |filter: Value| {
        let ids = client.matching_ids(filter.clone()).await;
        // The action evaluates the filter in SQL.
        let action = json!({ "filter": filter, "set": { "do_not_call": true } });
        let dry_run = client.post(DRY_RUN, body(action)).await.expect(200);
        assert_eq!(dry_run["leads"]["changed"], ids.len(), "{filter}");
        ids
    };
    assert_eq!(matching_ids(json!({ "callable": true })).await, [leads[0]]);
    assert_eq!(matching_ids(json!({ "callable": false })).await, [leads[1], leads[2], leads[3], lead_without_campaign]);
    assert_eq!(matching_ids(json!({ "not_callable_reason": "attempt_limit" })).await, [leads[1], leads[2]]);
    // A lead in no campaign matches neither `attempt_limit` nor its negation.
    assert_eq!(matching_ids(json!({ "not_callable_reason": { "not": "attempt_limit" } })).await, [leads[0], leads[3]]);
    let with_number = [leads[0], leads[1], leads[2], lead_without_campaign];
    assert_eq!(matching_ids(json!({ "not_callable_reason": { "not": "no_phone" } })).await, with_number);

    let action = json!({ "filter": { "not_callable_reason": "attempt_limit" }, "campaign_id": campaign,
        "set": { "status": "closed" } });
    let result = client.post(PATH, body(action)).await.expect(200);
    assert_eq!(result["campaign_leads"]["changed"], 2, "{result}");
    let filter = json!({ "not_callable_reason": ["attempt_limit", "status_not_dialable"], "status": "closed" });
    assert_eq!(matching_ids(filter).await, [leads[1], leads[2]]);
}
