//! Past bulk actions, undone after their toast message is gone.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::bulk::{ACTION_BUTTON, create_test_leads, expect_preview_count, expect_toast, lead_checkbox, open_leads};
use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::{Server, body};

const HISTORY_BUTTON: &str = "[data-test=recent-changes]";
const CHANGE_ROW: &str = "[data-test=bulk-action]";
const CHANGE_SUMMARY: &str = "[data-test=bulk-action-values]";
const CHANGED_LEADS: &str = "[data-test=bulk-action-leads]";

/// Returns the weights of these leads in their campaign.
async fn stored_weights(server: &Server, leads: &[i64]) -> Vec<i64> {
    let mut weights = Vec::new();
    for lead in leads {
        let lead = server.admin().get(&format!("/api/leads/{lead}")).await.expect(200);
        weights.push(lead["campaigns"][0]["weight"].as_i64().unwrap());
    }
    weights
}

async fn expect_texts(page: &Page, css: &str, expected: &[&str]) {
    page.wait_until_equal(css, expected.iter().map(ToString::to_string).collect(), async || page.texts(css).await)
        .await;
}

journey!(change_can_be_undone_after_a_reload, async |page, server| {
    let (_, leads) = create_test_leads(server).await;
    let first_lead = server.admin().get(&format!("/api/leads/{}", leads[0])).await.expect(200);
    let path = format!("/api/campaign-leads/{}", first_lead["campaigns"][0]["campaign_lead_id"]);
    server.admin().patch(&path, r#"{"weight":7}"#).await.expect(200);
    log_in(page, server, Role::Manager, "/leads").await;
    open_leads(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 15).await;
    for id in &leads[..3] {
        page.click(&lead_checkbox(*id)).await;
    }
    page.click("[data-test=lead-action-weight]").await;
    page.fill("[data-test=action-weight]", "50").await;
    expect_preview_count(page, 3).await;
    page.click(ACTION_BUTTON).await;
    expect_toast(page, "3 leads changed").await;
    assert_eq!(stored_weights(server, &leads[..4]).await, [50, 50, 50, 0]);

    page.reload().await;
    page.wait_for("[data-test=lead-row]").await;
    assert!(!page.is_visible("[data-test=undo]").await);
    // The command palette lists the button too.
    page.type_keys(&(Key::Control + "k")).await;
    page.wait_for("[data-test=palette-input]").await;
    page.type_keys("recent bulk").await;
    page.expect_text("[role=option][aria-selected=true]", "Recent bulk actions…").await;
    page.type_keys(&Key::Enter).await;
    page.expect_text("[data-test=bulk-actions] h2", "Recent bulk actions").await;
    expect_texts(page, CHANGE_SUMMARY, &["Weight: 50"]).await;
    page.expect_text(CHANGED_LEADS, "3 leads").await;
    let change_text = page.text(CHANGE_ROW).await;
    assert!(change_text.contains("You, "), "{change_text}");
    page.expect_attributes("[data-test=bulk-action-undo]", "aria-label", &["Undo: Weight: 50".to_owned()]).await;
    page.click("[data-test=bulk-action-undo]").await;
    expect_toast(page, "3 leads restored").await;
    page.wait_until_gone(CHANGE_ROW).await;
    assert_eq!(stored_weights(server, &leads[..4]).await, [7, 0, 0, 0]);

    page.click(HISTORY_BUTTON).await;
    page.expect_text("[data-test=bulk-action-undone]", "Undone").await;
    assert!(!page.is_visible("[data-test=bulk-action-undo]").await);
});

journey!(undone_change_is_no_longer_offered, async |page, server| {
    let (_, leads) = create_test_leads(server).await;
    log_in(page, server, Role::Manager, "/leads").await;
    open_leads(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 15).await;
    for weight in ["50", "60"] {
        for id in &leads[..3] {
            page.click(&lead_checkbox(*id)).await;
        }
        page.click("[data-test=lead-action-weight]").await;
        page.fill("[data-test=action-weight]", weight).await;
        expect_preview_count(page, 3).await;
        page.click(ACTION_BUTTON).await;
        page.wait_until_gone("[data-test=action-weight]").await;
    }
    expect_texts(page, "[data-test=undo]", &["Undo"; 2]).await;
    page.click(HISTORY_BUTTON).await;
    page.click(&format!("{CHANGE_ROW}:first-child [data-test=bulk-action-undo]")).await;
    expect_toast(page, "3 leads restored").await;
    expect_texts(page, "[data-test=undo]", &["Undo"]).await;
    assert_eq!(stored_weights(server, &leads[..3]).await, [50; 3]);

    // The remaining toast message undoes the other change, and the list updates.
    page.click("[data-test=undo]").await;
    expect_texts(page, "[data-test=undo]", &[]).await;
    page.wait_until_equal("the weights are restored", vec![0; 3], async || stored_weights(server, &leads[..3]).await)
        .await;
    page.click(HISTORY_BUTTON).await;
    expect_texts(page, "[data-test=bulk-action-undone]", &["Undone"; 2]).await;
    assert!(!page.is_visible("[data-test=bulk-action-undo]").await);
});

journey!(parts_of_a_long_change_are_undone_together, async |page, server| {
    let (_, leads) = create_test_leads(server).await;
    log_in(page, server, Role::Manager, "/leads").await;
    open_leads(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 15).await;
    page.click(HISTORY_BUTTON).await;
    page.expect_text("[data-test=no-bulk-actions]", "No bulk actions in the last 7 days.").await;
    page.type_keys(&Key::Escape).await;
    page.wait_until_gone("[data-test=no-bulk-actions]").await;

    let run_action = async |action: Value| {
        let result = server.admin().post("/api/leads/actions", body(action)).await.expect(200);
        result["next_after_id"].as_i64()
    };
    let (mut next_lead, mut parts) = (Some(0), 0);
    while let Some(previous_lead) = next_lead {
        // No lead precedes the first part, but `after_id` must be at least 1.
        let part = json!({ "lead_ids": leads[..12], "set": { "weight": 5 }, "max_leads": 5, "after_id": previous_lead.max(1) });
        next_lead = run_action(part).await;
        parts += 1;
    }
    assert_eq!(parts, 3);
    run_action(json!({ "lead_ids": leads, "set": { "do_not_call": true, "assigned_user_id": 4711 } })).await;
    page.click(HISTORY_BUTTON).await;
    expect_texts(page, CHANGE_SUMMARY, &["Do not call, Assign to: Agent 4711", "Weight: 5"]).await;
    expect_texts(page, CHANGED_LEADS, &["15 leads", "12 leads"]).await;
    page.click(&format!("{CHANGE_ROW}:last-child [data-test=bulk-action-undo]")).await;
    expect_toast(page, "12 leads restored").await;
    assert_eq!(stored_weights(server, &leads[..12]).await, [0; 12]);
    page.click(HISTORY_BUTTON).await;
    page.wait_for(&format!("{CHANGE_ROW}:last-child [data-test=bulk-action-undone]")).await;
    page.wait_for(&format!("{CHANGE_ROW}:first-child [data-test=bulk-action-undo]")).await;
});

journey!(viewer_sees_changes_without_undo, async |page, server| {
    let (_, leads) = create_test_leads(server).await;
    for set in [json!({ "freeze_until": "2036-01-01T09:00:00Z" }), json!({ "do_not_call": true, "status": "busy" })] {
        let action = body(json!({ "lead_ids": leads, "set": set }));
        server.admin().post("/api/leads/actions", action).await.expect(200);
    }
    page.open("/login").await;
    page.wait_for("[data-test=login-email]").await;
    page.run_script("localStorage.setItem('leadscribe.language', 'de')", Value::Null).await;
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.expect_attributes(HISTORY_BUTTON, "aria-label", &["Letzte Sammelaktionen …".to_owned()]).await;
    page.click(HISTORY_BUTTON).await;
    page.expect_text("[data-test=bulk-actions] h2", "Letzte Sammelaktionen").await;
    page.expect_text(&format!("{CHANGE_ROW}:first-child {CHANGE_SUMMARY}"), "Nicht anrufen, Status: Besetzt").await;
    let freeze_text = page.text(&format!("{CHANGE_ROW}:last-child {CHANGE_SUMMARY}")).await;
    assert!(freeze_text.starts_with("Pausieren bis ") && freeze_text.contains("2036"), "{freeze_text}");
    assert!(!page.is_visible("[data-test=bulk-action-undo]").await);
});
