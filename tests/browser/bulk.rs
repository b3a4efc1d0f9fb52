//! Bulk actions: selection across pages or by filter, preview and undo.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::leads::count_leads;
use super::login::log_in;
use super::page::{Page, format_grouped};
use crate::harness::{Server, body};

const SELECTION_BAR: &str = "[data-test=selection]";
const SELECTED_COUNT: &str = "[data-test=selected]";
pub const ACTION_BUTTON: &str = "[data-test=action-submit]";

/// Creates fifteen leads in a test city, twelve of them in a test campaign.
pub async fn create_test_leads(server: &Server) -> (i64, Vec<i64>) {
    let client = server.admin();
    let campaign = client.create("/api/campaigns", json!({ "name": "Harbour lights" })).await;
    let mut leads = Vec::new();
    for number in 0..15 {
        let lead = json!({ "first_name": "Ann", "last_name": format!("Lead {number:02}"), "city": "Testhausen" });
        let id = client.create("/api/leads", lead).await;
        if number < 12 {
            client.create("/api/campaign-leads", json!({ "lead_id": id, "campaign_id": campaign })).await;
        }
        leads.push(id);
    }
    (campaign, leads)
}

/// Opens the leads that match a filter, and waits until they are shown.
pub async fn open_leads(page: &Page, filter: &Value, total: u64) {
    let filter: String = url::form_urlencoded::byte_serialize(filter.to_string().as_bytes()).collect();
    page.open(&format!("/leads?filter={filter}")).await;
    let leads = if total == 1 { "lead" } else { "leads" };
    page.expect_text("[data-test=total]", &format!("{} {leads}", format_grouped(total))).await;
    page.wait_for("[data-test=lead-row]").await;
}

/// Returns the selector of a lead's checkbox.
pub fn lead_checkbox(id: i64) -> String {
    format!("[data-id='{id}'] [data-test=select-lead]")
}

/// Waits until the dialog's preview shows this number of leads to change.
pub async fn expect_preview_count(page: &Page, leads: u64) {
    page.wait_for(&format!("[data-test=preview][data-changed='{leads}']")).await;
}

/// Waits for a toast with this message.
pub async fn expect_toast(page: &Page, text: &str) {
    let has_toast = async || page.texts("[data-test=toast] p").await.contains(&text.to_owned());
    page.wait_until_equal(&format!("a toast says {text:?}"), true, has_toast).await;
}

journey!(bulk_change_across_two_pages_can_be_undone, async |page, server| {
    let (_, leads) = create_test_leads(server).await;
    let marked_filter = json!({ "city": "Testhausen", "do_not_call": true });
    log_in(page, server, Role::Manager, "/leads").await;
    open_leads(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 15).await;
    assert!(!page.is_visible(SELECTION_BAR).await);
    page.click(&lead_checkbox(leads[1])).await;
    page.expect_text(SELECTED_COUNT, "1 lead selected").await;
    // Shift-click selects the range from the last clicked checkbox.
    let shift_click_script = "const box = document.querySelector(arguments[0]);
             box.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true }));";
    page.run_script(shift_click_script, lead_checkbox(leads[3])).await;
    page.expect_text(SELECTED_COUNT, "3 leads selected").await;
    page.click("[aria-label='Next page']").await;
    page.expect_text("[data-test=range]", "11–15 of 15").await;
    page.click(&lead_checkbox(leads[12])).await;
    page.expect_text(SELECTED_COUNT, "4 leads selected").await;
    // Sorting keeps the selection.
    page.click("th:first-child .sort-button").await;
    page.wait_for("th[aria-sort=ascending]:first-child").await;
    page.wait_for(&format!("[data-id='{}'][aria-selected=true]", leads[2])).await;
    page.expect_text(SELECTED_COUNT, "4 leads selected").await;
    // Opening a lead and going back keeps the selection.
    page.click(&format!("[data-id='{}'] [data-row-link]", leads[2])).await;
    page.expect_location(&format!("/leads/{}", leads[2])).await;
    page.run_script("history.back()", Value::Null).await;
    page.wait_for(&format!("[data-id='{}'][aria-selected=true]", leads[2])).await;
    page.expect_text(SELECTED_COUNT, "4 leads selected").await;

    page.click("[data-test=lead-action-do-not-call]").await;
    expect_preview_count(page, 4).await;
    assert_eq!(count_leads(server, &marked_filter).await, 0, "nothing changes before the confirmation");
    page.click(ACTION_BUTTON).await;
    expect_toast(page, "4 leads changed").await;
    page.wait_until_gone(SELECTION_BAR).await;
    assert_eq!(count_leads(server, &marked_filter).await, 4);
    let changed_filter = json!({ "id": [leads[1], leads[2], leads[3], leads[12]], "do_not_call": true });
    assert_eq!(count_leads(server, &changed_filter).await, 4);

    page.click("[data-test=undo]").await;
    expect_toast(page, "4 leads restored").await;
    assert_eq!(count_leads(server, &marked_filter).await, 0);
});

