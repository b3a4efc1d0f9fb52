//! Check of the time zone data: its version, source and age.

use chrono::Days;

use super::{CheckContext, CheckResult};
use crate::telemetry::error_chain;
use crate::time_zones;

/// Age at which the data counts as old. Every year some country changes its rules.
const MAX_DATA_AGE: Days = Days::new(366);

const CHECK: &str = "time zones";

pub(super) fn check(context: &CheckContext) -> CheckResult {
    let data = match time_zones::select(&context.config.leads.time_zones) {
        Ok(data) => data,
        Err(error) => {
            let remedy = "set --time-zones to a folder with time zone data, such as /usr/share/zoneinfo, or to `auto`";
            return CheckResult::error(CHECK, error_chain(&error), remedy);
        }
    };
    let source = data.folder.map_or_else(|| "built in".to_owned(), |folder| format!("from {}", folder.display()));
    let description = format!("IANA {}, {source}", data.version);
    let released = data.version.approximate_release_date();
    match released.checked_add_days(MAX_DATA_AGE) {
        Some(outdated) if outdated < context.now.date_naive() => CheckResult::warning(
            CHECK,
            format!("{description}, released around {}", released.format("%B %Y")),
            "update the system's time zone data (package `tzdata`) and restart, or update this program: calling hours \
             can be wrong in countries that changed their time zone rules",
        ),
        _ => CheckResult::ok(CHECK, description),
    }
}
