//! Required credentials and permissions of an operation, as OpenAPI security requirements and in words.

use leadscribe_engine::api::{Role, Scope};
use serde_json::{Value, json};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, Http, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};

use crate::http::auth::{Access, SPEECH_TOKEN_HEADER};
use crate::http::cookies;
use crate::http::identity::role_grants;
use crate::http::problem::join_with_or;

/// Names of the security schemes.
const BEARER: &str = "api_key";
const BASIC: &str = "api_key_as_password";
const COOKIE: &str = "session";
const TOKEN: &str = "speech_token";

pub(super) fn security_schemes() -> [(&'static str, SecurityScheme); 4] {
    let basic =
        HttpBuilder::new().scheme(HttpAuthScheme::Basic).description(Some("Any name, the API key as password."));
    let cookie = ApiKeyValue::with_description(
        cookies::session_cookie_name(false),
        "A staff session; requests that change something also need `X-CSRF-Token`.",
    );
    let token = ApiKeyValue::with_description(SPEECH_TOKEN_HEADER, "A speech token.");
    [
        (BEARER, SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer))),
        (BASIC, SecurityScheme::Http(basic.build())),
        (COOKIE, SecurityScheme::ApiKey(ApiKey::Cookie(cookie))),
        (TOKEN, SecurityScheme::ApiKey(ApiKey::Header(token))),
    ]
}

/// Returns the scopes, one of which an API key needs, and a sentence about the required access. Public operations have no sentence.
pub(super) fn describe(access: Access) -> (Vec<Scope>, Option<String>) {
    match access {
        Access::Public | Access::Optional => (Vec::new(), None),
        Access::Authenticated => (Vec::new(), Some("Needs an API key or a staff session.".to_owned())),
        Access::AuthenticatedOrToken => {
            let description =
                format!("Needs an API key, a staff session, or a speech token in the header `{SPEECH_TOKEN_HEADER}`.");
            (Vec::new(), Some(description))
        }
        Access::Staff => (Vec::new(), Some("Needs a staff session.".to_owned())),
        Access::Scope(scope) => (vec![scope], Some(format!("Needs the scope `{scope}`."))),
        Access::AnyScope(scopes) => {
            let names = scopes.iter().map(|scope| format!("`{scope}`"));
            (scopes.to_vec(), Some(format!("Needs the scope {}.", join_with_or(names))))
        }
        Access::Delegated(scope) => {
            let description =
                format!("For staff whose role grants `{scope}`, and for API keys with the scope `admin`.");
            (vec![Scope::Admin], Some(description))
        }
        Access::DelegatedOrToken(scope) => {
            let description = format!(
                "For staff whose role grants `{scope}`, for API keys with the scope `admin`, and for a speech token in the \
                 header `{SPEECH_TOKEN_HEADER}`, limited to its own webhooks. An API key that accompanies the token needs \
                 only the scope `{scope}`."
            );
            (vec![Scope::Admin], Some(description))
        }
        Access::TokenInBody(scope) => {
            let description = format!("Needs a speech token; an accompanying API key needs the scope `{scope}`.");
            (vec![scope], Some(description))
        }
        Access::TokenInHeader(scope) => {
            let description = format!(
                "Needs a speech token in the header `{SPEECH_TOKEN_HEADER}`; an accompanying API key needs the \
                 scope `{scope}`."
            );
            (vec![scope], Some(description))
        }
        Access::Metrics => {
            (vec![Scope::Admin], Some("Needs the scope `admin`, unless `--metrics-public` is set.".to_owned()))
        }
    }
}

/// Returns the alternative security requirements. Generated clients use the first.
pub(super) fn requirements(access: Access) -> Vec<SecurityRequirement> {
    // OpenAPI permits scopes only for OAuth and OpenID Connect.
    let requirement = |name| SecurityRequirement::new(name, [""; 0]);
    let no_credentials = SecurityRequirement::default();
    match access {
        Access::Public => Vec::new(),
        Access::Optional => vec![requirement(COOKIE), no_credentials],
        Access::Staff => vec![requirement(COOKIE)],
        Access::Authenticated | Access::Scope(_) | Access::AnyScope(_) | Access::Delegated(_) | Access::Metrics => {
            [BEARER, BASIC, COOKIE].map(requirement).into()
        }
        Access::AuthenticatedOrToken | Access::DelegatedOrToken(_) => {
            [BEARER, BASIC, COOKIE, TOKEN].map(requirement).into()
        }
        Access::TokenInHeader(_) => vec![requirement(TOKEN)],
        // No credentials are needed besides the token in the body.
        Access::TokenInBody(_) => {
            [BEARER, BASIC, COOKIE].map(requirement).into_iter().chain([no_credentials]).collect()
        }
    }
}

/// Returns the extensions with the scopes for API keys and the roles for staff.
pub(super) fn extensions(access: Access, scopes: &[Scope]) -> Vec<(&'static str, Value)> {
    let roles = |is_granted: &dyn Fn(Role) -> bool| {
        let roles = Role::ALL.iter().copied().filter(|role| is_granted(*role));
        json!(roles.map(Role::as_str).collect::<Vec<_>>())
    };
    let permitted_roles = match access {
        Access::Public | Access::Optional => return Vec::new(),
        Access::Authenticated | Access::AuthenticatedOrToken | Access::Staff => roles(&|_| true),
        Access::Scope(scope)
        | Access::Delegated(scope)
        | Access::DelegatedOrToken(scope)
        | Access::TokenInBody(scope)
        | Access::TokenInHeader(scope) => roles(&|role| role_grants(role, scope)),
        Access::AnyScope(scopes) => roles(&|role| scopes.iter().any(|scope| role_grants(role, *scope))),
        Access::Metrics => roles(&|role| role_grants(role, Scope::Admin)),
    };
    let mut extensions = vec![("x-permitted-roles", permitted_roles)];
    match scopes {
        [] => {}
        [scope] => extensions.push(("x-required-scope", json!(scope.as_str()))),
        one_of => {
            extensions.push(("x-required-scope", json!(one_of.iter().map(|scope| scope.as_str()).collect::<Vec<_>>())))
        }
    }
    extensions
}
