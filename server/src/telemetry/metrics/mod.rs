//! Measurements, in the Prometheus text format. [`table`] says what is measured; what isn't counted as it happens is looked
//! up when somebody asks ([`crate::service::vital_signs`]).

mod table;

use std::sync::OnceLock;
use std::time::Duration;

use anyhow::Context;
use chrono::TimeDelta;
use http::Method;
use leadscribe_engine::api::Timestamp;
use metrics::{counter, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::storage::{Backlog, Connections, LeadIndexState};
use crate::telemetry;
use table::*;

/// Bounds of the histogram of request durations, in seconds: from an answer out of memory to what only work on files takes.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0];

/// Bounds of the histograms of recordings and of the work on them, in seconds: from a greeting to a call of three hours.
const RECORDING_BUCKETS: [f64; 10] = [1.0, 5.0, 15.0, 30.0, 60.0, 180.0, 600.0, 1_800.0, 3_600.0, 10_800.0];

/// Bounds of the histogram of real-time factors: from a graphics card to a machine that falls behind.
const REAL_TIME_BUCKETS: [f64; 9] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0];

/// How often old samples are cleared away.
const UPKEEP: Duration = Duration::from_secs(5);

static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// Starts measuring, and keeps the measurements small while the process runs. Call it within a tokio runtime.
///
/// # Errors
/// When something else measures in this process already.
pub fn init() -> anyhow::Result<()> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Full(DURATION.to_owned()), &BUCKETS)
        .and_then(|builder| builder.set_buckets_for_metric(Matcher::Full(AUDIO.to_owned()), &RECORDING_BUCKETS))
        .and_then(|builder| builder.set_buckets_for_metric(Matcher::Full(RECOGNITION.to_owned()), &RECORDING_BUCKETS))
        .and_then(|builder| builder.set_buckets_for_metric(Matcher::Full(REAL_TIME.to_owned()), &REAL_TIME_BUCKETS))
        .and_then(PrometheusBuilder::install_recorder)
        .context("measuring can't be started")?;
    table::describe();
    table::begin();
    let upkeep = handle.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(UPKEEP).await;
            upkeep.run_upkeep();
        }
    });
    RECORDER.get_or_init(|| handle);
    Ok(())
}

/// All measurements; empty when measuring was not started.
pub fn render() -> String {
    RECORDER.get().map(PrometheusHandle::render).unwrap_or_default()
}

