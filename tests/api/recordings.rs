//! `/api/calls/{call_id}/recording`: accepted uploads, and playback of ranges.

use std::path::{Path, PathBuf};

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, Coding, Server, flac, mp3, wav, wav_coded};

async fn new_call(client: &Client) -> String {
    let id = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
    format!("/api/calls/{id}/recording")
}

/// Returns a client that sends audio.
fn audio(client: &Client) -> Client {
    client.with_header("content-type", "application/octet-stream")
}

async fn part(client: &Client, path: &str, range: &str) -> Answer {
    client.with_header("range", range).get(path).await
}

#[tokio::test]
async fn audio_formats_are_detected_by_content() {
    let server = Server::start().await;
    let client = server.admin();
    for (file, media_type, channels, rate, seconds) in [
        (wav(1, 2.0), "audio/wav", 1, 8_000, 2.0),
        (wav(2, 1.5), "audio/wav", 2, 8_000, 1.5),
        (wav_coded(Coding::Pcm(8), 1, 2.0), "audio/wav", 1, 8_000, 2.0),
        (wav_coded(Coding::Pcm(24), 2, 2.0), "audio/wav", 2, 8_000, 2.0),
        (wav_coded(Coding::ALaw, 2, 2.0), "audio/wav", 2, 8_000, 2.0),
        (wav_coded(Coding::MuLaw, 1, 2.0), "audio/wav", 1, 8_000, 2.0),
        (mp3(100), "audio/mpeg", 1, 44_100, 115_200.0 / 44_100.0),
        (flac(4), "audio/flac", 1, 8_000, 2.048),
    ] {
        let path = new_call(&client).await;
        let bytes = file.len();
        let answer = audio(&client).put(&path, file.clone()).await;
        assert_eq!(answer.status, 200, "{media_type}, {channels} channels, {bytes} bytes: {}", answer.text());
        let call = answer.json();
        let recording = &call["recording"];
        let found = [
            &recording["state"],
            &recording["media_type"],
            &recording["channels"],
            &recording["sample_rate"],
            &recording["bytes"],
        ];
        assert_eq!(found, [&json!("ready"), &json!(media_type), &json!(channels), &json!(rate), &json!(bytes)]);
        // The duration may include the frames of the encoder delay.
        let measured = recording["duration_seconds"].as_f64().unwrap();
        assert!((measured - seconds).abs() < 0.06, "{media_type}: {measured}, expected {seconds}");
        let played = client.get(&path).await;
        assert_eq!((played.status, played.header("content-type")), (200, Some(media_type)));
        assert!(played.body == file, "{media_type}: what is played is what was sent");
    }
}

#[tokio::test]
async fn unusable_audio_is_rejected_and_the_call_is_unchanged() {
    let server = Server::start().await;
    let client = server.admin();
    let path = new_call(&client).await;
    audio(&client).put(&path, wav(1, 2.0)).await.expect(200);
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
        let answer = audio(&client).put(&path, file).await;
        answer.refused(422, "unusable_recording");
        assert!(!answer.json()["detail"].as_str().unwrap().is_empty(), "{name}");
    }
    assert_eq!(client.get(&path).await.body, wav(1, 2.0));
    client
        .with_header("content-type", "text/html")
        .put(&path, wav(1, 2.0))
        .await
        .refused(415, "unsupported_media_type");
    audio(&client).put("/api/calls/999/recording", wav(1, 2.0)).await.refused(404, "not_found");
    client.get("/api/calls/999/recording").await.refused(404, "not_found");
    client.get(&new_call(&client).await).await.refused(404, "not_found");
}

#[tokio::test]
async fn upload_size_is_limited() {
    let cap = wav(1, 2.0).len();
    let server = Server::configured(|config| config.limits.max_recording_bytes = cap as u64).await;
    let client = server.admin();
    let path = new_call(&client).await;
    let mut file = wav(1, 2.0);
    audio(&client).put(&path, file.clone()).await.expect(200);
    file.push(0);
    audio(&client).put(&path, file.clone()).await.refused(413, "body_too_large");
    // Without a declared length, the received bytes are counted.
    let octets = audio(&client);
    let chunked = |body: Vec<u8>| octets.send_chunked(Method::PUT, &path, body);
    chunked(file).await.refused(413, "body_too_large");
    chunked(wav(1, 2.0)).await.expect(200);
    assert_eq!(client.get(&path).await.body, wav(1, 2.0));
}

#[tokio::test]
async fn new_recording_replaces_the_old_one() {
    let server = Server::start().await;
    let client = server.admin();
    let path = new_call(&client).await;
    audio(&client).put(&path, wav(1, 2.0)).await.expect(200);
    let first = client.get(&path).await;
    let etag = first.header("etag").unwrap().to_owned();
    audio(&client).put(&path, wav(1, 2.0)).await.expect(200);
    assert_eq!(client.get(&path).await.header("etag"), Some(etag.as_str()), "the same file changes nothing");
    let unchanged = client.with_header("if-none-match", &etag).get(&path).await;
    assert_eq!((unchanged.status, unchanged.body.len()), (304, 0));

    audio(&client).put(&path, flac(4)).await.expect(200);
    let second = client.with_header("if-none-match", &etag).get(&path).await;
    assert_eq!((second.status, second.body), (200, flac(4)));
    assert!(second.headers["content-disposition"].to_str().unwrap().ends_with(".flac\""));
}

/// Returns the files in the recordings folder, ordered by name.
fn kept(server: &Server) -> Vec<PathBuf> {
    let folder = |path: &Path| std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let calls = folder(&server.data_dir().join("recordings"));
    let mut files: Vec<_> = calls.iter().flat_map(|call| folder(call)).collect();
    files.sort();
    files
}

