//! Recordings in an S3-compatible store: a real one over a real socket, which also goes away and refuses.

use serde_json::json;

use crate::harness::{Client, Server};

mod bucket;
mod kept;
mod refused;
mod trouble;

use bucket::Bucket;

/// A server that keeps its recordings in this bucket.
async fn server_on(bucket: &Bucket) -> Server {
    let options = bucket.options();
    Server::configured(|config| config.recordings = options).await
}

/// Makes a call, and gives the path of its recording.
async fn new_call(client: &Client) -> String {
    let id = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
    format!("/api/calls/{id}/recording")
}

/// A client that sends audio.
fn audio(client: &Client) -> Client {
    client.with_header("content-type", "audio/wav")
}
