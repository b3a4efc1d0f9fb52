//! Campaigns: progress, previewed changes, creation, and unsaved input.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::Server;

const NAME_INPUT: &str = "[data-test=campaign-name]";
const ATTEMPTS_INPUT: &str = "[data-test=campaign-max-attempts]";

/// Creates a campaign with three leads, two of which have reached the attempt limit.
async fn create_campaign_with_leads(server: &Server) -> i64 {
    let client = server.admin();
    let campaign = client.create("/api/campaigns", json!({ "name": "Harbour lights", "max_attempts": 1 })).await;
    for calls in [0, 1, 1] {
        let lead = client.create("/api/leads", json!({ "phone_normalized": "+442079460018" })).await;
        let campaign_lead = json!({ "lead_id": lead, "campaign_id": campaign, "calls_count": calls });
        client.create("/api/campaign-leads", campaign_lead).await;
    }
    campaign
}

/// Clicks the save button with the mouse, as the first or second click of a double click.
async fn press_save(page: &Page, count: u8) {
    let center_script =
        "const { left, top, width, height } = document.querySelector('[data-test=save]').getBoundingClientRect();
        return [left + width / 2, top + height / 2]";
    let (x, y): (f64, f64) = serde_json::from_value(page.run_script(center_script, Value::Null).await).unwrap();
    for event_type in ["mousePressed", "mouseReleased"] {
        let event = json!({ "type": event_type, "x": x, "y": y, "button": "left", "clickCount": count });
        page.devtools_command("Input.dispatchMouseEvent", event).await;
    }
}

/// Waits until the preview shows this number of callable leads.
async fn expect_callable(page: &Page, leads: u64) {
    page.wait_for(&format!("[data-test=campaign-impact][data-callable='{leads}']")).await;
}

journey!(campaign_change_previews_its_effect, async |page, server| {
    let campaign = create_campaign_with_leads(server).await;
    log_in(page, server, Role::Manager, "/campaigns").await;
    page.wait_for("[data-test=campaign-row]").await;
    page.fill("[data-test=campaign-search]", "harbour").await;
    page.type_keys(&Key::Enter).await;
    page.expect_location("/campaigns?search=harbour").await;
    page.expect_text("[data-test=total]", "1 campaign").await;
    page.wait_for("[data-test=progress] li").await;
    assert_eq!(page.texts("[data-test=progress] li").await, ["0 done", "2 called", "1 new"]);

    page.click("[data-test=campaign]").await;
    page.expect_location(&format!("/campaigns/{campaign}")).await;
    page.expect_text("h1", "Harbour lights").await;
    expect_callable(page, 1).await;
    assert!(!page.is_visible("[data-test=difference]").await, "nothing is changed before saving");
    page.expect_text("[data-test=impact-reason][data-code=attempt_limit] td", "2").await;
    page.click("[data-test=impact-reason][data-code=attempt_limit] a").await;
    page.expect_text("[data-test=total]", "2 leads").await;
    page.run_script("history.back()", Value::Null).await;
    page.expect_location(&format!("/campaigns/{campaign}")).await;
    expect_callable(page, 1).await;
    page.fill(ATTEMPTS_INPUT, "5").await;
    expect_callable(page, 3).await;
    page.expect_text("[data-test=difference]", "+2").await;
    assert_eq!(page.texts("[data-test=change]").await, ["Max. calls\n+2"]);
    page.click("[data-test=campaign-inactive]").await;
    expect_callable(page, 0).await;
    page.wait_for("[data-test=impact-reason][data-code=campaign_inactive]").await;
    page.click("[data-test=campaign-active]").await;
    expect_callable(page, 3).await;

    page.fill(ATTEMPTS_INPUT, "0").await;
    page.wait_for(&format!("{ATTEMPTS_INPUT}[aria-invalid=true]")).await;
    page.wait_for("[data-test=diagnostic][data-code=out_of_range]").await;
    page.wait_for("[data-test=save][aria-disabled=true]").await;
    page.fill(ATTEMPTS_INPUT, "5").await;
    page.click("[data-test=hours-set]").await;
    page.click("[data-test=day-sat]").await;
    page.click("[data-test=save]").await;
    page.wait_for("[data-test=toast]").await;
    // The focus stays on the button although it is disabled.
    page.wait_for("[data-test=save][aria-disabled=true]:focus").await;
    let saved = server.admin().get(&format!("/api/campaigns/{campaign}")).await.expect(200);
    let days = json!(["mon", "tue", "wed", "thu", "fri", "sat"]);
    assert_eq!((&saved["max_attempts"], &saved["calling_hours"]["days"]), (&json!(5), &days));
    assert_eq!(saved["daily_attempts"], Value::Null);

    // The change can be undone unless another user has changed the campaign since.
    page.click("[data-test=undo]").await;
    let attempts_value =
        async || page.run_script("return document.querySelector(arguments[0]).value", ATTEMPTS_INPUT).await;
    page.wait_until_equal("the previous value is restored", json!("1"), attempts_value).await;
    let saved = server.admin().get(&format!("/api/campaigns/{campaign}")).await.expect(200);
    assert_eq!(saved["calling_hours"], Value::Null);

    // Undoing keeps unsaved input; the other fields show the stored values.
    page.fill(ATTEMPTS_INPUT, "4").await;
    page.click("[data-test=save]").await;
    page.wait_for("[data-test=save][aria-disabled=true]").await;
    page.wait_for("[data-test=undo]").await;
    page.fill("[data-test=campaign-name]", "Renamed").await;
    page.click("[data-test=undo]").await;
    page.wait_until_equal("the saved value is unchanged", json!("1"), attempts_value).await;
    let name = page.run_script("return document.querySelector('[data-test=campaign-name]').value", Value::Null).await;
    assert_eq!(name, "Renamed");
    page.expect_text("[data-test=unsaved]", "Unsaved changes").await;
    let toast_texts = async || page.texts("[data-test=toast] p").await;
    let kept_message = "Changes you made since then are still in the form, unsaved.".to_owned();
    page.wait_until_equal("the message is shown", true, async || toast_texts().await.contains(&kept_message)).await;
    page.click("[data-test=save]").await;
    page.wait_for("[data-test=save][aria-disabled=true]").await;
    let saved = server.admin().get(&format!("/api/campaigns/{campaign}")).await.expect(200);
    assert_eq!((&saved["name"], &saved["max_attempts"]), (&json!("Renamed"), &json!(1)));

    page.click("[data-test=campaign-leads]").await;
    page.expect_text("[data-test=total]", "3 leads").await;
});

