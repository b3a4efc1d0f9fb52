//! Recordings in an S3-compatible store.
//!
//! [`settings`] validates the options. This module opens the store, checks once that it can be used, and reduces its errors to one line.

mod settings;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::prefix::PrefixStore;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, ObjectStoreExt, RetryConfig};

use self::settings::{AwsEnvironment, Settings};
use crate::config::{Config, RecordingsConfig, option_names};

/// Name of an S3 store in the errors of `object_store`.
const STORE_NAME: &str = "S3";

/// The same as in Amazon's tools: one lost packet is sent again after 3 s.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(3_100);

/// Maximum time for the store to begin its response, and between chunks. A part of 5 MiB takes this long at 1.4 Mbit/s.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum number of idle connections to keep for later requests.
const MAX_IDLE_CONNECTIONS: usize = 16;
/// Timeout of idle connections. Some stores close them after 20 s.
const IDLE_TIMEOUT: Duration = Duration::from_secs(15);

/// A name that no recording has.
const NEVER_STORED: &str = "never-stored";

/// Maximum length of an error's cause in characters. A server other than S3 may respond with a web page.
const MAX_CAUSE_CHARS: usize = 200;

/// A store that refuses connections fails after less than a second, one that drops packets after seven.
const RETRY_CONFIG: RetryConfig = RetryConfig {
    backoff: BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(1), base: 2.0 },
    max_retries: 3,
    retry_timeout: Duration::from_secs(5),
};

/// Opens the store from the options and checks that it can be used. Returns `None` for the folder on this machine.
///
/// # Errors
/// The options are invalid, or the store can't be used with them: one line without secrets.
pub async fn open(config: &Config) -> Result<Option<Arc<dyn ObjectStore>>, String> {
    let environment = AmazonS3Builder::from_env();
    let Some(settings) = settings(&config.recordings, &environment)? else { return Ok(None) };
    let location = settings.endpoint.as_ref().map_or("Amazon's S3", |endpoint| endpoint.as_str().trim_end_matches('/'));
    let describe_failure = |why| {
        format!("{}: can't use the bucket {:?} at {location}: {why}", option_names("recordings.url"), settings.bucket)
    };
    let store = build(&settings, environment).map_err(|error| describe_failure(root_cause(&error)))?;
    check_access(&store, &settings).await.map_err(describe_failure)?;
    if settings.is_unencrypted() {
        tracing::warn!("recordings are sent to their store without TLS; others on the network can read them");
    }
    Ok(Some(match settings.prefix.as_ref() {
        "" => Arc::new(store),
        _ => Arc::new(PrefixStore::new(store, settings.prefix)),
    }))
}

fn settings(config: &RecordingsConfig, environment: &AmazonS3Builder) -> Result<Option<Settings>, String> {
    let value = |key: AmazonS3ConfigKey| environment.get_config_value(&key);
    let endpoint = value(AmazonS3ConfigKey::S3Endpoint).or(value(AmazonS3ConfigKey::Endpoint));
    Settings::from_config(config, &AwsEnvironment { endpoint, region: value(AmazonS3ConfigKey::Region) })
}

fn build(settings: &Settings, environment: AmazonS3Builder) -> Result<AmazonS3, object_store::Error> {
    let builder = match &settings.key {
        // Ignores the environment: a session token there belongs to another key.
        Some((id, secret)) => AmazonS3Builder::new()
            .with_access_key_id(id)
            .with_secret_access_key(secret.reveal().expect("the settings were checked")),
        None => environment,
    };
    let builder = match &settings.endpoint {
        Some(endpoint) => builder.with_config(AmazonS3ConfigKey::S3Endpoint, endpoint.as_str().trim_end_matches('/')),
        None => builder,
    };
    // No timeout for a whole response: a recording is read as slowly as the user listens.
    let client = ClientOptions::new()
        .with_allow_http(settings.is_unencrypted())
        .with_connect_timeout(CONNECT_TIMEOUT)
        .with_read_timeout(READ_TIMEOUT)
        .with_timeout_disabled()
        .with_pool_max_idle_per_host(MAX_IDLE_CONNECTIONS)
        .with_pool_idle_timeout(IDLE_TIMEOUT);
    builder
        .with_bucket_name(&settings.bucket)
        .with_region(&settings.region)
        .with_virtual_hosted_style_request(settings.virtual_hosted)
        // Single deletes, which every store supports.
        .with_disable_bulk_delete(true)
        .with_client_options(client)
        .with_retry(RETRY_CONFIG)
        .build()
}

