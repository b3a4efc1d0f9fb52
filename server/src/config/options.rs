//! The options, one table per topic. Comments above the defaults explain their values.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::country::Country;
use super::languages::Languages;
use super::networks::Networks;
use super::secret::Secret;
use super::table::options;
use super::watch::Watch;

options! {
    /// HTTP server and limits per client.
    HttpConfig, HttpFlags, section "http", heading "HTTP" {
        #[doc = "Address and port to listen on"]
        listen: SocketAddr as "ADDRESS", "LEADSCRIBE_LISTEN", default "127.0.0.1:8080";
        #[doc = "File of the certificate to speak TLS with, in PEM, followed by those between it and one that clients trust; goes with tls_key [none: plain HTTP]"]
        tls_cert: String as "FILE", "LEADSCRIBE_TLS_CERT", default "none";
        #[doc = "File of the certificate's private key, in PEM without a passphrase"]
        tls_key: String as "FILE", "LEADSCRIBE_TLS_KEY", default "none";
        #[doc = "Whether a proxy in front of the server speaks TLS with the clients: cookies are then marked Secure and HSTS is sent"]
        #[arg(num_args = 0..=1, default_missing_value = "true")]
        behind_tls: bool as "BOOL", "LEADSCRIBE_BEHIND_TLS", default false;
        #[doc = "Whether a proxy in front of the server names the client in X-Forwarded-For; its last address is then the client's"]
        #[arg(num_args = 0..=1, default_missing_value = "true")]
        trust_forwarded_for: bool as "BOOL", "LEADSCRIBE_TRUST_FORWARDED_FOR", default false;
        // An idle connection uses a file handle and about 20 kB. The server raises its limit of file handles accordingly.
        #[doc = "Connections open at once; more wait in the backlog of the system"]
        max_connections: usize as "COUNT", "LEADSCRIBE_MAX_CONNECTIONS", default 4_000;
        // Each request may hold a page of 1,000 leads: 256 times 2 MB fit into a small machine.
        #[doc = "Requests carried out at once; more are answered with 503"]
        max_requests: usize as "COUNT", "LEADSCRIBE_MAX_REQUESTS", default 256;
        // 60 pages of 1,000 leads with their campaigns, or about 300 pages of 200.
        #[doc = "Bytes of larger answers (over 16 kB) that may be on their way to clients at once; one that finds no room within a second is refused with 503"]
        max_answer_bytes: u64 as "BYTES", "LEADSCRIBE_MAX_ANSWER_BYTES", default 134_217_728;
        #[doc = "Time for the head of a request, in seconds"]
        header_seconds: u64 as "SECONDS", "LEADSCRIBE_HEADER_SECONDS", default 5;
        #[doc = "Time for the body of a request that is read whole, in seconds"]
        body_seconds: u64 as "SECONDS", "LEADSCRIBE_BODY_SECONDS", default 15;
        // 16 kB in 15 s is slower than a telephone modem.
        #[doc = "Bytes that an upload must bring in each such time"]
        upload_bytes: u64 as "BYTES", "LEADSCRIBE_UPLOAD_BYTES", default 16384;
        #[doc = "Time that a connection may be idle between two requests, in seconds"]
        idle_seconds: u64 as "SECONDS", "LEADSCRIBE_IDLE_SECONDS", default 60;
        #[doc = "Largest head of a request, in bytes"]
        max_head_bytes: usize as "BYTES", "LEADSCRIBE_MAX_HEAD_BYTES", default 32768;
        #[doc = "Time that running requests have to end when the server stops, in seconds"]
        stop_seconds: u64 as "SECONDS", "LEADSCRIBE_STOP_SECONDS", default 30;
        #[doc = "Whether /metrics is answered without authentication; with --metrics-listen, at that address alone"]
        #[arg(num_args = 0..=1, default_missing_value = "true")]
        metrics_public: bool as "BOOL", "LEADSCRIBE_METRICS_PUBLIC", default false;
        #[doc = "Another address and port where /healthz, /readyz and /metrics are answered and nothing else, in a worker too [none: only beside the API]"]
        metrics_listen: Watch as "ADDRESS", "LEADSCRIBE_METRICS_LISTEN", default "none";
    }
}

