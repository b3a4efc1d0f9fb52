//! `/api/calls/{call_id}/recording`: accepted uploads, and playback of ranges.

use std::path::{Path, PathBuf};

use reqwest::Method;
use serde_json::json;

use crate::harness::{Client, Response, Server, WavEncoding, flac, mp3, wav, wav_encoded};

async fn create_call(client: &Client) -> String {
    format!("/api/calls/{}/recording", client.create_call().await)
}

/// Returns a client that sends audio.
fn audio_client(client: &Client) -> Client {
    client.with_header("content-type", "application/octet-stream")
}

async fn get_range(client: &Client, path: &str, range: &str) -> Response {
    client.with_header("range", range).get(path).await
}

#[tokio::test]
async fn audio_formats_are_detected_by_content() {
    let (_server, client) = Server::start_with_admin().await;
    for (file, media_type, channels, rate, seconds) in [
        (wav(1, 2.0), "audio/wav", 1, 8_000, 2.0),
        (wav(2, 1.5), "audio/wav", 2, 8_000, 1.5),
        (wav_encoded(WavEncoding::Pcm(8), 1, 2.0), "audio/wav", 1, 8_000, 2.0),
        (wav_encoded(WavEncoding::Pcm(24), 2, 2.0), "audio/wav", 2, 8_000, 2.0),
        (wav_encoded(WavEncoding::ALaw, 2, 2.0), "audio/wav", 2, 8_000, 2.0),
        (wav_encoded(WavEncoding::MuLaw, 1, 2.0), "audio/wav", 1, 8_000, 2.0),
        (mp3(100), "audio/mpeg", 1, 44_100, 115_200.0 / 44_100.0),
        (flac(4), "audio/flac", 1, 8_000, 2.048),
    ] {
        let path = create_call(&client).await;
        let bytes = file.len();
        let response = audio_client(&client).put(&path, file.clone()).await;
        assert_eq!(response.status, 200, "{media_type}, {channels} channels, {bytes} bytes: {}", response.text());
        let call = response.json();
        let recording = &call["recording"];
        let actual = [
            &recording["state"],
            &recording["media_type"],
            &recording["channels"],
            &recording["sample_rate"],
            &recording["bytes"],
        ];
        assert_eq!(actual, [&json!("ready"), &json!(media_type), &json!(channels), &json!(rate), &json!(bytes)]);
        // The duration may include the frames of the encoder delay.
        let duration = recording["duration_seconds"].as_f64().unwrap();
        assert!((duration - seconds).abs() < 0.06, "{media_type}: {duration}, expected {seconds}");
        let audio_response = client.get(&path).await;
        assert_eq!((audio_response.status, audio_response.header("content-type")), (200, Some(media_type)));
        assert!(audio_response.body == file, "{media_type}: the served recording equals the upload");
    }
}

