//! The OpenAPI document, made of the route table.
//!
//! [`operation`] says of each operation what its row says; [`access`] who may call it, [`refusals`] how it can end otherwise;
//! [`schemas`] are what the operations refer to, and [`bounds`] what their values keep to. Those of what is sent come from the engine's tables
//! ([`leadscribe_engine::schema`]).
//!
//! Beside what OpenAPI has a word for, each operation says in `x-required-scope` which scope an API key needs, as a list where one of
//! several is enough, and in `x-permitted-roles` which staff may call it; the schema of problems says in `x-codes` which codes go with a status.

mod access;
mod bounds;
mod operation;
mod refusals;
mod schemas;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use bytes::Bytes;
use leadscribe_engine::api::Problem;
use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::path::Paths;
use utoipa::openapi::tag::Tag;
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder, Server};
use utoipa::{PartialSchema, ToSchema};

use super::routes;

const DESCRIPTION: &str = "Leads, campaigns, calls and their transcripts.\n\n\
    Every refusal is an RFC 9457 problem document with a stable `code`; `errors[]` lists all faults of the input, each \
    with its place. Times are in UTC. Ids are whole numbers of 1 or more. Lists take `limit=<count>;<offset>`, and refuse \
    a count that is too large instead of shortening it.";

/// Tags in the order of a first reading.
const TAGS: [(&str, &str); 18] = [
    ("leads", "People and companies that may be called, and the filter language to find them."),
    ("views", "Lists of leads as staff saved them."),
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
    ("overview", "How things are: what happened day by day, what waits, which leads can be called now."),
    ("server", "The server itself."),
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
        schemas::complete(schemas);
        bounds::of_bodies(schemas);
    }
    bounds::of_operations(&mut document["paths"]);
    schemas::drop_unused(&mut document);
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

/// The operations, and what their types say of themselves.
fn operations() -> OpenApi {
    let mut paths = Paths::new();
    let mut schemas = vec![(Problem::name().into_owned(), Problem::schema())];
    Problem::schemas(&mut schemas);
    for mut route in routes::all() {
        schemas.append(&mut route.schemas);
        let method = operation::method(&route.method);
        // OpenAPI has no sign for the rest of a path.
        let path = route.path.replace("{*", "{");
        paths.add_path_operation(path, vec![method], operation::complete(route));
    }
    let components = ComponentsBuilder::new().schemas_from_iter(schemas);
    let components = access::schemes()
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
