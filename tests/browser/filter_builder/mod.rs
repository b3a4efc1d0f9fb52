//! Filter form: field search, suggested values, and groups of conditions.

mod dates;

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::leads::expect_filter;
use super::login::log_in;
use super::page::{FILTER_JSON, Page, format_grouped};
use crate::harness::{Client, Server};

const FIELD_INPUT: &str = "[data-test=condition] [aria-label=Field]";
const OPERATOR_SELECT: &str = "[data-test=condition] [aria-label=Operator]";
const VALUE_INPUT: &str = "[data-test=condition] [data-test=value]";
const SUGGESTION: &str = "[data-test=condition] [data-test=suggestion]";
const SELECTED_SUGGESTION: &str = "[data-test=suggestion][aria-selected=true]";
const FILTER_EXPLANATION: &str = "[data-test=filter-explanation]";
const FIELD_OPTION: &str = "[data-test=field-option]";
const GROUP: &str = "[data-test=group]";

/// Returns the values that the API suggests.
async fn suggested_values(server: &Server, query: &str) -> Vec<String> {
    let page = server.admin().get(&format!("/api/leads/values?{query}")).await.expect(200);
    let values = page["values"].as_array().unwrap();
    values.iter().map(|entry| entry["value"].as_str().unwrap().to_owned()).collect()
}

async fn expect_value(page: &Page, expected: &str) {
    let input_value =
        async || page.run_script("return document.querySelector(arguments[0])?.value ?? null", VALUE_INPUT).await;
    page.wait_until_equal("the value is shown", json!(expected), input_value).await;
}

journey!(values_are_suggested_but_any_value_is_accepted, async |page, server| {
    let admin = server.admin();
    for tier in ["gold", "gold", "7"] {
        admin.create("/api/leads", json!({ "city": "Zzyzx", "custom_fields": { "zztier": tier } })).await;
    }
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.click("[data-test=add-condition]").await;
    page.select_field(FIELD_INPUT, "city").await;
    // The Down key opens the most frequent values, each with its number of leads.
    page.click(VALUE_INPUT).await;
    let frequent_values = suggested_values(server, "field=city").await;
    page.expect_attributes(SUGGESTION, "data-value", &frequent_values).await;
    let filter = json!({ "city": frequent_values[0], "limit": "0;0" });
    let first_matches = admin.count_leads(filter).await;
    let suggestion_texts = page.texts(SUGGESTION).await;
    assert!(suggestion_texts[0].contains(&first_matches.to_string()), "{suggestion_texts:?}");

    page.type_keys("zZ").await;
    page.expect_attributes(SUGGESTION, "data-value", &["Zzyzx".to_owned()]).await;
    page.type_keys(&Key::Down).await;
    page.expect_attributes(SELECTED_SUGGESTION, "data-value", &["Zzyzx".to_owned()]).await;
    let active_option_script = "const input = document.activeElement;
            return [input.role, input.ariaExpanded, document.getElementById(input.getAttribute('aria-activedescendant'))?.dataset.value]";
    let active_option = async || page.run_script(active_option_script, Value::Null).await;
    page.wait_until_equal("the announcement matches", json!(["combobox", "true", "Zzyzx"]), active_option).await;
    page.type_keys(&Key::Enter).await;
    expect_value(page, "Zzyzx").await;
    page.wait_until_gone(SUGGESTION).await;
    page.click("[data-test=apply]").await;
    page.expect_text("[data-test=total]", "3 leads").await;
    // Suggestions ignore case, and Enter takes the stored spelling.
    page.fill(VALUE_INPUT, "zZYZX").await;
    page.wait_for(SUGGESTION).await;
    page.type_keys(&Key::Enter).await;
    expect_value(page, "Zzyzx").await;

    // Escape closes the list and keeps the input. Values without any lead are accepted too.
    page.fill(VALUE_INPUT, "z").await;
    page.wait_for(SUGGESTION).await;
    page.type_keys(&Key::Escape).await;
    page.wait_until_gone(SUGGESTION).await;
    expect_value(page, "z").await;
    // Enter takes the input unchanged.
    page.type_keys("z").await;
    page.wait_for(SUGGESTION).await;
    page.type_keys(&Key::Enter).await;
    page.wait_until_gone(SUGGESTION).await;
    expect_value(page, "zz").await;
    page.fill(VALUE_INPUT, "Nowhere").await;
    page.expect_text(FILTER_EXPLANATION, "Leads with city Nowhere.").await;
    // After "add value" the input has the focus.
    page.click("[data-test=condition] .value-list .button-icon").await;
    page.wait_for(&format!("{VALUE_INPUT}:focus")).await;
    page.type_keys("Elsewhere\n").await;
    page.expect_text(FILTER_EXPLANATION, "Leads with city Nowhere or Elsewhere.").await;

    // A numeric string in a custom field stays a string.
    page.select_field(FIELD_INPUT, "custom.").await;
    page.fill("[aria-label='Custom field name']", "zztier").await;
    page.select_option(OPERATOR_SELECT, "in").await;
    page.fill(VALUE_INPUT, "7").await;
    page.expect_attributes(SUGGESTION, "data-value", &["7".to_owned()]).await;
    page.click(SUGGESTION).await;
    page.type_keys("go").await;
    page.expect_attributes(SUGGESTION, "data-value", &["gold".to_owned()]).await;
    page.type_keys(&Key::Down).await;
    page.type_keys(&Key::Enter).await;
    let filter = json!({ "custom.zztier": ["7", "gold"], "limit": "50;0" });
    expect_filter(page, &filter).await;
    page.click("[data-test=apply]").await;
    page.expect_text("[data-test=total]", "3 leads").await;
});

