//! Lists are sorted by their column headers, on phones by a select above the cards. Exports have the list's filter and
//! order.

use fantoccini::key::Key;
use leadscribe_engine::api::{RecordingSide, Role};
use serde_json::{Value, json};

use super::appearance::emulate_phone;
use super::deliveries::request_deliveries;
use super::import_history::import_file;
use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::Server;

/// Returns the selector of a header with this column and sort state.
fn header_selector(column: &str, sorted: &str) -> String {
    format!("th[data-column='{column}'][aria-sort={sorted}]")
}

async fn click_header(page: &Page, column: &str) {
    page.click(&format!("th[data-column='{column}'] .sort-button")).await;
}

/// Returns one member of each item in the API's list.
async fn api_members(server: &Server, path: &str, member: &str) -> Vec<String> {
    let page = server.admin().get(path).await.expect(200);
    let member_text = |item: &Value| item[member].as_str().map_or_else(|| item[member].to_string(), str::to_owned);
    page["items"].as_array().unwrap().iter().map(member_text).collect()
}

/// Downloads the export with the browser's session; returns the file's name and its lines.
async fn download(page: &Page, format: &str) -> (String, Vec<String>) {
    if !page.is_visible("[data-test=export][open]").await {
        page.click("[data-test=export] summary").await;
    }
    let link = format!("[data-test=export-{format}]");
    page.wait_for(&link).await;
    let script = "const [css, done] = arguments;
        const link = document.querySelector(css);
        fetch(link.href).then(async response => done([
            link.hasAttribute('download'), response.headers.get('content-disposition'), await response.text()
        ]))";
    let download = page.run_async_script(script, vec![json!(link)]).await;
    assert_eq!(download[0], true, "{link} is saved");
    let lines = download[2].as_str().unwrap().trim_start_matches('\u{feff}').lines().map(str::to_owned).collect();
    (download[1].as_str().unwrap_or_else(|| panic!("{link}: {download}")).to_owned(), lines)
}

/// Returns a member of each line in the exported file.
async fn exported_members(page: &Page, member: &str) -> Vec<String> {
    let (_, lines) = download(page, "jsonl").await;
    let member_text = |line: &String| {
        let item: Value = serde_json::from_str(line).unwrap();
        item[member].as_str().map_or_else(|| item[member].to_string(), str::to_owned)
    };
    lines.iter().map(member_text).collect()
}

journey!(calls_are_sorted_and_exported_in_that_order, async |page, server| {
    let rows = "[data-test=call-row]";
    log_in(page, server, Role::Viewer, "/calls").await;
    // The default order.
    page.wait_for(&header_selector("created_at", "descending")).await;
    page.expect_attributes(rows, "data-id", &api_members(server, "/api/calls?limit=50;0", "id").await).await;

    click_header(page, "agent").await;
    page.expect_location("/calls?order=agent").await;
    page.wait_for(&header_selector("agent", "ascending")).await;
    page.wait_for(&header_selector("created_at", "none")).await;
    page.expect_attributes(rows, "data-id", &api_members(server, "/api/calls?order=agent&limit=50;0", "id").await)
        .await;
    // The focus stays on the header while the rows change.
    page.type_keys(&Key::Enter).await;
    page.expect_location("/calls?order=-agent").await;
    page.wait_for(&header_selector("agent", "descending")).await;
    page.reload().await;
    page.wait_for(&header_selector("agent", "descending")).await;
    let sorted_ids = api_members(server, "/api/calls?order=-agent&limit=50;0", "id").await;
    page.expect_attributes(rows, "data-id", &sorted_ids).await;
    page.select_option("[aria-label=Outcome]", "answered").await;
    page.expect_location("/calls?status=answered&order=-agent").await;

    let answered_ids = api_members(server, "/api/calls?status=answered&order=-agent&limit=50;0", "id").await;
    page.expect_attributes(rows, "data-id", &answered_ids).await;
    assert_eq!(exported_members(page, "id").await, answered_ids);
    let (name, lines) = download(page, "csv").await;
    assert!(name.starts_with("attachment; filename=\"calls-") && name.ends_with(".csv\""), "{name}");
    assert_eq!(lines.len(), answered_ids.len() + 1, "a header and one line per row");
    assert!(lines[0].starts_with("id,"), "{}", lines[0]);
    // The third click restores the default order.
    click_header(page, "agent").await;
    page.expect_location("/calls?status=answered").await;
    page.wait_for(&header_selector("created_at", "descending")).await;
    click_header(page, "created_at").await;
    page.expect_location("/calls?status=answered&order=created_at").await;
});

