//! The options, one table per topic. Comments above the defaults explain their values.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::country::Country;
use super::languages::Languages;
use super::metrics_address::MetricsAddress;
use super::networks::Networks;
use super::origins::Origins;
use super::secret::Secret;
use super::table::options;

options! {
    /// HTTP server and limits per client.
    HttpConfig, HttpFlags, section "http", heading "HTTP" {
        #[doc = "Address and port to listen on"]
        listen: SocketAddr as "ADDRESS", "LEADSCRIBE_LISTEN", default "127.0.0.1:8080";
        #[doc = "PEM file with the TLS certificate, followed by its intermediate certificates; requires --tls-key [none: plain HTTP]"]
        tls_cert: String as "FILE", "LEADSCRIBE_TLS_CERT", default "none";
        #[doc = "PEM file with the certificate's private key, without a passphrase"]
        tls_key: String as "FILE", "LEADSCRIBE_TLS_KEY", default "none";
        #[doc = "Whether a reverse proxy terminates TLS; if so, cookies are marked Secure and HSTS is sent"]
        #[arg(num_args = 0..=1, default_missing_value = "true")]
        behind_tls: bool as "BOOL", "LEADSCRIBE_BEHIND_TLS", default false;
        #[doc = "Whether to trust X-Forwarded-For from a reverse proxy; its last address is taken as the client's"]
        #[arg(num_args = 0..=1, default_missing_value = "true")]
        trust_forwarded_for: bool as "BOOL", "LEADSCRIBE_TRUST_FORWARDED_FOR", default false;
        #[doc = "Origins of web pages that may use the API with a key: comma-separated, such as https://app.example.com, or none"]
        cors_origins: Origins as "ORIGINS", "LEADSCRIBE_CORS_ORIGINS", default "none";
        // An idle connection uses a file descriptor and about 20 kB. The server raises its limit of file descriptors accordingly.
        #[doc = "Maximum number of open connections; more wait in the system's backlog"]
        max_connections: usize as "COUNT", "LEADSCRIBE_MAX_CONNECTIONS", default 4_000;
        // Each request may hold a page of 1,000 leads: 256 times 2 MB fit into a small machine.
        #[doc = "Maximum number of concurrent requests; more are refused with 503"]
        max_requests: usize as "COUNT", "LEADSCRIBE_MAX_REQUESTS", default 256;
        // 60 pages of 1,000 leads with their campaigns, or about 300 pages of 200.
        #[doc = "Maximum total size of responses over 16 kB that are being sent, in bytes; a response that can't start within one second is refused with 503"]
        max_pending_response_bytes: u64 as "BYTES", "LEADSCRIBE_MAX_PENDING_RESPONSE_BYTES", default 134_217_728;
        #[doc = "Timeout for receiving the head of a request, in seconds"]
        header_timeout_seconds: u64 as "SECONDS", "LEADSCRIBE_HEADER_TIMEOUT_SECONDS", default 5;
        #[doc = "Timeout for receiving a request body that is not an upload, in seconds"]
        body_timeout_seconds: u64 as "SECONDS", "LEADSCRIBE_BODY_TIMEOUT_SECONDS", default 15;
        // 16 kB in 15 s is slower than a telephone modem.
        #[doc = "Minimum number of bytes that an upload must transfer in each period of --body-timeout-seconds"]
        min_upload_bytes: u64 as "BYTES", "LEADSCRIBE_MIN_UPLOAD_BYTES", default 16384;
        #[doc = "Idle timeout of a connection between two requests, in seconds"]
        idle_timeout_seconds: u64 as "SECONDS", "LEADSCRIBE_IDLE_TIMEOUT_SECONDS", default 60;
        #[doc = "Maximum size of a request head, in bytes"]
        max_head_bytes: usize as "BYTES", "LEADSCRIBE_MAX_HEAD_BYTES", default 32768;
        #[doc = "Time for running requests to finish when the server stops, in seconds"]
        shutdown_timeout_seconds: u64 as "SECONDS", "LEADSCRIBE_SHUTDOWN_TIMEOUT_SECONDS", default 30;
        #[doc = "Whether /metrics is available without authentication; with --metrics-listen, only on that address"]
        #[arg(num_args = 0..=1, default_missing_value = "true")]
        metrics_public: bool as "BOOL", "LEADSCRIBE_METRICS_PUBLIC", default false;
        #[doc = "Separate address and port for /healthz, /readyz and /metrics only, also in a worker [none: only on the API's address]"]
        metrics_listen: MetricsAddress as "ADDRESS", "LEADSCRIBE_METRICS_LISTEN", default "none";
    }
}

