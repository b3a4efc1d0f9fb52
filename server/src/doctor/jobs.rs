//! Checks that an admin can log in, and that no jobs have failed.

use super::{CheckContext, CheckResult, pluralize};

pub(super) fn check(context: &CheckContext) -> Vec<CheckResult> {
    let Ok(Some(inspection)) = &context.inspection else { return Vec::new() };
    let Some(rows) = &inspection.row_stats else {
        let is_readable =
            inspection.schema_version == inspection.newest_known_version && inspection.corruption.is_empty();
        let unreadable_rows = || {
            CheckResult::error(
                "rows",
                "the database's rows could not be read",
                "try again; if it fails again, check the database's log",
            )
        };
        return is_readable.then(unreadable_rows).into_iter().collect();
    };
    let staff = if rows.admins == 0 {
        CheckResult::warning("staff", "no admin can log in", "leadscribe user add EMAIL --role admin")
    } else {
        CheckResult::ok("staff", pluralize(rows.admins, "admin can log in", "admins can log in"))
    };
    let transcriptions = if rows.failed_transcriptions == 0 {
        CheckResult::ok("transcriptions", format!("{} queued or running, none failed", rows.open_transcriptions))
    } else {
        CheckResult::warning(
            "transcriptions",
            format!("{} failed, {} queued or running", rows.failed_transcriptions, rows.open_transcriptions),
            "the Calls page of the panel shows why; calls can be submitted again there",
        )
    };
    let deliveries = if rows.failed_deliveries == 0 {
        CheckResult::ok("deliveries", "none failed")
    } else {
        CheckResult::warning(
            "deliveries",
            format!("{} failed", pluralize(rows.failed_deliveries, "delivery", "deliveries")),
            "the Deliveries page of the panel shows the endpoint's responses; deliveries can be replayed there",
        )
    };
    vec![staff, transcriptions, deliveries]
}