journey!(campaign_edit_conflict_requires_confirmation, async |page, server| {
    let campaign = create_campaign_with_leads(server).await;
    let (admin, path) = (server.admin(), format!("/api/campaigns/{campaign}"));
    let stored_field = async |field: &str| admin.get(&path).await.expect(200)[field].take();
    let set_in_other_session = async |change: Value| {
        server.advance(chrono::TimeDelta::seconds(1));
        admin.patch(&path, change.to_string()).await.expect(200);
    };
    let input_value =
        async |input: &str| page.run_script("return document.querySelector(arguments[0]).value", input).await;
    log_in(page, server, Role::Manager, &format!("/campaigns/{campaign}")).await;
    expect_callable(page, 1).await;
    page.fill(ATTEMPTS_INPUT, "4").await;
    set_in_other_session(json!({ "max_attempts": 9 })).await;
    page.run_script("window.scrollTo(0, document.body.scrollHeight)", Value::Null).await;
    press_save(page, 1).await;
    page.expect_text("[data-test=edit-conflict] ul", "Max. calls: now 9").await;
    let is_in_view_script = "const { top, bottom } = document.querySelector('[data-test=edit-conflict]').getBoundingClientRect();
             return top >= document.querySelector('.page-header').getBoundingClientRect().bottom && bottom <= innerHeight";
    let is_in_view = async || page.run_script(is_in_view_script, Value::Null).await;
    page.wait_until_equal("the conflict is scrolled into view", json!(true), is_in_view).await;
    assert!(!page.is_visible("[data-test=error]").await, "the conflict is not also shown as an error");
    // The second click of a double click doesn't confirm the overwrite.
    page.expect_text("[data-test=save]", "Save anyway").await;
    press_save(page, 2).await;
    assert!(page.is_visible("[data-test=edit-conflict]").await, "a double click doesn't overwrite the conflict");
    assert_eq!((stored_field("max_attempts").await, input_value(ATTEMPTS_INPUT).await), (json!(9), json!("4")));
    page.click("[data-test=save]").await;
    page.wait_until_equal("the confirmed overwrite is saved", json!(4), async || stored_field("max_attempts").await)
        .await;
    page.wait_until_gone("[data-test=edit-conflict]").await;
    // Undo restores the other session's value.
    page.click("[data-test=undo]").await;
    page.wait_until_equal("undo restores the other session's value", json!("9"), async || {
        input_value(ATTEMPTS_INPUT).await
    })
    .await;
    assert_eq!(stored_field("max_attempts").await, 9);

    // Changes to other fields cause no conflict and are kept.
    page.fill(NAME_INPUT, "Harbour nights").await;
    set_in_other_session(json!({ "daily_attempts": 3 })).await;
    page.click("[data-test=save]").await;
    page.expect_text("h1", "Harbour nights").await;
    let daily_attempts_value = async || input_value("[data-test=campaign-daily-attempts]").await;
    page.wait_until_equal("the form shows the other session's value", json!("3"), daily_attempts_value).await;
    assert_eq!((stored_field("name").await, stored_field("daily_attempts").await), (json!("Harbour nights"), json!(3)));
    assert!(!page.is_visible("[data-test=edit-conflict]").await);

    // Discarding one's own change keeps the other session's value.
    page.fill(ATTEMPTS_INPUT, "5").await;
    set_in_other_session(json!({ "max_attempts": 7 })).await;
    page.click("[data-test=save]").await;
    page.expect_text("[data-test=edit-conflict] ul", "Max. calls: now 7").await;
    page.click("[data-test=discard]").await;
    page.wait_until_gone("[data-test=edit-conflict]").await;
    assert_eq!((stored_field("max_attempts").await, input_value(ATTEMPTS_INPUT).await), (json!(7), json!("7")));
});

