//! Code shared by the basic look-ups. Requests for members of extended records are refused instead of ignored.

use std::sync::Arc;

use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leadscribe_engine::filter::{self, Limits};

use super::answer;
use crate::app::App;
use crate::http::problem::{Code, Refusal};
use crate::http::reply::Response;
use crate::service::look_up_leads;

/// Members that only extended records have.
const EXTENDED: [&str; 2] = ["campaigns", "not_callable_reasons"];

/// Looks up leads by pairs of key and value.
pub async fn look_up(app: &Arc<App>, pairs: &[(String, String)]) -> Result<Response, Refusal> {
    let mut faults = only_extended(pairs);
    if faults.is_empty() {
        return Ok(answer::basic(&look_up_leads::by_pairs(app, pairs).await?));
    }
    let limits = Limits { max_count: app.config.limits.max_page };
    faults.extend(filter::read_pairs(pairs, &limits).err().unwrap_or_default());
    Err(Refusal::faults(Code::InvalidFilter, faults))
}

/// Returns a fault for each requested member that only extended records have.
fn only_extended(pairs: &[(String, String)]) -> Vec<Diagnostic> {
    let fault = |key: &str, detail: String| {
        let fault = Diagnostic::new(Place::Parameter(key.to_owned()), "not_available", detail);
        fault.suggest("use PUT /api/leads/extended-data instead")
    };
    let of_pair = |(key, value): &(String, String)| match key.as_str() {
        "_campaigns" => vec![fault(key, "expected no `_campaigns` for basic records, found one".to_owned())],
        "_fields" => EXTENDED
            .into_iter()
            .filter(|member| value.split(',').any(|asked| asked == *member))
            .map(|member| fault(key, format!("expected members of a basic record, found `{member}`")))
            .collect(),
        _ => Vec::new(),
    };
    pairs.iter().flat_map(of_pair).collect()
}
