//! Options from flags, environment, a TOML file and defaults, in this order of precedence.
//!
//! Each option is defined once, in a table of [`options`]. Flags, environment variables, keys of the file, defaults and the reference
//! ([`reference_markdown`]) are generated from it. Unknown keys in the file are rejected.

mod country;
mod environment;
mod file;
mod languages;
mod metrics_address;
mod networks;
mod option_names;
mod option_type;
mod options;
mod origins;
mod secret;
mod table;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use leadscribe_engine::json;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use country::Country;
pub use environment::{UnknownVariable, unknown_variables};
pub use languages::Languages;
pub use metrics_address::MetricsAddress;
pub use networks::Networks;
pub use option_names::option_names;
pub use option_type::OptionType;
pub use options::*;
pub use origins::Origins;
pub use secret::Secret;

/// Default name of the options file.
const FILE_NAME: &str = "leadscribe.toml";

/// Log format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Text on a terminal, JSON otherwise.
    Auto,
    /// One JSON object per line.
    Json,
    /// Human-readable text.
    Text,
}

/// The speech recognizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecognizerKind {
    /// whisper.cpp in this program.
    Embedded,
    /// A server with the OpenAI-compatible API.
    Http,
    /// Disabled: submissions stay queued.
    Off,
}

/// The tasks of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Everything.
    All,
    /// Serves the API and the panel.
    Api,
    /// Transcribes, delivers and purges.
    Worker,
}

/// A feature switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// Enabled.
    On,
    /// Disabled.
    Off,
}

/// Addressing style of a bucket in requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AddressingStyle {
    /// Bucket in the path.
    Path,
    /// In the host name.
    VirtualHosted,
}

/// All options, one struct per topic.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// HTTP server and limits per client.
    pub http: HttpConfig,
    /// Data folder and database.
    pub storage: StorageConfig,
    /// Storage of recordings.
    pub recordings: RecordingsConfig,
    /// Speech recognition.
    pub speech: SpeechConfig,
    /// Background work.
    pub worker: WorkerConfig,
    /// Deliveries to callbacks.
    pub callbacks: CallbacksConfig,
    /// Retention periods.
    pub retention: RetentionConfig,
    /// Defaults and index of leads.
    pub leads: LeadsConfig,
    /// Limits per request.
    pub limits: LimitsConfig,
    /// Login of staff.
    pub login: LoginConfig,
    /// Logs.
    pub log: LogConfig,
}

/// Options from flags and environment. They take precedence over the file.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct Flags {
    /// TOML file with options [default: leadscribe.toml in the data folder, or else in the current one]
    #[arg(long, env = "LEADSCRIBE_CONFIG", value_name = "FILE", hide_env_values = true)]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a help text here would replace the command's own")]
    pub storage: StorageFlags,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a help text here would replace the command's own")]
    pub recordings: RecordingsFlags,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a help text here would replace the command's own")]
    pub log: LogFlags,
    /// Flags of the server only.
    #[arg(skip)]
    #[serde(flatten)]
    pub server: ServerFlags,
}

/// Flags of the server only.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
#[expect(missing_docs, reason = "a help text here would replace the command's own")]
pub struct ServerFlags {
    #[command(flatten)]
    pub http: HttpFlags,
    #[command(flatten)]
    pub speech: SpeechFlags,
    #[command(flatten)]
    pub worker: WorkerFlags,
    #[command(flatten)]
    pub callbacks: CallbacksFlags,
    #[command(flatten)]
    pub retention: RetentionFlags,
    #[command(flatten)]
    pub leads: LeadsFlags,
    #[command(flatten)]
    pub limits: LimitsFlags,
    #[command(flatten)]
    pub login: LoginFlags,
}

/// An option, as defined in its table.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Section in the file.
    pub section: &'static str,
    /// Key in the file.
    pub key: &'static str,
    /// Type of its values in the file.
    pub option_type: OptionType,
    /// Environment variable.
    pub env: &'static str,
    /// Default, as text.
    pub default: &'static str,
    /// Description.
    pub help: &'static str,
}

/// Returns all options, by topic.
fn all_options() -> impl Iterator<Item = &'static OptionSpec> {
    [
        HttpConfig::OPTIONS,
        StorageConfig::OPTIONS,
        RecordingsConfig::OPTIONS,
        LeadsConfig::OPTIONS,
        SpeechConfig::OPTIONS,
        WorkerConfig::OPTIONS,
        CallbacksConfig::OPTIONS,
        RetentionConfig::OPTIONS,
        LimitsConfig::OPTIONS,
        LoginConfig::OPTIONS,
        LogConfig::OPTIONS,
    ]
    .into_iter()
    .flatten()
}

impl Config {
    /// Combines the layers.
    ///
    /// # Errors
    /// The file can't be read, isn't valid TOML or has an unknown key, or a value has the wrong type.
    pub fn load(flags: &Flags) -> anyhow::Result<Self> {
        let file = Self::options_file(flags);
        let file_text = match &file {
            Some(path) => std::fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?,
            None => String::new(),
        };
        Self::merge_layers(&file_text, flags).with_context(|| match &file {
            Some(path) => format!("in the options from {} and the environment", path.display()),
            None => "in the options".to_owned(),
        })
    }

