//! Lists are sorted by their column headers, on phones by a select above the cards. Exports have the list's filter and
//! order.

use fantoccini::key::Key;
use leadscribe_engine::api::{RecordingSide, Role};
use serde_json::{Value, json};

use super::appearance::on_phone;
use super::deliveries::ask_for_delivery;
use super::journey;
use super::login::log_in;
use super::page::Page;
use super::past_imports::imported;
use crate::harness::Server;

/// Returns the selector of a header with this column and sort state.
fn head(column: &str, sorted: &str) -> String {
    format!("th[data-column='{column}'][aria-sort={sorted}]")
}

async fn press_head(page: &Page, column: &str) {
    page.click(&format!("th[data-column='{column}'] .sort-button")).await;
}

/// Returns one member of each item in the API's list.
async fn listed(server: &Server, path: &str, member: &str) -> Vec<String> {
    let page = server.admin().get(path).await.expect(200);
    let text = |item: &Value| item[member].as_str().map_or_else(|| item[member].to_string(), str::to_owned);
    page["items"].as_array().unwrap().iter().map(text).collect()
}

/// Downloads the export with the browser's session; returns the file's name and its lines.
async fn saved(page: &Page, format: &str) -> (String, Vec<String>) {
    if !page.sees("[data-test=export][open]").await {
        page.click("[data-test=export] summary").await;
    }
    let link = format!("[data-test=export-{format}]");
    page.see(&link).await;
    let script = "const [css, done] = arguments;
        const link = document.querySelector(css);
        fetch(link.href).then(async answer => done([
            link.hasAttribute('download'), answer.headers.get('content-disposition'), await answer.text()
        ]))";
    let saved = page.run_async(script, vec![json!(link)]).await;
    assert_eq!(saved[0], true, "{link} is saved");
    let lines = saved[2].as_str().unwrap().trim_start_matches('\u{feff}').lines().map(str::to_owned).collect();
    (saved[1].as_str().unwrap_or_else(|| panic!("{link}: {saved}")).to_owned(), lines)
}