/// Something that is counted while it lasts.
#[derive(Debug)]
#[must_use = "it is counted while this lives"]
pub struct Lasting(&'static str, f64);

impl Lasting {
    fn new(name: &'static str, count: f64) -> Self {
        gauge!(name).increment(count);
        Self(name, count)
    }
}

impl Drop for Lasting {
    fn drop(&mut self) {
        gauge!(self.0).decrement(self.1);
    }
}

/// A request that is being carried out.
pub fn running() -> Lasting {
    Lasting::new(RUNNING, 1.0)
}

/// Bytes of a large answer that is on its way.
pub fn answer(bytes: usize) -> Lasting {
    Lasting::new(ANSWERS, bytes as f64)
}

/// A connection that is open.
pub fn connection() -> Lasting {
    Lasting::new(CONNECTIONS, 1.0)
}

/// A request that was answered. `route` is the template of its path; `took` is the server's own time.
pub fn request(method: &Method, route: &str, status: u16, took: Duration) {
    let method = telemetry::method(method).to_owned();
    let labels = [("route", route.to_owned()), ("method", method), ("status", status.to_string())];
    counter!(REQUESTS, &labels).increment(1);
    histogram!(DURATION, &labels[..2]).record(took.as_secs_f64());
}

/// A request was refused because as many as permitted were being carried out, or as much was on its way to clients.
pub fn shed() {
    counter!(SHED).increment(1);
}

/// A read was answered by the `replica`, or by the `primary` though there is a replica.
pub fn read(from: &'static str) {
    counter!(READS, "from" => from).increment(1);
}

/// A handshake of TLS failed.
pub fn handshake_failed() {
    counter!(HANDSHAKES_FAILED).increment(1);
}

/// The certificate that is shown is valid until then.
pub fn certificate_expires(at: Timestamp) {
    gauge!(CERTIFICATE_EXPIRY).set(at.timestamp() as f64);
}

/// Whether the database answered in time.
pub fn store_up(is_up: bool) {
    gauge!(STORE_UP).set(f64::from(u8::from(is_up)));
}

/// What waits and what is under way, as it was at `now`.
pub fn backlog(backlog: &Backlog, now: Timestamp) {
    // A clock that was set back makes no negative age.
    let age =
        |since: Option<Timestamp>| since.map_or(0.0, |since| (now - since).max(TimeDelta::zero()).as_seconds_f64());
    gauge!(TRANSCRIPTIONS_OPEN, "state" => "queued").set(backlog.transcriptions_queued as f64);
    gauge!(TRANSCRIPTIONS_OPEN, "state" => "processing").set(backlog.transcriptions_processing as f64);
    gauge!(TRANSCRIPTIONS_AGE).set(age(backlog.oldest_queued_at));
    gauge!(DELIVERIES_OPEN, "state" => "queued").set(backlog.deliveries_queued as f64);
    gauge!(DELIVERIES_OPEN, "state" => "delivering").set(backlog.deliveries_delivering as f64);
    gauge!(DELIVERIES_DUE).set(age(backlog.first_due_at));
}

/// How busy the connections to the database are.
pub fn connections(connections: Connections) {
    let Connections { most, used, idle, waiting, writes_waiting } = connections;
    gauge!(DATABASE_MOST).set(most as f64);
    gauge!(DATABASE_USED).set(used as f64);
    gauge!(DATABASE_IDLE).set(idle as f64);
    gauge!(DATABASE_WAITING, "queue" => "connections").set(waiting as f64);
    if let Some(writes) = writes_waiting {
        gauge!(DATABASE_WAITING, "queue" => "writer").set(writes as f64);
    }
}

/// The leads in memory; none while they aren't there.
pub fn lead_index(state: Option<LeadIndexState>) {
    gauge!(INDEX_READY).set(f64::from(u8::from(state.is_some())));
    let LeadIndexState { leads, bytes, behind } = state.unwrap_or_default();
    gauge!(INDEX_LEADS).set(leads as f64);
    gauge!(INDEX_BYTES).set(bytes as f64);
    gauge!(INDEX_BEHIND).set(behind.as_secs_f64());
}

/// Whether the recogniser of this process is there.
pub fn recognizer(is_ready: bool) {
    gauge!(RECOGNIZER_READY).set(f64::from(u8::from(is_ready)));
}

/// The recogniser could not take a recording: `refused`, `invalid_answer` or `unavailable`.
pub fn recognizer_failed(reason: &'static str) {
    counter!(RECOGNIZER_FAILURES, "reason" => reason).increment(1);
}

/// Room on the file system of the data folder, in bytes.
pub fn disk(free: u64, size: u64) {
    gauge!(DISK_FREE).set(free as f64);
    gauge!(DISK_SIZE).set(size as f64);
}

/// An attempt at a transcription ended: `completed`, `retried`, `failed`, `lost`, `unknown` or `released`.
pub fn transcription(outcome: &'static str) {
    counter!(TRANSCRIPTIONS, "outcome" => outcome).increment(1);
}

/// So many seconds of a recording were transcribed in so many.
pub fn recognized(audio_seconds: f64, seconds: f64) {
    histogram!(AUDIO).record(audio_seconds);
    histogram!(RECOGNITION).record(seconds);
    if audio_seconds > 0.0 {
        histogram!(REAL_TIME).record(seconds / audio_seconds);
    }
}

/// An attempt at a delivery ended: `delivered`, `retried`, `failed`, `stopped`, `lost`, `unknown` or `released`.
pub fn delivery(outcome: &'static str) {
    counter!(DELIVERIES, "outcome" => outcome).increment(1);
}
