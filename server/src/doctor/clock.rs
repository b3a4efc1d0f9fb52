//! Check of the system clock.

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;

use super::{Finding, Setup};

/// Permitted difference between the clocks of several machines.
const DRIFT: TimeDelta = TimeDelta::minutes(1);

pub(super) fn check(setup: &Setup) -> Finding {
    let noted = match &setup.survey {
        Ok(Some(survey)) => survey.rows.as_ref().and_then(|rows| rows.newest),
        _ => None,
    };
    let written =
        std::fs::metadata(setup.config.database_file()).and_then(|found| found.modified()).map(Timestamp::from);
    let newest = [noted, written.ok()].into_iter().flatten().max();
    let now = setup.now.format("%Y-%m-%d %H:%M:%S UTC");
    match newest.filter(|newest| *newest > setup.now + DRIFT) {
        None => Finding::ok("clock", format!("{now}, later than all stored times")),
        Some(newest) => Finding::warning(
            "clock",
            format!("{now}, but the database was last written at {}", newest.format("%Y-%m-%d %H:%M:%S UTC")),
            "set the clock (`timedatectl`): sessions, leases and calling hours depend on it",
        ),
    }
}
