//! Life cycle of a lead: created, added to campaigns, changed in one, removed, deleted.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::bulk::expect_toast;
use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::{PASSWORD, body};

const SAVE_BUTTON: &str = "[data-test=save-campaign-lead]";

/// Sets a date and time, as the browser's picker does.
async fn set_datetime(page: &Page, input: &str, value: &str) {
    page.wait_for(input).await;
    let script = "const [css, value] = arguments;
        const input = document.querySelector(css);
        input.value = value;
        input.dispatchEvent(new Event('input', { bubbles: true }));";
    page.run_script(script, vec![json!(input), json!(value)]).await;
}

/// Waits until the campaign's card contains this text.
async fn expect_card_text(page: &Page, text: &str) {
    let has_text = async || page.text("[data-test=lead-campaign]").await.contains(text);
    page.wait_until_equal(&format!("the card says {text:?}"), true, has_text).await;
}

journey!(campaign_lead_can_be_changed_and_reassigned, async |page, server| {
    let admin = server.admin();
    let campaign = admin.create("/api/campaigns", json!({ "name": "Harbour lights" })).await;
    let lead = admin.create("/api/leads", json!({ "first_name": "Ann", "phone": "+49 30 123456" })).await;
    let campaign_lead = admin.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    let bob = json!({ "email": "bob@example.com", "password": PASSWORD, "role": "viewer" });
    let bob = admin.create("/api/users", bob).await;
    page.devtools_command("Emulation.setTimezoneOverride", json!({ "timezoneId": "Europe/Berlin" })).await;
    log_in(page, server, Role::Manager, &format!("/leads/{lead}")).await;

    page.click("button[data-test=edit-campaign-lead]").await;
    page.wait_for(&format!("{SAVE_BUTTON}:disabled")).await;
    page.fill("[data-test=campaign-lead-weight]", "heavy").await;
    page.expect_attributes(
        "#campaign-lead-weight-note [data-test=diagnostic]",
        "data-code",
        &["wrong_type".to_owned()],
    )
    .await;
    page.wait_for(&format!("{SAVE_BUTTON}:disabled")).await;
    page.fill("[data-test=campaign-lead-weight]", "7").await;
    page.select_option("[data-test=campaign-lead-status]", "callback").await;
    // A time in the past is accepted with a warning.
    let warning_selector = "#campaign-lead-callback-note [data-test=past-date-notice]";
    set_datetime(page, "[data-test=campaign-lead-callback]", "2020-07-01T09:30").await;
    page.expect_text(warning_selector, "In the past, so it has no effect.").await;
    page.wait_for(&format!("{SAVE_BUTTON}:enabled")).await;
    assert!(!page.is_visible("#campaign-lead-freeze-note [data-test=past-date-notice]").await);
    // In the browser's time zone, with summer time.
    set_datetime(page, "[data-test=campaign-lead-callback]", "2036-07-01T09:30").await;
    page.wait_until_gone(warning_selector).await;
    page.select_option("[data-test=campaign-lead-assignee]", &bob.to_string()).await;
    page.click(SAVE_BUTTON).await;
    expect_toast(page, "Updated in Harbour lights").await;
    page.click("[data-test=toast] [aria-label=Dismiss]").await;
    page.wait_until_gone("[data-test=toast]").await;
    page.wait_for("[data-code=callback_scheduled]").await;
    expect_card_text(page, "bob@example.com").await;
    let path = format!("/api/campaign-leads/{campaign_lead}");
    let saved = admin.get(&path).await.expect(200);
    let members =
        ["status", "weight", "callback_at", "freeze_until", "assigned_user_id"].map(|name| saved[name].clone());
    let expected = [json!("callback"), json!(7), json!("2036-07-01T07:30:00Z"), Value::Null, json!(bob)];
    assert_eq!(members, expected);

    // Stored values are filled in. An agent of the telephone system is identified by number.
    page.click("button[data-test=edit-campaign-lead]").await;
    let shown_callback =
        async || page.run_script("return document.querySelector('#campaign-lead-callback').value", Value::Null).await;
    page.wait_until_equal("the callback is shown in the user's time zone", json!("2036-07-01T09:30"), shown_callback)
        .await;
    // An incomplete date blocks saving, and is kept until it is complete.
    let incomplete_selector = |field: &str| format!("#{field}-note [data-test=diagnostic][data-code=incomplete]");
    page.wait_for("#campaign-lead-callback").await.send_keys(&Key::Backspace).await.unwrap();
    page.wait_for(&incomplete_selector("campaign-lead-callback")).await;
    page.wait_for(&format!("{SAVE_BUTTON}:disabled")).await;
    page.wait_for("#campaign-lead-callback").await.send_keys("07").await.unwrap();
    page.wait_until_gone(&incomplete_selector("campaign-lead-callback")).await;
    page.wait_until_equal("the input is valid again", json!("2036-07-01T09:30"), shown_callback).await;
    // Browsers fire no event for the first keys, so the incomplete input is detected on Enter.
    page.wait_for("#campaign-lead-freeze").await.send_keys("0501").await.unwrap();
    page.type_keys(&Key::Enter).await;
    page.wait_for(&incomplete_selector("campaign-lead-freeze")).await;
    page.wait_for(&format!("{SAVE_BUTTON}:disabled")).await;
    page.click("[data-test=edit-campaign-lead] [data-test=cancel]").await;
    page.click("button[data-test=edit-campaign-lead]").await;
    page.select_option("[data-test=campaign-lead-assignee]", "other").await;
    page.wait_for(&format!("{SAVE_BUTTON}:disabled")).await;
    page.fill("[data-test=campaign-lead-assignee-number]", "4711").await;
    set_datetime(page, "[data-test=campaign-lead-callback]", "").await;
    page.click(SAVE_BUTTON).await;
    expect_card_text(page, "Agent 4711").await;
    let saved = admin.get(&path).await.expect(200);
    assert_eq!([&saved["assigned_user_id"], &saved["callback_at"]], [&json!(4711), &Value::Null]);

    // The change is undone.
    page.click("[data-test=toast] [data-test=undo]").await;
    expect_toast(page, "Undone").await;
    let saved = admin.get(&path).await.expect(200);
    assert_eq!([&saved["assigned_user_id"], &saved["callback_at"]], [&json!(bob), &json!("2036-07-01T07:30:00Z")]);
    expect_card_text(page, "bob@example.com").await;

    // The change is shown immediately, and reverted if the server can't be reached.
    page.devtools_command("Network.enable", json!({})).await;
    page.devtools_command("Network.setBlockedURLs", json!({ "urls": ["*/api/campaign-leads/*"] })).await;
    page.click("button[data-test=edit-campaign-lead]").await;
    page.select_option("[data-test=campaign-lead-status]", "refused").await;
    page.click(SAVE_BUTTON).await;
    page.wait_for("[data-test=edit-campaign-lead] [data-test=error]").await;
    // The reverted input is protected from Escape like new input.
    page.type_keys(&Key::Escape).await;
    page.click("[data-test=edit-campaign-lead] [data-test=keep-editing]").await;
    page.click("[data-test=edit-campaign-lead] [data-test=cancel]").await;
    page.devtools_command("Network.setBlockedURLs", json!({ "urls": [] })).await;
    expect_card_text(page, "Callback").await;
    assert_eq!(admin.get(&path).await.expect(200)["status"], "callback");

    // Another session removes the lead from the campaign: the form reports it and keeps the input.
    page.click("button[data-test=edit-campaign-lead]").await;
    page.fill("[data-test=campaign-lead-weight]", "9").await;
    admin.delete(&path).await.expect(204);
    page.click(SAVE_BUTTON).await;
    page.wait_for("[data-test=edit-campaign-lead] [data-test=error]").await;
    let weight = page.run_script("return document.querySelector('#campaign-lead-weight').value", Value::Null).await;
    assert_eq!(weight, "9");
});

