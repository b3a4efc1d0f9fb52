use std::ops::RangeInclusive;

use leadscribe_engine::api::FieldValuesResponse;
use leadscribe_engine::diagnostic::{Diagnostic, Location, common, format_text, request};
use leadscribe_engine::filter::check_blanks;
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FIELDS, Kind, MAX_CUSTOM_NAME_CHARS, find};
use leadscribe_engine::filter::predicate::FieldRef;

use crate::http::prelude::*;
use crate::http::query::QueryReader;
use crate::service::leads::lead_lookup;

/// Default of `limit`.
const DEFAULT_COUNT: u32 = 10;

const PERMITTED_COUNT: RangeInclusive<u32> = 1..=100;

/// Maximum length of a prefix in characters.
const MAX_PREFIX_LENGTH: usize = 200;

/// List the values of a text field by number of leads.
///
/// For suggestions in filters. With a field of campaign leads, a lead counts once, even if several of its campaigns have the value. With a
/// custom field, only texts are listed. Values with the same number of leads are sorted by their bytes.
#[utoipa::path(
    get,
    path = "/api/leads/values",
    params(
        (
            "field" = String, Query,
            description = "The key of a text field, as in a filter, or `custom.<name>`", example = "city"
        ),
        (
            "prefix" = Option<String>, Query, max_length = 200,
            description = "Only values that start with this, ignoring the case of A to Z", example = "ber"
        ),
        (
            "limit" = Option<u32>, Query, minimum = 1, maximum = 100,
            description = "Maximum number of values; 10 by default", example = 10
        )
    ),
    responses((status = 200, body = FieldValuesResponse))
)]
pub async fn values(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut query = request.query.reader();
    let field = parse_field(&mut query);
    let prefix = query.value("prefix").unwrap_or_default();
    let length = prefix.chars().count();
    if length > MAX_PREFIX_LENGTH {
        let message = common::expected(common::at_most_characters(MAX_PREFIX_LENGTH), length);
        query.add_error("prefix", "too_long", message);
    }
    if let Some(Err(diagnostic)) = field.as_ref().map(|field| check_blanks(field, prefix, true)) {
        query.add_diagnostics(vec![Diagnostic { location: Location::Parameter("prefix".to_owned()), ..diagnostic }]);
    }
    let count = query.integer("limit", PERMITTED_COUNT, DEFAULT_COUNT);
    query.finish()?;
    // Unreachable without a field: `finish` returned an error.
    let field = field.unwrap_or_else(|| FieldRef::Custom(String::new()));
    Ok(reply::json(&lead_lookup::values(&app, &field, prefix, count).await?))
}

fn parse_field(query: &mut QueryReader<'_>) -> Option<FieldRef> {
    let text_field_names = || FIELDS.iter().filter(|field| field.kind == Kind::Text).map(|field| field.name());
    let Some(key) = query.value("field") else {
        query.add_error("field", "required", common::required("field"));
        return None;
    };
    if let Some(name) = key.strip_prefix(CUSTOM_PREFIX) {
        let length = name.chars().count();
        if (1..=MAX_CUSTOM_NAME_CHARS).contains(&length) {
            return Some(FieldRef::Custom(name.to_owned()));
        }
        let message = common::expected(common::custom_name(MAX_CUSTOM_NAME_CHARS), length);
        query.add_error("field", "unknown_key", message);
        return None;
    }
    if let Some(field) = find(key).filter(|field| field.kind == Kind::Text) {
        return Some(FieldRef::Builtin(field.id));
    }
    let message = common::expected(request::text_field(), format_text(key));
    let diagnostic =
        Diagnostic::new(Location::Parameter("field".to_owned()), "unknown_key", message).permitted(text_field_names());
    let diagnostic = diagnostic.suggest_nearest(key, text_field_names());
    query.add_diagnostics(vec![diagnostic]);
    None
}
