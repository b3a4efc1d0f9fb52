//! Tests of the HTTP recognizer with a scripted server on a real socket.

use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::HttpRecognizer;
use crate::clock::MockClock;
use crate::config::{Config, SpeechConfig};
use crate::http_client::scripted_server::{ReceivedRequest, ScriptedResponse, ScriptedServer, response};
use crate::speech::{DetectedLanguage, RecognizeError, Recognizer, Samples};

fn config(url: &str) -> SpeechConfig {
    let mut config = Config::default().speech;
    config.url = url.to_owned();
    config.key = "sk-1234".parse().unwrap_or_else(|never| match never {});
    config.remote_model = "large".to_owned();
    config
}

fn recognizer(config: &SpeechConfig) -> HttpRecognizer {
    let clock = MockClock::at("2026-05-01T09:30:00Z".parse().expect("a time"));
    HttpRecognizer::new(config, Arc::new(clock)).expect("a recognizer")
}

/// One second of audio: a sample at full scale, one below and one above it, then silence.
fn speech_samples() -> Samples {
    let mut samples = vec![0.0; 16_000];
    samples[..3].copy_from_slice(&[1.0, -0.5, 2.0]);
    samples.into()
}

fn verbose_response(language: &str, text: &str, avg_logprob: f64) -> ScriptedResponse {
    let segment = json!({ "start": 0.0, "end": 1.0, "text": text, "avg_logprob": avg_logprob, "no_speech_prob": 0.1 });
    let body = json!({ "task": "transcribe", "language": language, "text": text, "segments": [segment] });
    response(200, &[("content-type", "application/json")], &body.to_string())
}

/// Returns the parts of a multipart body: disposition and bytes.
fn parts(request: &ReceivedRequest) -> Vec<(String, Vec<u8>)> {
    let content_type = request.headers["content-type"].to_str().expect("text");
    let boundary = content_type.strip_prefix("multipart/form-data; boundary=").expect("a boundary");
    let boundary = format!("--{boundary}");
    // One character for each byte.
    let body: String = request.body.iter().map(|byte| char::from(*byte)).collect();
    let part = |part: &str| {
        let (head, body) = part.split_once("\r\n\r\n").expect("a head");
        let name = head.lines().find_map(|line| line.strip_prefix("Content-Disposition: form-data; ")).expect("a name");
        let body = body.strip_suffix("\r\n").expect("an end");
        (name.to_owned(), body.chars().map(|character| character as u8).collect())
    };
    body.split(&boundary).filter(|part| part.starts_with("\r\n") && part.len() > 4).map(part).collect()
}

fn fields(request: &ReceivedRequest) -> Value {
    let text = parts(request).into_iter().filter(|(name, _)| !name.contains("filename"));
    text.map(|(name, bytes)| json!([name, String::from_utf8(bytes).expect("text")])).collect()
}

async fn expect_unavailable(recognizer: &HttpRecognizer) -> (String, Option<u64>) {
    match recognizer.recognize(speech_samples(), "en").await {
        Err(RecognizeError::Unavailable { detail, retry_after }) => (detail, retry_after.map(|wait| wait.as_secs())),
        other => panic!("expected RecognizeError::Unavailable, got {other:?}"),
    }
}

