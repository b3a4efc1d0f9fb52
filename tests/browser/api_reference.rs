//! API reference page: finding operations, trying them with Swagger UI, and the filter playground.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::access::grant_clipboard;
use super::journey;
use super::leads::run_curl_command;
use super::login::log_in;
use super::page::Page;

const OPEN_OPERATION: &str = ".opblock.is-open";
const TRY_BUTTON: &str = ".try-out__btn";
const EXECUTE_BUTTON: &str = ".execute";
const RESPONSE_STATUS: &str = ".live-responses-table .response .response-col_status";
const RESPONSE_BODY: &str = ".live-responses-table .highlight-code .microlight";
const API_KEY_INPUT: &str = "[data-test=secret-apiKey]";
const READ_LEAD_PATH: &str = "/api-reference?operation=get_leads_lead_id";

journey!(operation_opens_by_click_and_link, async |page, server| {
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.type_keys("g").await;
    page.type_keys("a").await;
    page.expect_location("/api-reference").await;
    page.wait_for("#operations-leads-get_leads").await;

    page.fill(".operation-filter-input", "leads/{lead_id}").await;
    page.wait_until_gone("#operations-leads-get_leads").await;
    page.click("#operations-leads-get_leads_lead_id .opblock-summary-control").await;
    page.expect_location(READ_LEAD_PATH).await;
    page.reload().await;
    page.expect_attributes(OPEN_OPERATION, "id", &["operations-leads-get_leads_lead_id".to_owned()]).await;

    // Opening another one closes the first.
    page.click("#operations-leads-patch_leads_lead_id .opblock-summary-control").await;
    page.expect_attributes(OPEN_OPERATION, "id", &["operations-leads-patch_leads_lead_id".to_owned()]).await;
    page.expect_location("/api-reference?operation=patch_leads_lead_id").await;
    page.open("/api-reference?operation=get_nothing").await;
    page.wait_for("#operations-leads-get_leads").await;
    assert!(!page.is_visible(OPEN_OPERATION).await);
});

journey!(request_can_be_sent_with_session_or_api_key, async |page, server| {
    let lead = server.admin().create("/api/leads", json!({ "first_name": "Zebulon" })).await;
    log_in(page, server, Role::Viewer, READ_LEAD_PATH).await;
    page.click(TRY_BUTTON).await;
    page.fill(".parameters input", &lead.to_string()).await;
    execute(page, 200).await;
    assert!(page.text(RESPONSE_BODY).await.contains("\"first_name\": \"Zebulon\""));

    page.fill(API_KEY_INPUT, "ls_key_wrong").await;
    execute(page, 401).await;
    page.fill(API_KEY_INPUT, server.admin_key()).await;
    execute(page, 200).await;
    let curl_command = page.text(".curl-command").await;
    assert!(curl_command.contains("-H \"Authorization: Bearer $LEADSCRIBE_API_KEY\""), "{curl_command}");

    // The key is in memory only.
    let script = "return JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + location.href
            + document.body.innerText";
    let stored_data = page.run_script(script, Value::Null).await;
    assert!(!stored_data.as_str().unwrap().contains(server.admin_key()), "{stored_data}");
});

journey!(session_can_change_data, async |page, server| {
    log_in(page, server, Role::Manager, "/api-reference?operation=post_leads").await;
    page.click(TRY_BUTTON).await;
    page.fill(".body-param__text", r#"{"frist_name": "Zebulon"}"#).await;
    execute(page, 400).await;
    assert!(page.text(RESPONSE_BODY).await.contains("\"pointer\": \"/frist_name\""));
    page.fill(".body-param__text", r#"{"first_name": "Zebulon"}"#).await;
    execute(page, 201).await;
});

journey!(event_stream_cannot_be_tried, async |page, server| {
    log_in(page, server, Role::Admin, "/api-reference?operation=get_events").await;
    page.wait_for(&format!("{OPEN_OPERATION} .responses-table")).await;
    assert!(!page.is_visible(TRY_BUTTON).await);
});

journey!(every_documented_operation_is_listed, async |page, server| {
    let document = server.admin().get("/api/openapi.json").await.expect(200);
    let operations =
        document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    let mut expected: Vec<_> = operations
        .map(|operation| format!("operations-{}-{}", text(&operation["tags"][0]), text(&operation["operationId"])))
        .collect();
    expected.sort();
    log_in(page, server, Role::Admin, "/api-reference").await;
    page.wait_for(".opblock").await;
    let ids_script = "return [...document.querySelectorAll('.opblock')].map(operation => operation.id).sort()";
    page.wait_until_equal("all operations are listed", json!(expected), async || {
        page.run_script(ids_script, Value::Null).await
    })
    .await;
});

journey!(filter_playground_runs_filters, async |page, server| {
    grant_clipboard(page, server).await;
    log_in(page, server, Role::Viewer, "/api-reference").await;
    page.click("#api-tab-playground").await;
    page.expect_location("/api-reference?tab=playground").await;
    page.expect_text(
        "[data-test=filter-explanation]",
        "Leads with status New or Callback, with fewer than 3 calls; at most 10.",
    )
    .await;
    page.fill_filter(r#"{"last_name":{"starts_with":"S"},"limit":"5;0"}"#).await;
    page.expect_text("[data-test=filter-explanation]", "Leads with last name starting with S; at most 5.").await;
    let filter = json!({ "last_name": { "starts_with": "S" }, "limit": "5;0" });
    let expected = server.admin().search_leads(filter.clone()).await;
    let curl_command = page.text("[data-test=curl]").await;
    assert_eq!(run_curl_command(&curl_command, server).await["total_leads"], expected["total_leads"], "{curl_command}");
    page.click(".curl [data-test=copy]").await;
    page.expect_text(".curl [data-test=copy]", "Copied").await;
    let clipboard_script = "const done = arguments[arguments.length - 1];
            navigator.clipboard.readText().then(done, error => done(`${error}`))";
    assert_eq!(page.run_async_script(clipboard_script, Vec::new()).await, json!(curl_command));

    page.click("[data-test=apply]").await;
    page.expect_text("[data-test=total]", &format!("{} leads", expected["total_leads"])).await;
    let ids: Vec<_> = expected["leads"].as_array().unwrap().iter().map(|lead| lead["id"].to_string()).collect();
    page.expect_attributes("[data-test=lead-row]", "data-id", &ids).await;

    // The link restores the filter, and Back the previous state.
    page.fill_filter(r#"{"id":1,"limit":"5;0"}"#).await;
    page.click("[data-test=apply]").await;
    page.expect_text("[data-test=total]", "1 lead").await;
    page.run_script("history.back()", Value::Null).await;
    page.expect_attributes("[data-test=lead-row]", "data-id", &ids).await;
    page.reload().await;
    page.expect_attributes("[data-test=lead-row]", "data-id", &ids).await;

    page.fill_filter(r#"{"ctiy":"Bonn"}"#).await;
    page.wait_for("[data-test=diagnostic]").await;
    assert!(!page.wait_for("[data-test=apply]").await.is_enabled().await.unwrap());
});

/// Sends the request and waits for a response with this status.
async fn execute(page: &Page, status: u16) {
    page.click(EXECUTE_BUTTON).await;
    let is_shown = async || page.text(RESPONSE_STATUS).await.starts_with(&status.to_string()).then_some(());
    page.wait_until("the response is shown", is_shown).await;
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}
