//! Sync: a reader of the change log and a reader of webhooks end with exactly the rows of the database, despite
//! concurrent writes and crashes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::harness::{Client, Database, Endpoint, Installation, ServerProcess, body, on_each_database};

const WRITER_COUNT: u64 = 8;

/// Pause between two kills.
const KILL_INTERVAL: Duration = Duration::from_millis(1_500);

/// Time limit for the reader to catch up.
const TIMEOUT: Duration = Duration::from_secs(60);

async fn copy_equals_the_database_after_a_minute_of_writes(database: Database) {
    check_sync(database, Duration::from_secs(60)).await;
}
on_each_database!(
    #[ignore = "takes minutes; run with `cargo xtask torture`"]
    copy_equals_the_database_after_a_minute_of_writes
);

/// State that the clients share.
struct Load {
    http: reqwest::Client,
    key: String,
    campaigns: Vec<i64>,
    /// Base URLs of the running processes.
    bases: Mutex<Vec<String>>,
    is_writing: AtomicBool,
    writes: AtomicU64,
}

/// Records by type and id.
type Records = BTreeMap<(String, i64), Value>;

/// Copy of the reader, with counts of the changes it applied.
#[derive(Default)]
struct Copy {
    records: Records,
    cursor: String,
    changes: u64,
    deletions: u64,
    is_at_end: bool,
}

/// Webhooks of the trial. Each has its own URL, because a URL gets one delivery at a time.
const WEBHOOKS: [&[&str]; 3] =
    [&["lead.changed", "lead.deleted"], &["campaign_lead.changed", "campaign_lead.deleted"], &["call.created"]];

/// Writes for some time with several clients while processes are killed. Then checks that the copies of both readers
/// equal the database. On PostgreSQL, two processes serve the API and deliver.
pub async fn check_sync(database: Database, duration: Duration) {
    let database = database.create().await;
    let process_count = if database.is_some() { 2 } else { 1 };
    let mut installation = Installation::with_database(database.as_ref());
    installation.set("LEADSCRIBE_CALLBACK_ALLOWED_NETWORKS", "127.0.0.1");
    // A killed process blocks the endpoint that it was delivering to.
    installation.set("LEADSCRIBE_LEASE_SECONDS", "2");
    let key = installation.create_api_key();
    let mut processes = Vec::new();
    for _ in 0..process_count {
        processes.push(installation.start_all_roles().await);
    }
    let client = processes[0].client().with_key(&key);
    let mut campaigns = Vec::new();
    for number in 0..3 {
        campaigns.push(client.create("/api/campaigns", json!({ "name": format!("campaign {number}") })).await);
    }
    let mut webhooks = Vec::new();
    for events in WEBHOOKS {
        let endpoint = Endpoint::start(&[]).await;
        let webhook = body(json!({ "url": endpoint.url, "events": events }));
        let id = client.post("/api/webhooks", webhook).await.expect(201)["webhook"]["id"].as_i64().unwrap();
        webhooks.push((id, endpoint));
    }
    let cursor = client.get("/api/changes?after=latest").await.expect(200)["next_cursor"].as_str().unwrap().to_owned();
    let load = Arc::new(Load {
        http: reqwest::Client::builder().no_proxy().build().unwrap(),
        key: key.clone(),
        campaigns,
        bases: Mutex::new(processes.iter().map(|process| process.base_url.clone()).collect()),
        is_writing: AtomicBool::new(true),
        writes: AtomicU64::new(0),
    });
    let writers: Vec<_> = (0..WRITER_COUNT).map(|writer| tokio::spawn(write(load.clone(), writer))).collect();
    let copy = Arc::new(Mutex::new(Copy { cursor, ..Copy::default() }));
    let reader = tokio::spawn(follow(load.clone(), copy.clone()));

    let started = Instant::now();
    let mut kill_count = 0;
    while started.elapsed() < duration {
        sleep(KILL_INTERVAL).await;
        let killed = kill_count % process_count;
        processes[killed].kill();
        processes[killed] = installation.start_all_roles().await;
        load.bases.lock().unwrap()[killed].clone_from(&processes[killed].base_url);
        kill_count += 1;
    }
    load.is_writing.store(false, Ordering::SeqCst);
    for writer in writers {
        writer.await.unwrap();
    }
    wait_for_the_end(&copy).await;
    reader.abort();
    let stored = stored_records(&processes[0], &key).await;
    let deliveries = check_webhooks(&processes[0].client().with_key(&key), &webhooks, &stored).await;
    let copy = copy.lock().unwrap();
    let differing: Vec<_> = stored.iter().filter(|(key, record)| copy.records.get(*key) != Some(*record)).collect();
    assert!(
        differing.is_empty(),
        "{} records are missing from the copy or differ: {:.300}",
        differing.len(),
        format!("{differing:?}")
    );
    let extra: Vec<_> = copy.records.keys().filter(|key| !stored.contains_key(*key)).collect();
    assert!(extra.is_empty(), "the copy has deleted records: {extra:?}");
    let (writes, changes) = (load.writes.load(Ordering::SeqCst), copy.changes);
    assert!(copy.deletions > 0 && changes >= stored.len() as u64, "the test proves nothing");
    println!(
        "measured: {kill_count} kills, {writes} acknowledged writes, {changes} changes, {deliveries} deliveries, {} records",
        stored.len()
    );
}

