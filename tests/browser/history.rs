//! Back and forward: the URL always matches the displayed content.

use leadscribe_engine::api::Role;
use serde_json::Value;

use super::journey;
use super::login::log_in;
use super::page::Page;

async fn go_back(page: &Page) {
    page.run_script("history.back()", Value::Null).await;
}

journey!(links_work_after_back_and_forward, async |page, server| {
    log_in(page, server, Role::Viewer, "/").await;
    page.click(".sidebar [href='/leads']").await;
    page.click("[data-test=lead-row] .row-link").await;
    page.wait_for(".breadcrumb[href='/leads']").await;
    let lead = page.location().await;
    assert!(lead.starts_with("/leads/"), "{lead}");
    go_back(page).await;
    page.expect_location("/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.run_script("history.forward()", Value::Null).await;
    page.expect_location(&lead).await;

    page.click(".breadcrumb[href='/leads']").await;
    page.wait_for("[data-test=lead-row]").await;
    page.expect_location("/leads").await;
    go_back(page).await;
    page.expect_location(&lead).await;
    page.wait_for(".breadcrumb[href='/leads']").await;
    // A link to the current page adds no history entry.
    go_back(page).await;
    page.expect_location("/leads").await;
    go_back(page).await;
    page.expect_location("/").await;
});

journey!(search_is_in_the_url_again_after_back, async |page, server| {
    let search = "[data-test=call-search]";
    log_in(page, server, Role::Viewer, "/").await;
    page.click(".sidebar [href='/calls']").await;
    page.fill(search, "be").await;
    page.expect_location("/calls?search=be").await;
    page.type_keys("r").await;
    page.expect_location("/calls?search=ber").await;
    go_back(page).await;
    page.expect_location("/calls").await;
    // Fills the input in one step, like pasting.
    page.fill(search, "ber").await;
    page.expect_location("/calls?search=ber").await;
    go_back(page).await;
    page.expect_location("/calls").await;
});
