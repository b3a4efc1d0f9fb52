//! The API as its own document describes it, and requests that somebody tries: any operation, with any proof, and the
//! answer whatever it is.

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

/// Where the document comes from.
pub const DOCUMENT: &str = "/api/openapi.json";

/// The most of a text that is read, in bytes: what the engine reads. The whole of it can be saved.
const READ: f64 = MAX_BYTES as f64;

/// Who a tried request is sent by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sender {
    /// Whoever is logged in.
    Session,
    /// The holder of this API key. The session is not sent.
    Key(String),
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    /// `Not Found`
    pub status_text: String,
    /// From sending to the last byte.
    pub milliseconds: f64,
    /// All headers, in the order of their names.
    pub headers: Vec<(String, String)>,
    /// Bytes of the body.
    pub size: f64,
    /// The body, or the beginning of it; none when it is no text.
    pub text: Option<String>,
    /// The body is longer than `text`.
    pub is_cut: bool,
    /// Somebody stopped before all of it was there.
    pub is_stopped: bool,
    /// The body as a file in the browser's memory.
    pub file: ObjectUrl,
    /// How it is called when it is saved.
    pub file_name: String,
}

impl Reply {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    /// The refusal that the body is.
    pub fn problem(&self) -> Option<Problem> {
        serde_json::from_str(self.text.as_deref()?).ok().filter(|_| self.status >= 400)
    }
}

/// An address of something in the browser's memory, which is given back with it.
#[derive(Debug)]
pub struct ObjectUrl(String);

impl ObjectUrl {
    /// None where the browser has no room.
    fn of(blob: &Blob) -> Option<Self> {
        Url::create_object_url_with_blob(blob).ok().map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Drop for ObjectUrl {
    fn drop(&mut self) {
        // What the browser doesn't know any more needs no giving back.
        let _ = Url::revoke_object_url(&self.0);
    }
}

/// Stops a request that is under way.
#[derive(Clone)]
pub struct Stopper(AbortController);

impl Stopper {
    /// None where the browser can't stop requests.
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
    /// The description of the whole API.
    pub async fn reference(self) -> Answer<Arc<Document>> {
        let text = self.exchange(Method::GET, DOCUMENT, None).await?;
        Document::parse(&text).map(Arc::new).ok_or(ApiError::Unexpected { status: 200 })
    }

    /// Sends a request as it is, and gives the answer, good or bad; none when it was stopped before there was one.
    /// `file` is the body where the request names one; `token` a speech recognition token, empty for none.
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

    /// What the panel itself must know of an answer: that the session is over, or another one.
    async fn notice(self, request: &Request, reply: &Reply) {
        let is_over = reply.status == 401 && reply.problem().is_some_and(|problem| problem.code == "unauthenticated");
        if is_over {
            self.session.end();
        } else if request.method != "GET" && request.target.starts_with("/api/session") && reply.status < 300 {
            self.find_session().await;
        }
    }
}

/// Reads a body to its end; whether it came there.
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

/// The last part of the path, with an ending that says what it is.
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

/// Milliseconds since the page began, which no change of the clock moves.
fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_saved_under_a_name_that_says_what_it_is() {
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
