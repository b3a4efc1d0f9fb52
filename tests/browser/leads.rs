//! Finding leads: filter form and JSON, diagnostics, paging, and the lead's page.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::{FILTER_JSON, Page};
use crate::harness::{Server, body};

const APPLY_BUTTON: &str = "[data-test=apply]";
const FILTER_EXPLANATION: &str = "[data-test=filter-explanation]";

journey!(filter_form_returns_the_same_leads_as_the_api, async |page, server| {
    log_in(page, server, Role::Viewer, "/leads").await;
    page.expect_text(FILTER_EXPLANATION, "All leads.").await;
    page.click("[data-test=add-condition]").await;
    page.select_field("[data-test=condition]:last-of-type [aria-label=Field]", "last_name").await;
    page.select_option("[aria-label=Operator]", "starts_with").await;
    page.fill("[data-test=value]", "S").await;

    let filter = json!({ "last_name": { "starts_with": "S" }, "limit": "50;0" });
    expect_filter(page, &filter).await;
    page.expect_text(FILTER_EXPLANATION, "Leads with last name starting with S.").await;
    page.click(APPLY_BUTTON).await;
    let total = count_leads(server, &filter).await;
    assert!(total > 100, "the test needs at least two pages, found {total} leads");
    page.expect_text("[data-test=total]", &format!("{total} leads")).await;
    page.expect_text("[data-test=range]", &format!("1–50 of {total}")).await;

    page.click("[aria-label='Next page']").await;
    page.expect_text("[data-test=range]", &format!("51–100 of {total}")).await;
    let second_page = json!({ "last_name": { "starts_with": "S" }, "limit": "50;50" });
    expect_rows(page, server, &second_page).await;

    // Sorting starts at the first page.
    page.click("th:first-child .sort-button").await;
    page.expect_text("[data-test=range]", &format!("1–50 of {total}")).await;
    page.wait_for("th[aria-sort=ascending]:first-child").await;
    let sorted_filter = json!({ "last_name": { "starts_with": "S" }, "_order": "last_name", "limit": "50;0" });
    expect_rows(page, server, &sorted_filter).await;

    page.reload().await;
    expect_filter(page, &sorted_filter).await;
    page.wait_for("th[aria-sort=ascending]:first-child").await;
    expect_rows(page, server, &sorted_filter).await;
});

