//! Days by the clock of a time zone: when each begins, also where the clock is set at midnight.

use chrono::{Days, NaiveDate, NaiveTime, TimeDelta, TimeZone};

use crate::api::Timestamp;
use crate::zone::Zone;

/// Steps by which the first moment of a day is looked for where its midnight is skipped. Clocks are set by whole quarters of
/// an hour.
const STEP: TimeDelta = TimeDelta::minutes(15);

/// Most steps: a zone has skipped a whole day when it moved to the other side of the date line.
const STEPS: i32 = 2 * 24 * 4;

/// A day of a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// Which.
    pub date: NaiveDate,
    /// Its first moment.
    pub from: Timestamp,
    /// The first moment of the next day.
    pub till: Timestamp,
}

/// Whether this is the name of a time zone in the IANA database.
pub fn is_time_zone(name: &str) -> bool {
    Zone::find(name).is_some()
}

/// The `count` days up to the one on which `now` is, oldest first; none when there is no time zone of this name in the IANA
/// database.
pub fn last_days(timezone: &str, count: u32, now: Timestamp) -> Option<Vec<Day>> {
    let zone = Zone::find(timezone)?;
    let today = now.with_timezone(&zone).date_naive();
    let day = |back: u32| {
        let date = today.checked_sub_days(Days::new(back.into()))?;
        Some(Day { date, from: start(zone, date)?, till: start(zone, date.succ_opt()?)? })
    };
    Some((0..count).rev().filter_map(day).collect())
}

/// The first moment of a day; where the zone skipped the day, the moment at which it would have begun.
fn start(zone: Zone, date: NaiveDate) -> Option<Timestamp> {
    let midnight = date.and_time(NaiveTime::MIN);
    (0..STEPS).find_map(|step| zone.from_local_datetime(&(midnight + STEP * step)).earliest()).map(|at| at.to_utc())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time;

    fn told(timezone: &str, count: u32, now: &str) -> Vec<String> {
        let days = last_days(timezone, count, time::parse(now).expect(now)).expect("a time zone");
        let line = |day: &Day| format!("{} {} {}", day.date, time::print(day.from), time::print(day.till));
        days.iter().map(line).collect()
    }

    #[test]
    fn days_are_those_of_the_zone() {
        assert_eq!(
            told("Europe/Berlin", 2, "2026-05-01T22:30:00Z"),
            [
                "2026-05-01 2026-04-30T22:00:00Z 2026-05-01T22:00:00Z",
                "2026-05-02 2026-05-01T22:00:00Z 2026-05-02T22:00:00Z"
            ]
        );
        assert_eq!(told("UTC", 1, "2026-05-01T00:00:00Z"), ["2026-05-01 2026-05-01T00:00:00Z 2026-05-02T00:00:00Z"]);
        assert_eq!(last_days("Mars/Olympus", 1, Timestamp::default()), None);
    }

    #[test]
    fn days_on_which_the_clock_is_set_are_shorter_and_longer() {
        assert_eq!(
            told("Europe/Berlin", 1, "2026-03-29T12:00:00Z"),
            ["2026-03-29 2026-03-28T23:00:00Z 2026-03-29T22:00:00Z"]
        );
        assert_eq!(
            told("Europe/Berlin", 1, "2026-10-25T12:00:00Z"),
            ["2026-10-25 2026-10-24T22:00:00Z 2026-10-25T23:00:00Z"]
        );
    }

    #[test]
    fn a_day_without_midnight_begins_where_its_clock_does() {
        // In Chile the clock goes from 23:59:59 to 01:00.
        assert_eq!(
            told("America/Santiago", 1, "2026-09-06T12:00:00Z"),
            ["2026-09-06 2026-09-06T04:00:00Z 2026-09-07T03:00:00Z"]
        );
        // Samoa went over the date line: there was no 30 December 2011.
        assert_eq!(
            told("Pacific/Apia", 3, "2011-12-31T12:00:00Z"),
            [
                "2011-12-30 2011-12-30T10:00:00Z 2011-12-30T10:00:00Z",
                "2011-12-31 2011-12-30T10:00:00Z 2011-12-31T10:00:00Z",
                "2012-01-01 2011-12-31T10:00:00Z 2012-01-01T10:00:00Z"
            ][..3]
        );
    }
}