journey!(input_is_kept_when_reloading_the_lead_fails, async |page, server| {
    let admin = server.admin();
    let campaign = admin.create("/api/campaigns", json!({ "name": "Harbour lights" })).await;
    let lead = admin.create("/api/leads", json!({ "first_name": "Ann", "phone": "+49 30 123456" })).await;
    admin.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    log_in(page, server, Role::Manager, &format!("/leads/{lead}?edit")).await;
    page.fill("#lead-city", "Bonn").await;
    page.devtools_command("Network.enable", json!({})).await;
    page.devtools_command("Network.setBlockedURLs", json!({ "urls": [format!("*/api/leads/{lead}")] })).await;
    page.click("button[data-test=edit-campaign-lead]").await;
    page.fill("[data-test=campaign-lead-weight]", "7").await;
    page.click(SAVE_BUTTON).await;
    expect_toast(page, "Updated in Harbour lights").await;
    page.wait_for("main [data-test=error]").await;
    let city_value = async || page.run_script("return document.getElementById('lead-city').value", Value::Null).await;
    assert_eq!(city_value().await, "Bonn");

    page.devtools_command("Network.setBlockedURLs", json!({ "urls": [] })).await;
    page.click("main [data-test=error] button").await;
    page.wait_until_gone("main [data-test=error]").await;
    assert_eq!(city_value().await, "Bonn");
    page.click("[data-test=save-lead]").await;
    page.wait_until_gone("[data-test=lead-form]").await;
    let stored_city = async || admin.get(&format!("/api/leads/{lead}")).await.expect(200)["city"].clone();
    page.wait_until_equal("the city is saved", json!("Bonn"), stored_city).await;
});