/// Returns a member of each line in the exported file.
async fn saved_members(page: &Page, member: &str) -> Vec<String> {
    let (_, lines) = saved(page, "jsonl").await;
    let text = |line: &String| {
        let item: Value = serde_json::from_str(line).unwrap();
        item[member].as_str().map_or_else(|| item[member].to_string(), str::to_owned)
    };
    lines.iter().map(text).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_are_sorted_and_exported_in_that_order() {
    journey("calls_sorted", async |page, server| {
        let rows = "[data-test=call-row]";
        log_in(page, server, Role::Viewer, "/calls").await;
        // The default order.
        page.see(&head("created_at", "descending")).await;
        page.lists(rows, "data-id", &listed(server, "/api/calls?limit=50;0", "id").await).await;

        press_head(page, "agent").await;
        page.is_at("/calls?order=agent").await;
        page.see(&head("agent", "ascending")).await;
        page.see(&head("created_at", "none")).await;
        page.lists(rows, "data-id", &listed(server, "/api/calls?order=agent&limit=50;0", "id").await).await;
        // The focus stays on the header while the rows change.
        page.press(&Key::Enter).await;
        page.is_at("/calls?order=-agent").await;
        page.see(&head("agent", "descending")).await;
        page.reload().await;
        page.see(&head("agent", "descending")).await;
        let sorted = listed(server, "/api/calls?order=-agent&limit=50;0", "id").await;
        page.lists(rows, "data-id", &sorted).await;
        page.choose("[aria-label=Outcome]", "answered").await;
        page.is_at("/calls?status=answered&order=-agent").await;

        let answered = listed(server, "/api/calls?status=answered&order=-agent&limit=50;0", "id").await;
        page.lists(rows, "data-id", &answered).await;
        assert_eq!(saved_members(page, "id").await, answered);
        let (name, lines) = saved(page, "csv").await;
        assert!(name.starts_with("attachment; filename=\"calls-") && name.ends_with(".csv\""), "{name}");
        assert_eq!(lines.len(), answered.len() + 1, "a head, and a line for each");
        assert!(lines[0].starts_with("id,"), "{}", lines[0]);
        // The third click restores the default order.
        press_head(page, "agent").await;
        page.is_at("/calls?status=answered").await;
        page.see(&head("created_at", "descending")).await;
        press_head(page, "created_at").await;
        page.is_at("/calls?status=answered&order=created_at").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_are_sorted_on_a_phone() {
    journey("calls_sorted_phone", async |page, server| {
        on_phone(page).await;
        log_in(page, server, Role::Viewer, "/calls").await;
        let (rows, choice) = ("[data-test=call-row]", "[data-test=sort-pick]");
        let chosen = async || page.run("return document.querySelector(arguments[0]).value", choice).await;
        page.see(choice).await;
        page.until_equal("the list's own order is shown", json!("created_at"), chosen).await;
        page.choose(choice, "recording.duration_seconds").await;
        page.is_at("/calls?order=-recording.duration_seconds").await;
        let longest = listed(server, "/api/calls?order=-recording.duration_seconds&limit=50;0", "id").await;
        page.lists(rows, "data-id", &longest).await;
        page.lists("[data-test=sort-direction]", "aria-label", &["Descending. Click to reverse.".to_owned()]).await;
        page.click("[data-test=sort-direction]").await;
        page.is_at("/calls?order=recording.duration_seconds").await;
        page.lists("[data-test=sort-direction]", "aria-label", &["Ascending. Click to stop sorting.".to_owned()]).await;
        // The focus stays on the button.
        page.press(&Key::Enter).await;
        page.is_at("/calls").await;
        page.until_equal("the list's own order is shown", json!("created_at"), chosen).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn audit_log_is_sorted_and_exported() {
    journey("audit_sorted", async |page, server| {
        server.admin().put("/api/statuses/later", r#"{"label":"Later","dialable":true}"#).await.expect(200);
        server.admin().create("/api/leads", json!({ "last_name": "Adams" })).await;
        log_in(page, server, Role::Admin, "/settings?tab=audit").await;
        page.see(&head("id", "descending")).await;
        press_head(page, "action").await;
        page.is_at("/settings?tab=audit&order=action").await;
        page.see(&head("action", "ascending")).await;
        let sorted = listed(server, "/api/audit-log?order=action&limit=50;0", "action").await;
        page.lists("[data-test=audit-row]", "data-action", &sorted).await;
        page.choose("[aria-label=Action]", "status").await;
        page.is_at("/settings?tab=audit&action=status&order=action").await;
        page.reload().await;
        page.see(&head("action", "ascending")).await;
        page.shows("[data-test=total]", "1 entry").await;
        assert_eq!(saved_members(page, "action").await, ["status.put"]);
        let (name, lines) = saved(page, "csv").await;
        assert!(name.contains("audit-log-"), "{name}");
        assert_eq!(lines.len(), 2, "{lines:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn campaigns_and_imports_are_sorted_and_exported() {
    journey("campaigns_sorted", async |page, server| {
        log_in(page, server, Role::Manager, "/campaigns").await;
        press_head(page, "name").await;
        page.is_at("/campaigns?order=name").await;
        let by_name = listed(server, "/api/campaigns?order=name&limit=50;0", "id").await;
        page.lists("[data-test=campaign-row]", "data-id", &by_name).await;
        press_head(page, "done").await;
        page.is_at("/campaigns?order=-done").await;
        let by_done = listed(server, "/api/campaigns?order=-done&limit=50;0", "id").await;
        page.lists("[data-test=campaign-row]", "data-id", &by_done).await;
        page.see("[data-test=campaign-row] .part-figures").await;
        assert_eq!(saved_members(page, "id").await, by_done);

        let first = imported(server, "zebra.csv", "original_identifier\nz-1\n").await;
        let second = imported(server, "apple.csv", "original_identifier\na-1\na-2\n").await;
        page.open("/imports").await;
        page.lists("[data-test=import-row]", "data-id", &[second.to_string(), first.to_string()]).await;
        page.see(&head("id", "descending")).await;
        press_head(page, "counts.read").await;
        press_head(page, "counts.read").await;
        page.is_at("/imports?order=counts.read").await;
        let fewest = [first.to_string(), second.to_string()];
        page.lists("[data-test=import-row]", "data-id", &fewest).await;
        // Opening an import keeps the order.
        page.click(&format!("[data-test=import-row][data-id='{second}'] a")).await;
        page.is_at(&format!("/imports/{second}?order=counts.read")).await;
        page.lists("[data-test=import-row]", "data-id", &fewest).await;
        assert_eq!(saved_members(page, "id").await, fewest);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transcripts_and_deliveries_are_sorted_and_exported() {
    journey("transcripts_sorted", async |page, server| {
        let token = server.speech_token("Quality team").await;
        let said = [(RecordingSide::Caller, "good morning")];
        for agent in ["Bea", "Ada", "Cyd"] {
            server.transcribed_call(&token, json!({ "agent": agent }), &said).await;
        }
        ask_for_delivery(server).await;
        log_in(page, server, Role::Manager, "/transcripts").await;
        // This list has no column headers, so the select is shown on the desktop too.
        page.choose("[data-test=sort-pick]", "agent").await;
        page.is_at("/transcripts?order=agent").await;
        let by_agent = listed(server, "/api/transcripts?order=agent", "call_id").await;
        page.lists("[data-test=hit]", "data-id", &by_agent).await;
        assert_eq!(saved_members(page, "agent").await, ["Ada", "Bea", "Cyd"]);

        page.open("/deliveries").await;
        page.see(&head("id", "descending")).await;
        press_head(page, "call_id").await;
        page.is_at("/deliveries?order=-call_id").await;
        let by_call = listed(server, "/api/deliveries?order=-call_id", "id").await;
        assert_eq!(by_call.len(), 3);
        page.lists("[data-test=delivery-row]", "data-id", &by_call).await;
        assert_eq!(saved_members(page, "id").await, by_call);
    })
    .await;
}
