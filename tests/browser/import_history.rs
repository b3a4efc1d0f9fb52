//! Past imports: progress, results, and undo.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use crate::harness::Server;

/// Imports a file through the API, and returns its id after the end.
pub async fn import_file(server: &Server, name: &str, rows: &str) -> i64 {
    server.admin().import_leads(name, rows).await["id"].as_i64().unwrap()
}

journey!(import_undo_keeps_changed_leads, async |page, server| {
    let client = server.admin();
    let existing_lead = json!({ "original_identifier": "undo-1", "last_name": "Undo-Test", "city": "Bonn" });
    let existing_lead = client.create("/api/leads", existing_lead).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong list.csv");
    let rows = "undo-1,Undo-Test,Rome\nundo-2,Undo-Test,Rome\nundo-3,Undo-Test,Rome\n";
    std::fs::write(&file, format!("original_identifier,last_name,city\n{rows}")).unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    page.click("[data-test=import-start]").await;
    page.wait_for("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
    page.expect_text("[data-test=import-row]:first-child .link-button", "wrong list.csv").await;
    page.wait_for("[data-test=import-row]:first-child [data-test=undo-listed]").await;

    // A user changes one of the new leads.
    server.advance(chrono::TimeDelta::minutes(1));
    let find_leads = async |identifier: &str| {
        client.search_leads(json!({ "original_identifier": identifier })).await["leads"].take()
    };
    let changed_lead = find_leads("undo-3").await[0]["id"].as_i64().unwrap();
    client.patch(&format!("/api/leads/{changed_lead}"), r#"{"first_name":"Kept"}"#).await.expect(200);

    // The confirmation shows the effect; nothing happens before it.
    page.click("[data-test=undo-import]").await;
    let confirmation_text = page.wait_for("[data-test=confirm-dialog] .dialog-body").await.text().await.unwrap();
    assert!(
        confirmation_text.contains("Up to 2 records it created will be deleted. The record it updated is restored"),
        "{confirmation_text}"
    );
    assert_eq!(find_leads("undo-1").await[0]["city"], "Rome");
    page.click("[data-test=confirm]").await;
    page.wait_for("[data-test=import-undo][data-state=completed]").await;
    for (tile, count) in [("deleted", "1"), ("restored", "1"), ("skipped", "1")] {
        page.expect_text(&format!("[data-test=undo-{tile}]"), count).await;
    }
    page.wait_for("[data-test=skipped-row][data-reason=changed]").await;
    let skipped_leads = page.texts("[data-test=skipped-row] a").await;
    assert_eq!(skipped_leads, [format!("Lead {changed_lead}")]);
    page.wait_until_gone("[data-test=undo-import]").await;
    page.wait_until_gone("[data-test=import-row]:first-child [data-test=undo-listed]").await;
    let badges = async || page.texts("[data-test=import-row]:first-child .badge").await;
    page.wait_until_equal("the list shows the state", vec!["Completed".to_owned(), "Undone".to_owned()], badges).await;
    assert_eq!(page.texts("[data-test=import-report] .card-header .badge").await, ["Completed", "Undone"]);

    let lead = client.get(&format!("/api/leads/{existing_lead}")).await.expect(200);
    assert_eq!(lead["city"], "Bonn");
    assert_eq!(find_leads("undo-2").await, json!([]));
    assert_eq!(find_leads("undo-3").await[0]["first_name"], "Kept");
    page.click("[data-test=skipped-row] a").await;
    page.expect_location(&format!("/leads/{changed_lead}")).await;
});

journey!(running_import_can_be_reopened_and_cancelled, async |page, server| {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long.csv");
    let rows: String = (0..150_000).map(|row| format!("long-{row},Cancel-Test\n")).collect();
    std::fs::write(&file, format!("original_identifier,last_name\n{rows}")).unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    page.click("[data-test=import-start]").await;
    page.wait_for("[data-test=import-state][data-state=running]").await;
    let location = page.location().await;
    page.click(".sidebar [href='/calls']").await;
    page.expect_location("/calls").await;
    page.run_script("history.back()", ()).await;
    page.expect_location(&location).await;
    page.wait_for("[data-test=import-state][data-state=running]").await;
    // An import without any written rows can't be undone.
    while server.admin().get(&format!("/api{location}")).await.expect(200)["counts"]["inserted"] == 0 {
        tokio::task::yield_now().await;
    }
    page.click("[data-test=import-cancel]").await;
    page.wait_for("[data-test=import-state][data-state=cancelled]").await;
    let outcome_text = page.text("[data-test=import-outcome]").await;
    assert!(outcome_text.starts_with("Cancelled after"), "{outcome_text}");
    page.wait_until_gone("[data-test=import-cancel]").await;
    page.wait_for("[data-test=undo-import]").await;
});

journey!(import_undo_can_be_cancelled_and_resumed, async |page, server| {
    let rows: String = (0..60_000).map(|row| format!("long-{row},Cancel-Test\n")).collect();
    let id = import_file(server, "long.csv", &format!("original_identifier,last_name\n{rows}")).await;
    let remaining_leads = async || server.admin().count_leads(json!({ "last_name": "Cancel-Test" })).await;
    log_in(page, server, Role::Manager, &format!("/imports/{id}")).await;
    page.click("[data-test=undo-import]").await;
    page.click("[data-test=confirm]").await;
    page.wait_for("[data-test=import-undo][data-state=running] [role=progressbar]").await;
    // The button can be focused, and keeps the focus while the report updates.
    page.wait_for("[data-test=import-cancel]").await;
    page.run_script("document.querySelector('[data-test=import-cancel]').focus()", ()).await;
    page.type_keys(&Key::Enter).await;
    page.wait_for("[data-test=import-undo][data-state=cancelled]").await;
    page.wait_until_gone("[data-test=import-cancel]").await;
    let remaining = remaining_leads().await;
    assert!((1..60_000).contains(&remaining), "{remaining}");
    let deleted = page.text("[data-test=undo-deleted]").await.replace(',', "");
    assert_eq!(deleted, (60_000 - remaining).to_string());
    let progress_text = page.text("[data-test=undo-cancelled]").await;
    assert!(
        progress_text.starts_with("Undo cancelled.") && progress_text.ends_with(" of 60,000 records done."),
        "{progress_text}"
    );
    let badges = async || page.texts("[data-test=import-row]:first-child .badge").await;
    page.wait_until_equal("the list shows the state", vec!["Completed".to_owned(), "Partly undone".to_owned()], badges)
        .await;

    page.expect_text("[data-test=undo-import]", "Undo the rest…").await;
    page.click("[data-test=undo-import]").await;
    let confirmation_text = page.wait_for("[data-test=confirm-dialog] .dialog-body").await.text().await.unwrap();
    assert!(confirmation_text.contains("records left to undo"), "{confirmation_text}");
    page.click("[data-test=confirm]").await;
    page.wait_for("[data-test=import-undo][data-state=running]").await;
    page.wait_until_equal("the remaining rows are undone", true, async || remaining_leads().await < remaining).await;
});

journey!(each_import_has_a_url, async |page, server| {
    let spring = import_file(server, "spring.csv", "original_identifier\nspring-1\n").await;
    let autumn = import_file(server, "autumn.csv", "original_identifier\nautumn-1\n").await;
    log_in(page, server, Role::Manager, "/imports").await;
    page.wait_for("[data-test=import-row]").await;
    assert!(!page.is_visible("[data-test=import-report]").await);
    let (report_title, row) =
        ("[data-test=import-report] h2", |id| format!("[data-test=import-row][data-id='{id}'] a"));
    page.click(&row(spring)).await;
    page.expect_location(&format!("/imports/{spring}")).await;
    page.expect_text(report_title, "spring.csv").await;
    page.click(&row(autumn)).await;
    page.expect_location(&format!("/imports/{autumn}")).await;
    page.expect_text(report_title, "autumn.csv").await;
    page.reload().await;
    page.expect_text(report_title, "autumn.csv").await;
    page.run_script("history.back()", ()).await;
    page.expect_location(&format!("/imports/{spring}")).await;
    page.expect_text(report_title, "spring.csv").await;
    page.run_script("history.back()", ()).await;
    page.expect_location("/imports").await;
    page.wait_until_gone(report_title).await;
    page.open("/imports/999999").await;
    page.wait_for("[data-test=error]").await;
});

journey!(import_list_filters_are_in_the_url, async |page, server| {
    let spring = import_file(server, "Spring-leads.csv", "original_identifier\nspring-1\n").await;
    let autumn = import_file(server, "autumn.csv", "original_identifier\nautumn-1\n").await;
    let rows = "[data-test=import-row]";
    log_in(page, server, Role::Manager, "/imports").await;
    page.wait_for(&format!("{rows}[data-id='{autumn}']")).await;
    page.fill("[data-test=import-search]", "SPRING").await;
    page.expect_attributes(rows, "data-id", &[spring.to_string()]).await;
    page.expect_location("/imports?name=SPRING").await;
    // The filter stays when an import is opened, and applies to the export.
    page.click(&format!("{rows}[data-id='{spring}'] a")).await;
    page.expect_location(&format!("/imports/{spring}?name=SPRING")).await;
    page.expect_text("[data-test=import-report] h2", "Spring-leads.csv").await;
    page.expect_attributes(rows, "data-id", &[spring.to_string()]).await;
    let export_query =
        page.run_script("return document.querySelector('[data-test=export-csv]').search", Value::Null).await;
    assert!(export_query.as_str().is_some_and(|export_query| export_query.contains("name=SPRING")), "{export_query}");

    page.select_option("select[aria-label=Type]", "calls").await;
    page.expect_location(&format!("/imports/{spring}?kind=calls&name=SPRING")).await;
    page.expect_text("[data-test=empty-state] h2", "No matching imports").await;
    page.click("[data-test=empty-state] button").await;
    page.expect_location(&format!("/imports/{spring}")).await;
    page.wait_for(&format!("{rows}[data-id='{autumn}']")).await;
    page.select_option("select[aria-label=Status]", "failed").await;
    page.expect_text("[data-test=empty-state] h2", "No matching imports").await;
    page.select_option("select[aria-label=Status]", "completed").await;
    page.wait_for(&format!("{rows}[data-id='{spring}']")).await;

    page.open("/imports?kind=lads").await;
    page.wait_for("[data-test=invalid-query]").await;
    page.click("[data-test=show-all]").await;
    page.expect_location("/imports").await;
    page.wait_for(&format!("{rows}[data-id='{autumn}']")).await;
});
