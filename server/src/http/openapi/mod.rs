//! Generates the OpenAPI document from the route table.
//!
//! [`operation`] describes each operation from its row; [`access`] adds the required credentials and [`error_responses`] the error
//! responses. [`schemas`] completes the schemas and [`bounds`] adds constraints. Schemas of request bodies come from the engine's tables
//! ([`leadscribe_engine::schema`]).
//!
//! Two extensions describe permissions: `x-required-scope` names the scope that an API key needs (a list if one of several is enough), and
//! `x-permitted-roles` the staff roles. Operations with `x-internal` are not for generated clients. The schema of problems lists the codes of each status in `x-codes`.

mod access;
mod bounds;
mod error_responses;
mod operation;
mod schemas;
#[cfg(test)]
mod tests;
mod webhooks;

use std::sync::LazyLock;

use bytes::Bytes;
use leadscribe_engine::api::Problem;
use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::path::Paths;
use utoipa::openapi::tag::Tag;
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, Server};
use utoipa::{PartialSchema, ToSchema};

use super::routes;

const DESCRIPTION: &str = "Leads, campaigns, calls and their transcripts.\n\n\
    Every error response is an RFC 9457 problem document with a stable `code`; `errors[]` lists all errors of the \
    input, each with its location. Times are in UTC. Ids are whole numbers of 1 or more. Lists take \
    `limit=<count>;<offset>` and reject a count that is too large.";

/// Tags, in recommended reading order.
const TAGS: [(&str, &str); 20] = [
    ("leads", "People and companies that may be called, and the filter language to find them."),
    ("views", "Saved views of the lead list."),
    ("campaign-leads", "Leads in campaigns: status, attempts, freeze and callback times."),
    ("campaigns", "Campaigns and their calling hours."),
    ("statuses", "The statuses that a campaign lead can have."),
    ("calls", "Calls."),
    ("recordings", "Recordings of calls."),
    ("speech-recognition", "Calls submitted for transcription."),
    ("transcripts", "Transcripts of calls."),
    ("speech-tokens", "Credentials that own transcriptions."),
    ("deliveries", "Transcripts and events that are delivered to URLs."),
    ("webhooks", "URLs that get a delivery for each event."),
    ("imports", "Imports of CSV files."),
    ("changes", "Changes of records, for copies in other systems."),
    ("session", "Login and logout of staff."),
    ("users", "Staff."),
    ("api-keys", "Credentials for integrations."),
    ("audit-log", "Log of changes and their actors."),
    ("overview", "Daily activity, queues, and leads that can be called now."),
    ("server", "The server itself."),
];

static DOCUMENT_JSON: LazyLock<Bytes> = LazyLock::new(|| {
    let mut text = serde_json::to_string_pretty(&build_document()).expect("a test writes the document");
    text.push('\n');
    text.into()
});

/// Returns the document as JSON text.
pub fn json() -> Bytes {
    DOCUMENT_JSON.clone()
}

/// The document, with its parts in reading order.
#[derive(Serialize)]
struct Document {
    openapi: Value,
    info: Value,
    servers: Value,
    tags: Value,
    paths: Value,
    webhooks: Value,
    components: Value,
}

/// Builds the operations and all schemas.
fn build_document() -> Document {
    let mut document = serde_json::to_value(build_operations()).expect("a test writes the document");
    if let Value::Object(schemas) = &mut document["components"]["schemas"] {
        schemas::complete(schemas);
        bounds::add_to_bodies(schemas);
    }
    bounds::add_to_operations(&mut document["paths"]);
    schemas::drop_unused(&mut document);
    let mut take_member = |name: &str| document[name].take();
    Document {
        openapi: take_member("openapi"),
        info: take_member("info"),
        servers: take_member("servers"),
        tags: take_member("tags"),
        paths: take_member("paths"),
        webhooks: webhooks::describe(),
        components: take_member("components"),
    }
}

/// Builds the operations and the schemas derived from their types.
fn build_operations() -> OpenApi {
    let mut paths = Paths::new();
    let mut schemas = vec![(Problem::name().into_owned(), Problem::schema())];
    Problem::schemas(&mut schemas);
    for mut route in routes::all() {
        schemas.append(&mut route.schemas);
        let method = operation::to_utoipa_method(&route.method);
        // OpenAPI has no syntax for a rest-of-path parameter.
        let path = route.path.replace("{*", "{");
        paths.add_path_operation(path, vec![method], operation::complete_operation(route));
    }
    let components = ComponentsBuilder::new().schemas_from_iter(schemas);
    let components = access::security_schemes()
        .into_iter()
        .fold(components, |components, (name, scheme)| components.security_scheme(name, scheme));
    let info = InfoBuilder::new()
        .title("Leadscribe")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .license(Some(LicenseBuilder::new().name("MIT OR Apache-2.0").identifier(Some("MIT OR Apache-2.0")).build()))
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
