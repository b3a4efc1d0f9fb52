//! The OpenAPI document, made of the route table: operations, what all of them have in common, and the schemas they
//! refer to. Those of what is sent come from the engine's tables ([`leadscribe_engine::schema`]).
//!
//! Beside what OpenAPI has a word for, each operation says in `x-required-scope` which scope an API key needs, and in
//! `x-permitted-roles` which staff may call it.

use std::sync::LazyLock;

use bytes::Bytes;
use http::Method;
use leadscribe_engine::api::{Problem, Role, Scope};
use leadscribe_engine::filter::fields::FIELDS;
use leadscribe_engine::schema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::{HttpMethod, Operation, Parameter, ParameterBuilder, ParameterIn, Paths};
use utoipa::openapi::response::Response;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, Http, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::tag::Tag;
use utoipa::openapi::{
    ArrayBuilder, ComponentsBuilder, ContentBuilder, InfoBuilder, ObjectBuilder, OpenApi, OpenApiBuilder, Ref, RefOr,
    Server, Type,
};
use utoipa::{PartialSchema, ToSchema};

use super::auth::{Access, TOKEN_HEADER};
use super::cookies;
use super::identity::role_grants;
use super::routes::{self, Route};

const DESCRIPTION: &str = "Leads, campaigns, calls and their transcripts.\n\n\
    Every refusal is an RFC 9457 problem document with a stable `code`; `errors[]` lists all faults of the input, each \
    with its place. Times are in UTC. Ids are whole numbers of 1 or more. Lists take `limit=<count>;<offset>`, and refuse \
    a count that is too large instead of shortening it.";

/// Names of the ways to prove who asks.
const BEARER: &str = "api_key";
const BASIC: &str = "api_key_as_password";
const COOKIE: &str = "session";
const TOKEN: &str = "speech_token";

/// Tags in the order of a first reading.
const TAGS: [(&str, &str); 16] = [
    ("leads", "People and companies that may be called, and the filter language to find them."),
    ("campaign-leads", "Leads in campaigns: status, attempts, freeze and callback times."),
    ("campaigns", "Campaigns and their calling hours."),
    ("statuses", "The statuses that a campaign lead can have."),
    ("calls", "Calls."),
    ("recordings", "The sound of calls."),
    ("speech-recognition", "Calls sent to be transcribed."),
    ("transcripts", "The text of calls."),
    ("speech-tokens", "Credentials that own transcriptions."),
    ("deliveries", "Transcripts delivered to callbacks."),
    ("imports", "Imports of CSV files."),
    ("session", "Staff log in and out."),
    ("users", "Staff."),
    ("api-keys", "Credentials of integrators."),
    ("audit-log", "Who did what."),
    ("server", "The server itself."),
];

/// Members that an answer may lack. All others are there, null where there is no value.
const MAY_LACK: [(&str, &[&str]); 11] = [
    ("CallOutcome", &["transcription_id"]),
    ("Callback", &["callback_data", "callback_method"]),
    ("CampaignDetails", &["next_callable_at"]),
    ("ExtendedLeadsResponse", &["next_cursor"]),
    ("Fault", &["hint", "permitted", "span"]),
    ("LeadsResponse", &["next_cursor"]),
    ("NotCallableReason", &["until"]),
    ("Place", &["column", "parameter", "pointer"]),
    ("Problem", &["errors", "request_id"]),
    ("SubmissionResponse", &["total_minutes"]),
    (
        "TranscriptSearch",
        &["campaign_id", "from", "language", "lead_id", "max_duration", "min_duration", "phrase", "till", "words"],
    ),
];

static JSON: LazyLock<Bytes> = LazyLock::new(|| {
    let mut text = serde_json::to_string_pretty(&whole()).expect("a test writes the document");
    text.push('\n');
    text.into()
});

/// The document as JSON text.
pub fn json() -> Bytes {
    JSON.clone()
}

/// The document in the order in which people read it.
#[derive(Serialize)]
struct Document {
    openapi: Value,
    info: Value,
    servers: Value,
    tags: Value,
    paths: Value,
    components: Value,
}

