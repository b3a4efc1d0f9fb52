//! Days in a time zone, including days on which clocks change at midnight.

use chrono::{Days, NaiveDate, NaiveTime, TimeDelta, TimeZone};

use crate::api::Timestamp;
use crate::zone::Zone;

/// Step size in the search for the start of a day whose midnight is skipped. Clock changes are multiples of 15 minutes.
const SEARCH_STEP: TimeDelta = TimeDelta::minutes(15);

/// Maximum number of steps. A zone that crosses the date line skips a whole day.
const MAX_SEARCH_STEPS: i32 = 2 * 24 * 4;

/// A day in a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// The date.
    pub date: NaiveDate,
    /// Start of the day.
    pub start: Timestamp,
    /// Start of the next day.
    pub end: Timestamp,
}

/// Returns true if this is the name of a time zone in the IANA database.
pub fn is_time_zone(name: &str) -> bool {
    Zone::find(name).is_some()
}

/// Returns the last `count` days up to the day of `now`, oldest first. `None` if the IANA database has no time zone of this name.
pub fn last_days(timezone: &str, count: u32, now: Timestamp) -> Option<Vec<Day>> {
    let zone = Zone::find(timezone)?;
    let today = now.with_timezone(&zone).date_naive();
    let day = |days_ago: u32| {
        let date = today.checked_sub_days(Days::new(days_ago.into()))?;
        Some(Day { date, start: day_start(zone, date)?, end: day_start(zone, date.succ_opt()?)? })
    };
    Some((0..count).rev().filter_map(day).collect())
}

/// Returns the start of a day. For a day that the zone skipped, the time at which it would have started.
fn day_start(zone: Zone, date: NaiveDate) -> Option<Timestamp> {
    let midnight = date.and_time(NaiveTime::MIN);
    (0..MAX_SEARCH_STEPS)
        .find_map(|step| zone.from_local_datetime(&(midnight + SEARCH_STEP * step)).earliest())
        .map(|time| time.to_utc())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time;

    fn format_days(timezone: &str, count: u32, now: &str) -> Vec<String> {
        let days = last_days(timezone, count, time::parse(now).expect(now)).expect("a time zone");
        let line = |day: &Day| format!("{} {} {}", day.date, time::print(day.start), time::print(day.end));
        days.iter().map(line).collect()
    }

    #[test]
    fn days_follow_the_time_zone() {
        assert_eq!(
            format_days("Europe/Berlin", 2, "2026-05-01T22:30:00Z"),
            [
                "2026-05-01 2026-04-30T22:00:00Z 2026-05-01T22:00:00Z",
                "2026-05-02 2026-05-01T22:00:00Z 2026-05-02T22:00:00Z"
            ]
        );
        assert_eq!(
            format_days("UTC", 1, "2026-05-01T00:00:00Z"),
            ["2026-05-01 2026-05-01T00:00:00Z 2026-05-02T00:00:00Z"]
        );
        assert_eq!(last_days("Mars/Olympus", 1, Timestamp::default()), None);
    }

    #[test]
    fn days_with_clock_changes_are_shorter_or_longer() {
        assert_eq!(
            format_days("Europe/Berlin", 1, "2026-03-29T12:00:00Z"),
            ["2026-03-29 2026-03-28T23:00:00Z 2026-03-29T22:00:00Z"]
        );
        assert_eq!(
            format_days("Europe/Berlin", 1, "2026-10-25T12:00:00Z"),
            ["2026-10-25 2026-10-24T22:00:00Z 2026-10-25T23:00:00Z"]
        );
    }

    #[test]
    fn day_without_midnight_starts_at_its_first_time() {
        // In Chile, the clock moves from 23:59:59 to 01:00.
        assert_eq!(
            format_days("America/Santiago", 1, "2026-09-06T12:00:00Z"),
            ["2026-09-06 2026-09-06T04:00:00Z 2026-09-07T03:00:00Z"]
        );
        // Samoa crossed the date line and skipped 30 December 2011.
        assert_eq!(
            format_days("Pacific/Apia", 3, "2011-12-31T12:00:00Z"),
            [
                "2011-12-30 2011-12-30T10:00:00Z 2011-12-30T10:00:00Z",
                "2011-12-31 2011-12-30T10:00:00Z 2011-12-31T10:00:00Z",
                "2012-01-01 2011-12-31T10:00:00Z 2012-01-01T10:00:00Z"
            ][..3]
        );
    }
}
