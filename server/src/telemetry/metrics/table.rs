//! Table of metrics: name, kind and description. Names and units follow the conventions of Prometheus.
//!
//! Label values never contain user input: routes are templates, methods and outcomes come from closed lists.

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};

macro_rules! metrics {
    ($($kind:ident $name:ident = $text:literal, $help:literal;)+) => {
        $(#[doc = $help] pub(crate) const $name: &str = $text;)+

        /// Registers the descriptions with the recorder.
        pub(super) fn describe() {
            $(metrics!(@describe $kind, $name, $help);)+
        }
    };
    (@describe counter, $name:ident, $help:literal) => { describe_counter!($name, $help) };
    (@describe gauge, $name:ident, $help:literal) => { describe_gauge!($name, $help) };
    (@describe histogram, $name:ident, $help:literal) => { describe_histogram!($name, $help) };
}

metrics! {
    gauge BUILD_INFO = "leadscribe_build_info", "1, with the version of the program.";
    counter REQUESTS = "leadscribe_http_requests_total", "Requests served, by route, method and status.";
    histogram REQUEST_DURATION = "leadscribe_http_request_duration_seconds", "Time from a request's head to its response, \
         excluding the time spent waiting for its body.";
    gauge REQUESTS_RUNNING = "leadscribe_http_requests_running", "Requests in progress.";
    counter REQUESTS_REJECTED = "leadscribe_http_requests_rejected_total", "Requests refused with 503 because of the limit on \
         concurrent requests or on the total size of responses being sent.";
    gauge RESPONSE_BYTES = "leadscribe_http_pending_response_bytes", "Bytes of responses over 16 kB that are being sent.";
    gauge CONNECTIONS = "leadscribe_http_connections_open", "Open connections.";
    counter HANDSHAKES_FAILED = "leadscribe_tls_handshakes_failed_total", "TLS handshakes that clients aborted, that \
         timed out, or that found no common protocol.";
    gauge CERTIFICATE_EXPIRY = "leadscribe_tls_certificate_expiry_timestamp_seconds", "Expiry time of the certificate \
         in use, in Unix time.";
    counter DATABASE_READS = "leadscribe_database_reads_total", "Reads of this process if it has a replica, by server \
         (server=\"replica\" or \"primary\").";
    gauge DATABASE_UP = "leadscribe_database_up", "1 if the database responded in time, otherwise 0; queue metrics then show \
         the last known values.";
    gauge DATABASE_CONNECTIONS_MAX = "leadscribe_database_connections_max", "Maximum number of database connections of this \
         process, for reads (SQLite) or for everything (PostgreSQL).";
    gauge DATABASE_CONNECTIONS_USED = "leadscribe_database_connections_used", "Database connections in use.";
    gauge DATABASE_CONNECTIONS_IDLE = "leadscribe_database_connections_idle", "Idle database connections.";
    gauge DATABASE_WAITING = "leadscribe_database_waiting", "Operations waiting for a database connection \
         (queue=\"connections\"), or to write to SQLite (queue=\"writer\").";
    gauge INDEX_READY = "leadscribe_lead_index_ready", "1 if the lead index serves queries, 0 while SQL does; absent \
         with --lead-index off.";
    gauge INDEX_LEADS = "leadscribe_lead_index_leads", "Leads in the lead index.";
    gauge INDEX_BYTES = "leadscribe_lead_index_bytes", "Memory used by the lead index.";
    gauge INDEX_LAG = "leadscribe_lead_index_lag_seconds", "Time since the lead index was last known to be up to \
         date with the database; it is updated before each query.";
    gauge TRANSCRIPTIONS_PENDING = "leadscribe_transcriptions_pending", "Transcriptions that are queued (state=\"queued\") \
         or running (state=\"processing\"), of all processes.";
    gauge OLDEST_QUEUED_TRANSCRIPTION_AGE = "leadscribe_transcriptions_oldest_queued_seconds", "Age of the oldest queued \
         transcription; 0 if there is none.";
    counter TRANSCRIPTIONS = "leadscribe_transcriptions_total", "Attempts at transcriptions by this process, by \
         outcome (outcome=\"unknown\": the database's response was lost, so the result may have been stored).";
    histogram AUDIO_DURATION = "leadscribe_transcribed_audio_seconds", "Duration of the transcribed recordings.";
    histogram TRANSCRIPTION_DURATION = "leadscribe_transcription_duration_seconds", "Time taken to transcribe a recording.";
    histogram REAL_TIME_FACTOR = "leadscribe_transcription_real_time_factor", "Transcription time divided by the recording's \
         duration; below 1 is faster than real time.";
    gauge RECOGNIZER_READY = "leadscribe_recognizer_ready", "1 if this process's recognizer is available, otherwise 0; \
         absent if this process doesn't transcribe.";
    counter RECOGNIZER_FAILURES = "leadscribe_recognizer_failures_total", "Recordings that the recognizer failed to \
         process: it rejected them, returned an invalid response or was unavailable.";
    gauge DELIVERIES_PENDING = "leadscribe_deliveries_pending", "Deliveries that are queued (state=\"queued\") or running \
         (state=\"delivering\"), of all processes.";
    gauge OLDEST_DUE_DELIVERY_AGE = "leadscribe_deliveries_oldest_due_seconds", "Time since the oldest queued delivery became \
         due; 0 if there is none.";
    counter DELIVERIES = "leadscribe_delivery_attempts_total", "Attempts at deliveries by this process, by outcome \
         (outcome=\"unknown\": the database's response was lost, so the result may have been stored).";
    gauge DISK_FREE = "leadscribe_data_dir_free_bytes", "Free space on the data folder's file system.";
    gauge DISK_SIZE = "leadscribe_data_dir_size_bytes", "Size of the data folder's file system.";
}

/// Possible outcomes of a transcription attempt.
const TRANSCRIPTION_OUTCOMES: [&str; 6] = ["completed", "retried", "failed", "lost", "unknown", "released"];

/// Possible outcomes of a delivery attempt.
const DELIVERY_OUTCOMES: [&str; 7] = ["delivered", "retried", "failed", "stopped", "lost", "unknown", "released"];

/// Reasons why a recognizer could not process a recording.
const RECOGNIZER_FAILURE_REASONS: [&str; 3] = ["refused", "invalid_response", "unavailable"];

/// Initializes the counters with 0. Otherwise an alert on an increase would miss the first event.
pub(super) fn initialize() {
    gauge!(BUILD_INFO, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    counter!(REQUESTS_REJECTED).increment(0);
    for server in ["replica", "primary"] {
        counter!(DATABASE_READS, "server" => server).increment(0);
    }
    counter!(HANDSHAKES_FAILED).increment(0);
    for outcome in TRANSCRIPTION_OUTCOMES {
        counter!(TRANSCRIPTIONS, "outcome" => outcome).increment(0);
    }
    for outcome in DELIVERY_OUTCOMES {
        counter!(DELIVERIES, "outcome" => outcome).increment(0);
    }
    for reason in RECOGNIZER_FAILURE_REASONS {
        counter!(RECOGNIZER_FAILURES, "reason" => reason).increment(0);
    }
    for name in [REQUESTS_RUNNING, RESPONSE_BYTES, CONNECTIONS] {
        gauge!(name).increment(0.0);
    }
    for name in [AUDIO_DURATION, TRANSCRIPTION_DURATION, REAL_TIME_FACTOR] {
        drop(histogram!(name));
    }
}
