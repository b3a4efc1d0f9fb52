//! Life cycle of a recording in a bucket: stored, played, replaced, transcribed, purged.

use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_server::clock::{Clock, SystemClock};
use serde_json::json;

use super::{Bucket, audio_client, create_call, start_server};
use crate::harness::{ServerProcess, SpeechServer, run_with, sample_recording, wav};

/// Seconds of a recording with three parts: 12.8 MB.
const LONG_SECONDS: f64 = 400.0;

#[tokio::test]
async fn recording_is_stored_played_and_replaced() {
    let bucket = Bucket::start().await;
    let server = start_server(&bucket).await;
    let client = server.admin();
    let path = create_call(&client).await;

    let long_audio = wav(2, LONG_SECONDS);
    audio_client(&client).put(&path, long_audio.clone()).await.expect(200);
    let part_uploads = bucket.requests().iter().filter(|request| request.contains("partNumber=")).count();
    assert_eq!((part_uploads, bucket.unfinished_uploads(), bucket.object_names().len()), (3, 0, 1));
    assert!(client.get(&path).await.body == long_audio, "the served recording equals the upload");
    let partial_response = client.with_header("range", "bytes=5242870-5242889").get(&path).await;
    assert_eq!(
        (partial_response.status, partial_response.header("content-range")),
        (206, Some("bytes 5242870-5242889/12800044"))
    );
    assert!(partial_response.body == long_audio[5_242_870..5_242_890]);
    client.with_header("range", "bytes=99999999-").get(&path).await.expect_problem(416, "range_not_satisfiable");
    for count in 1..=2 {
        client.get(&format!("{path}/peaks?count={count}")).await.expect(200);
        assert_eq!(bucket.object_names().len(), 2, "the waveform is stored next to the recording");
    }

    let names_before = bucket.object_names();
    audio_client(&client).put(&path, long_audio).await.expect(200);
    assert_eq!(bucket.object_names(), names_before, "the same file again changes nothing");

    let requests_before = bucket.requests().len();
    let short_audio = wav(1, 2.0);
    audio_client(&client).put(&path, short_audio.clone()).await.expect(200);
    let requests = bucket.requests();
    let methods: Vec<_> =
        requests[requests_before..].iter().map(|request| request.split(' ').next().unwrap()).collect();
    assert_eq!(
        methods,
        ["PUT", "DELETE", "DELETE"],
        "expected one upload and the deletion of the old recording and waveform: {requests:?}"
    );
    assert_eq!(bucket.object_names().len(), 1);
    assert!(client.get(&path).await.body == short_audio);
    let local_recordings = std::fs::read_dir(server.data_dir().join("recordings")).unwrap();
    assert_eq!(local_recordings.count(), 0, "the folder is empty");
}

// Multi-threaded, because the bucket must serve requests while the test blocks on a command.
#[tokio::test(flavor = "multi_thread")]
async fn recording_in_a_bucket_is_transcribed() {
    let bucket = Bucket::start().await;
    let temp_dir = tempfile::tempdir().unwrap();
    let speech = SpeechServer::start("please call me back", Duration::ZERO).await;
    let environment = bucket.environment_variables();
    let mut options: Vec<_> = environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    options.extend(speech.options());
    let key = run_with(temp_dir.path(), &options, &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run_with(temp_dir.path(), &options, &["token", "create", "--name", "test"]);
    let program = ServerProcess::start_with(temp_dir.path(), &options).await;
    let client = program.client().with_key(&key);
    let call = client.create_recorded_call(sample_recording("librivox_0880.wav")).await;
    assert_eq!(bucket.object_names().len(), 1);
    let transcript = crate::speech::submit_and_wait(&program, &token, call, &["en"]).await;
    assert_eq!(transcript["segments"][0]["text"], json!("please call me back"));
}

#[tokio::test]
async fn wrong_database_deletes_no_recordings() {
    let bucket = Bucket::start().await;
    let server = start_server(&bucket).await;
    let client = server.admin();
    let path = create_call(&client).await;
    audio_client(&client).put(&path, wav(1, 2.0)).await.expect(200);
    server.set_clock(SystemClock.now());
    assert_eq!(server.sweep_recordings().await, 0);
    let owner = bucket.owner().expect("a note");

    // A mistyped data folder creates a new database.
    let other_server = start_server(&bucket).await;
    other_server.set_clock(SystemClock.now());
    for server in [&server, &other_server] {
        server.advance(TimeDelta::days(30));
        assert_eq!(server.sweep_recordings().await, 0);
    }
    assert!(client.get(&path).await.body == wav(1, 2.0));
    assert_eq!((bucket.object_names().len(), bucket.owner()), (1, Some(owner)));
}

#[tokio::test]
async fn expired_recordings_are_purged_and_foreign_objects_kept() {
    let bucket = Bucket::start().await;
    let options = bucket.options();
    let server = crate::harness::Server::start_configured(|config| {
        config.recordings = options;
        config.retention.recording_days = 30;
    })
    .await;
    let client = server.admin();
    let old_recording = create_call(&client).await;
    audio_client(&client).put(&old_recording, wav(1, 1.0)).await.expect(200);
    assert_eq!(server.purge().await.recordings, 0);
    server.advance(TimeDelta::days(31));
    let new_recording = create_call(&client).await;
    audio_client(&client).put(&new_recording, wav(1, 2.0)).await.expect(200);
    assert_eq!(server.purge().await.recordings, 1);
    client.get(&old_recording).await.expect_problem(404, "not_found");
    assert_eq!(bucket.object_names().len(), 1);

    // More objects than a page of the listing.
    for call in 1..=1_003 {
        bucket.store_object(&format!("{call}/{}-0123abcd.wav", "7".repeat(64)));
    }
    bucket.store_object("12/notes-of-mine.txt");
    bucket.store_object("notes-of-mine.txt");
    server.set_clock(SystemClock.now());
    assert_eq!(server.sweep_recordings().await, 0, "recent objects are not swept");
    server.advance(TimeDelta::days(2));
    assert_eq!(server.sweep_recordings().await, 1_003);
    assert_eq!(bucket.object_names().len(), 3);
    assert!(client.get(&new_recording).await.body == wav(1, 2.0));
}
