//! Time of a delivery claim while many deliveries wait for a busy endpoint: `claims DATABASE [COUNT]`.
//!
//! `DATABASE` is the path of a new SQLite file, or the URL of an empty PostgreSQL database. `COUNT` deliveries, 100,000
//! by default, wait for one endpoint, which has one in progress. Prints the median microseconds of claims that find
//! nothing to do, and of claims of deliveries to another endpoint.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use leadscribe_engine::callback::{CallbackTarget, Template};
use leadscribe_engine::record::CallRecord;
use leadscribe_engine::submission::Submission;
use leadscribe_server::clock::{Clock, SystemClock};
use leadscribe_server::storage::postgres::PostgresStore;
use leadscribe_server::storage::sqlite::SqliteStore;
use leadscribe_server::storage::{
    AttemptResult, AuditContext, FencedWrite, RecordingKey, Slice, Store, TranscriptQuery,
};
use leadscribe_server::transcript::NewTranscript;

/// Number of transcripts, and of deliveries that one request queues.
const TRANSCRIPT_COUNT: u32 = 1_000;

/// Number of claims of each kind.
const CLAIM_COUNT: usize = 100;

/// Longer than the measurement takes.
const LEASE_DURATION: TimeDelta = TimeDelta::hours(1);

#[tokio::main]
async fn main() -> Result<()> {
    let database = std::env::args().nth(1).context("expected a path or a URL")?;
    let count: u32 = std::env::args().nth(2).map_or(Ok(100_000), |count| count.parse())?;
    let store: Arc<dyn Store> = if database.starts_with("postgres") {
        Arc::new(PostgresStore::open(&database, None, 4)?)
    } else {
        Arc::new(SqliteStore::open(Path::new(&database))?)
    };
    let token = create_transcripts(&*store).await?;
    queue_deliveries(&*store, token, "https://slow.example/", count).await?;
    let first = store.claim_delivery(LEASE_DURATION, SystemClock.now()).await?;
    ensure!(first.is_some(), "there is no delivery to claim");

    let mut empty_claim_micros = Vec::new();
    for _ in 0..CLAIM_COUNT {
        let started = Instant::now();
        let claimed = store.claim_delivery(LEASE_DURATION, SystemClock.now()).await?;
        empty_claim_micros.push(started.elapsed().as_secs_f64() * 1_000_000.0);
        ensure!(claimed.is_none(), "a delivery to a busy endpoint was claimed");
    }
    queue_deliveries(&*store, token, "https://fast.example/", TRANSCRIPT_COUNT).await?;
    let mut claim_micros = Vec::new();
    for _ in 0..CLAIM_COUNT {
        let started = Instant::now();
        let claimed = store.claim_delivery(LEASE_DURATION, SystemClock.now()).await?;
        claim_micros.push(started.elapsed().as_secs_f64() * 1_000_000.0);
        let claim = claimed.context("there is no delivery to claim")?.claim;
        let now = SystemClock.now();
        let attempt = DeliveryAttempt { number: 0, started_at: now, duration_ms: 1, status: Some(204), error: None };
        let write = store.finish_attempt(claim, &attempt, AttemptResult::Delivered, now).await?;
        ensure!(write == FencedWrite::Done, "the claim was lost");
    }
    println!("{:.0} {:.0}", median(empty_claim_micros), median(claim_micros));
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn audit_context() -> AuditContext {
    AuditContext::new("command_line", SystemClock.now())
}

/// Queues `count` deliveries to this URL.
async fn queue_deliveries(store: &dyn Store, token: TokenId, url: &str, count: u32) -> Result<()> {
    let target = CallbackTarget { url: url.to_owned(), method: CallbackMethod::Post, template: Template::default() };
    let slice = Slice { count: TRANSCRIPT_COUNT, offset: 0 };
    for _ in 0..count.div_ceil(TRANSCRIPT_COUNT) {
        store
            .create_speech_request(token, &TranscriptQuery::default(), slice, &target, u64::MAX, &audit_context())
            .await?;
    }
    Ok(())
}

/// Creates calls with transcripts of a token.
async fn create_transcripts(store: &dyn Store) -> Result<TokenId> {
    let token = store.create_speech_token("claims", [1; 32], "lst_ab", &audit_context()).await?.id;
    let mut call_ids = Vec::new();
    for _ in 0..TRANSCRIPT_COUNT {
        let record = CallRecord {
            direction: Some(Direction::Outbound),
            status: Some(CallStatus::Answered),
            ..CallRecord::default()
        };
        let call = store.create_call(record, &audit_context()).await?.id;
        let recording = Recording {
            state: RecordingState::Ready,
            media_type: Some("audio/wav".to_owned()),
            channels: Some(2),
            sample_rate: Some(8_000),
            duration_seconds: Some(60.0),
            bytes: Some(16_000),
        };
        store.set_recording(call, &recording, Some(&RecordingKey(call.to_string())), &audit_context()).await?;
        call_ids.push(call);
    }
    let submission = Submission {
        call_ids,
        token: String::new(),
        languages: vec!["en".to_owned()],
        recording_side: RecordingSide::Both,
        min_duration: 1,
        from: None,
        till: None,
        callback: None,
    };
    store.submit(&submission, token, false, u64::MAX, &audit_context()).await?;
    let transcript = NewTranscript {
        language: None,
        duration: 60.0,
        segments: Vec::new(),
        sides: Vec::new(),
        dropped: Vec::new(),
        redactions: 0,
        engine: SpeechEngine { name: "none".to_owned(), model: "none".to_owned() },
    };
    while let Some(claimed) = store.claim_transcription(LEASE_DURATION, SystemClock.now()).await? {
        let write = store.complete_transcription(claimed.claim, &transcript, SystemClock.now()).await?;
        ensure!(write == FencedWrite::Done, "the claim was lost");
    }
    Ok(token)
}