#[tokio::test]
async fn sends_wav_and_parses_words() {
    let server = ScriptedServer::start([verbose_response("english", " Hello there.", -0.5)]).await;
    let recognizer = recognizer(&config(&format!("http://{}/", server.address)));
    let segments = recognizer.recognize(speech_samples(), "en-US").await.expect("a response");
    assert_eq!(segments.len(), 1);
    assert_eq!((segments[0].text.as_str(), segments[0].start, segments[0].end), ("Hello there.", 0.0, 1.0));
    assert_eq!(segments[0].confidence, (-0.5_f64).exp());
    assert_eq!((recognizer.engine().name.as_str(), recognizer.engine().model.as_str()), ("http", "large"));

    let received = server.take_requests();
    assert_eq!(received[0].line, "POST /v1/audio/transcriptions");
    assert_eq!(received[0].headers["authorization"], "Bearer sk-1234");
    let expected = json!([
        [r#"name="model""#, "large"],
        [r#"name="response_format""#, "verbose_json"],
        [r#"name="timestamp_granularities[]""#, "word"],
        [r#"name="timestamp_granularities[]""#, "segment"],
        [r#"name="temperature""#, "0"],
        [r#"name="language""#, "en"],
    ]);
    assert_eq!(fields(&received[0]), expected);
    let (_, file) = parts(&received[0]).pop().expect("a file");
    let mut wav = hound::WavReader::new(Cursor::new(file)).expect("a WAV file");
    let spec = wav.spec();
    assert_eq!((spec.channels, spec.sample_rate, spec.bits_per_sample), (1, 16_000, 16));
    let samples: Vec<i16> = wav.samples().map(|sample| sample.expect("a sample")).collect();
    assert_eq!((samples.len(), &samples[..4]), (16_000, [32_767, -16_384, 32_767, 0].as_slice()));
}

#[tokio::test]
async fn sends_language_codes_of_whisper() {
    // Servers with Whisper models reject unknown codes; Javanese used to fail.
    for (language, code) in [("jv", "jw"), ("nb", "no"), ("fil", "tl"), ("zh-Hant", "zh")] {
        let server = ScriptedServer::start([verbose_response(code, "Hello.", 0.0)]).await;
        let recognizer = recognizer(&config(&format!("http://{}", server.address)));
        recognizer.recognize(speech_samples(), language).await.expect("a response");
        assert_eq!(fields(&server.take_requests()[0])[5][1], code);
    }
}

#[tokio::test]
async fn sends_no_authorization_without_key() {
    let server = ScriptedServer::start([verbose_response("english", "Hello.", 0.0)]).await;
    let mut config = config(&format!("http://{}", server.address));
    config.key = Config::default().speech.key;
    recognizer(&config).recognize(speech_samples(), "en").await.expect("a response");
    assert!(!server.take_requests()[0].headers.contains_key("authorization"));
}

#[tokio::test]
async fn accepts_permitted_language_chosen_by_server() {
    let server = ScriptedServer::start([verbose_response("german", "Guten Tag.", -0.25)]).await;
    let recognizer = recognizer(&config(&format!("http://{}", server.address)));
    let permitted = ["en", "de"].map(str::to_owned);
    let detected = recognizer.detect_language(speech_samples(), &permitted).await.expect("a language");
    assert_eq!(detected, DetectedLanguage { language: "de".to_owned(), confidence: (-0.25_f64).exp() });
    let received = server.take_requests();
    assert_eq!(received.len(), 1);
    assert!(!fields(&received[0]).to_string().contains("language"));
}

#[tokio::test]
async fn most_likely_text_decides_between_languages() {
    let server = ScriptedServer::start([
        verbose_response("welsh", "Bore da.", -0.1),
        verbose_response("english", "Border.", -2.0),
        verbose_response("russian", "Бор да.", -1.0),
        response(200, &[], r#"{"text": ""}"#),
    ])
    .await;
    let recognizer = recognizer(&config(&format!("http://{}", server.address)));
    let permitted = ["en", "ru", "de"].map(str::to_owned);
    let detected = recognizer.detect_language(speech_samples(), &permitted).await.expect("a language");
    let total = (-2.0_f64).exp() + (-1.0_f64).exp() + (-10.0_f64).exp();
    assert_eq!(detected, DetectedLanguage { language: "ru".to_owned(), confidence: (-1.0_f64).exp() / total });
    let requested_languages: Vec<_> =
        server.take_requests().iter().map(|request| fields(request)[5][1].clone()).collect();
    assert_eq!(requested_languages, [Value::Null, json!("en"), json!("ru"), json!("de")]);
}

#[tokio::test]
async fn busy_or_misconfigured_server_is_unavailable() {
    let code = r#"{"error": {"message": "Incorrect API key provided: sk-1234", "code": "invalid_api_key"}}"#;
    let invalid_code = r#"{"error": {"message": "?", "code": "Key sk-1234"}}"#;
    let date = "Fri, 01 May 2026 09:31:30 GMT";
    for (scripted, detail, retry_after) in [
        (response(429, &[("retry-after", "7")], ""), "it responded with status 429", Some(7)),
        (response(503, &[("retry-after", date)], ""), "it responded with status 503", Some(90)),
        (response(500, &[], code), "it responded with status 500, invalid_api_key", None),
        (response(401, &[], code), "it responded with status 401, invalid_api_key", None),
        (response(403, &[], invalid_code), "it responded with status 403", None),
        (response(404, &[], "Not Found"), "it responded with status 404", None),
        (response(307, &[("location", "http://127.0.0.1:1/")], ""), "it responded with status 307", None),
    ] {
        let server = ScriptedServer::start([scripted]).await;
        let recognizer = recognizer(&config(&format!("http://{}", server.address)));
        assert_eq!(expect_unavailable(&recognizer).await, (detail.to_owned(), retry_after));
    }
}

#[tokio::test]
async fn rejected_audio_is_not_retried() {
    for status in [400, 413, 415, 422] {
        let server = ScriptedServer::start([response(status, &[], r#"{"error": {"code": "invalid_file"}}"#)]).await;
        let recognizer = recognizer(&config(&format!("http://{}", server.address)));
        let error = recognizer.recognize(speech_samples(), "en").await.expect_err("an error");
        assert_eq!(
            error.to_string(),
            format!("the recognizer rejected the request: it responded with status {status}, invalid_file")
        );
    }
}

#[tokio::test]
async fn invalid_responses_are_reported_without_quoting_speech() {
    let text = "expected the field text (verbose_json), found none";
    let object = "expected a JSON object with the field text (verbose_json), found";
    let (field, problem) = ("the response isn't valid verbose_json:", "is missing, repeated or has the wrong type");
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n".to_vec();
    for (scripted, detail) in [
        (response(200, &[], "my secret"), "expected JSON, found something else at line 1, column 1".to_owned()),
        (response(200, &[], ""), "expected JSON, found something else at line 1, column 0".to_owned()),
        (response(200, &[], r#""my secret""#), format!("{object} a string")),
        (response(200, &[], r#"[{"text": "my secret"}]"#), format!("{object} a list")),
        (response(200, &[], "null"), format!("{object} another value")),
        (response(200, &[], r#"{"txt": "my secret"}"#), text.to_owned()),
        (response(200, &[], r#"{"text": null, "duration": 1}"#), text.to_owned()),
        (response(200, &[], r#"{"error": {"code": "model_not_found"}}"#), format!("{text}, the error model_not_found")),
        (
            response(200, &[], r#"{"text": "a", "segments": "my secret"}"#),
            format!("{field} segments at line 1, column 37 {problem}"),
        ),
        (
            response(200, &[], r#"{"text": "a", "words": [{"word": "my"}, {"start": 1}]}"#),
            format!("{field} words[1] at line 1, column 52 {problem}"),
        ),
        (response(200, &[], r#"{"segments": []}"#), text.to_owned()),
        (response(200, &[], r#"{"text": null, "segments": [{"start": 0, "end": 1}]}"#), text.to_owned()),
        (ScriptedResponse::Endless(head), "expected at most 4194304 bytes, found more".to_owned()),
    ] {
        let server = ScriptedServer::start([scripted]).await;
        let recognizer = recognizer(&config(&format!("http://{}", server.address)));
        match recognizer.recognize(speech_samples(), "en").await {
            Err(RecognizeError::InvalidResponse(reported)) => assert_eq!(reported, detail),
            other => panic!("expected an invalid response ({detail}), got {other:?}"),
        }
    }
}

#[tokio::test]
async fn broken_connection_is_an_outage() {
    let truncated = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"text\": \"secret\"".to_vec();
    for (scripted, detail) in [
        (ScriptedResponse::Bytes(truncated), "connection error: end of file before message length reached"),
        (
            ScriptedResponse::Bytes(b"220 mail.example.com ESMTP\r\n".to_vec()),
            "connection error: invalid HTTP version parsed",
        ),
    ] {
        let server = ScriptedServer::start([scripted]).await;
        let recognizer = recognizer(&config(&format!("http://{}", server.address)));
        assert_eq!(expect_unavailable(&recognizer).await, (detail.to_owned(), None));
    }
}

#[tokio::test]
async fn unresponsive_server_is_unavailable() {
    let server = ScriptedServer::start([ScriptedResponse::Stall(Vec::new())]).await;
    let mut config = config(&format!("http://{}", server.address));
    config.timeout_seconds = 1;
    assert_eq!(expect_unavailable(&recognizer(&config)).await, ("no response within 1 s".to_owned(), None));

    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    config.url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    assert_eq!(expect_unavailable(&recognizer(&config)).await, ("connection refused".to_owned(), None));
}

#[test]
fn reports_missing_or_invalid_url() {
    let creation_error = |url: &str| {
        let clock = MockClock::at("2026-05-01T09:30:00Z".parse().expect("a time"));
        HttpRecognizer::new(&config(url), Arc::new(clock)).expect_err("no recognizer").to_string()
    };
    assert_eq!(creation_error("none"), "LEADSCRIBE_SPEECH_URL is not set; set it to the URL of the server");
    let expected = "LEADSCRIBE_SPEECH_URL must be an http or https URL";
    assert_eq!(creation_error("speech.example"), format!("{expected}: relative URL without a base"));
    assert_eq!(creation_error("ftp://speech.example"), format!("{expected}: ftp"));
}

#[test]
fn debug_output_hides_the_key() {
    let debug_output = format!("{:?}", recognizer(&config("http://127.0.0.1:1")));
    assert!(!debug_output.contains("sk-1234"), "{debug_output}");
    assert_eq!(recognizer(&config("http://127.0.0.1:1")).timeout, Duration::from_secs(120));
}
