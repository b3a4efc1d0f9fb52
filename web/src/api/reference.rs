//! API reference: loads the OpenAPI document and sends any request that the user composes, with any credentials. Every response
//! is shown as it is.

use std::str::FromStr;
use std::sync::Arc;

use gloo_net::http::{Method, RequestBuilder, Response};
use js_sys::{Array, Reflect, Uint8Array};
use leadscribe_engine::api::Problem;
use leadscribe_engine::json::MAX_BYTES;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal, Blob, File, ReadableStreamDefaultReader, RequestCredentials, Url};

use super::{Api, ApiError, ApiResult};
use crate::openapi::Document;
use crate::request::{Content, Request, TOKEN_HEADER};

/// Path of the OpenAPI document.
pub const DOCUMENT_URL: &str = "/api/openapi.json";

/// Maximum number of bytes of a response to parse as text, equal to the engine's limit. The whole response can be saved.
const MAX_TEXT_BYTES: f64 = MAX_BYTES as f64;

/// Credentials of a trial request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrialCredentials {
    /// Session of the logged-in user.
    Session,
    /// An API key. The session is not sent.
    ApiKey(String),
}

/// A response.
#[derive(Debug)]
pub struct TrialResponse {
    pub status: u16,
    /// Reason phrase, such as `Not Found`.
    pub status_text: String,
    /// Time from sending the request to the last byte.
    pub milliseconds: f64,
    /// All headers, sorted by name.
    pub headers: Vec<(String, String)>,
    /// Size of the body in bytes.
    pub size: f64,
    /// Body as text, or the start of it; `None` if it isn't text.
    pub text: Option<String>,
    /// True if `text` is shorter than the body.
    pub is_truncated: bool,
    /// True if the user cancelled the request before the whole body was received.
    pub is_aborted: bool,
    /// Body as a file in the browser's memory.
    pub file: ObjectUrl,
    /// File name for saving the body.
    pub file_name: String,
}

impl TrialResponse {
    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header_name, _)| header_name == name).map(|(_, value)| value.as_str())
    }

    /// Returns the problem document, if the body is one.
    pub fn problem(&self) -> Option<Problem> {
        serde_json::from_str(self.text.as_deref()?).ok().filter(|_| self.status >= 400)
    }
}

/// Object URL of a blob in the browser's memory. Dropping it revokes the URL.
#[derive(Debug)]
pub struct ObjectUrl(String);