journey!(unsaved_campaign_input_requires_confirmation, async |page, server| {
    let campaign = create_campaign_with_leads(server).await;
    let path = format!("/campaigns/{campaign}");
    log_in(page, server, Role::Manager, "/campaigns?search=harbour").await;
    page.click("[data-test=campaign]").await;
    expect_callable(page, 1).await;
    page.fill(NAME_INPUT, "Harbour nights").await;
    page.expect_text("[data-test=unsaved]", "Unsaved changes").await;

    page.click("nav a[href='/leads']").await;
    page.wait_for("[data-test=confirm]").await;
    page.click("[data-test=confirm-dialog] .dialog-footer .button:not(.button-danger)").await;
    page.wait_until_gone("[data-test=confirm]").await;
    page.expect_location(&path).await;
    page.run_script("history.back()", Value::Null).await;
    page.wait_for("[data-test=confirm]").await;
    page.expect_location(&path).await;
    page.type_keys(&Key::Escape).await;
    page.wait_until_gone("[data-test=confirm]").await;
    let input_value = page.run_script("return document.querySelector(arguments[0]).value", NAME_INPUT).await;
    assert_eq!(input_value, json!("Harbour nights"));

    page.run_script("document.activeElement.blur()", Value::Null).await;
    page.type_keys("gl").await;
    page.wait_for("[data-test=confirm]").await;
    page.type_keys(&Key::Escape).await;
    page.expect_location(&path).await;

    page.run_script("history.back()", Value::Null).await;
    page.click("[data-test=confirm]").await;
    page.expect_location("/campaigns?search=harbour").await;
    page.expect_text("[data-test=total]", "1 campaign").await;
    // Saved or discarded input doesn't block navigation.
    page.click("[data-test=campaign]").await;
    expect_callable(page, 1).await;
    page.fill(NAME_INPUT, "Harbour days").await;
    page.click("[data-test=discard]").await;
    page.click("nav a[href='/calls']").await;
    page.expect_location("/calls").await;
});

journey!(late_response_does_not_affect_another_campaign, async |page, server| {
    let campaign = create_campaign_with_leads(server).await;
    let other = server.admin().create("/api/campaigns", json!({ "name": "Lighthouse" })).await;
    log_in(page, server, Role::Manager, &format!("/campaigns/{campaign}")).await;
    expect_callable(page, 1).await;
    page.fill(NAME_INPUT, "Harbour nights").await;
    page.devtools_command("Network.enable", json!({})).await;
    let set_latency = async |latency: u32| {
        let network_conditions =
            json!({ "offline": false, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 });
        page.devtools_command("Network.emulateNetworkConditions", network_conditions).await;
    };
    set_latency(4_000).await;
    page.click("[data-test=save]").await;
    let navigate_script = "const link = document.createElement('a');
            link.href = arguments[0];
            document.body.append(link);
            link.click();
            link.remove()";
    page.run_script(navigate_script, format!("/campaigns/{other}")).await;
    page.click("[data-test=confirm]").await;
    page.expect_location(&format!("/campaigns/{other}")).await;
    // The toast message is still shown.
    page.wait_for("[data-test=undo]").await;
    page.expect_text("h1", "Lighthouse").await;
    let name = page.run_script("return document.querySelector(arguments[0]).value", NAME_INPUT).await;
    assert_eq!(name, "Lighthouse");
    set_latency(0).await;
    let saved = server.admin().get(&format!("/api/campaigns/{campaign}")).await.expect(200);
    assert_eq!(saved["name"], "Harbour nights");
});

journey!(creates_campaign_and_reports_duplicate_name_in_place, async |page, server| {
    create_campaign_with_leads(server).await;
    log_in(page, server, Role::Manager, "/campaigns").await;
    page.click("[data-test=new-campaign]").await;
    page.expect_location("/campaigns/new").await;
    page.wait_for("#campaign-name:focus").await;
    assert!(!page.is_visible("[data-test=diagnostic]").await, "untouched fields show no error");
    page.click("[data-test=save]").await;
    page.wait_for("[data-test=diagnostic][data-code=too_short]").await;
    page.fill(NAME_INPUT, "Harbour lights").await;
    page.wait_until_gone("[data-test=diagnostic]").await;
    page.click("[data-test=save]").await;
    page.wait_for("#campaign-name-note [data-test=diagnostic][data-code=taken]").await;
    assert!(!page.is_visible("[data-test=error]").await, "a field error is not repeated in the form error");
    page.wait_for("#campaign-name:focus").await;
    page.fill(NAME_INPUT, "Lighthouse").await;
    page.click("[data-test=hours-any]").await;
    page.click("[data-test=save]").await;
    page.expect_text("h1", "Lighthouse").await;
    expect_callable(page, 0).await;
    let created = server.admin().get("/api/campaigns?search=lighthouse").await.expect(200)["items"][0].clone();
    assert_eq!((&created["name"], &created["calling_hours"]), (&json!("Lighthouse"), &Value::Null));
    page.expect_location(&format!("/campaigns/{}", created["id"])).await;
});