/// The operations with all schemas.
fn whole() -> Document {
    let mut document = serde_json::to_value(operations()).expect("a test writes the document");
    if let Value::Object(schemas) = &mut document["components"]["schemas"] {
        for (name, schema) in schemas.iter_mut().filter(|(name, _)| !name.ends_with("Request")) {
            let may_lack = MAY_LACK.iter().find(|(known, _)| known == name).map_or(&[][..], |(_, members)| members);
            require(schema, may_lack);
        }
        schema::describe_answers(schemas);
        select(schemas);
        schemas.extend(schema::all().into_iter().map(|(name, schema)| (name.to_owned(), schema)));
    }
    drop_unused_schemas(&mut document);
    let mut part = |name: &str| document[name].take();
    Document {
        openapi: part("openapi"),
        info: part("info"),
        servers: part("servers"),
        tags: part("tags"),
        paths: part("paths"),
        components: part("components"),
    }
}

/// Takes away the schemas that nothing refers to: of a page, its entries stand in the page itself.
fn drop_unused_schemas(document: &mut Value) {
    loop {
        let text = document.to_string();
        let Value::Object(schemas) = &mut document["components"]["schemas"] else { return };
        let before = schemas.len();
        schemas.retain(|name, _| text.contains(&format!("\"#/components/schemas/{name}\"")));
        if schemas.len() == before {
            return;
        }
    }
}

/// Says of an answer which members are always there.
fn require(schema: &mut Value, may_lack: &[&str]) {
    for form in ["allOf", "oneOf"] {
        for part in schema.get_mut(form).and_then(Value::as_array_mut).into_iter().flatten() {
            require(part, may_lack);
        }
    }
    let Some(members) = schema.get("properties").and_then(Value::as_object) else { return };
    let required: Vec<_> = members.keys().filter(|member| !may_lack.contains(&member.as_str())).cloned().collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
}

/// Gives the look-ups leads of their own, of which `_fields` may leave out all but the id.
fn select(schemas: &mut Map<String, Value>) {
    const NOTE: &str = "With `_fields`, only the members that it names.";
    for (name, selection, answer) in
        [("Lead", "LeadSelection", "LeadsResponse"), ("ExtendedLead", "ExtendedLeadSelection", "ExtendedLeadsResponse")]
    {
        let text = schemas[name].to_string().replace("schemas/Lead\"", "schemas/LeadSelection\"");
        let mut schema: Value = serde_json::from_str(&text).expect("a name was replaced by a name");
        for part in schema.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten() {
            part.as_object_mut().and_then(|part| part.remove("required"));
        }
        if schema.get("required").is_some() {
            schema["required"] = json!(["id"]);
        }
        schema["description"] = format!("{} {NOTE}", schema["description"].as_str().unwrap_or_default()).into();
        schemas[answer]["properties"]["leads"]["items"] =
            json!({ "$ref": format!("#/components/schemas/{selection}") });
        schemas.insert(selection.to_owned(), schema);
    }
}

/// The operations, and what their types say of themselves.
fn operations() -> OpenApi {
    let mut paths = Paths::new();
    let mut schemas = vec![(Problem::name().into_owned(), Problem::schema())];
    Problem::schemas(&mut schemas);
    for mut route in routes::all() {
        schemas.append(&mut route.schemas);
        let method = documented_method(&route.method);
        // OpenAPI has no sign for the rest of a path.
        let path = route.path.replace("{*", "{");
        paths.add_path_operation(path, vec![method], complete(route));
    }
    let components = ComponentsBuilder::new().schemas_from_iter(schemas);
    let components = security_schemes()
        .into_iter()
        .fold(components, |components, (name, scheme)| components.security_scheme(name, scheme));
    let info = InfoBuilder::new()
        .title("Leadscribe")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .build();
    let tags = TAGS.map(|(name, description)| {
        let mut tag = Tag::new(name);
        tag.description = Some(description.to_owned());
        tag
    });
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([Server::new("/")]))
        .paths(paths)
        .components(Some(components.build()))
        .tags(Some(tags))
        .build()
}

fn documented_method(method: &Method) -> HttpMethod {
    match *method {
        Method::POST => HttpMethod::Post,
        Method::PUT => HttpMethod::Put,
        Method::PATCH => HttpMethod::Patch,
        Method::DELETE => HttpMethod::Delete,
        _ => HttpMethod::Get,
    }
}

