//! Code shared by the basic lookups. Requests for members of extended records are rejected instead of ignored.

use leadscribe_engine::diagnostic::{Diagnostic, Location, request};
use leadscribe_engine::filter::{self, Limits};

use super::lookup_response;
use crate::http::prelude::*;
use crate::http::problem::Code;
use crate::service::leads::lead_lookup;

/// Members that only extended records have.
const EXTENDED_MEMBERS: [&str; 2] = ["campaigns", "not_callable_reasons"];

/// Looks up leads by pairs of key and value.
pub async fn look_up(app: &Arc<App>, pairs: &[(String, String)]) -> Result<Response, Problem> {
    let mut diagnostics = extended_member_diagnostics(pairs);
    if diagnostics.is_empty() {
        return Ok(lookup_response::basic_response(&lead_lookup::by_pairs(app, pairs).await?));
    }
    let limits = Limits { max_count: app.config.limits.max_page_size };
    diagnostics.extend(filter::parse_pairs(pairs, &limits).err().unwrap_or_default());
    Err(Problem::diagnostics(Code::InvalidFilter, diagnostics))
}

/// Returns a diagnostic for each requested member that only extended records have.
fn extended_member_diagnostics(pairs: &[(String, String)]) -> Vec<Diagnostic> {
    let diagnostic = |key: &str, member: &str| {
        let location = Location::Parameter(key.to_owned());
        let diagnostic = Diagnostic::new(location, "not_available", request::not_in_basic(member));
        diagnostic.suggest(request::use_extended())
    };
    let check_pair = |(key, value): &(String, String)| match key.as_str() {
        "_campaigns" => vec![diagnostic(key, "_campaigns")],
        "_fields" => EXTENDED_MEMBERS
            .into_iter()
            .filter(|member| value.split(',').any(|requested| requested == *member))
            .map(|member| diagnostic(key, member))
            .collect(),
        _ => Vec::new(),
    };
    pairs.iter().flat_map(check_pair).collect()
}
