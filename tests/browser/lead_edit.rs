//! Editing a lead: diagnostics at their fields, and the lead's history.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;

const CANCEL_BUTTON: &str = "[data-test=confirm-dialog] .dialog-footer [data-test=cancel]";

/// Returns whether the first two groups are side by side, and whether the fields of each group follow downwards or to
/// the right.
const LAYOUT_SCRIPT: &str = "const at = element => element.getBoundingClientRect();
    const groups = [...document.querySelectorAll('[data-test=lead-form] fieldset')];
    const follows = (next, before) => next.top >= before.bottom || next.left >= before.right;
    const inOrder = group => [...group.querySelectorAll('input, textarea, button')].map(at)
        .every((next, place, all) => place === 0 || follows(next, all[place - 1]));
    return [at(groups[0]).top === at(groups[1]).top, groups.length === 5 && groups.every(inOrder)]";

/// Waits until an input has diagnostics with these codes.
async fn expect_diagnostics(page: &Page, input: &str, codes: &[&str]) {
    let codes: Vec<_> = codes.iter().map(|code| (*code).to_owned()).collect();
    page.expect_attributes(&format!("[id='{input}-note'] [data-test=diagnostic]"), "data-code", &codes).await;
}

journey!(lead_changes_appear_in_its_history, async |page, server| {
    let lead_data =
        json!({ "first_name": "Ann", "phone": "+49 30 123456", "lat": 52.5, "custom_fields": { "score": 5 } });
    let admin = server.admin();
    let id = admin.create("/api/leads", lead_data).await;
    let path = format!("/leads/{id}");
    log_in(page, server, Role::Manager, &path).await;
    let expect_history = async |actions: &[&str]| {
        let actions: Vec<_> = actions.iter().map(|action| (*action).to_owned()).collect();
        page.expect_attributes("[data-test=change]", "data-action", &actions).await;
    };
    expect_history(&["lead.create"]).await;

    page.click("[data-test=edit-lead]").await;
    page.wait_for("[data-test=lead-form]").await;
    let is_enabled = async || page.wait_for("[data-test=save-lead]").await.is_enabled().await.unwrap();
    assert!(!is_enabled().await, "nothing has changed");
    page.fill("#lead-email", "ann").await;
    expect_diagnostics(page, "lead-email", &["invalid_email"]).await;
    page.fill("#lead-lat", "1,5").await;
    expect_diagnostics(page, "lead-lat", &["wrong_type"]).await;
    assert!(!is_enabled().await, "saving is disabled while there are errors");
    page.fill("#lead-email", "ann@example.com").await;
    page.fill("#lead-lat", "-1.5").await;
    expect_diagnostics(page, "lead-email", &[]).await;
    expect_diagnostics(page, "lead-lat", &[]).await;
    page.click("#lead-do_not_call").await;
    page.fill("[id='lead-custom.score']", "6").await;
    page.fill("[data-test=custom-name]", "tier").await;
    page.click("[data-test=custom-add]").await;
    page.fill("[id='lead-custom.tier']", "gold").await;
    assert_eq!(
        page.run_script(LAYOUT_SCRIPT, Value::Null).await,
        json!([true, true]),
        "groups are side by side and Tab follows them"
    );

    // A link or Back doesn't discard the input without confirmation.
    page.click("a.breadcrumb").await;
    page.wait_for("[data-test=confirm-dialog][open]").await;
    page.click(CANCEL_BUTTON).await;
    page.wait_until_gone("[data-test=confirm-dialog][open]").await;
    page.expect_location(&format!("{path}?edit")).await;

    page.click("[data-test=save-lead]").await;
    page.wait_for("[data-test=toast]").await;
    page.wait_until_gone("[data-test=lead-form]").await;
    expect_history(&["lead.update", "lead.create"]).await;
    let lead = admin.get(&format!("/api/leads/{id}")).await.expect(200);
    let members = ["first_name", "email", "lat", "do_not_call", "phone_normalized"].map(|member| lead[member].clone());
    assert_eq!(members, [json!("Ann"), json!("ann@example.com"), json!(-1.5), json!(true), json!("+4930123456")]);
    assert_eq!(lead["custom_fields"], json!({ "score": 6, "tier": "gold" }));
    page.wait_for("[data-code=do_not_call]").await;

    // Undo restores all fields, including the missing custom field.
    page.click("[data-test=undo]").await;
    expect_history(&["lead.update", "lead.update", "lead.create"]).await;
    page.wait_until_gone("[data-code=do_not_call]").await;
    let lead = admin.get(&format!("/api/leads/{id}")).await.expect(200);
    assert_eq!([&lead["email"], &lead["lat"], &lead["do_not_call"]], [&Value::Null, &json!(52.5), &json!(false)]);
    assert_eq!(lead["custom_fields"], json!({ "score": 5 }));

    // Undo doesn't overwrite later changes of another session.
    page.click("[data-test=edit-lead]").await;
    page.fill("#lead-city", "Bonn").await;
    page.click("[data-test=save-lead]").await;
    page.wait_for("[data-test=undo]").await;
    server.advance(chrono::TimeDelta::seconds(1));
    admin.patch(&format!("/api/leads/{id}"), json!({ "city": "Köln" }).to_string()).await.expect(200);
    page.click("[data-test=undo]").await;
    page.wait_for(".toast-failure").await;
    let failure = page.text(".toast-failure p").await;
    assert!(failure.contains("It was changed in the meantime"), "{failure}");
    assert_eq!(admin.get(&format!("/api/leads/{id}")).await.expect(200)["city"], "Köln");

    // Changing the same field as another session shows the conflict before overwriting.
    let city = async || admin.get(&format!("/api/leads/{id}")).await.expect(200)["city"].clone();
    page.click("[data-test=edit-lead]").await;
    page.fill("#lead-city", "Mainz").await;
    page.click("[data-test=save-lead]").await;
    page.expect_text("[data-test=edit-conflict] li", "City: now Köln").await;
    // A repeated Enter, pressed before the conflict was shown, doesn't confirm it.
    page.wait_for("[data-test=edit-conflict]:focus").await;
    page.type_keys(&Key::Enter).await;
    assert_eq!(city().await, "Köln");
    // The original value now counts as a change, and the other session's value as unchanged.
    page.fill("#lead-city", "Köln").await;
    page.wait_for("[data-test=save-lead]:disabled").await;
    page.fill("#lead-city", "Bonn").await;
    page.click("[data-test=save-lead]").await;
    page.wait_until_equal("the confirmed overwrite is saved", json!("Bonn"), city).await;
    page.wait_until_gone("[data-test=lead-form]").await;
    // Changes to other fields cause no conflict.
    server.advance(chrono::TimeDelta::seconds(1));
    admin.patch(&format!("/api/leads/{id}"), json!({ "zip": "55116" }).to_string()).await.expect(200);

    // The change is shown before the server responds.
    page.devtools_command("Network.enable", json!({})).await;
    let set_latency = async |latency: u32| {
        let network_conditions =
            json!({ "offline": false, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 });
        page.devtools_command("Network.emulateNetworkConditions", network_conditions).await;
    };
    let shows_city = async |city: &str| page.text("[aria-label='Lead fields']").await.contains(city);
    page.click("[data-test=edit-lead]").await;
    page.fill("#lead-city", "Trier").await;
    set_latency(3_000).await;
    page.click("[data-test=save-lead]").await;
    page.wait_until_equal("the lead has the saved values", true, async || shows_city("Trier").await).await;
    assert!(!page.is_visible("[data-test=lead-form]").await);
    set_latency(0).await;
    page.wait_until_equal("the city is saved", json!("Trier"), city).await;

    // A change that doesn't reach the server is reverted, and is in the reopened form.
    page.devtools_command("Network.setBlockedURLs", json!({ "urls": [format!("*/api/leads/{id}")] })).await;
    page.click("[data-test=edit-lead]").await;
    page.fill("#lead-city", "Ulm").await;
    page.click("[data-test=save-lead]").await;
    page.wait_for("[data-test=lead-form] [data-test=error]").await;
    let input_value = page.run_script("return document.getElementById('lead-city').value", Value::Null).await;
    assert_eq!(input_value, "Ulm");
    page.click("[data-test=discard]").await;
    page.wait_until_gone("[data-test=lead-form]").await;
    assert!(shows_city("Trier").await && !shows_city("Ulm").await);
    page.devtools_command("Network.setBlockedURLs", json!({ "urls": [] })).await;

    // After saving, navigation isn't blocked.
    page.click("a.breadcrumb").await;
    page.expect_location("/leads").await;
});