journey!(preview_warns_about_leads_to_be_called_again, async |page, server| {
    let client = server.admin();
    let campaign = client.create("/api/campaigns", json!({ "name": "Harbour lights" })).await;
    for (status, do_not_call) in [("refused", false), ("dnc", false), ("refused", true), ("new", false)] {
        let lead = json!({ "city": "Testhausen", "phone_normalized": "+442079460018", "do_not_call": do_not_call });
        let lead = client.create("/api/leads", lead).await;
        let campaign_lead = json!({ "lead_id": lead, "campaign_id": campaign, "status": status });
        client.create("/api/campaign-leads", campaign_lead).await;
    }
    log_in(page, server, Role::Manager, "/leads").await;
    open_leads(page, &json!({ "city": "Testhausen" }), 4).await;
    page.click("[data-test=select-page]").await;
    page.expect_text(SELECTED_COUNT, "4 leads selected").await;
    page.click("[data-test=lead-action-status]").await;
    page.select_option("[data-test=action-status]", "new").await;
    expect_preview_count(page, 3).await;
    let expected_text = "2 leads excluded by status or “Do not call” can be called again.";
    page.expect_text("[data-test=preview-callable-again]", expected_text).await;
    page.expect_text("[data-test=preview-newly-callable]", "2 leads will be callable immediately.").await;
    assert!(!page.is_visible("[data-test=preview-no-longer-callable]").await);
    // The button is disabled until the preview is loaded. Loading starts a quarter of a second after the choice.
    let choose_script = "const status = document.querySelector('[data-test=action-status]');
            status.value = 'closed';
            status.dispatchEvent(new Event('change', { bubbles: true }));
            setTimeout(() => arguments[1](document.querySelector(arguments[0]).disabled), 50)";
    assert_eq!(page.run_async_script(choose_script, vec![json!(ACTION_BUTTON)]).await, true);
    expect_preview_count(page, 4).await;
    page.expect_text("[data-test=preview-no-longer-callable]", "1 lead will no longer be callable.").await;
    assert!(!page.is_visible("[data-test=preview-callable-again]").await);
});

journey!(bulk_action_adds_leads_to_a_campaign, async |page, server| {
    let client = server.admin();
    let solar = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    let autumn = client.create("/api/campaigns", json!({ "name": "Autumn", "active": false })).await;
    for number in 0..12 {
        let phone = (number < 10).then_some("+442079460018");
        let lead = json!({ "city": "Testhausen", "phone_normalized": phone });
        let lead = client.create("/api/leads", lead).await;
        if number == 0 {
            client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": solar })).await;
        }
    }
    let solar_filter = json!({ "city": "Testhausen", "campaign_id": solar });
    log_in(page, server, Role::Manager, "/leads").await;
    open_leads(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 12).await;
    page.click("[data-test=select-page]").await;
    page.click("[data-test=select-all]").await;
    page.expect_text(SELECTED_COUNT, "All 12 leads selected").await;
    // The palette offers the page's own actions.
    page.type_keys(&(Key::Control + "k")).await;
    page.wait_for("[data-test=palette-input]").await;
    page.type_keys("add to campaign").await;
    page.type_keys(&Key::Enter).await;
    page.expect_text("[data-test=lead-action] h2", "Add to campaign").await;
    page.wait_for(&format!("{ACTION_BUTTON}:disabled")).await;
    // Active campaigns come first.
    let groups: Vec<_> = ["Active", "Inactive"].map(str::to_owned).into();
    page.expect_attributes("[data-test=action-target-campaign] optgroup", "label", &groups).await;

    page.select_option("[data-test=action-target-campaign]", &autumn.to_string()).await;
    expect_preview_count(page, 12).await;
    page.expect_text("[data-test=preview-inactive-campaign]", "This campaign is inactive.").await;
    assert!(!page.is_visible("[data-test=preview-newly-callable]").await);
    page.select_option("[data-test=action-target-campaign]", &solar.to_string()).await;
    expect_preview_count(page, 11).await;
    page.expect_text("[data-test=preview]", "11 leads will be added.").await;
    page.expect_text("[data-test=preview-unchanged]", "1 is already in the campaign.").await;
    page.expect_text("[data-test=preview-newly-callable]", "9 leads will be callable immediately.").await;
    assert!(!page.is_visible("[data-test=preview-inactive-campaign], [data-test=preview-callable-again]").await);
    page.expect_text(ACTION_BUTTON, "Add 11 leads").await;
    assert_eq!(count_leads(server, &solar_filter).await, 1, "nothing changes before the confirmation");
    page.click(ACTION_BUTTON).await;
    expect_toast(page, "11 leads added").await;
    assert_eq!(count_leads(server, &solar_filter).await, 12);

    page.click("[data-test=undo]").await;
    expect_toast(page, "11 leads restored").await;
    assert_eq!(count_leads(server, &solar_filter).await, 1, "the lead already in the campaign stays");
    page.click("[data-test=recent-changes]").await;
    page.expect_text("[data-test=bulk-action-values]", "Added to Solar").await;
});

