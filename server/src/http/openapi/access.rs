//! Required credentials and permissions of an operation, as OpenAPI security requirements and in words.

use leadscribe_engine::api::{Role, Scope};
use serde_json::{Value, json};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, Http, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};

use crate::http::auth::{Access, TOKEN_HEADER};
use crate::http::cookies;
use crate::http::identity::role_grants;
use crate::http::problem::either;

/// Names of the security schemes.
const BEARER: &str = "api_key";
const BASIC: &str = "api_key_as_password";
const COOKIE: &str = "session";
const TOKEN: &str = "speech_token";

/// Returns the security schemes.
pub(super) fn schemes() -> [(&'static str, SecurityScheme); 4] {
    let basic =
        HttpBuilder::new().scheme(HttpAuthScheme::Basic).description(Some("Any name, the API key as password."));
    let cookie = ApiKeyValue::with_description(
        cookies::name(false),
        "A staff session; requests that change something also need `X-CSRF-Token`.",
    );
    let token = ApiKeyValue::with_description(TOKEN_HEADER, "A speech recognition token.");
    [
        (BEARER, SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer))),
        (BASIC, SecurityScheme::Http(basic.build())),
        (COOKIE, SecurityScheme::ApiKey(ApiKey::Cookie(cookie))),
        (TOKEN, SecurityScheme::ApiKey(ApiKey::Header(token))),
    ]
}

/// Returns the scopes of which an API key needs one, and a sentence about the required access; no sentence for public operations.
pub(super) fn in_words(access: Access) -> (Vec<Scope>, Option<String>) {
    match access {
        Access::Public | Access::Anybody => (Vec::new(), None),
        Access::Known => (Vec::new(), Some("Needs an API key or a staff session.".to_owned())),
        Access::Staff => (Vec::new(), Some("Needs a staff session.".to_owned())),
        Access::Scope(scope) => (vec![scope], Some(format!("Needs the scope `{scope}`."))),
        Access::OneOf(scopes) => {
            let names = scopes.iter().map(|scope| format!("`{scope}`"));
            (scopes.to_vec(), Some(format!("Needs the scope {}.", either(names))))
        }
        Access::Delegated(scope) => {
            let who = format!("For staff whose role grants `{scope}`, and for API keys with the scope `admin`.");
            (vec![Scope::Admin], Some(who))
        }
        Access::SpeechToken(scope) => {
            let who = format!("Needs a speech recognition token; an accompanying API key needs the scope `{scope}`.");
            (vec![scope], Some(who))
        }
        Access::TokenHeader(scope) => {
            let who = format!(
                "Needs a speech recognition token in the header `{TOKEN_HEADER}`; an accompanying API key needs the \
                 scope `{scope}`."
            );
            (vec![scope], Some(who))
        }
        Access::Metrics => {
            (vec![Scope::Admin], Some("Needs the scope `admin`, unless `--metrics-public` is set.".to_owned()))
        }
    }
}

/// Returns the alternative security requirements.
pub(super) fn requirements(access: Access, scopes: &[Scope]) -> Vec<SecurityRequirement> {
    let none: [&str; 0] = [];
    let key = |name| {
        let by = |scope: &Scope| SecurityRequirement::new(name, [scope.as_str()]);
        if scopes.is_empty() { vec![SecurityRequirement::new(name, none)] } else { scopes.iter().map(by).collect() }
    };
    let keys = || [BEARER, BASIC].into_iter().flat_map(key);
    let cookie = SecurityRequirement::new(COOKIE, none);
    match access {
        Access::Public => Vec::new(),
        Access::Anybody => vec![SecurityRequirement::default(), cookie],
        Access::Staff => vec![cookie],
        Access::Known | Access::Scope(_) | Access::OneOf(_) | Access::Delegated(_) | Access::Metrics => {
            keys().chain([cookie]).collect()
        }
        Access::TokenHeader(_) => vec![SecurityRequirement::new(TOKEN, none)],
        // No credentials are needed besides the token in the body.
        Access::SpeechToken(_) => [SecurityRequirement::default()].into_iter().chain(keys()).chain([cookie]).collect(),
    }
}

/// Returns the extensions with the scopes for API keys and the roles for staff.
pub(super) fn extensions(access: Access, scopes: &[Scope]) -> Vec<(&'static str, Value)> {
    let roles = |granted: &dyn Fn(Role) -> bool| {
        let roles = Role::ALL.iter().copied().filter(|role| granted(*role));
        json!(roles.map(Role::as_str).collect::<Vec<_>>())
    };
    let permitted = match access {
        Access::Public | Access::Anybody => return Vec::new(),
        Access::Known | Access::Staff => roles(&|_| true),
        Access::Scope(scope) | Access::Delegated(scope) | Access::SpeechToken(scope) | Access::TokenHeader(scope) => {
            roles(&|role| role_grants(role, scope))
        }
        Access::OneOf(scopes) => roles(&|role| scopes.iter().any(|scope| role_grants(role, *scope))),
        Access::Metrics => roles(&|role| role_grants(role, Scope::Admin)),
    };
    let mut words = vec![("x-permitted-roles", permitted)];
    match scopes {
        [] => {}
        [scope] => words.push(("x-required-scope", json!(scope.as_str()))),
        one_of => {
            words.push(("x-required-scope", json!(one_of.iter().map(|scope| scope.as_str()).collect::<Vec<_>>())))
        }
    }
    words
}