#[tokio::test]
async fn waveform_is_cached_and_removed_with_its_recording() {
    let server = Server::start().await;
    let client = server.admin();
    let path = new_call(&client).await;
    audio(&client).put(&path, wav(2, 3.0)).await.expect(200);
    assert_eq!(kept(&server).len(), 1);
    let peaks = async |count: usize| client.get(&format!("{path}/peaks?count={count}")).await.expect(200);
    assert_eq!(peaks(2).await, json!({ "duration": 3.0, "channels": [[0, 0], [0, 0]] }));
    let [sound, outline] = &kept(&server)[..] else { panic!("a recording and its outline were expected") };
    assert_eq!(outline.to_str().unwrap(), format!("{}.outline", sound.display()));

    // The cached waveform is used, since the recording can't be read any longer.
    let recording = std::fs::read(sound).unwrap();
    std::fs::write(sound, "no audio").unwrap();
    assert_eq!(peaks(3).await, json!({ "duration": 3.0, "channels": [[0, 0, 0], [0, 0, 0]] }));
    std::fs::write(sound, recording).unwrap();

    // A damaged waveform file is computed again.
    std::fs::write(outline, "no outline").unwrap();
    assert_eq!(peaks(1).await, json!({ "duration": 3.0, "channels": [[0], [0]] }));
    assert_ne!(std::fs::read(outline).unwrap(), b"no outline");

    audio(&client).put(&path, wav(1, 2.0)).await.expect(200);
    assert_eq!(kept(&server).len(), 1);
    assert_eq!(peaks(1).await, json!({ "duration": 2.0, "channels": [[0]] }));
}

#[tokio::test]
async fn range_is_served_and_range_past_the_end_is_rejected() {
    let server = Server::start().await;
    let client = server.admin();
    let path = new_call(&client).await;
    let mut file = wav(1, 2.0);
    // Every byte differs from its neighbours, so that a wrong range is detected.
    file.iter_mut().enumerate().skip(44).for_each(|(place, byte)| *byte = (place % 251) as u8);
    audio(&client).put(&path, file.clone()).await.expect(200);
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
        let answer = part(&client, &path, range).await;
        assert_eq!((answer.status, answer.body.as_slice()), (206, &file[first..=last]), "{range}");
        assert_eq!(answer.header("content-range"), Some(format!("bytes {first}-{last}/{length}").as_str()));
        assert_eq!(answer.header("content-length"), Some((last - first + 1).to_string().as_str()));
    }
    for range in [format!("bytes={length}-"), "bytes=99999999999999999999-".to_owned(), "bytes=-0".to_owned()] {
        let answer = part(&client, &path, &range).await;
        answer.refused(416, "range_not_satisfiable");
        assert_eq!(answer.header("content-range"), Some(format!("bytes */{length}").as_str()), "{range}");
    }
    // RFC 9110 lets a server ignore ranges that it doesn't support.
    for range in ["bytes=5-1", "bytes=a-b", "lines=0-1", "bytes=0-1,5-6", "bytes", ""] {
        let answer = part(&client, &path, range).await;
        assert_eq!((answer.status, answer.body.len()), (200, length), "{range}");
        assert_eq!(answer.header("accept-ranges"), Some("bytes"));
    }
}

#[tokio::test]
async fn range_is_ignored_if_the_content_changed() {
    let server = Server::start().await;
    let client = server.admin();
    let path = new_call(&client).await;
    audio(&client).put(&path, wav(1, 2.0)).await.expect(200);
    let etag = client.get(&path).await.header("etag").unwrap().to_owned();
    let part_if = async |known: &str| {
        let client = client.with_header("range", "bytes=0-9").with_header("if-range", known);
        let answer = client.get(&path).await;
        (answer.status, answer.body.len())
    };
    let whole = (200, wav(1, 2.0).len());
    assert_eq!(part_if(&etag).await, (206, 10));
    for other in ["\"another\"", "W/\"another\"", "nonsense", "Fri, 01 May 2026 09:30:00 GMT"] {
        assert_eq!(part_if(other).await, whole, "{other}");
    }
    audio(&client).put(&path, wav(1, 3.0)).await.expect(200);
    assert_eq!(part_if(&etag).await, (200, wav(1, 3.0).len()));
}

#[tokio::test]
async fn head_returns_the_headers_of_get_without_audio() {
    let server = Server::start().await;
    let client = server.admin();
    let path = new_call(&client).await;
    audio(&client).put(&path, wav(1, 2.0)).await.expect(200);
    let whole = client.get(&path).await;
    let head = client.send(Method::HEAD, &path, "").await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    for name in ["content-type", "content-length", "etag", "accept-ranges", "content-disposition"] {
        assert_eq!(head.header(name), whole.header(name), "{name}");
    }
    assert_eq!(client.send(Method::HEAD, "/api/calls/999/recording", "").await.status, 404);
}

#[tokio::test]
async fn listening_requires_calls_read() {
    let server = Server::start().await;
    let client = server.admin();
    let path = new_call(&client).await;
    audio(&client).put(&path, wav(1, 2.0)).await.expect(200);
    server.anonymous().get(&path).await.refused(401, "unauthenticated");
    server.with_scopes(&["leads:read", "calls:write"]).await.get(&path).await.refused(403, "forbidden");
    assert_eq!(server.staff("viewer").await.get(&path).await.status, 200);
    audio(&server.with_scopes(&["calls:read"]).await).put(&path, wav(1, 2.0)).await.refused(403, "forbidden");
    let heard = client.get(&path).await;
    assert_eq!(heard.header("cache-control"), Some("no-store"), "only who may listen may have it");
    assert_eq!(client.get(&path.replace("/recording", "")).await.expect(200)["transcription_state"], Value::Null);
}