journey!(freeze_ends_while_the_page_is_open, async |page, server| {
    let admin = server.admin();
    let campaign = admin.create("/api/campaigns", json!({ "name": "Harbour lights" })).await;
    let lead = admin.create("/api/leads", json!({ "first_name": "Ann", "phone": "+49 30 123456" })).await;
    let until = (server.now() + chrono::TimeDelta::hours(3)).format("%Y-%m-%dT%H:%M:%SZ").to_string();
    let frozen_campaign_lead = json!({ "lead_id": lead, "campaign_id": campaign, "freeze_until": until });
    admin.create("/api/campaign-leads", frozen_campaign_lead).await;
    log_in(page, server, Role::Manager, &format!("/leads/{lead}")).await;
    let end_selector = "[data-test=reason][data-code=frozen] time";
    let expect_end_in = async |hours: &str| {
        let has_hours = async || page.text(end_selector).await.contains(hours);
        page.wait_until_equal(&format!("the freeze ends in {hours} hours"), true, has_hours).await;
    };
    // Simulates a machine that sleeps for this many minutes.
    let simulate_sleep = async |minutes: u32| {
        let script = "const now = Date.now.bind(Date), slept = arguments[0] * 60000;
                Date.now = () => now() + slept;
                document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))";
        page.run_script(script, json!([minutes])).await;
    };
    expect_end_in("3").await;
    simulate_sleep(60).await;
    expect_end_in("2").await;
    server.advance(chrono::TimeDelta::minutes(181));
    simulate_sleep(125).await;
    page.wait_until_gone(end_selector).await;
    page.wait_for("[data-test=lead-campaign] [data-test=reason-expired]").await;
});

