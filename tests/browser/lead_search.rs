//! Search above the lead list: its results, and actions that apply only to these results.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::bulk::{DO, counts, says};
use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::body;

const SEARCH: &str = "[data-test=lead-search]";
const TOTAL: &str = "[data-test=total]";

/// Waits until the search input has this text.
async fn says_in_search(page: &Page, text: &str) {
    let read = async || page.run("return document.querySelector(arguments[0]).value", SEARCH).await;
    page.until_equal("the search", json!(text), read).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn name_search_filters_leads_and_is_in_the_url() {
    journey("lead_search", async |page, server| {
        let admin = server.admin();
        let mut leads = Vec::new();
        for (first, town) in [("Zoë", "Testhausen"), ("Zoe", "Testhausen"), ("Adam", "Testhausen"), ("Zoe", "Ulm")] {
            let lead = json!({ "first_name": first, "last_name": "Quux", "city": town, "phone": "+49 731 90182" });
            leads.push(admin.create("/api/leads", lead).await);
        }
        let filter = r#"{"city":"Testhausen","limit":"1;2"}"#;
        let encoded: String = url::form_urlencoded::byte_serialize(filter.as_bytes()).collect();
        log_in(page, server, Role::Manager, &format!("/leads?filter={encoded}")).await;
        page.shows("[data-test=range]", "3–3 of 3").await;

        // The displayed shortcut focuses the search. Results start at their first page.
        page.shows(".lead-search kbd", "/").await;
        page.press("/").await;
        page.press("zoe q").await;
        page.shows(TOTAL, "2 leads").await;
        page.shows("[data-test=range]", "1–1 of 2").await;
        let reading = "Leads with city Testhausen, matching “zoe q”.";
        page.shows("[data-test=reading]", reading).await;
        let place = page.place().await;
        assert!(place.ends_with("&search=zoe%20q"), "{place}");
        page.reload().await;
        page.shows(TOTAL, "2 leads").await;
        says_in_search(page, "zoe q").await;
        // Paging stays within the results.
        page.click("[aria-label='Next page']").await;
        page.shows("[data-test=range]", "2–2 of 2").await;

        // A changed filter keeps the search, and Back restores the previous filter.
        page.fill_filter(r#"{"city":"Ulm","limit":"50;0"}"#).await;
        page.click("[data-test=apply]").await;
        page.lists("[data-test=lead-row]", "data-id", &[leads[3].to_string()]).await;
        page.run("history.back()", Value::Null).await;
        page.shows(TOTAL, "2 leads").await;

        // Escape clears the search and keeps the filter.
        page.click(SEARCH).await;
        page.press(&Key::Escape).await;
        page.shows(TOTAL, "3 leads").await;
        page.shows("[data-test=reading]", "Leads with city Testhausen.").await;
        page.run("history.back()", Value::Null).await;
        page.shows(TOTAL, "2 leads").await;
        says_in_search(page, "zoe q").await;

        // An empty result offers a button that clears search and filter.
        page.fill(SEARCH, "nobody is called so\n").await;
        page.shows("[data-test=empty] h2", "No matching leads").await;
        page.click("[data-test=empty] .button").await;
        page.is_at("/leads?filter=%7B%22limit%22%3A%2250%3B0%22%7D").await;
        says_in_search(page, "").await;
        // Numbers and ids are found too.
        page.fill(SEARCH, "0731 901-82").await;
        page.shows(TOTAL, "4 leads").await;
        page.fill(SEARCH, &format!("#{}", leads[2])).await;
        page.lists("[data-test=lead-row]", "data-id", &[leads[2].to_string()]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bulk_actions_apply_to_search_results_only() {
    journey("lead_search_bulk", async |page, server| {
        let admin = server.admin();
        for first in ["Ann", "Annika", "Bob"] {
            admin.create("/api/leads", json!({ "first_name": first, "last_name": "Searched", "city": "Ulm" })).await;
        }
        log_in(page, server, Role::Manager, "/leads?search=ann%20searched").await;
        page.shows(TOTAL, "2 leads").await;
        page.click("[data-test=export] summary").await;
        let script = "const [css, done] = arguments;
            fetch(document.querySelector(css).href).then(async answer => done(await answer.text()))";
        let file = page.run_async(script, vec![json!("[data-test=export-csv]")]).await;
        let file = file.as_str().unwrap();
        assert!(file.contains("Annika") && !file.contains("Bob") && file.lines().count() == 3, "{file}");
        page.press(&Key::Escape).await;

        page.click("[data-test=select-page]").await;
        page.shows("[data-test=selected]", "2 leads selected").await;
        // A new search clears the selection.
        page.fill(SEARCH, "searched\n").await;
        page.shows(TOTAL, "3 leads").await;
        page.see_gone("[data-test=selection]").await;
        says(page, "Selection cleared: the list changed").await;
        page.fill(SEARCH, "annika\n").await;
        page.shows(TOTAL, "1 lead").await;
        page.click("[data-test=select-page]").await;
        page.click("[data-test=act-do-not-call]").await;
        counts(page, 1).await;
        page.click(DO).await;
        says(page, "1 lead changed.").await;
        let found =
            admin.put("/api/leads/extended-data", body(json!({ "last_name": "Searched", "do_not_call": true })));
        assert_eq!(found.await.expect(200)["total_leads"], 1);
    })
    .await;
}