impl ObjectUrl {
    /// Returns `None` if the browser has no memory left.
    fn new(blob: &Blob) -> Option<Self> {
        Url::create_object_url_with_blob(blob).ok().map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Drop for ObjectUrl {
    fn drop(&mut self) {
        // A URL that the browser doesn't know needs no revoking.
        let _ = Url::revoke_object_url(&self.0);
    }
}

/// Cancels a running request.
#[derive(Clone)]
pub struct AbortHandle(AbortController);

impl AbortHandle {
    /// Returns `None` if the browser can't cancel requests.
    pub fn new() -> Option<Self> {
        AbortController::new().ok().map(Self)
    }

    pub fn abort(&self) {
        self.0.abort();
    }

    pub(super) fn signal(&self) -> AbortSignal {
        self.0.signal()
    }

    pub(super) fn is_aborted(&self) -> bool {
        self.0.signal().aborted()
    }
}

impl Api {
    /// Returns the OpenAPI document of the API.
    pub async fn openapi_document(self) -> ApiResult<Arc<Document>> {
        let text = self.exchange(Method::GET, DOCUMENT_URL, None).await?;
        Document::parse(&text).map(Arc::new).ok_or(ApiError::Unexpected { status: 200 })
    }

    /// Sends a request as it is and returns the response, successful or not; `None` if the request was cancelled before. `file`
    /// is the body if the request has a file body. `speech_token` is a speech recognition token, empty for none.
    pub async fn send_trial(
        self,
        request: Request,
        file: Option<File>,
        credentials: TrialCredentials,
        speech_token: String,
        abort_handle: AbortHandle,
    ) -> ApiResult<Option<Arc<TrialResponse>>> {
        let built = self
            .build_trial(&request, file, &credentials, &speech_token, &abort_handle)
            .map_err(|_| ApiError::Offline)?;
        let started = monotonic_ms();
        let response = match built.send().await {
            Ok(response) => response,
            Err(_) if abort_handle.is_aborted() => return Ok(None),
            Err(_) => return Err(ApiError::Offline),
        };
        let chunks = Array::new();
        let is_whole = read_all(&response, &chunks).await;
        if !is_whole && !abort_handle.is_aborted() {
            return Err(ApiError::Offline);
        }
        let milliseconds = monotonic_ms() - started;
        let trial_response = read_trial_response(&request, &response, &chunks, milliseconds, !is_whole)
            .await
            .ok_or(ApiError::Offline)?;
        if credentials == TrialCredentials::Session {
            self.sync_session(&request, &trial_response).await;
        }
        Ok(Some(Arc::new(trial_response)))
    }

    fn build_trial(
        self,
        request: &Request,
        file: Option<File>,
        credentials: &TrialCredentials,
        speech_token: &str,
        abort_handle: &AbortHandle,
    ) -> Result<gloo_net::http::Request, gloo_net::Error> {
        let method = Method::from_str(&request.method).unwrap_or_default();
        let mut builder = RequestBuilder::new(&request.target).abort_signal(Some(&abort_handle.signal()));
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        match credentials {
            TrialCredentials::ApiKey(key) => {
                builder = builder.credentials(RequestCredentials::Omit);
                if !key.is_empty() {
                    builder = builder.header("Authorization", &format!("Bearer {key}"));
                }
            }
            TrialCredentials::Session if method != Method::GET => {
                if let Some(speech_token) = self.session.csrf_token() {
                    builder = builder.header("X-CSRF-Token", &speech_token);
                }
            }
            TrialCredentials::Session => {}
        }
        if !speech_token.is_empty() {
            builder = builder.header(TOKEN_HEADER, speech_token);
        }
        let builder = builder.method(method);
        let Some(body) = &request.body else { return builder.build() };
        let builder = builder.header("Content-Type", &body.media_type);
        match (&body.content, file) {
            (Content::Text(text), _) => builder.body(text.as_str()),
            (Content::File(_), Some(file)) => builder.body(file),
            (Content::File(_), None) => builder.build(),
        }
    }

    /// Updates the panel's session if the response shows that it has ended or was replaced.
    async fn sync_session(self, request: &Request, response: &TrialResponse) {
        let is_session_over =
            response.status == 401 && response.problem().is_some_and(|problem| problem.code == "unauthenticated");
        if is_session_over {
            self.session.expire();
        } else if request.method != "GET" && request.target.starts_with("/api/session") && response.status < 300 {
            self.load_session().await;
        }
    }
}

/// Reads a body to its end. Returns false if it was interrupted.
async fn read_all(response: &Response, chunks: &Array) -> bool {
    let Some(body) = response.body() else { return true };
    let Ok(reader) = body.get_reader().dyn_into::<ReadableStreamDefaultReader>() else { return false };
    loop {
        let Ok(chunk_result) = JsFuture::from(reader.read()).await else { return false };
        match Reflect::get(&chunk_result, &"value".into()).map(JsCast::dyn_into::<Uint8Array>) {
            Ok(Ok(chunk)) => chunks.push(&chunk),
            _ => return true,
        };
    }
}

async fn read_trial_response(
    request: &Request,
    response: &Response,
    chunks: &Array,
    milliseconds: f64,
    is_aborted: bool,
) -> Option<TrialResponse> {
    let blob = Blob::new_with_u8_array_sequence(chunks).ok()?;
    let mut headers: Vec<_> = response.headers().entries().collect();
    headers.sort();
    let media_type = response.headers().get("content-type").unwrap_or_default();
    let is_truncated = blob.size() > MAX_TEXT_BYTES;
    let text = if is_text(&media_type) {
        let beginning = blob.slice_with_i32_and_i32(0, MAX_TEXT_BYTES as i32).ok()?;
        JsFuture::from(beginning.text()).await.ok()?.as_string()
    } else {
        None
    };
    Some(TrialResponse {
        status: response.status(),
        status_text: response.status_text(),
        milliseconds,
        headers,
        size: blob.size(),
        is_truncated: is_truncated && text.is_some(),
        text,
        is_aborted,
        file: ObjectUrl::new(&blob)?,
        file_name: file_name(&request.target, &media_type),
    })
}

fn is_text(media_type: &str) -> bool {
    ["text/", "json", "xml", "subrip"].iter().any(|part| media_type.contains(part))
}

/// File name of a response: last segment of the path, with an extension for the media type.
fn file_name(target: &str, media_type: &str) -> String {
    let path = target.split('?').next().unwrap_or(target);
    let name = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or("answer");
    let extension = media_type.split(';').next().unwrap_or_default().rsplit(['/', '+']).next().unwrap_or_default();
    match extension {
        _ if name.contains('.') => name.to_owned(),
        "" | "octet-stream" => name.to_owned(),
        "plain" | "event-stream" => format!("{name}.txt"),
        "mpeg" => format!("{name}.mp3"),
        "x-subrip" => format!("{name}.srt"),
        extension => format!("{name}.{}", extension.trim_start_matches("x-")),
    }
}

/// Monotonic time in milliseconds since the page was loaded.
fn monotonic_ms() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_name_has_an_extension_for_the_media_type() {
        for (target, media_type, name) in [
            ("/api/leads/17?x=a/b", "application/json", "17.json"),
            ("/api/openapi.json", "application/json", "openapi.json"),
            ("/api/users/0", "application/problem+json", "0.json"),
            ("/api/calls/7/recording", "audio/wav", "recording.wav"),
            ("/api/calls/7/transcript", "application/x-subrip", "transcript.srt"),
            ("/healthz", "text/plain; charset=utf-8", "healthz.txt"),
            ("/api/leads/17", "", "17"),
        ] {
            assert_eq!(file_name(target, media_type), name);
        }
    }
}
