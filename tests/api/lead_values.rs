//! `GET /api/leads/values`: the values of a field, with the number of leads for each.

use serde_json::{Value, json};

use crate::harness::{Client, Server};

const PATH: &str = "/api/leads/values";

async fn fetch_values(client: &Client, query: &str) -> Value {
    client.get(&format!("{PATH}?{query}")).await.expect(200)["values"].take()
}

fn value_entry(value: &str, leads: u64) -> Value {
    json!({ "value": value, "leads": leads })
}

#[tokio::test]
async fn most_frequent_values_come_first() {
    let (_server, client) = Server::start_with_admin().await;
    assert_eq!(fetch_values(&client, "field=city").await, json!([]));
    let mut leads = Vec::new();
    for (city, tier) in
        [("Bonn", json!("gold")), ("Berlin", json!("gold")), ("Berlin", json!(7)), ("bern", json!("a&b"))]
    {
        leads.push(client.create("/api/leads", json!({ "city": city, "custom_fields": { "a tier": tier } })).await);
    }
    for name in ["Spring", "Autumn"] {
        let campaign = client.create("/api/campaigns", json!({ "name": name })).await;
        client.create("/api/campaign-leads", json!({ "lead_id": leads[0], "campaign_id": campaign })).await;
    }
    assert_eq!(
        fetch_values(&client, "field=city").await,
        json!([value_entry("Berlin", 2), value_entry("Bonn", 1), value_entry("bern", 1)])
    );
    assert_eq!(
        fetch_values(&client, "field=city&prefix=BE").await,
        json!([value_entry("Berlin", 2), value_entry("bern", 1)])
    );
    assert_eq!(fetch_values(&client, "field=city&prefix=b&limit=1").await, json!([value_entry("Berlin", 2)]));
    assert_eq!(
        fetch_values(&client, "field=custom.a%20tier").await,
        json!([value_entry("gold", 2), value_entry("a&b", 1)])
    );
    assert_eq!(fetch_values(&client, "field=custom.none").await, json!([]));
    assert_eq!(fetch_values(&client, "field=campaign_status").await, json!([value_entry("new", 1)]));
    let reasons = json!([value_entry("no_phone", 4), value_entry("not_in_campaign", 3)]);
    assert_eq!(fetch_values(&client, "field=not_callable_reason").await, reasons);
    assert_eq!(
        fetch_values(&client, "field=not_callable_reason&prefix=NO_").await,
        json!([value_entry("no_phone", 4)])
    );
    assert_eq!(fetch_values(&client, "field=not_callable_reason&limit=1").await, json!([value_entry("no_phone", 4)]));
    assert_eq!(
        fetch_values(&client, "field=campaign_name").await,
        json!([value_entry("Autumn", 1), value_entry("Spring", 1)])
    );
}

#[tokio::test]
async fn reports_all_query_errors() {
    let (_server, client) = Server::start_with_admin().await;
    let diagnostics_for =
        async |query: &str| client.get(&format!("{PATH}?{query}")).await.expect_problem(400, "invalid_parameter");
    for (query, expected) in [
        ("", "\"field\" required: `field` is required"),
        ("field=citi", "\"field\" unknown_key: expected the key of a text field, found \"citi\""),
        ("field=calls_count", "\"field\" unknown_key: expected the key of a text field, found \"calls_count\""),
        ("field=custom.", "\"field\" unknown_key: expected 1 to 100 characters after `custom.`, found 0"),
        ("field=city&limit=0", "\"limit\" out_of_range: expected a whole number from 1 to 100, found \"0\""),
        ("field=city&limit=101", "\"limit\" out_of_range: expected a whole number from 1 to 100, found \"101\""),
        ("field=city&limit=10;5", "\"limit\" out_of_range: expected a whole number from 1 to 100, found \"10;5\""),
    ] {
        let diagnostics = diagnostics_for(query).await;
        assert!(diagnostics.len() == 1 && diagnostics[0].starts_with(expected), "{query}: {diagnostics:?}");
    }
    let long_prefix = "x".repeat(201);
    let diagnostics = diagnostics_for(&format!("field=nothing&prefix={long_prefix}&limit=-1")).await;
    assert!(diagnostics.len() == 3 && diagnostics[1].contains("at most 200 characters, found 201"), "{diagnostics:?}");
}
