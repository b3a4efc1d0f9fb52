//! Past bulk changes, undone after their toast message is gone.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::bulk::{DO, counts, lead, open, says, testhausen};
use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::{Server, body};

const LOOK_BACK: &str = "[data-test=look-back]";
const CHANGE: &str = "[data-test=past-change]";
const SET: &str = "[data-test=past-set]";
const LEADS: &str = "[data-test=past-leads]";

/// Returns the weights of these leads in their campaign.
async fn weights(server: &Server, leads: &[i64]) -> Vec<i64> {
    let mut weights = Vec::new();
    for lead in leads {
        let lead = server.admin().get(&format!("/api/leads/{lead}")).await.expect(200);
        weights.push(lead["campaigns"][0]["weight"].as_i64().unwrap());
    }
    weights
}

async fn shows_all(page: &Page, css: &str, expected: &[&str]) {
    page.until_equal(css, expected.iter().map(ToString::to_string).collect(), async || page.texts(css).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn change_can_be_undone_after_a_reload() {
    journey("past_changes", async |page, server| {
        let (_, leads) = testhausen(server).await;
        let first = server.admin().get(&format!("/api/leads/{}", leads[0])).await.expect(200);
        let path = format!("/api/campaign-leads/{}", first["campaigns"][0]["campaign_lead_id"]);
        server.admin().patch(&path, r#"{"weight":7}"#).await.expect(200);
        log_in(page, server, Role::Manager, "/leads").await;
        open(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 15).await;
        for id in &leads[..3] {
            page.click(&lead(*id)).await;
        }
        page.click("[data-test=act-weight]").await;
        page.fill("[data-test=action-weight]", "50").await;
        counts(page, 3).await;
        page.click(DO).await;
        says(page, "3 leads changed.").await;
        assert_eq!(weights(server, &leads[..4]).await, [50, 50, 50, 0]);

        page.reload().await;
        page.see("[data-test=lead-row]").await;
        assert!(!page.sees("[data-test=undo]").await);
        // The palette offers the button too.
        page.press(&(Key::Control + "k")).await;
        page.see("[data-test=palette-input]").await;
        page.press("recent bulk").await;
        page.shows("[role=option][aria-selected=true]", "Recent bulk changes…").await;
        page.press(&Key::Enter).await;
        page.shows("[data-test=past-changes] h2", "Recent bulk changes").await;
        shows_all(page, SET, &["Weight: 50"]).await;
        page.shows(LEADS, "3 leads").await;
        let who = page.text(CHANGE).await;
        assert!(who.contains("You, "), "{who}");
        page.lists("[data-test=past-undo]", "aria-label", &["Undo: Weight: 50".to_owned()]).await;
        page.click("[data-test=past-undo]").await;
        says(page, "3 leads restored.").await;
        page.see_gone(CHANGE).await;
        assert_eq!(weights(server, &leads[..4]).await, [7, 0, 0, 0]);

        page.click(LOOK_BACK).await;
        page.shows("[data-test=past-undone]", "Undone").await;
        assert!(!page.sees("[data-test=past-undo]").await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undone_change_is_no_longer_offered() {
    journey("past_toast", async |page, server| {
        let (_, leads) = testhausen(server).await;
        log_in(page, server, Role::Manager, "/leads").await;
        open(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 15).await;
        for weight in ["50", "60"] {
            for id in &leads[..3] {
                page.click(&lead(*id)).await;
            }
            page.click("[data-test=act-weight]").await;
            page.fill("[data-test=action-weight]", weight).await;
            counts(page, 3).await;
            page.click(DO).await;
            page.see_gone("[data-test=action-weight]").await;
        }
        shows_all(page, "[data-test=undo]", &["Undo"; 2]).await;
        page.click(LOOK_BACK).await;
        page.click(&format!("{CHANGE}:first-child [data-test=past-undo]")).await;
        says(page, "3 leads restored.").await;
        shows_all(page, "[data-test=undo]", &["Undo"]).await;
        assert_eq!(weights(server, &leads[..3]).await, [50; 3]);

        // The remaining toast message undoes the other change, and the list updates.
        page.click("[data-test=undo]").await;
        shows_all(page, "[data-test=undo]", &[]).await;
        page.until_equal("the weights", vec![0; 3], async || weights(server, &leads[..3]).await).await;
        page.click(LOOK_BACK).await;
        shows_all(page, "[data-test=past-undone]", &["Undone"; 2]).await;
        assert!(!page.sees("[data-test=past-undo]").await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parts_of_a_long_change_are_undone_together() {
    journey("past_parts", async |page, server| {
        let (_, leads) = testhausen(server).await;
        log_in(page, server, Role::Manager, "/leads").await;
        open(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 15).await;
        page.click(LOOK_BACK).await;
        page.shows("[data-test=no-past-change]", "No bulk changes in the last 7 days.").await;
        page.press(&Key::Escape).await;
        page.see_gone("[data-test=no-past-change]").await;

        let change = async |action: Value| {
            let done = server.admin().post("/api/leads/actions", body(action)).await.expect(200);
            done["next"].as_i64()
        };
        let (mut after, mut parts) = (Some(0), 0);
        while let Some(last) = after {
            // No lead precedes the first part, but `after` must be at least 1.
            let part = json!({ "lead_ids": leads[..12], "set": { "weight": 5 }, "at_most": 5, "after": last.max(1) });
            after = change(part).await;
            parts += 1;
        }
        assert_eq!(parts, 3);
        change(json!({ "lead_ids": leads, "set": { "do_not_call": true, "assigned_user_id": 4711 } })).await;
        page.click(LOOK_BACK).await;
        shows_all(page, SET, &["Do not call, Assign to: Number 4711", "Weight: 5"]).await;
        shows_all(page, LEADS, &["15 leads", "12 leads"]).await;
        page.click(&format!("{CHANGE}:last-child [data-test=past-undo]")).await;
        says(page, "12 leads restored.").await;
        assert_eq!(weights(server, &leads[..12]).await, [0; 12]);
        page.click(LOOK_BACK).await;
        page.see(&format!("{CHANGE}:last-child [data-test=past-undone]")).await;
        page.see(&format!("{CHANGE}:first-child [data-test=past-undo]")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn viewer_sees_changes_without_undo() {
    journey("past_viewer", async |page, server| {
        let (_, leads) = testhausen(server).await;
        for set in [json!({ "freeze_until": "2036-01-01T09:00:00Z" }), json!({ "do_not_call": true, "status": "busy" })]
        {
            let action = body(json!({ "lead_ids": leads, "set": set }));
            server.admin().post("/api/leads/actions", action).await.expect(200);
        }
        page.open("/login").await;
        page.see("[data-test=login-email]").await;
        page.run("localStorage.setItem('leadscribe.language', 'de')", Value::Null).await;
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.lists(LOOK_BACK, "aria-label", &["Letzte Sammeländerungen …".to_owned()]).await;
        page.click(LOOK_BACK).await;
        page.shows("[data-test=past-changes] h2", "Letzte Sammeländerungen").await;
        page.shows(&format!("{CHANGE}:first-child {SET}"), "Nicht anrufen, Status: Besetzt").await;
        let frozen = page.text(&format!("{CHANGE}:last-child {SET}")).await;
        assert!(frozen.starts_with("Pausieren bis ") && frozen.contains("2036"), "{frozen}");
        assert!(!page.sees("[data-test=past-undo]").await);
    })
    .await;
}
