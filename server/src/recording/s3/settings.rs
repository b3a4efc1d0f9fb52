//! Settings of the S3 store, validated as a whole before any request is sent.

use object_store::path::Path;
use url::{Host, Url};

use crate::config::{AddressingStyle, RecordingsConfig, Secret, option_names};

/// Default region of stores other than Amazon's.
const DEFAULT_REGION: &str = "us-east-1";

/// Values of the environment variables that Amazon's tools read.
#[derive(Clone, Debug, Default)]
pub struct AwsEnvironment {
    /// `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`.
    pub endpoint: Option<String>,
    /// `AWS_REGION` or `AWS_DEFAULT_REGION`.
    pub region: Option<String>,
}

/// A bucket and how to access it.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub bucket: String,
    /// Prefix of all names in the bucket; may be empty.
    pub prefix: Path,
    /// URL of the store, with the bucket in the host if it is virtual-hosted; `None` for Amazon's S3.
    pub endpoint: Option<Url>,
    /// Region of the bucket.
    pub region: String,
    /// Id and secret of the access key; `None` to use the environment or the machine's role.
    pub key: Option<(String, Secret)>,
    /// True if the bucket is in the host name instead of the path.
    pub virtual_hosted: bool,
}

impl Settings {
    /// Validates the options. Returns `None` for the folder on this machine.
    ///
    /// # Errors
    /// The problem in one line without secrets.
    pub fn from_config(config: &RecordingsConfig, environment: &AwsEnvironment) -> Result<Option<Self>, String> {
        let options = [
            ("recordings.endpoint", value_if_set(&config.endpoint).is_some()),
            ("recordings.region", value_if_set(&config.region).is_some()),
            ("recordings.access_key_id", value_if_set(&config.access_key_id).is_some()),
            ("recordings.secret_access_key", config.secret_access_key.reveal().is_some()),
            ("recordings.addressing", config.addressing != AddressingStyle::Path),
        ];
        let Some(url) = value_if_set(&config.url) else {
            return match options.iter().find(|(_, is_set)| *is_set) {
                None => Ok(None),
                Some((option, _)) => Err(missing_companion(option, "recordings.url")),
            };
        };
        let (bucket, prefix) = bucket_and_prefix(url)?;
        let key = match (value_if_set(&config.access_key_id), config.secret_access_key.reveal()) {
            (None, None) => None,
            (Some(_), Some("")) => {
                return Err(format!("{}: expected a secret, found none", option_names("recordings.secret_access_key")));
            }
            (Some(id), Some(_)) => Some((id.to_owned(), config.secret_access_key.clone())),
            (Some(_), None) => {
                return Err(missing_companion("recordings.access_key_id", "recordings.secret_access_key"));
            }
            (None, Some(_)) => {
                return Err(missing_companion("recordings.secret_access_key", "recordings.access_key_id"));
            }
        };
        let virtual_hosted = config.addressing == AddressingStyle::VirtualHosted;
        let endpoint = match value_if_set(&config.endpoint).or(environment.endpoint.as_deref()) {
            Some(url) => Some(endpoint(url, virtual_hosted.then_some(&bucket))?),
            None => None,
        };
        let region = value_if_set(&config.region).or(environment.region.as_deref());
        let region = match region.or(endpoint.as_ref().map(|_| DEFAULT_REGION)) {
            Some(region) => region.to_owned(),
            None => {
                return Err(format!(
                    "{}: requires the region of the bucket, or {} for a store other than Amazon's",
                    option_names("recordings.region"),
                    option_names("recordings.endpoint")
                ));
            }
        };
        Ok(Some(Self { bucket, prefix, endpoint, region, key, virtual_hosted }))
    }

    /// True if traffic to the store, including recordings, is unencrypted.
    pub fn is_unencrypted(&self) -> bool {
        self.endpoint.as_ref().is_some_and(|endpoint| endpoint.scheme() == "http")
    }
}

/// Returns the value of an option unless it is unset.
fn value_if_set(value: &str) -> Option<&str> {
    (value != "none" && !value.is_empty()).then_some(value)
}

/// Returns the error for an option without the one that it requires.
fn missing_companion(option: &str, other: &str) -> String {
    format!("{}: requires {}", option_names(option), option_names(other))
}

fn bucket_and_prefix(url: &str) -> Result<(String, Path), String> {
    let expected = format!("{}: expected s3://bucket or s3://bucket/prefix", option_names("recordings.url"));
    if url.contains('@') {
        // Don't show the value: the part before the `@` is probably a secret.
        return Err(format!(
            "{}: the URL must not contain credentials; use --recordings-access-key-id and \
             --recordings-secret-access-key",
            option_names("recordings.url")
        ));
    }
    let invalid = || format!("{expected}, found {url:?}");
    let rest = url.strip_prefix("s3://").ok_or_else(invalid)?;
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    if bucket.is_empty() || !bucket.bytes().all(is_name) || prefix.contains(['?', '#']) {
        return Err(invalid());
    }
    let prefix = Path::parse(prefix).map_err(|_| invalid())?;
    Ok((bucket.to_owned(), prefix))
}

/// Returns the URL of the store, with the bucket before its host if given.
fn endpoint(text: &str, bucket: Option<&String>) -> Result<Url, String> {
    let option = option_names("recordings.endpoint");
    let expected = format!("{option}: expected http://host or https://host");
    let mut url = Url::parse(text).map_err(|error| format!("{expected}, found an invalid URL: {error}"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(format!("{expected}, found one with a user; set keys with their own options"));
    }
    if !matches!(url.scheme(), "http" | "https") || url.query().is_some() || url.fragment().is_some() {
        return Err(format!("{expected}, found {text:?}"));
    }
    if let Some(bucket) = bucket {
        let Some(Host::Domain(host)) = url.host() else {
            return Err(format!(
                "{option}: {} requires a host name, found {text:?}",
                option_names("recordings.addressing")
            ));
        };
        let host = format!("{bucket}.{host}");
        url.set_host(Some(&host)).map_err(|error| format!("{option}: {host:?} is not a valid host: {error}"))?;
    }
    Ok(url)
}

#[cfg(test)]
mod tests;
