//! An unusable store is rejected at startup with a one-line message that contains no secret.

use leadscribe_server::config::{Config, RecordingsConfig};
use leadscribe_server::recording::RecordingFiles;
use tokio::net::TcpListener;
use warp::Filter;

use super::Bucket;
use crate::harness::run_failing;

/// Returns the message for these options.
async fn message(recordings: RecordingsConfig) -> String {
    let bucket = recordings.url.split('/').nth(2).unwrap();
    let option = "--recordings-url (LEADSCRIBE_RECORDINGS_URL, recordings.url)";
    let prefix = format!("{option}: can't use the bucket {bucket:?} at {}: ", recordings.endpoint);
    let config = Config { recordings, ..Config::default() };
    let message = RecordingFiles::open(&config).await.map(drop).unwrap_err();
    message.strip_prefix(&prefix).unwrap_or(&message).to_owned()
}

#[tokio::test]
async fn wrong_key_bucket_and_endpoint_have_distinct_errors() {
    let mut bucket = Bucket::start().await;
    let options = bucket.options();
    assert!(RecordingFiles::open(&Config { recordings: options.clone(), ..Config::default() }).await.is_ok());

    let wrong_options = RecordingsConfig { secret_access_key: "another".parse().unwrap(), ..options.clone() };
    assert_eq!(message(wrong_options).await, "the secret doesn't match the access key id");
    let wrong_options = RecordingsConfig { access_key_id: "another".to_owned(), ..options.clone() };
    assert_eq!(message(wrong_options).await, "the access key id is unknown to the store");
    let wrong_options = RecordingsConfig { url: "s3://another".to_owned(), ..options.clone() };
    assert_eq!(message(wrong_options).await, "the store has no such bucket");
    bucket.deny("list-type=2");
    assert_eq!(message(options.clone()).await, "the access key has no permission to list it");
    bucket.deny("never-stored");
    assert_eq!(message(options.clone()).await, "the access key has no permission to read it");
    bucket.stop().await;
    assert_eq!(message(options).await, "Connection refused (os error 111)");
}

#[tokio::test]
async fn endpoint_that_is_not_s3_is_rejected() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let site = warp::any().map(|| warp::reply::html("<html><h1>Welcome</h1></html>"));
    let server_task = tokio::spawn(warp::serve(site).incoming(listener).run());
    let bucket = Bucket::start().await;
    let options = RecordingsConfig { endpoint, ..bucket.options() };
    assert_eq!(message(options).await, "the response is not from an S3 store; the URL may be that of a web site");
    server_task.abort();
}

// Multi-threaded, because the bucket must serve requests while the test waits for the program.
#[tokio::test(flavor = "multi_thread")]
async fn wrong_secret_prevents_start_and_is_not_shown() {
    let bucket = Bucket::start().await;
    let temp_dir = tempfile::tempdir().unwrap();
    let environment = bucket.environment_variables();
    let options: Vec<_> = environment
        .iter()
        .map(|(name, value)| (*name, if name.ends_with("SECRET_ACCESS_KEY") { "wrong-secret" } else { value }))
        .collect();
    let output = run_failing(temp_dir.path(), &options, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(output.contains("the secret doesn't match the access key id"), "{output}");
    assert!(!output.contains("wrong-secret"), "{output}");
}
