//! An unusable store is rejected at startup with a one-line message that contains no secret.

use leadscribe_server::config::{Config, RecordingsConfig};
use leadscribe_server::recording::RecordingFiles;
use tokio::net::TcpListener;
use warp::Filter;

use super::Bucket;
use crate::harness::refusal;

/// Returns the message for these options.
async fn said(recordings: RecordingsConfig) -> String {
    let bucket = recordings.url.split('/').nth(2).unwrap();
    let option = "--recordings-url (LEADSCRIBE_RECORDINGS_URL, recordings.url)";
    let place = format!("{option}: can't use the bucket {bucket:?} at {}: ", recordings.endpoint);
    let config = Config { recordings, ..Config::default() };
    let said = RecordingFiles::open(&config).await.map(drop).unwrap_err();
    said.strip_prefix(&place).unwrap_or(&said).to_owned()
}

#[tokio::test]
async fn wrong_key_bucket_and_endpoint_have_distinct_errors() {
    let mut bucket = Bucket::empty().await;
    let good = bucket.options();
    assert!(RecordingFiles::open(&Config { recordings: good.clone(), ..Config::default() }).await.is_ok());

    let wrong = RecordingsConfig { secret_access_key: "another".parse().unwrap(), ..good.clone() };
    assert_eq!(said(wrong).await, "the secret doesn't match the access key id");
    let wrong = RecordingsConfig { access_key_id: "another".to_owned(), ..good.clone() };
    assert_eq!(said(wrong).await, "the access key id is unknown to the store");
    let wrong = RecordingsConfig { url: "s3://another".to_owned(), ..good.clone() };
    assert_eq!(said(wrong).await, "the store has no such bucket");
    bucket.deny("list-type=2");
    assert_eq!(said(good.clone()).await, "the access key has no permission to list it");
    bucket.deny("never-stored");
    assert_eq!(said(good.clone()).await, "the access key has no permission to read it");
    bucket.go_down().await;
    assert_eq!(said(good).await, "Connection refused (os error 111)");
}

#[tokio::test]
async fn endpoint_that_is_not_s3_is_rejected() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let site = warp::any().map(|| warp::reply::html("<html><h1>Welcome</h1></html>"));
    let serving = tokio::spawn(warp::serve(site).incoming(listener).run());
    let bucket = Bucket::empty().await;
    let wrong = RecordingsConfig { endpoint, ..bucket.options() };
    assert_eq!(said(wrong).await, "the response is not from an S3 store; the URL may be that of a web site");
    serving.abort();
}

// Multi-threaded, because the bucket must serve requests while the test waits for the program.
#[tokio::test(flavor = "multi_thread")]
async fn wrong_secret_prevents_start_and_is_not_shown() {
    let bucket = Bucket::empty().await;
    let home = tempfile::tempdir().unwrap();
    let environment = bucket.environment();
    let options: Vec<_> = environment
        .iter()
        .map(|(name, value)| (*name, if name.ends_with("SECRET_ACCESS_KEY") { "wrong-secret" } else { value }))
        .collect();
    let said = refusal(home.path(), &options, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(said.contains("the secret doesn't match the access key id"), "{said}");
    assert!(!said.contains("wrong-secret"), "{said}");
}
