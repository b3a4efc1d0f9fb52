//! A request as a handler sees it: routed, authorised, its path and query decoded, its body still unread.

use std::net::IpAddr;

use bytes::Bytes;
use futures::stream::BoxStream;
use http::HeaderMap;
use leadscribe_engine::fault::{Fault, Place};
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

/// A request that may be served.
#[derive(Debug)]
pub struct Request {
    /// Its id, as in the logs and the answer's `X-Request-Id`.
    pub id: String,
    /// Whether only the head of the answer is asked for; such a request may change nothing.
    pub is_head: bool,
    /// Who asks.
    pub identity: Identity,
    /// From which address; none where the transport has none.
    pub address: Option<IpAddr>,
    /// What stands at the placeholders of the path, decoded.
    pub params: Params,
    /// The query, decoded. Names that the operation does not document are refused before the handler.
    pub query: Query,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, unread.
    pub body: Body,
    /// Its slot among those that are carried out.
    pub slot: Slot,
}

impl Request {
    /// Reads the body as JSON text of at most `max_bytes` bytes.
    ///
    /// # Errors
    /// 413 over the size, 415 for another content type, 400 when it is no UTF-8, 408 when it comes too slowly, 503 when it was
    /// waited for and others have taken all slots meanwhile.
    pub async fn text(&mut self, max_bytes: u64) -> Result<String, Refusal> {
        let bytes = std::mem::take(&mut self.body).read(max_bytes, &self.slot);
        let bytes = self.slot.left_during(bytes).await??;
        // A body that isn't there is of no type, whatever the header says: its reader tells what is missing.
        if !bytes.is_empty() {
            self.expect_content_type(&["application/json"])?;
        }
        String::from_utf8(bytes.into()).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let detail = format!("the body must be UTF-8, but byte {at} is not");
            Refusal::fault(Code::InvalidRequest, Fault::new(Place::default(), "invalid_utf8", detail))
        })
    }

    /// The body in chunks as they come, at most `max_bytes` bytes; while it is waited for, the request takes no slot.
    ///
    /// # Errors
    /// 413 at once when it says it is larger. Within the stream: 413 when it is, 408 when it comes too slowly, 400 when the
    /// connection breaks, 503 when too many uploads are on their way, or all slots are taken at its end.
    pub fn upload(&mut self, max_bytes: u64) -> Result<BoxStream<'static, Result<Bytes, Refusal>>, Refusal> {
        Ok(self.slot.left_by(std::mem::take(&mut self.body).stream(max_bytes)?))
    }

    /// Reads the body as a JSON object of a type that has no rules of its own.
    ///
    /// # Errors
    /// Those of [`Request::text`], and 400 with each place where the text makes no sense, or lacks something.
    pub async fn json<T: DeserializeOwned + ToSchema>(&mut self, max_bytes: u64) -> Result<T, Refusal> {
        let text = self.text(max_bytes).await?;
        // Serde would take an array for an object, its items for the members in their order.
        let found = match text.trim_ascii_start().bytes().next() {
            Some(b'{') => None,
            None => Some(("empty_body", "an empty body")),
            Some(b'[') => Some(("wrong_type", "an array")),
            Some(_) => Some(("wrong_type", "something else")),
        };
        if let Some((code, found)) = found {
            let detail = format!("expected a JSON object, found {found}");
            return Err(Refusal::fault(Code::InvalidRequest, Fault::new(Place::default(), code, detail)));
        }
        // What the engine reads strictly, equal keys among it, serde would let pass.
        let faults = json::read(&text).faults;
        if !faults.is_empty() {
            return Err(Refusal::faults(Code::InvalidRequest, faults));
        }
        plain_body::read(&text).map_err(|faults| Refusal::faults(Code::InvalidRequest, faults))
    }

    /// Refuses a content type that is not one of `permitted`; `type/*` permits all of a type. None given is taken as
    /// what the operation expects.
    ///
    /// # Errors
    /// 415, naming what is permitted.
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
        let mut fault = Fault::new(
            Place::Parameter("Content-Type".to_owned()),
            "unsupported_media_type",
            format!("expected {}, found {given:?}", either(permitted)),
        )
        .permitted(permitted.iter().copied());
        // Most who meet this use curl, which calls each body a form unless it is told otherwise.
        if let Some(usual) = permitted.first().filter(|usual| !usual.ends_with("/*")) {
            fault = fault.hint(format!("send it with the header Content-Type: {usual}"));
        }
        Err(Refusal::fault(Code::UnsupportedMediaType, fault))
    }

    /// The value of a header, if it is given and ASCII.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Who changes something, in this request, now.
    pub fn origin(&self, app: &App) -> Origin {
        Origin { actor: self.identity.actor(), request_id: Some(self.id.clone()), at: app.now() }
    }
}

/// What stands at the placeholders of the path, decoded.
#[derive(Clone, Debug, Default)]
pub struct Params(Vec<(String, String)>);

impl Params {
    /// From the names of the placeholders and what stands there.
    pub fn new(params: Vec<(String, String)>) -> Self {
        Self(params)
    }

    /// What stands at `name`; empty when the path has no such placeholder.
    pub fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The id at `name`.
    ///
    /// # Errors
    /// 400 when it is no whole number of 1 or more.
    pub fn id<'de, T: Deserialize<'de>>(&self, name: &str) -> Result<T, Refusal> {
        let text = self.text(name);
        parse_id(text).ok_or_else(|| Refusal::fault(Code::InvalidParameter, not_an_id(name, text)))
    }
}

/// An id from plain digits: 1 or more.
pub(super) fn parse_id<'de, T: Deserialize<'de>>(text: &str) -> Option<T> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse::<i64>().ok().filter(|number| digits && *number > 0)?;
    let source: I64Deserializer<ValueError> = number.into_deserializer();
    T::deserialize(source).ok()
}

/// The fault of a parameter that should have been an id.
pub(super) fn not_an_id(name: &str, text: &str) -> Fault {
    let detail = format!("expected a whole number of 1 or more, found {text:?}");
    Fault::new(Place::Parameter(name.to_owned()), "invalid_id", detail)
}