fn security_schemes() -> [(&'static str, SecurityScheme); 4] {
    let basic =
        HttpBuilder::new().scheme(HttpAuthScheme::Basic).description(Some("Any name, the API key as password."));
    let cookie = ApiKeyValue::with_description(
        cookies::name(false),
        "A session of staff; requests that change something also need `X-CSRF-Token`.",
    );
    let token = ApiKeyValue::with_description(TOKEN_HEADER, "A speech recognition token.");
    [
        (BEARER, SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer))),
        (BASIC, SecurityScheme::Http(basic.build())),
        (COOKIE, SecurityScheme::ApiKey(ApiKey::Cookie(cookie))),
        (TOKEN, SecurityScheme::ApiKey(ApiKey::Header(token))),
    ]
}

/// Adds to an operation what its row says about it, and the refusals it shares with others.
fn complete(route: Route) -> Operation {
    let Route { method, path, access, query, mut operation, .. } = route;
    operation.operation_id = Some(operation_id(&method, &path));
    let (scope, who) = match access {
        Access::Public | Access::Anybody => (None, None),
        Access::Known => (None, Some("Needs an API key or a session of staff.".to_owned())),
        Access::Staff => (None, Some("Needs a session of staff.".to_owned())),
        Access::Scope(scope) => (Some(scope), Some(format!("Needs the scope `{scope}`."))),
        Access::Delegated(scope) => {
            let who = format!("For staff whose role grants `{scope}`, and for API keys with the scope `admin`.");
            (Some(Scope::Admin), Some(who))
        }
        Access::SpeechToken(scope) => {
            let who =
                format!("Needs a speech recognition token; an API key that comes beside it needs the scope `{scope}`.");
            (Some(scope), Some(who))
        }
        Access::TokenHeader(scope) => {
            let who = format!(
                "Needs a speech recognition token in the header `{TOKEN_HEADER}`; an API key that comes beside it needs \
                 the scope `{scope}`."
            );
            (Some(scope), Some(who))
        }
        Access::Metrics => {
            (Some(Scope::Admin), Some("Needs the scope `admin`, unless the operator opened it.".to_owned()))
        }
    };
    let scopes: Vec<_> = scope.iter().map(|scope| scope.as_str()).collect();
    let none: [&str; 0] = [];
    let keys = || [BEARER, BASIC].map(|name| SecurityRequirement::new(name, scopes.clone()));
    let cookie = SecurityRequirement::new(COOKIE, none);
    operation.security = Some(match access {
        Access::Public => Vec::new(),
        Access::Anybody => vec![SecurityRequirement::default(), cookie],
        Access::Staff => vec![cookie],
        Access::Known | Access::Scope(_) | Access::Delegated(_) | Access::Metrics => {
            keys().into_iter().chain([cookie]).collect()
        }
        Access::TokenHeader(_) => vec![SecurityRequirement::new(TOKEN, none)],
        // Nothing is needed beside the token, which the body carries.
        Access::SpeechToken(_) => [SecurityRequirement::default()].into_iter().chain(keys()).chain([cookie]).collect(),
    });
    operation.extensions = Some(Extensions::from_iter(access_in_words(access, scope)));
    if query.is_none() {
        operation.parameters.get_or_insert_default().extend(field_parameters());
    }
    if let Some(who) = who {
        let description = operation.description.unwrap_or_default();
        operation.description = Some(format!("{description}\n\n{who}").trim().to_owned());
    }

    let has_body = operation.request_body.is_some();
    let has_input = has_body || query.as_ref().is_none_or(|query| !query.is_empty()) || path.contains('{');
    let mut statuses = vec![503];
    if has_input {
        statuses.push(400);
    }
    if access != Access::Public {
        statuses.push(401);
    }
    if !matches!(access, Access::Public | Access::Anybody) || method == Method::POST {
        statuses.push(403);
    }
    if path.contains('{') {
        statuses.push(404);
    }
    if has_body {
        statuses.extend([408, 413, 415]);
    }
    if !method.is_safe() && access != Access::Public && access != Access::Staff {
        statuses.extend([409, 422]);
    }
    for status in statuses {
        let response = RefOr::T(problem(status));
        operation.responses.responses.entry(status.to_string()).or_insert(response);
    }
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        let refused = status.starts_with('4') || status.starts_with('5');
        // A refusal that the handler documents without a body is a problem document like all others.
        if refused && response.content.is_empty() {
            response.content = problem(0).content;
        }
        // OpenAPI wants a description of every answer; what the schema says already needs none of its own.
        if response.description.is_empty() {
            response.description = if status == "201" { "Created." } else { "Done." }.to_owned();
        }
    }
    operation
}

