//! Countries and time zones in common notations, in leads, imports and filters.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::imports::{import, import_with_query, map_parameter, row_counts};
use crate::harness::{Client, Server};

const LEADS: &str = "/api/leads";

/// Returns a field's values for all leads that a filter matches, in the filter's order.
async fn find_values(client: &Client, filter: Value, field: &str) -> Vec<Value> {
    let page = client.search_leads(filter).await;
    page["leads"].as_array().unwrap().iter().map(|lead| lead[field].clone()).collect()
}

#[tokio::test]
async fn calling_hours_follow_the_time_zone_rules_of_2026() {
    let (server, client) = Server::start_with_admin().await;
    // From 1 May to 11 December 2026.
    server.advance(TimeDelta::days(224));
    let hours = json!({ "start": "03:00", "end": "03:01", "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] });
    let campaign = client.create("/api/campaigns", json!({ "name": "Three", "calling_hours": hours })).await;
    for (zone, expected_time) in
        [("America/Vancouver", "10:00"), ("Africa/Casablanca", "03:00"), ("Europe/Berlin", "02:00")]
    {
        let lead = client.create(LEADS, json!({ "phone": "+493023125001", "timezone": zone })).await;
        client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
        let campaigns = find_values(&client, json!({ "id": lead }), "campaigns").await;
        let next_callable = campaigns[0][0]["next_callable_at"].as_str().unwrap_or_else(|| panic!("{campaigns:?}"));
        assert!(next_callable.ends_with(&format!("T{expected_time}:00Z")), "{zone}: {next_callable}");
    }
}

#[tokio::test]
async fn zone_aliases_are_stored_as_one_value() {
    let (_server, client) = Server::start_with_admin().await;
    let file = "original_identifier,timezone\na,Europe/Kiev\nb,Europe/Kyiv\nc,Asia/Calcutta\nd,asia/kolkata\ne,India Standard Time\n";
    let import = import(&client, "leads", file).await;
    assert_eq!(row_counts(&import), [5, 5, 0, 0, 0], "{import}");
    let identifiers = async |filter: Value| {
        let mut values: Vec<_> = find_values(&client, filter, "original_identifier").await;
        values.sort_by_key(Value::to_string);
        values
    };
    for zone in ["Europe/Kyiv", "Europe/Kiev", "europe/kiev"] {
        assert_eq!(identifiers(json!({ "timezone": zone })).await, ["a", "b"], "{zone}");
        assert_eq!(identifiers(json!({ "timezone": { "not": zone } })).await, ["c", "d", "e"], "{zone}");
    }
    assert_eq!(identifiers(json!({ "timezone": ["Asia/Calcutta", "Europe/Berlin"] })).await, ["c", "d", "e"]);
    let values = client.get("/api/leads/values?field=timezone").await.expect(200);
    let values: Vec<_> = values["values"].as_array().unwrap().iter().map(|item| item["value"].clone()).collect();
    assert_eq!(values, ["Asia/Kolkata", "Europe/Kyiv"]);
}

#[tokio::test]
async fn countries_are_stored_as_codes() {
    let (_server, client) = Server::start_with_admin().await;
    let file = "original_identifier,phone,country\na,030 901820,Deutschland\nb,030 901821,Germany\nc,030 901822,GER\n\
        d,020 7946 0018,United Kingdom\ne,202 555 0143,U.S.A.\nf,030 901823,Atlantis\n";
    for expected in [[6, 6, 0, 0, 0], [6, 0, 0, 6, 0]] {
        let import = import(&client, "leads", file).await;
        assert_eq!((row_counts(&import), &import["counts"]["undialable"]), (expected, &json!(1)), "{import}");
    }
    let filter = json!({ "_order": "original_identifier" });
    let countries = find_values(&client, filter.clone(), "country").await;
    assert_eq!(countries, ["DE", "DE", "DE", "GB", "US", "Atlantis"]);
    let numbers = find_values(&client, filter.clone(), "phone_normalized").await;
    let expected = json!(["+4930901820", "+4930901821", "+4930901822", "+442079460018", "+12025550143", null]);
    assert_eq!(json!(numbers), expected);
    for country in ["DE", "de", "Germany", "Allemagne"] {
        let identifiers = find_values(&client, json!({ "country": country }), "original_identifier").await;
        assert_eq!(identifiers.len(), 3, "{country}");
    }

    // The import's default country applies to rows whose country can't be read.
    let german_mapping = map_parameter(json!({ "default_country": "Deutschland" }));
    let import = import_with_query(&client, "leads", &german_mapping, file).await;
    assert_eq!((row_counts(&import), &import["counts"]["undialable"]), ([6, 0, 1, 5, 0], &json!(0)), "{import}");
    let numbers = find_values(&client, json!({ "country": "Atlantis" }), "phone_normalized").await;
    assert_eq!(numbers, ["+4930901823"]);
}