    /// Returns the path of the options file, if there is one.
    pub fn options_file(flags: &Flags) -> Option<PathBuf> {
        flags.config.clone().or_else(|| find_default_file(flags))
    }

    /// Returns true if any option contains a secret. A database URL counts if it contains a password.
    pub fn has_secrets(&self) -> bool {
        let has_password = |url: &Secret| {
            let Some(url) = url.reveal() else { return false };
            url.contains("password=") || url::Url::parse(url).is_ok_and(|url| url.password().is_some())
        };
        let Self { storage, recordings, speech, .. } = self;
        has_password(&storage.database_url)
            || has_password(&storage.read_database_url)
            || recordings.secret_access_key.reveal().is_some()
            || speech.key.reveal().is_some()
    }

    /// Returns the options of a file alone, with defaults for the others.
    ///
    /// # Errors
    /// See [`Config::load`].
    pub fn from_file_text(text: &str) -> anyhow::Result<Self> {
        Self::merge_layers(text, &Flags::default())
    }

    /// Returns the folder for uploads in progress, on the same file system as the recordings.
    pub fn spool_dir(&self) -> PathBuf {
        self.storage.data_dir.join("spool")
    }

    /// Returns the folder of recordings stored on this machine.
    pub fn recordings_dir(&self) -> PathBuf {
        self.storage.data_dir.join("recordings")
    }

    /// Returns the folder of the models.
    pub fn models_dir(&self) -> PathBuf {
        match self.speech.models_dir.as_str() {
            "none" => self.storage.data_dir.join("models"),
            folder => PathBuf::from(folder),
        }
    }

    /// Returns the number of concurrent recognitions, 1 or more.
    pub fn concurrent_recognitions(&self) -> usize {
        match self.speech.max_concurrent_recognitions {
            0 => (std::thread::available_parallelism().map_or(1, usize::from) / 2).max(1),
            count => count,
        }
    }

    /// Returns the path of the database file.
    pub fn database_file(&self) -> PathBuf {
        self.storage.data_dir.join("leadscribe.db")
    }

    /// Returns the default country of phone numbers without a country code, for leads without a country.
    pub fn default_country(&self) -> Option<&str> {
        self.leads.default_country.code()
    }

    fn merge_layers(file_text: &str, flags: &Flags) -> anyhow::Result<Self> {
        let mut layers = Value::default();
        for OptionSpec { section, key, option_type, default, .. } in all_options() {
            layers[*section][*key] = option_type.parse_default(default);
        }
        merge(&mut layers, serde_json::to_value(file::parse_options(file_text)?)?);
        merge(&mut layers, serde_json::to_value(flags)?);
        let config: Self = serde_path_to_error::deserialize(layers)
            .map_err(|error| anyhow!("{}: {}", option_names(&error.path().to_string()), error.inner()))?;
        config.check_bounds()?;
        config.check_combinations()?;
        Ok(config)
    }

