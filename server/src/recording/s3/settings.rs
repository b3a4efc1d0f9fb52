//! Which store the options name: checked as a whole, before anything is asked of it.

use object_store::path::Path;
use url::{Host, Url};

use crate::config::{Addressing, RecordingsConfig, Secret, named};

/// The region that stores other than Amazon's take for granted.
const USUAL_REGION: &str = "us-east-1";

/// What the environment says in the variables that Amazon's own tools read.
#[derive(Clone, Debug, Default)]
pub struct Ambient {
    /// `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`.
    pub endpoint: Option<String>,
    /// `AWS_REGION` or `AWS_DEFAULT_REGION`.
    pub region: Option<String>,
}

/// A bucket, and how it is reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The bucket.
    pub bucket: String,
    /// What all names in it begin with; empty for nothing.
    pub prefix: Path,
    /// The URL of the store, in which a virtual host is named already; none for Amazon's.
    pub endpoint: Option<Url>,
    /// The region of the bucket.
    pub region: String,
    /// The id of the access key and its secret; none for what the environment or the machine's role gives.
    pub key: Option<(String, Secret)>,
    /// Whether the bucket is named in the host rather than in the path.
    pub virtual_hosted: bool,
}

impl Settings {
    /// What the options say; none for the folder of this machine.
    ///
    /// # Errors
    /// What is wrong with them, in one line that tells no secret.
    pub fn check(config: &RecordingsConfig, ambient: &Ambient) -> Result<Option<Self>, String> {
        let given = [
            ("recordings.endpoint", given(&config.endpoint).is_some()),
            ("recordings.region", given(&config.region).is_some()),
            ("recordings.access_key_id", given(&config.access_key_id).is_some()),
            ("recordings.secret_access_key", config.secret_access_key.reveal().is_some()),
            ("recordings.addressing", config.addressing != Addressing::Path),
        ];
        let Some(url) = self::given(&config.url) else {
            return match given.iter().find(|(_, given)| *given) {
                None => Ok(None),
                Some((option, _)) => Err(alone(option, "recordings.url")),
            };
        };
        let (bucket, prefix) = bucket_and_prefix(url)?;
        let key = match (self::given(&config.access_key_id), config.secret_access_key.reveal()) {
            (None, None) => None,
            (Some(_), Some("")) => {
                return Err(format!("{}: expected a secret, found none", named("recordings.secret_access_key")));
            }
            (Some(id), Some(_)) => Some((id.to_owned(), config.secret_access_key.clone())),
            (Some(_), None) => return Err(alone("recordings.access_key_id", "recordings.secret_access_key")),
            (None, Some(_)) => return Err(alone("recordings.secret_access_key", "recordings.access_key_id")),
        };
        let virtual_hosted = config.addressing == Addressing::VirtualHosted;
        let endpoint = match self::given(&config.endpoint).or(ambient.endpoint.as_deref()) {
            Some(url) => Some(endpoint(url, virtual_hosted.then_some(&bucket))?),
            None => None,
        };
        let region = self::given(&config.region).or(ambient.region.as_deref());
        let region = match region.or(endpoint.as_ref().map(|_| USUAL_REGION)) {
            Some(region) => region.to_owned(),
            None => {
                return Err(format!(
                    "{}: expected the region of the bucket, or else {} for a store that isn't Amazon's, found neither",
                    named("recordings.region"),
                    named("recordings.endpoint")
                ));
            }
        };
        Ok(Some(Self { bucket, prefix, endpoint, region, key, virtual_hosted }))
    }

    /// Whether what is sent to the store, recordings and all, can be read on its way there.
    pub fn is_plain(&self) -> bool {
        self.endpoint.as_ref().is_some_and(|endpoint| endpoint.scheme() == "http")
    }
}

/// An option that is given.
fn given(value: &str) -> Option<&str> {
    (value != "none" && !value.is_empty()).then_some(value)
}

/// That an option is given without the one that belongs to it.
fn alone(option: &str, other: &str) -> String {
    format!("{}: expected {} with it, found none", named(option), named(other))
}

fn bucket_and_prefix(url: &str) -> Result<(String, Path), String> {
    let expected = format!("{}: expected s3://bucket or s3://bucket/prefix", named("recordings.url"));
    if url.contains('@') {
        // Not shown: what stands before the sign is likely a secret.
        return Err(format!("{expected}, found one with an @; keys have options of their own"));
    }
    let unlike = || format!("{expected}, found {url:?}");
    let rest = url.strip_prefix("s3://").ok_or_else(unlike)?;
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    if bucket.is_empty() || !bucket.bytes().all(is_name) || prefix.contains(['?', '#']) {
        return Err(unlike());
    }
    let prefix = Path::parse(prefix).map_err(|_| unlike())?;
    Ok((bucket.to_owned(), prefix))
}

/// The URL of the store, with the bucket before its host if there is one to be put there.
fn endpoint(text: &str, bucket: Option<&String>) -> Result<Url, String> {
    let option = named("recordings.endpoint");
    let expected = format!("{option}: expected http://host or https://host");
    let mut url = Url::parse(text).map_err(|error| format!("{expected}, found what is no URL: {error}"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(format!("{expected}, found one with a user; keys have options of their own"));
    }
    if !matches!(url.scheme(), "http" | "https") || url.query().is_some() || url.fragment().is_some() {
        return Err(format!("{expected}, found {text:?}"));
    }
    if let Some(bucket) = bucket {
        let Some(Host::Domain(host)) = url.host() else {
            return Err(format!(
                "{option}: expected a host with a name, as the bucket is to be named in it by {}, found {text:?}",
                named("recordings.addressing")
            ));
        };
        let host = format!("{bucket}.{host}");
        url.set_host(Some(&host)).map_err(|error| format!("{option}: {host:?} is no host: {error}"))?;
    }
    Ok(url)
}

#[cfg(test)]
mod tests;