/// Lists one name and reads a missing one: the cheapest requests that detect a wrong key, bucket, region or endpoint.
async fn check_access(store: &AmazonS3, settings: &Settings) -> Result<(), String> {
    store.credentials().get_credential().await.map_err(|error| {
        format!(
            "no access key: neither {} nor AWS_ACCESS_KEY_ID is set, and this machine has no role: {}",
            option_names("recordings.access_key_id"),
            root_cause(&error)
        )
    })?;
    let first_page = PaginatedListOptions { max_keys: Some(1), ..PaginatedListOptions::default() };
    let prefix = Some(settings.prefix.as_ref()).filter(|prefix| !prefix.is_empty());
    store.list_paginated(prefix, first_page).await.map_err(|error| explain_failure(&error, "list", settings))?;
    match store.get(&settings.prefix.clone().join(NEVER_STORED)).await {
        Err(object_store::Error::NotFound { .. }) => Ok(()),
        Err(error) => Err(explain_failure(&error, "read", settings)),
        // The lenient parser turns any web page into an empty list.
        Ok(_) => Err("the response is not from an S3 store; the URL may be that of a web site".to_owned()),
    }
}

/// Explains why the first request, which performs `action` on the bucket, failed.
fn explain_failure(error: &object_store::Error, action: &str, settings: &Settings) -> String {
    match error_code(error).as_deref() {
        Some("NoSuchBucket") => "the store has no such bucket".to_owned(),
        Some("InvalidAccessKeyId" | "NotSignedUp") => "the access key id is unknown to the store".to_owned(),
        Some("SignatureDoesNotMatch") => "the secret doesn't match the access key id".to_owned(),
        Some("AccessDenied") => format!("the access key has no permission to {action} it"),
        Some("RequestTimeTooSkewed") => "the clocks of this machine and the store differ too much".to_owned(),
        Some("AuthorizationHeaderMalformed" | "PermanentRedirect") => {
            format!("it isn't in the region {:?}", settings.region)
        }
        Some(code) => format!("the store responded with {code}"),
        None => root_cause(error),
    }
}

/// True if a remote store failed, which may be temporary.
pub fn is_remote_error(error: &object_store::Error) -> bool {
    use object_store::Error::*;
    matches!(error, Generic { store: STORE_NAME, .. } | PermissionDenied { .. } | Unauthenticated { .. })
}

/// Shortens an error by removing the store's response, which repeats the request and its signature.
pub fn shorten_error(error: object_store::Error) -> object_store::Error {
    match (&error, error_code(&error)) {
        (object_store::Error::NotFound { .. }, _) | (_, None) => error,
        (_, Some(code)) => object_store::Error::Generic {
            store: STORE_NAME,
            source: format!("the store responded with {code}").into(),
        },
    }
}

/// Returns the error code in the store's response, or `None` if the response is not in S3's format.
fn error_code(error: &object_store::Error) -> Option<String> {
    let text = error.to_string();
    let (_, rest) = text.split_once("<Code>")?;
    let (code, _) = rest.split_once("</Code>")?;
    Some(code.to_owned())
}

/// Returns the root cause of an error in one line.
fn root_cause(error: &object_store::Error) -> String {
    let mut innermost: &dyn Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let line = innermost.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_CAUSE_CHARS).collect()
}