options! {
    /// Data folder and database.
    StorageConfig, StorageFlags, section "storage", heading "Storage" {
        #[doc = "Folder for the database and the recordings"]
        data_dir: PathBuf as "DIR", "LEADSCRIBE_DATA_DIR", default "./data";
        #[doc = "URL of a PostgreSQL database, postgres://…, instead of the one in the data folder; with a password, use the environment or the file, because other users can see flags"]
        database_url: Secret as "URL", "LEADSCRIBE_DATABASE_URL", default "none";
        #[doc = "URL of a replica of the PostgreSQL database for reads; it serves a read only after it has received all earlier writes"]
        read_database_url: Secret as "URL", "LEADSCRIBE_READ_DATABASE_URL", default "none";
        // PostgreSQL accepts 100 by default, each served by a process.
        #[doc = "Maximum number of connections of this process to each PostgreSQL server"]
        database_connections: usize as "COUNT", "LEADSCRIBE_DATABASE_CONNECTIONS", default 16;
    }
}

options! {
    /// Storage of recordings.
    RecordingsConfig, RecordingsFlags, section "recordings", heading "Recordings" {
        #[doc = "Bucket of an S3-compatible store for the recordings, with an optional prefix: s3://bucket or s3://bucket/prefix [none: the folder recordings in the data folder]"]
        #[arg(id = "recordings_url", long = "recordings-url")]
        url: String as "URL", "LEADSCRIBE_RECORDINGS_URL", default "none";
        #[doc = "URL of the S3-compatible store; http:// means without TLS [none: AWS_ENDPOINT_URL, or else Amazon's]"]
        #[arg(id = "recordings_endpoint", long = "recordings-endpoint")]
        endpoint: String as "URL", "LEADSCRIBE_RECORDINGS_ENDPOINT", default "none";
        #[doc = "Region of the bucket [none: AWS_REGION, or else us-east-1 for stores other than Amazon's]"]
        #[arg(id = "recordings_region", long = "recordings-region")]
        region: String as "REGION", "LEADSCRIBE_RECORDINGS_REGION", default "none";
        #[doc = "ID of the access key for the bucket [none: AWS_ACCESS_KEY_ID and related variables, or else the machine's role]"]
        #[arg(id = "recordings_access_key_id", long = "recordings-access-key-id")]
        access_key_id: String as "ID", "LEADSCRIBE_RECORDINGS_ACCESS_KEY_ID", default "none";
        #[doc = "Secret of the access key; use the environment or the file, because flags are visible to other users of the machine"]
        #[arg(id = "recordings_secret_access_key", long = "recordings-secret-access-key")]
        secret_access_key: Secret as "SECRET", "LEADSCRIBE_RECORDINGS_SECRET_ACCESS_KEY", default "none";
        #[doc = "Form of the bucket's URL: path (https://host/bucket) or virtual-hosted (https://bucket.host)"]
        #[arg(id = "recordings_addressing", long = "recordings-addressing")]
        addressing: super::AddressingStyle as "STYLE", "LEADSCRIBE_RECORDINGS_ADDRESSING", default "path";
    }
}

