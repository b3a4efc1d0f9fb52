//! Pages of a list: page size, paging, sorting, and selection across pages.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::appearance::emulate_phone;
use super::journey;
use super::leads::{count_leads, expect_rows};
use super::login::{create_user, log_in, submit_login};
use super::page::{Page, format_grouped};
use crate::harness::{PASSWORD, Server};

const PAGE_SIZE_SELECT: &str = "[data-test=page-size]";
const SELECTED_COUNT: &str = "[data-test=selected]";

/// Returns the URL of the lead list for a filter.
fn leads_path(filter: &Value) -> String {
    let encoded: String = url::form_urlencoded::byte_serialize(filter.to_string().as_bytes()).collect();
    format!("/leads?filter={encoded}")
}

/// Waits until the pager shows these rows.
async fn expect_range(page: &Page, first: u64, last: u64, total: u64) {
    let [first, last, total] = [first, last, total].map(format_grouped);
    page.expect_text("[data-test=range]", &format!("{first}–{last} of {total}")).await;
}

/// Waits until the list shows the leads that the API returns for a filter, and the select shows the page size.
async fn expect_lead_page(page: &Page, server: &Server, filter: &Value, size: u64) {
    expect_rows(page, server, filter).await;
    expect_page_size(page, size).await;
}

async fn expect_page_size(page: &Page, size: u64) {
    let script = "return document.querySelector(arguments[0])?.value";
    let selected_size = async || page.run_script(script, PAGE_SIZE_SELECT).await;
    page.wait_until_equal("the select shows the page size", json!(size.to_string()), selected_size).await;
}

journey!(page_size_and_selection_survive_paging_and_sorting, async |page, server| {
    let total = count_leads(server, &json!({ "limit": "1;0" })).await;
    log_in(page, server, Role::Manager, "/leads").await;
    expect_range(page, 1, 50, total).await;
    let sizes = ["25", "50", "100", "200"].map(str::to_owned);
    page.expect_attributes(&format!("{PAGE_SIZE_SELECT} option"), "value", &sizes).await;

    page.select_option(PAGE_SIZE_SELECT, "25").await;
    page.expect_location(&leads_path(&json!({ "limit": "25;0" }))).await;
    expect_lead_page(page, server, &json!({ "limit": "25;0" }), 25).await;
    page.click("[data-test=select-page]").await;
    page.expect_text(SELECTED_COUNT, "25 leads selected").await;
    page.click("[aria-label='Next page']").await;
    expect_range(page, 26, 50, total).await;
    expect_lead_page(page, server, &json!({ "limit": "25;25" }), 25).await;
    page.click("[data-test=lead-row]:nth-child(3) [data-test=select-lead]").await;
    page.expect_text(SELECTED_COUNT, "26 leads selected").await;

    // Sorting starts at the first page. Size and selection stay.
    page.click("th:first-child .sort-button").await;
    expect_range(page, 1, 25, total).await;
    expect_lead_page(page, server, &json!({ "_order": "last_name", "limit": "25;0" }), 25).await;
    page.expect_text(SELECTED_COUNT, "26 leads selected").await;

    // Another size starts at the first page too. Order and selection stay.
    page.click("[aria-label='Last page']").await;
    expect_range(page, (total - 1) / 25 * 25 + 1, total, total).await;
    page.select_option(PAGE_SIZE_SELECT, "200").await;
    expect_range(page, 1, 200, total).await;
    expect_lead_page(page, server, &json!({ "_order": "last_name", "limit": "200;0" }), 200).await;
    page.expect_text(SELECTED_COUNT, "26 leads selected").await;
    page.reload().await;
    expect_lead_page(page, server, &json!({ "_order": "last_name", "limit": "200;0" }), 200).await;
    page.click("[data-test=lead-row]:nth-child(1) [data-test=select-lead]").await;
    page.click("[data-test=select-all]").await;
    page.expect_text(SELECTED_COUNT, &format!("All {} leads selected", format_grouped(total))).await;

    // Back shows the previous page size.
    page.run_script("history.back()", Value::Null).await;
    expect_page_size(page, 25).await;
});

journey!(page_size_is_remembered_per_list_and_user, async |page, server| {
    let leads = count_leads(server, &json!({ "limit": "1;0" })).await;
    let calls = server.admin().get("/api/calls?limit=1;0").await.expect(200)["total"].as_u64().unwrap();
    assert!(calls > 25, "the test needs more than one page, found {calls} calls");
    log_in(page, server, Role::Viewer, "/calls").await;
    expect_range(page, 1, calls.min(50), calls).await;
    page.select_option(PAGE_SIZE_SELECT, "25").await;
    page.expect_location("/calls?limit=25%3B0").await;
    expect_range(page, 1, 25, calls).await;

    // A list without a size in its URL has the size that was chosen last. The URL takes precedence.
    page.open("/calls").await;
    expect_range(page, 1, 25, calls).await;
    expect_page_size(page, 25).await;
    page.open("/calls?limit=10;10").await;
    expect_range(page, 11, 20, calls).await;
    page.click("th[data-column=agent] .sort-button").await;
    page.expect_location("/calls?order=agent&limit=10%3B0").await;
    page.open("/leads").await;
    expect_range(page, 1, 50, leads).await;

    // Links to leads use the chosen size as well, and so does the list after a reset.
    page.select_option(PAGE_SIZE_SELECT, "100").await;
    expect_range(page, 1, 100, leads).await;
    page.open("/").await;
    page.click("[data-test=bar][data-key=do_not_call] a").await;
    page.wait_for("[data-test=lead-row]").await;
    expect_page_size(page, 100).await;
    page.open("/leads?filter={\"city\":\"Nowhere\",\"limit\":\"50;0\"}").await;
    page.click("[data-test=empty-state] button").await;
    expect_range(page, 1, 100, leads).await;

    page.click("[data-test=user-menu]").await;
    page.click("[data-test=log-out]").await;
    let manager = create_user(server, Role::Manager).await;
    submit_login(page, &manager, PASSWORD).await;
    page.wait_for("[data-test=user-menu]").await;
    page.open("/calls").await;
    expect_range(page, 1, calls.min(50), calls).await;
});

journey!(pages_change_on_a_phone, async |page, server| {
    emulate_phone(page).await;
    log_in(page, server, Role::Manager, "/leads").await;
    page.select_option(PAGE_SIZE_SELECT, "25").await;
    page.click("[data-test=select-cards]").await;
    page.expect_text(SELECTED_COUNT, "25 leads selected").await;
    page.click("[aria-label='Next page']").await;
    expect_lead_page(page, server, &json!({ "limit": "25;25" }), 25).await;
    page.click("[data-test=select-cards]").await;
    page.expect_text(SELECTED_COUNT, "50 leads selected").await;
    // A new page starts at its first row.
    let is_at_start = async || {
        let script = "return document.querySelector('[data-test=lead-row]').getBoundingClientRect().top < innerHeight";
        page.run_script(script, Value::Null).await
    };
    page.click("[aria-label='Next page']").await;
    page.wait_until_equal("the first row is in view", json!(true), is_at_start).await;
});
