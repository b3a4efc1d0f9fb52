//! Authentication and authorization: API keys, session cookies and CSRF protection.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue, Method, header};
use leadscribe_engine::api::{ApiKey, Scope, SessionResponse, Timestamp};
use subtle::ConstantTimeEq;

use super::cookies;
use super::identity::Identity;
use super::problem::{Code, Problem, join_with_or};
use crate::service::app::App;
use crate::service::auth::{credentials, secrets, sessions};

/// Header with a speech token.
pub const SPEECH_TOKEN_HEADER: &str = "X-Speech-Token";

/// Header with the session's CSRF token.
const CSRF_HEADER: &str = "X-CSRF-Token";

/// Header that the panel sends while the user is inactive.
const BACKGROUND_REQUEST_HEADER: &str = "X-Background-Request";

/// Authentication and permissions that an operation requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// No authentication. Credentials are ignored.
    Public,
    /// Authentication is optional. Credentials are checked if they are sent.
    Optional,
    /// Any member of staff, and any API key.
    Authenticated,
    /// Any member of staff, any API key, and any speech token in the header [`SPEECH_TOKEN_HEADER`].
    AuthenticatedOrToken,
    /// Any member of staff.
    Staff,
    /// API keys with this scope or `admin`, and staff whose role grants it.
    Scope(Scope),
    /// API keys with one of these scopes or `admin`, and staff whose role grants one. The handler decides which scope the request needs.
    AnyScope(&'static [Scope]),
    /// Staff whose role grants this scope, and API keys with `admin`.
    Delegated(Scope),
    /// Like [`Access::TokenInHeader`] if the header [`SPEECH_TOKEN_HEADER`] is sent, and like [`Access::Delegated`] if not.
    DelegatedOrToken(Scope),
    /// A speech token in the body, which the handler checks. An API key or session sent in addition must have the scope.
    TokenInBody(Scope),
    /// A speech token in the header [`SPEECH_TOKEN_HEADER`]; the operation is limited to what the token owns. An API key or
    /// session sent in addition must have the scope.
    TokenInHeader(Scope),
    /// Like the scope `admin`. If the operator made metrics public, [`super::dispatch`] replaces this with [`Access::Public`].
    Metrics,
}

impl std::fmt::Display for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Public => f.write_str("public"),
            Self::Optional => f.write_str("optional"),
            Self::Authenticated => f.write_str("authenticated"),
            Self::AuthenticatedOrToken => f.write_str("authenticated or speech token in header"),
            Self::Staff => f.write_str("staff"),
            Self::Scope(scope) => scope.fmt(f),
            Self::AnyScope(scopes) => f.write_str(&join_with_or(*scopes)),
            Self::Delegated(scope) => write!(f, "staff ({scope}) or admin"),
            Self::DelegatedOrToken(scope) => write!(f, "staff ({scope}) or admin or speech token in header"),
            Self::TokenInBody(scope) => write!(f, "speech token ({scope})"),
            Self::TokenInHeader(scope) => write!(f, "speech token in header ({scope})"),
            Self::Metrics => f.write_str("metrics (admin)"),
        }
    }
}