options! {
    /// Speech recognition.
    SpeechConfig, SpeechFlags, section "speech", heading "Speech recognition" {
        #[doc = "Speech recognizer: embedded (whisper.cpp in this program), http (a server with the OpenAI-compatible /v1/audio/transcriptions), or off"]
        recognizer: super::RecognizerKind as "RECOGNIZER", "LEADSCRIBE_RECOGNIZER", default "embedded";
        #[doc = "Accepted languages: comma-separated BCP 47 codes, whisper for those of Whisper's multilingual models, or model for those of the embedded recognizer's model"]
        languages: Languages as "LANGUAGES", "LEADSCRIBE_LANGUAGES", default "model";
        #[doc = "Model of the embedded recognizer: a name from `leadscribe model list`, or the path of a ggml file"]
        model: String as "MODEL", "LEADSCRIBE_MODEL", default "base";
        #[doc = "Folder for the models [none: the folder models in the data folder]"]
        models_dir: String as "DIR", "LEADSCRIBE_MODELS_DIR", default "none";
        #[doc = "Source from which `leadscribe model get` downloads models: a URL or a folder with the publisher's file names"]
        model_source: String as "SOURCE", "LEADSCRIBE_MODEL_SOURCE", default "https://huggingface.co/ggerganov/whisper.cpp/resolve/main";
        // Half of the cores is left to requests and other work.
        #[doc = "Maximum number of concurrent recognitions; 0 means one per two cores"]
        max_concurrent_recognitions: usize as "COUNT", "LEADSCRIBE_MAX_CONCURRENT_RECOGNITIONS", default 0;
        // Threads of one recognition wait for each other in a busy loop: if other programs use the same cores, two threads take many times
        // as long as one.
        #[doc = "Number of threads per recognition of the embedded recognizer; more are faster only on otherwise idle cores"]
        recognition_threads: usize as "COUNT", "LEADSCRIBE_RECOGNITION_THREADS", default 1;
        #[doc = "Base URL of the server for the recognizer http, without /v1/audio/transcriptions"]
        #[arg(id = "speech_url", long = "speech-url")]
        url: String as "URL", "LEADSCRIBE_SPEECH_URL", default "none";
        #[doc = "API key for that server, sent as Authorization: Bearer; use the environment or the file, because flags are visible to other users of the machine"]
        #[arg(id = "speech_key", long = "speech-key")]
        key: Secret as "SECRET", "LEADSCRIBE_SPEECH_KEY", default "none";
        #[doc = "Model to request from that server"]
        remote_model: String as "MODEL", "LEADSCRIBE_REMOTE_MODEL", default "whisper-1";
        // Without a graphics card, a server needs up to about 30 seconds for 28 seconds of speech.
        #[doc = "Timeout for a response of that server, in seconds"]
        #[arg(id = "speech_timeout_seconds", long = "speech-timeout-seconds")]
        timeout_seconds: u64 as "SECONDS", "LEADSCRIBE_SPEECH_TIMEOUT_SECONDS", default 120;
        #[doc = "Whether to remove possible payment card numbers from transcripts before they are stored"]
        #[arg(num_args = 0..=1, default_missing_value = "true")]
        redact_cards: bool as "BOOL", "LEADSCRIBE_REDACT_CARDS", default true;
    }
}

options! {
    /// Background work.
    WorkerConfig, WorkerFlags, section "worker", heading "Worker" {
        #[doc = "Role of this process: all, api (serves, but doesn't transcribe, deliver or purge) or worker (transcribes, delivers and purges, but doesn't serve)"]
        role: super::Role as "ROLE", "LEADSCRIBE_ROLE", default "all";
        // The job of a crashed worker must continue within 60 seconds. A running worker renews its lease after a third of this time.
        #[doc = "Time after which a job of an unresponsive worker passes to another worker, in seconds"]
        lease_seconds: u32 as "SECONDS", "LEADSCRIBE_LEASE_SECONDS", default 30;
        // A killed worker counts too, so that a recording that crashes the process isn't retried forever.
        #[doc = "Maximum number of attempts at a transcription"]
        max_attempts: u32 as "COUNT", "LEADSCRIBE_MAX_ATTEMPTS", default 10;
    }
}

options! {
    /// Deliveries to callbacks.
    CallbacksConfig, CallbacksFlags, section "callbacks", heading "Callbacks" {
        #[doc = "Non-public networks that callbacks may use, with or without TLS: comma-separated addresses or CIDR ranges, or none"]
        #[arg(id = "callback_allowed_networks", long = "callback-allowed-networks")]
        allowed_networks: Networks as "NETWORKS", "LEADSCRIBE_CALLBACK_ALLOWED_NETWORKS", default "none";
        #[doc = "Timeout for a response of an endpoint, in seconds"]
        #[arg(id = "callback_timeout_seconds", long = "callback-timeout-seconds")]
        timeout_seconds: u64 as "SECONDS", "LEADSCRIBE_CALLBACK_TIMEOUT_SECONDS", default 15;
        #[doc = "Maximum number of concurrent deliveries"]
        max_concurrent_deliveries: usize as "COUNT", "LEADSCRIBE_MAX_CONCURRENT_DELIVERIES", default 4;
        // About 5 MB in the database. Each may have its own template of 16 kB if every call has its own request.
        #[doc = "Maximum number of pending (queued or running) deliveries per speech token, and per webhook; requests that would exceed it are refused with 429"]
        max_pending_deliveries: u64 as "COUNT", "LEADSCRIBE_MAX_PENDING_DELIVERIES", default 10_000;
    }
}

options! {
    /// Retention periods.
    RetentionConfig, RetentionFlags, section "retention", heading "Retention" {
        #[doc = "Number of days after which transcripts are purged; 0 means never"]
        transcript_days: u32 as "DAYS", "LEADSCRIBE_TRANSCRIPT_DAYS", default 0;
        #[doc = "Number of days after a call's creation at which its recording is purged; 0 means never"]
        recording_days: u32 as "DAYS", "LEADSCRIBE_RECORDING_DAYS", default 0;
        #[doc = "Number of days after which finished deliveries and their attempts are purged; 0 means never"]
        delivery_days: u32 as "DAYS", "LEADSCRIBE_DELIVERY_DAYS", default 90;
        // About 100 bytes in the database for each change.
        #[doc = "Number of days after which entries of the log of changes are purged; a client that follows the log and is further behind must load all records again; 0 means never"]
        change_days: u32 as "DAYS", "LEADSCRIBE_CHANGE_DAYS", default 90;
    }
}

