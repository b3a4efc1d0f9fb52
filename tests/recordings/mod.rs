//! Recordings in an S3-compatible store, over real sockets, including outages and errors.

use crate::harness::{Client, Server};

mod bucket;
mod failures;
mod life_cycle;
mod rejection;

use bucket::Bucket;

/// Starts a server that stores its recordings in this bucket.
async fn start_server(bucket: &Bucket) -> Server {
    let options = bucket.options();
    Server::start_configured(|config| config.recordings = options).await
}

/// Creates a call and returns the path of its recording.
async fn create_call(client: &Client) -> String {
    format!("/api/calls/{}/recording", client.create_call().await)
}

/// Returns a client that sends audio.
fn audio_client(client: &Client) -> Client {
    client.with_header("content-type", "audio/wav")
}
