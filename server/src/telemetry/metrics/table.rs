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
    gauge BUILD = "leadscribe_build_info", "1, with the version of the program.";
    counter REQUESTS = "leadscribe_http_requests_total", "Requests answered, by route, method and status.";
    histogram DURATION = "leadscribe_http_request_duration_seconds", "Time from the head of a request to its answer, but for the time that its body was waited for.";
    gauge RUNNING = "leadscribe_http_requests_running", "Requests being carried out.";
    counter SHED = "leadscribe_http_requests_shed_total", "Requests refused with 503 because as many as permitted were being carried out, or because as many bytes of answers were on their way.";
    gauge ANSWERS = "leadscribe_http_answers_bytes", "Bytes of answers over 16 kB that are on their way to their clients.";
    gauge CONNECTIONS = "leadscribe_http_connections_open", "Connections that are open.";
    counter HANDSHAKES_FAILED = "leadscribe_tls_handshakes_failed_total", "Handshakes of TLS that clients broke off, let run out of time, or that had nothing both sides speak.";
    gauge CERTIFICATE_EXPIRY = "leadscribe_tls_certificate_expiry_timestamp_seconds", "Until when the certificate that is shown is valid, in Unix time.";
    counter READS = "leadscribe_database_reads_total", "Reads of this process where it has a replica, by who answered (from=\"replica\" or \"primary\").";
    gauge STORE_UP = "leadscribe_store_up", "1 when the database answered in time just now, otherwise 0; what it says of queues is then of its last answer.";
    gauge DATABASE_MOST = "leadscribe_database_connections_max", "Connections to the database that this process may use for reads (SQLite) or everything (PostgreSQL).";
    gauge DATABASE_USED = "leadscribe_database_connections_used", "Those of them that are at work.";
    gauge DATABASE_IDLE = "leadscribe_database_connections_idle", "Those of them that are open and rest.";
    gauge DATABASE_WAITING = "leadscribe_database_waiting", "Work that waits for one of them (queue=\"connections\"), or to write to SQLite (queue=\"writer\").";
    gauge INDEX_READY = "leadscribe_lead_index_ready", "1 when leads are looked up in memory, 0 while SQL answers instead; absent with --lead-index off.";
    gauge INDEX_LEADS = "leadscribe_lead_index_leads", "Leads in memory.";
    gauge INDEX_BYTES = "leadscribe_lead_index_bytes", "Memory that they take.";
    gauge INDEX_BEHIND = "leadscribe_lead_index_behind_seconds", "Since when the leads in memory haven't been seen to be in step with the database; answers are brought in step first.";
    gauge TRANSCRIPTIONS_OPEN = "leadscribe_transcriptions_open", "Transcriptions that wait (state=\"queued\") or are under way (state=\"processing\"), of all processes.";
    gauge TRANSCRIPTIONS_AGE = "leadscribe_transcriptions_oldest_queued_seconds", "How long the oldest transcription that waits has done so; 0 when none does.";
    counter TRANSCRIPTIONS = "leadscribe_transcriptions_total", "Attempts at transcriptions by this process, by how they ended (outcome=\"unknown\": the database's answer was lost, so that it may be written).";
    histogram AUDIO = "leadscribe_transcribed_audio_seconds", "Length of the recordings that were transcribed.";
    histogram RECOGNITION = "leadscribe_transcription_duration_seconds", "Time it took to transcribe each of them.";
    histogram REAL_TIME = "leadscribe_transcription_real_time_factor", "That time divided by that length: below 1 is faster than speech.";
    gauge RECOGNIZER_READY = "leadscribe_recognizer_ready", "1 when the recogniser of this process is there, 0 while it is missing; absent where nothing is transcribed.";
    counter RECOGNIZER_FAILURES = "leadscribe_recognizer_failures_total", "Recordings that the recogniser could not take: it refused them, gave an unusable answer or wasn't available.";
    gauge DELIVERIES_OPEN = "leadscribe_deliveries_open", "Deliveries that wait (state=\"queued\") or are under way (state=\"delivering\"), of all processes.";
    gauge DELIVERIES_DUE = "leadscribe_deliveries_oldest_due_seconds", "For how long the delivery that waits longest has been due; 0 when none is.";
    counter DELIVERIES = "leadscribe_delivery_attempts_total", "Attempts at deliveries by this process, by how they ended (outcome=\"unknown\": the database's answer was lost, so that it may be written).";
    gauge DISK_FREE = "leadscribe_data_dir_free_bytes", "Room that is left to the program on the file system of the data folder.";
    gauge DISK_SIZE = "leadscribe_data_dir_size_bytes", "Size of that file system.";
}

/// Possible outcomes of a transcription attempt.
const TRANSCRIPTION_OUTCOMES: [&str; 6] = ["completed", "retried", "failed", "lost", "unknown", "released"];

/// Possible outcomes of a delivery attempt.
const DELIVERY_OUTCOMES: [&str; 7] = ["delivered", "retried", "failed", "stopped", "lost", "unknown", "released"];

/// Reasons why a recogniser could not process a recording.
const FAILURES: [&str; 3] = ["refused", "invalid_answer", "unavailable"];

/// Initialises the counters with 0. Otherwise an alert on an increase would miss the first event.
pub(super) fn begin() {
    gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    counter!(SHED).increment(0);
    for from in ["replica", "primary"] {
        counter!(READS, "from" => from).increment(0);
    }
    counter!(HANDSHAKES_FAILED).increment(0);
    for outcome in TRANSCRIPTION_OUTCOMES {
        counter!(TRANSCRIPTIONS, "outcome" => outcome).increment(0);
    }
    for outcome in DELIVERY_OUTCOMES {
        counter!(DELIVERIES, "outcome" => outcome).increment(0);
    }
    for reason in FAILURES {
        counter!(RECOGNIZER_FAILURES, "reason" => reason).increment(0);
    }
    for name in [RUNNING, ANSWERS, CONNECTIONS] {
        gauge!(name).increment(0.0);
    }
    for name in [AUDIO, RECOGNITION, REAL_TIME] {
        drop(histogram!(name));
    }
}
