//! A request as its handler receives it: routed, authorized, path and query decoded, body unread.

use std::net::IpAddr;

use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use http::{HeaderMap, HeaderValue, header};
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::diagnostic::{Diagnostic, Location, common, format_text, not_permitted, request};
use leadscribe_engine::json;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as ValueError, I64Deserializer};
use serde::de::{Deserialize, DeserializeOwned};
use utoipa::ToSchema;

use super::body::Body;
use super::body_validation;
use super::compression::{self, ContentCoding};
use super::etag;
use super::identity::Identity;
use super::problem::{Code, Problem};
use super::query::Query;
use super::slots::Slot;
use crate::service::app::App;
use crate::storage::{AuditContext, IdempotencyKey};

/// A routed and authorized request.
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
    /// Query, decoded. Parameters that the operation doesn't document were rejected before.
    pub query: Query,
    /// Request headers.
    pub headers: HeaderMap,
    /// Body, unread.
    pub body: Body,
    /// Slot that the request holds while it is handled.
    pub slot: Slot,
    /// Idempotency key, if the operation accepts one. It covers the part of the body that has been read.
    pub idempotency: Option<IdempotencyKey>,
}

impl Request {
    /// Reads the body as JSON text of at most `max_bytes` bytes.
    ///
    /// # Errors
    /// 413 if it is larger, 415 for another content type or an unknown content encoding, 400 for invalid UTF-8, 408 if it arrives too
    /// slowly, 503 if no slot is free once the body has arrived.
    pub async fn text(&mut self, max_bytes: u64) -> Result<String, Problem> {
        let bytes = self.take_body()?.read(max_bytes, &self.slot);
        let bytes = self.slot.release_while(bytes).await??;
        if let Some(key) = &self.idempotency {
            key.add_content(&bytes);
        }
        // The content type of an empty body doesn't matter: the parser reports what is missing.
        if !bytes.is_empty() {
            self.expect_content_type(&["application/json"])?;
        }
        String::from_utf8(bytes.into()).map_err(|error| {
            let byte_offset = error.utf8_error().valid_up_to();
            let message = request::body_not_utf8(byte_offset);
            Problem::from_diagnostic(
                Code::InvalidRequest,
                Diagnostic::new(Location::default(), "invalid_utf8", message),
            )
        })
    }

    /// Streams the body, at most `max_bytes` bytes. The request holds no slot while it waits for the client.
    ///
    /// # Errors
    /// 413 if the declared size exceeds `max_bytes`, 415 for an unknown content encoding. Within the stream: 413 if the actual size does,
    /// 408 if it arrives too slowly, 400 if the connection breaks, 503 if too many uploads are running or no slot is free at the end.
    pub fn upload(&mut self, max_bytes: u64) -> Result<BoxStream<'static, Result<Bytes, Problem>>, Problem> {
        let chunks = self.take_body()?.stream(max_bytes)?;
        let key = self.idempotency.clone();
        let chunks = chunks.inspect_ok(move |chunk: &Bytes| key.iter().for_each(|key| key.add_content(chunk)));
        Ok(self.slot.release_during_upload(chunks.boxed()))
    }

    /// Takes the body, to be decoded as `Content-Encoding` says.
    fn take_body(&mut self) -> Result<Body, Problem> {
        let coding = compression::request_coding(&self.headers)
            .map_err(|value| unsupported_coding(&value, &ContentCoding::ALL.map(ContentCoding::name)))?;
        Ok(std::mem::take(&mut self.body).with_coding(coding))
    }

    /// Rejects a body with a content encoding.
    ///
    /// # Errors
    /// 415.
    pub fn expect_no_content_encoding(&self) -> Result<(), Problem> {
        match compression::request_coding(&self.headers) {
            Ok(None) => Ok(()),
            Ok(Some(coding)) => Err(unsupported_coding(coding.name(), &["identity"])),
            Err(value) => Err(unsupported_coding(&value, &["identity"])),
        }
    }

    /// Parses the body as a JSON object of a type without custom validation.
    ///
    /// # Errors
    /// Those of [`Request::text`], and 400 with all invalid or missing members.
    pub async fn json<T: DeserializeOwned + ToSchema>(&mut self, max_bytes: u64) -> Result<T, Problem> {
        let text = self.text(max_bytes).await?;
        if text.trim_ascii().is_empty() {
            let message = common::expected(common::json_object(), common::empty_body());
            let diagnostic = Diagnostic::new(Location::default(), "empty_body", message);
            return Err(Problem::from_diagnostic(Code::InvalidRequest, diagnostic));
        }
        // The engine's reader is stricter than serde: it rejects duplicate keys, among others.
        let diagnostics = json::parse(&text).diagnostics;
        if !diagnostics.is_empty() {
            return Err(Problem::diagnostics(Code::InvalidRequest, diagnostics));
        }
        body_validation::parse(&text).map_err(|diagnostics| Problem::diagnostics(Code::InvalidRequest, diagnostics))
    }

    /// Rejects a content type that is not in `permitted`; `type/*` permits all subtypes. A missing header passes.
    ///
    /// # Errors
    /// 415, listing the permitted types.
    pub fn expect_content_type(&self, permitted: &[&str]) -> Result<(), Problem> {
        let Some(content_type) = self.headers.get(http::header::CONTENT_TYPE) else { return Ok(()) };
        let content_type = content_type.to_str().unwrap_or("").split(';').next().unwrap_or("").trim();
        let is_permitted = permitted.iter().any(|permitted| match permitted.strip_suffix("/*") {
            Some(main_type) => {
                content_type.split('/').next().is_some_and(|actual_type| actual_type.eq_ignore_ascii_case(main_type))
            }
            None => permitted.eq_ignore_ascii_case(content_type),
        });
        if is_permitted {
            return Ok(());
        }
        let mut diagnostic =
            unsupported_header_value("Content-Type", "unsupported_media_type", content_type, permitted);
        // The usual cause is curl, which sends bodies as a form by default.
        if let Some(default_type) = permitted.first().filter(|default_type| !default_type.ends_with("/*")) {
            diagnostic = diagnostic.suggest(request::send_content_type(*default_type));
        }
        Err(Problem::from_diagnostic(Code::UnsupportedMediaType, diagnostic))
    }

    /// Returns the versions on which a change may be based, from `If-Match` and the parameter `if_updated_at`. `None` if any will do.
    ///
    /// # Errors
    /// 400 if `if_updated_at` is not a time.
    pub fn expected_versions(&self) -> Result<Option<Vec<Timestamp>>, Problem> {
        let header_versions = etag::expected_versions(&self.headers);
        Ok(match (header_versions, self.query.time("if_updated_at")?) {
            (header_versions, None) => header_versions,
            (None, Some(updated_at)) => Some(vec![updated_at]),
            (Some(mut versions), Some(updated_at)) => {
                versions.retain(|version| *version == updated_at);
                Some(versions)
            }
        })
    }

    /// Rejects `If-Match`, for records without a version. It must not be ignored, because the client relies on it.
    ///
    /// # Errors
    /// 400.
    pub fn expect_no_if_match(&self) -> Result<(), Problem> {
        if !self.headers.contains_key(header::IF_MATCH) {
            return Ok(());
        }
        let location = Location::Parameter("If-Match".to_owned());
        let diagnostic = Diagnostic::new(location, "not_supported", request::no_version());
        Err(Problem::from_diagnostic(Code::InvalidParameter, diagnostic.suggest(request::remove_header())))
    }

    /// Returns the value of a header if it is present and ASCII.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the audit context of changes that this request makes.
    pub fn audit_context(&self, app: &App) -> AuditContext {
        AuditContext {
            request_id: Some(self.id.clone()),
            idempotency: self.idempotency.clone(),
            ..AuditContext::new(self.identity.actor(), app.now())
        }
    }
}

