//! Past imports: progress, results, and undo.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use crate::harness::Server;

/// Imports a file through the API, and returns its id after the end.
pub async fn imported(server: &Server, name: &str, rows: &str) -> i64 {
    let csv = server.admin().with_header("content-type", "text/csv");
    let begun = csv.post(&format!("/api/imports/leads?file_name={name}"), rows).await.expect(202);
    let path = format!("/api/imports/{}", begun["id"]);
    while server.admin().get(&path).await.expect(200)["state"] == "running" {
        tokio::task::yield_now().await;
    }
    begun["id"].as_i64().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn import_undo_keeps_changed_leads() {
    journey("import-undo", async |page, server| {
        let client = server.admin();
        let known = json!({ "original_identifier": "undo-1", "last_name": "Undo-Test", "city": "Bonn" });
        let known = client.create("/api/leads", known).await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("wrong list.csv");
        let rows = "undo-1,Undo-Test,Rome\nundo-2,Undo-Test,Rome\nundo-3,Undo-Test,Rome\n";
        std::fs::write(&file, format!("original_identifier,last_name,city\n{rows}")).unwrap();
        log_in(page, server, Role::Manager, "/imports").await;
        page.hand_file("[data-test=import-file]", &file).await;
        page.click("[data-test=import-start]").await;
        page.see("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
        page.shows("[data-test=import-row]:first-child .link-button", "wrong list.csv").await;
        page.see("[data-test=import-row]:first-child [data-test=undo-listed]").await;

        // A user changes one of the new leads.
        server.advance(chrono::TimeDelta::minutes(1));
        let of = async |identifier: &str| {
            let filter = json!({ "original_identifier": identifier }).to_string();
            client.put("/api/leads/extended-data", filter).await.expect(200)["leads"].take()
        };
        let changed = of("undo-3").await[0]["id"].as_i64().unwrap();
        client.patch(&format!("/api/leads/{changed}"), r#"{"first_name":"Kept"}"#).await.expect(200);

        // The confirmation shows the effect; nothing happens before it.
        page.click("[data-test=undo-import]").await;
        let asked = page.see("[data-test=confirm-dialog] .dialog-body").await.text().await.unwrap();
        assert!(
            asked.contains("Up to 2 records that it created will be deleted. The record that it updated gets"),
            "{asked}"
        );
        assert_eq!(of("undo-1").await[0]["city"], "Rome");
        page.click("[data-test=confirm]").await;
        page.see("[data-test=import-undo][data-state=completed]").await;
        for (tile, count) in [("deleted", "1"), ("restored", "1"), ("left", "1")] {
            page.shows(&format!("[data-test=undo-{tile}]"), count).await;
        }
        page.see("[data-test=left-row][data-reason=changed]").await;
        let left = page.texts("[data-test=left-row] a").await;
        assert_eq!(left, [format!("Lead {changed}")]);
        page.see_gone("[data-test=undo-import]").await;
        page.see_gone("[data-test=import-row]:first-child [data-test=undo-listed]").await;
        let badges = async || page.texts("[data-test=import-row]:first-child .badge").await;
        page.until_equal("the list says so", vec!["Completed".to_owned(), "Undone".to_owned()], badges).await;
        assert_eq!(page.texts("[data-test=import-report] .card-head .badge").await, ["Completed", "Undone"]);

        let lead = client.get(&format!("/api/leads/{known}")).await.expect(200);
        assert_eq!(lead["city"], "Bonn");
        assert_eq!(of("undo-2").await, json!([]));
        assert_eq!(of("undo-3").await[0]["first_name"], "Kept");
        page.click("[data-test=left-row] a").await;
        page.is_at(&format!("/leads/{changed}")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn running_import_can_be_reopened_and_cancelled() {
    journey("import-running", async |page, server| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("long.csv");
        let rows: String = (0..150_000).map(|row| format!("long-{row},Cancel-Test\n")).collect();
        std::fs::write(&file, format!("original_identifier,last_name\n{rows}")).unwrap();
        log_in(page, server, Role::Manager, "/imports").await;
        page.hand_file("[data-test=import-file]", &file).await;
        page.click("[data-test=import-start]").await;
        page.see("[data-test=import-state][data-state=running]").await;
        let address = page.place().await;
        page.click(".sidebar [href='/calls']").await;
        page.is_at("/calls").await;
        page.run("history.back()", ()).await;
        page.is_at(&address).await;
        page.see("[data-test=import-state][data-state=running]").await;
        // An import without any written rows can't be undone.
        while server.admin().get(&format!("/api{address}")).await.expect(200)["counts"]["inserted"] == 0 {
            tokio::task::yield_now().await;
        }
        page.click("[data-test=import-cancel]").await;
        page.see("[data-test=import-state][data-state=cancelled]").await;
        let said = page.text("[data-test=import-outcome]").await;
        assert!(said.starts_with("Cancelled after"), "{said}");
        page.see_gone("[data-test=import-cancel]").await;
        page.see("[data-test=undo-import]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn import_undo_can_be_cancelled_and_resumed() {
    journey("import-undo-cancel", async |page, server| {
        let rows: String = (0..60_000).map(|row| format!("long-{row},Cancel-Test\n")).collect();
        let id = imported(server, "long.csv", &format!("original_identifier,last_name\n{rows}")).await;
        let there = async || {
            let found = server.admin().put("/api/leads/extended-data", r#"{"last_name":"Cancel-Test"}"#).await;
            found.expect(200)["total_leads"].as_u64().unwrap()
        };
        log_in(page, server, Role::Manager, &format!("/imports/{id}")).await;
        page.click("[data-test=undo-import]").await;
        page.click("[data-test=confirm]").await;
        page.see("[data-test=import-undo][data-state=running] [role=progressbar]").await;
        // The button can be focused, and keeps the focus while the report updates.
        page.see("[data-test=import-cancel]").await;
        page.run("document.querySelector('[data-test=import-cancel]').focus()", ()).await;
        page.press(&Key::Enter).await;
        page.see("[data-test=import-undo][data-state=cancelled]").await;
        page.see_gone("[data-test=import-cancel]").await;
        let left = there().await;
        assert!((1..60_000).contains(&left), "{left}");
        let deleted = page.text("[data-test=undo-deleted]").await.replace(',', "");
        assert_eq!(deleted, (60_000 - left).to_string());
        let said = page.text("[data-test=undo-cancelled]").await;
        assert!(said.starts_with("Undo cancelled.") && said.ends_with(" of 60,000 records done."), "{said}");
        let badges = async || page.texts("[data-test=import-row]:first-child .badge").await;
        page.until_equal("the list says so", vec!["Completed".to_owned(), "Partly undone".to_owned()], badges).await;

        page.shows("[data-test=undo-import]", "Undo the rest…").await;
        page.click("[data-test=undo-import]").await;
        let asked = page.see("[data-test=confirm-dialog] .dialog-body").await.text().await.unwrap();
        assert!(asked.contains("records are left to undo"), "{asked}");
        page.click("[data-test=confirm]").await;
        page.see("[data-test=import-undo][data-state=running]").await;
        page.until_equal("the rest is undone", true, async || there().await < left).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_import_has_a_url() {
    journey("import-address", async |page, server| {
        let spring = imported(server, "spring.csv", "original_identifier\nspring-1\n").await;
        let autumn = imported(server, "autumn.csv", "original_identifier\nautumn-1\n").await;
        log_in(page, server, Role::Manager, "/imports").await;
        page.see("[data-test=import-row]").await;
        assert!(!page.sees("[data-test=import-report]").await);
        let (title, row) = ("[data-test=import-report] h2", |id| format!("[data-test=import-row][data-id='{id}'] a"));
        page.click(&row(spring)).await;
        page.is_at(&format!("/imports/{spring}")).await;
        page.shows(title, "spring.csv").await;
        page.click(&row(autumn)).await;
        page.is_at(&format!("/imports/{autumn}")).await;
        page.shows(title, "autumn.csv").await;
        page.reload().await;
        page.shows(title, "autumn.csv").await;
        page.run("history.back()", ()).await;
        page.is_at(&format!("/imports/{spring}")).await;
        page.shows(title, "spring.csv").await;
        page.run("history.back()", ()).await;
        page.is_at("/imports").await;
        page.see_gone(title).await;
        page.open("/imports/999999").await;
        page.see("[data-test=error]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn import_list_filters_are_in_the_url() {
    journey("import-filter", async |page, server| {
        let spring = imported(server, "Spring-leads.csv", "original_identifier\nspring-1\n").await;
        let autumn = imported(server, "autumn.csv", "original_identifier\nautumn-1\n").await;
        let rows = "[data-test=import-row]";
        log_in(page, server, Role::Manager, "/imports").await;
        page.see(&format!("{rows}[data-id='{autumn}']")).await;
        page.fill("[data-test=import-search]", "SPRING").await;
        page.lists(rows, "data-id", &[spring.to_string()]).await;
        page.is_at("/imports?name=SPRING").await;
        // The filter stays when an import is opened, and applies to the export.
        page.click(&format!("{rows}[data-id='{spring}'] a")).await;
        page.is_at(&format!("/imports/{spring}?name=SPRING")).await;
        page.shows("[data-test=import-report] h2", "Spring-leads.csv").await;
        page.lists(rows, "data-id", &[spring.to_string()]).await;
        let file = page.run("return document.querySelector('[data-test=export-csv]').search", Value::Null).await;
        assert!(file.as_str().is_some_and(|file| file.contains("name=SPRING")), "{file}");

        page.choose("select[aria-label=Type]", "calls").await;
        page.is_at(&format!("/imports/{spring}?kind=calls&name=SPRING")).await;
        page.shows("[data-test=empty] h2", "No matching imports").await;
        page.click("[data-test=empty] button").await;
        page.is_at(&format!("/imports/{spring}")).await;
        page.see(&format!("{rows}[data-id='{autumn}']")).await;
        page.choose("select[aria-label=Status]", "failed").await;
        page.shows("[data-test=empty] h2", "No matching imports").await;
        page.choose("select[aria-label=Status]", "completed").await;
        page.see(&format!("{rows}[data-id='{spring}']")).await;

        page.open("/imports?kind=lads").await;
        page.see("[data-test=faulty-link]").await;
        page.click("[data-test=show-all]").await;
        page.is_at("/imports").await;
        page.see(&format!("{rows}[data-id='{autumn}']")).await;
    })
    .await;
}