journey!(edit_mode_has_a_url_and_back_leaves_it, async |page, server| {
    let admin = server.admin();
    let custom = json!({ "open": true, "vip": true });
    let lead_data = json!({ "first_name": "Ann", "phone": "+49 30 123456", "custom_fields": custom });
    let id = admin.create("/api/leads", lead_data).await;
    let (path, form) = (format!("/leads/{id}"), "[data-test=lead-form]");
    let edit_path = format!("{path}?edit");
    let lead = async || admin.get(&format!("/api/leads/{id}")).await.expect(200);
    log_in(page, server, Role::Manager, &edit_path).await;
    page.wait_for(form).await;

    // Booleans are selected, and can be cleared.
    page.select_option("select[id='lead-custom.open']", "false").await;
    page.select_option("select[id='lead-custom.vip']", "").await;
    // After a change of the number, a note says that the normalized number is derived on save.
    assert!(!page.is_visible("[data-test=derived-field-note]").await);
    page.fill("#lead-phone", "+49 30 654321").await;
    page.expect_text("#lead-phone_normalized-note", "Set from the phone number when saved.").await;
    // The server resolves country names.
    page.fill("#lead-phone", "030 654321").await;
    page.fill("#lead-country", "Germany").await;
    assert!(!page.is_visible("#lead-phone_normalized2-note [data-test=derived-field-note]").await);
    page.click("[data-test=save-lead]").await;
    page.expect_location(&path).await;
    page.wait_until_gone(form).await;
    let normalized_phone = async || lead().await["phone_normalized"].clone();
    page.wait_until_equal("the number is saved", json!("+4930654321"), normalized_phone).await;
    assert_eq!(lead().await["country"], "DE");
    assert_eq!(lead().await["custom_fields"], json!({ "open": false }));

    // Back leaves the edit mode, with confirmation if there is unsaved input.
    page.click("[data-test=edit-lead]").await;
    page.expect_location(&edit_path).await;
    page.wait_for(form).await;
    page.run_script("history.back()", Value::Null).await;
    page.wait_until_gone(form).await;
    page.expect_location(&path).await;
    page.run_script("history.forward()", Value::Null).await;
    page.fill("#lead-city", "Bonn").await;
    page.run_script("history.back()", Value::Null).await;
    page.wait_for("[data-test=confirm-dialog][open]").await;
    page.click(CANCEL_BUTTON).await;
    page.expect_location(&edit_path).await;
    assert_eq!(page.run_script("return document.getElementById('lead-city').value", Value::Null).await, "Bonn");
    page.click("[data-test=discard]").await;
    page.wait_until_gone(form).await;
    page.expect_location(&path).await;
    page.wait_for("[data-test=edit-lead]:focus").await;
});