journey!(campaign_lead_edit_conflict_requires_confirmation, async |page, server| {
    let admin = server.admin();
    let campaign = admin.create("/api/campaigns", json!({ "name": "Harbour lights" })).await;
    let lead = admin.create("/api/leads", json!({ "first_name": "Ann", "phone": "+49 30 123456" })).await;
    let campaign_lead = admin.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    let path = format!("/api/campaign-leads/{campaign_lead}");
    let stored_field = async |field: &str| admin.get(&path).await.expect(200)[field].take();
    let set_in_other_session = async |change: Value| {
        server.advance(chrono::TimeDelta::seconds(1));
        admin.patch(&path, change.to_string()).await.expect(200);
    };
    log_in(page, server, Role::Manager, &format!("/leads/{lead}")).await;
    page.click("button[data-test=edit-campaign-lead]").await;
    page.fill("[data-test=campaign-lead-weight]", "7").await;
    set_in_other_session(json!({ "weight": 5, "status": "busy" })).await;
    page.click(SAVE_BUTTON).await;
    page.expect_text("[data-test=edit-conflict] ul", "Weight: now 5").await;
    assert!(
        !page.is_visible("[data-test=edit-campaign-lead] [data-test=error]").await,
        "the conflict is not also shown as an error"
    );
    let input_values = page
        .run_script(
            "return ['#campaign-lead-weight', '#campaign-lead-status'].map(css => document.querySelector(css).value)",
            Value::Null,
        )
        .await;
    assert_eq!((stored_field("weight").await, input_values), (json!(5), json!(["7", "busy"])));
    // The card shows the other session's value.
    expect_card_text(page, "Busy").await;
    // The original value now counts as a change, and the other session's value as unchanged.
    page.fill("[data-test=campaign-lead-weight]", "5").await;
    page.wait_for(&format!("{SAVE_BUTTON}:disabled")).await;
    page.fill("[data-test=campaign-lead-weight]", "0").await;
    page.click(SAVE_BUTTON).await;
    page.wait_until_equal("the confirmed overwrite is saved", json!(0), async || stored_field("weight").await).await;
    assert_eq!(stored_field("status").await, "busy", "unedited fields keep the other session's values");
    page.wait_until_gone("[data-test=edit-conflict]").await;
    // Undo restores the other session's value.
    page.click("[data-test=undo]").await;
    expect_toast(page, "Undone").await;
    assert_eq!((stored_field("weight").await, stored_field("status").await), (json!(5), json!("busy")));

    // Changes to other fields cause no conflict and are kept.
    page.click("button[data-test=edit-campaign-lead]").await;
    page.select_option("[data-test=campaign-lead-status]", "answered").await;
    set_in_other_session(json!({ "weight": 6 })).await;
    page.click(SAVE_BUTTON).await;
    expect_card_text(page, "Answered").await;
    page.wait_until_equal("the status is saved", json!("answered"), async || stored_field("status").await).await;
    assert_eq!(stored_field("weight").await, 6);
    assert!(!page.is_visible("[data-test=edit-conflict]").await);
});

journey!(lead_is_created_added_to_campaigns_and_deleted, async |page, server| {
    let admin = server.admin();
    for name in ["Harbour lights", "Night shift"] {
        admin.create("/api/campaigns", json!({ "name": name })).await;
    }
    log_in(page, server, Role::Manager, "/leads").await;
    page.click("[data-test=new-lead]").await;
    page.expect_location("/leads/new").await;
    page.wait_for("#lead-first_name:focus").await;
    page.wait_for("[data-test=save-lead]:disabled").await;
    page.fill("#lead-first_name", "Zoe").await;
    page.fill("#lead-last_name", "Quill").await;
    page.fill("#lead-email", "zoe").await;
    page.expect_attributes("#lead-email-note [data-test=diagnostic]", "data-code", &["invalid_email".to_owned()]).await;
    page.wait_for("[data-test=save-lead]:disabled").await;
    page.fill("#lead-email", "zoe@example.com").await;
    page.click("[data-test=save-lead]").await;
    page.expect_text("h1", "Zoe Quill").await;
    let location = page.location().await;
    let id = location.strip_prefix("/leads/").and_then(|id| id.parse::<i64>().ok()).unwrap();
    let path = format!("/api/leads/{id}");
    assert_eq!(admin.get(&path).await.expect(200)["email"], "zoe@example.com");

    // Campaign actions don't affect the edit form.
    page.click("[data-test=edit-lead]").await;
    page.fill("#lead-city", "Bonn").await;
    for (name, count) in [("Harbour lights", 1), ("Night shift", 2)] {
        page.click("button[data-test=add-to-campaign]").await;
        page.wait_for("[data-test=add-to-campaign-submit]:disabled").await;
        let script = "return [...document.querySelectorAll('#target-campaign option')].find(o => o.text === arguments[0])?.value";
        let value = page
            .wait_until("the campaign is offered", async || {
                page.run_script(script, name).await.as_str().map(str::to_owned)
            })
            .await;
        page.select_option("[data-test=target-campaign]", &value).await;
        page.click("[data-test=add-to-campaign-submit]").await;
        expect_toast(page, &format!("Added to {name}")).await;
        let card_count = async || page.texts("[data-test=lead-campaign] h3").await.len();
        page.wait_until_equal("the lead's campaigns are shown", count, card_count).await;
    }
    let city = page.run_script("return document.querySelector('#lead-city').value", Value::Null).await;
    assert_eq!(city, "Bonn", "unsaved input is kept");
    page.click("[data-test=save-lead]").await;
    page.wait_until_gone("[data-test=lead-form]").await;

    page.click("button[data-test=edit-campaign-lead]").await;
    page.click("[data-test=remove-from-campaign]").await;
    expect_toast(page, "Removed from Harbour lights").await;
    let campaign_names = async || page.texts("[data-test=lead-campaign] h3").await;
    page.wait_until_equal("only the other campaign is left", vec!["Night shift".to_owned()], campaign_names).await;

    page.click("[data-test=delete-lead]").await;
    page.expect_text("[data-test=confirm-dialog][open] h2", "Delete Zoe Quill?").await;
    page.click("[data-test=confirm-dialog][open] [data-test=confirm]").await;
    page.expect_location("/leads").await;
    admin.get(&path).await.expect_problem(404, "not_found");
});

