//! Recognizer that calls a server with OpenAI's `POST /v1/audio/transcriptions`.
//!
//! The operator chooses the server, so the address guard for callbacks doesn't apply. It may be on this machine; otherwise
//! the proxies of the environment are used. Redirects aren't followed, so that the key and the speech are sent only to the
//! configured server.

use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http::StatusCode;
use leadscribe_engine::api::SpeechEngine;
use leadscribe_engine::diagnostic::work;
use reqwest::multipart::{Form, Part};
use serde::Deserialize;
use url::{Host, Url};

use super::language::whisper_code;
use super::{DetectedLanguage, MissingRecognizer, RecognizeError, RecognizedSegment, Recognizer, SAMPLE_RATE, Samples};
use crate::clock::Clock;
use crate::config::{Secret, SpeechConfig};
use crate::http_client;

mod languages;
mod missing_text;
mod response;
#[cfg(test)]
mod tests;

use response::TranscriptionResponse;

/// Path of the transcription endpoint.
const TRANSCRIPTIONS_PATH: &str = "/v1/audio/transcriptions";

/// Maximum size of a response, in bytes. 28 seconds hold about 150 words of 100 bytes each; servers that also send tokens
/// and their times need about ten times as much.
const MAX_RESPONSE_BYTES: usize = 4 * 1024 * 1024;

/// Score of a language in which nothing was recognized. Lower than that of any text in practice, whose mean is rarely below -2.
const NO_TEXT_LOGPROB: f64 = -10.0;

/// Client of a recognition server.
#[derive(Debug)]
pub struct HttpRecognizer {
    client: reqwest::Client,
    url: Url,
    key: Secret,
    model: String,
    timeout: Duration,
    clock: Arc<dyn Clock>,
}

impl HttpRecognizer {
    /// Creates a client from the configuration. Doesn't contact the server.
    ///
    /// # Errors
    /// The URL is missing or invalid; or this machine has no trusted certificates.
    pub fn new(config: &SpeechConfig, clock: Arc<dyn Clock>) -> Result<Self, MissingRecognizer> {
        if config.url == "none" {
            return Err(work::no_speech_url().into());
        }
        let url = format!("{}{TRANSCRIPTIONS_PATH}", config.url.trim_end_matches('/'));
        let url = Url::parse(&url).map_err(|error| work::speech_url(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(work::speech_url(url.scheme()).into());
        }
        let timeout = Duration::from_secs(config.timeout_seconds);
        let mut builder = reqwest::Client::builder()
            .user_agent(http_client::USER_AGENT)
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(http_client::CONNECT_TIMEOUT)
            .timeout(timeout);
        if is_local(&url) {
            builder = builder.no_proxy();
        }
        if url.scheme() == "http" {
            // Plain HTTP needs no certificates, and this machine may have none.
            builder = builder.tls_certs_only([]);
        }
        let client =
            builder.build().map_err(|error| work::no_certificates(http_client::describe_error(error, timeout)))?;
        Ok(Self { client, url, key: config.key.clone(), model: config.remote_model.clone(), timeout, clock })
    }

    /// Requests the recognition of a piece, in this language or in the one that the server detects.
    async fn request_transcription(
        &self,
        wav: Vec<u8>,
        language: Option<&str>,
    ) -> Result<TranscriptionResponse, RecognizeError> {
        let file = Part::bytes(wav)
            .file_name("speech.wav")
            .mime_str("audio/wav")
            .map_err(|error| self.request_error(error))?;
        let mut form = Form::new()
            .text("model", self.model.clone())
            .text("response_format", "verbose_json")
            .text("timestamp_granularities[]", "word")
            .text("timestamp_granularities[]", "segment")
            .text("temperature", "0");
        if let Some(language) = language {
            form = form.text("language", whisper_code(language).to_owned());
        }
        let mut request = self.client.post(self.url.clone()).multipart(form.part("file", file));
        if let Some(key) = self.key.reveal() {
            request = request.bearer_auth(key);
        }
        let response = request.send().await.map_err(|error| self.request_error(error))?;
        let status = response.status();
        let retry_after = http_client::retry_after(response.headers(), self.clock.now());
        let body =
            http_client::read_body(response, MAX_RESPONSE_BYTES).await.map_err(|error| self.request_error(error))?;
        if !status.is_success() {
            return Err(status_error(status, body.as_deref().unwrap_or_default(), retry_after));
        }
        let invalid = RecognizeError::InvalidResponse;
        let body = body.ok_or_else(|| invalid(format!("expected at most {MAX_RESPONSE_BYTES} bytes, found more")))?;
        parse_response(&body).map_err(invalid)
    }

    fn request_error(&self, error: reqwest::Error) -> RecognizeError {
        unavailable(http_client::describe_error(error, self.timeout).to_string())
    }
}

#[async_trait]
impl Recognizer for HttpRecognizer {
    fn engine(&self) -> SpeechEngine {
        SpeechEngine { name: "http".to_owned(), model: self.model.clone() }
    }

