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
use leadscribe_engine::callback::Template;
use leadscribe_engine::record::CallRecord;
use leadscribe_engine::submission::Submission;
use leadscribe_server::clock::{Clock, SystemClock};
use leadscribe_server::storage::postgres::PostgresStore;
use leadscribe_server::storage::sqlite::SqliteStore;
use leadscribe_server::storage::{
    AfterAttempt, ByClaim, NewTranscript, Origin, RecordingKey, Slice, Store, Target, TranscriptQuery,
};

/// Number of transcripts, and of deliveries that one request queues.
const TRANSCRIPTS: u32 = 1_000;

/// Number of claims of each kind.
const CLAIMS: usize = 100;

/// Longer than the measurement takes.
const LEASE: TimeDelta = TimeDelta::hours(1);

#[tokio::main]
async fn main() -> Result<()> {
    let database = std::env::args().nth(1).context("expected a path or a URL")?;
    let count: u32 = std::env::args().nth(2).map_or(Ok(100_000), |count| count.parse())?;
    let store: Arc<dyn Store> = if database.starts_with("postgres") {
        Arc::new(PostgresStore::open(&database, None, 4)?)
    } else {
        Arc::new(SqliteStore::open(Path::new(&database))?)
    };
    let token = transcribe(&*store).await?;
    queue(&*store, token, "https://slow.example/", count).await?;
    let busy = store.claim_delivery(LEASE, SystemClock.now()).await?;
    ensure!(busy.is_some(), "expected a delivery to claim, found none");

    let mut idle = Vec::new();
    for _ in 0..CLAIMS {
        let begin = Instant::now();
        let none = store.claim_delivery(LEASE, SystemClock.now()).await?;
        idle.push(begin.elapsed().as_secs_f64() * 1_000_000.0);
        ensure!(none.is_none(), "expected the endpoint to be busy");
    }
    queue(&*store, token, "https://fast.example/", TRANSCRIPTS).await?;
    let mut found = Vec::new();
    for _ in 0..CLAIMS {
        let begin = Instant::now();
        let claimed = store.claim_delivery(LEASE, SystemClock.now()).await?;
        found.push(begin.elapsed().as_secs_f64() * 1_000_000.0);
        let claim = claimed.context("expected a delivery to claim, found none")?.claim;
        let now = SystemClock.now();
        let attempt = DeliveryAttempt { number: 0, at: now, duration_ms: 1, status: Some(204), error: None };
        let done = store.finish_attempt(claim, &attempt, AfterAttempt::Delivered, now).await?;
        ensure!(done == ByClaim::Done, "expected the claim to hold");
    }
    println!("{:.0} {:.0}", median(idle), median(found));
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn by() -> Origin {
    Origin { actor: "command_line".to_owned(), request_id: None, at: SystemClock.now() }
}

/// Queues `count` deliveries to this URL.
async fn queue(store: &dyn Store, token: TokenId, url: &str, count: u32) -> Result<()> {
    let target = Target { url: url.to_owned(), method: CallbackMethod::Post, template: Template::default() };
    let slice = Slice { count: TRANSCRIPTS, offset: 0 };
    for _ in 0..count.div_ceil(TRANSCRIPTS) {
        store.create_speech_request(token, &TranscriptQuery::default(), slice, &target, u64::MAX, &by()).await?;
    }
    Ok(())
}

/// Creates calls with transcripts of a token.
async fn transcribe(store: &dyn Store) -> Result<TokenId> {
    let token = store.create_speech_token("claims", [1; 32], "lst_ab", &by()).await?.id;
    let mut call_ids = Vec::new();
    for _ in 0..TRANSCRIPTS {
        let record = CallRecord {
            direction: Some(Direction::Outbound),
            status: Some(CallStatus::Answered),
            ..CallRecord::default()
        };
        let call = store.create_call(record, &by()).await?.id;
        let recording = Recording {
            state: RecordingState::Ready,
            media_type: Some("audio/wav".to_owned()),
            channels: Some(2),
            sample_rate: Some(8_000),
            duration_seconds: Some(60.0),
            bytes: Some(16_000),
        };
        store.set_recording(call, &recording, Some(&RecordingKey(call.to_string())), &by()).await?;
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
    };
    store.submit(&submission, token, false, None, &by()).await?;
    let transcript = NewTranscript {
        language: None,
        duration: 60.0,
        segments: Vec::new(),
        sides: Vec::new(),
        dropped: Vec::new(),
        redactions: 0,
        engine: SpeechEngine { name: "none".to_owned(), model: "none".to_owned() },
    };
    while let Some(claimed) = store.claim_transcription(LEASE, SystemClock.now()).await? {
        let done = store.complete_transcription(claimed.claim, &transcript, SystemClock.now()).await?;
        ensure!(done == ByClaim::Done, "expected the claim to hold");
    }
    Ok(token)
}
