//! `GET /api/leads/values`: the values of a field, with the number of leads for each.

use serde_json::{Value, json};

use crate::harness::{Client, Server};

const PATH: &str = "/api/leads/values";

async fn values(client: &Client, query: &str) -> Value {
    client.get(&format!("{PATH}?{query}")).await.expect(200)["values"].take()
}

fn value(value: &str, leads: u64) -> Value {
    json!({ "value": value, "leads": leads })
}

#[tokio::test]
async fn most_frequent_values_come_first() {
    let server = Server::start().await;
    let client = server.admin();
    assert_eq!(values(&client, "field=city").await, json!([]));
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
    assert_eq!(values(&client, "field=city").await, json!([value("Berlin", 2), value("Bonn", 1), value("bern", 1)]));
    assert_eq!(values(&client, "field=city&prefix=BE").await, json!([value("Berlin", 2), value("bern", 1)]));
    assert_eq!(values(&client, "field=city&prefix=b&limit=1").await, json!([value("Berlin", 2)]));
    assert_eq!(values(&client, "field=custom.a%20tier").await, json!([value("gold", 2), value("a&b", 1)]));
    assert_eq!(values(&client, "field=custom.none").await, json!([]));
    assert_eq!(values(&client, "field=campaign_status").await, json!([value("new", 1)]));
    let reasons = json!([value("no_phone", 4), value("not_in_campaign", 3)]);
    assert_eq!(values(&client, "field=not_callable_reason").await, reasons);
    assert_eq!(values(&client, "field=not_callable_reason&prefix=NO_").await, json!([value("no_phone", 4)]));
    assert_eq!(values(&client, "field=not_callable_reason&limit=1").await, json!([value("no_phone", 4)]));
    assert_eq!(values(&client, "field=campaign_name").await, json!([value("Autumn", 1), value("Spring", 1)]));
}

#[tokio::test]
async fn reports_all_query_faults() {
    let server = Server::start().await;
    let client = server.admin();
    let refused = async |query: &str| client.get(&format!("{PATH}?{query}")).await.refused(400, "invalid_parameter");
    for (query, expected) in [
        ("", "\"field\" missing: expected the key of a text field, found nothing"),
        ("field=citi", "\"field\" unknown_key: expected the key of a text field, found \"citi\""),
        ("field=calls_count", "\"field\" unknown_key: expected the key of a text field, found \"calls_count\""),
        ("field=custom.", "\"field\" unknown_key: expected 1 to 100 characters after `custom.`, found 0"),
        ("field=city&limit=0", "\"limit\" out_of_range: expected a whole number from 1 to 100, found \"0\""),
        ("field=city&limit=101", "\"limit\" out_of_range: expected a whole number from 1 to 100, found \"101\""),
        ("field=city&limit=10;5", "\"limit\" out_of_range: expected a whole number from 1 to 100, found \"10;5\""),
    ] {
        let faults = refused(query).await;
        assert!(faults.len() == 1 && faults[0].starts_with(expected), "{query}: {faults:?}");
    }
    let long = "x".repeat(201);
    let faults = refused(&format!("field=nothing&prefix={long}&limit=-1")).await;
    assert!(faults.len() == 3 && faults[1].contains("at most 200 characters, found 201"), "{faults:?}");
    server.with_scopes(&["calls:read"]).await.get(&format!("{PATH}?field=city")).await.refused(403, "forbidden");
    let viewer = server.staff("viewer").await;
    assert_eq!(viewer.get(&format!("{PATH}?field=city")).await.expect(200), json!({ "values": [] }));
}
