//! Clients of a server that will be killed, and a ledger of its responses. What the server acknowledged must survive.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use reqwest::{RequestBuilder, StatusCode};
use serde_json::{Value, json};

use super::{Client, assert_one_transcript_each, sample_recording, submission_body, submission_outcome};

/// Requests sent, and results that were received completely.
#[derive(Debug, Default)]
pub struct Ledger {
    /// Accepted calls: transcription id by call id.
    accepted: Mutex<BTreeMap<u64, u64>>,
    /// Created leads: identifier by id.
    leads: Mutex<BTreeMap<u64, String>>,
    /// Calls that were submitted without a response. They are submitted again under the same idempotency key.
    unanswered: Mutex<Vec<u64>>,
    /// Number of leads requested so far. It makes the identifier of the next lead unique.
    leads_requested: AtomicU64,
}

/// Clients, each with its own connections and one request at a time.
pub struct ClientPool {
    clients: usize,
    key: String,
    token: String,
    recording: Vec<u8>,
    pub ledger: Arc<Ledger>,
}

impl Ledger {
    /// Returns the number of accepted calls.
    pub fn accepted(&self) -> usize {
        self.accepted.lock().unwrap().len()
    }

    /// Returns the number of responses whose data must survive.
    pub fn acknowledged_writes(&self) -> usize {
        self.accepted() + self.leads.lock().unwrap().len()
    }

    /// Returns accepted calls whose stored transcription is missing or differs from the response.
    pub async fn lost_calls(&self, client: &Client) -> Vec<u64> {
        let accepted = self.accepted.lock().unwrap().clone();
        let mut lost = Vec::new();
        for (call, transcription) in accepted {
            let transcriptions = client.get(&format!("/api/calls/{call}/transcriptions")).await;
            let ids = |transcriptions: &Value| {
                transcriptions
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|transcription| transcription["id"].as_u64())
                    .collect::<Vec<_>>()
            };
            if transcriptions.status != 200 || ids(&transcriptions.json()) != [Some(transcription)] {
                lost.push(call);
            }
        }
        lost
    }

    /// Checks that each accepted call has exactly one result with this text, that there are no other results, and that
    /// each lead exists exactly once.
    pub async fn assert_durable(&self, client: &Client, text: &str) {
        assert_eq!(self.lost_calls(client).await, Vec::<u64>::new(), "accepted calls were lost");
        let accepted: Vec<u64> = self.accepted.lock().unwrap().keys().copied().collect();
        let completed = assert_one_transcript_each(client, &accepted, text).await;
        let unanswered = self.unanswered.lock().unwrap().len();
        assert!((accepted.len()..=accepted.len() + unanswered).contains(&(completed as usize)), "{completed} results");

        let (leads, requested) = (self.leads.lock().unwrap().clone(), self.leads_requested.load(Ordering::SeqCst));
        let mut seen = BTreeSet::new();
        let mut stored = BTreeMap::new();
        for offset in (0..=requested).step_by(1_000) {
            let page = json!({ "limit": format!("1000;{offset}"), "_fields": ["id", "original_identifier"] });
            let page = client.put("/api/leads/extended-data", page.to_string()).await.expect(200);
            for lead in page["leads"].as_array().unwrap() {
                let identifier = lead["original_identifier"].as_str().unwrap().to_owned();
                assert!(seen.insert(identifier.clone()), "duplicate {identifier}");
                stored.insert(lead["id"].as_u64().unwrap(), identifier);
            }
        }
        let lost: Vec<_> = leads.iter().filter(|(id, identifier)| stored.get(id) != Some(identifier)).collect();
        assert!(lost.is_empty(), "created leads were lost: {lost:?}");
    }
}

impl ClientPool {
    /// Returns `clients` clients with an API key and a token. They submit calls with a fixed recording.
    pub fn new(clients: usize, key: &str, token: &str) -> Self {
        let (key, token, recording) = (key.to_owned(), token.to_owned(), sample_recording("librivox_0880.wav"));
        Self { clients, key, token, recording, ledger: Arc::default() }
    }

