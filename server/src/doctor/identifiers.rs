//! Checks that original identifiers are unique. Leads that were created before this was enforced can share
//! one.

use super::{CheckContext, CheckResult, pluralize};

pub(super) fn check(context: &CheckContext) -> Option<CheckResult> {
    let rows = context.inspection.as_ref().ok()?.as_ref()?.row_stats.as_ref()?;
    let (one, other) = rows.leads_with_same_identifier?;
    let count = pluralize(rows.shared_identifiers, "identifier is", "identifiers are");
    Some(CheckResult::warning(
        "identifiers",
        format!("{count} used by several leads, such as leads {one} and {other}"),
        "requests by such an identifier are refused; change `original_identifier` of all but one of these leads",
    ))
}
