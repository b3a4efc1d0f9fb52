//! Filter form: field search, suggested values, and groups of conditions.

mod dates;

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::{FILTER_JSON, Page, grouped};
use crate::harness::{Client, Server, body};

const FIELD: &str = "[data-test=condition] [aria-label=Field]";
const OPERATOR: &str = "[data-test=condition] [aria-label=Operator]";
const VALUE: &str = "[data-test=condition] [data-test=value]";
const SUGGESTION: &str = "[data-test=condition] [data-test=suggestion]";
const CHOSEN: &str = "[data-test=suggestion][aria-selected=true]";
const READING: &str = "[data-test=reading]";
const OPTION: &str = "[data-test=field-option]";
const GROUP: &str = "[data-test=group]";

/// Returns the values that the API suggests.
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
async fn values_are_suggested_but_any_value_is_accepted() {
    journey("filter_values", async |page, server| {
        let admin = server.admin();
        for tier in ["gold", "gold", "7"] {
            admin.create("/api/leads", json!({ "city": "Zzyzx", "custom_fields": { "zztier": tier } })).await;
        }
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.click("[data-test=add-condition]").await;
        page.pick_field(FIELD, "city").await;
        // The Down key opens the most frequent values, each with its number of leads.
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
        // Suggestions ignore case, and Enter takes the stored spelling.
        page.fill(VALUE, "zZYZX").await;
        page.see(SUGGESTION).await;
        page.press(&Key::Enter).await;
        value_is(page, "Zzyzx").await;

        // Escape closes the list and keeps the input. Values without any lead are accepted too.
        page.fill(VALUE, "z").await;
        page.see(SUGGESTION).await;
        page.press(&Key::Escape).await;
        page.see_gone(SUGGESTION).await;
        value_is(page, "z").await;
        // Enter takes the input unchanged.
        page.press("z").await;
        page.see(SUGGESTION).await;
        page.press(&Key::Enter).await;
        page.see_gone(SUGGESTION).await;
        value_is(page, "zz").await;
        page.fill(VALUE, "Nowhere").await;
        page.shows(READING, "Leads with city Nowhere.").await;
        // After "add value" the input has the focus.
        page.click("[data-test=condition] .value-list .button-icon").await;
        page.see(&format!("{VALUE}:focus")).await;
        page.press("Elsewhere\n").await;
        page.shows(READING, "Leads with city Nowhere or Elsewhere.").await;

        // A numeric string in a custom field stays a string.
        page.pick_field(FIELD, "custom.").await;
        page.fill("[aria-label='Custom field name']", "zztier").await;
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
async fn suggested_statuses_and_campaigns_show_lead_counts() {
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

        page.pick_field(FIELD, "status").await;
        let statuses = admin.get("/api/statuses").await.expect(200);
        let mut expected = Vec::new();
        for status in statuses["items"].as_array().unwrap() {
            expected.push(with_count(&admin, "status", &status["name"], &status["label"]).await);
        }
        assert!(expected.contains(&"Unheard (0)".to_owned()) && expected.iter().any(|one| !one.ends_with("(0)")));
        page.until_equal("statuses", expected, &offered).await;
        // The chip shows the value without its count.
        page.choose(VALUE, "unheard").await;
        page.shows("[data-test=condition] .chip", "Unheard").await;

        page.pick_field(FIELD, "not_callable_reason").await;
        let frozen = with_count(&admin, "not_callable_reason", &json!("frozen"), &json!("Frozen")).await;
        page.until_equal("a reason", true, async || offered().await.contains(&frozen)).await;
        page.choose(VALUE, "frozen").await;
        page.shows("[data-test=condition] .chip", "Frozen").await;
        shows_filter(page, &json!({ "not_callable_reason": "frozen", "limit": "50;0" })).await;
    })
    .await;
}

/// Returns the label of a suggested value.
async fn with_count(client: &Client, key: &str, value: &Value, label: &Value) -> String {
    let filter = json!({ key: value, "limit": "0;0" });
    let found = client.put("/api/leads/extended-data", body(filter)).await.expect(200);
    format!("{} ({})", label.as_str().unwrap(), grouped(found["total_leads"].as_u64().unwrap()))
}

/// Fills in a line's field and value, and closes the suggestions so that they cover nothing.
async fn fill_line(page: &Page, line: &str, key: &str, value: &str) {
    page.pick_field(&format!("{line} [aria-label=Field]"), key).await;
    page.fill(&format!("{line} [data-test=value]"), value).await;
    page.press(&Key::Tab).await;
}

/// Waits until the lines have these fields, operators, values and surrounding groups.
async fn form_is(page: &Page, expected: Value) {
    let script = "return [...document.querySelectorAll('[data-test=condition]')].map(line => {
        const groups = [];
        for (let box = line.closest('[data-test=group]'); box; box = box.parentElement.closest('[data-test=group]'))
            groups.unshift(box.querySelector('[aria-pressed=true]').dataset.test);
        const inputs = [...line.querySelectorAll('select, input')].map(input => input.dataset.key ?? input.value);
        return [...groups, ...inputs];
    })";
    page.until_equal("the form", expected, async || page.run(script, Value::Null).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_and_all_groups_can_be_built_and_edited() {
    journey("filter_groups", async |page, server| {
        let admin = server.admin();
        for (city, zip) in [("Zgroup", "1"), ("Zgroup", "2"), ("Zother", "1"), ("Zthird", "3")] {
            admin.create("/api/leads", json!({ "city": city, "zip": zip, "state": "Zstate" })).await;
        }
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.click("[data-test=add-condition]").await;
        fill_line(page, "[data-test=condition]", "state", "Zstate").await;

        // A group next to a condition is of type "any"; a group inside it is of type "all".
        page.click("[data-test=add-group]").await;
        fill_line(page, &format!("{GROUP} [data-test=condition]"), "city", "Zother").await;
        page.click(&format!("{GROUP} [data-test=add-group]")).await;
        let deep = format!("{GROUP} {GROUP} [data-test=condition]");
        fill_line(page, &deep, "city", "Zgroup").await;
        page.click(&format!("{GROUP} {GROUP} [data-test=add-condition]")).await;
        fill_line(page, &format!("{deep}:nth-of-type(2)"), "zip", "2").await;

        let branches = json!([{ "city": "Zother" }, { "city": "Zgroup", "zip": "2" }]);
        let filter = json!({ "state": "Zstate", "_or": branches, "limit": "50;0" });
        shows_filter(page, &filter).await;
        page.click("[data-test=apply]").await;
        page.shows("[data-test=total]", "2 leads").await;

        // The switch changes the group to "any"; its lines are kept.
        page.click(&format!("{GROUP} {GROUP} [data-test=any]")).await;
        let branches = json!([{ "city": "Zother" }, { "_or": [{ "city": "Zgroup" }, { "zip": "2" }] }]);
        let filter = json!({ "state": "Zstate", "_or": branches, "limit": "50;0" });
        shows_filter(page, &filter).await;
        page.click("[data-test=apply]").await;
        page.shows("[data-test=total]", "3 leads").await;

        // The link restores the form.
        page.reload().await;
        let lines = json!([
            ["state", "eq", "Zstate"],
            ["any", "city", "eq", "Zother"],
            ["any", "any", "city", "eq", "Zgroup"],
            ["any", "any", "zip", "eq", "2"],
        ]);
        form_is(page, lines).await;

        // Removing a group removes its conditions.
        page.click(&format!("{GROUP} {GROUP} [data-test=remove-group]")).await;
        shows_filter(page, &json!({ "state": "Zstate", "_or": [{ "city": "Zother" }], "limit": "50;0" })).await;
        form_is(page, json!([["state", "eq", "Zstate"], ["any", "city", "eq", "Zother"]])).await;
        page.click("[data-test=apply]").await;
        page.shows("[data-test=total]", "1 lead").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fault_in_a_group_is_shown_at_its_line() {
    journey("filter_group_fault", async |page, server| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        let filter = r#"{"calls_count":1,"_or":[{"city":"Bonn","_and":[{"zip":"5"},{"weight":"x"}]},{"id":["a",null]}]}"#;
        page.fill_filter(filter).await;
        let script = "return [...document.querySelectorAll('[data-test=condition]')].map(line => [
            line.querySelector('[data-key]')?.dataset.key ?? 'kept', line.querySelectorAll('[data-test=fault]').length])";
        let expected = json!([["calls_count", 0], ["city", 0], ["zip", 0], ["weight", 1], ["kept", 1]]);
        page.until_equal("faults of lines", expected, async || page.run(script, Value::Null).await).await;
        // At the maximum depth, no further group is offered.
        let deep = (0..4).fold(r#"{"id":1,"zip":"5"}"#.to_owned(), |inner, _| format!(r#"{{"zip":"5","_or":[{inner}]}}"#));
        page.fill_filter(&deep).await;
        page.see(&format!("{GROUP} {GROUP} {GROUP} {GROUP} {GROUP} {GROUP} {GROUP}")).await;
        let most = "return [...document.querySelectorAll('[data-test=group]')].at(-1).querySelectorAll('[data-test=add-group]').length";
        page.until_equal("no deeper group", json!(0), async || page.run(most, Value::Null).await).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fields_are_found_by_search() {
    journey("filter_fields", async |page, server| {
        let lead = json!({ "city": "Zfields", "custom_fields": { "zsource": "fair" } });
        server.admin().create("/api/leads", lead).await;
        log_in(page, server, Role::Viewer, "/leads?filter=%7B%22city%22%3A%22Zfields%22%7D").await;
        page.see("[data-test=lead-row]").await;
        let field = |key: &'static str| async move {
            let read = async || page.run("return document.querySelector(arguments[0]).dataset.key", FIELD).await;
            page.until_equal("the field", json!(key), read).await;
        };
        let all = async || {
            let keys = "return [...document.querySelectorAll(arguments[0])].map(e => e.dataset.key)";
            page.run(keys, OPTION).await.as_array().unwrap().clone()
        };
        // Clicking lists all fields in sections, common ones first, including the custom fields of the page.
        page.click(FIELD).await;
        page.see(OPTION).await;
        let keys = all().await;
        assert_eq!(keys[..3], [json!("first_name"), json!("last_name"), json!("phone")]);
        assert!(keys.contains(&json!("custom.zsource")), "{keys:?}");
        let heads = page.texts(".suggestions-head").await;
        assert_eq!(heads, ["Frequently used", "Lead", "In a campaign", "Custom fields"]);
        let marked = page.run("return document.querySelectorAll('.suggestion.is-current').length", Value::Null).await;
        assert_eq!(marked, json!(1), "the field of the condition is marked");

        // Typing replaces the field's name, even after another click.
        page.click(FIELD).await;
        let selected = "const input = document.activeElement;
            return input.selectionStart == 0 && input.selectionEnd == input.value.length";
        page.until_equal("all is selected", json!(true), async || page.run(selected, Value::Null).await).await;
        // Escape restores the field.
        page.press("pho").await;
        page.see_gone("[data-key=last_name]").await;
        page.press(&Key::Escape).await;
        page.see_gone(OPTION).await;
        field("city").await;

        // Search by a word in either language or by key, with the keyboard alone.
        page.fill(FIELD, "Rückruf").await;
        page.lists("[data-test=field-option][aria-selected=true]", "data-key", &["callback_at".to_owned()]).await;
        page.press(&Key::Enter).await;
        field("callback_at").await;
        page.fill(FIELD, "phone_normalized").await;
        page.press(&Key::Down).await;
        page.lists("[data-test=field-option][aria-selected=true]", "data-key", &["phone_normalized2".to_owned()]).await;
        let active = "const input = document.activeElement;
            return [input.role, input.ariaExpanded, document.getElementById(input.getAttribute('aria-activedescendant'))?.dataset.key]";
        let read = async || page.run(active, Value::Null).await;
        page.until_equal("what is told", json!(["combobox", "true", "phone_normalized2"]), read).await;
        page.press(&Key::Enter).await;
        field("phone_normalized2").await;

        // Search for a custom field by name, known or not.
        page.fill(FIELD, "zsou").await;
        page.press(&Key::Enter).await;
        field("custom.zsource").await;
        page.fill(FIELD, "custom.never_seen").await;
        page.press(&Key::Tab).await;
        field("custom.never_seen").await;
        page.fill(VALUE, "x").await;
        shows_filter(page, &json!({ "custom.never_seen": "x", "limit": "50;0" })).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_filter_from_a_link_leaves_room_for_results() {
    journey("filter_folded", async |page, server| {
        server.admin().create("/api/leads", json!({ "city": "Zfolded" })).await;
        let mut cities: Vec<_> = (0..100).map(|number| format!("Nowhere {number}")).collect();
        cities.push("Zfolded".to_owned());
        let filter = json!({ "city": cities }).to_string();
        let link = url::form_urlencoded::byte_serialize(filter.as_bytes()).collect::<String>();
        log_in(page, server, Role::Viewer, &format!("/leads?filter={link}")).await;
        page.see("[data-test=lead-row]").await;
        page.see(".filter.is-folded").await;
        let top = "return document.querySelector('[data-test=lead-row]').getBoundingClientRect().top < innerHeight";
        page.until_equal("a lead is in sight", json!(true), async || page.run(top, Value::Null).await).await;
        assert!(!page.sees("[data-test=condition]").await);
        page.click("[data-test=open-filter]").await;
        page.see_gone(".filter.is-folded").await;
        page.see("[data-test=condition]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn json_view_can_be_shown_next_to_the_form() {
    journey("filter_fold", async |page, server| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.shows("[data-test=fold-json]", "Show JSON").await;
        assert!(!page.sees(FILTER_JSON).await);
        page.click("[data-test=fold-json]").await;
        page.see(FILTER_JSON).await;
        page.shows("[data-test=fold-json]", "Hide JSON").await;
        page.reload().await;
        page.see("[data-test=lead-row]").await;
        page.see(FILTER_JSON).await;
        page.click("[data-test=fold-json]").await;
        page.see_gone(FILTER_JSON).await;
        page.reload().await;
        page.see("[data-test=lead-row]").await;
        assert!(!page.sees(FILTER_JSON).await, "it stays away");
    })
    .await;
}

/// Waits until the JSON view has this filter, ignoring whitespace.
async fn shows_filter(page: &Page, filter: &Value) {
    let script = "return document.querySelector(arguments[0])?.value ?? ''";
    let read = async || {
        let text = page.run(script, FILTER_JSON).await;
        serde_json::from_str(text.as_str().unwrap()).unwrap_or(Value::Null)
    };
    page.until_equal("the JSON view shows the filter", filter.clone(), read).await;
}
