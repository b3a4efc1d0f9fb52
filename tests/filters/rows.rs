//! Leads and campaign leads with random values, sent to the server one by one.

use chrono::{DateTime, Utc};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use serde_json::{Map, Value, json};

use super::fields::{self, CAMPAIGNS, CUSTOM, FIELDS, Random, Source};
use crate::harness::{Client, Server, body};

/// Stores campaigns, users and `count` leads with none to three campaign leads each. Returns the leads ordered by id,
/// as the server returns them, each with all its campaigns.
pub async fn store(server: &Server, count: usize, random: &mut Random) -> Vec<Value> {
    let client = server.admin();
    for name in CAMPAIGNS {
        client.post("/api/campaigns", body(json!({ "name": name }))).await.expect(201);
    }
    for email in ["one@example.com", "two@example.com"] {
        let user = json!({ "email": email, "password": "correct horse battery", "role": "viewer" });
        client.post("/api/users", body(user)).await.expect(201);
    }
    let mut sent = Vec::new();
    for _ in 0..count {
        sent.push(store_lead(server, &client, random).await);
    }
    server.set_clock(fields::now());
    let leads = all(&client).await;
    assert_eq!(leads.len(), count);
    for (lead, sent) in leads.iter().zip(&sent) {
        assert_kept(sent, lead);
    }
    leads
}

/// Sends a lead and its campaign leads, and returns the expected result.
async fn store_lead(server: &Server, client: &Client, random: &mut Random) -> Value {
    let mut lead = record(random, Source::Lead, Source::LeadRequired);
    let mut custom = Map::new();
    for name in CUSTOM {
        if random.random_bool(0.5) {
            custom.insert((*name).to_owned(), fields::custom(random));
        }
    }
    lead.insert("custom_fields".to_owned(), Value::Object(custom));
    let created_at = at(server, random);
    let stored = client.post("/api/leads", body(lead.clone())).await.expect(201);
    lead.insert("created_at".to_owned(), json!(created_at));
    lead.insert("updated_at".to_owned(), json!(created_at));
    if random.random_bool(0.5) {
        let updated_at = at(server, random);
        let city = format!("city {updated_at}");
        client.patch(&format!("/api/leads/{}", stored["id"]), body(json!({ "city": city }))).await.expect(200);
        lead.insert("city".to_owned(), json!(city));
        lead.insert("updated_at".to_owned(), json!(updated_at));
    }
    let memberships = *[0, 0, 1, 1, 1, 2, 2, 3].choose(random).unwrap();
    let mut ids: Vec<_> = (1..=CAMPAIGNS.len()).collect();
    ids.shuffle(random);
    let mut campaigns = Vec::new();
    for campaign_id in ids.into_iter().take(memberships) {
        let mut campaign_lead = record(random, Source::CampaignLead, Source::CampaignLeadRequired);
        campaign_lead.insert("lead_id".to_owned(), stored["id"].clone());
        campaign_lead.insert("campaign_id".to_owned(), json!(campaign_id));
        let created_at = at(server, random);
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
fn record(random: &mut Random, optional: Source, required: Source) -> Map<String, Value> {
    let mut record = Map::new();
    for field in FIELDS.iter().filter(|field| [optional, required].contains(&field.source)) {
        let null = field.source == optional && random.random_bool(0.3);
        let value = if null { Value::Null } else { fields::value(field.pool, random) };
        record.insert(field.keys[0].to_owned(), value);
    }
    record
}

/// Sets the clock to a random time, and returns it as the server stores it.
fn at(server: &Server, random: &mut Random) -> DateTime<Utc> {
    let at = fields::moment(random);
    server.set_clock(at);
    at
}

/// Returns all leads with all their campaigns.
async fn all(client: &Client) -> Vec<Value> {
    let answer = client.put("/api/leads/extended-data", r#"{"limit":"1000;0"}"#).await.expect(200);
    answer["leads"].as_array().unwrap().clone()
}

/// Checks that the server returns what was sent, so that rows aren't only compared with themselves.
fn assert_kept(sent: &Value, answered: &Value) {
    match (sent, answered) {
        (Value::Object(sent), Value::Object(answered)) => {
            for (name, sent) in sent {
                assert_kept(sent, answered.get(name).unwrap_or(&Value::Null));
            }
        }
        (Value::Array(sent), Value::Array(answered)) => {
            assert_eq!(sent.len(), answered.len());
            sent.iter().zip(answered).for_each(|(sent, answered)| assert_kept(sent, answered));
        }
        (Value::Number(sent), Value::Number(answered)) => assert_eq!(sent.as_f64(), answered.as_f64()),
        (sent, answered) => assert_eq!(same_time(sent), same_time(answered)),
    }
}

/// Normalises times, which may have more or fewer digits.
fn same_time(value: &Value) -> Value {
    let moment = value.as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    moment.map_or_else(|| value.clone(), |moment| json!(moment.to_utc().timestamp_micros()))
}
