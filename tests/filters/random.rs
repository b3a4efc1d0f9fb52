//! Random filters over random rows: ids, totals and returned campaign leads must equal those of the reference, on each
//! database, with and without the lead index.

use leadscribe_server::config::Switch;
use rand::SeedableRng;
use serde_json::{Value, json};

use super::conditions;
use super::fields::{self, Rng};
use super::reference::{self, SearchResult};
use super::rows;
use crate::harness::{Client, Database, Response as HttpResponse, Server, body, on_each_database};

/// Number of leads. They fit on one page.
const LEAD_COUNT: usize = 600;

const FILTER_COUNT: usize = 2_500;

/// Number of differences to show before the test fails.
const MAX_SHOWN_DIFFERENCES: usize = 8;

on_each_database!(filters_match_the_reference_evaluator);

async fn filters_match_the_reference_evaluator(database: Database) {
    let mut random = Rng::seed_from_u64(1);
    let server = Server::start_on(database, fields::now()).await;
    // All rows are written through this server, so that the other one's lead index follows foreign writes.
    let without_index = server.start_sibling(|config| config.leads.index = Switch::Off).await;
    let leads = rows::store(&without_index, LEAD_COUNT, &mut random).await;
    let clients = [server.admin(), without_index.admin()];

    let mut differences = Vec::new();
    let mut selective_filters = 0;
    for _ in 0..FILTER_COUNT {
        let filter = conditions::filter(&mut random);
        let expected = reference::evaluate(&filter, &leads, fields::now());
        selective_filters += usize::from(expected.total > 0 && expected.total < LEAD_COUNT as u64);
        for client in &clients {
            differences.extend(describe_difference(&body(filter.clone()), &search(client, &filter).await, &expected));
        }
        assert!(differences.len() < MAX_SHOWN_DIFFERENCES, "{}", differences.join("\n\n"));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    // Filters that match nothing or everything would prove little.
    assert!(selective_filters > FILTER_COUNT / 3, "only {selective_filters} of {FILTER_COUNT} filters are selective");

    for client in &clients {
        check_flat_filters(client, &leads, &mut random.clone()).await;
    }
}

/// Checks that searches by query parameters return the leads of the reference evaluator.
async fn check_flat_filters(client: &Client, leads: &[Value], random: &mut Rng) {
    let mut differences = Vec::new();
    for _ in 0..FILTER_COUNT / 5 {
        let pairs = conditions::flat_filter(random);
        let filter: Value = pairs.iter().cloned().collect::<serde_json::Map<_, _>>().into();
        let mut expected = reference::evaluate(&filter, leads, fields::now());
        expected.page.iter_mut().for_each(|(_, campaigns)| campaigns.clear());
        let path = query("/api/leads", filter.as_object().unwrap());
        differences.extend(describe_difference(&path, &client.get(&path).await, &expected));
        assert!(differences.len() < MAX_SHOWN_DIFFERENCES, "{}", differences.join("\n\n"));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

async fn search(client: &Client, filter: &Value) -> HttpResponse {
    client.put("/api/leads/extended-data", body(filter.clone())).await
}

/// Returns a readable description of an unexpected response.
fn describe_difference(request: &str, response: &HttpResponse, expected: &SearchResult) -> Option<String> {
    if response.status != 200 {
        return Some(format!("{request}\n  was refused: {}", response.text()));
    }
    let actual = parse_result(&response.json());
    if actual == *expected {
        return None;
    }
    let missing: Vec<_> = expected.page.iter().filter(|row| !actual.page.contains(row)).take(5).collect();
    let unexpected: Vec<_> = actual.page.iter().filter(|row| !expected.page.contains(row)).take(5).collect();
    Some(format!(
        "{request}\n  total: {} expected, {} found\n  missing or with other campaigns: {missing:?}\n  unexpected: {unexpected:?}",
        expected.total, actual.total
    ))
}

fn parse_result(response: &Value) -> SearchResult {
    let id = |value: &Value| value.as_i64().unwrap();
    let campaigns = |lead: &Value| {
        lead["campaigns"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|campaign_lead| id(&campaign_lead["campaign_lead_id"]))
            .collect()
    };
    SearchResult {
        total: response["total_leads"].as_u64().unwrap(),
        page: response["leads"].as_array().unwrap().iter().map(|lead| (id(&lead["id"]), campaigns(lead))).collect(),
    }
}

fn query(path: &str, filter: &serde_json::Map<String, Value>) -> String {
    let mut url = reqwest::Url::parse("http://localhost").unwrap();
    url.set_path(path);
    for (key, value) in filter {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        url.query_pairs_mut().append_pair(key, &text);
    }
    format!("{}?{}", url.path(), url.query().unwrap_or(""))
}

#[test]
fn reference_evaluator_follows_the_rules() {
    let lead = |id: i64, campaigns: Value| json!({ "id": id, "first_name": "Ann", "last_name": null, "custom_fields": {}, "campaigns": campaigns });
    let campaign = |id: i64, status: &str, calls: i64| json!({ "campaign_lead_id": id, "campaign_id": id, "status": status, "calls_count": calls });
    let leads = [lead(1, json!([campaign(1, "new", 5), campaign(2, "closed", 0)])), lead(2, json!([]))];
    let evaluate = |filter: Value| reference::evaluate(&filter, &leads, fields::now()).page;

    // Both conditions must hold on the same campaign lead.
    assert_eq!(evaluate(json!({ "status": "new", "calls_count": 5 })), [(1, vec![1])]);
    assert_eq!(evaluate(json!({ "status": "closed", "calls_count": 5 })), []);
    // Without a campaign lead even a negation doesn't match.
    assert_eq!(evaluate(json!({ "status": { "not": ["new"] } })), [(1, vec![2])]);
    assert_eq!(evaluate(json!({ "status": null })), []);
    // The absence of a campaign lead can be matched.
    assert_eq!(evaluate(json!({ "campaign_id": null })), [(2, vec![])]);
    assert_eq!(evaluate(json!({ "campaign_id": [1, null], "first_name": "Ann" })), [(1, vec![1]), (2, vec![])]);
    // A missing value is unequal to every other value.
    assert_eq!(evaluate(json!({ "last_name": { "not": "Bee" } })).len(), 2);
    assert_eq!(evaluate(json!({ "last_name": null })).len(), 2);
    assert_eq!(evaluate(json!({ "last_name": { "gt": "" } })), []);
    assert_eq!(evaluate(json!({ "id": [] })), []);
    assert_eq!(evaluate(json!({ "_or": [{ "id": 2 }, { "status": "new" }] })), [(1, vec![1]), (2, vec![])]);
}