    /// Rejects numbers that the server can't work with.
    fn check_bounds(&self) -> anyhow::Result<()> {
        const DAY_SECONDS: u64 = 24 * 60 * 60;
        const TERABYTE: u64 = 1 << 40;
        const CENTURY_DAYS: u64 = 36_525;
        let Self { http, storage, speech, worker, callbacks, retention, limits, login, .. } = self;
        let bounds = [
            ("http.max_connections", http.max_connections as u64, 1, 1_000_000),
            ("http.max_requests", http.max_requests as u64, 1, 1_000_000),
            // The minimum fits the largest page of the default size; the maximum is less than a semaphore can count in
            // kB.
            ("http.max_pending_response_bytes", http.max_pending_response_bytes, 4_194_304, TERABYTE),
            ("http.header_timeout_seconds", http.header_timeout_seconds, 1, DAY_SECONDS),
            ("http.body_timeout_seconds", http.body_timeout_seconds, 1, DAY_SECONDS),
            ("http.idle_timeout_seconds", http.idle_timeout_seconds, 1, DAY_SECONDS),
            ("http.shutdown_timeout_seconds", http.shutdown_timeout_seconds, 0, DAY_SECONDS),
            ("http.min_upload_bytes", http.min_upload_bytes, 1, TERABYTE),
            // Limit of the head parser in front of hyper.
            ("http.max_head_bytes", http.max_head_bytes as u64, 8_192, 65_535),
            // With a single connection, reads and writes would wait for each other.
            ("storage.database_connections", storage.database_connections as u64, 2, 10_000),
            ("speech.max_concurrent_recognitions", speech.max_concurrent_recognitions as u64, 0, 1_024),
            ("speech.recognition_threads", speech.recognition_threads as u64, 1, 1_024),
            ("speech.timeout_seconds", speech.timeout_seconds, 1, DAY_SECONDS),
            // With a longer lease, the job of a crashed worker would not continue within 60 seconds.
            ("worker.lease_seconds", worker.lease_seconds.into(), 1, 50),
            ("worker.max_attempts", worker.max_attempts.into(), 1, 1_000),
            ("callbacks.timeout_seconds", callbacks.timeout_seconds, 1, 600),
            ("callbacks.max_concurrent_deliveries", callbacks.max_concurrent_deliveries as u64, 1, 1_024),
            ("callbacks.max_pending_deliveries", callbacks.max_pending_deliveries, 1, 10_000_000),
            ("retention.transcript_days", retention.transcript_days.into(), 0, CENTURY_DAYS),
            ("retention.recording_days", retention.recording_days.into(), 0, CENTURY_DAYS),
            ("retention.delivery_days", retention.delivery_days.into(), 0, CENTURY_DAYS),
            ("retention.change_days", retention.change_days.into(), 0, CENTURY_DAYS),
            // The panel requests pages of 1,000.
            ("limits.max_page_size", limits.max_page_size.into(), 1_000, 100_000),
            // Limit of the engine's JSON reader.
            ("limits.max_json_bytes", limits.max_json_bytes, 1_024, json::MAX_BYTES as u64),
            ("limits.max_recording_bytes", limits.max_recording_bytes, 1_024, TERABYTE),
            ("limits.max_import_bytes", limits.max_import_bytes, 1_024, TERABYTE),
            ("login.session_hours", login.session_hours.into(), 1, 8_760),
            // A shorter limit would require a login after every break; a limit longer than a session has no effect.
            ("login.session_idle_minutes", login.session_idle_minutes.into(), 10, 8_760 * 60),
            ("login.account_attempts", login.account_attempts.into(), 1, 1_000_000),
            ("login.address_attempts", login.address_attempts.into(), 1, 1_000_000),
            ("login.max_concurrent_password_checks", login.max_concurrent_password_checks as u64, 1, 1_024),
        ];
        match bounds.iter().find(|(_, value, min, max)| !(min..=max).contains(&value)) {
            None => Ok(()),
            Some((name, value, min, max)) => {
                bail!("{}: expected a number from {min} to {max}, found {value}", option_names(name))
            }
        }
    }

    /// Rejects inconsistent combinations of options.
    fn check_combinations(&self) -> anyhow::Result<()> {
        let HttpConfig { tls_cert, tls_key, .. } = &self.http;
        if (tls_cert == "none") == (tls_key == "none") {
            return Ok(());
        }
        let (present, missing) = if tls_key == "none" { ("tls_cert", "tls_key") } else { ("tls_key", "tls_cert") };
        bail!("{}: requires {}", option_names(&format!("http.{present}")), option_names(&format!("http.{missing}")))
    }
}

impl HttpConfig {
    /// Returns the files of the certificate and its key, if the server terminates TLS itself.
    pub fn tls_files(&self) -> Option<(&Path, &Path)> {
        (self.tls_cert != "none").then(|| (Path::new(&self.tls_cert), Path::new(&self.tls_key)))
    }

    /// Returns true if clients connect over TLS, terminated by the server or by a proxy in front of it.
    pub fn is_over_tls(&self) -> bool {
        self.behind_tls || self.tls_files().is_some()
    }

    /// Returns true if traffic is unencrypted: clients connect from other machines without TLS.
    pub fn is_unencrypted(&self) -> bool {
        !self.is_over_tls() && !self.listen.ip().is_loopback()
    }
}

impl Default for Config {
    /// Returns all defaults. Doesn't read files or the environment.
    fn default() -> Self {
        Self::merge_layers("", &Flags::default()).expect("the defaults are valid")
    }
}

/// Merges two layers. Values of the upper layer take precedence.
fn merge(lower: &mut Value, upper: Value) {
    match (lower, upper) {
        (Value::Object(lower), Value::Object(upper)) => {
            for (key, value) in upper {
                merge(lower.entry(key).or_insert(Value::Null), value);
            }
        }
        (lower, upper) => *lower = upper,
    }
}

/// Returns the path of the default options file, if it exists.
fn find_default_file(flags: &Flags) -> Option<PathBuf> {
    let default = StorageConfig::OPTIONS.iter().find(|row| row.key == "data_dir").map_or(".", |row| row.default);
    let data_dir = flags.storage.data_dir.as_deref().unwrap_or(Path::new(default));
    [data_dir.join(FILE_NAME), PathBuf::from(FILE_NAME)].into_iter().find(|path| path.is_file())
}

/// Returns the reference of all options, as a Markdown table.
pub fn reference_markdown() -> String {
    let mut text =
        String::from("| key of the file | flag | environment | default | what it does |\n|---|---|---|---|---|\n");
    for OptionSpec { section, key, env, default, help, .. } in all_options() {
        let flag = option_names::flag_name(env).unwrap_or_default();
        text += &format!("| `{section}.{key}` | `{flag}` | `{env}` | `{default}` | {help} |\n");
    }
    text
}