/// Waits until all events are delivered. Then checks that each has one delivery, and that a copy by them equals the database. Returns the
/// number of deliveries.
async fn check_webhooks(client: &Client, webhooks: &[(i64, Endpoint)], stored: &Records) -> u64 {
    let mut copy = Records::new();
    let (mut calls, mut total) = (BTreeSet::new(), 0);
    for (id, endpoint) in webhooks {
        wait_for_deliveries(client, *id).await;
        let count = client.get(&format!("/api/deliveries?webhook_id={id}&limit=1")).await.expect(200)["total"].clone();
        let count = count.as_u64().unwrap();
        let delivered = format!("/api/deliveries?webhook_id={id}&state=delivered&limit=1");
        assert_eq!(client.get(&delivered).await.expect(200)["total"], count, "some deliveries failed");
        let mut events = BTreeSet::new();
        for delivery in endpoint.wait_for(0).await {
            let event: Value = serde_json::from_slice(&delivery.body).unwrap();
            events.insert(event["id"].as_str().unwrap().to_owned());
            let (data, event_type) = (&event["data"], event["type"].as_str().unwrap());
            let record_id = data["id"].as_i64().unwrap();
            let (record_type, _) = event_type.split_once('.').unwrap();
            match (record_type, data["record"].is_null()) {
                ("call", _) => _ = calls.insert(record_id),
                (_, true) => _ = copy.remove(&(record_type.to_owned(), record_id)),
                (_, false) => _ = copy.insert((record_type.to_owned(), record_id), data["record"].clone()),
            }
        }
        // The process may have been killed before it stored that a delivery was accepted, so an event can arrive twice.
        assert_eq!(events.len() as u64, count, "each event of webhook {id} has one delivery");
        total += count;
    }
    let stored_calls = stored.keys().filter(|(record_type, _)| record_type == "call").map(|(_, id)| *id);
    assert_eq!(calls, stored_calls.collect(), "calls by webhook");
    let others = || stored.iter().filter(|((record_type, _), _)| record_type != "call");
    let differing: Vec<_> = others().filter(|(key, record)| copy.get(*key) != Some(*record)).collect();
    assert!(differing.is_empty(), "the copy by webhooks lacks {} records: {differing:?}", differing.len());
    let extra: Vec<_> = copy.keys().filter(|key| !stored.contains_key(*key)).collect();
    assert!(extra.is_empty(), "the copy by webhooks has deleted records: {extra:?}");
    total
}

/// Waits until a webhook has read all changes and delivered all events. The queue may be long, so the timeout applies to each decrease.
async fn wait_for_deliveries(client: &Client, webhook: i64) {
    let counts = async || {
        let total = async |query: &str| {
            let path = format!("/api/deliveries?webhook_id={webhook}&limit=1{query}");
            client.get(&path).await.expect(200)["total"].as_u64().unwrap()
        };
        (total("").await, total("&state=queued").await + total("&state=delivering").await)
    };
    let mut last = counts().await;
    let mut unchanged_since = Instant::now();
    // New changes are read every second.
    while last.1 > 0 || unchanged_since.elapsed() < Duration::from_secs(5) {
        sleep(Duration::from_millis(200)).await;
        let current = counts().await;
        if current != last {
            (last, unchanged_since) = (current, Instant::now());
        }
        assert!(unchanged_since.elapsed() < TIMEOUT, "webhook {webhook} delivers nothing: {last:?}");
    }
}

impl Load {
    /// Sends a request to one of the processes. Returns `None` if there is no response or the request is rejected.
    async fn send(&self, random: u64, method: Method, path: &str, body: Value) -> Option<Value> {
        let base = {
            let bases = self.bases.lock().unwrap();
            bases[random as usize % bases.len()].clone()
        };
        let request = self.http.request(method, format!("{base}{path}")).bearer_auth(&self.key);
        let request = if body.is_null() { request } else { request.json(&body) };
        let response = request.send().await.ok()?;
        let is_success = response.status().is_success();
        let body = response.bytes().await.ok()?;
        is_success.then(|| serde_json::from_slice(&body).unwrap_or_default())
    }
}