journey!(unapplied_filter_is_restored_on_back, async |page, server| {
    log_in(page, server, Role::Manager, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.fill_filter(r#"{"country":"DE","limit":"50;0"}"#).await;
    page.click(APPLY_BUTTON).await;
    page.wait_for("[data-test=apply][data-applied=true]").await;
    let location = page.location().await;
    let edited_filter = json!({ "country": "DE", "city": "Köln", "limit": "50;0" });
    page.fill_filter(&edited_filter.to_string()).await;
    page.click("[data-test=lead-row]:first-child [data-row-link]").await;
    page.wait_for("[data-test=edit-lead]").await;
    page.run_script("history.back()", Value::Null).await;
    page.expect_location(&location).await;
    expect_filter(page, &edited_filter).await;
    page.wait_for("[data-test=apply][data-applied=false]").await;
    // The draft survives a reload.
    page.reload().await;
    expect_filter(page, &edited_filter).await;
    page.wait_for("[data-test=apply][data-applied=false]").await;
    // The draft is restored at `/leads` too.
    page.click("nav a[href='/calls']").await;
    page.wait_for("[data-test=call-row]").await;
    page.click("nav a[href='/leads']").await;
    page.expect_location("/leads").await;
    expect_filter(page, &edited_filter).await;
    page.expect_text("[data-test=unsaved-filter]", "Not applied yet").await;
    // Applying the filter discards the draft.
    page.click(APPLY_BUTTON).await;
    page.wait_for("[data-test=apply][data-applied=true]").await;
    page.wait_until_gone("[data-test=unsaved-filter]").await;
    page.click("nav a[href='/calls']").await;
    page.wait_for("[data-test=call-row]").await;
    page.click("nav a[href='/leads']").await;
    page.expect_text(FILTER_EXPLANATION, "All leads.").await;
});

journey!(error_is_highlighted_and_fixed_by_suggestion, async |page, server| {
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.fill_filter(r#"{"country":"DE","ctiy":"Köln","limit":"50;0"}"#).await;

    // Diagnostics are reported after a pause in typing.
    let expected_parts = ["found ctiy.", "Did you mean city?", "line 1, column 17", "Use “city”"];
    let is_reported = |diagnostic_texts: &[String]| {
        diagnostic_texts.len() == 1 && expected_parts.iter().all(|part| diagnostic_texts[0].contains(part))
    };
    let diagnostic_texts = async || page.texts(".diagnostics [data-test=diagnostic]").await;
    page.wait_until("the error is shown", async || is_reported(&diagnostic_texts().await).then_some(())).await;
    assert_eq!(marked_parts(page).await, json!([[16, "\"ctiy\""]]));
    page.expect_text(FILTER_EXPLANATION, "Fix 1 error to apply the filter.").await;
    let apply = page.wait_for(APPLY_BUTTON).await;
    assert!(!apply.is_enabled().await.unwrap(), "an invalid filter can't be applied");

    page.click("[data-test=use-suggestion]").await;
    let filter = json!({ "country": "DE", "city": "Köln", "limit": "50;0" });
    expect_filter(page, &filter).await;
    page.wait_until_gone("[data-test=diagnostic]").await;
    assert_eq!(marked_parts(page).await, json!([]));
    let form_script = "return [...document.querySelectorAll('[data-test=condition]')].map(line => \
                    [...line.querySelectorAll('select, input')].map(input => input.dataset.key ?? input.value))";
    let expected = json!([["country", "eq", "DE"], ["city", "eq", "Köln"]]);
    page.wait_until_equal("the form follows the text", expected, async || {
        page.run_script(form_script, Value::Null).await
    })
    .await;

    page.click(APPLY_BUTTON).await;
    let total = count_leads(server, &filter).await;
    assert!(total > 0);
    page.expect_text("[data-test=total]", &format!("{total} leads")).await;
    let curl_command = page.text("[data-test=curl]").await;
    assert_eq!(run_curl_command(&curl_command, server).await["total_leads"], total, "{curl_command}");
});

journey!(shell_commands_preserve_quotes, async |page, server| {
    let lead = json!({ "first_name": "Sinéad", "last_name": "O'Brien-\"Test\"" });
    server.admin().post("/api/leads", body(lead)).await.expect(201);
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.fill_filter(r#"{"last_name":"O'Brien-\"Test\""}"#).await;
    page.click(APPLY_BUTTON).await;
    page.expect_text("[data-test=total]", "1 lead").await;
    let curl_command = page.text("[data-test=curl]").await;
    assert_eq!(run_curl_command(&curl_command, server).await["total_leads"], 1, "{curl_command}");
});

journey!(lead_shows_not_callable_reasons_and_next_call_time, async |page, server| {
    let filter = json!({ "campaign_freeze_until": { "gt": server.now() }, "_order": ["id"], "limit": "200;0" });
    let result = server.admin().search_leads(filter.clone()).await;
    let has_next_call_time = |details: &&Value| !details["next_callable_at"].is_null();
    let lead = result["leads"]
        .as_array()
        .unwrap()
        .iter()
        .find(|lead| lead["campaigns"].as_array().unwrap().iter().filter(has_next_call_time).count() > 0);
    let id = lead.expect("the sample data contains no frozen lead")["id"].clone();
    let lead = server.admin().get(&format!("/api/leads/{id}")).await.expect(200);

    let query = json!({ "id": id }).to_string();
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.fill_filter(&query).await;
    page.click(APPLY_BUTTON).await;
    page.expect_text("[data-test=total]", "1 lead").await;
    page.click("[data-test=lead-row] a.row-link").await;
    page.expect_location(&format!("/leads/{id}")).await;

    let reasons = || {
        let campaigns = lead["campaigns"].as_array().unwrap().iter();
        std::iter::once(&lead).chain(campaigns).flat_map(|entry| entry["not_callable_reasons"].as_array().unwrap())
    };
    let codes: Vec<_> = reasons().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect();
    page.expect_attributes("[data-test=reason]", "data-code", &codes).await;
    let end_times: Vec<_> = reasons().filter_map(|reason| parse_millis(&reason["until"])).collect();
    assert!(!end_times.is_empty());
    assert_eq!(shown_times(page, "[data-test=reason] time").await, end_times);

    let next_times = |details: &Value| parse_millis(&details["next_callable_at"]);
    let next_times: Vec<_> = lead["campaigns"].as_array().unwrap().iter().filter_map(next_times).collect();
    assert!(!next_times.is_empty());
    assert_eq!(shown_times(page, "[data-test=lead-campaign] .card-header time").await, next_times);
});

/// Waits until the JSON view shows this filter. Ignores whitespace.
pub async fn expect_filter(page: &Page, filter: &Value) {
    let shown_filter = async || {
        let text = page.run_script("return document.querySelector(arguments[0])?.value ?? ''", FILTER_JSON).await;
        serde_json::from_str(text.as_str().unwrap()).unwrap_or(Value::Null)
    };
    page.wait_until_equal("the JSON view shows the filter", filter.clone(), shown_filter).await;
}

/// Waits until the rows equal the API's result for this filter, in its order.
pub async fn expect_rows(page: &Page, server: &Server, filter: &Value) {
    let ids = server.admin().matching_ids(filter.clone()).await;
    let ids: Vec<_> = ids.iter().map(i64::to_string).collect();
    page.expect_attributes("[data-test=lead-row]", "data-id", &ids).await;
}

/// Returns the number of leads that match.
pub async fn count_leads(server: &Server, filter: &Value) -> u64 {
    server.admin().count_leads(filter.clone()).await
}

/// Returns the underlined parts of the JSON view, each with its UTF-16 offset.
async fn marked_parts(page: &Page) -> Value {
    let script = "const copy = document.querySelector('.json-copy');
        return [...copy.querySelectorAll('mark')]
            .filter(mark => getComputedStyle(mark).textDecorationLine === 'underline')
            .map(mark => {
                const before = document.createRange();
                before.setStart(copy, 0);
                before.setEndBefore(mark);
                return [before.toString().length, mark.textContent];
            })";
    page.run_script(script, Value::Null).await
}

/// Returns the times that the page shows, in milliseconds.
async fn shown_times(page: &Page, css: &str) -> Vec<i64> {
    let script = "return [...document.querySelectorAll(arguments[0])].map(time => Date.parse(time.dateTime))";
    serde_json::from_value(page.run_script(script, css).await).unwrap()
}

fn parse_millis(value: &Value) -> Option<i64> {
    let time: chrono::DateTime<chrono::Utc> = value.as_str()?.parse().unwrap();
    Some(time.timestamp_millis())
}

/// Runs a command line in a real shell, with a fake `curl` that prints its arguments. Sends that request and returns
/// the response.
pub async fn run_curl_command(command: &str, server: &Server) -> Value {
    let script = format!("curl() {{ printf '%s\\0' \"$@\"; }}\n{command}");
    let output =
        std::process::Command::new("sh").arg("-c").arg(script).env("LEADSCRIBE_API_KEY", "the-key").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let arguments = String::from_utf8(output.stdout).unwrap();
    let arguments: Vec<_> = arguments.split_terminator('\0').collect();
    let url = format!("{}/api/leads/extended-data", server.base());
    let [
        "-X",
        "PUT",
        target,
        "-H",
        "Authorization: Bearer the-key",
        "-H",
        "Content-Type: application/json",
        "--data-raw",
        payload,
    ] = arguments[..]
    else {
        panic!("unexpected curl argument: {arguments:?}");
    };
    assert_eq!(target, url);
    server.admin().put("/api/leads/extended-data", payload).await.expect(200)
}
