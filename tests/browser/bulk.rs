//! Bulk changes: selection across pages or by filter, a count beforehand, and an undo afterwards.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::{Page, grouped};
use crate::harness::{Server, body};

const BAR: &str = "[data-test=selection]";
const SELECTED: &str = "[data-test=selected]";
pub const DO: &str = "[data-test=action-do]";

/// Creates fifteen leads in a test city, twelve of them in a test campaign.
pub async fn testhausen(server: &Server) -> (i64, Vec<i64>) {
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
pub async fn open(page: &Page, filter: &Value, total: u64) {
    let filter: String = url::form_urlencoded::byte_serialize(filter.to_string().as_bytes()).collect();
    page.open(&format!("/leads?filter={filter}")).await;
    let leads = if total == 1 { "lead" } else { "leads" };
    page.shows("[data-test=total]", &format!("{} {leads}", grouped(total))).await;
    page.see("[data-test=lead-row]").await;
}

async fn total(server: &Server, filter: Value) -> u64 {
    let found = server.admin().put("/api/leads/extended-data", body(filter)).await.expect(200);
    found["total_leads"].as_u64().unwrap()
}

/// Returns the selector of a lead's checkbox.
pub fn lead(id: i64) -> String {
    format!("[data-id='{id}'] [data-test=select-lead]")
}

/// Waits until the dialog's preview counts this number of leads to change.
pub async fn counts(page: &Page, leads: u64) {
    page.see(&format!("[data-test=preview][data-changed='{leads}']")).await;
}

/// Waits for a toast message, and for the list behind it.
pub async fn says(page: &Page, text: &str) {
    let read = async || page.texts("[data-test=toast] p").await.contains(&text.to_owned());
    page.until_equal(&format!("a message says {text:?}"), true, read).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bulk_change_across_two_pages_can_be_undone() {
    journey("bulk_pages", async |page, server| {
        let (_, leads) = testhausen(server).await;
        let marked = json!({ "city": "Testhausen", "do_not_call": true });
        log_in(page, server, Role::Manager, "/leads").await;
        open(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 15).await;
        assert!(!page.sees(BAR).await);
        page.click(&lead(leads[1])).await;
        page.shows(SELECTED, "1 lead selected").await;
        // Shift-click selects the range from the last clicked checkbox.
        let shift = "const box = document.querySelector(arguments[0]);
             box.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true }));";
        page.run(shift, lead(leads[3])).await;
        page.shows(SELECTED, "3 leads selected").await;
        page.click("[aria-label='Next page']").await;
        page.shows("[data-test=range]", "11–15 of 15").await;
        page.click(&lead(leads[12])).await;
        page.shows(SELECTED, "4 leads selected").await;
        // Sorting keeps the selection.
        page.click("th:first-child .sort-button").await;
        page.see("th[aria-sort=ascending]:first-child").await;
        page.see(&format!("[data-id='{}'][aria-selected=true]", leads[2])).await;
        page.shows(SELECTED, "4 leads selected").await;
        // Opening a lead and going back keeps the selection.
        page.click(&format!("[data-id='{}'] [data-opens]", leads[2])).await;
        page.is_at(&format!("/leads/{}", leads[2])).await;
        page.run("history.back()", Value::Null).await;
        page.see(&format!("[data-id='{}'][aria-selected=true]", leads[2])).await;
        page.shows(SELECTED, "4 leads selected").await;

        page.click("[data-test=act-do-not-call]").await;
        counts(page, 4).await;
        assert_eq!(total(server, marked.clone()).await, 0, "nothing is done before it is confirmed");
        page.click(DO).await;
        says(page, "4 leads changed.").await;
        page.see_gone(BAR).await;
        assert_eq!(total(server, marked.clone()).await, 4);
        let of_all = json!({ "id": [leads[1], leads[2], leads[3], leads[12]], "do_not_call": true });
        assert_eq!(total(server, of_all).await, 4);

        page.click("[data-test=undo]").await;
        says(page, "4 leads restored.").await;
        assert_eq!(total(server, marked).await, 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn preview_warns_about_leads_to_be_called_again() {
    journey("bulk_released", async |page, server| {
        let client = server.admin();
        let campaign = client.create("/api/campaigns", json!({ "name": "Harbour lights" })).await;
        for (status, silent) in [("refused", false), ("dnc", false), ("refused", true), ("new", false)] {
            let lead = json!({ "city": "Testhausen", "phone_normalized": "+442079460018", "do_not_call": silent });
            let lead = client.create("/api/leads", lead).await;
            let inside = json!({ "lead_id": lead, "campaign_id": campaign, "status": status });
            client.create("/api/campaign-leads", inside).await;
        }
        log_in(page, server, Role::Manager, "/leads").await;
        open(page, &json!({ "city": "Testhausen" }), 4).await;
        page.click("[data-test=select-page]").await;
        page.shows(SELECTED, "4 leads selected").await;
        page.click("[data-test=act-status]").await;
        page.choose("[data-test=action-status]", "new").await;
        counts(page, 3).await;
        let released = "2 leads excluded by status or “Do not call” can be called again.";
        page.shows("[data-test=preview-released]", released).await;
        page.shows("[data-test=preview-gained]", "2 leads become callable now.").await;
        assert!(!page.sees("[data-test=preview-lost]").await);
        // The button is disabled until the preview has counted, which starts a quarter of a second after the choice.
        let choose = "const status = document.querySelector('[data-test=action-status]');
            status.value = 'closed';
            status.dispatchEvent(new Event('change', { bubbles: true }));
            setTimeout(() => arguments[1](document.querySelector(arguments[0]).disabled), 50)";
        assert_eq!(page.run_async(choose, vec![json!(DO)]).await, true);
        counts(page, 4).await;
        page.shows("[data-test=preview-lost]", "1 lead stops being callable.").await;
        assert!(!page.sees("[data-test=preview-released]").await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn adds_unassigned_leads_to_a_campaign() {
    journey("bulk_put_in", async |page, server| {
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
        let in_solar = json!({ "city": "Testhausen", "campaign_id": solar });
        log_in(page, server, Role::Manager, "/leads").await;
        open(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 12).await;
        page.click("[data-test=select-page]").await;
        page.click("[data-test=select-all]").await;
        page.shows(SELECTED, "All 12 leads selected").await;
        // The palette offers the page's own actions.
        page.press(&(Key::Control + "k")).await;
        page.see("[data-test=palette-input]").await;
        page.press("put into a campaign").await;
        page.press(&Key::Enter).await;
        page.shows("[data-test=lead-action] h2", "Add to campaign").await;
        page.see(&format!("{DO}:disabled")).await;
        // Active campaigns come first.
        let groups: Vec<_> = ["Active", "Off"].map(str::to_owned).into();
        page.lists("[data-test=action-into] optgroup", "label", &groups).await;

        page.choose("[data-test=action-into]", &autumn.to_string()).await;
        counts(page, 12).await;
        page.shows("[data-test=preview-off]", "This campaign is off.").await;
        assert!(!page.sees("[data-test=preview-gained]").await);
        page.choose("[data-test=action-into]", &solar.to_string()).await;
        counts(page, 11).await;
        page.shows("[data-test=preview]", "11 leads will be added.").await;
        page.shows("[data-test=preview-unchanged]", "1 is already in the campaign.").await;
        page.shows("[data-test=preview-gained]", "9 leads become callable now.").await;
        assert!(!page.sees("[data-test=preview-off], [data-test=preview-released]").await);
        page.shows(DO, "Add 11 leads").await;
        assert_eq!(total(server, in_solar.clone()).await, 1, "nothing is done before it is confirmed");
        page.click(DO).await;
        says(page, "11 leads added.").await;
        assert_eq!(total(server, in_solar.clone()).await, 12);

        page.click("[data-test=undo]").await;
        says(page, "11 leads restored.").await;
        assert_eq!(total(server, in_solar).await, 1, "the one that was in it before stays");
        page.click("[data-test=look-back]").await;
        page.shows("[data-test=past-set]", "Added to Solar").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_campaign_leads_get_an_existing_status() {
    journey("bulk_first_status", async |page, server| {
        let client = server.admin();
        let solar = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
        client.create("/api/leads", json!({ "city": "Testhausen" })).await;
        let begin = async || {
            open(page, &json!({ "city": "Testhausen" }), 1).await;
            page.click("[data-test=select-page]").await;
            page.click("[data-test=act-campaign]").await;
            page.choose("[data-test=action-into]", &solar.to_string()).await;
        };
        log_in(page, server, Role::Manager, "/leads").await;
        begin().await;
        counts(page, 1).await;
        assert!(!page.sees("[data-test=action-status]").await, "they begin as new");
        page.click("[data-test=lead-action] [data-test=cancel]").await;

        // The status is removed while the page is open. The page learns of it when it reloads the list.
        let others = json!({ "filter": { "status": "new" }, "set": { "status": "busy" } });
        client.post("/api/leads/actions", body(others)).await.expect(200);
        client.delete("/api/statuses/new").await.expect(204);
        page.click("[data-test=act-campaign]").await;
        page.choose("[data-test=action-into]", &solar.to_string()).await;
        page.see("[data-test=lead-action] [data-test=error]").await;
        page.click("[data-test=lead-action] [data-test=cancel]").await;
        page.reload().await;
        begin().await;
        page.see("[data-test=action-status]").await;
        page.see(&format!("{DO}:disabled")).await;
        assert!(
            !page.sees("[data-test=lead-action] [data-test=fault], [data-test=lead-action] [data-test=error]").await
        );
        page.choose("[data-test=action-status]", "callback").await;
        counts(page, 1).await;
        page.click(DO).await;
        says(page, "1 lead added.").await;
        assert_eq!(total(server, json!({ "campaign_id": solar, "status": "callback" })).await, 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_matching_leads_are_frozen_in_a_campaign() {
    journey("bulk_all", async |page, server| {
        let (campaign, leads) = testhausen(server).await;
        let frozen = json!({ "campaign_id": campaign, "freeze_until": { "null": false } });
        log_in(page, server, Role::Manager, "/leads").await;
        open(page, &json!({ "campaign_id": campaign, "limit": "10;0" }), 12).await;
        page.click("[data-test=select-page]").await;
        page.shows(SELECTED, "10 leads selected").await;
        page.click("[data-test=select-all]").await;
        page.shows(SELECTED, "All 12 leads selected").await;
        // Deselecting one lead keeps all others selected, on every page.
        page.click(&lead(leads[2])).await;
        page.shows(SELECTED, "11 leads selected").await;
        page.click(&lead(leads[2])).await;
        page.shows(SELECTED, "All 12 leads selected").await;

        // One lead is already frozen until then.
        let inside = server.admin().get(&format!("/api/leads/{}", leads[0])).await.expect(200);
        let path = format!("/api/campaign-leads/{}", inside["campaigns"][0]["campaign_lead_id"]);
        server.admin().patch(&path, r#"{"freeze_until":"2036-01-01T09:00:00Z"}"#).await.expect(200);

        // The palette offers the page's own actions.
        page.press(&(Key::Control + "k")).await;
        page.see("[data-test=palette-input]").await;
        page.press("freeze").await;
        page.press(&Key::Enter).await;
        page.see(&format!("{DO}:disabled")).await;
        let chosen = async || page.run("return document.querySelector('#action-campaign').value", Value::Null).await;
        page.until_equal("the filter's campaign is chosen", json!(campaign.to_string()), chosen).await;
        page.see("[data-test=action-until]").await;
        let fill = "const input = document.querySelector('[data-test=action-until]');
             input.value = '2036-01-01T09:00';
             input.dispatchEvent(new Event('input', { bubbles: true }));";
        page.run(fill, Value::Null).await;
        counts(page, 11).await;
        page.shows("[data-test=preview-unchanged]", "1 is already up to date.").await;
        page.shows(DO, "Update 11 leads").await;
        page.click(DO).await;
        says(page, "11 leads changed.").await;
        assert_eq!(total(server, frozen.clone()).await, 12);

        page.click("[data-test=undo]").await;
        says(page, "11 leads restored.").await;
        assert_eq!(total(server, frozen).await, 1, "the one that was frozen before stays so");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_change_and_its_undo_can_be_cancelled() {
    const WORKING: &str = "[data-test=working]";
    journey("bulk_long", async |page, server| {
        let client = server.admin();
        let city = |row| if row < 4_100 { "Manyhausen" } else { "Mosthausen" };
        let rows: String = (0..10_100).map(|row| format!("many-{row},{}\n", city(row))).collect();
        let csv = client.with_header("content-type", "text/csv");
        let begun = csv.post("/api/imports/leads", format!("original_identifier,city\n{rows}")).await.expect(202);
        let path = format!("/api/imports/{}", begun["id"]);
        while client.get(&path).await.expect(200)["state"] == "running" {
            tokio::task::yield_now().await;
        }
        let marked = async || total(server, json!({ "city": "Manyhausen", "do_not_call": true })).await;
        log_in(page, server, Role::Manager, "/leads").await;
        // More leads than one request counts.
        open(page, &json!({ "city": { "in": ["Manyhausen", "Mosthausen"] }, "limit": "10;0" }), 10_100).await;
        page.click("[data-test=select-page]").await;
        page.click("[data-test=select-all]").await;
        page.click("[data-test=act-do-not-call]").await;
        counts(page, 10_100).await;
        page.click("[data-test=lead-action] [data-test=cancel]").await;
        open(page, &json!({ "city": "Manyhausen", "limit": "10;0" }), 4_100).await;
        page.click("[data-test=select-page]").await;
        page.click("[data-test=select-all]").await;
        page.click("[data-test=act-do-not-call]").await;
        counts(page, 4_100).await;
        // A slow connection: each part takes a second.
        page.command("Network.enable", json!({})).await;
        let line =
            |latency| json!({ "offline": false, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 });
        page.command("Network.emulateNetworkConditions", line(1_000)).await;
        page.click(DO).await;
        page.see(&format!("{WORKING} [role=progressbar]")).await;
        // The change continues on another page.
        page.click(".sidebar [href='/calls']").await;
        page.is_at("/calls").await;
        page.until_equal("it tells how far it is", true, async || {
            page.text("[data-test=work-progress]").await.ends_with(" of 4,100")
        })
        .await;
        page.run("document.querySelector('[data-test=work-cancel]').focus()", Value::Null).await;
        page.press(&Key::Enter).await;
        page.see_gone(WORKING).await;
        page.command("Network.emulateNetworkConditions", line(0)).await;
        let changed = marked().await;
        assert!((500..4_100).contains(&changed) && changed % 500 == 0, "{changed}");
        says(page, &format!("{} of 4,100 leads changed.", grouped(changed))).await;
        page.click("[data-test=undo]").await;
        says(page, &format!("{} leads restored.", grouped(changed))).await;
        assert_eq!(marked().await, 0);

        // Undo all of it, cancel the undo, and resume it.
        page.run("history.back()", Value::Null).await;
        page.shows("[data-test=total]", "4,100 leads").await;
        // After a cancelled change the selection is kept, so that it can be resumed.
        page.shows(SELECTED, "All 4,100 leads selected").await;
        page.click("[data-test=act-do-not-call]").await;
        counts(page, 4_100).await;
        page.click(DO).await;
        says(page, "4,100 leads changed.").await;
        assert_eq!(marked().await, 4_100);
        page.command("Network.emulateNetworkConditions", line(1_000)).await;
        page.click("[data-test=undo]").await;
        page.click("[data-test=work-cancel]").await;
        page.see_gone(WORKING).await;
        page.command("Network.emulateNetworkConditions", line(0)).await;
        let left = marked().await;
        assert!((1..4_100).contains(&left), "{left}");
        says(page, &format!("{} of 4,100 leads restored.", grouped(4_100 - left))).await;
        page.click("[data-test=undo]").await;
        says(page, &format!("{} leads restored.", grouped(left))).await;
        assert_eq!(marked().await, 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_value_is_reported_at_its_field() {
    journey("bulk_fault", async |page, server| {
        let (_, leads) = testhausen(server).await;
        log_in(page, server, Role::Manager, "/leads").await;
        open(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 15).await;
        // `x` selects the focused row, and Escape clears the selection.
        page.run("document.querySelector(arguments[0]).focus()", format!("[data-id='{}'] .row-link", leads[4])).await;
        page.press("x").await;
        page.shows(SELECTED, "1 lead selected").await;
        page.press(&Key::Escape).await;
        page.see_gone(BAR).await;
        page.press("x").await;
        page.shows(SELECTED, "1 lead selected").await;

        page.click("[data-test=act-weight]").await;
        page.fill("[data-test=action-weight]", "heavy").await;
        page.see("[data-test=action-weight][aria-invalid=true]").await;
        page.see("#action-weight-note [data-test=fault][data-code=wrong_type]").await;
        page.see(&format!("{DO}:disabled")).await;
        page.fill("[data-test=action-weight]", "50").await;
        page.see_gone("[data-test=fault]").await;
        counts(page, 1).await;
        page.press(&Key::Enter).await;
        says(page, "1 lead changed.").await;
        let inside = server.admin().get(&format!("/api/leads/{}", leads[4])).await.expect(200);
        assert_eq!(inside["campaigns"][0]["weight"], 50);

        // Changing the filter clears the selection.
        page.click(&lead(leads[5])).await;
        page.shows(SELECTED, "1 lead selected").await;
        page.fill_filter(r#"{"city":"Testhausen","last_name":"Lead 07"}"#).await;
        page.click("[data-test=apply]").await;
        page.shows("[data-test=total]", "1 lead").await;
        page.see_gone(BAR).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn viewer_sees_no_bulk_actions() {
    journey("bulk_viewer", async |page, server| {
        let (_, leads) = testhausen(server).await;
        log_in(page, server, Role::Viewer, "/leads").await;
        open(page, &json!({ "city": "Testhausen", "limit": "10;0" }), 15).await;
        assert!(!page.sees(".lead-table .checkbox").await);
        page.run("document.querySelector(arguments[0]).focus()", format!("[data-id='{}'] .row-link", leads[4])).await;
        page.press("x").await;
        assert!(!page.sees(BAR).await);
        page.see(&format!("[data-id='{}']:not([aria-selected])", leads[4])).await;
    })
    .await;
}
