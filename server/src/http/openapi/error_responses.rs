//! Error responses that are common to many operations, as problem documents.

use http::Method;
use leadscribe_engine::api::Problem;
use utoipa::ToSchema;
use utoipa::openapi::path::Operation;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{Content, ContentBuilder, Ref, RefOr};

use crate::http::auth::Access;
use crate::http::routes::Route;

const PROBLEM_MEDIA_TYPE: &str = "application/problem+json";

/// Returns the error statuses of an operation, in addition to those that its handler documents.
pub(super) fn error_statuses(route: &Route) -> Vec<u16> {
    let Route { method, path, access, query_names: query, operation, .. } = route;
    let access = *access;
    let has_body = operation.request_body.is_some();
    let has_input = has_body || query.as_ref().is_none_or(|query| !query.is_empty()) || path.contains('{');
    let mut statuses = vec![503];
    if has_input {
        statuses.push(400);
    }
    if access != Access::Public {
        statuses.push(401);
    }
    if !matches!(access, Access::Public | Access::Optional) || *method == Method::POST {
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
    statuses
}

/// Adds the error responses to an operation and completes the description of each response.
pub(super) fn add_error_responses(operation: &mut Operation, statuses: &[u16]) {
    for &status in statuses {
        let response = RefOr::T(problem_response(status));
        operation.responses.responses.entry(status.to_string()).or_insert(response);
    }
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        let is_error = status.starts_with('4') || status.starts_with('5');
        // An error response that the handler documents without a body is a problem document too.
        if is_error && response.content.is_empty() {
            response.content.insert(PROBLEM_MEDIA_TYPE.to_owned(), RefOr::T(problem_content()));
        }
        // OpenAPI requires a description of every response, even if the schema suffices.
        if response.description.is_empty() {
            response.description = if status == "201" { "Created." } else { "Done." }.to_owned();
        }
    }
}

/// Returns a problem document as a response.
fn problem_response(status: u16) -> Response {
    let description = match status {
        400 => "The request is invalid; `errors` lists all errors.",
        401 => "Credentials are missing, wrong, expired or revoked.",
        403 => "The credentials lack the required permission.",
        404 => "The resource doesn't exist.",
        408 => "The body arrived too slowly.",
        409 => "The request conflicts with stored data.",
        413 => "The body is too large.",
        415 => "The content type or the content encoding is not accepted.",
        422 => "The body refers to a record that doesn't exist.",
        _ => "The server is overloaded or storage is unavailable; retry after the time in `Retry-After`.",
    };
    ResponseBuilder::new().description(description).content(PROBLEM_MEDIA_TYPE, problem_content()).build()
}

fn problem_content() -> Content {
    ContentBuilder::new().schema(Some(Ref::from_schema_name(Problem::name()))).build()
}
