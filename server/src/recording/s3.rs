//! Recordings in an S3-compatible store.
//!
//! [`settings`] checks the options; here the store is opened, asked once whether it can be used, and its failures are
//! told in a line.

mod settings;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::prefix::PrefixStore;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, ObjectStoreExt, RetryConfig};

use self::settings::{Ambient, Settings};
use crate::config::{Config, RecordingsConfig, named};

/// What the crate calls such a store in its errors.
const STORE: &str = "S3";

/// Amazon's tools take 3.1 s: one lost packet is sent again after 3 s.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(3_100);

/// How long the store may take to begin its answer, and then to go on with it. A part of 5 MiB is sent in this time
/// over a line of 1.4 Mbit/s.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// Connections that are kept open for the next request, and how long; some stores close them after 20 s.
const IDLE_CONNECTIONS: usize = 16;
const IDLE_TIMEOUT: Duration = Duration::from_secs(15);

/// A name that no recording has.
const NEVER_STORED: &str = "never-stored";

/// How much of a cause is told, in characters: what isn't S3 at all may answer with a page.
const MAX_CAUSE: usize = 200;

/// A store that refuses connections has failed after less than a second, one that swallows them after seven.
const RETRIES: RetryConfig = RetryConfig {
    backoff: BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(1), base: 2.0 },
    max_retries: 3,
    retry_timeout: Duration::from_secs(5),
};

/// The store that the options name, after a request has shown that it can be used; none for the folder of this machine.
///
/// # Errors
/// The options are wrong, or the store can't be used with them: in one line, without secrets.
pub async fn open(config: &Config) -> Result<Option<Arc<dyn ObjectStore>>, String> {
    let environment = AmazonS3Builder::from_env();
    let Some(settings) = settings(&config.recordings, &environment)? else { return Ok(None) };
    let place = settings.endpoint.as_ref().map_or("Amazon's S3", |endpoint| endpoint.as_str().trim_end_matches('/'));
    let said =
        |why| format!("{}: the bucket {:?} at {place} can't be used: {why}", named("recordings.url"), settings.bucket);
    let store = build(&settings, environment).map_err(|error| said(cause(&error)))?;
    ask(&store, &settings).await.map_err(said)?;
    if settings.is_plain() {
        tracing::warn!("recordings go to their store without TLS; others on the network can read them");
    }
    Ok(Some(match settings.prefix.as_ref() {
        "" => Arc::new(store),
        _ => Arc::new(PrefixStore::new(store, settings.prefix)),
    }))
}

fn settings(config: &RecordingsConfig, environment: &AmazonS3Builder) -> Result<Option<Settings>, String> {
    let value = |key: AmazonS3ConfigKey| environment.get_config_value(&key);
    let endpoint = value(AmazonS3ConfigKey::S3Endpoint).or(value(AmazonS3ConfigKey::Endpoint));
    Settings::check(config, &Ambient { endpoint, region: value(AmazonS3ConfigKey::Region) })
}

fn build(settings: &Settings, environment: AmazonS3Builder) -> Result<AmazonS3, object_store::Error> {
    let builder = match &settings.key {
        // Nothing of the environment: a session token there belongs to another key.
        Some((id, secret)) => AmazonS3Builder::new()
            .with_access_key_id(id)
            .with_secret_access_key(secret.reveal().expect("the settings were checked")),
        None => environment,
    };
    let builder = match &settings.endpoint {
        Some(endpoint) => builder.with_config(AmazonS3ConfigKey::S3Endpoint, endpoint.as_str().trim_end_matches('/')),
        None => builder,
    };
    // No deadline for a whole answer: a recording is read as slowly as somebody listens to it.
    let client = ClientOptions::new()
        .with_allow_http(settings.is_plain())
        .with_connect_timeout(CONNECT_TIMEOUT)
        .with_read_timeout(READ_TIMEOUT)
        .with_timeout_disabled()
        .with_pool_max_idle_per_host(IDLE_CONNECTIONS)
        .with_pool_idle_timeout(IDLE_TIMEOUT);
    builder
        .with_bucket_name(&settings.bucket)
        .with_region(&settings.region)
        .with_virtual_hosted_style_request(settings.virtual_hosted)
        // One is deleted at a time, by the request that every store knows.
        .with_disable_bulk_delete(true)
        .with_client_options(client)
        .with_retry(RETRIES)
        .build()
}

/// Lists one name, and reads what isn't there: the cheapest requests that tell a wrong key, bucket, region or endpoint.
async fn ask(store: &AmazonS3, settings: &Settings) -> Result<(), String> {
    store.credentials().get_credential().await.map_err(|error| {
        format!(
            "there is no key for it: neither {} nor AWS_ACCESS_KEY_ID is given, and this machine has no role: {}",
            named("recordings.access_key_id"),
            cause(&error)
        )
    })?;
    let one = PaginatedListOptions { max_keys: Some(1), ..PaginatedListOptions::default() };
    let prefix = Some(settings.prefix.as_ref()).filter(|prefix| !prefix.is_empty());
    store.list_paginated(prefix, one).await.map_err(|error| refusal(&error, "list", settings))?;
    match store.get(&settings.prefix.clone().join(NEVER_STORED)).await {
        Err(object_store::Error::NotFound { .. }) => Ok(()),
        Err(error) => Err(refusal(&error, "read", settings)),
        // Any page is an empty list to whoever reads it kindly.
        Ok(_) => Err("what answers there is no S3 store, but perhaps a web site".to_owned()),
    }
}

/// Why the store can't be used, after a first request that was to do this.
fn refusal(error: &object_store::Error, deed: &str, settings: &Settings) -> String {
    match code(error).as_deref() {
        Some("NoSuchBucket") => "the store has no such bucket".to_owned(),
        Some("InvalidAccessKeyId" | "NotSignedUp") => "the store doesn't know the access key id".to_owned(),
        Some("SignatureDoesNotMatch") => "the secret doesn't belong to the access key id".to_owned(),
        Some("AccessDenied") => format!("the key may not {deed} it"),
        Some("RequestTimeTooSkewed") => "the clocks of this machine and of the store differ too much".to_owned(),
        Some("AuthorizationHeaderMalformed" | "PermanentRedirect") => {
            format!("it isn't in the region {:?}", settings.region)
        }
        Some(code) => format!("the store answers {code}"),
        None => cause(error),
    }
}

/// Whether it is a store elsewhere that failed: it may be well again later.
pub fn is_elsewhere(error: &object_store::Error) -> bool {
    use object_store::Error::*;
    matches!(error, Generic { store: STORE, .. } | PermissionDenied { .. } | Unauthenticated { .. })
}

/// The error, without the answer that the store gave: that repeats the request, with what signed it.
pub fn brief(error: object_store::Error) -> object_store::Error {
    match (&error, code(&error)) {
        (object_store::Error::NotFound { .. }, _) | (_, None) => error,
        (_, Some(code)) => {
            object_store::Error::Generic { store: STORE, source: format!("the store answers {code}").into() }
        }
    }
}

/// The code in an answer of the store; none when it gave no answer of the form that S3 prescribes.
fn code(error: &object_store::Error) -> Option<String> {
    let text = error.to_string();
    let (_, rest) = text.split_once("<Code>")?;
    let (code, _) = rest.split_once("</Code>")?;
    Some(code.to_owned())
}

/// What is at the bottom of an error, in one line.
fn cause(error: &object_store::Error) -> String {
    let mut bottom: &dyn Error = error;
    while let Some(source) = bottom.source() {
        bottom = source;
    }
    let line = bottom.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_CAUSE).collect()
}