options! {
    /// Data folder and database.
    StorageConfig, StorageFlags, section "storage", heading "Storage" {
        #[doc = "Folder of the database and the recordings"]
        data_dir: PathBuf as "DIR", "LEADSCRIBE_DATA_DIR", default "./data";
        #[doc = "URL of a PostgreSQL database, postgres://…, instead of the one in the data folder; with a password in it better given by the environment or the file than by a flag, which others on the machine can see"]
        database_url: Secret as "URL", "LEADSCRIBE_DATABASE_URL", default "none";
        #[doc = "URL of a replica of that PostgreSQL database, which answers reads as soon as it has every write that came before them"]
        read_database_url: Secret as "URL", "LEADSCRIBE_READ_DATABASE_URL", default "none";
        // PostgreSQL accepts 100 by default, each served by a process.
        #[doc = "Connections of this process to each PostgreSQL server"]
        database_connections: usize as "COUNT", "LEADSCRIBE_DATABASE_CONNECTIONS", default 16;
    }
}

options! {
    /// Storage of recordings.
    RecordingsConfig, RecordingsFlags, section "recordings", heading "Recordings" {
        #[doc = "Bucket of an S3-compatible store for the recordings, and what their names there begin with: s3://bucket or s3://bucket/prefix [none: the folder recordings in the data folder]"]
        #[arg(id = "recordings_url", long = "recordings-url")]
        url: String as "URL", "LEADSCRIBE_RECORDINGS_URL", default "none";
        #[doc = "URL of that store; with http:// it is spoken to without TLS [none: AWS_ENDPOINT_URL, or else Amazon's]"]
        #[arg(id = "recordings_endpoint", long = "recordings-endpoint")]
        endpoint: String as "URL", "LEADSCRIBE_RECORDINGS_ENDPOINT", default "none";
        #[doc = "Region of the bucket [none: AWS_REGION, or else us-east-1 for a store that isn't Amazon's]"]
        #[arg(id = "recordings_region", long = "recordings-region")]
        region: String as "REGION", "LEADSCRIBE_RECORDINGS_REGION", default "none";
        #[doc = "Id of the access key for the bucket [none: what AWS_ACCESS_KEY_ID and its kin say, or else the role of the machine]"]
        #[arg(id = "recordings_access_key_id", long = "recordings-access-key-id")]
        access_key_id: String as "ID", "LEADSCRIBE_RECORDINGS_ACCESS_KEY_ID", default "none";
        #[doc = "Secret of that access key; better given by the environment or the file than by a flag, which others on the machine can see"]
        #[arg(id = "recordings_secret_access_key", long = "recordings-secret-access-key")]
        secret_access_key: Secret as "SECRET", "LEADSCRIBE_RECORDINGS_SECRET_ACCESS_KEY", default "none";
        #[doc = "How the bucket is named in requests: path (https://host/bucket) or virtual-hosted (https://bucket.host)"]
        #[arg(id = "recordings_addressing", long = "recordings-addressing")]
        addressing: super::Addressing as "FORM", "LEADSCRIBE_RECORDINGS_ADDRESSING", default "path";
    }
}