journey!(undo_restores_a_lead_removed_from_a_campaign, async |page, server| {
    let admin = server.admin();
    let campaign = admin.create("/api/campaigns", json!({ "name": "Harbour lights" })).await;
    let lead = admin.create("/api/leads", json!({ "first_name": "Zoe" })).await;
    let campaign_lead = json!({
        "lead_id": lead, "campaign_id": campaign, "status": "callback", "weight": -3, "calls_count": 4, "calls_today": 1,
        "last_call_at": "2026-05-01T09:00:00Z", "last_call_status": "busy", "callback_at": "2036-05-01T09:00:00.5Z",
        "assigned_user_id": 77
    });
    let campaign_lead = admin.create("/api/campaign-leads", campaign_lead).await;
    let path = format!("/api/campaign-leads/{campaign_lead}");
    let call = json!({ "direction": "outbound", "status": "busy", "lead_id": lead, "campaign_lead_id": campaign_lead });
    let linked_call = admin.create("/api/calls", call).await;
    let other_call =
        admin.create("/api/calls", json!({ "direction": "outbound", "status": "busy", "lead_id": lead })).await;
    let before_removal = admin.get(&path).await.expect(200);
    log_in(page, server, Role::Manager, &format!("/leads/{lead}")).await;
    page.click("button[data-test=edit-campaign-lead]").await;
    page.click("[data-test=remove-from-campaign]").await;
    expect_toast(page, "Removed from Harbour lights").await;
    page.wait_until_gone("[data-test=lead-campaign]").await;
    admin.get(&path).await.expect_problem(404, "not_found");
    // An interrupted undo shows its progress and can be resumed.
    page.devtools_command("Network.enable", json!({})).await;
    page.devtools_command("Network.setBlockedURLs", json!({ "urls": [format!("*/api/calls/{linked_call}")] })).await;
    page.click("[data-test=undo]").await;
    page.wait_for(".toast-failure").await;
    page.expect_text("[data-test=lead-campaign] h3", "Harbour lights").await;
    page.devtools_command("Network.setBlockedURLs", json!({ "urls": [] })).await;
    page.click("[data-test=undo]").await;
    expect_toast(page, "Undone").await;
    let mut after_undo = admin.get(&path).await.expect(200);
    for timestamp in ["created_at", "updated_at"] {
        after_undo[timestamp] = before_removal[timestamp].clone();
    }
    assert_eq!(after_undo, before_removal);
    let campaign_lead_of =
        async |call| admin.get(&format!("/api/calls/{call}")).await.expect(200)["campaign_lead_id"].take();
    assert_eq!(
        (campaign_lead_of(linked_call).await, campaign_lead_of(other_call).await),
        (json!(campaign_lead), Value::Null)
    );

    // Above the number of calls that are restored one by one, removal asks for confirmation.
    let rows: String = (0..100).map(|row| format!("many-{row},{lead},outbound,busy\n")).collect();
    let csv = admin.with_header("content-type", "text/csv");
    let file = format!("original_identifier,lead_id,direction,status\n{rows}");
    let import = csv.post("/api/imports/calls", file).await.expect(202)["id"].clone();
    let inserted_count =
        async || admin.get(&format!("/api/imports/{import}")).await.expect(200)["counts"]["inserted"].take();
    page.wait_until_equal("the calls are imported", json!(100), inserted_count).await;
    page.click("button[data-test=edit-campaign-lead]").await;
    page.click("[data-test=remove-from-campaign]").await;
    page.expect_text("[data-test=confirm-dialog] h2", "Remove the lead from Harbour lights?").await;
    page.click("[data-test=confirm]").await;
    page.wait_until_gone("[data-test=lead-campaign]").await;
    admin.get(&path).await.expect_problem(404, "not_found");
});

