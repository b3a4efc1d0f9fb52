//! Recordings in an S3-compatible store, over real sockets, including outages and errors.

use serde_json::json;

use crate::harness::{Client, Server};

mod bucket;
mod kept;
mod refused;
mod trouble;

use bucket::Bucket;

/// Starts a server that stores its recordings in this bucket.
async fn server_on(bucket: &Bucket) -> Server {
    let options = bucket.options();
    Server::configured(|config| config.recordings = options).await
}

/// Creates a call and returns the path of its recording.
async fn new_call(client: &Client) -> String {
    let id = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
    format!("/api/calls/{id}/recording")
}

/// Returns a client that sends audio.
fn audio(client: &Client) -> Client {
    client.with_header("content-type", "audio/wav")
}