    /// Starts sending requests to the server at `base`. Each client stops at the first request without a response.
    pub fn start(self: &Arc<Self>, base: &str) -> Vec<tokio::task::JoinHandle<()>> {
        let spawn_client = |_| {
            let (pool, base) = (self.clone(), base.to_owned());
            let http = reqwest::Client::builder().no_proxy().build().unwrap();
            tokio::spawn(async move { while pool.run_iteration(&http, &base).await.is_some() {} })
        };
        (0..self.clients).map(spawn_client).collect()
    }

    /// Submits unanswered calls again, to a server that stays up.
    pub async fn resubmit_unanswered(&self, base: &str) {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        while let Some(call) = self.pop_unanswered() {
            self.submit(&http, base, call).await.expect("an answer");
        }
    }

    /// Creates a lead, a call and a recording, and submits the call. An unanswered call is submitted instead if there
    /// is one. Returns `None` if a response is missing.
    async fn run_iteration(&self, http: &reqwest::Client, base: &str) -> Option<()> {
        let call = match self.pop_unanswered() {
            Some(call) => call,
            None => self.create_recorded_call(http, base).await?,
        };
        self.submit(http, base, call).await?;
        let number = self.ledger.leads_requested.fetch_add(1, Ordering::SeqCst);
        let identifier = format!("lead {number}");
        let body = json!({ "original_identifier": identifier }).to_string();
        let (_, lead) = self.send(post(http, format!("{base}/api/leads"), body), 201).await?;
        self.ledger.leads.lock().unwrap().insert(lead["id"].as_u64().unwrap(), identifier);
        Some(())
    }

    fn pop_unanswered(&self) -> Option<u64> {
        self.ledger.unanswered.lock().unwrap().pop()
    }

    async fn create_recorded_call(&self, http: &reqwest::Client, base: &str) -> Option<u64> {
        let body = json!({ "direction": "inbound", "status": "answered" }).to_string();
        let (_, call) = self.send(post(http, format!("{base}/api/calls"), body), 201).await?;
        let call = call["id"].as_u64().unwrap();
        let upload = http.put(format!("{base}/api/calls/{call}/recording")).header("content-type", "audio/wav");
        self.send(upload.body(self.recording.clone()), 200).await?;
        Some(call)
    }

    /// Submits a call, and records its acceptance after the complete response.
    async fn submit(&self, http: &reqwest::Client, base: &str, call: u64) -> Option<()> {
        let request = post(http, format!("{base}/api/speech-recognition"), submission_body(&self.token, &[call]));
        let Some((status, answer)) = self.send(request.header("idempotency-key", format!("call-{call}")), 200).await
        else {
            self.ledger.unanswered.lock().unwrap().push(call);
            return None;
        };
        if status == StatusCode::CONFLICT {
            // The killed server left a connection on which the database is still working.
            assert_eq!(answer["code"], "idempotency_in_flight", "{answer}");
            self.ledger.unanswered.lock().unwrap().push(call);
            return Some(());
        }
        // Also holds if the first attempt succeeded and its response was lost: the response is replayed under its key.
        assert_eq!(submission_outcome(&answer, call), "accepted", "{answer}");
        let transcription = answer["results"]["calls"][call.to_string()]["transcription_id"].as_u64().unwrap();
        self.ledger.accepted.lock().unwrap().insert(call, transcription);
        Some(())
    }

    /// Returns the response, which has the expected status or says that the key is in use. `None` if the server is
    /// gone.
    async fn send(&self, request: RequestBuilder, expected: u16) -> Option<(StatusCode, Value)> {
        let response = request.bearer_auth(&self.key).send().await.ok()?;
        let status = response.status();
        let body: Value = response.json().await.ok()?;
        assert!(status == expected || status == StatusCode::CONFLICT, "expected {expected}, found {status}: {body}");
        Some((status, body))
    }
}

fn post(http: &reqwest::Client, url: String, body: String) -> RequestBuilder {
    http.post(url).header("content-type", "application/json").body(body)
}
