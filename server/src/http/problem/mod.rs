//! Errors in responses. This is the only module that picks status codes.
//!
//! A [`Problem`] has a public part, sent as RFC 9457 `application/problem+json`, and may have a private cause, which [`super::dispatch`]
//! logs once and never sends. [`Code`] lists the kinds; `convert` maps the errors of services to them.

mod code;
mod convert;

use http::{HeaderName, HeaderValue, header};
use leadscribe_engine::api::{self, Scope};
use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, conflict};

pub use code::{Code, table_markdown};

use super::reply::{self, Response};

/// Value of `Retry-After` when the server is overloaded or storage is unavailable, in seconds.
const RETRY_AFTER_SECONDS: u64 = 2;

/// An error response to a request.
#[derive(Debug)]
pub struct Problem {
    code: Code,
    message: Message,
    diagnostics: Vec<Diagnostic>,
    has_request_id: bool,
    headers: Vec<(HeaderName, HeaderValue)>,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// Description of a problem. A string is English only, because the panel has a text for each [`Code`] in other languages.
#[derive(Debug)]
pub struct Detail(Message);

impl From<Message> for Detail {
    fn from(message: Message) -> Self {
        Self(message)
    }
}

impl From<String> for Detail {
    #[expect(clippy::disallowed_methods, reason = "other languages have a text for each code")]
    fn from(english: String) -> Self {
        Self(Message::untranslated(english))
    }
}

impl From<&str> for Detail {
    fn from(english: &str) -> Self {
        english.to_owned().into()
    }
}

impl Problem {
    /// Creates a problem with a code and a description of this error.
    pub fn new(code: Code, detail: impl Into<Detail>) -> Self {
        let (diagnostics, headers) = (Vec::new(), Vec::new());
        Self { code, message: detail.into().0, diagnostics, has_request_id: true, headers, cause: None }
    }

    /// Creates a problem that lists all errors of the input.
    pub fn diagnostics(code: Code, diagnostics: Vec<Diagnostic>) -> Self {
        let detail: Detail = match diagnostics.as_slice() {
            [single] => single.message.clone().into(),
            several => format!("{} errors were found; each is listed in errors", several.len()).into(),
        };
        Self { diagnostics, ..Self::new(code, detail) }
    }

    /// Creates a problem for one error of the input.
    pub fn from_diagnostic(code: Code, diagnostic: Diagnostic) -> Self {
        Self::diagnostics(code, vec![diagnostic])
    }

    /// 404: there is no such `resource` ("lead", "campaign").
    pub fn not_found(resource: &str) -> Self {
        Self::new(Code::NotFound, format!("there is no such {resource}"))
    }

    /// 401: missing or invalid credentials. Adds the `WWW-Authenticate` challenge.
    pub fn unauthorized(code: Code, detail: impl Into<Detail>) -> Self {
        // Not Basic, although it is accepted: browsers would open their own login dialog over the panel.
        let challenge = HeaderValue::from_static("Bearer realm=\"leadscribe\"");
        Self::new(code, detail).with_header(header::WWW_AUTHENTICATE, challenge)
    }

    /// 403: the caller lacks `scope`.
    pub fn forbidden(scope: Scope) -> Self {
        Self::forbidden_without(&[scope])
    }

    /// 403: the caller has none of `scopes`, one of which would be enough.
    pub fn forbidden_without(scopes: &[Scope]) -> Self {
        Self::new(
            Code::Forbidden,
            format!("this requires the scope {}, or a role that grants it", join_with_or(scopes)),
        )
    }

    /// 429: retry after `retry_after_seconds`.
    pub fn too_many_requests(detail: impl Into<Detail>, retry_after_seconds: u64) -> Self {
        Self::new(Code::TooManyRequests, detail).with_header(header::RETRY_AFTER, retry_after_seconds.max(1).into())
    }

    /// 503: the caller, or all callers together, have too many open streams.
    pub fn too_many_streams() -> Self {
        Self::overloaded("too many event streams are open; close some or retry later")
    }

    /// 503: the server is overloaded.
    pub fn overloaded(detail: impl Into<Detail>) -> Self {
        Self::new(Code::Overloaded, detail).with_header(header::RETRY_AFTER, RETRY_AFTER_SECONDS.into())
    }

    /// 500: the server failed. The cause is logged, not sent.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let detail = "internal server error; the server's log has the cause under this request id";
        Self { cause: Some(cause.into()), ..Self::new(Code::Internal, detail) }
    }

    /// Adds a header to the response.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Adds a suggestion to each diagnostic of a query parameter if its raw value contained a `+` or its message asks for a UTC offset. A
    /// diagnostic with a pointer belongs to the parameter `filter`.
    #[must_use]
    pub fn with_plus_suggestion(mut self, names_with_plus: &[String]) -> Self {
        let has_plus = |name: &str| names_with_plus.iter().any(|name_with_plus| name_with_plus == name);
        for diagnostic in &mut self.diagnostics {
            let had_plus = match &diagnostic.location {
                Location::Parameter(name) => has_plus(name),
                Location::Pointer(_) => has_plus("filter"),
                Location::Column(_) => false,
            };
            let is_parameter = matches!(diagnostic.location, Location::Parameter(_));
            if is_parameter && diagnostic.suggestion.is_none() && !had_plus && diagnostic.message.contains_id("offset")
            {
                diagnostic.suggestion = Some(conflict::encode_offset().into());
            }
            if had_plus {
                let plus = conflict::plus_is_space();
                diagnostic.suggestion = Some(match diagnostic.suggestion.take() {
                    Some(suggestion) => Message::join(&[suggestion.message, plus]).into(),
                    None => plus.into(),
                });
            }
        }
        self
    }

    /// Omits the request id from the body, so that all responses of this kind have identical bodies. The header `X-Request-Id` stays.
    #[must_use]
    pub fn without_request_id(self) -> Self {
        Self { has_request_id: false, ..self }
    }

    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the private cause, for the log.
    pub fn cause(&self) -> Option<&(dyn std::error::Error + Send + Sync + 'static)> {
        self.cause.as_deref()
    }

    /// Returns the public part, as sent to the client.
    pub fn to_document(&self, request_id: &str) -> api::Problem {
        api::Problem {
            kind: self.code.uri(),
            title: self.code.title().to_owned(),
            status: self.code.status().as_u16(),
            code: self.code.as_str().to_owned(),
            message: self.message.clone(),
            request_id: self.has_request_id.then(|| request_id.to_owned()),
            errors: self.diagnostics.clone(),
        }
    }

    /// Converts the problem into a response.
    pub fn into_response(self, request_id: &str) -> Response {
        let mut response = reply::with_status(self.code.status(), reply::json(&self.to_document(request_id)));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.extend(self.headers);
        response
    }
}

/// Joins alternatives: `leads:read or calls:read`.
pub fn join_with_or<T: ToString>(names: impl IntoIterator<Item = T>) -> String {
    names.into_iter().map(|name| name.to_string()).collect::<Vec<_>>().join(" or ")
}