/// Authenticates the request and checks its permissions.
///
/// # Errors
/// 401 for wrong credentials, or missing ones where they are required; 403 for insufficient permissions, or for a request with a session
/// cookie but no valid CSRF token.
pub async fn authorize(app: &App, access: Access, method: &Method, headers: &HeaderMap) -> Result<Identity, Problem> {
    if access == Access::Public {
        return Ok(Identity::Anonymous);
    }
    let access = match access {
        Access::DelegatedOrToken(scope) if headers.contains_key(SPEECH_TOKEN_HEADER) => Access::TokenInHeader(scope),
        access => access,
    };
    let identity = identify(app, method, headers).await?;
    match (access, &identity) {
        (Access::Optional, _)
        | (Access::TokenInBody(_), Identity::Anonymous)
        | (Access::Staff, Identity::Staff { .. }) => Ok(identity),
        (Access::TokenInHeader(_), Identity::Anonymous) => authenticate_token(app, headers).await,
        (Access::TokenInHeader(scope), _) if identity.has_scope(scope) => authenticate_token(app, headers).await,
        (Access::AuthenticatedOrToken, Identity::Anonymous) if headers.contains_key(SPEECH_TOKEN_HEADER) => {
            authenticate_token(app, headers).await
        }
        (_, Identity::Anonymous) => Err(unauthenticated(headers, app.config.http.is_over_tls())),
        (Access::Authenticated | Access::AuthenticatedOrToken, _) => Ok(identity),
        (Access::Scope(scope) | Access::TokenInBody(scope), _) if identity.has_scope(scope) => Ok(identity),
        (Access::AnyScope(scopes), _) if scopes.iter().any(|scope| identity.has_scope(*scope)) => Ok(identity),
        (Access::AnyScope(scopes), _) => Err(Problem::forbidden_without(scopes)),
        (Access::Scope(scope) | Access::TokenInBody(scope) | Access::TokenInHeader(scope), _) => {
            Err(Problem::forbidden(scope))
        }
        // Without a session, callers must use the token itself. Only keys with `admin` may act for it: they could rotate its
        // secret anyway.
        (Access::Delegated(scope) | Access::DelegatedOrToken(scope), Identity::Staff { .. }) => {
            if identity.has_scope(scope) { Ok(identity) } else { Err(Problem::forbidden(scope)) }
        }
        (Access::Metrics | Access::Delegated(_) | Access::DelegatedOrToken(_), _)
            if identity.has_scope(Scope::Admin) =>
        {
            Ok(identity)
        }
        (Access::Metrics | Access::Delegated(_) | Access::DelegatedOrToken(_), _) => {
            Err(Problem::forbidden(Scope::Admin))
        }
        (Access::Staff | Access::Public, _) => {
            Err(Problem::new(Code::Forbidden, "this requires a staff session; an API key has none"))
        }
    }
}

/// Authenticates the speech token in the header.
async fn authenticate_token(app: &App, headers: &HeaderMap) -> Result<Identity, Problem> {
    let Some(secret) = single_header(headers, SPEECH_TOKEN_HEADER, Code::InvalidToken)? else {
        let detail = format!("expected a speech token in the header {SPEECH_TOKEN_HEADER}");
        return Err(Problem::unauthorized(Code::InvalidToken, detail));
    };
    // A value that isn't text can't be a valid secret either.
    let secret = String::from_utf8_lossy(secret.as_bytes());
    Ok(Identity::Token(credentials::token_by_secret(app, &secret).await?))
}

/// Returns the value of a credential header. A duplicate header is rejected, because it is unclear which value counts.
fn single_header<'a>(headers: &'a HeaderMap, name: &str, code: Code) -> Result<Option<&'a HeaderValue>, Problem> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        _ => Err(Problem::unauthorized(code, format!("the header {name} is repeated; send it once"))),
    }
}

fn unauthenticated(headers: &HeaderMap, is_over_tls: bool) -> Problem {
    let detail = match cookies::session_secret(headers, is_over_tls) {
        Some(_) => "the session has ended; log in again",
        None => "expected an API key (Authorization: Bearer) or a session",
    };
    Problem::unauthorized(Code::Unauthenticated, detail)
}

/// Identifies the caller. Credentials in `Authorization` take precedence over a cookie. A wrong API key is rejected;
/// without a valid session, the caller is anonymous.
async fn identify(app: &App, method: &Method, headers: &HeaderMap) -> Result<Identity, Problem> {
    if let Some(authorization) = single_header(headers, header::AUTHORIZATION.as_str(), Code::InvalidKey)? {
        let secret = authorization.to_str().ok().and_then(parse_api_key).ok_or_else(|| {
            Problem::unauthorized(
                Code::InvalidKey,
                "expected Authorization: Bearer <key>, or Basic with the key as password",
            )
        })?;
        let key = app.store.use_api_key(secrets::hash(&secret), app.now()).await?;
        return Ok(Identity::ApiKey(Box::new(check_api_key(key, app.now())?)));
    }
    let Some(secret) = cookies::session_secret(headers, app.config.http.is_over_tls()) else {
        return Ok(Identity::Anonymous);
    };
    let session_hash = secrets::hash(&secret);
    let session_result = match method.is_safe() && is_background_request(headers) {
        true => sessions::find(app, session_hash).await?,
        false => sessions::find_and_touch(app, session_hash).await?,
    };
    let Some(session) = session_result else { return Ok(Identity::Anonymous) };
    if !method.is_safe() {
        check_csrf(&session, headers)?;
    }
    Ok(Identity::Staff { session: Box::new(session), session_hash })
}

