//! Life cycle of a recording in a bucket: stored, played, replaced, transcribed, purged.

use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_server::clock::{Clock, SystemClock};
use serde_json::json;

use super::{Bucket, audio, new_call, server_on};
use crate::harness::{Program, SpeechServer, run_with, wav};

/// Seconds of a recording with three parts: 12.8 MB.
const LONG: f64 = 400.0;

#[tokio::test]
async fn recording_is_stored_played_and_replaced() {
    let bucket = Bucket::empty().await;
    let server = server_on(&bucket).await;
    let client = server.admin();
    let path = new_call(&client).await;

    let long = wav(2, LONG);
    audio(&client).put(&path, long.clone()).await.expect(200);
    let parts = bucket.seen().iter().filter(|request| request.contains("partNumber=")).count();
    assert_eq!((parts, bucket.unfinished(), bucket.names().len()), (3, 0, 1));
    assert!(client.get(&path).await.body == long, "what is played is what was sent");
    let part = client.with_header("range", "bytes=5242870-5242889").get(&path).await;
    assert_eq!((part.status, part.header("content-range")), (206, Some("bytes 5242870-5242889/12800044")));
    assert!(part.body == long[5_242_870..5_242_890]);
    client.with_header("range", "bytes=99999999-").get(&path).await.refused(416, "range_not_satisfiable");
    for count in 1..=2 {
        client.get(&format!("{path}/peaks?count={count}")).await.expect(200);
        assert_eq!(bucket.names().len(), 2, "the outline lies beside it");
    }

    let before = bucket.names();
    audio(&client).put(&path, long).await.expect(200);
    assert_eq!(bucket.names(), before, "the same file again changes nothing");

    let sent = bucket.seen().len();
    let short = wav(1, 2.0);
    audio(&client).put(&path, short.clone()).await.expect(200);
    let seen = bucket.seen();
    let methods: Vec<_> = seen[sent..].iter().map(|request| request.split(' ').next().unwrap()).collect();
    assert_eq!(
        methods,
        ["PUT", "DELETE", "DELETE"],
        "a short file is one request, and the old one goes with its outline: {seen:?}"
    );
    assert_eq!(bucket.names().len(), 1);
    assert!(client.get(&path).await.body == short);
    let folder = std::fs::read_dir(server.data_dir().join("recordings")).unwrap();
    assert_eq!(folder.count(), 0, "nothing is kept in the folder");
}

// Multi-threaded, because the bucket must serve requests while the test blocks on a command.
#[tokio::test(flavor = "multi_thread")]
async fn recording_in_a_bucket_is_transcribed() {
    let bucket = Bucket::empty().await;
    let home = tempfile::tempdir().unwrap();
    let speech = SpeechServer::saying("please call me back", Duration::ZERO).await;
    let environment = bucket.environment();
    let mut options: Vec<_> = environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    options.extend(speech.options());
    let key = run_with(home.path(), &options, &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run_with(home.path(), &options, &["token", "create", "--name", "test"]);
    let program = Program::start_with(home.path(), &options).await;
    let client = program.client().with_key(&key);
    let call = crate::speech::recorded_call(&client, crate::speech::sample("librivox_0880.wav")).await;
    assert_eq!(bucket.names().len(), 1);
    let transcript = crate::speech::transcribed(&program, &token, call, &["en"]).await;
    assert_eq!(transcript["segments"][0]["text"], json!("please call me back"));
}

#[tokio::test]
async fn wrong_database_deletes_no_recordings() {
    let bucket = Bucket::empty().await;
    let server = server_on(&bucket).await;
    let client = server.admin();
    let path = new_call(&client).await;
    audio(&client).put(&path, wav(1, 2.0)).await.expect(200);
    server.set_clock(SystemClock.now());
    assert_eq!(server.sweep().await, 0);
    let owner = bucket.owner().expect("a note");

    // A mistyped data folder creates a new database.
    let mistaken = server_on(&bucket).await;
    mistaken.set_clock(SystemClock.now());
    for server in [&server, &mistaken] {
        server.advance(TimeDelta::days(30));
        assert_eq!(server.sweep().await, 0);
    }
    assert!(client.get(&path).await.body == wav(1, 2.0));
    assert_eq!((bucket.names().len(), bucket.owner()), (1, Some(owner)));
}

#[tokio::test]
async fn expired_recordings_are_purged_and_foreign_objects_kept() {
    let bucket = Bucket::empty().await;
    let options = bucket.options();
    let server = crate::harness::Server::configured(|config| {
        config.recordings = options;
        config.retention.recording_days = 30;
    })
    .await;
    let client = server.admin();
    let old = new_call(&client).await;
    audio(&client).put(&old, wav(1, 1.0)).await.expect(200);
    assert_eq!(server.purge().await.recordings, 0);
    server.advance(TimeDelta::days(31));
    let new = new_call(&client).await;
    audio(&client).put(&new, wav(1, 2.0)).await.expect(200);
    assert_eq!(server.purge().await.recordings, 1);
    client.get(&old).await.refused(404, "not_found");
    assert_eq!(bucket.names().len(), 1);

    // More objects than a page of the listing.
    for call in 1..=1_003 {
        bucket.keep(&format!("{call}/{}-0123abcd.wav", "7".repeat(64)));
    }
    bucket.keep("12/notes-of-mine.txt");
    bucket.keep("notes-of-mine.txt");
    server.set_clock(SystemClock.now());
    assert_eq!(server.sweep().await, 0, "what is new may be named in a moment");
    server.advance(TimeDelta::days(2));
    assert_eq!(server.sweep().await, 1_003);
    assert_eq!(bucket.names().len(), 3);
    assert!(client.get(&new).await.body == wav(1, 2.0));
}
