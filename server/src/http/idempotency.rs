//! The header `Idempotency-Key`, which makes operations that create something safe to repeat.

use http::{HeaderMap, HeaderName, HeaderValue};
use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, common, request};
use utoipa::openapi::path::{Operation, ParameterBuilder, ParameterIn};
use utoipa::openapi::{ObjectBuilder, RefOr, Required, ResponseBuilder, Type};

use super::problem::{Code, Problem};
use super::reply::Response;
use crate::storage::IdempotencyKey;

const HEADER: &str = "Idempotency-Key";

/// Maximum length of a key in characters.
const MAX_LENGTH: usize = 255;

/// Header that marks a response as replayed.
const REPLAYED_HEADER: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Parses the key of a request of `owner` to this target, if it has one.
///
/// # Errors
/// 400 if it is repeated or not 1 to [`MAX_LENGTH`] visible ASCII characters.
pub fn parse(headers: &HeaderMap, owner: String, target: &str) -> Result<Option<IdempotencyKey>, Problem> {
    let mut values = headers.get_all(HEADER).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let reject = |detail: Message| {
        let location = Location::Parameter(HEADER.to_owned());
        let diagnostic = Diagnostic::new(location, "invalid_idempotency_key", detail);
        Err(Problem::from_diagnostic(Code::InvalidParameter, diagnostic))
    };
    if values.next().is_some() {
        return reject(common::repeated(HEADER));
    }
    let key = std::str::from_utf8(value.as_bytes()).unwrap_or("");
    if !(1..=MAX_LENGTH).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return reject(request::visible_ascii(MAX_LENGTH));
    }
    Ok(Some(IdempotencyKey::new(owner, key.to_owned(), target)))
}

/// Marks the response of a repeated request.
pub fn mark_replayed(response: &mut Response) {
    response.headers_mut().insert(REPLAYED_HEADER, HeaderValue::from_static("true"));
}

/// Adds the header and its refusals to the description of an operation.
pub fn describe(operation: &mut Operation) {
    let parameter = ParameterBuilder::new()
        .name(HEADER)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "1 to 255 visible ASCII characters. A repeated request with the same key creates nothing. It returns the \
             created record as it is now, or the first response",
        ))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .example(Some("2f1c6a1e-nightly".into()));
    operation.parameters.get_or_insert_default().push(RefOr::T(parameter.build()));
    for (status, description) in [
        (
            "409",
            "A request with the same idempotency key is in progress, or created a record that was deleted \
             (`created_record_deleted`) or a secret that isn't stored (`secret_not_repeated`)",
        ),
        ("422", "The idempotency key was used before for another request"),
    ] {
        let responses = &mut operation.responses.responses;
        let response = responses.entry(status.to_owned()).or_insert_with(|| ResponseBuilder::new().build().into());
        if let RefOr::T(response) = response {
            let separator = if response.description.is_empty() { "" } else { "; or: " };
            response.description = format!("{}{separator}{description}", response.description);
        }
    }
}
