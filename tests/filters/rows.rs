//! Leads and campaign leads with random values, sent to the server one by one.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use serde_json::{Map, Value, json};

use super::fields::{self, CAMPAIGNS, CUSTOM_FIELDS, FIELDS, FieldSource, Rng};
use crate::harness::{Client, Server, body};

/// Stores campaigns, users and `count` leads with none to three campaign leads each. Returns the leads ordered by id,
/// as the server returns them, each with all its campaigns.
pub async fn store(server: &Server, count: usize, random: &mut Rng) -> Vec<Value> {
    let client = server.admin();
    for name in CAMPAIGNS {
        client.post("/api/campaigns", body(json!({ "name": name }))).await.expect(201);
    }
    for email in ["one@example.com", "two@example.com"] {
        let user = json!({ "email": email, "password": "correct horse battery", "role": "viewer" });
        client.post("/api/users", body(user)).await.expect(201);
    }
    let mut sent_leads = Vec::new();
    let mut identifiers = HashSet::new();
    for _ in 0..count {
        sent_leads.push(store_lead(server, &client, &mut identifiers, random).await);
    }
    server.set_clock(fields::now());
    let leads = all_leads(&client).await;
    assert_eq!(leads.len(), count);
    for (lead, sent_lead) in leads.iter().zip(&sent_leads) {
        assert_contains_sent(sent_lead, lead);
    }
    leads
}

/// Sends a lead and its campaign leads, and returns the expected result.
async fn store_lead(
    server: &Server,
    client: &Client,
    identifiers: &mut HashSet<Option<Value>>,
    random: &mut Rng,
) -> Value {
    let mut lead = record(random, FieldSource::Lead, FieldSource::LeadRequired);
    if !identifiers.insert(lead.get("original_identifier").cloned()) {
        // Identifiers are unique.
        lead.insert("original_identifier".to_owned(), Value::Null);
    }
    let mut custom = Map::new();
    for name in CUSTOM_FIELDS {
        if random.random_bool(0.5) {
            custom.insert((*name).to_owned(), fields::custom_value(random));
        }
    }
    lead.insert("custom_fields".to_owned(), Value::Object(custom));
    let created_at = set_random_time(server, random);
    let stored = client.post("/api/leads", body(lead.clone())).await.expect(201);
    lead.insert("created_at".to_owned(), json!(created_at));
    lead.insert("updated_at".to_owned(), json!(created_at));
    if random.random_bool(0.5) {
        let updated_at = set_random_time(server, random);
        let city = format!("city {updated_at}");
        client.patch(&format!("/api/leads/{}", stored["id"]), body(json!({ "city": city }))).await.expect(200);
        lead.insert("city".to_owned(), json!(city));
        lead.insert("updated_at".to_owned(), json!(updated_at));
    }
    let campaign_count = *[0, 0, 1, 1, 1, 2, 2, 3].choose(random).unwrap();
    let mut ids: Vec<_> = (1..=CAMPAIGNS.len()).collect();
    ids.shuffle(random);
    let mut campaigns = Vec::new();
    for campaign_id in ids.into_iter().take(campaign_count) {
        let mut campaign_lead = record(random, FieldSource::CampaignLead, FieldSource::CampaignLeadRequired);
        campaign_lead.insert("lead_id".to_owned(), stored["id"].clone());
        campaign_lead.insert("campaign_id".to_owned(), json!(campaign_id));
        let created_at = set_random_time(server, random);
        client.post("/api/campaign-leads", body(campaign_lead.clone())).await.expect(201);
        campaign_lead.remove("lead_id");
        // The evaluator computes its value for the day of the search.
        campaign_lead.remove("calls_today");
        campaign_lead.insert("campaign_name".to_owned(), json!(CAMPAIGNS[campaign_id - 1]));
        campaign_lead.insert("created_at".to_owned(), json!(created_at));
        campaigns.push(Value::Object(campaign_lead));
    }
    lead.insert("campaigns".to_owned(), Value::Array(campaigns));
    Value::Object(lead)
}

/// Returns a random value, or null if permitted, for every field of a body.
fn record(random: &mut Rng, optional: FieldSource, required: FieldSource) -> Map<String, Value> {
    let mut record = Map::new();
    for field in FIELDS.iter().filter(|field| [optional, required].contains(&field.source)) {
        let is_null = field.source == optional && random.random_bool(0.3);
        let value = if is_null { Value::Null } else { fields::field_value(field.pool, random) };
        record.insert(field.keys[0].to_owned(), value);
    }
    record
}

/// Sets the clock to a random time, and returns it.
fn set_random_time(server: &Server, random: &mut Rng) -> DateTime<Utc> {
    let time = fields::random_time(random);
    server.set_clock(time);
    time
}

/// Returns all leads with all their campaigns.
async fn all_leads(client: &Client) -> Vec<Value> {
    let response = client.put("/api/leads/extended-data", r#"{"limit":"1000;0"}"#).await.expect(200);
    response["leads"].as_array().unwrap().clone()
}

/// Checks that the server returns what was sent, so that rows aren't only compared with themselves.
fn assert_contains_sent(sent: &Value, received: &Value) {
    match (sent, received) {
        (Value::Object(sent), Value::Object(received)) => {
            for (name, sent) in sent {
                assert_contains_sent(sent, received.get(name).unwrap_or(&Value::Null));
            }
        }
        (Value::Array(sent), Value::Array(received)) => {
            assert_eq!(sent.len(), received.len());
            sent.iter().zip(received).for_each(|(sent, received)| assert_contains_sent(sent, received));
        }
        (Value::Number(sent), Value::Number(received)) => assert_eq!(sent.as_f64(), received.as_f64()),
        (sent, received) => assert_eq!(normalize_time(sent), normalize_time(received)),
    }
}

/// Normalizes times, which may have more or fewer digits.
fn normalize_time(value: &Value) -> Value {
    let time = value.as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    time.map_or_else(|| value.clone(), |time| json!(time.to_utc().timestamp_micros()))
}
