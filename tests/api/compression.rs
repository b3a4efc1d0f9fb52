//! Compressed responses and requests over the network, in each content coding.

use std::io::{Read, Write};

use serde_json::{Value, json};

use crate::harness::{Response, Server, body};

const CODINGS: [&str; 3] = ["gzip", "br", "zstd"];

/// Starts a server with this number of leads.
async fn server_with_leads(count: usize) -> Server {
    let server = Server::start().await;
    let rows: String = (0..count).map(|number| format!("{number},Ada{number},Berlin,DE\n")).collect();
    let file = format!("original_identifier,first_name,city,country\n{rows}");
    let import = super::imports::import(&server.admin(), "leads", file).await;
    assert_eq!(import["counts"]["inserted"], count);
    server
}

/// Returns the body, decoded by its `Content-Encoding`.
fn decoded(response: &Response) -> Vec<u8> {
    let (mut decoded, body) = (Vec::new(), response.body.as_slice());
    match response.header("content-encoding") {
        Some("gzip") => flate2::read::GzDecoder::new(body).read_to_end(&mut decoded),
        Some("br") => brotli::Decompressor::new(body, 4_096).read_to_end(&mut decoded),
        Some("zstd") => zstd::Decoder::new(body).and_then(|mut decoder| decoder.read_to_end(&mut decoded)),
        _ => panic!("not compressed: {:?}", response.headers),
    }
    .unwrap();
    decoded
}

#[tokio::test]
async fn lookups_and_exports_are_compressed() {
    let server = server_with_leads(2_500).await;
    for target in [
        "/api/leads?limit=1000",
        "/api/leads?limit=20",
        "/api/leads/export?format=csv&filter=%7B%22country%22:%22DE%22%7D",
        "/api/leads/export?format=jsonl&filter=%7B%22country%22:%22DE%22%7D",
    ] {
        let plain = server.admin().get(target).await;
        assert_eq!((plain.status, plain.header("content-encoding")), (200, None), "{target}");
        for coding in CODINGS {
            let response = server.admin().with_header("accept-encoding", coding).get(target).await;
            assert_eq!(response.header("content-encoding"), Some(coding), "{target}");
            assert_eq!(response.header("vary"), Some("Accept-Encoding"), "{target}");
            assert!(response.body.len() * 2 < plain.body.len(), "{target}: {}", response.body.len());
            assert!(decoded(&response) == plain.body, "{target} as {coding} decodes to other content");
        }
    }
    let extended = server.admin().with_header("accept-encoding", "br;q=0.5, gzip;q=0.8");
    let response = extended.put("/api/leads/extended-data", body(json!({ "country": "DE" }))).await;
    assert_eq!(response.header("content-encoding"), Some("gzip"));
    let page: Value = serde_json::from_slice(&decoded(&response)).unwrap();
    assert_eq!(page["total_leads"], 2_500);
}

#[tokio::test]
async fn head_has_the_headers_of_get() {
    let server = server_with_leads(50).await;
    let client = server.admin().with_header("accept-encoding", "gzip");
    let get = client.get("/api/leads").await;
    let head = client.send(reqwest::Method::HEAD, "/api/leads", "").await;
    for name in ["content-encoding", "content-length", "content-type", "vary"] {
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
    assert_eq!(get.header("content-length"), Some(get.body.len().to_string().as_str()));
}

/// Encodes a body with a content coding.
fn encoded(coding: &str, body: &[u8]) -> Vec<u8> {
    let mut encoded = Vec::new();
    match coding {
        "gzip" => {
            let mut encoder = flate2::write::GzEncoder::new(&mut encoded, flate2::Compression::best());
            encoder.write_all(body).unwrap();
            encoder.finish().unwrap();
        }
        "br" => brotli::CompressorWriter::new(&mut encoded, 4_096, 9, 22).write_all(body).unwrap(),
        _ => encoded = zstd::encode_all(body, 19).unwrap(),
    }
    encoded
}

#[tokio::test]
async fn compressed_bodies_are_decoded() {
    let server = Server::start().await;
    for coding in CODINGS {
        let client = server.admin().with_header("content-encoding", coding);
        let lead = client.post("/api/leads", encoded(coding, br#"{"first_name":"Ada"}"#)).await.expect(201);
        assert_eq!(lead["first_name"], "Ada", "{coding}");
        let file = format!("first_name,city\n{}", "Ada,Berlin\nBen,Bonn\n".repeat(1_000));
        let import = super::imports::import(&client, "leads", encoded(coding, file.as_bytes())).await;
        assert_eq!(import["counts"]["read"], 2_000, "{coding}: {import}");
    }
}

#[tokio::test]
async fn decoded_bodies_are_limited() {
    let server = Server::start_configured(|config| config.limits.max_import_bytes = 2 << 20).await;
    for coding in CODINGS {
        let client = server.admin().with_header("content-encoding", coding);
        let text = encoded(coding, &vec![b' '; 50 << 20]);
        assert!(text.len() < 100_000, "{coding}: {}", text.len());
        client.post("/api/leads", text.clone()).await.expect_problem(413, "body_too_large");
        let upload = client.with_header("content-type", "text/csv").post("/api/imports/leads", text).await;
        upload.expect_problem(413, "body_too_large");
    }
}

#[tokio::test]
async fn unsupported_and_damaged_encodings_are_refused() {
    let server = Server::start().await;
    let client = |coding| server.admin().with_header("content-encoding", coding);
    let deflate = client("deflate").post("/api/leads", "{}").await;
    assert_eq!(deflate.header("accept-encoding"), Some("zstd, br, gzip"));
    let diagnostics = deflate.expect_problem(415, "unsupported_media_type");
    assert_eq!(
        diagnostics,
        ["\"Content-Encoding\" unsupported_content_encoding: expected zstd, br or gzip, found \"deflate\""]
    );
    for coding in CODINGS {
        client(coding).post("/api/leads", "{}").await.expect_problem(400, "invalid_request");
        let csv =
            client(coding).with_header("content-type", "text/csv").post("/api/imports/leads", "city\nBonn\n").await;
        csv.expect_problem(400, "invalid_request");
        let call = json!({ "direction": "inbound", "status": "answered" });
        let call_id = server.admin().create("/api/calls", call).await;
        let recording = client(coding).with_header("content-type", "audio/wav");
        let recording = recording.put(&format!("/api/calls/{call_id}/recording"), encoded(coding, b"RIFF")).await;
        assert_eq!(recording.header("accept-encoding"), Some("identity"));
        recording.expect_problem(415, "unsupported_media_type");
    }
}
