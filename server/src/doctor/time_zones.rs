//! Check of the time zone data: its version, source and age.

use chrono::Days;

use super::{Finding, Setup};
use crate::telemetry::causes;
use crate::time_zones;

/// Age at which the data counts as old. Every year some country changes its rules.
const MAX_AGE: Days = Days::new(366);

const CHECK: &str = "time zones";

pub(super) fn check(setup: &Setup) -> Finding {
    let data = match time_zones::find(&setup.config.leads.time_zones) {
        Ok(data) => data,
        Err(error) => {
            let remedy = "set --time-zones to a folder with time zone data, such as /usr/share/zoneinfo, or to `auto`";
            return Finding::fault(CHECK, causes(&error), remedy);
        }
    };
    let source = data.folder.map_or_else(|| "built in".to_owned(), |folder| format!("from {}", folder.display()));
    let found = format!("IANA {}, {source}", data.version);
    let released = data.version.released_about();
    match released.checked_add_days(MAX_AGE) {
        Some(outdated) if outdated < setup.now.date_naive() => Finding::warning(
            CHECK,
            format!("{found}, released around {}", released.format("%B %Y")),
            "update the system's time zone data (package `tzdata`) and restart, or update this program: calling hours \
             can be wrong in countries that changed their time zone rules",
        ),
        _ => Finding::ok(CHECK, found),
    }
}