journey!(campaign_lead_needs_a_status_if_the_default_is_deleted, async |page, server| {
    let admin = server.admin();
    let campaign = admin.create("/api/campaigns", json!({ "name": "Harbour lights" })).await;
    let lead = admin.create("/api/leads", json!({ "first_name": "Zoe" })).await;
    let action = json!({ "filter": { "status": "new" }, "set": { "status": "busy" } });
    admin.post("/api/leads/actions", body(action)).await.expect(200);
    admin.delete("/api/statuses/new").await.expect(204);
    log_in(page, server, Role::Manager, &format!("/leads/{lead}")).await;
    page.click("button[data-test=add-to-campaign]").await;
    page.select_option("[data-test=target-campaign]", &campaign.to_string()).await;
    page.wait_for("[data-test=add-to-campaign-submit]:disabled").await;
    page.select_option("[data-test=target-status]", "callback").await;
    page.click("[data-test=add-to-campaign-submit]").await;
    expect_toast(page, "Added to Harbour lights").await;
    expect_card_text(page, "Callback").await;
});

journey!(deleted_lead_page_says_when_it_was_deleted, async |page, server| {
    let admin = server.admin();
    let lead = admin.create("/api/leads", json!({ "first_name": "Zoe" })).await;
    log_in(page, server, Role::Admin, &format!("/leads/{lead}")).await;
    page.click("[data-test=delete-lead]").await;
    page.click("[data-test=confirm-dialog][open] [data-test=confirm]").await;
    page.expect_location("/leads").await;
    page.open(&format!("/settings?tab=audit&subject=lead:{lead}")).await;
    page.click("[data-test=audit-row][data-action='lead.delete'] a").await;
    page.expect_location(&format!("/leads/{lead}")).await;
    page.expect_text("[data-test=empty-state] h2", "This lead was deleted").await;
    let text = page.text("[data-test=empty-state] p").await;
    assert!(text.starts_with("Deleted on ") && text.contains(" (You). "), "{text}");
    page.click("[data-test=lead-audit-log]").await;
    page.wait_for("[data-test=audit-row][data-action='lead.delete']").await;
    // An id that never existed.
    page.open("/leads/987654321").await;
    page.expect_text("[data-test=empty-state] h2", "Lead not found").await;
});

// Without access to the audit log, the page doesn't mention deletion.
journey!(deleted_lead_looks_missing_to_a_manager, async |page, server| {
    let admin = server.admin();
    let lead = admin.create("/api/leads", json!({ "first_name": "Zoe" })).await;
    admin.delete(&format!("/api/leads/{lead}")).await.expect(204);
    log_in(page, server, Role::Manager, &format!("/leads/{lead}")).await;
    page.expect_text("[data-test=empty-state] h2", "Lead not found").await;
    assert!(!page.is_visible("[data-test=error]").await);
});
