//! The form of the filter: values that leads have are suggested, and dates are relative to now.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::{Page, grouped};
use crate::harness::{Client, Server, body};

const FIELD: &str = "[data-test=condition] [aria-label=Field]";
const OPERATOR: &str = "[data-test=condition] [aria-label=Operator]";
const VALUE: &str = "[data-test=condition] [data-test=value]";
const SUGGESTION: &str = "[data-test=condition] [data-test=suggestion]";
const CHOSEN: &str = "[data-test=suggestion][aria-selected=true]";
const READING: &str = "[data-test=reading]";

/// The values that the API suggests.
async fn values(server: &Server, query: &str) -> Vec<String> {
    let found = server.admin().get(&format!("/api/leads/values?{query}")).await.expect(200);
    let values = found["values"].as_array().unwrap();
    values.iter().map(|one| one["value"].as_str().unwrap().to_owned()).collect()
}

async fn value_is(page: &Page, expected: &str) {
    let read = async || page.run("return document.querySelector(arguments[0])?.value ?? null", VALUE).await;
    page.until_equal("the value", json!(expected), read).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_are_suggested_and_any_other_can_be_typed() {
    journey("filter_values", async |page, server| {
        let admin = server.admin();
        for tier in ["gold", "gold", "7"] {
            admin.create("/api/leads", json!({ "city": "Zzyzx", "custom_fields": { "zztier": tier } })).await;
        }
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.click("[data-test=add-condition]").await;
        page.choose(FIELD, "city").await;
        // Asked for by the keyboard, the most frequent ones come, each with its number of leads.
        page.click(VALUE).await;
        let frequent = values(server, "field=city").await;
        page.lists(SUGGESTION, "data-value", &frequent).await;
        let filter = json!({ "city": frequent[0], "limit": "0;0" });
        let first = admin.put("/api/leads/extended-data", body(filter)).await.expect(200);
        let shown = page.texts(SUGGESTION).await;
        assert!(shown[0].contains(&first["total_leads"].to_string()), "{shown:?}");

        page.press("zZ").await;
        page.lists(SUGGESTION, "data-value", &["Zzyzx".to_owned()]).await;
        page.press(&Key::Down).await;
        page.lists(CHOSEN, "data-value", &["Zzyzx".to_owned()]).await;
        let active = "const input = document.activeElement;
            return [input.role, input.ariaExpanded, document.getElementById(input.getAttribute('aria-activedescendant'))?.dataset.value]";
        let read = async || page.run(active, Value::Null).await;
        page.until_equal("what is told to screen readers", json!(["combobox", "true", "Zzyzx"]), read).await;
        page.press(&Key::Enter).await;
        value_is(page, "Zzyzx").await;
        page.see_gone(SUGGESTION).await;
        page.click("[data-test=apply]").await;
        page.shows("[data-test=total]", "3 leads").await;

        // Escape closes the list and leaves what was typed; a value that no lead has is taken too.
        page.fill(VALUE, "z").await;
        page.see(SUGGESTION).await;
        page.press(&Key::Escape).await;
        page.see_gone(SUGGESTION).await;
        value_is(page, "z").await;
        page.fill(VALUE, "Nowhere").await;
        page.shows(READING, "Leads with city Nowhere; at most 50.").await;

        // A custom field's text that looks like a number stays a text.
        page.choose(FIELD, "custom.").await;
        page.fill("[aria-label='Name of the custom field']", "zztier").await;
        page.choose(OPERATOR, "in").await;
        page.fill(VALUE, "7").await;
        page.lists(SUGGESTION, "data-value", &["7".to_owned()]).await;
        page.click(SUGGESTION).await;
        page.press("go").await;
        page.lists(SUGGESTION, "data-value", &["gold".to_owned()]).await;
        page.press(&Key::Down).await;
        page.press(&Key::Enter).await;
        let filter = json!({ "custom.zztier": ["7", "gold"], "limit": "50;0" });
        shows_filter(page, &filter).await;
        page.click("[data-test=apply]").await;
        page.shows("[data-test=total]", "3 leads").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statuses_and_campaigns_are_offered_with_how_many_leads_have_them() {
    journey("filter_counts", async |page, server| {
        let admin = server.admin();
        admin.put("/api/statuses/unheard", r#"{"label":"Unheard","dialable":true}"#).await.expect(200);
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.click("[data-test=add-condition]").await;
        let offered = async || page.texts(&format!("{VALUE} option:not([hidden])")).await;
        let campaigns = admin.get("/api/campaigns").await.expect(200);
        let mut expected = Vec::new();
        for campaign in campaigns["items"].as_array().unwrap() {
            expected.push(with_count(&admin, "campaign_id", &campaign["id"], &campaign["name"]).await);
        }
        page.until_equal("campaigns", expected, &offered).await;

        page.choose(FIELD, "status").await;
        let statuses = admin.get("/api/statuses").await.expect(200);
        let mut expected = Vec::new();
        for status in statuses["items"].as_array().unwrap() {
            expected.push(with_count(&admin, "status", &status["name"], &status["label"]).await);
        }
        assert!(expected.contains(&"Unheard (0)".to_owned()) && expected.iter().any(|one| !one.ends_with("(0)")));
        page.until_equal("statuses", expected, &offered).await;
        // On its chip a value stands without.
        page.choose(VALUE, "unheard").await;
        page.shows("[data-test=condition] .chip", "Unheard").await;
    })
    .await;
}

/// A value as it is offered.
async fn with_count(client: &Client, key: &str, value: &Value, label: &Value) -> String {
    let filter = json!({ key: value, "limit": "0;0" });
    let found = client.put("/api/leads/extended-data", body(filter)).await.expect(200);
    format!("{} ({})", label.as_str().unwrap(), grouped(found["total_leads"].as_u64().unwrap()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn relative_dates_stay_relative_in_the_address() {
    journey("filter_dates", async |page, server| {
        let admin = server.admin();
        let created = admin.create("/api/leads", json!({ "city": "Zzyzx" })).await;
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.click("[data-test=add-condition]").await;
        page.choose(FIELD, "created_at").await;
        page.choose(OPERATOR, "relative").await;
        page.fill("[data-test=relative-count]", "3").await;
        // The browser's own calendar says what that is.
        let exact = "const from = new Date(), till = new Date();
            from.setHours(0, 0, 0, 0); till.setHours(24, 0, 0, 0); from.setDate(from.getDate() - 2);
            const text = date => date.toISOString().slice(0, 19).replace('T', ' ');
            return `${text(from)};>=|${text(till)};<`";
        let exact = page.run(exact, Value::Null).await;
        let filter = json!({ "created_at": exact, "limit": "50;0" });
        shows_filter(page, &filter).await;
        let zone = page.run("return Intl.DateTimeFormat().resolvedOptions().timeZone", Value::Null).await;
        let reading = page.text(READING).await;
        let end = format!("; here created is the last 3 days, in {}.", zone.as_str().unwrap());
        assert!(reading.starts_with("Leads created ") && reading.ends_with(&end), "{reading}");

        page.click("[data-test=apply]").await;
        let place = "/leads?filter=%7B%22limit%22%3A%2250%3B0%22%7D&dates=created_at%3Alast-3-days";
        page.is_at(place).await;
        let found = admin.put("/api/leads/extended-data", body(filter.clone())).await.expect(200);
        let total = found["total_leads"].as_u64().unwrap();
        assert!(found["leads"].as_array().unwrap().iter().any(|lead| lead["id"] == created), "{total} leads");
        page.shows("[data-test=total]", &if total == 1 { "1 lead".to_owned() } else { format!("{total} leads") }).await;

        page.reload().await;
        shows_filter(page, &filter).await;
        page.see("[data-test=relative]").await;
        let chosen = "return [...document.querySelectorAll('[data-test=relative], [data-test=relative-count]')].map(e => e.value)";
        let read = async || page.run(chosen, Value::Null).await;
        page.until_equal("the choice is shown", json!(["last-#-days", "3"]), read).await;

        // Hours are counted from when one asks: each time they are others.
        page.choose("[data-test=relative]", "last-#-hours").await;
        for _ in 0..2 {
            page.click("[data-test=apply]").await;
            page.is_at(&place.replace("last-3-days", "last-24-hours")).await;
            page.see("[data-test=apply][data-applied=true]").await;
            page.see("[data-test=relative]").await;
        }
        page.choose("[data-test=relative]", "last-#-days").await;
        page.fill("[data-test=relative-count]", "3").await;
        page.click("[data-test=apply]").await;
        page.is_at(place).await;

        // Sorted, it stays; edited as JSON, it is an exact one.
        page.click("th:first-child .sort-button").await;
        page.see("th[aria-sort=ascending]:first-child").await;
        let sorted = page.place().await;
        assert!(sorted.ends_with("&dates=created_at%3Alast-3-days"), "{sorted}");
        page.fill("[data-test=filter-json]", r#"{"created_at":"2026-01-01 00:00:00;>=","limit":"50;0"}"#).await;
        page.see_gone("[data-test=relative]").await;
        page.click("[data-test=apply]").await;
        page.shows(READING, "Leads created at or after 1 January 2026, 00:00 UTC; at most 50.").await;
        let place = page.place().await;
        assert!(!place.contains("dates="), "{place}");
    })
    .await;
}

/// Waits until the JSON view says this filter, whatever its spacing.
async fn shows_filter(page: &Page, filter: &Value) {
    let script = "return document.querySelector('[data-test=filter-json]')?.value ?? ''";
    let read = async || {
        let text = page.run(script, Value::Null).await;
        serde_json::from_str(text.as_str().unwrap()).unwrap_or(Value::Null)
    };
    page.until_equal("the JSON view shows the filter", filter.clone(), read).await;
}
