//! Imports of leads into a campaign, and corrections of rejected rows in the panel.

use leadscribe_engine::api::Role;
use serde_json::json;

use super::journey;
use super::login::log_in;

/// Two invalid rows: line 3 has a day that doesn't exist, and line 5 an invalid email address.
const CSV: &str = "\
original_identifier,first_name,last_name,phone,country,birthdate,email
shop-1,Ada,Correction-Test,030 901820,DE,1985-12-10,
shop-2,Bea,Correction-Test,n/a,DE,2026-02-30,
shop-3,Cyd,Correction-Test,,Atlantis,,
shop-4,Dov,Correction-Test,,IL,,dov
";

journey!(rejected_rows_are_corrected_and_added_to_a_campaign, async |page, server| {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("leads.csv");
    std::fs::write(&file, CSV).unwrap();
    let campaign = server.admin().post("/api/campaigns", r#"{"name":"Correction test"}"#).await.expect(201);
    let id = campaign["id"].to_string();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    page.select_option("#import-campaign", &id).await;
    page.select_option("#import-status", "no_answer").await;

    // The dry run shows cells next to their parsed values, and numbers that can't be dialed.
    page.click("[data-test=import-dry-run]").await;
    page.wait_for("[data-test=import-dry-run-report] [data-test=import-state][data-state=completed]").await;
    let completed_numbers = page.texts("[data-test=finding][data-code=country_code_added] code").await;
    assert_eq!(completed_numbers, ["030 901820", "+4930901820"]);
    page.wait_for("[data-test=finding][data-code=unknown_country]").await;
    assert!(!page.is_visible("[data-test=correct-row]").await, "dry run rows have no editor");

    page.click("[data-test=import-start]").await;
    page.wait_for("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
    page.expect_text("[data-test=import-rejected]", "2").await;
    page.expect_text("[data-test=new-leads-link]", "2 new leads").await;
    page.expect_text("[data-test=import-added-to-campaign]", "2 leads added to campaign: Correction test").await;

    // Edited cells are validated immediately. The other row stays open and keeps its text.
    page.click("[aria-label='Correct line 3']").await;
    page.wait_for("#correct-3-5:focus").await;
    page.fill("#correct-3-5", "1990-13-01").await;
    page.wait_for("#correct-3-5[aria-invalid=true]").await;
    page.wait_for("[data-test=send-corrected]:disabled").await;
    page.fill("#correct-3-5", "1990-01-31").await;
    page.wait_for("[data-test=send-corrected]:enabled").await;
    page.click("[aria-label='Correct line 5']").await;
    page.fill("#correct-5-1", "David").await;
    page.expect_text("[data-test=send-corrected]", "Import 1 corrected row").await;
    page.click("[data-test=send-corrected]").await;
    page.expect_text("[data-test=correction-outcome]", "1 corrected row imported.").await;
    page.wait_until_gone("#correct-3-5").await;
    assert_eq!(page.texts("[data-test=rejected-row]").await.len(), 1);
    assert_eq!(page.run_script("return document.querySelector('#correct-5-1').value", ()).await, json!("David"));

    page.fill("#correct-5-6", "david@example.com").await;
    page.click("[data-test=send-corrected]").await;
    page.wait_until_gone("[data-test=rejected-row]").await;
    let filter = format!(r#"{{"campaign_id":{id},"status":"no_answer"}}"#);
    let imported = server.admin().put("/api/leads/extended-data", filter).await.expect(200);
    assert_eq!(imported["total_leads"], 4, "{imported}");

    page.click("[data-test=new-leads-link]").await;
    page.expect_text("[data-test=total]", "2 leads").await;
});