journey!(suggested_statuses_and_campaigns_show_lead_counts, async |page, server| {
    let admin = server.admin();
    admin.put("/api/statuses/unheard", r#"{"label":"Unheard","dialable":true}"#).await.expect(200);
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.click("[data-test=add-condition]").await;
    let option_texts = async || page.texts(&format!("{VALUE_INPUT} option:not([hidden])")).await;
    let campaigns = admin.get("/api/campaigns").await.expect(200);
    let mut expected = Vec::new();
    for campaign in campaigns["items"].as_array().unwrap() {
        expected.push(label_with_count(&admin, "campaign_id", &campaign["id"], &campaign["name"]).await);
    }
    page.wait_until_equal("campaigns are suggested", expected, &option_texts).await;

    page.select_field(FIELD_INPUT, "status").await;
    let statuses = admin.get("/api/statuses").await.expect(200);
    let mut expected = Vec::new();
    for status in statuses["items"].as_array().unwrap() {
        expected.push(label_with_count(&admin, "status", &status["name"], &status["label"]).await);
    }
    assert!(expected.contains(&"Unheard (0)".to_owned()) && expected.iter().any(|label| !label.ends_with("(0)")));
    page.wait_until_equal("statuses are suggested", expected, &option_texts).await;
    // The chip shows the value without its count.
    page.select_option(VALUE_INPUT, "unheard").await;
    page.expect_text("[data-test=condition] .chip", "Unheard").await;

    page.select_field(FIELD_INPUT, "not_callable_reason").await;
    let frozen = label_with_count(&admin, "not_callable_reason", &json!("frozen"), &json!("Frozen")).await;
    page.wait_until_equal("the reason is suggested", true, async || option_texts().await.contains(&frozen)).await;
    page.select_option(VALUE_INPUT, "frozen").await;
    page.expect_text("[data-test=condition] .chip", "Frozen").await;
    expect_filter(page, &json!({ "not_callable_reason": "frozen", "limit": "50;0" })).await;
});

/// Returns the label of a suggested value.
async fn label_with_count(client: &Client, key: &str, value: &Value, label: &Value) -> String {
    let filter = json!({ key: value, "limit": "0;0" });
    format!("{} ({})", label.as_str().unwrap(), format_grouped(client.count_leads(filter).await))
}

/// Fills in a line's field and value, and closes the suggestions so that they cover nothing.
async fn fill_condition(page: &Page, condition: &str, key: &str, value: &str) {
    page.select_field(&format!("{condition} [aria-label=Field]"), key).await;
    page.fill(&format!("{condition} [data-test=value]"), value).await;
    page.type_keys(&Key::Tab).await;
}

/// Waits until the lines have these fields, operators, values and surrounding groups.
async fn expect_form(page: &Page, expected: Value) {
    let script = "return [...document.querySelectorAll('[data-test=condition]')].map(line => {
        const groups = [];
        for (let box = line.closest('[data-test=group]'); box; box = box.parentElement.closest('[data-test=group]'))
            groups.unshift(box.querySelector('[aria-pressed=true]').dataset.test);
        const inputs = [...line.querySelectorAll('select, input')].map(input => input.dataset.key ?? input.value);
        return [...groups, ...inputs];
    })";
    page.wait_until_equal("the form is shown", expected, async || page.run_script(script, Value::Null).await).await;
}

