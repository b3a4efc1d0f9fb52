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

use super::{Answer, Api, ApiError};
use crate::openapi::Document;
use crate::request::{Content, Request, TOKEN_HEADER};

/// Path of the OpenAPI document.
pub const DOCUMENT: &str = "/api/openapi.json";

/// Maximum number of bytes of a response to parse as text, equal to the engine's limit. The whole response can be saved.
const READ: f64 = MAX_BYTES as f64;

/// Credentials of a trial request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sender {
    /// Session of the logged-in user.
    Session,
    /// An API key. The session is not sent.
    Key(String),
}

/// A response.
#[derive(Debug)]
pub struct Reply {
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
    pub is_cut: bool,
    /// True if the user cancelled the request before the whole body was received.
    pub is_stopped: bool,
    /// Body as a file in the browser's memory.
    pub file: ObjectUrl,
    /// File name for saving the body.
    pub file_name: String,
}

impl Reply {
    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
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
    fn of(blob: &Blob) -> Option<Self> {
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
pub struct Stopper(AbortController);

impl Stopper {
    /// Returns `None` if the browser can't cancel requests.
    pub fn new() -> Option<Self> {
        AbortController::new().ok().map(Self)
    }

    pub fn stop(&self) {
        self.0.abort();
    }

    pub(super) fn signal(&self) -> AbortSignal {
        self.0.signal()
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.0.signal().aborted()
    }
}

impl Api {
    /// Returns the OpenAPI document of the API.
    pub async fn reference(self) -> Answer<Arc<Document>> {
        let text = self.exchange(Method::GET, DOCUMENT, None).await?;
        Document::parse(&text).map(Arc::new).ok_or(ApiError::Unexpected { status: 200 })
    }

    /// Sends a request as it is and returns the response, successful or not; `None` if the request was cancelled before. `file`
    /// is the body if the request has a file body. `token` is a speech recognition token, empty for none.
    pub async fn try_out(
        self,
        request: Request,
        file: Option<File>,
        sender: Sender,
        token: String,
        stopper: Stopper,
    ) -> Answer<Option<Arc<Reply>>> {
        let built = self.build(&request, file, &sender, &token, &stopper).map_err(|_| ApiError::Offline)?;
        let started = now();
        let response = match built.send().await {
            Ok(response) => response,
            Err(_) if stopper.is_stopped() => return Ok(None),
            Err(_) => return Err(ApiError::Offline),
        };
        let chunks = Array::new();
        let is_whole = read_all(&response, &chunks).await;
        if !is_whole && !stopper.is_stopped() {
            return Err(ApiError::Offline);
        }
        let milliseconds = now() - started;
        let reply = reply(&request, &response, &chunks, milliseconds, !is_whole).await.ok_or(ApiError::Offline)?;
        if sender == Sender::Session {
            self.notice(&request, &reply).await;
        }
        Ok(Some(Arc::new(reply)))
    }

    fn build(
        self,
        request: &Request,
        file: Option<File>,
        sender: &Sender,
        token: &str,
        stopper: &Stopper,
    ) -> Result<gloo_net::http::Request, gloo_net::Error> {
        let method = Method::from_str(&request.method).unwrap_or_default();
        let mut builder = RequestBuilder::new(&request.target).abort_signal(Some(&stopper.signal()));
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        match sender {
            Sender::Key(key) => {
                builder = builder.credentials(RequestCredentials::Omit);
                if !key.is_empty() {
                    builder = builder.header("Authorization", &format!("Bearer {key}"));
                }
            }
            Sender::Session if method != Method::GET => {
                if let Some(token) = self.session.csrf_token() {
                    builder = builder.header("X-CSRF-Token", &token);
                }
            }
            Sender::Session => {}
        }
        if !token.is_empty() {
            builder = builder.header(TOKEN_HEADER, token);
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
    async fn notice(self, request: &Request, reply: &Reply) {
        let is_over = reply.status == 401 && reply.problem().is_some_and(|problem| problem.code == "unauthenticated");
        if is_over {
            self.session.end();
        } else if request.method != "GET" && request.target.starts_with("/api/session") && reply.status < 300 {
            self.find_session().await;
        }
    }
}

/// Reads a body to its end. Returns false if it was interrupted.
async fn read_all(response: &Response, chunks: &Array) -> bool {
    let Some(body) = response.body() else { return true };
    let Ok(reader) = body.get_reader().dyn_into::<ReadableStreamDefaultReader>() else { return false };
    loop {
        let Ok(part) = JsFuture::from(reader.read()).await else { return false };
        match Reflect::get(&part, &"value".into()).map(JsCast::dyn_into::<Uint8Array>) {
            Ok(Ok(chunk)) => chunks.push(&chunk),
            _ => return true,
        };
    }
}

async fn reply(
    request: &Request,
    response: &Response,
    chunks: &Array,
    milliseconds: f64,
    is_stopped: bool,
) -> Option<Reply> {
    let blob = Blob::new_with_u8_array_sequence(chunks).ok()?;
    let mut headers: Vec<_> = response.headers().entries().collect();
    headers.sort();
    let media_type = response.headers().get("content-type").unwrap_or_default();
    let is_cut = blob.size() > READ;
    let text = if is_text(&media_type) {
        let shown = blob.slice_with_i32_and_i32(0, READ as i32).ok()?;
        JsFuture::from(shown.text()).await.ok()?.as_string()
    } else {
        None
    };
    Some(Reply {
        status: response.status(),
        status_text: response.status_text(),
        milliseconds,
        headers,
        size: blob.size(),
        is_cut: is_cut && text.is_some(),
        text,
        is_stopped,
        file: ObjectUrl::of(&blob)?,
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
    let ending = media_type.split(';').next().unwrap_or_default().rsplit(['/', '+']).next().unwrap_or_default();
    match ending {
        _ if name.contains('.') => name.to_owned(),
        "" | "octet-stream" => name.to_owned(),
        "plain" | "event-stream" => format!("{name}.txt"),
        "mpeg" => format!("{name}.mp3"),
        "x-subrip" => format!("{name}.srt"),
        ending => format!("{name}.{}", ending.trim_start_matches("x-")),
    }
}

/// Monotonic time in milliseconds since the page was loaded.
fn now() -> f64 {
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