#[tokio::test]
async fn unusable_audio_is_rejected_and_the_call_is_unchanged() {
    let (_server, client) = Server::start_with_admin().await;
    let path = create_call(&client).await;
    audio_client(&client).put(&path, wav(1, 2.0)).await.expect(200);
    let truncated_header = wav(1, 2.0)[..30].to_vec();
    let noise: Vec<u8> = (0..20_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for (name, file) in [
        ("nothing", Vec::new()),
        ("text", b"this is no sound".to_vec()),
        ("a picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
        ("a header alone", wav(1, 0.0)),
        ("half a header", truncated_header),
        ("noise", noise),
        ("zeros", vec![0; 50_000]),
        ("three channels", wav(3, 2.0)),
        ("no channels", wav(0, 2.0)),
    ] {
        let response = audio_client(&client).put(&path, file).await;
        response.expect_problem(422, "unusable_recording");
        assert!(!response.json()["detail"].as_str().unwrap().is_empty(), "{name}");
    }
    assert_eq!(client.get(&path).await.body, wav(1, 2.0));
    client
        .with_header("content-type", "text/html")
        .put(&path, wav(1, 2.0))
        .await
        .expect_problem(415, "unsupported_media_type");
    client.get(&create_call(&client).await).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn upload_size_is_limited() {
    let max_bytes = wav(1, 2.0).len();
    let server = Server::start_configured(|config| config.limits.max_recording_bytes = max_bytes as u64).await;
    let client = server.admin();
    let path = create_call(&client).await;
    let mut file = wav(1, 2.0);
    audio_client(&client).put(&path, file.clone()).await.expect(200);
    file.push(0);
    audio_client(&client).put(&path, file.clone()).await.expect_problem(413, "body_too_large");
    // Without a declared length, the received bytes are counted.
    let octet_client = audio_client(&client);
    let upload_chunked = |body: Vec<u8>| octet_client.send_chunked(Method::PUT, &path, body);
    upload_chunked(file).await.expect_problem(413, "body_too_large");
    upload_chunked(wav(1, 2.0)).await.expect(200);
    assert_eq!(client.get(&path).await.body, wav(1, 2.0));
}

#[tokio::test]
async fn new_recording_replaces_the_old_one() {
    let (_server, client) = Server::start_with_admin().await;
    let path = create_call(&client).await;
    audio_client(&client).put(&path, wav(1, 2.0)).await.expect(200);
    let first = client.get(&path).await;
    let etag = first.header("etag").unwrap().to_owned();
    audio_client(&client).put(&path, wav(1, 2.0)).await.expect(200);
    assert_eq!(client.get(&path).await.header("etag"), Some(etag.as_str()), "the same file changes nothing");
    let unchanged = client.with_header("if-none-match", &etag).get(&path).await;
    assert_eq!((unchanged.status, unchanged.body.len()), (304, 0));

    audio_client(&client).put(&path, flac(4)).await.expect(200);
    let second = client.with_header("if-none-match", &etag).get(&path).await;
    assert_eq!((second.status, second.body), (200, flac(4)));
    assert!(second.headers["content-disposition"].to_str().unwrap().ends_with(".flac\""));
}

/// Returns the files in the recordings folder, ordered by name.
fn stored_files(server: &Server) -> Vec<PathBuf> {
    let entries = |path: &Path| std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let calls = entries(&server.data_dir().join("recordings"));
    let mut files: Vec<_> = calls.iter().flat_map(|call| entries(call)).collect();
    files.sort();
    files
}

#[tokio::test]
async fn waveform_is_cached_and_removed_with_its_recording() {
    let (server, client) = Server::start_with_admin().await;
    let path = create_call(&client).await;
    audio_client(&client).put(&path, wav(2, 3.0)).await.expect(200);
    assert_eq!(stored_files(&server).len(), 1);
    let peaks = async |count: usize| client.get(&format!("{path}/peaks?count={count}")).await.expect(200);
    assert_eq!(peaks(2).await, json!({ "duration": 3.0, "channels": [[0, 0], [0, 0]] }));
    let [recording_path, waveform_path] = &stored_files(&server)[..] else {
        panic!("expected a recording and its waveform")
    };
    assert_eq!(waveform_path.to_str().unwrap(), format!("{}.outline", recording_path.display()));

    // The cached waveform is used, since the recording can't be read any longer.
    let recording = std::fs::read(recording_path).unwrap();
    std::fs::write(recording_path, "no audio").unwrap();
    assert_eq!(peaks(3).await, json!({ "duration": 3.0, "channels": [[0, 0, 0], [0, 0, 0]] }));
    std::fs::write(recording_path, recording).unwrap();

    // A damaged waveform file is computed again.
    std::fs::write(waveform_path, "no outline").unwrap();
    assert_eq!(peaks(1).await, json!({ "duration": 3.0, "channels": [[0], [0]] }));
    assert_ne!(std::fs::read(waveform_path).unwrap(), b"no outline");

    audio_client(&client).put(&path, wav(1, 2.0)).await.expect(200);
    assert_eq!(stored_files(&server).len(), 1);
    assert_eq!(peaks(1).await, json!({ "duration": 2.0, "channels": [[0]] }));
}

#[tokio::test]
async fn range_is_served_and_range_past_the_end_is_rejected() {
    let (_server, client) = Server::start_with_admin().await;
    let path = create_call(&client).await;
    let mut file = wav(1, 2.0);
    // Every byte differs from its neighbors, so that a wrong range is detected.
    file.iter_mut().enumerate().skip(44).for_each(|(index, byte)| *byte = (index % 251) as u8);
    audio_client(&client).put(&path, file.clone()).await.expect(200);
    let length = file.len();
    for (range, first, last) in [
        ("bytes=0-0", 0, 0),
        ("bytes=0-99", 0, 99),
        ("bytes=1000-1999", 1000, 1999),
        ("bytes=32000-", 32000, length - 1),
        ("bytes=-50", length - 50, length - 1),
        ("bytes=-9999999", 0, length - 1),
        ("bytes=32000-99999999999999999999", 32000, length - 1),
    ] {
        let response = get_range(&client, &path, range).await;
        assert_eq!((response.status, response.body.as_slice()), (206, &file[first..=last]), "{range}");
        assert_eq!(response.header("content-range"), Some(format!("bytes {first}-{last}/{length}").as_str()));
        assert_eq!(response.header("content-length"), Some((last - first + 1).to_string().as_str()));
    }
    for range in [format!("bytes={length}-"), "bytes=99999999999999999999-".to_owned(), "bytes=-0".to_owned()] {
        let response = get_range(&client, &path, &range).await;
        response.expect_problem(416, "range_not_satisfiable");
        assert_eq!(response.header("content-range"), Some(format!("bytes */{length}").as_str()), "{range}");
    }
    // RFC 9110 lets a server ignore ranges that it doesn't support.
    for range in ["bytes=5-1", "bytes=a-b", "lines=0-1", "bytes=0-1,5-6", "bytes", ""] {
        let response = get_range(&client, &path, range).await;
        assert_eq!((response.status, response.body.len()), (200, length), "{range}");
        assert_eq!(response.header("accept-ranges"), Some("bytes"));
    }
}

#[tokio::test]
async fn range_is_ignored_if_the_content_changed() {
    let (_server, client) = Server::start_with_admin().await;
    let path = create_call(&client).await;
    audio_client(&client).put(&path, wav(1, 2.0)).await.expect(200);
    let etag = client.get(&path).await.header("etag").unwrap().to_owned();
    let get_range_if = async |etag_header: &str| {
        let client = client.with_header("range", "bytes=0-9").with_header("if-range", etag_header);
        let response = client.get(&path).await;
        (response.status, response.body.len())
    };
    let full_response = (200, wav(1, 2.0).len());
    assert_eq!(get_range_if(&etag).await, (206, 10));
    for other_etag in ["\"another\"", "W/\"another\"", "nonsense", "Fri, 01 May 2026 09:30:00 GMT"] {
        assert_eq!(get_range_if(other_etag).await, full_response, "{other_etag}");
    }
    audio_client(&client).put(&path, wav(1, 3.0)).await.expect(200);
    assert_eq!(get_range_if(&etag).await, (200, wav(1, 3.0).len()));
}

#[tokio::test]
async fn head_returns_the_headers_of_get_without_audio() {
    let (_server, client) = Server::start_with_admin().await;
    let path = create_call(&client).await;
    audio_client(&client).put(&path, wav(1, 2.0)).await.expect(200);
    let get_response = client.get(&path).await;
    let head_response = client.send(Method::HEAD, &path, "").await;
    assert_eq!((head_response.status, head_response.body.len()), (200, 0));
    assert_eq!(
        head_response.header("cache-control"),
        Some("no-store"),
        "recordings aren't cached, so that each download checks permissions"
    );
    for name in ["content-type", "content-length", "etag", "accept-ranges", "content-disposition"] {
        assert_eq!(head_response.header(name), get_response.header(name), "{name}");
    }
    assert_eq!(client.send(Method::HEAD, "/api/calls/999/recording", "").await.status, 404);
}