journey!(any_and_all_groups_can_be_built_and_edited, async |page, server| {
    let admin = server.admin();
    for (city, zip) in [("Zgroup", "1"), ("Zgroup", "2"), ("Zother", "1"), ("Zthird", "3")] {
        admin.create("/api/leads", json!({ "city": city, "zip": zip, "state": "Zstate" })).await;
    }
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.click("[data-test=add-condition]").await;
    fill_condition(page, "[data-test=condition]", "state", "Zstate").await;

    // A group next to a condition is of type "any"; a group inside it is of type "all".
    page.click("[data-test=add-group]").await;
    fill_condition(page, &format!("{GROUP} [data-test=condition]"), "city", "Zother").await;
    page.click(&format!("{GROUP} [data-test=add-group]")).await;
    let inner_condition = format!("{GROUP} {GROUP} [data-test=condition]");
    fill_condition(page, &inner_condition, "city", "Zgroup").await;
    page.click(&format!("{GROUP} {GROUP} [data-test=add-condition]")).await;
    fill_condition(page, &format!("{inner_condition}:nth-of-type(2)"), "zip", "2").await;

    let branches = json!([{ "city": "Zother" }, { "city": "Zgroup", "zip": "2" }]);
    let filter = json!({ "state": "Zstate", "_or": branches, "limit": "50;0" });
    expect_filter(page, &filter).await;
    page.click("[data-test=apply]").await;
    page.expect_text("[data-test=total]", "2 leads").await;

    // The switch changes the group to "any"; its lines are kept.
    page.click(&format!("{GROUP} {GROUP} [data-test=any]")).await;
    let branches = json!([{ "city": "Zother" }, { "_or": [{ "city": "Zgroup" }, { "zip": "2" }] }]);
    let filter = json!({ "state": "Zstate", "_or": branches, "limit": "50;0" });
    expect_filter(page, &filter).await;
    page.click("[data-test=apply]").await;
    page.expect_text("[data-test=total]", "3 leads").await;

    // The link restores the form.
    page.reload().await;
    let lines = json!([
        ["state", "eq", "Zstate"],
        ["any", "city", "eq", "Zother"],
        ["any", "any", "city", "eq", "Zgroup"],
        ["any", "any", "zip", "eq", "2"],
    ]);
    expect_form(page, lines).await;

    // Removing a group removes its conditions.
    page.click(&format!("{GROUP} {GROUP} [data-test=remove-group]")).await;
    expect_filter(page, &json!({ "state": "Zstate", "_or": [{ "city": "Zother" }], "limit": "50;0" })).await;
    expect_form(page, json!([["state", "eq", "Zstate"], ["any", "city", "eq", "Zother"]])).await;
    page.click("[data-test=apply]").await;
    page.expect_text("[data-test=total]", "1 lead").await;
});

journey!(error_in_a_group_is_shown_at_its_line, async |page, server| {
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    let filter = r#"{"calls_count":1,"_or":[{"city":"Bonn","_and":[{"zip":"5"},{"weight":"x"}]},{"id":["a",null]}]}"#;
    page.fill_filter(filter).await;
    let script = "return [...document.querySelectorAll('[data-test=condition]')].map(line => [
            line.querySelector('[data-key]')?.dataset.key ?? 'unsupported', line.querySelectorAll('[data-test=diagnostic]').length])";
    let expected = json!([["calls_count", 0], ["city", 0], ["zip", 0], ["weight", 1], ["unsupported", 1]]);
    page.wait_until_equal("errors are shown at their lines", expected, async || {
        page.run_script(script, Value::Null).await
    })
    .await;
    // At the maximum depth, no further group is offered.
    let deep_filter =
        (0..4).fold(r#"{"id":1,"zip":"5"}"#.to_owned(), |nested, _| format!(r#"{{"zip":"5","_or":[{nested}]}}"#));
    page.fill_filter(&deep_filter).await;
    page.wait_for(&format!("{GROUP} {GROUP} {GROUP} {GROUP} {GROUP} {GROUP} {GROUP}")).await;
    let add_group_count_script = "return [...document.querySelectorAll('[data-test=group]')].at(-1).querySelectorAll('[data-test=add-group]').length";
    page.wait_until_equal("no nested group can be added", json!(0), async || {
        page.run_script(add_group_count_script, Value::Null).await
    })
    .await;
});

