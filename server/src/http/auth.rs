//! Who asks, and whether they may: API keys, session cookies, and the protection against forged requests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue, Method, header};
use leadscribe_engine::api::{ApiKey, Scope, SessionResponse, Timestamp};
use subtle::ConstantTimeEq;

use super::cookies;
use super::identity::Identity;
use super::problem::{Code, Refusal, either};
use crate::app::App;
use crate::service::{credentials, secrets, sessions};

/// The header that carries a speech recognition token.
pub const TOKEN_HEADER: &str = "X-Speech-Token";

/// The header that proves that the panel sent a request.
const CSRF_HEADER: &str = "X-CSRF-Token";

/// What the panel says of a request while nobody is at it.
const UNATTENDED_HEADER: &str = "X-Unattended";

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody, known or not; who asks is not even looked at.
    Public,
    /// Anybody; who asks is looked at, but need not be known.
    Anybody,
    /// Any member of staff, and any API key.
    Known,
    /// Any member of staff.
    Staff,
    /// API keys with this scope or `admin`, and staff whose role grants it.
    Scope(Scope),
    /// API keys with one of these scopes or `admin`, and staff whose role grants one. Which of them is needed depends on what the
    /// operation is about, and is for its handler to say.
    OneOf(&'static [Scope]),
    /// Staff whose role grants this scope, and API keys with `admin`.
    Delegated(Scope),
    /// Whoever holds a speech recognition token, which stands in the body and is checked by the operation itself. An
    /// API key or session that comes beside it must have the scope.
    SpeechToken(Scope),
    /// Whoever sends a speech recognition token in the header [`TOKEN_HEADER`]; the operation is about what it owns. An
    /// API key or session that comes beside it must have the scope.
    TokenHeader(Scope),
    /// Like the scope `admin`, but for where the operator opened it, which its caller sees to.
    Metrics,
}

impl std::fmt::Display for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Public => f.write_str("public"),
            Self::Anybody => f.write_str("anybody"),
            Self::Known => f.write_str("anybody known"),
            Self::Staff => f.write_str("staff"),
            Self::Scope(scope) => scope.fmt(f),
            Self::OneOf(scopes) => f.write_str(&either(*scopes)),
            Self::Delegated(scope) => write!(f, "staff ({scope}) or admin"),
            Self::SpeechToken(scope) => write!(f, "speech token ({scope})"),
            Self::TokenHeader(scope) => write!(f, "speech token in header ({scope})"),
            Self::Metrics => f.write_str("metrics (admin)"),
        }
    }
}

/// Finds out who asks and whether they may.
///
/// # Errors
/// 401 for credentials that are wrong, or missing where they are needed; 403 where they don't suffice, or where a
/// request by cookie doesn't prove that the panel sent it.
pub async fn authorise(app: &App, access: Access, method: &Method, headers: &HeaderMap) -> Result<Identity, Refusal> {
    if access == Access::Public {
        return Ok(Identity::Anonymous);
    }
    let identity = identify(app, method, headers).await?;
    match (access, &identity) {
        (Access::Anybody, _)
        | (Access::SpeechToken(_), Identity::Anonymous)
        | (Access::Staff, Identity::Staff { .. }) => Ok(identity),
        (Access::TokenHeader(_), Identity::Anonymous) => token_holder(app, headers).await,
        (Access::TokenHeader(scope), _) if identity.has(scope) => token_holder(app, headers).await,
        (_, Identity::Anonymous) => Err(missing(headers, app.config.http.is_over_tls())),
        (Access::Known, _) => Ok(identity),
        (Access::Scope(scope) | Access::SpeechToken(scope), _) if identity.has(scope) => Ok(identity),
        (Access::OneOf(scopes), _) if scopes.iter().any(|scope| identity.has(*scope)) => Ok(identity),
        (Access::OneOf(scopes), _) => Err(Refusal::forbidden_without(scopes)),
        (Access::Scope(scope) | Access::SpeechToken(scope) | Access::TokenHeader(scope), _) => {
            Err(Refusal::forbidden(scope))
        }
        // Whoever has no session must show the token itself, unless they could make a new secret for it anyway.
        (Access::Delegated(scope), Identity::Staff { .. }) if identity.has(scope) => Ok(identity),
        (Access::Delegated(scope), Identity::Staff { .. }) => Err(Refusal::forbidden(scope)),
        (Access::Metrics | Access::Delegated(_), _) if identity.has(Scope::Admin) => Ok(identity),
        (Access::Metrics | Access::Delegated(_), _) => Err(Refusal::forbidden(Scope::Admin)),
        (Access::Staff | Access::Public, _) => {
            Err(Refusal::new(Code::Forbidden, "this is about a session of staff, and an API key has none"))
        }
    }
}

/// Who holds the token in the header.
async fn token_holder(app: &App, headers: &HeaderMap) -> Result<Identity, Refusal> {
    let Some(secret) = only(headers, TOKEN_HEADER, Code::InvalidToken)? else {
        let detail = format!("expected a speech recognition token in the header {TOKEN_HEADER}");
        return Err(Refusal::unauthorized(Code::InvalidToken, detail));
    };
    // What is no text is no token's secret either.
    let secret = String::from_utf8_lossy(secret.as_bytes());
    Ok(Identity::Token(credentials::token_by_secret(app, &secret).await?))
}

/// The value of a header that says who asks. One that is there twice says nothing: which of them counts would be a matter of luck.
fn only<'a>(headers: &'a HeaderMap, name: &str, code: Code) -> Result<Option<&'a HeaderValue>, Refusal> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        _ => Err(Refusal::unauthorized(code, format!("expected the header {name} once, found it more than once"))),
    }
}

