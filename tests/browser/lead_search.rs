//! Search above the lead list: its results, and actions that apply only to these results.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::bulk::{ACTION_BUTTON, expect_preview_count, expect_toast};
use super::journey;
use super::login::log_in;
use super::page::Page;

const SEARCH_INPUT: &str = "[data-test=lead-search]";
const TOTAL_COUNT: &str = "[data-test=total]";

/// Waits until the search input has this text.
async fn expect_search_text(page: &Page, text: &str) {
    let search_text = async || page.run_script("return document.querySelector(arguments[0]).value", SEARCH_INPUT).await;
    page.wait_until_equal("the search text is shown", json!(text), search_text).await;
}

journey!(name_search_filters_leads_and_is_in_the_url, async |page, server| {
    let admin = server.admin();
    let mut leads = Vec::new();
    for (first_name, city) in [("Zoë", "Testhausen"), ("Zoe", "Testhausen"), ("Adam", "Testhausen"), ("Zoe", "Ulm")] {
        let lead = json!({ "first_name": first_name, "last_name": "Quux", "city": city, "phone": "+49 731 90182" });
        leads.push(admin.create("/api/leads", lead).await);
    }
    let filter = r#"{"city":"Testhausen","limit":"1;2"}"#;
    let encoded: String = url::form_urlencoded::byte_serialize(filter.as_bytes()).collect();
    log_in(page, server, Role::Manager, &format!("/leads?filter={encoded}")).await;
    page.expect_text("[data-test=range]", "3–3 of 3").await;

    // The displayed shortcut focuses the search. Results start at their first page.
    page.expect_text(".lead-search kbd", "/").await;
    page.type_keys("/").await;
    page.type_keys("zoe q").await;
    page.expect_text(TOTAL_COUNT, "2 leads").await;
    page.expect_text("[data-test=range]", "1–1 of 2").await;
    let explanation = "Leads with city Testhausen, matching “zoe q”.";
    page.expect_text("[data-test=filter-explanation]", explanation).await;
    let location = page.location().await;
    assert!(location.ends_with("&search=zoe%20q"), "{location}");
    page.reload().await;
    page.expect_text(TOTAL_COUNT, "2 leads").await;
    expect_search_text(page, "zoe q").await;
    // Paging stays within the results.
    page.click("[aria-label='Next page']").await;
    page.expect_text("[data-test=range]", "2–2 of 2").await;

    // A changed filter keeps the search, and Back restores the previous filter.
    page.fill_filter(r#"{"city":"Ulm","limit":"50;0"}"#).await;
    page.click("[data-test=apply]").await;
    page.expect_attributes("[data-test=lead-row]", "data-id", &[leads[3].to_string()]).await;
    page.run_script("history.back()", Value::Null).await;
    page.expect_text(TOTAL_COUNT, "2 leads").await;

    // Escape clears the search and keeps the filter.
    page.click(SEARCH_INPUT).await;
    page.type_keys(&Key::Escape).await;
    page.expect_text(TOTAL_COUNT, "3 leads").await;
    page.expect_text("[data-test=filter-explanation]", "Leads with city Testhausen.").await;
    page.run_script("history.back()", Value::Null).await;
    page.expect_text(TOTAL_COUNT, "2 leads").await;
    expect_search_text(page, "zoe q").await;

    // An empty result offers a button that clears search and filter.
    page.fill(SEARCH_INPUT, "no such name\n").await;
    page.expect_text("[data-test=empty-state] h2", "No matching leads").await;
    page.click("[data-test=empty-state] .button").await;
    page.expect_location("/leads?filter=%7B%22limit%22%3A%2250%3B0%22%7D").await;
    expect_search_text(page, "").await;
    // Numbers and ids are found too.
    page.fill(SEARCH_INPUT, "0731 901-82").await;
    page.expect_text(TOTAL_COUNT, "4 leads").await;
    page.fill(SEARCH_INPUT, &format!("#{}", leads[2])).await;
    page.expect_attributes("[data-test=lead-row]", "data-id", &[leads[2].to_string()]).await;
});

journey!(bulk_actions_apply_to_search_results_only, async |page, server| {
    let admin = server.admin();
    for first_name in ["Ann", "Annika", "Bob"] {
        admin.create("/api/leads", json!({ "first_name": first_name, "last_name": "Searched", "city": "Ulm" })).await;
    }
    log_in(page, server, Role::Manager, "/leads?search=ann%20searched").await;
    page.expect_text(TOTAL_COUNT, "2 leads").await;
    page.click("[data-test=export] summary").await;
    let script = "const [css, done] = arguments;
            fetch(document.querySelector(css).href).then(async response => done(await response.text()))";
    let file = page.run_async_script(script, vec![json!("[data-test=export-csv]")]).await;
    let file = file.as_str().unwrap();
    assert!(file.contains("Annika") && !file.contains("Bob") && file.lines().count() == 3, "{file}");
    page.type_keys(&Key::Escape).await;

    page.click("[data-test=select-page]").await;
    page.expect_text("[data-test=selected]", "2 leads selected").await;
    // A new search clears the selection.
    page.fill(SEARCH_INPUT, "searched\n").await;
    page.expect_text(TOTAL_COUNT, "3 leads").await;
    page.wait_until_gone("[data-test=selection]").await;
    expect_toast(page, "The selection was cleared because the list changed.").await;
    page.fill(SEARCH_INPUT, "annika\n").await;
    page.expect_text(TOTAL_COUNT, "1 lead").await;
    page.click("[data-test=select-page]").await;
    page.click("[data-test=lead-action-do-not-call]").await;
    expect_preview_count(page, 1).await;
    page.click(ACTION_BUTTON).await;
    expect_toast(page, "1 lead changed").await;
    assert_eq!(admin.count_leads(json!({ "last_name": "Searched", "do_not_call": true })).await, 1);
});