/// True if the request doesn't count as user activity: the event stream, or a reload that the panel marks as automatic.
fn is_background_request(headers: &HeaderMap) -> bool {
    let is_event_stream = headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes() == b"text/event-stream");
    is_event_stream || headers.contains_key(BACKGROUND_REQUEST_HEADER)
}

/// Extracts the key from `Bearer <key>` or `Basic base64(anything:<key>)`.
fn parse_api_key(authorization: &str) -> Option<String> {
    let (scheme, value) = authorization.trim().split_once(' ')?;
    let value = value.trim();
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(value.to_owned());
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let pair = String::from_utf8(STANDARD.decode(value).ok()?).ok()?;
    pair.split_once(':').map(|(_, password)| password.to_owned())
}

fn check_api_key(key: Option<ApiKey>, now: Timestamp) -> Result<ApiKey, Problem> {
    let key = key.ok_or_else(|| Problem::unauthorized(Code::InvalidKey, "there is no such API key"))?;
    if key.revoked_at.is_some() {
        return Err(Problem::unauthorized(Code::RevokedKey, "this API key was revoked"));
    }
    if key.expires_at.is_some_and(|expires_at| expires_at <= now) {
        return Err(Problem::unauthorized(Code::ExpiredKey, "this API key has expired"));
    }
    Ok(key)
}

/// Checks origin and CSRF token. A page of another site can make a browser send the cookie, but it can't read the token or hide its origin.
fn check_csrf(session: &SessionResponse, headers: &HeaderMap) -> Result<(), Problem> {
    check_same_origin(headers)?;
    let sent_token = headers.get(CSRF_HEADER).map(http::HeaderValue::as_bytes).unwrap_or_default();
    if bool::from(sent_token.ct_eq(session.csrf_token.as_bytes())) {
        return Ok(());
    }
    Err(Problem::new(Code::CsrfFailed, format!("missing or wrong {CSRF_HEADER}; send the token from GET /api/session")))
}

/// Rejects requests from pages of another origin. Requests without `Origin`, such as those of programs, pass.
///
/// # Errors
/// 403 if `Origin` names another host than `Host`.
pub fn check_same_origin(headers: &HeaderMap) -> Result<(), Problem> {
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    if origin.is_some() && origin == host {
        return Ok(());
    }
    Err(Problem::new(Code::CsrfFailed, "the request comes from a page on another origin"))
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue};

    use super::{check_same_origin, parse_api_key, single_header};
    use crate::http::problem::Code;

    #[test]
    fn rejects_duplicate_credentials() {
        let mut headers = HeaderMap::new();
        let read_header = |headers: &HeaderMap| {
            single_header(headers, "X-Speech-Token", Code::InvalidToken).map(|value| value.cloned())
        };
        assert_eq!(read_header(&headers).unwrap(), None);
        headers.append("x-speech-token", HeaderValue::from_static("good"));
        assert_eq!(read_header(&headers).unwrap(), Some(HeaderValue::from_static("good")));
        headers.append("x-speech-token", HeaderValue::from_static("bad"));
        assert_eq!(read_header(&headers).unwrap_err().code(), Code::InvalidToken);
    }

    #[test]
    fn accepts_key_as_bearer_or_basic_password() {
        assert_eq!(parse_api_key("Bearer ls_key_x").as_deref(), Some("ls_key_x"));
        assert_eq!(parse_api_key("bearer  ls_key_x ").as_deref(), Some("ls_key_x"));
        assert_eq!(parse_api_key("Basic YW55Om5hbWU=").as_deref(), Some("name"));
        assert_eq!(parse_api_key("Basic ???"), None);
        assert_eq!(parse_api_key("Digest x"), None);
        assert_eq!(parse_api_key("ls_key_x"), None);
    }

    #[test]
    fn rejects_requests_from_other_origins() {
        let is_allowed = |origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("calls.example:8080"));
            if let Some(origin) = origin {
                headers.insert("origin", HeaderValue::from_static(origin));
            }
            check_same_origin(&headers).is_ok()
        };
        assert!(is_allowed(None));
        assert!(is_allowed(Some("http://calls.example:8080")));
        assert!(!is_allowed(Some("http://calls.example")));
        assert!(!is_allowed(Some("https://evil.example")));
        assert!(!is_allowed(Some("null")));
    }
}
