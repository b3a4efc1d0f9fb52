//! Links with an invalid filter.

use leadscribe_engine::api::Role;

use super::journey;
use super::login::log_in;

journey!(link_with_an_invalid_filter_offers_a_fix, async |page, server| {
    // `{"citty":"Berlin"}`
    log_in(page, server, Role::Viewer, "/leads?filter=%7B%22citty%22%3A%22Berlin%22%7D").await;
    page.expect_text("[data-test=invalid-query] strong", "The filter in this link is invalid").await;
    page.wait_for("[data-test=diagnostic][data-code=unknown_key]").await;
    assert!(
        !page.is_visible("[data-test=lead-row], [data-test=error]").await,
        "the error is shown once and no leads are listed"
    );

    // One click applies the suggestion, and another shows all leads.
    page.click("[data-test=use-suggestion]").await;
    page.click("[data-test=apply]").await;
    page.wait_until_gone("[data-test=invalid-query]").await;
    page.open("/leads?filter=%7B%22city%22").await;
    page.click("[data-test=show-all]").await;
    page.wait_for("[data-test=lead-row]").await;
    page.wait_until_gone("[data-test=invalid-query]").await;
});

journey!(invalid_list_query_links_to_the_whole_list, async |page, server| {
    log_in(page, server, Role::Viewer, "/calls?from=abc").await;
    page.expect_text("[data-test=invalid-query] strong", "Invalid filter").await;
    page.wait_for("[data-test=diagnostic]").await;
    page.open("/calls?transcription=bogus").await;
    page.expect_text("[data-test=invalid-query] .chip", "transcription").await;
    page.click("[data-test=show-all]").await;
    page.wait_for("[data-test=call-row]").await;
    page.wait_until_gone("[data-test=invalid-query]").await;
});