journey!(new_campaign_leads_get_an_existing_status, async |page, server| {
    let client = server.admin();
    let solar = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    client.create("/api/leads", json!({ "city": "Testhausen" })).await;
    let open_dialog = async || {
        open_leads(page, &json!({ "city": "Testhausen" }), 1).await;
        page.click("[data-test=select-page]").await;
        page.click("[data-test=lead-action-campaign]").await;
        page.select_option("[data-test=action-target-campaign]", &solar.to_string()).await;
    };
    log_in(page, server, Role::Manager, "/leads").await;
    open_dialog().await;
    expect_preview_count(page, 1).await;
    assert!(!page.is_visible("[data-test=action-status]").await, "added leads have the status new");
    page.click("[data-test=lead-action] [data-test=cancel]").await;

    // The status is removed while the page is open. The page learns of it when it reloads the list.
    let action = json!({ "filter": { "status": "new" }, "set": { "status": "busy" } });
    client.post("/api/leads/actions", body(action)).await.expect(200);
    client.delete("/api/statuses/new").await.expect(204);
    page.click("[data-test=lead-action-campaign]").await;
    page.select_option("[data-test=action-target-campaign]", &solar.to_string()).await;
    page.wait_for("[data-test=lead-action] [data-test=error]").await;
    page.click("[data-test=lead-action] [data-test=cancel]").await;
    page.reload().await;
    open_dialog().await;
    page.wait_for("[data-test=action-status]").await;
    page.wait_for(&format!("{ACTION_BUTTON}:disabled")).await;
    assert!(
        !page
            .is_visible("[data-test=lead-action] [data-test=diagnostic], [data-test=lead-action] [data-test=error]")
            .await
    );
    page.select_option("[data-test=action-status]", "callback").await;
    expect_preview_count(page, 1).await;
    page.click(ACTION_BUTTON).await;
    expect_toast(page, "1 lead added").await;
    assert_eq!(count_leads(server, &json!({ "campaign_id": solar, "status": "callback" })).await, 1);
});

