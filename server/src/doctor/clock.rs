//! Check of the system clock.

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;

use super::{CheckContext, CheckResult};

/// Permitted difference between the clocks of several machines.
const MAX_CLOCK_DRIFT: TimeDelta = TimeDelta::minutes(1);

pub(super) fn check(context: &CheckContext) -> CheckResult {
    let newest_row = match &context.inspection {
        Ok(Some(inspection)) => inspection.row_stats.as_ref().and_then(|rows| rows.newest_timestamp),
        _ => None,
    };
    let database_modified =
        std::fs::metadata(context.config.database_file()).and_then(|metadata| metadata.modified()).map(Timestamp::from);
    let newest = [newest_row, database_modified.ok()].into_iter().flatten().max();
    let now = context.now.format("%Y-%m-%d %H:%M:%S UTC");
    match newest.filter(|newest| *newest > context.now + MAX_CLOCK_DRIFT) {
        None => CheckResult::ok("clock", format!("{now}, later than all stored times")),
        Some(newest) => CheckResult::warning(
            "clock",
            format!("{now}, but the database was last written at {}", newest.format("%Y-%m-%d %H:%M:%S UTC")),
            "set the clock (`timedatectl`): sessions, leases and calling hours depend on it",
        ),
    }
}