options! {
    /// Defaults and index of leads.
    LeadsConfig, LeadsFlags, section "leads", heading "Leads" {
        #[doc = "Default country of phone numbers without a country code, for leads without a country: its name or ISO 3166-1 code, or none to leave such numbers unchanged"]
        default_country: Country as "COUNTRY", "LEADSCRIBE_DEFAULT_COUNTRY", default "none";
        #[doc = "Whether to keep an index of the leads in memory, which evaluates any filter over a million leads in about a millisecond: on or off"]
        #[arg(id = "lead_index", long = "lead-index")]
        index: super::Switch as "SWITCH", "LEADSCRIBE_LEAD_INDEX", default "on";
        #[doc = "Folder with time zone data that is used if it is newer than the built-in data: TZif files with their version in tzdata.zi or +VERSION; auto for /usr/share/zoneinfo, builtin for none"]
        time_zones: String as "DIR", "LEADSCRIBE_TIME_ZONES", default "auto";
    }
}

options! {
    /// Limits per request.
    LimitsConfig, LimitsFlags, section "limits", heading "Limits" {
        #[doc = "Maximum number of items on a page of a list"]
        max_page_size: u32 as "COUNT", "LEADSCRIBE_MAX_PAGE_SIZE", default 1000;
        // 1,000 call ids of 19 digits take 21 kB; a filter with 1,000 ids in each of 10 keys takes 210 kB.
        #[doc = "Maximum size of a JSON body, in bytes; at most 1048576"]
        max_json_bytes: u64 as "BYTES", "LEADSCRIBE_MAX_JSON_BYTES", default 1048576;
        // Three hours of two channels with 16 bits at 8 kHz take 346 MB.
        #[doc = "Maximum size of a recording, in bytes"]
        max_recording_bytes: u64 as "BYTES", "LEADSCRIBE_MAX_RECORDING_BYTES", default 536870912;
        // Two million leads of 500 bytes.
        #[doc = "Maximum size of a CSV file, in bytes"]
        max_import_bytes: u64 as "BYTES", "LEADSCRIBE_MAX_IMPORT_BYTES", default 1073741824;
    }
}

options! {
    /// Login of staff.
    LoginConfig, LoginFlags, section "login", heading "Login" {
        #[doc = "Maximum lifetime of a session, in hours"]
        session_hours: u32 as "HOURS", "LEADSCRIBE_SESSION_HOURS", default 12;
        // Half a working day, so that users stay logged in during a break of an hour or two.
        #[doc = "Idle timeout of a session, in minutes; it takes effect up to five minutes later, and requests that an open panel makes by itself don't count as activity"]
        session_idle_minutes: u32 as "MINUTES", "LEADSCRIBE_SESSION_IDLE_MINUTES", default 240;
        // OWASP's minimum for Argon2id takes about 30 ms. Five attempts per minute make guessing infeasible.
        #[doc = "Maximum number of login attempts per account and minute from one address, or from one browser that has logged in to the account before; all addresses together may make ten times as many"]
        account_attempts: u32 as "COUNT", "LEADSCRIBE_ACCOUNT_ATTEMPTS", default 5;
        // A whole office behind one address may log in at the same time.
        #[doc = "Maximum number of login attempts per client address and minute, except from browsers that have logged in to the account before"]
        address_attempts: u32 as "COUNT", "LEADSCRIBE_ADDRESS_ATTEMPTS", default 30;
        // Each uses 19 MiB and one core.
        #[doc = "Maximum number of passwords verified concurrently at login; one new password may be hashed at the same time"]
        max_concurrent_password_checks: usize as "COUNT", "LEADSCRIBE_MAX_CONCURRENT_PASSWORD_CHECKS", default 2;
    }
}

options! {
    /// Logs.
    LogConfig, LogFlags, section "log", heading "Logs" {
        #[doc = "Log level (error, warn, info, debug or trace), or a filter such as leadscribe_server=debug,info"]
        #[arg(long = "log")]
        filter: String as "FILTER", "LEADSCRIBE_LOG", default "info";
        #[doc = "Log format: json, text, or auto for text on a terminal and JSON elsewhere"]
        #[arg(long = "log-format")]
        format: super::LogFormat as "FORMAT", "LEADSCRIBE_LOG_FORMAT", default "auto";
    }
}
