//! Checks for an admin who can log in and for failed jobs.

use super::{Finding, Setup, counted};

pub(super) fn check(setup: &Setup) -> Vec<Finding> {
    let Ok(Some(survey)) = &setup.survey else { return Vec::new() };
    let Some(rows) = &survey.rows else {
        let is_readable = survey.schema == survey.known && survey.faults.is_empty();
        let fault =
            || Finding::fault("rows", "the rows of the database could not be read", "try again; then see its log");
        return is_readable.then(fault).into_iter().collect();
    };
    let staff = if rows.admins == 0 {
        Finding::warning("staff", "there is no admin who can log in", "leadscribe user add EMAIL --role admin")
    } else {
        Finding::ok("staff", counted(rows.admins, "admin can log in", "admins can log in"))
    };
    let transcriptions = if rows.failed_transcriptions == 0 {
        Finding::ok("transcriptions", format!("{} wait or are under way, none failed", rows.open_transcriptions))
    } else {
        Finding::warning(
            "transcriptions",
            format!("{} were given up, {} wait or are under way", rows.failed_transcriptions, rows.open_transcriptions),
            "in the panel, under Calls, failed ones say why, and can be sent again",
        )
    };
    let deliveries = if rows.failed_deliveries == 0 {
        Finding::ok("deliveries", "none failed")
    } else {
        Finding::warning(
            "deliveries",
            format!("{} given up", counted(rows.failed_deliveries, "delivery was", "deliveries were")),
            "in the panel, under Deliveries, each says what the endpoint answered, and can be replayed",
        )
    };
    vec![staff, transcriptions, deliveries]
}
