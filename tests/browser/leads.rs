//! Finding leads: filter form and JSON, faults, paging, and the lead's page.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::{FILTER_JSON, Page};
use crate::harness::{Client, Server, body};

const APPLY: &str = "[data-test=apply]";
const READING: &str = "[data-test=reading]";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn filter_form_returns_the_same_leads_as_the_api() {
    journey("filter_form", async |page, server| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.shows(READING, "All leads.").await;
        page.click("[data-test=add-condition]").await;
        page.pick_field("[data-test=condition]:last-of-type [aria-label=Field]", "last_name").await;
        page.choose("[aria-label=Operator]", "starts_with").await;
        page.fill("[data-test=value]", "S").await;

        let filter = json!({ "last_name": { "starts_with": "S" }, "limit": "50;0" });
        shows_filter(page, &filter).await;
        page.shows(READING, "Leads with last name starting with S.").await;
        page.click(APPLY).await;
        let total = total(&server.admin(), &filter).await;
        assert!(total > 100, "two pages and more are needed, {total} leads were found");
        page.shows("[data-test=total]", &format!("{total} leads")).await;
        page.shows("[data-test=range]", &format!("1–50 of {total}")).await;

        page.click("[aria-label='Next page']").await;
        page.shows("[data-test=range]", &format!("51–100 of {total}")).await;
        let second = json!({ "last_name": { "starts_with": "S" }, "limit": "50;50" });
        shows_rows(page, server, &second).await;

        // Sorting starts at the first page.
        page.click("th:first-child .sort-button").await;
        page.shows("[data-test=range]", &format!("1–50 of {total}")).await;
        page.see("th[aria-sort=ascending]:first-child").await;
        let ordered = json!({ "last_name": { "starts_with": "S" }, "_order": "last_name", "limit": "50;0" });
        shows_rows(page, server, &ordered).await;

        page.reload().await;
        shows_filter(page, &ordered).await;
        page.see("th[aria-sort=ascending]:first-child").await;
        shows_rows(page, server, &ordered).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unapplied_filter_is_restored_on_back() {
    journey("filter_unrun", async |page, server| {
        log_in(page, server, Role::Manager, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.fill_filter(r#"{"country":"DE","limit":"50;0"}"#).await;
        page.click(APPLY).await;
        page.see("[data-test=apply][data-applied=true]").await;
        let place = page.place().await;
        let edited = json!({ "country": "DE", "city": "Köln", "limit": "50;0" });
        page.fill_filter(&edited.to_string()).await;
        page.click("[data-test=lead-row]:first-child [data-opens]").await;
        page.see("[data-test=edit-lead]").await;
        page.run("history.back()", Value::Null).await;
        page.is_at(&place).await;
        shows_filter(page, &edited).await;
        page.see("[data-test=apply][data-applied=false]").await;
        // Also after a reload.
        page.reload().await;
        shows_filter(page, &edited).await;
        page.see("[data-test=apply][data-applied=false]").await;
        // Restored with all leads too, but not with another filter.
        page.click("nav a[href='/calls']").await;
        page.see("[data-test=call-row]").await;
        page.click("nav a[href='/leads']").await;
        page.is_at("/leads").await;
        shows_filter(page, &edited).await;
        page.shows("[data-test=unrun]", "Not applied yet").await;
        // Applying the filter discards the draft.
        page.click(APPLY).await;
        page.see("[data-test=apply][data-applied=true]").await;
        page.see_gone("[data-test=unrun]").await;
        page.click("nav a[href='/calls']").await;
        page.see("[data-test=call-row]").await;
        page.click("nav a[href='/leads']").await;
        page.shows(READING, "All leads.").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fault_is_marked_in_place_and_fixed_by_suggestion() {
    journey("filter_json", async |page, server| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.fill_filter(r#"{"country":"DE","ctiy":"Köln","limit":"50;0"}"#).await;

        // Faults are reported after a pause in typing.
        let told = ["found ctiy.", "Did you mean city?", "line 1, column 17", "Use “city”"];
        let is_told = |faults: &[String]| faults.len() == 1 && told.iter().all(|part| faults[0].contains(part));
        let faults = async || page.texts(".faults [data-test=fault]").await;
        page.until("the fault is told", async || is_told(&faults().await).then_some(())).await;
        assert_eq!(marks(page).await, json!([[16, "\"ctiy\""]]));
        page.shows(READING, "Fix 1 error to find leads.").await;
        let apply = page.see(APPLY).await;
        assert!(!apply.is_enabled().await.unwrap(), "a faulty filter can't be applied");

        page.click("[data-test=use-suggestion]").await;
        let filter = json!({ "country": "DE", "city": "Köln", "limit": "50;0" });
        shows_filter(page, &filter).await;
        page.see_gone("[data-test=fault]").await;
        assert_eq!(marks(page).await, json!([]));
        let form = "return [...document.querySelectorAll('[data-test=condition]')].map(line => \
                    [...line.querySelectorAll('select, input')].map(input => input.dataset.key ?? input.value))";
        let expected = json!([["country", "eq", "DE"], ["city", "eq", "Köln"]]);
        page.until_equal("the form follows the text", expected, async || page.run(form, Value::Null).await).await;

        page.click(APPLY).await;
        let total = total(&server.admin(), &filter).await;
        assert!(total > 0);
        page.shows("[data-test=total]", &format!("{total} leads")).await;
        let line = page.text("[data-test=curl]").await;
        assert_eq!(sent_by(&line, server).await["total_leads"], total, "{line}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shell_commands_preserve_quotes() {
    journey("curl", async |page, server| {
        let lead = json!({ "first_name": "Sinéad", "last_name": "O'Brien-\"Test\"" });
        server.admin().post("/api/leads", body(lead)).await.expect(201);
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.fill_filter(r#"{"last_name":"O'Brien-\"Test\""}"#).await;
        page.click(APPLY).await;
        page.shows("[data-test=total]", "1 lead").await;
        let line = page.text("[data-test=curl]").await;
        assert_eq!(sent_by(&line, server).await["total_leads"], 1, "{line}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lead_shows_not_callable_reasons_and_next_call_time() {
    journey("lead", async |page, server| {
        let filter = json!({ "campaign_freeze_until": { "gt": server.now() }, "_order": ["id"], "limit": "200;0" });
        let found = found(&server.admin(), &filter).await;
        let is_cured_by_time = |details: &&Value| !details["next_callable_at"].is_null();
        let lead = found["leads"]
            .as_array()
            .unwrap()
            .iter()
            .find(|lead| lead["campaigns"].as_array().unwrap().iter().filter(is_cured_by_time).count() > 0);
        let id = lead.expect("a frozen lead is in the sample data")["id"].clone();
        let lead = server.admin().get(&format!("/api/leads/{id}")).await.expect(200);

        let query = json!({ "id": id }).to_string();
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.fill_filter(&query).await;
        page.click(APPLY).await;
        page.shows("[data-test=total]", "1 lead").await;
        page.click("[data-test=lead-row] a.row-link").await;
        page.is_at(&format!("/leads/{id}")).await;

        let reasons = || {
            let campaigns = lead["campaigns"].as_array().unwrap().iter();
            std::iter::once(&lead).chain(campaigns).flat_map(|one| one["not_callable_reasons"].as_array().unwrap())
        };
        let codes: Vec<_> = reasons().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect();
        page.lists("[data-test=reason]", "data-code", &codes).await;
        let ends: Vec<_> = reasons().filter_map(|reason| moment(&reason["until"])).collect();
        assert!(!ends.is_empty());
        assert_eq!(moments(page, "[data-test=reason] time").await, ends);

        let next = |details: &Value| moment(&details["next_callable_at"]);
        let next: Vec<_> = lead["campaigns"].as_array().unwrap().iter().filter_map(next).collect();
        assert!(!next.is_empty());
        assert_eq!(moments(page, "[data-test=lead-campaign] .card-head time").await, next);
    })
    .await;
}

/// Waits until the JSON view has this filter, ignoring whitespace.
async fn shows_filter(page: &Page, filter: &Value) {
    let read = async || {
        let text = page.run("return document.querySelector(arguments[0])?.value ?? ''", FILTER_JSON).await;
        serde_json::from_str(text.as_str().unwrap()).unwrap_or(Value::Null)
    };
    page.until_equal("the JSON view shows the filter", filter.clone(), read).await;
}

/// Waits until the rows equal the API's result for this filter, in its order.
async fn shows_rows(page: &Page, server: &Server, filter: &Value) {
    let found = found(&server.admin(), filter).await;
    let ids: Vec<_> = found["leads"].as_array().unwrap().iter().map(|lead| lead["id"].to_string()).collect();
    page.lists("[data-test=lead-row]", "data-id", &ids).await;
}

pub async fn found(client: &Client, filter: &Value) -> Value {
    client.put("/api/leads/extended-data", body(filter.clone())).await.expect(200)
}

async fn total(client: &Client, filter: &Value) -> u64 {
    found(client, filter).await["total_leads"].as_u64().unwrap()
}

/// Returns the underlined parts of the JSON view, each with its UTF-16 offset.
async fn marks(page: &Page) -> Value {
    let script = "const copy = document.querySelector('.json-copy');
        return [...copy.querySelectorAll('mark')]
            .filter(mark => getComputedStyle(mark).textDecorationLine === 'underline')
            .map(mark => {
                const before = document.createRange();
                before.setStart(copy, 0);
                before.setEndBefore(mark);
                return [before.toString().length, mark.textContent];
            })";
    page.run(script, Value::Null).await
}

/// Returns the times that the page shows, in milliseconds.
async fn moments(page: &Page, css: &str) -> Vec<i64> {
    let script = "return [...document.querySelectorAll(arguments[0])].map(time => Date.parse(time.dateTime))";
    serde_json::from_value(page.run(script, css).await).unwrap()
}

fn moment(value: &Value) -> Option<i64> {
    let moment: chrono::DateTime<chrono::Utc> = value.as_str()?.parse().unwrap();
    Some(moment.timestamp_millis())
}

/// Runs a command line in a real shell with a fake `curl` that prints its arguments, sends the request, and returns the
/// response.
pub async fn sent_by(line: &str, server: &Server) -> Value {
    let script = format!("curl() {{ printf '%s\\0' \"$@\"; }}\n{line}");
    let shell =
        std::process::Command::new("sh").arg("-c").arg(script).env("LEADSCRIBE_API_KEY", "the-key").output().unwrap();
    assert!(shell.status.success(), "{}", String::from_utf8_lossy(&shell.stderr));
    let told = String::from_utf8(shell.stdout).unwrap();
    let told: Vec<_> = told.split_terminator('\0').collect();
    let url = format!("{}/api/leads/extended-data", server.base());
    let [
        "-X",
        "PUT",
        to,
        "-H",
        "Authorization: Bearer the-key",
        "-H",
        "Content-Type: application/json",
        "--data-raw",
        sent,
    ] = told[..]
    else {
        panic!("another line was expected than {told:?}");
    };
    assert_eq!(to, url);
    server.admin().put("/api/leads/extended-data", sent).await.expect(200)
}