    /// Uses the server's choice if it is permitted. Servers choose among all their languages and don't return a probability,
    /// so the confidence is the mean probability of the recognized text, which is low if the choice is wrong.
    ///
    /// Otherwise chooses the permitted language with the most likely text. The confidence is then the softmax of the mean
    /// log probabilities.
    async fn detect_language(&self, speech: Samples, permitted: &[String]) -> Result<DetectedLanguage, RecognizeError> {
        let wav = encode_wav(&speech)?;
        let response = self.request_transcription(wav.clone(), None).await?;
        if let Some(server_choice) =
            response.language.as_deref().and_then(|language| languages::find_permitted(language, permitted))
        {
            let confidence = response.mean_logprob().map_or(response::UNKNOWN_CONFIDENCE, f64::exp).clamp(0.0, 1.0);
            return Ok(DetectedLanguage { language: server_choice.clone(), confidence });
        }
        let mut scores = Vec::with_capacity(permitted.len());
        for language in permitted {
            let response = self.request_transcription(wav.clone(), Some(language)).await?;
            scores.push((language, response.mean_logprob().unwrap_or(NO_TEXT_LOGPROB)));
        }
        let total: f64 = scores.iter().map(|(_, score)| score.exp()).sum();
        // `max_by` returns the last maximum, so reverse the order to prefer the first language of the submission.
        let best = scores.into_iter().rev().max_by(|(_, one), (_, two)| one.total_cmp(two));
        let (language, score) =
            best.ok_or_else(|| RecognizeError::Rejected("expected languages to choose from, found none".to_owned()))?;
        Ok(DetectedLanguage { language: language.clone(), confidence: score.exp() / total })
    }

    async fn recognize(&self, speech: Samples, language: &str) -> Result<Vec<RecognizedSegment>, RecognizeError> {
        let seconds = speech.len() as f64 / f64::from(SAMPLE_RATE);
        Ok(self.request_transcription(encode_wav(&speech)?, Some(language)).await?.into_segments(seconds))
    }
}

/// Returns whether a URL points to this machine.
fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

fn unavailable(detail: String) -> RecognizeError {
    RecognizeError::Unavailable { detail, retry_after: None }
}

/// Maps an error response to an error.
fn status_error(status: StatusCode, body: &[u8], retry_after: Option<Duration>) -> RecognizeError {
    let code = error_code(body).map(|code| format!(", {code}")).unwrap_or_default();
    let detail = format!("it responded with status {}{code}", status.as_u16());
    match status {
        // These errors concern the piece or the language; a retry would send the same request.
        StatusCode::BAD_REQUEST
        | StatusCode::PAYLOAD_TOO_LARGE
        | StatusCode::UNSUPPORTED_MEDIA_TYPE
        | StatusCode::UNPROCESSABLE_ENTITY => RecognizeError::Rejected(detail),
        // A wrong key, URL or model has to be corrected by the operator; the recording is not the cause.
        _ => RecognizeError::Unavailable { detail, retry_after },
    }
}

/// Parses a response. Errors contain only positions, because the content may be speech.
fn parse_response(body: &[u8]) -> Result<TranscriptionResponse, String> {
    let format_position = |error: serde_json::Error| format!("line {}, column {}", error.line(), error.column());
    let value: serde_json::Value = serde_json::from_slice(body)
        .map_err(|error| format!("expected JSON, found something else at {}", format_position(error)))?;
    let kind = match &value {
        serde_json::Value::Object(_) => None,
        serde_json::Value::Array(_) => Some("a list"),
        serde_json::Value::String(_) => Some("a string"),
        _ => Some("another value"),
    };
    if let Some(kind) = kind {
        return Err(format!("expected a JSON object with the field text (verbose_json), found {kind}"));
    }
    let response: TranscriptionResponse =
        serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_slice(body)).map_err(|error| {
            let path = error.path().to_string();
            let position = format_position(error.into_inner());
            format!(
                "the response isn't valid verbose_json: {path} at {position} is missing, repeated or has the wrong type"
            )
        })?;
    if response.has_text() {
        return Ok(response);
    }
    let code = error_code(body).map(|code| format!(", the error {code}")).unwrap_or_default();
    Err(format!("expected the field text (verbose_json), found none{code}"))
}

/// Returns the code of an error, such as `model_not_found`. The message is ignored, because it may contain a part of the key.
fn error_code(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct ErrorBody {
        error: ErrorDetail,
    }
    #[derive(Deserialize)]
    struct ErrorDetail {
        code: String,
    }
    let code = serde_json::from_slice::<ErrorBody>(body).ok()?.error.code;
    let is_code = (1..=64).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_code.then_some(code)
}

/// Returns a 16-bit WAV file in memory.
fn encode_wav(speech: &[f32]) -> Result<Vec<u8>, RecognizeError> {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: SAMPLE_RATE,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut file = Vec::with_capacity(64 + 2 * speech.len());
    let write = |file: &mut Vec<u8>| {
        let mut writer = hound::WavWriter::new(Cursor::new(file), spec)?;
        for sample in speech {
            writer.write_sample((sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)).round() as i16)?;
        }
        writer.finalize()
    };
    write(&mut file).map_err(|error| RecognizeError::Rejected(format!("the piece can't be written: {error}")))?;
    Ok(file)
}
