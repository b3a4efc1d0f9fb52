//! Back and forward: the URL always matches the displayed content.

use leadscribe_engine::api::Role;
use serde_json::Value;

use super::journey;
use super::login::log_in;
use super::page::Page;

async fn back(page: &Page) {
    page.run("history.back()", Value::Null).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_work_after_back_and_forward() {
    journey("history_link", async |page, server| {
        log_in(page, server, Role::Viewer, "/").await;
        page.click(".sidebar [href='/leads']").await;
        page.click("[data-test=lead-row] .row-link").await;
        page.see(".breadcrumb[href='/leads']").await;
        let lead = page.place().await;
        assert!(lead.starts_with("/leads/"), "{lead}");
        back(page).await;
        page.is_at("/leads").await;
        page.see("[data-test=lead-row]").await;
        page.run("history.forward()", Value::Null).await;
        page.is_at(&lead).await;

        page.click(".breadcrumb[href='/leads']").await;
        page.see("[data-test=lead-row]").await;
        page.is_at("/leads").await;
        back(page).await;
        page.is_at(&lead).await;
        page.see(".breadcrumb[href='/leads']").await;
        // A link to the current page adds no history entry.
        back(page).await;
        page.is_at("/leads").await;
        back(page).await;
        page.is_at("/").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn search_is_in_the_url_again_after_back() {
    journey("history_search", async |page, server| {
        let search = "[data-test=call-search]";
        log_in(page, server, Role::Viewer, "/").await;
        page.click(".sidebar [href='/calls']").await;
        page.fill(search, "be").await;
        page.is_at("/calls?search=be").await;
        page.press("r").await;
        page.is_at("/calls?search=ber").await;
        back(page).await;
        page.is_at("/calls").await;
        // Fills the input in one step, like pasting.
        page.fill(search, "ber").await;
        page.is_at("/calls?search=ber").await;
        back(page).await;
        page.is_at("/calls").await;
    })
    .await;
}