options! {
    /// Speech recognition.
    SpeechConfig, SpeechFlags, section "speech", heading "Speech recognition" {
        #[doc = "What recognises speech: embedded (whisper.cpp in this program), http (a server with the OpenAI-compatible /v1/audio/transcriptions), or off"]
        recognizer: super::RecognizerKind as "RECOGNIZER", "LEADSCRIBE_RECOGNIZER", default "embedded";
        #[doc = "Languages that calls may be sent with: comma-separated BCP 47 codes, whisper for those of the multilingual Whisper models, or model for those of the embedded recogniser's model, which are Whisper's too unless it is one for English alone"]
        languages: Languages as "LANGUAGES", "LEADSCRIBE_LANGUAGES", default "model";
        #[doc = "Model of the embedded recogniser: a name that `leadscribe model list` shows, or the path of a ggml file"]
        model: String as "MODEL", "LEADSCRIBE_MODEL", default "base";
        #[doc = "Folder of the models [none: the folder models in the data folder]"]
        models_dir: String as "DIR", "LEADSCRIBE_MODELS_DIR", default "none";
        #[doc = "From where `leadscribe model get` fetches models: a URL or a folder that holds files of the publisher's names"]
        model_source: String as "SOURCE", "LEADSCRIBE_MODEL_SOURCE", default "https://huggingface.co/ggerganov/whisper.cpp/resolve/main";
        // The other half is for requests and other work.
        #[doc = "Recognitions at once; 0 means one for every two cores"]
        recognitions: usize as "COUNT", "LEADSCRIBE_RECOGNITIONS", default 0;
        // Threads of one recognition wait for each other in a busy loop: if other programs use the same cores, two threads take many times
        // as long as one.
        #[doc = "Threads of each recognition by the embedded recogniser; more are faster only on cores that have nothing else to do"]
        recognition_threads: usize as "COUNT", "LEADSCRIBE_RECOGNITION_THREADS", default 1;
        #[doc = "URL of the server for the recogniser http, up to and without /v1/audio/transcriptions"]
        #[arg(id = "speech_url", long = "speech-url")]
        url: String as "URL", "LEADSCRIBE_SPEECH_URL", default "none";
        #[doc = "Key for that server, sent as Authorization: Bearer; better given by the environment or the file than by a flag, which others on the machine can see"]
        #[arg(id = "speech_key", long = "speech-key")]
        key: Secret as "SECRET", "LEADSCRIBE_SPEECH_KEY", default "none";
        #[doc = "Model that is asked for at that server"]
        remote_model: String as "MODEL", "LEADSCRIBE_SPEECH_MODEL", default "whisper-1";
        // Without a graphics card, a server needs up to about 30 seconds for 28 seconds of speech.
        #[doc = "Longest wait for an answer of that server, in seconds"]
        #[arg(id = "speech_deadline_seconds", long = "speech-deadline-seconds")]
        deadline_seconds: u64 as "SECONDS", "LEADSCRIBE_SPEECH_DEADLINE_SECONDS", default 120;
        #[doc = "Whether numbers that may be those of payment cards are taken out of transcripts before they are stored"]
        #[arg(num_args = 0..=1, default_missing_value = "true")]
        redact_cards: bool as "BOOL", "LEADSCRIBE_REDACT_CARDS", default true;
    }
}

options! {
    /// Background work.
    WorkerConfig, WorkerFlags, section "worker", heading "Worker" {
        #[doc = "What this process does: all, api (serves, but transcribes, delivers and purges nothing) or worker (transcribes, delivers and purges, but serves nothing)"]
        role: super::Role as "ROLE", "LEADSCRIBE_ROLE", default "all";
        // The job of a crashed worker must continue within 60 seconds. A running worker renews its lease after a third of this time.
        #[doc = "How long a job belongs to a worker that gives no sign of life, in seconds"]
        lease_seconds: u32 as "SECONDS", "LEADSCRIBE_LEASE_SECONDS", default 30;
        // A killed worker counts too, so that a recording that crashes the process isn't retried forever.
        #[doc = "Attempts at a transcription before it is given up"]
        max_attempts: u32 as "COUNT", "LEADSCRIBE_MAX_ATTEMPTS", default 10;
    }
}

options! {
    /// Deliveries to callbacks.
    CallbacksConfig, CallbacksFlags, section "callbacks", heading "Callbacks" {
        #[doc = "Networks that are not public but may be called back, and without TLS: comma-separated addresses or CIDR ranges, or none"]
        allowed_networks: Networks as "NETWORKS", "LEADSCRIBE_CALLBACK_NETWORKS", default "none";
        #[doc = "Longest wait for the answer of an endpoint, in seconds"]
        #[arg(id = "callback_deadline_seconds", long = "callback-deadline-seconds")]
        deadline_seconds: u64 as "SECONDS", "LEADSCRIBE_CALLBACK_DEADLINE_SECONDS", default 15;
        #[doc = "Deliveries at once"]
        deliveries: usize as "COUNT", "LEADSCRIBE_DELIVERIES", default 4;
        // About 5 MB in the database. Each may have its own template of 16 kB if every call has its own request.
        #[doc = "Deliveries of one speech recognition token that may be open, that is wait or be under way; what would make more is refused with 429"]
        max_open_deliveries: u64 as "COUNT", "LEADSCRIBE_MAX_OPEN_DELIVERIES", default 10_000;
    }
}

options! {
    /// Retention periods.
    RetentionConfig, RetentionFlags, section "retention", heading "Retention" {
        #[doc = "Days after which a transcript is purged; 0 means never"]
        transcript_days: u32 as "DAYS", "LEADSCRIBE_TRANSCRIPT_DAYS", default 0;
        #[doc = "Days after its call was created after which a recording is purged; 0 means never"]
        recording_days: u32 as "DAYS", "LEADSCRIBE_RECORDING_DAYS", default 0;
        #[doc = "Days after which deliveries that have ended are purged, with their attempts; 0 means never"]
        delivery_days: u32 as "DAYS", "LEADSCRIBE_DELIVERY_DAYS", default 90;
    }
}

