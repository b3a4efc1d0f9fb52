//! The options, one table per concern. The numbers are derived in the comments above them.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::country::Country;
use super::languages::Languages;
use super::table::options;

options! {
    /// Where the server listens, and what it grants a client.
    HttpConfig, HttpFlags, section "http", heading "HTTP" {
        #[doc = "Address and port to listen on"]
        listen: SocketAddr, "LEADSCRIBE_LISTEN", default "127.0.0.1:8080";
        #[doc = "Whether a proxy in front of the server speaks TLS with the clients: cookies are then marked Secure and HSTS is sent"]
        #[arg(num_args = 0..=1, default_missing_value = "true")]
        behind_tls: bool, "LEADSCRIBE_BEHIND_TLS", default false;
        #[doc = "Whether a proxy in front of the server names the client in X-Forwarded-For; its last address is then the client's"]
        #[arg(num_args = 0..=1, default_missing_value = "true")]
        trust_forwarded_for: bool, "LEADSCRIBE_TRUST_FORWARDED_FOR", default false;
        // A connection at rest costs two file handles at most and some 20 kB; Linux grants 1,024 handles by default.
        #[doc = "Connections open at once; more wait in the backlog of the system"]
        max_connections: usize, "LEADSCRIBE_MAX_CONNECTIONS", default 900;
        // Each may hold a page of 1,000 leads: 256 times 2 MB is what a small machine has.
        #[doc = "Requests carried out at once; more are answered with 503"]
        max_requests: usize, "LEADSCRIBE_MAX_REQUESTS", default 256;
        #[doc = "Time for the head of a request, in seconds"]
        header_seconds: u64, "LEADSCRIBE_HEADER_SECONDS", default 5;
        #[doc = "Time for the body of a request that is read whole, in seconds"]
        body_seconds: u64, "LEADSCRIBE_BODY_SECONDS", default 15;
        // 16 kB in 15 s is slower than a telephone modem.
        #[doc = "Bytes that an upload must bring in each such time"]
        upload_bytes: u64, "LEADSCRIBE_UPLOAD_BYTES", default 16384;
        #[doc = "Time that a connection may be idle between two requests, in seconds"]
        idle_seconds: u64, "LEADSCRIBE_IDLE_SECONDS", default 60;
        #[doc = "Largest head of a request, in bytes"]
        max_head_bytes: usize, "LEADSCRIBE_MAX_HEAD_BYTES", default 32768;
        #[doc = "Time that running requests have to end when the server stops, in seconds"]
        stop_seconds: u64, "LEADSCRIBE_STOP_SECONDS", default 30;
        #[doc = "Whether /metrics is answered without authentication"]
        #[arg(num_args = 0..=1, default_missing_value = "true")]
        metrics_public: bool, "LEADSCRIBE_METRICS_PUBLIC", default false;
    }
}

options! {
    /// Where the data are.
    StorageConfig, StorageFlags, section "storage", heading "Storage" {
        #[doc = "Folder of the database and the recordings"]
        data_dir: PathBuf, "LEADSCRIBE_DATA_DIR", default "./data";
    }
}

options! {
    /// What the recogniser can do.
    SpeechConfig, SpeechFlags, section "speech", heading "Speech recognition" {
        #[doc = "Languages of the recogniser: comma-separated BCP 47 codes, or whisper for those of the Whisper models"]
        languages: Languages, "LEADSCRIBE_LANGUAGES", default "whisper";
    }
}

options! {
    /// What is assumed about leads.
    LeadsConfig, LeadsFlags, section "leads", heading "Leads" {
        #[doc = "Country of phone numbers without a country code, for leads that have no country: an ISO 3166-1 alpha-2 code, or none to leave such numbers alone"]
        default_country: Country, "LEADSCRIBE_DEFAULT_COUNTRY", default "none";
    }
}

options! {
    /// How much one request may ask for.
    LimitsConfig, LimitsFlags, section "limits", heading "Limits" {
        #[doc = "Largest page of a list"]
        max_page: u32, "LEADSCRIBE_MAX_PAGE", default 1000;
        // 1,000 call ids of 19 digits are 21 kB; a filter of 1,000 ids in each of 10 keys is 210 kB.
        #[doc = "Largest JSON body, in bytes"]
        max_json_bytes: u64, "LEADSCRIBE_MAX_JSON_BYTES", default 1048576;
        // Three hours of two channels of 16 bit at 8 kHz are 346 MB.
        #[doc = "Largest recording, in bytes"]
        max_recording_bytes: u64, "LEADSCRIBE_MAX_RECORDING_BYTES", default 536870912;
        // Two million leads of 500 bytes.
        #[doc = "Largest CSV file, in bytes"]
        max_import_bytes: u64, "LEADSCRIBE_MAX_IMPORT_BYTES", default 1073741824;
    }
}

options! {
    /// How staff log in.
    LoginConfig, LoginFlags, section "login", heading "Log-in" {
        #[doc = "How long a session lasts, in hours"]
        session_hours: u32, "LEADSCRIBE_SESSION_HOURS", default 12;
        // OWASP's floor for Argon2id takes some 30 ms; five tries a minute are far below what guessing needs.
        #[doc = "Log-in attempts per account and minute"]
        account_attempts: u32, "LEADSCRIBE_ACCOUNT_ATTEMPTS", default 5;
        // A whole office behind one address comes to work at nine.
        #[doc = "Log-in attempts per client address and minute"]
        address_attempts: u32, "LEADSCRIBE_ADDRESS_ATTEMPTS", default 30;
        // Each takes 19 MiB and one core while it runs.
        #[doc = "Passwords hashed at once"]
        max_hashing: usize, "LEADSCRIBE_MAX_HASHING", default 2;
    }
}

options! {
    /// What the server says about itself.
    LogConfig, LogFlags, section "log", heading "Logs" {
        #[doc = "What is logged: error, warn, info, debug, trace, or a filter such as leadscribe_server=debug,info"]
        #[arg(long = "log")]
        filter: String, "LEADSCRIBE_LOG", default "info";
        #[doc = "Form of the logs: json, text, or auto for text on a terminal and JSON elsewhere"]
        #[arg(long = "log-format")]
        format: super::LogFormat, "LEADSCRIBE_LOG_FORMAT", default "auto";
    }
}