/// Creates, changes and deletes records at random. Several writers use the same records.
async fn write(load: Arc<Load>, writer: u64) {
    let mut random = StdRng::seed_from_u64(writer);
    let (mut leads, mut campaign_leads, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    while load.is_writing.load(Ordering::SeqCst) {
        let pick = |ids: &Vec<i64>, random: &mut StdRng| ids.get(random.random_range(0..ids.len().max(1))).copied();
        let process = random.random();
        // Ids of other writers are near those of this writer.
        let near = |id: i64, random: &mut StdRng| (id + random.random_range(-3..=3)).max(1);
        let result = match random.random_range(0..10) {
            0..=1 => {
                let created = load.send(process, Method::POST, "/api/leads", json!({ "city": "Bonn" })).await;
                leads.extend(created.iter().filter_map(|lead| lead["id"].as_i64()));
                created
            }
            2..=3 => {
                let Some(lead) = pick(&leads, &mut random) else { continue };
                let path = format!("/api/leads/{}", near(lead, &mut random));
                let zip = random.random_range(0..1_000_000).to_string();
                load.send(process, Method::PATCH, &path, json!({ "zip": zip })).await
            }
            4 => {
                let Some(lead) = pick(&leads, &mut random) else { continue };
                load.send(process, Method::DELETE, &format!("/api/leads/{lead}"), Value::Null).await
            }
            5..=6 => {
                let Some(lead) = pick(&leads, &mut random) else { continue };
                let campaign = load.campaigns[random.random_range(0..load.campaigns.len())];
                let body = json!({ "lead_id": lead, "campaign_id": campaign });
                let created = load.send(process, Method::POST, "/api/campaign-leads", body).await;
                campaign_leads.extend(created.iter().filter_map(|entry| entry["id"].as_i64()));
                created
            }
            7 => {
                let Some(entry) = pick(&campaign_leads, &mut random) else { continue };
                let path = format!("/api/campaign-leads/{}", near(entry, &mut random));
                if random.random() {
                    load.send(process, Method::DELETE, &path, Value::Null).await
                } else {
                    let weight = random.random_range(0..1_000);
                    load.send(process, Method::PATCH, &path, json!({ "weight": weight })).await
                }
            }
            8 => {
                let lead = pick(&leads, &mut random);
                let body = json!({ "direction": "inbound", "status": "answered", "lead_id": lead });
                let created = load.send(process, Method::POST, "/api/calls", body).await;
                calls.extend(created.iter().filter_map(|call| call["id"].as_i64()));
                created
            }
            _ => {
                let Some(call) = pick(&calls, &mut random) else { continue };
                let path = format!("/api/calls/{}", near(call, &mut random));
                let agent = random.random_range(0..1_000).to_string();
                load.send(process, Method::PATCH, &path, json!({ "agent": agent })).await
            }
        };
        match result {
            Some(_) => _ = load.writes.fetch_add(1, Ordering::SeqCst),
            None => sleep(Duration::from_millis(5)).await,
        }
    }
}

/// Follows the changes of all processes, as docs/SYNC.md describes.
async fn follow(load: Arc<Load>, copy: Arc<Mutex<Copy>>) {
    for process in 0.. {
        let path = format!("/api/changes?limit=100&wait=1&after={}", copy.lock().unwrap().cursor);
        let Some(page) = load.send(process, Method::GET, &path, Value::Null).await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        let mut copy = copy.lock().unwrap();
        for item in page["items"].as_array().unwrap() {
            let key = (item["type"].as_str().unwrap().to_owned(), item["id"].as_i64().unwrap());
            if item["change"] == "delete" {
                copy.records.remove(&key);
                copy.deletions += 1;
            } else {
                copy.records.insert(key, item["record"].clone());
            }
            copy.changes += 1;
        }
        copy.is_at_end = page["items"].as_array().unwrap().is_empty() && page["has_more"] == false;
        page["next_cursor"].as_str().unwrap().clone_into(&mut copy.cursor);
    }
}

/// Waits until the reader gets an empty page. Transactions of killed processes may end later.
async fn wait_for_the_end(copy: &Mutex<Copy>) {
    let deadline = Instant::now() + TIMEOUT;
    sleep(Duration::from_secs(1)).await;
    copy.lock().unwrap().is_at_end = false;
    while !copy.lock().unwrap().is_at_end {
        assert!(Instant::now() < deadline, "the reader doesn't reach the end of the changes");
        sleep(Duration::from_millis(50)).await;
    }
}

/// Returns all records of the database, as the lists return them.
async fn stored_records(process: &ServerProcess, key: &str) -> Records {
    let client = process.client().with_key(key);
    let mut records = Records::new();
    // Any filter is required; this one matches all leads.
    let export = client.get("/api/leads/export?format=jsonl&filter=%7B%22limit%22:%221;0%22%7D").await;
    assert_eq!(export.status, 200);
    for line in export.text().lines() {
        let mut lead: Value = serde_json::from_str(line).unwrap();
        for entry in lead["campaigns"].as_array().unwrap() {
            let id = entry["campaign_lead_id"].as_i64().unwrap();
            let record = client.get(&format!("/api/campaign-leads/{id}")).await.expect(200);
            records.insert(("campaign_lead".to_owned(), id), record);
        }
        // A change has the lead's own members.
        lead.as_object_mut().unwrap().retain(|name, _| name != "campaigns" && name != "not_callable_reasons");
        records.insert(("lead".to_owned(), lead["id"].as_i64().unwrap()), lead);
    }
    for offset in (0..).step_by(1_000) {
        let page = client.get(&format!("/api/calls?order=id&limit=1000;{offset}")).await.expect(200);
        let calls = page["items"].as_array().unwrap();
        records.extend(calls.iter().map(|call| (("call".to_owned(), call["id"].as_i64().unwrap()), call.clone())));
        if calls.len() < 1_000 {
            return records;
        }
    }
    records
}
