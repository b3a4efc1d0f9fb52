use super::*;
use crate::config::Config;

/// Returns valid options.
fn valid_config() -> RecordingsConfig {
    RecordingsConfig {
        url: "s3://calls/centre/one".to_owned(),
        endpoint: "http://127.0.0.1:9000".to_owned(),
        access_key_id: "AKID".to_owned(),
        secret_access_key: "very secret".parse().unwrap(),
        ..Config::default().recordings
    }
}

fn config_error(change: impl FnOnce(&mut RecordingsConfig)) -> String {
    let mut config = valid_config();
    change(&mut config);
    let error = Settings::from_config(&config, &AwsEnvironment::default()).unwrap_err();
    assert!(!error.contains("very secret") && !error.contains('\n'), "{error}");
    error
}

#[test]
fn uses_folder_without_url() {
    assert_eq!(Settings::from_config(&Config::default().recordings, &AwsEnvironment::default()), Ok(None));
}

#[test]
fn finds_bucket() {
    let settings = Settings::from_config(&valid_config(), &AwsEnvironment::default()).unwrap().unwrap();
    assert_eq!((settings.bucket.as_str(), settings.prefix.as_ref()), ("calls", "centre/one"));
    assert_eq!(settings.endpoint.as_ref().map(Url::as_str), Some("http://127.0.0.1:9000/"));
    assert_eq!(settings.region, "us-east-1");
    assert!(settings.is_unencrypted() && !settings.virtual_hosted);
    assert!(!format!("{settings:?}").contains("very secret"));
}

#[test]
fn environment_fills_missing_options() {
    let environment =
        AwsEnvironment { endpoint: Some("https://s3.example:9000".to_owned()), region: Some("eu-1".to_owned()) };
    let config =
        RecordingsConfig { endpoint: "none".to_owned(), addressing: AddressingStyle::VirtualHosted, ..valid_config() };
    let settings = Settings::from_config(&config, &environment).unwrap().unwrap();
    assert_eq!(settings.endpoint.as_ref().map(Url::as_str), Some("https://calls.s3.example:9000/"));
    assert_eq!(settings.region, "eu-1");
    assert!(!settings.is_unencrypted() && settings.virtual_hosted);
}

#[test]
fn rejects_options_without_url() {
    let no_url = |config: &mut RecordingsConfig| config.url = "none".to_owned();
    assert_eq!(
        config_error(no_url),
        format!("{}: requires {}", option_names("recordings.endpoint"), option_names("recordings.url"))
    );
}

#[test]
fn rejects_incomplete_key() {
    assert_eq!(
        config_error(|config| config.access_key_id = "none".to_owned()),
        "--recordings-secret-access-key (LEADSCRIBE_RECORDINGS_SECRET_ACCESS_KEY, recordings.secret_access_key): \
         requires --recordings-access-key-id (LEADSCRIBE_RECORDINGS_ACCESS_KEY_ID, recordings.access_key_id)"
    );
    assert_eq!(
        config_error(|config| config.secret_access_key = "none".parse().unwrap()),
        missing_companion("recordings.access_key_id", "recordings.secret_access_key")
    );
    assert_eq!(
        config_error(|config| config.secret_access_key = "".parse().unwrap()),
        format!("{}: expected a secret, found none", option_names("recordings.secret_access_key"))
    );
}

#[test]
fn rejects_other_urls() {
    let url = |url: &str| config_error(|config| config.url = url.to_owned());
    let expected = format!("{}: expected s3://bucket or s3://bucket/prefix", option_names("recordings.url"));
    for given in
        ["calls", "https://calls", "s3://", "s3:///calls", "s3://a bucket", "s3://calls/a//b", "s3://calls/a?b"]
    {
        assert_eq!(url(given), format!("{expected}, found {given:?}"));
    }
    assert_eq!(
        url("s3://AKID:very secret@calls"),
        format!(
            "{}: the URL must not contain credentials; use --recordings-access-key-id and \
             --recordings-secret-access-key",
            option_names("recordings.url")
        )
    );
}

#[test]
fn rejects_other_endpoints() {
    let endpoint = |url: &str| config_error(|config| config.endpoint = url.to_owned());
    let expected = format!("{}: expected http://host or https://host", option_names("recordings.endpoint"));
    assert_eq!(endpoint("s3.example"), format!("{expected}, found an invalid URL: relative URL without a base"));
    assert_eq!(endpoint("ftp://s3.example"), format!("{expected}, found \"ftp://s3.example\""));
    assert_eq!(endpoint("https://s3.example/?a=b"), format!("{expected}, found \"https://s3.example/?a=b\""));
    assert_eq!(
        endpoint("https://AKID:very secret@s3.example"),
        format!("{expected}, found one with a user; set keys with their own options")
    );
    assert_eq!(
        config_error(|config| config.addressing = AddressingStyle::VirtualHosted),
        "--recordings-endpoint (LEADSCRIBE_RECORDINGS_ENDPOINT, recordings.endpoint): --recordings-addressing \
         (LEADSCRIBE_RECORDINGS_ADDRESSING, recordings.addressing) requires a host name, found \"http://127.0.0.1:9000\""
    );
}

#[test]
fn amazon_bucket_requires_region() {
    assert_eq!(
        config_error(|config| config.endpoint = "none".to_owned()),
        "--recordings-region (LEADSCRIBE_RECORDINGS_REGION, recordings.region): requires the region of the bucket, or \
         --recordings-endpoint (LEADSCRIBE_RECORDINGS_ENDPOINT, recordings.endpoint) for a store other than Amazon's"
    );
}
