//! `GET /api/leads/{key}/{value}/…`.

use leadscribe_engine::api::LeadsResponse;
use leadscribe_engine::diagnostic::{Diagnostic, Location, format_text, request};

use super::basic_lookup;
use crate::http::prelude::*;
use crate::http::problem::Code;
use crate::http::query;
use crate::http::request::Params;

/// Look up leads as basic records by a filter in the path.
///
/// Keys and values alternate: `/api/leads/limit/500;0/purchase_site/X/created_at/2023-12-21%2013:15:11;%3E`. Encode space, `<`, `>` and a
/// slash in a value as `%20`, `%3C`, `%3E` and `%2F`; a raw `<` or `>`, as curl sends it, is accepted too. Generated clients can't send such
/// a path; they use `PUT /api/leads/extended-data`.
#[utoipa::path(
    get,
    path = "/api/leads/{key}/{*rest}",
    params(
        ("key" = String, Path, description = "The first key", example = "limit"),
        ("rest" = String, Path, description = "Its value, followed by more keys and values", example = "500;0/country/DE")
    ),
    responses((status = 200, body = LeadsResponse))
)]
pub async fn by_path(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    basic_lookup::look_up(&app, &parse_pairs(&request.params)?).await
}

fn parse_pairs(params: &Params) -> Result<Vec<(String, String)>, Problem> {
    let segments: Vec<&str> = params.text("rest").split('/').collect();
    // The first key is a separate path parameter, so the rest begins with a value.
    let (&first_value, rest) = segments.split_first().expect("`split` returns at least one part");
    let (alternating, remainder) = rest.as_chunks::<2>();
    if let [last] = remainder {
        let location = Location::Parameter("path".to_owned());
        let message = request::segment_without_value(format_text(last));
        return Err(Problem::from_diagnostic(Code::InvalidFilter, Diagnostic::new(location, "missing_value", message)));
    }
    let mut pairs = vec![(params.text("key").to_owned(), query::percent_decode(first_value, "path")?)];
    for [key, value] in alternating {
        pairs.push((query::percent_decode(key, "path")?, query::percent_decode(value, "path")?));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(key: &str, rest: &str) -> Result<Vec<(String, String)>, String> {
        let params = Params::new(vec![("key".to_owned(), key.to_owned()), ("rest".to_owned(), rest.to_owned())]);
        parse_pairs(&params).map_err(|problem| problem.to_document("").message.to_string())
    }

    #[test]
    fn segments_alternate_keys_and_values() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let expected = vec![pair("limit", "500;0"), pair("city", "A/B C")];
        assert_eq!(parse("limit", "500;0/city/A%2FB%20C"), Ok(expected));
        assert_eq!(
            parse("limit", "500;0/city"),
            Err("keys and values must alternate, but \"city\" has no value".to_owned())
        );
    }
}