journey!(fields_are_found_by_search, async |page, server| {
    let lead = json!({ "city": "Zfields", "custom_fields": { "zsource": "fair" } });
    server.admin().create("/api/leads", lead).await;
    log_in(page, server, Role::Viewer, "/leads?filter=%7B%22city%22%3A%22Zfields%22%7D").await;
    page.wait_for("[data-test=lead-row]").await;
    let expect_field = |key: &'static str| async move {
        let selected_key =
            async || page.run_script("return document.querySelector(arguments[0]).dataset.key", FIELD_INPUT).await;
        page.wait_until_equal("the field is selected", json!(key), selected_key).await;
    };
    let option_keys = async || {
        let script = "return [...document.querySelectorAll(arguments[0])].map(e => e.dataset.key)";
        page.run_script(script, FIELD_OPTION).await.as_array().unwrap().clone()
    };
    // Clicking lists all fields in sections, common ones first, including the custom fields of the page.
    page.click(FIELD_INPUT).await;
    page.wait_for(FIELD_OPTION).await;
    let keys = option_keys().await;
    assert_eq!(keys[..3], [json!("first_name"), json!("last_name"), json!("phone")]);
    assert!(keys.contains(&json!("custom.zsource")), "{keys:?}");
    let section_headings = page.texts(".suggestions-header").await;
    assert_eq!(section_headings, ["Frequently used", "Lead", "In a campaign", "Custom fields"]);
    let marked_count =
        page.run_script("return document.querySelectorAll('.suggestion.is-current').length", Value::Null).await;
    assert_eq!(marked_count, json!(1), "the field of the condition is marked");

    // Typing replaces the field's name, even after another click.
    page.click(FIELD_INPUT).await;
    let all_selected_script = "const input = document.activeElement;
            return input.selectionStart == 0 && input.selectionEnd == input.value.length";
    page.wait_until_equal("the whole text is selected", json!(true), async || {
        page.run_script(all_selected_script, Value::Null).await
    })
    .await;
    // Escape restores the field.
    page.type_keys("pho").await;
    page.wait_until_gone("[data-key=last_name]").await;
    page.type_keys(&Key::Escape).await;
    page.wait_until_gone(FIELD_OPTION).await;
    expect_field("city").await;

    // Search by a word in either language or by key, with the keyboard alone.
    page.fill(FIELD_INPUT, "Rückruf").await;
    page.expect_attributes("[data-test=field-option][aria-selected=true]", "data-key", &["callback_at".to_owned()])
        .await;
    page.type_keys(&Key::Enter).await;
    expect_field("callback_at").await;
    page.fill(FIELD_INPUT, "phone_normalized").await;
    page.type_keys(&Key::Down).await;
    page.expect_attributes(
        "[data-test=field-option][aria-selected=true]",
        "data-key",
        &["phone_normalized2".to_owned()],
    )
    .await;
    let active_option_script = "const input = document.activeElement;
            return [input.role, input.ariaExpanded, document.getElementById(input.getAttribute('aria-activedescendant'))?.dataset.key]";
    let selected_key = async || page.run_script(active_option_script, Value::Null).await;
    page.wait_until_equal("the announcement matches", json!(["combobox", "true", "phone_normalized2"]), selected_key)
        .await;
    page.type_keys(&Key::Enter).await;
    expect_field("phone_normalized2").await;

    // Search for a custom field by name, known or not.
    page.fill(FIELD_INPUT, "zsou").await;
    page.type_keys(&Key::Enter).await;
    expect_field("custom.zsource").await;
    page.fill(FIELD_INPUT, "custom.never_seen").await;
    page.type_keys(&Key::Tab).await;
    expect_field("custom.never_seen").await;
    page.fill(VALUE_INPUT, "x").await;
    expect_filter(page, &json!({ "custom.never_seen": "x", "limit": "50;0" })).await;
});

journey!(long_filter_from_a_link_leaves_room_for_results, async |page, server| {
    server.admin().create("/api/leads", json!({ "city": "Zfolded" })).await;
    let mut cities: Vec<_> = (0..100).map(|number| format!("Nowhere {number}")).collect();
    cities.push("Zfolded".to_owned());
    let filter = json!({ "city": cities }).to_string();
    let encoded_filter = url::form_urlencoded::byte_serialize(filter.as_bytes()).collect::<String>();
    log_in(page, server, Role::Viewer, &format!("/leads?filter={encoded_filter}")).await;
    page.wait_for("[data-test=lead-row]").await;
    page.wait_for(".filter.is-collapsed").await;
    let is_in_view_script =
        "return document.querySelector('[data-test=lead-row]').getBoundingClientRect().top < innerHeight";
    page.wait_until_equal("a lead is visible", json!(true), async || {
        page.run_script(is_in_view_script, Value::Null).await
    })
    .await;
    assert!(!page.is_visible("[data-test=condition]").await);
    page.click("[data-test=open-filter]").await;
    page.wait_until_gone(".filter.is-collapsed").await;
    page.wait_for("[data-test=condition]").await;
});

journey!(json_view_can_be_shown_next_to_the_form, async |page, server| {
    log_in(page, server, Role::Viewer, "/leads").await;
    page.expect_text("[data-test=toggle-json]", "Show JSON").await;
    assert!(!page.is_visible(FILTER_JSON).await);
    page.click("[data-test=toggle-json]").await;
    page.wait_for(FILTER_JSON).await;
    page.expect_text("[data-test=toggle-json]", "Hide JSON").await;
    page.reload().await;
    page.wait_for("[data-test=lead-row]").await;
    page.wait_for(FILTER_JSON).await;
    page.click("[data-test=toggle-json]").await;
    page.wait_until_gone(FILTER_JSON).await;
    page.reload().await;
    page.wait_for("[data-test=lead-row]").await;
    assert!(!page.is_visible(FILTER_JSON).await, "the JSON view stays hidden after a reload");
});