/// 415 for a content encoding that is not in `permitted`. `Accept-Encoding` lists those for the client's next attempt.
fn unsupported_coding(found: &str, permitted: &[&str]) -> Problem {
    let diagnostic = unsupported_header_value("Content-Encoding", "unsupported_content_encoding", found, permitted);
    let accepted = HeaderValue::try_from(permitted.join(", ")).expect("names of codings are ASCII");
    Problem::from_diagnostic(Code::UnsupportedMediaType, diagnostic).with_header(header::ACCEPT_ENCODING, accepted)
}

/// Returns the error for the value of a header that is not in `permitted`.
pub(super) fn unsupported_header_value(header: &str, code: &str, found: &str, permitted: &[&str]) -> Diagnostic {
    let location = Location::Parameter(header.to_owned());
    Diagnostic { location, code: code.to_owned(), ..not_permitted(found, permitted.iter().copied()) }
}

/// Path parameters, decoded.
#[derive(Clone, Debug, Default)]
pub struct Params(Vec<(String, String)>);

impl Params {
    /// Creates parameters from pairs of name and value.
    pub fn new(params: Vec<(String, String)>) -> Self {
        Self(params)
    }

    /// Returns the value of `name`, or an empty text if the path has no such parameter.
    pub fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(parameter_name, _)| parameter_name == name).map_or("", |(_, value)| value)
    }

    /// Returns the id in `name`.
    ///
    /// # Errors
    /// 400 unless it is a whole number of 1 or more.
    pub fn id<'de, T: Deserialize<'de>>(&self, name: &str) -> Result<T, Problem> {
        let text = self.text(name);
        parse_id(text).ok_or_else(|| Problem::from_diagnostic(Code::InvalidParameter, invalid_id(name, text)))
    }
}

/// Parses an id: plain digits, 1 or more.
pub(super) fn parse_id<'de, T: Deserialize<'de>>(text: &str) -> Option<T> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse::<i64>().ok().filter(|number| is_digits && *number > 0)?;
    let deserializer: I64Deserializer<ValueError> = number.into_deserializer();
    T::deserialize(deserializer).ok()
}

/// Returns the error for a parameter that is not a valid id.
pub(super) fn invalid_id(name: &str, text: &str) -> Diagnostic {
    let message = common::expected(common::integer_from_one(), format_text(text));
    Diagnostic::new(Location::Parameter(name.to_owned()), "invalid_id", message)
}
