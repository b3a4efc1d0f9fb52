//! Store that is down or fails midway: the request is rejected, and nothing is lost or left behind.

use std::time::{Duration, Instant};

use http::{HeaderValue, Method};

use super::{Bucket, audio_client, create_call, start_server};
use crate::harness::{Server, wav};

/// Time limit for a rejection on a busy machine. A store that refuses connections is retried for less than a second.
const MAX_REJECTION_TIME: Duration = Duration::from_secs(8);

/// The whole message, without further details.
const PROBLEM_DETAIL: &str = "storage is unavailable; retry later";

/// Sends a request that must fail with a 503. The usual test client doesn't accept a 5xx.
async fn assert_unavailable(server: &Server, method: Method, path: &str, body: Vec<u8>) {
    let request = reqwest::Client::new().request(method, format!("{}{path}", server.base()));
    let request = request.bearer_auth(server.admin_key()).header("content-type", "audio/wav").body(body);
    let response = request.send().await.unwrap();
    assert_eq!((response.status().as_u16(), &response.headers()["retry-after"]), (503, &HeaderValue::from_static("2")));
    let problem: serde_json::Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
    assert_eq!((problem["code"].as_str(), &problem["detail"]), (Some("unavailable"), &PROBLEM_DETAIL.into()));
}

#[tokio::test]
async fn unavailable_store_is_reported_soon_and_loses_nothing() {
    let mut bucket = Bucket::start().await;
    let server = start_server(&bucket).await;
    let client = server.admin();
    let (path, path_without_recording) = (create_call(&client).await, create_call(&client).await);
    audio_client(&client).put(&path, wav(1, 2.0)).await.expect(200);

    bucket.stop().await;
    let started = Instant::now();
    assert_unavailable(&server, Method::GET, &path, Vec::new()).await;
    assert_unavailable(&server, Method::PUT, &path, wav(1, 3.0)).await;
    assert_unavailable(&server, Method::PUT, &path_without_recording, wav(2, 400.0)).await;
    assert!(started.elapsed() < MAX_REJECTION_TIME, "{:?}", started.elapsed());
    // Everything else still works.
    assert_eq!(server.anonymous().get("/readyz").await.status, 200);
    let call = client.get(path.strip_suffix("/recording").unwrap()).await.expect(200);
    assert_eq!((&call["recording"]["state"], &call["recording"]["bytes"]), (&"ready".into(), &32_044.into()));

    bucket.restart().await;
    assert!(client.get(&path).await.body == wav(1, 2.0), "the recording is unchanged");
    client.get(&path_without_recording).await.expect_problem(404, "not_found");
    audio_client(&client).put(&path, wav(1, 3.0)).await.expect(200);
    assert!(client.get(&path).await.body == wav(1, 3.0));
    assert_eq!(bucket.object_names().len(), 1);
}

#[tokio::test]
async fn upload_failing_midway_leaves_nothing_behind() {
    let bucket = Bucket::start().await;
    let server = start_server(&bucket).await;
    let client = server.admin();
    let path = create_call(&client).await;
    bucket.deny("partNumber=2");
    assert_unavailable(&server, Method::PUT, &path, wav(2, 400.0)).await;
    client.get(&path).await.expect_problem(404, "not_found");
    assert!(bucket.requests().iter().any(|request| request.contains("partNumber=1")), "a part was stored");
    // Cleanup runs in the background.
    let deadline = Instant::now() + MAX_REJECTION_TIME;
    while bucket.unfinished_uploads() > 0 {
        assert!(Instant::now() < deadline, "multipart uploads were not aborted");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(bucket.requests().iter().any(|request| request.starts_with("DELETE") && request.contains("uploadId=")));
    assert_eq!(bucket.object_names(), [""; 0]);
}
