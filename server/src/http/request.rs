//! A request as its handler receives it: routed, authorised, path and query decoded, body unread.

use std::net::IpAddr;

use bytes::Bytes;
use futures::stream::BoxStream;
use http::HeaderMap;
use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leadscribe_engine::json;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as ValueError, I64Deserializer};
use serde::de::{Deserialize, DeserializeOwned};
use utoipa::ToSchema;

use super::body::Body;
use super::identity::Identity;
use super::plain_body;
use super::problem::{Code, Refusal, either};
use super::query::Query;
use super::slots::Slot;
use crate::app::App;
use crate::storage::Origin;

/// A routed and authorised request.
#[derive(Debug)]
pub struct Request {
    /// Request id, as in the logs and in the response's `X-Request-Id`.
    pub id: String,
    /// True for `HEAD`. Such a request must not change anything.
    pub is_head: bool,
    /// The authenticated caller.
    pub identity: Identity,
    /// Client address; `None` if the transport has none.
    pub address: Option<IpAddr>,
    /// Path parameters, decoded.
    pub params: Params,
    /// Query, decoded. Parameters that the operation doesn't document were refused before.
    pub query: Query,
    /// Request headers.
    pub headers: HeaderMap,
    /// Body, unread.
    pub body: Body,
    /// Slot that the request holds while it is handled.
    pub slot: Slot,
}

impl Request {
    /// Reads the body as JSON text of at most `max_bytes` bytes.
    ///
    /// # Errors
    /// 413 if it is larger, 415 for another content type, 400 for invalid UTF-8, 408 if it arrives too slowly, 503 if no slot is free after
    /// waiting for it.
    pub async fn text(&mut self, max_bytes: u64) -> Result<String, Refusal> {
        let bytes = std::mem::take(&mut self.body).read(max_bytes, &self.slot);
        let bytes = self.slot.left_during(bytes).await??;
        // The content type of an empty body doesn't matter: the parser reports what is missing.
        if !bytes.is_empty() {
            self.expect_content_type(&["application/json"])?;
        }
        String::from_utf8(bytes.into()).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let detail = format!("the body must be UTF-8, but byte {at} is not");
            Refusal::fault(Code::InvalidRequest, Diagnostic::new(Place::default(), "invalid_utf8", detail))
        })
    }

    /// Streams the body, at most `max_bytes` bytes. The request holds no slot while it waits for the client.
    ///
    /// # Errors
    /// 413 if the declared size exceeds `max_bytes`. Within the stream: 413 if the actual size does, 408 if it arrives too slowly, 400 if
    /// the connection breaks, 503 if too many uploads are running or no slot is free at the end.
    pub fn upload(&mut self, max_bytes: u64) -> Result<BoxStream<'static, Result<Bytes, Refusal>>, Refusal> {
        Ok(self.slot.left_by(std::mem::take(&mut self.body).stream(max_bytes)?))
    }

    /// Parses the body as a JSON object of a type without custom validation.
    ///
    /// # Errors
    /// Those of [`Request::text`], and 400 with all invalid or missing members.
    pub async fn json<T: DeserializeOwned + ToSchema>(&mut self, max_bytes: u64) -> Result<T, Refusal> {
        let text = self.text(max_bytes).await?;
        // Serde would accept an array for a struct, with the items as members in order.
        let found = match text.trim_ascii_start().bytes().next() {
            Some(b'{') => None,
            None => Some(("empty_body", "an empty body")),
            Some(b'[') => Some(("wrong_type", "an array")),
            Some(_) => Some(("wrong_type", "something else")),
        };
        if let Some((code, found)) = found {
            let detail = format!("expected a JSON object, found {found}");
            return Err(Refusal::fault(Code::InvalidRequest, Diagnostic::new(Place::default(), code, detail)));
        }
        // The engine's reader is stricter than serde: it refuses duplicate keys, among others.
        let faults = json::read(&text).faults;
        if !faults.is_empty() {
            return Err(Refusal::faults(Code::InvalidRequest, faults));
        }
        plain_body::read(&text).map_err(|faults| Refusal::faults(Code::InvalidRequest, faults))
    }

    /// Refuses a content type that is not in `permitted`; `type/*` permits all subtypes. A missing header passes.
    ///
    /// # Errors
    /// 415, listing the permitted types.
    pub fn expect_content_type(&self, permitted: &[&str]) -> Result<(), Refusal> {
        let Some(given) = self.headers.get(http::header::CONTENT_TYPE) else { return Ok(()) };
        let given = given.to_str().unwrap_or("").split(';').next().unwrap_or("").trim();
        let fits = permitted.iter().any(|permitted| match permitted.strip_suffix("/*") {
            Some(kind) => given.split('/').next().is_some_and(|found| found.eq_ignore_ascii_case(kind)),
            None => permitted.eq_ignore_ascii_case(given),
        });
        if fits {
            return Ok(());
        }
        let mut fault = Diagnostic::new(
            Place::Parameter("Content-Type".to_owned()),
            "unsupported_media_type",
            format!("expected {}, found {given:?}", either(permitted)),
        )
        .permitted(permitted.iter().copied());
        // Mostly met with curl, which sends bodies as a form by default.
        if let Some(usual) = permitted.first().filter(|usual| !usual.ends_with("/*")) {
            fault = fault.suggest(format!("send it with the header Content-Type: {usual}"));
        }
        Err(Refusal::fault(Code::UnsupportedMediaType, fault))
    }

    /// Returns the value of a header if it is present and ASCII.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the audit context of changes that this request makes.
    pub fn origin(&self, app: &App) -> Origin {
        Origin { actor: self.identity.actor(), request_id: Some(self.id.clone()), at: app.now() }
    }
}

/// Path parameters, decoded.
#[derive(Clone, Debug, Default)]
pub struct Params(Vec<(String, String)>);

impl Params {
    /// Creates them from pairs of name and value.
    pub fn new(params: Vec<(String, String)>) -> Self {
        Self(params)
    }

    /// Returns the value of `name`, or an empty text if the path has no such parameter.
    pub fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Returns the id in `name`.
    ///
    /// # Errors
    /// 400 unless it is a whole number of 1 or more.
    pub fn id<'de, T: Deserialize<'de>>(&self, name: &str) -> Result<T, Refusal> {
        let text = self.text(name);
        parse_id(text).ok_or_else(|| Refusal::fault(Code::InvalidParameter, not_an_id(name, text)))
    }
}

/// Parses an id: plain digits, 1 or more.
pub(super) fn parse_id<'de, T: Deserialize<'de>>(text: &str) -> Option<T> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse::<i64>().ok().filter(|number| digits && *number > 0)?;
    let source: I64Deserializer<ValueError> = number.into_deserializer();
    T::deserialize(source).ok()
}

/// Returns the fault for a parameter that is not a valid id.
pub(super) fn not_an_id(name: &str, text: &str) -> Diagnostic {
    let detail = format!("expected a whole number of 1 or more, found {text:?}");
    Diagnostic::new(Place::Parameter(name.to_owned()), "invalid_id", detail)
}