fn missing(headers: &HeaderMap, behind_tls: bool) -> Refusal {
    let detail = match cookies::session(headers, behind_tls) {
        Some(_) => "the session has ended; log in again",
        None => "expected an API key (Authorization: Bearer) or a session",
    };
    Refusal::unauthorized(Code::Unauthenticated, detail)
}

/// Who asks. Credentials in `Authorization` win over a cookie, and are never passed over when they are wrong.
async fn identify(app: &App, method: &Method, headers: &HeaderMap) -> Result<Identity, Refusal> {
    if let Some(authorization) = only(headers, header::AUTHORIZATION.as_str(), Code::InvalidKey)? {
        let secret = authorization.to_str().ok().and_then(api_key).ok_or_else(|| {
            Refusal::unauthorized(
                Code::InvalidKey,
                "expected Authorization: Bearer <key>, or Basic with it as password",
            )
        })?;
        let key = app.store.use_api_key(secrets::hash(&secret), app.now()).await?;
        return Ok(Identity::Key(Box::new(usable(key, app.now())?)));
    }
    let Some(secret) = cookies::session(headers, app.config.http.is_over_tls()) else { return Ok(Identity::Anonymous) };
    let hash = secrets::hash(&secret);
    let found = match method.is_safe() && comes_by_itself(headers) {
        true => sessions::find(app, hash).await?,
        false => sessions::find_used(app, hash).await?,
    };
    let Some(session) = found else { return Ok(Identity::Anonymous) };
    if !method.is_safe() {
        prove_panel(&session, headers)?;
    }
    Ok(Identity::Staff { session: Box::new(session), hash })
}

/// Whether an open panel asks although nobody is at it: it watches what changes, and loads what did.
fn comes_by_itself(headers: &HeaderMap) -> bool {
    let watches = headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes() == b"text/event-stream");
    watches || headers.contains_key(UNATTENDED_HEADER)
}

/// The key in `Bearer <key>` or `Basic base64(anything:<key>)`.
fn api_key(authorization: &str) -> Option<String> {
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

fn usable(key: Option<ApiKey>, now: Timestamp) -> Result<ApiKey, Refusal> {
    let key = key.ok_or_else(|| Refusal::unauthorized(Code::InvalidKey, "there is no such API key"))?;
    if key.revoked_at.is_some() {
        return Err(Refusal::unauthorized(Code::RevokedKey, "this API key was revoked"));
    }
    if key.expires_at.is_some_and(|expires_at| expires_at <= now) {
        return Err(Refusal::unauthorized(Code::ExpiredKey, "this API key has expired"));
    }
    Ok(key)
}

/// A page of another site can make a browser send the cookie, but it can neither read the token nor hide its origin.
fn prove_panel(session: &SessionResponse, headers: &HeaderMap) -> Result<(), Refusal> {
    same_origin(headers)?;
    let given = headers.get(CSRF_HEADER).map(http::HeaderValue::as_bytes).unwrap_or_default();
    if bool::from(given.ct_eq(session.csrf_token.as_bytes())) {
        return Ok(());
    }
    Err(Refusal::new(Code::CsrfFailed, format!("expected {CSRF_HEADER} as GET /api/session gives it")))
}

/// Refuses what a page of another origin sends. Programs send no `Origin`, and are not meant.
///
/// # Errors
/// 403 when `Origin` names another host than `Host`.
pub fn same_origin(headers: &HeaderMap) -> Result<(), Refusal> {
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    if origin.is_some() && origin == host {
        return Ok(());
    }
    Err(Refusal::new(Code::CsrfFailed, "the request comes from a page of another origin"))
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue};

    use super::{api_key, only, same_origin};
    use crate::http::problem::Code;

    #[test]
    fn credentials_stand_once() {
        let mut headers = HeaderMap::new();
        let found =
            |headers: &HeaderMap| only(headers, "X-Speech-Token", Code::InvalidToken).map(|value| value.cloned());
        assert_eq!(found(&headers).unwrap(), None);
        headers.append("x-speech-token", HeaderValue::from_static("good"));
        assert_eq!(found(&headers).unwrap(), Some(HeaderValue::from_static("good")));
        headers.append("x-speech-token", HeaderValue::from_static("bad"));
        assert_eq!(found(&headers).unwrap_err().code(), Code::InvalidToken);
    }

    #[test]
    fn a_key_comes_as_bearer_or_as_basic_password() {
        assert_eq!(api_key("Bearer ls_key_x").as_deref(), Some("ls_key_x"));
        assert_eq!(api_key("bearer  ls_key_x ").as_deref(), Some("ls_key_x"));
        assert_eq!(api_key("Basic YW55Om5hbWU=").as_deref(), Some("name"));
        assert_eq!(api_key("Basic ???"), None);
        assert_eq!(api_key("Digest x"), None);
        assert_eq!(api_key("ls_key_x"), None);
    }

    #[test]
    fn only_pages_of_the_same_origin_are_heard() {
        let verdict = |origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("calls.example:8080"));
            if let Some(origin) = origin {
                headers.insert("origin", HeaderValue::from_static(origin));
            }
            same_origin(&headers).is_ok()
        };
        assert!(verdict(None));
        assert!(verdict(Some("http://calls.example:8080")));
        assert!(!verdict(Some("http://calls.example")));
        assert!(!verdict(Some("https://evil.example")));
        assert!(!verdict(Some("null")));
    }
}
