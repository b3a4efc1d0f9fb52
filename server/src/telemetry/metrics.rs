//! Measurements, in the Prometheus text format.

use std::sync::OnceLock;
use std::time::Duration;

use anyhow::Context;
use chrono::TimeDelta;
use http::Method;
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

const REQUESTS: &str = "leadscribe_http_requests_total";
const DURATION: &str = "leadscribe_http_request_duration_seconds";
const RUNNING: &str = "leadscribe_http_requests_running";
const CONNECTIONS: &str = "leadscribe_http_connections_open";
const QUEUE_DEPTH: &str = "leadscribe_transcriptions_queued";
const QUEUE_AGE: &str = "leadscribe_transcriptions_oldest_queued_seconds";
const TRANSCRIPTIONS: &str = "leadscribe_transcriptions_total";
const AUDIO: &str = "leadscribe_transcribed_audio_seconds";
const RECOGNITION: &str = "leadscribe_transcription_duration_seconds";
const DELIVERIES: &str = "leadscribe_delivery_attempts_total";

/// Bounds of the histogram of request durations, in seconds: from an answer out of memory to the deadline of a body.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0];

/// Bounds of the histograms of recordings and of the work on them, in seconds: from a greeting to a call of three hours.
const RECORDING_BUCKETS: [f64; 10] = [1.0, 5.0, 15.0, 30.0, 60.0, 180.0, 600.0, 1_800.0, 3_600.0, 10_800.0];

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
        .and_then(PrometheusBuilder::install_recorder)
        .context("measuring can't be started")?;
    describe_counter!(REQUESTS, "Requests answered, by route, method and status.");
    describe_histogram!(DURATION, "Time from the head of a request to its answer, in seconds.");
    describe_gauge!(RUNNING, "Requests being carried out.");
    describe_gauge!(CONNECTIONS, "Connections that are open.");
    describe_gauge!(QUEUE_DEPTH, "Transcriptions that wait.");
    describe_gauge!(QUEUE_AGE, "How long the oldest of them has waited, in seconds.");
    describe_counter!(TRANSCRIPTIONS, "Attempts at transcriptions by this process, by how they ended.");
    describe_histogram!(AUDIO, "Length of the recordings that were transcribed, in seconds.");
    describe_histogram!(RECOGNITION, "Time it took to transcribe each of them, in seconds.");
    describe_counter!(DELIVERIES, "Attempts at deliveries by this process, by how they ended.");
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
pub struct Lasting(&'static str);

impl Lasting {
    fn new(name: &'static str) -> Self {
        gauge!(name).increment(1.0);
        Self(name)
    }
}

impl Drop for Lasting {
    fn drop(&mut self) {
        gauge!(self.0).decrement(1.0);
    }
}

/// A request that is being carried out.
pub fn running() -> Lasting {
    Lasting::new(RUNNING)
}

/// A connection that is open.
pub fn connection() -> Lasting {
    Lasting::new(CONNECTIONS)
}

/// A request that was answered. `route` is the template of its path.
pub fn request(method: &Method, route: &str, status: u16, took: Duration) {
    // Methods can be invented by clients; labels must not be.
    let method = match *method {
        Method::GET | Method::HEAD | Method::POST | Method::PUT | Method::PATCH | Method::DELETE | Method::OPTIONS => {
            method.as_str()
        }
        _ => "other",
    };
    let labels = [("route", route.to_owned()), ("method", method.to_owned()), ("status", status.to_string())];
    counter!(REQUESTS, &labels).increment(1);
    histogram!(DURATION, &labels[..2]).record(took.as_secs_f64());
}

/// How many transcriptions wait, and for how long the oldest has.
pub fn set_queue(depth: u64, oldest: Option<TimeDelta>) {
    gauge!(QUEUE_DEPTH).set(depth as f64);
    gauge!(QUEUE_AGE).set(oldest.map_or(0.0, |age| age.as_seconds_f64()));
}

/// An attempt at a transcription ended: `completed`, `retried`, `failed`, `lost` or `released`.
pub fn transcription(outcome: &'static str) {
    counter!(TRANSCRIPTIONS, "outcome" => outcome).increment(1);
}

/// So many seconds of a recording were transcribed in so many.
pub fn recognized(audio_seconds: f64, seconds: f64) {
    histogram!(AUDIO).record(audio_seconds);
    histogram!(RECOGNITION).record(seconds);
}

/// An attempt at a delivery ended: `delivered`, `retried`, `failed`, `stopped`, `lost` or `released`.
pub fn delivery(outcome: &'static str) {
    counter!(DELIVERIES, "outcome" => outcome).increment(1);
}
