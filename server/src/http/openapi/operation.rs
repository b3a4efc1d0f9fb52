//! Describes one operation from its handler and its row in the route table.

use http::Method;
use leadscribe_engine::filter::fields::FIELDS;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::{HttpMethod, Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, RefOr, Type};

use super::{access, error_responses};
use crate::http::routes::Route;

/// Converts the method to utoipa's type.
pub(super) fn to_utoipa_method(method: &Method) -> HttpMethod {
    match *method {
        Method::POST => HttpMethod::Post,
        Method::PUT => HttpMethod::Put,
        Method::PATCH => HttpMethod::Patch,
        Method::DELETE => HttpMethod::Delete,
        _ => HttpMethod::Get,
    }
}

/// Completes an operation with the access from its row and the error responses common to many operations.
pub(super) fn complete_operation(mut route: Route) -> Operation {
    let statuses = error_responses::error_statuses(&route);
    let operation = &mut route.operation;
    operation.operation_id = Some(operation_id(&route.method, &route.path));
    let (scopes, access_description) = access::describe(route.access);
    operation.security = Some(access::requirements(route.access));
    let mut extensions = access::extensions(route.access, &scopes);
    // Generators can't express a parameter for the rest of a path. Some skip operations with this mark.
    if route.path.contains("{*") {
        extensions.push(("x-internal", true.into()));
    }
    operation.extensions = Some(Extensions::from_iter(extensions));
    if route.query_names.is_none() {
        operation.parameters.get_or_insert_default().extend(field_parameters());
    }
    if let Some(access_description) = access_description {
        let description = operation.description.take().unwrap_or_default();
        operation.description = Some(format!("{description}\n\n{access_description}").trim().to_owned());
    }
    error_responses::add_error_responses(operation, &statuses);
    route.operation
}

/// Returns the keys of a filter as query parameters, except those that the operation documents itself.
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

/// Returns a unique operation id, which generated clients use as a method name: `patch_users_user_id`.
fn operation_id(method: &Method, path: &str) -> String {
    let path = path.strip_prefix("/api").unwrap_or(path).replace("{*", "{");
    let words = path
        .split(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .filter(|word| !word.is_empty());
    std::iter::once(method.as_str().to_lowercase().as_str()).chain(words).collect::<Vec<_>>().join("_")
}
