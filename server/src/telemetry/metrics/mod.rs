//! Metrics in the Prometheus text format. [`table`] defines them. Values that aren't counted as they occur are collected when the metrics
//! are requested ([`crate::service::operations::metrics_collector`]).

pub(crate) mod table;

use std::sync::OnceLock;
use std::time::Duration;

use anyhow::Context;
use http::Method;
use leadscribe_engine::api::Timestamp;
use metrics::{counter, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::telemetry;
use table::*;

/// Histogram buckets of request durations, in seconds: from a response from memory to the slowest file operations.
const REQUEST_DURATION_BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0];

/// Histogram buckets of the length and processing time of recordings, in seconds: from a greeting to a call of three hours.
const RECORDING_BUCKETS: [f64; 10] = [1.0, 5.0, 15.0, 30.0, 60.0, 180.0, 600.0, 1_800.0, 3_600.0, 10_800.0];

/// Histogram buckets of the real-time factor: from a GPU to a machine that falls behind.
const REAL_TIME_FACTOR_BUCKETS: [f64; 9] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0];

/// Interval between removals of old samples.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// Installs the recorder and starts its maintenance task. Call it within a Tokio runtime.
///
/// # Errors
/// Another recorder is already installed in this process.
pub fn init() -> anyhow::Result<()> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Full(REQUEST_DURATION.to_owned()), &REQUEST_DURATION_BUCKETS)
        .and_then(|builder| {
            builder.set_buckets_for_metric(Matcher::Full(AUDIO_DURATION.to_owned()), &RECORDING_BUCKETS)
        })
        .and_then(|builder| {
            builder.set_buckets_for_metric(Matcher::Full(TRANSCRIPTION_DURATION.to_owned()), &RECORDING_BUCKETS)
        })
        .and_then(|builder| {
            builder.set_buckets_for_metric(Matcher::Full(REAL_TIME_FACTOR.to_owned()), &REAL_TIME_FACTOR_BUCKETS)
        })
        .and_then(PrometheusBuilder::install_recorder)
        .context("can't start metrics")?;
    table::describe();
    table::initialize();
    let upkeep = handle.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(UPKEEP_INTERVAL).await;
            upkeep.run_upkeep();
        }
    });
    RECORDER.get_or_init(|| handle);
    Ok(())
}

/// Returns all metrics, or an empty text if [`init`] was not called.
pub fn render() -> String {
    RECORDER.get().map(PrometheusHandle::render).unwrap_or_default()
}

/// Increases a gauge until it is dropped.
#[derive(Debug)]
#[must_use = "it is only counted until this is dropped"]
pub struct GaugeGuard(&'static str, f64);

impl GaugeGuard {
    fn new(name: &'static str, count: f64) -> Self {
        gauge!(name).increment(count);
        Self(name, count)
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        gauge!(self.0).decrement(self.1);
    }
}

/// Counts a running request.
pub fn count_running_request() -> GaugeGuard {
    GaugeGuard::new(REQUESTS_RUNNING, 1.0)
}

/// Counts the bytes of a large response that is being sent.
pub fn count_response_bytes(bytes: usize) -> GaugeGuard {
    GaugeGuard::new(RESPONSE_BYTES, bytes as f64)
}

/// Counts an open connection.
pub fn count_open_connection() -> GaugeGuard {
    GaugeGuard::new(CONNECTIONS, 1.0)
}

/// Records a served request. `route` is the template of its path; `duration` excludes time spent waiting for the client.
pub fn record_request(method: &Method, route: &str, status: u16, duration: Duration) {
    let method = telemetry::known_method(method).to_owned();
    let labels = [("route", route.to_owned()), ("method", method), ("status", status.to_string())];
    counter!(REQUESTS, &labels).increment(1);
    histogram!(REQUEST_DURATION, &labels[..2]).record(duration.as_secs_f64());
}

/// Counts a request that was refused because the server is overloaded.
pub fn count_rejected_request() {
    counter!(REQUESTS_REJECTED).increment(1);
}

/// Counts a read by the database server that it used: the `replica`, or the `primary` although there is a replica.
pub fn count_read(server: &'static str) {
    counter!(DATABASE_READS, "server" => server).increment(1);
}

/// Counts a failed TLS handshake.
pub fn count_failed_handshake() {
    counter!(HANDSHAKES_FAILED).increment(1);
}

/// Sets the expiry time of the certificate.
pub fn set_certificate_expiry(at: Timestamp) {
    gauge!(CERTIFICATE_EXPIRY).set(at.timestamp() as f64);
}

/// Sets whether the database responded in time.
pub fn set_database_up(is_up: bool) {
    gauge!(DATABASE_UP).set(f64::from(u8::from(is_up)));
}

/// Sets whether the recognizer of this process is ready.
pub fn set_recognizer_ready(is_ready: bool) {
    gauge!(RECOGNIZER_READY).set(f64::from(u8::from(is_ready)));
}

/// Counts a recording that the recognizer could not process: `refused`, `invalid_response` or `unavailable`.
pub fn count_recognizer_failure(reason: &'static str) {
    counter!(RECOGNIZER_FAILURES, "reason" => reason).increment(1);
}

/// Sets free and total space on the file system of the data folder, in bytes.
pub fn set_disk_space(free: u64, size: u64) {
    gauge!(DISK_FREE).set(free as f64);
    gauge!(DISK_SIZE).set(size as f64);
}

/// Counts an ended transcription attempt: `completed`, `retried`, `failed`, `lost`, `unknown` or `released`.
pub fn count_transcription(outcome: &'static str) {
    counter!(TRANSCRIPTIONS, "outcome" => outcome).increment(1);
}

/// Records the length of a transcribed recording and the time that it took, both in seconds.
pub fn record_recognition(audio_seconds: f64, processing_seconds: f64) {
    histogram!(AUDIO_DURATION).record(audio_seconds);
    histogram!(TRANSCRIPTION_DURATION).record(processing_seconds);
    if audio_seconds > 0.0 {
        histogram!(REAL_TIME_FACTOR).record(processing_seconds / audio_seconds);
    }
}

/// Counts an ended delivery attempt: `delivered`, `retried`, `failed`, `stopped`, `lost`, `unknown` or `released`.
pub fn count_delivery(outcome: &'static str) {
    counter!(DELIVERIES, "outcome" => outcome).increment(1);
}