journey!(calls_are_sorted_on_a_phone, async |page, server| {
    emulate_phone(page).await;
    log_in(page, server, Role::Viewer, "/calls").await;
    let (rows, sort_select) = ("[data-test=call-row]", "[data-test=sort-select]");
    let selected_order =
        async || page.run_script("return document.querySelector(arguments[0]).value", sort_select).await;
    page.wait_for(sort_select).await;
    page.wait_until_equal("the default order is shown", json!("created_at"), selected_order).await;
    page.select_option(sort_select, "recording.duration_seconds").await;
    page.expect_location("/calls?order=-recording.duration_seconds").await;
    let ids_by_duration = api_members(server, "/api/calls?order=-recording.duration_seconds&limit=50;0", "id").await;
    page.expect_attributes(rows, "data-id", &ids_by_duration).await;
    page.expect_attributes("[data-test=sort-direction]", "aria-label", &["Descending. Click to reverse.".to_owned()])
        .await;
    page.click("[data-test=sort-direction]").await;
    page.expect_location("/calls?order=recording.duration_seconds").await;
    page.expect_attributes(
        "[data-test=sort-direction]",
        "aria-label",
        &["Ascending. Click to stop sorting.".to_owned()],
    )
    .await;
    // The focus stays on the button.
    page.type_keys(&Key::Enter).await;
    page.expect_location("/calls").await;
    page.wait_until_equal("the default order is shown", json!("created_at"), selected_order).await;
});

journey!(audit_log_is_sorted_and_exported, async |page, server| {
    server.admin().put("/api/statuses/later", r#"{"label":"Later","dialable":true}"#).await.expect(200);
    server.admin().create("/api/leads", json!({ "last_name": "Adams" })).await;
    log_in(page, server, Role::Admin, "/settings?tab=audit").await;
    page.wait_for(&header_selector("id", "descending")).await;
    click_header(page, "action").await;
    page.expect_location("/settings?tab=audit&order=action").await;
    page.wait_for(&header_selector("action", "ascending")).await;
    let sorted = api_members(server, "/api/audit-log?order=action&limit=50;0", "action").await;
    page.expect_attributes("[data-test=audit-row]", "data-action", &sorted).await;
    page.select_option("[aria-label=Action]", "status").await;
    page.expect_location("/settings?tab=audit&action=status&order=action").await;
    page.reload().await;
    page.wait_for(&header_selector("action", "ascending")).await;
    page.expect_text("[data-test=total]", "1 entry").await;
    assert_eq!(exported_members(page, "action").await, ["status.save"]);
    let (name, lines) = download(page, "csv").await;
    assert!(name.contains("audit-log-"), "{name}");
    assert_eq!(lines.len(), 2, "{lines:?}");
});

journey!(campaigns_and_imports_are_sorted_and_exported, async |page, server| {
    log_in(page, server, Role::Manager, "/campaigns").await;
    click_header(page, "name").await;
    page.expect_location("/campaigns?order=name").await;
    let by_name = api_members(server, "/api/campaigns?order=name&limit=50;0", "id").await;
    page.expect_attributes("[data-test=campaign-row]", "data-id", &by_name).await;
    click_header(page, "done").await;
    page.expect_location("/campaigns?order=-done").await;
    let by_done = api_members(server, "/api/campaigns?order=-done&limit=50;0", "id").await;
    page.expect_attributes("[data-test=campaign-row]", "data-id", &by_done).await;
    page.wait_for("[data-test=campaign-row] .progress-legend").await;
    assert_eq!(exported_members(page, "id").await, by_done);

    let first = import_file(server, "zebra.csv", "original_identifier\nz-1\n").await;
    let second = import_file(server, "apple.csv", "original_identifier\na-1\na-2\n").await;
    page.open("/imports").await;
    page.expect_attributes("[data-test=import-row]", "data-id", &[second.to_string(), first.to_string()]).await;
    page.wait_for(&header_selector("id", "descending")).await;
    click_header(page, "counts.read").await;
    click_header(page, "counts.read").await;
    page.expect_location("/imports?order=counts.read").await;
    let ids_by_row_count = [first.to_string(), second.to_string()];
    page.expect_attributes("[data-test=import-row]", "data-id", &ids_by_row_count).await;
    // Opening an import keeps the order.
    page.click(&format!("[data-test=import-row][data-id='{second}'] a")).await;
    page.expect_location(&format!("/imports/{second}?order=counts.read")).await;
    page.expect_attributes("[data-test=import-row]", "data-id", &ids_by_row_count).await;
    assert_eq!(exported_members(page, "id").await, ids_by_row_count);
});

journey!(transcripts_and_deliveries_are_sorted_and_exported, async |page, server| {
    let token = server.create_speech_token("Quality team").await;
    let lines = [(RecordingSide::Caller, "good morning")];
    for agent in ["Bea", "Ada", "Cyd"] {
        server.create_transcribed_call(&token, json!({ "agent": agent }), &lines).await;
    }
    request_deliveries(server).await;
    log_in(page, server, Role::Manager, "/transcripts").await;
    // This list has no column headers, so the select is shown on the desktop too.
    page.select_option("[data-test=sort-select]", "agent").await;
    page.expect_location("/transcripts?order=agent").await;
    let by_agent = api_members(server, "/api/transcripts?order=agent", "call_id").await;
    page.expect_attributes("[data-test=hit]", "data-id", &by_agent).await;
    assert_eq!(exported_members(page, "agent").await, ["Ada", "Bea", "Cyd"]);

    page.open("/deliveries").await;
    page.wait_for(&header_selector("id", "descending")).await;
    click_header(page, "call_id").await;
    page.expect_location("/deliveries?order=-call_id").await;
    let by_call = api_members(server, "/api/deliveries?order=-call_id", "id").await;
    assert_eq!(by_call.len(), 3);
    page.expect_attributes("[data-test=delivery-row]", "data-id", &by_call).await;
    assert_eq!(exported_members(page, "id").await, by_call);
});