journey!(all_matching_leads_are_frozen_in_a_campaign, async |page, server| {
    let (campaign, leads) = create_test_leads(server).await;
    let frozen_filter = json!({ "campaign_id": campaign, "freeze_until": { "null": false } });
    log_in(page, server, Role::Manager, "/leads").await;
    open_leads(page, &json!({ "campaign_id": campaign, "limit": "10;0" }), 12).await;
    page.click("[data-test=select-page]").await;
    page.expect_text(SELECTED_COUNT, "10 leads selected").await;
    page.click("[data-test=select-all]").await;
    page.expect_text(SELECTED_COUNT, "All 12 leads selected").await;
    // Deselecting one lead keeps all others selected, on every page.
    page.click(&lead_checkbox(leads[2])).await;
    page.expect_text(SELECTED_COUNT, "11 leads selected").await;
    page.click(&lead_checkbox(leads[2])).await;
    page.expect_text(SELECTED_COUNT, "All 12 leads selected").await;

    // One lead is already frozen until the time that is entered below.
    let lead_data = server.admin().get(&format!("/api/leads/{}", leads[0])).await.expect(200);
    let path = format!("/api/campaign-leads/{}", lead_data["campaigns"][0]["campaign_lead_id"]);
    server.admin().patch(&path, r#"{"freeze_until":"2036-01-01T09:00:00Z"}"#).await.expect(200);

    // The palette offers the page's own actions.
    page.type_keys(&(Key::Control + "k")).await;
    page.wait_for("[data-test=palette-input]").await;
    page.type_keys("freeze").await;
    page.type_keys(&Key::Enter).await;
    page.wait_for(&format!("{ACTION_BUTTON}:disabled")).await;
    let selected_campaign =
        async || page.run_script("return document.querySelector('#action-campaign').value", Value::Null).await;
    page.wait_until_equal("the filter's campaign is chosen", json!(campaign.to_string()), selected_campaign).await;
    page.wait_for("[data-test=action-until]").await;
    let fill_script = "const input = document.querySelector('[data-test=action-until]');
             input.value = '2036-01-01T09:00';
             input.dispatchEvent(new Event('input', { bubbles: true }));";
    page.run_script(fill_script, Value::Null).await;
    expect_preview_count(page, 11).await;
    page.expect_text("[data-test=preview-unchanged]", "1 is already up to date.").await;
    page.expect_text(ACTION_BUTTON, "Update 11 leads").await;
    page.click(ACTION_BUTTON).await;
    expect_toast(page, "11 leads changed").await;
    assert_eq!(count_leads(server, &frozen_filter).await, 12);

    page.click("[data-test=undo]").await;
    expect_toast(page, "11 leads restored").await;
    assert_eq!(count_leads(server, &frozen_filter).await, 1, "the lead frozen before stays frozen");
});

journey!(long_change_and_its_undo_can_be_cancelled, async |page, server| {
    const PROGRESS_BAR: &str = "[data-test=progress-toast]";
    let client = server.admin();
    let city = |row| if row < 4_100 { "Manyhausen" } else { "Mosthausen" };
    let rows: String = (0..10_100).map(|row| format!("many-{row},{}\n", city(row))).collect();
    client.import_leads("leads.csv", format!("original_identifier,city\n{rows}")).await;
    let count_marked = async || count_leads(server, &json!({ "city": "Manyhausen", "do_not_call": true })).await;
    log_in(page, server, Role::Manager, "/leads").await;
    // More leads than one preview request counts.
    open_leads(page, &json!({ "city": { "in": ["Manyhausen", "Mosthausen"] }, "limit": "10;0" }), 10_100).await;
    page.click("[data-test=select-page]").await;
    page.click("[data-test=select-all]").await;
    page.click("[data-test=lead-action-do-not-call]").await;
    expect_preview_count(page, 10_100).await;
    page.click("[data-test=lead-action] [data-test=cancel]").await;
    open_leads(page, &json!({ "city": "Manyhausen", "limit": "10;0" }), 4_100).await;
    page.click("[data-test=select-page]").await;
    page.click("[data-test=select-all]").await;
    page.click("[data-test=lead-action-do-not-call]").await;
    expect_preview_count(page, 4_100).await;
    // A slow connection: each batch takes a second.
    page.devtools_command("Network.enable", json!({})).await;
    let network_conditions =
        |latency| json!({ "offline": false, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 });
    page.devtools_command("Network.emulateNetworkConditions", network_conditions(1_000)).await;
    page.click(ACTION_BUTTON).await;
    page.wait_for(&format!("{PROGRESS_BAR} [role=progressbar]")).await;
    // The change continues on another page.
    page.click(".sidebar [href='/calls']").await;
    page.expect_location("/calls").await;
    page.wait_until_equal("the progress is shown", true, async || {
        page.text("[data-test=progress-toast-status]").await.ends_with(" of 4,100")
    })
    .await;
    page.run_script("document.querySelector('[data-test=progress-toast-cancel]').focus()", Value::Null).await;
    page.type_keys(&Key::Enter).await;
    page.wait_until_gone(PROGRESS_BAR).await;
    page.devtools_command("Network.emulateNetworkConditions", network_conditions(0)).await;
    let changed_count = count_marked().await;
    assert!((500..4_100).contains(&changed_count) && changed_count % 500 == 0, "{changed_count}");
    expect_toast(page, &format!("{} of 4,100 leads changed", format_grouped(changed_count))).await;
    page.click("[data-test=undo]").await;
    expect_toast(page, &format!("{} leads restored", format_grouped(changed_count))).await;
    assert_eq!(count_marked().await, 0);

    // Change all leads, cancel the undo, and resume it.
    page.run_script("history.back()", Value::Null).await;
    page.expect_text("[data-test=total]", "4,100 leads").await;
    // After a cancelled change the selection is kept, so that it can be resumed.
    page.expect_text(SELECTED_COUNT, "All 4,100 leads selected").await;
    page.click("[data-test=lead-action-do-not-call]").await;
    expect_preview_count(page, 4_100).await;
    page.click(ACTION_BUTTON).await;
    expect_toast(page, "4,100 leads changed").await;
    assert_eq!(count_marked().await, 4_100);
    page.devtools_command("Network.emulateNetworkConditions", network_conditions(1_000)).await;
    page.click("[data-test=undo]").await;
    page.click("[data-test=progress-toast-cancel]").await;
    page.wait_until_gone(PROGRESS_BAR).await;
    page.devtools_command("Network.emulateNetworkConditions", network_conditions(0)).await;
    let remaining_count = count_marked().await;
    assert!((1..4_100).contains(&remaining_count), "{remaining_count}");
    expect_toast(page, &format!("{} of 4,100 leads restored", format_grouped(4_100 - remaining_count))).await;
    page.click("[data-test=undo]").await;
    expect_toast(page, &format!("{} leads restored", format_grouped(remaining_count))).await;
    assert_eq!(count_marked().await, 0);
});

journey!(invalid_value_is_reported_at_its_field, async |page, server| {
    let (_, leads) = create_test_leads(server).await;
    log_in(page, server, Role::Manager, "/leads").await;
    open_leads(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 15).await;
    // `x` selects the focused row, and Escape clears the selection.
    page.run_script("document.querySelector(arguments[0]).focus()", format!("[data-id='{}'] .row-link", leads[4]))
        .await;
    page.type_keys("x").await;
    page.expect_text(SELECTED_COUNT, "1 lead selected").await;
    page.type_keys(&Key::Escape).await;
    page.wait_until_gone(SELECTION_BAR).await;
    page.type_keys("x").await;
    page.expect_text(SELECTED_COUNT, "1 lead selected").await;

    page.click("[data-test=lead-action-weight]").await;
    page.fill("[data-test=action-weight]", "heavy").await;
    page.wait_for("[data-test=action-weight][aria-invalid=true]").await;
    page.wait_for("#action-weight-note [data-test=diagnostic][data-code=wrong_type]").await;
    page.wait_for(&format!("{ACTION_BUTTON}:disabled")).await;
    page.fill("[data-test=action-weight]", "50").await;
    page.wait_until_gone("[data-test=diagnostic]").await;
    expect_preview_count(page, 1).await;
    page.type_keys(&Key::Enter).await;
    expect_toast(page, "1 lead changed").await;
    let lead_data = server.admin().get(&format!("/api/leads/{}", leads[4])).await.expect(200);
    assert_eq!(lead_data["campaigns"][0]["weight"], 50);

    // Changing the filter clears the selection.
    page.click(&lead_checkbox(leads[5])).await;
    page.expect_text(SELECTED_COUNT, "1 lead selected").await;
    page.fill_filter(r#"{"city":"Testhausen","last_name":"Lead 07"}"#).await;
    page.click("[data-test=apply]").await;
    page.expect_text("[data-test=total]", "1 lead").await;
    page.wait_until_gone(SELECTION_BAR).await;
});

journey!(viewer_sees_no_bulk_actions, async |page, server| {
    let (_, leads) = create_test_leads(server).await;
    log_in(page, server, Role::Viewer, "/leads").await;
    open_leads(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 15).await;
    assert!(!page.is_visible(".lead-table .checkbox").await);
    page.run_script("document.querySelector(arguments[0]).focus()", format!("[data-id='{}'] .row-link", leads[4]))
        .await;
    page.type_keys("x").await;
    assert!(!page.is_visible(SELECTION_BAR).await);
    page.wait_for(&format!("[data-id='{}']:not([aria-selected])", leads[4])).await;
});