journey!(skip_link_does_not_leave_the_form, async |page, server| {
    let id = server.admin().create("/api/leads", json!({ "first_name": "Ann" })).await;
    let (edit_path, confirm_dialog) = (format!("/leads/{id}?edit"), "[data-test=confirm-dialog][open]");
    log_in(page, server, Role::Manager, &format!("/leads/{id}")).await;
    page.click("[data-test=edit-lead]").await;
    page.fill("#lead-city", "Bonn").await;
    page.run_script("document.querySelector('.skip-link').focus()", Value::Null).await;
    page.type_keys(&Key::Enter).await;
    page.expect_location(&format!("{edit_path}#main")).await;
    page.run_script("history.back()", Value::Null).await;
    page.expect_location(&edit_path).await;
    assert!(!page.is_visible(confirm_dialog).await);
    assert_eq!(page.run_script("return document.getElementById('lead-city').value", Value::Null).await, "Bonn");

    // Leaving still asks for confirmation.
    page.run_script("history.back()", Value::Null).await;
    page.wait_for(confirm_dialog).await;
    page.expect_location(&edit_path).await;
    page.click(CANCEL_BUTTON).await;
    page.wait_until_gone(confirm_dialog).await;
    page.click("[data-test=user-menu]").await;
    page.click("[data-test=log-out]").await;
    page.wait_for(confirm_dialog).await;
    page.click(CANCEL_BUTTON).await;
    page.wait_until_gone(confirm_dialog).await;
    assert_eq!(page.run_script("return document.getElementById('lead-city').value", Value::Null).await, "Bonn");
    page.click("a.breadcrumb").await;
    page.wait_for(confirm_dialog).await;
    page.click(&format!("{confirm_dialog} [data-test=confirm]")).await;
    page.expect_location("/leads").await;
});

journey!(failed_undo_can_be_retried, async |page, server| {
    let admin = server.admin();
    let id = admin.create("/api/leads", json!({ "first_name": "Ann" })).await;
    let stored_city = async || admin.get(&format!("/api/leads/{id}")).await.expect(200)["city"].clone();
    let block_urls = async |urls: &[String]| {
        page.devtools_command("Network.setBlockedURLs", json!({ "urls": urls })).await;
    };
    log_in(page, server, Role::Manager, &format!("/leads/{id}")).await;
    page.click("[data-test=edit-lead]").await;
    page.fill("#lead-city", "Bonn").await;
    page.click("[data-test=save-lead]").await;
    page.wait_for("[data-test=undo]").await;
    page.devtools_command("Network.enable", json!({})).await;
    block_urls(&[format!("*/api/leads/{id}")]).await;
    page.click("[data-test=undo]").await;
    page.wait_for(".toast-failure").await;
    assert_eq!(stored_city().await, "Bonn");
    block_urls(&[]).await;
    page.click("[data-test=undo]").await;
    page.wait_until_equal("undo restores the value", Value::Null, stored_city).await;
});

journey!(rejected_edit_keeps_input, async |page, server| {
    let admin = server.admin();
    let id = admin.create("/api/leads", json!({ "first_name": "Ann" })).await;
    log_in(page, server, Role::Manager, &format!("/leads/{id}")).await;
    page.click("[data-test=edit-lead]").await;
    page.fill("#lead-city", "Bonn").await;
    // Another session deletes the lead.
    admin.delete(&format!("/api/leads/{id}")).await.expect(204);
    page.click("[data-test=save-lead]").await;
    page.wait_for("[data-test=lead-form] [data-test=error]").await;
    let city = page.run_script("return document.getElementById('lead-city').value", Value::Null).await;
    assert_eq!(city, "Bonn", "unsaved input is kept");
    page.click("[data-test=discard]").await;
    page.wait_until_gone("[data-test=lead-form]").await;
});