/// Which scope an API key needs, and which staff may call an operation.
fn access_in_words(access: Access, scope: Option<Scope>) -> Vec<(&'static str, Value)> {
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
        Access::Metrics => roles(&|role| role_grants(role, Scope::Admin)),
    };
    let mut words = vec![("x-permitted-roles", permitted)];
    words.extend(scope.map(|scope| ("x-required-scope", json!(scope.as_str()))));
    words
}

/// The keys of a filter as query parameters, those aside that the operation documents itself.
fn field_parameters() -> impl Iterator<Item = RefOr<Parameter>> {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    FIELDS.iter().filter(|field| field.name() != "updated_at").map(move |field| {
        let parameter = ParameterBuilder::new()
            .name(field.name())
            .parameter_in(ParameterIn::Query)
            .description(Some(field.doc))
            .schema(Some(ArrayBuilder::new().items(text())));
        RefOr::T(parameter.build())
    })
}

/// A name that no other operation has, and that clients are generated with: `patch_users_user_id`.
fn operation_id(method: &Method, path: &str) -> String {
    let path = path.trim_start_matches("/api").trim_start_matches('/').replace("{*", "{");
    let words =
        path.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').filter(|word| !word.is_empty());
    std::iter::once(method.as_str().to_lowercase().as_str()).chain(words).collect::<Vec<_>>().join("_")
}

/// A problem document as answer.
fn problem(status: u16) -> Response {
    let description = match status {
        400 => "The request breaks rules; `errors` lists all of them.",
        401 => "Credentials are missing, wrong, expired or revoked.",
        403 => "The credentials don't suffice.",
        404 => "There is no such thing.",
        408 => "The body came too slowly.",
        409 => "The request contradicts what is stored.",
        413 => "The body is too large.",
        415 => "The body is of a type that is not taken.",
        422 => "The body names something that does not exist.",
        _ => "The server is busy or its store can't be used; `Retry-After` says when to try again.",
    };
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(Problem::name()))).build();
    utoipa::openapi::ResponseBuilder::new()
        .description(description)
        .content("application/problem+json", content)
        .build()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::{TAGS, json};
    use crate::http::routes;

    fn document() -> Value {
        serde_json::from_slice(&json()).expect("JSON")
    }

    #[test]
    fn every_row_of_the_table_is_described() {
        let document = document();
        for route in routes::all() {
            let path = route.path.replace("{*", "{");
            let operation = &document["paths"][&path][route.method.as_str().to_lowercase()];
            let name = format!("{} {path}", route.method);
            assert!(operation["summary"].is_string(), "{name} has no summary");
            let tags = operation["tags"].as_array().unwrap_or_else(|| panic!("{name} has no tags"));
            assert!(tags.iter().all(|tag| TAGS.iter().any(|(known, _)| tag == known)), "{name}: {tags:?}");
            assert!(operation["responses"]["503"].is_object(), "{name}");
            for (status, response) in operation["responses"].as_object().expect("responses") {
                assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}: {status}");
            }
            for part in path.split('/').filter(|part| part.starts_with('{')) {
                let parameter = part.trim_matches(['{', '}']);
                let given = operation["parameters"].as_array().into_iter().flatten();
                assert!(
                    given.clone().any(|given| given["name"] == parameter && given["in"] == "path"),
                    "{name}: {parameter}"
                );
            }
        }
        let described: usize = document["paths"]
            .as_object()
            .expect("paths")
            .values()
            .map(|item| item.as_object().expect("an item").len())
            .sum();
        assert_eq!(described, routes::all().len());
    }

    #[test]
    fn operations_are_named_once_and_all_schemas_are_there() {
        let document = document();
        let mut names = BTreeSet::new();
        let mut references = BTreeSet::new();
        visit(&document, &mut |key, value| match (key, value) {
            ("operationId", Value::String(name)) => assert!(names.insert(name.clone()), "{name} twice"),
            ("$ref", Value::String(reference)) => {
                references.insert(reference.clone());
            }
            _ => {}
        });
        for reference in references {
            let pointer = reference.trim_start_matches('#');
            assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
        }
    }

    fn visit(value: &Value, seen: &mut impl FnMut(&str, &Value)) {
        match value {
            Value::Object(entries) => entries.iter().for_each(|(key, value)| {
                seen(key, value);
                visit(value, seen);
            }),
            Value::Array(items) => items.iter().for_each(|item| visit(item, seen)),
            _ => {}
        }
    }
}