options! {
    /// Defaults and index of leads.
    LeadsConfig, LeadsFlags, section "leads", heading "Leads" {
        #[doc = "Country of phone numbers without a country code, for leads that have no country: its name or ISO 3166-1 code, or none to leave such numbers alone"]
        default_country: Country as "COUNTRY", "LEADSCRIBE_DEFAULT_COUNTRY", default "none";
        #[doc = "Whether leads are also kept in memory, so that any filter is answered in about a millisecond among a million of them: on or off"]
        #[arg(id = "lead_index", long = "lead-index")]
        index: super::Switch as "SWITCH", "LEADSCRIBE_LEAD_INDEX", default "on";
        #[doc = "Folder of time zone data that is used where it is newer than what is compiled in: TZif files with their version in tzdata.zi or +VERSION; auto for /usr/share/zoneinfo, builtin for none"]
        time_zones: String as "DIR", "LEADSCRIBE_TIME_ZONES", default "auto";
    }
}

options! {
    /// Limits per request.
    LimitsConfig, LimitsFlags, section "limits", heading "Limits" {
        #[doc = "Largest page of a list"]
        max_page: u32 as "COUNT", "LEADSCRIBE_MAX_PAGE", default 1000;
        // 1,000 call ids of 19 digits take 21 kB; a filter with 1,000 ids in each of 10 keys takes 210 kB.
        #[doc = "Largest JSON body, in bytes; at most 1048576"]
        max_json_bytes: u64 as "BYTES", "LEADSCRIBE_MAX_JSON_BYTES", default 1048576;
        // Three hours of two channels with 16 bits at 8 kHz take 346 MB.
        #[doc = "Largest recording, in bytes"]
        max_recording_bytes: u64 as "BYTES", "LEADSCRIBE_MAX_RECORDING_BYTES", default 536870912;
        // Two million leads of 500 bytes.
        #[doc = "Largest CSV file, in bytes"]
        max_import_bytes: u64 as "BYTES", "LEADSCRIBE_MAX_IMPORT_BYTES", default 1073741824;
    }
}

options! {
    /// Log-in of staff.
    LoginConfig, LoginFlags, section "login", heading "Log-in" {
        #[doc = "How long a session lasts, in hours"]
        session_hours: u32 as "HOURS", "LEADSCRIBE_SESSION_HOURS", default 12;
        // Half a working day, so that users stay logged in during a break of an hour or two.
        #[doc = "How long a session lasts that nobody uses, in minutes, and up to five more; what an open panel loads by itself while nobody is at it doesn't count"]
        session_idle_minutes: u32 as "MINUTES", "LEADSCRIBE_SESSION_IDLE_MINUTES", default 240;
        // OWASP's minimum for Argon2id takes about 30 ms. Five attempts per minute make guessing infeasible.
        #[doc = "Log-in attempts per account and minute: in each browser that the account has logged in with, from each other address, and ten times as many from all other addresses together"]
        account_attempts: u32 as "COUNT", "LEADSCRIBE_ACCOUNT_ATTEMPTS", default 5;
        // A whole office behind one address may log in at the same time.
        #[doc = "Log-in attempts per client address and minute, but for those in browsers that the account has logged in with"]
        address_attempts: u32 as "COUNT", "LEADSCRIBE_ADDRESS_ATTEMPTS", default 30;
        // Each uses 19 MiB and one core.
        #[doc = "Passwords compared at once at log-in; one new password beside them is checked and hashed"]
        max_hashing: usize as "COUNT", "LEADSCRIBE_MAX_HASHING", default 2;
    }
}

options! {
    /// Logs.
    LogConfig, LogFlags, section "log", heading "Logs" {
        #[doc = "What is logged: error, warn, info, debug, trace, or a filter such as leadscribe_server=debug,info"]
        #[arg(long = "log")]
        filter: String as "FILTER", "LEADSCRIBE_LOG", default "info";
        #[doc = "Form of the logs: json, text, or auto for text on a terminal and JSON elsewhere"]
        #[arg(long = "log-format")]
        format: super::LogFormat as "FORMAT", "LEADSCRIBE_LOG_FORMAT", default "auto";
    }
}
