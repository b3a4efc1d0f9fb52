//! `/api/leads/actions`: bulk changes of leads, with a count beforehand and an undo afterwards.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::imports::import;
use crate::harness::{Client, Server, body};

const PATH: &str = "/api/leads/actions";
const DRY_RUN: &str = "/api/leads/actions?dry_run=true";

/// Creates a campaign with three leads, two of which live in Bonn, and a lead in no campaign.
async fn furnished(client: &Client) -> (i64, Vec<i64>) {
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

async fn of_lead(client: &Client, lead: i64) -> Value {
    client.get(&format!("/api/leads/{lead}")).await.expect(200)
}

#[tokio::test]
async fn action_matches_its_dry_run_and_can_be_undone() {
    let server = Server::start().await;
    let client = server.admin();
    let (campaign, leads) = furnished(&client).await;
    let freeze = json!({
        "filter": { "campaign_id": campaign, "city": "Bonn" },
        "set": { "freeze_until": "2026-06-01 00:00:00", "weight": 5 }
    });
    let mut counted = client.post(DRY_RUN, body(freeze.clone())).await.expect(200);
    assert_eq!(
        counted,
        json!({
            "id": null,
            "leads": { "changed": 2, "unchanged": 0 },
            "campaign_leads": { "changed": 2, "unchanged": 0 },
            "missing": 0,
            "next": null,
            "callable": { "gained": 0, "lost": 0, "released": 0 }
        })
    );
    assert_eq!(of_lead(&client, leads[0]).await["campaigns"][0]["weight"], 0, "a dry run changes nothing");

    server.advance(TimeDelta::hours(1));
    let done = client.post(PATH, body(freeze.clone())).await.expect(200);
    counted["id"] = done["id"].clone();
    counted["callable"] = Value::Null;
    assert_eq!(done, counted);
    let changed = of_lead(&client, leads[2]).await;
    let inside = &changed["campaigns"][0];
    assert_eq!((&inside["freeze_until"], &inside["weight"]), (&json!("2026-06-01T00:00:00Z"), &json!(5)));
    assert_eq!(changed["global_updated_at"], inside["updated_at"]);
    assert_eq!(of_lead(&client, leads[1]).await["campaigns"][0]["weight"], 0);
    let again = client.post(PATH, body(freeze)).await.expect(200);
    assert_eq!((&again["id"], &again["leads"]), (&Value::Null, &json!({ "changed": 0, "unchanged": 2 })));

    // The lead's history names the actor.
    let history = client.get(&format!("/api/audit-log/leads/{}", leads[2])).await.expect(200);
    assert_eq!(history["items"][0]["action"], "campaign_lead.update");
    let log = client.get("/api/audit-log?subject=lead_action").await.expect(200);
    assert_eq!((&log["total"], &log["items"][0]["action"]), (&json!(1), &json!("lead_action.create")));

    let undo = format!("{PATH}/{}/undo", done["id"]);
    let undone = client.post(&undo, "").await.expect(200);
    let counts = json!({ "restored": 2, "left": 0 });
    assert_eq!(undone, json!({ "id": done["id"], "leads": counts, "campaign_leads": counts }));
    let inside = &of_lead(&client, leads[2]).await["campaigns"][0];
    assert_eq!((&inside["freeze_until"], &inside["weight"]), (&Value::Null, &json!(0)));
    client.post(&undo, "").await.refused(409, "conflict");
    client.post(&format!("{PATH}/987654321/undo"), "").await.refused(404, "not_found");
}

#[tokio::test]
async fn adds_leads_to_a_campaign_and_removes_them() {
    let server = Server::start().await;
    let client = server.admin();
    let (campaign, leads) = furnished(&client).await;
    let put_in = body(json!({ "lead_ids": leads, "set": { "campaign_id": campaign, "status": "busy", "weight": 5 } }));
    let mut counted = client.post(DRY_RUN, put_in.clone()).await.expect(200);
    let counts = json!({ "changed": 1, "unchanged": 3 });
    assert_eq!((&counted["leads"], &counted["campaign_leads"]), (&counts, &counts), "{counted}");
    assert_eq!(of_lead(&client, leads[3]).await["campaigns"], json!([]), "a dry run changes nothing");

    let done = client.post(PATH, put_in.clone()).await.expect(200);
    counted["id"] = done["id"].clone();
    counted["callable"] = Value::Null;
    assert_eq!(done, counted);
    let inside = of_lead(&client, leads[3]).await["campaigns"][0].clone();
    assert_eq!(
        (&inside["campaign_id"], &inside["status"], &inside["weight"], &inside["calls_count"]),
        (&json!(campaign), &json!("busy"), &json!(5), &json!(0))
    );
    assert_eq!(of_lead(&client, leads[0]).await["campaigns"][0]["weight"], 0, "what is in it stays as it is");
    assert_eq!(client.post(PATH, put_in).await.expect(200)["id"], Value::Null);
    let history = client.get(&format!("/api/audit-log/leads/{}", leads[3])).await.expect(200);
    assert_eq!(history["items"][0]["action"], "campaign_lead.create");
    let listed = client.get(PATH).await.expect(200);
    assert_eq!(listed["items"][0]["set"], json!({ "campaign_id": campaign, "status": "busy", "weight": 5 }));

    let undone = client.post(&format!("{PATH}/{}/undo", done["id"]), "").await.expect(200);
    let counts = json!({ "restored": 1, "left": 0 });
    assert_eq!((&undone["leads"], &undone["campaign_leads"]), (&counts, &counts));
    assert_eq!(of_lead(&client, leads[3]).await["campaigns"], json!([]));
}

#[tokio::test]
async fn long_action_runs_in_parts() {
    let server = Server::start().await;
    let client = server.admin();
    let (_, leads) = furnished(&client).await;
    let mut action = json!({ "filter": { "do_not_call": false }, "at_most": 3, "set": { "do_not_call": true } });
    let first = client.post(PATH, body(action.clone())).await.expect(200);
    assert_eq!((&first["leads"]["changed"], &first["next"]), (&json!(3), &json!(leads[2])), "{first}");
    assert_eq!(of_lead(&client, leads[3]).await["do_not_call"], false, "whoever stops here has changed no more");
    action["after"] = first["next"].clone();
    let last = client.post(PATH, body(action)).await.expect(200);
    assert_eq!((&last["leads"]["changed"], &last["next"]), (&json!(1), &Value::Null), "{last}");
    for part in [last, first] {
        client.post(&format!("{PATH}/{}/undo", part["id"]), "").await.expect(200);
    }
    for lead in leads {
        assert_eq!(of_lead(&client, lead).await["do_not_call"], false);
    }
    let wrong = json!({ "lead_ids": [1], "after": "1", "at_most": 0, "set": { "weight": 1 } });
    let answer = client.post(PATH, body(wrong)).await;
    answer.refused(400, "invalid_request");
    assert_eq!(answer.json()["errors"][0]["pointer"], "/after");
    assert_eq!(answer.json()["errors"][1]["pointer"], "/at_most");
}

#[tokio::test]
async fn actions_are_listed_newest_first() {
    let server = Server::start().await;
    let client = server.admin();
    let (campaign, leads) = furnished(&client).await;
    let manager = server.staff("manager").await;
    let mark = json!({ "lead_ids": leads, "set": { "do_not_call": true } });
    let marked = client.post(PATH, body(mark)).await.expect(200)["id"].clone();
    server.advance(TimeDelta::hours(1));
    let thaw = json!({ "filter": { "campaign_id": campaign }, "set": { "weight": 5, "assigned_user_id": 7 } });
    client.post(PATH, body(thaw)).await.expect(200);
    server.advance(TimeDelta::hours(1));
    let nobody = json!({ "filter": { "campaign_id": campaign, "city": "Bonn" }, "set": { "assigned_user_id": null } });
    manager.post(PATH, body(nobody)).await.expect(200);
    client.post(&format!("{PATH}/{marked}/undo"), "").await.expect(200);

    // Viewers can list actions.
    let listed = server.staff("viewer").await.get(PATH).await.expect(200);
    assert_eq!(listed["total"], 3);
    let entries = listed["items"].as_array().unwrap();
    let told: Vec<_> = entries.iter().map(|one| (&one["set"], &one["leads"], &one["campaign_leads"])).collect();
    assert_eq!(
        told,
        [
            (&json!({ "assigned_user_id": null }), &json!(2), &json!(2)),
            (&json!({ "weight": 5, "assigned_user_id": 7 }), &json!(3), &json!(3)),
            (&json!({ "do_not_call": true }), &json!(4), &json!(0)),
        ]
    );
    let log = client.get("/api/audit-log?action=lead_action.create").await.expect(200);
    for (entry, logged) in entries.iter().zip(log["items"].as_array().unwrap()) {
        assert_eq!((&entry["actor"], &entry["at"]), (&logged["actor"], &logged["at"]));
    }
    assert_ne!(entries[0]["actor"], entries[1]["actor"]);
    assert_eq!((&entries[0]["undone_at"], &entries[2]["undone_at"]), (&Value::Null, &entries[0]["at"]));

    let ids = async |query: &str| {
        let page = client.get(&format!("{PATH}?{query}")).await.expect(200);
        let ids: Vec<_> = page["items"].as_array().unwrap().iter().map(|entry| entry["id"].clone()).collect();
        (page["total"].clone(), ids)
    };
    let all: Vec<_> = entries.iter().map(|entry| entry["id"].clone()).collect();
    assert_eq!(ids("limit=1;1").await, (json!(3), vec![all[1].clone()]));
    assert_eq!(ids("undone=true").await, (json!(1), vec![all[2].clone()]));
    assert_eq!(ids("undone=false").await, (json!(2), all[..2].to_vec()));
    for wrong in ["undone=yes", "undone=true&undone=false", "limit=101", "order=-id"] {
        assert_eq!(client.get(&format!("{PATH}?{wrong}")).await.status, 400, "{wrong}");
    }
    server.with_scopes(&["leads:write"]).await.get(PATH).await.refused(403, "forbidden");
}

#[tokio::test]
async fn undo_keeps_later_changes() {
    let server = Server::start().await;
    let client = server.admin();
    let (_, leads) = furnished(&client).await;
    let action = json!({ "lead_ids": leads, "set": { "do_not_call": true } });
    let done = client.post(PATH, body(action)).await.expect(200);
    assert_eq!(done["leads"], json!({ "changed": 4, "unchanged": 0 }));
    client.patch(&format!("/api/leads/{}", leads[0]), r#"{"do_not_call":false}"#).await.expect(200);
    client.patch(&format!("/api/leads/{}", leads[1]), r#"{"city":"Aachen"}"#).await.expect(200);
    client.delete(&format!("/api/leads/{}", leads[2])).await.expect(204);
    let undone = client.post(&format!("{PATH}/{}/undo", done["id"]), "").await.expect(200);
    assert_eq!(undone["leads"], json!({ "restored": 2, "left": 2 }));
    let second = of_lead(&client, leads[1]).await;
    assert_eq!((&second["do_not_call"], &second["city"]), (&json!(false), &json!("Aachen")));
}

#[tokio::test]
async fn each_fault_has_its_pointer() {
    let server = Server::start().await;
    let client = server.admin();
    let (_, leads) = furnished(&client).await;
    let action = json!({ "filter": { "ctiy": "Bonn" }, "set": { "weight": "5", "statsu": "new" }, "campaign_id": 0 });
    for path in [PATH, DRY_RUN] {
        let answer = client.post(path, body(action.clone())).await;
        answer.refused(400, "invalid_request");
        let errors = answer.json()["errors"].clone();
        let places: Vec<_> =
            errors.as_array().unwrap().iter().map(|fault| fault["pointer"].as_str().unwrap()).collect();
        let mut sorted = places.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, ["/campaign_id", "/filter/ctiy", "/set/statsu", "/set/weight"], "{errors}");
    }
    for (action, status, place) in [
        (json!({ "lead_ids": leads, "set": { "status": "bussy" } }), 422, "/set/status"),
        (json!({ "lead_ids": leads, "campaign_id": 99, "set": { "weight": 1 } }), 422, "/campaign_id"),
        (json!({ "lead_ids": leads, "set": { "campaign_id": 99 } }), 422, "/set/campaign_id"),
        (json!({ "lead_ids": leads, "campaign_id": 1, "set": { "campaign_id": 1 } }), 400, "/campaign_id"),
        (json!({ "lead_ids": [], "set": { "weight": 1 } }), 400, "/lead_ids"),
        (json!({ "filter": {}, "set": { "weight": 1 } }), 400, "/filter"),
        (json!({ "lead_ids": [1], "filter": { "id": 1 }, "set": { "weight": 1 } }), 400, "/filter"),
    ] {
        let answer = client.post(PATH, body(action.clone())).await;
        assert_eq!(answer.status, status, "{action}: {}", answer.text());
        assert_eq!(answer.json()["errors"][0]["pointer"], place, "{action}");
    }
    let none = client.post(PATH, r#"{"lead_ids":[987654321],"set":{"weight":1}}"#).await.expect(200);
    assert_eq!((&none["id"], &none["missing"]), (&Value::Null, &json!(1)));
}

#[tokio::test]
async fn lead_actions_require_write_permission() {
    let server = Server::start().await;
    let admin = server.admin();
    let (_, leads) = furnished(&admin).await;
    let action = body(json!({ "lead_ids": leads, "set": { "do_not_call": true } }));
    let id = admin.post(PATH, action.clone()).await.expect(200)["id"].clone();
    let (viewer, reader) = (server.staff("viewer").await, server.with_scopes(&["leads:read"]).await);
    for client in [viewer, reader] {
        for path in [PATH.to_owned(), DRY_RUN.to_owned()] {
            client.post(&path, action.clone()).await.refused(403, "forbidden");
        }
        client.post(&format!("{PATH}/{id}/undo"), "").await.refused(403, "forbidden");
    }
    let manager = server.staff("manager").await;
    manager.post(&format!("{PATH}/{id}/undo"), "").await.expect(200);
}

#[tokio::test]
async fn leads_are_filtered_by_callability() {
    let server = Server::start().await;
    let client = server.admin();
    // More distinct rules than a database accepts in one query.
    let campaigns: String = (1..=1_200).map(|limit| format!("Campaign {limit},{limit}\n")).collect();
    import(&client, "campaigns", format!("name,max_attempts\n{campaigns}")).await;
    let page = client.get("/api/campaigns?search=Campaign%203&limit=1;0&order=name").await.expect(200);
    let campaign = &page["items"][0]["id"];
    let mut leads = Vec::new();
    let number = Some("+442079460018");
    for (phone, calls) in [(number, 0), (number, 1_200), (number, 1_200), (None, 0)] {
        let lead = client.create("/api/leads", json!({ "phone_normalized": phone })).await;
        let inside = json!({ "lead_id": lead, "campaign_id": campaign, "calls_count": calls });
        client.create("/api/campaign-leads", inside).await;
        leads.push(lead);
    }
    let in_none = client.create("/api/leads", json!({ "phone_normalized": number })).await;
    let found = async |filter: Value| {
        let listed = client.put("/api/leads/extended-data", body(filter.clone())).await.expect(200);
        let ids: Vec<_> = listed["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
        // The action evaluates the filter in SQL.
        let action = json!({ "filter": filter, "set": { "do_not_call": true } });
        let counted = client.post(DRY_RUN, body(action)).await.expect(200);
        assert_eq!(counted["leads"]["changed"], ids.len(), "{filter}");
        ids
    };
    assert_eq!(found(json!({ "callable": true })).await, [leads[0]]);
    assert_eq!(found(json!({ "callable": false })).await, [leads[1], leads[2], leads[3], in_none]);
    assert_eq!(found(json!({ "not_callable_reason": "attempt_limit" })).await, [leads[1], leads[2]]);
    // A lead in no campaign matches neither `attempt_limit` nor its negation.
    assert_eq!(found(json!({ "not_callable_reason": { "not": "attempt_limit" } })).await, [leads[0], leads[3]]);
    let with_number = [leads[0], leads[1], leads[2], in_none];
    assert_eq!(found(json!({ "not_callable_reason": { "not": "no_phone" } })).await, with_number);

    let action = json!({ "filter": { "not_callable_reason": "attempt_limit" }, "campaign_id": campaign,
        "set": { "status": "closed" } });
    let done = client.post(PATH, body(action)).await.expect(200);
    assert_eq!(done["campaign_leads"]["changed"], 2, "{done}");
    let filter = json!({ "not_callable_reason": ["attempt_limit", "status_not_dialable"], "status": "closed" });
    assert_eq!(found(filter).await, [leads[1], leads[2]]);
}
