//! Calling hours in a time zone, including daylight saving time.
//!
//! Calling is open while the lead's local time is within the hours. If the clock is set forward past the start, calling opens at the jump.
//! If an hour repeats, the hours apply each time.

use chrono::{DateTime, Datelike, Days, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone};

use super::wording as words;
use crate::api::{CallingHours, Campaign, Timestamp, Weekday};
use crate::wording::Language;
use crate::zone::Zone;

/// Number of days searched for the next opening. One week suffices unless a clock change skips the week's only opening.
const SEARCH_DAYS: u64 = 22;

/// A campaign's calling hours in the time zone of a lead.
pub struct LocalHours<'a> {
    pub hours: &'a CallingHours,
    /// The lead's time zone; `None` if unknown.
    pub zone: Option<Zone>,
}

impl<'a> LocalHours<'a> {
    /// Returns `None` if the campaign has no calling hours. `timezone` is the name of the lead's time zone.
    pub fn new(campaign: &'a Campaign, timezone: Option<&str>) -> Option<Self> {
        let hours = campaign.calling_hours.as_ref()?;
        Some(Self { hours, zone: timezone.and_then(Zone::find) })
    }
}

/// A local time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalClock<'a> {
    /// The time of day, displayed without seconds.
    pub time: NaiveTime,
    /// The day of the week.
    pub day: Weekday,
    /// The time zone's name in the IANA database.
    pub zone: &'a str,
}

/// Returns the local time in the zone.
pub fn local_clock(zone: Zone, now: Timestamp) -> LocalClock<'static> {
    let local = now.with_timezone(&zone).naive_local();
    LocalClock { time: local.time(), day: to_weekday(local.weekday()), zone: zone.name() }
}

/// Returns true if the local time in the zone is within the hours.
pub fn is_open(hours: &CallingHours, zone: Zone, now: Timestamp) -> bool {
    is_open_at(hours, now.with_timezone(&zone).naive_local())
}

/// Returns true if calling is open at this local time.
pub fn is_open_at(hours: &CallingHours, local: NaiveDateTime) -> bool {
    let (today, yesterday) = (to_weekday(local.weekday()), to_weekday(local.weekday().pred()));
    let started = hours.days.contains(&today) && local.time() >= hours.start;
    if hours.start < hours.end {
        started && local.time() < hours.end
    } else {
        started || (hours.days.contains(&yesterday) && local.time() < hours.end)
    }
}

/// Returns the first time after `now` at which calling opens; `None` if it never does.
///
/// Calling can open at the start of a day's hours, or when the clock is set.
pub fn next_opening(hours: &CallingHours, zone: Zone, now: Timestamp) -> Option<Timestamp> {
    (0..SEARCH_DAYS).find_map(|day| {
        let search_start = now.checked_add_days(Days::new(day))?;
        let search_end = search_start.checked_add_days(Days::new(1))?;
        let first_date = search_start.with_timezone(&zone).date_naive();
        let starts = [Some(first_date), first_date.succ_opt()].into_iter().flatten().flat_map(|date| {
            let start = zone.from_local_datetime(&date.and_time(hours.start));
            [start.earliest(), start.latest()].into_iter().flatten().map(|start| start.to_utc())
        });
        starts
            .chain(clock_change(zone, search_start, search_end))
            .filter(|time| search_start < *time && *time <= search_end && is_open(hours, zone, *time))
            .min()
    })
}

/// Returns the time after `from`, up to and including `to`, at which the zone's clock is set.
fn clock_change(zone: Zone, from: Timestamp, to: Timestamp) -> Option<Timestamp> {
    let offset = |second: i64| {
        let utc: NaiveDateTime = DateTime::from_timestamp(second, 0)?.naive_utc();
        Some(zone.offset_from_utc_datetime(&utc).fix())
    };
    let (mut low, mut high) = (from.timestamp(), to.timestamp());
    let old_offset = offset(low)?;
    if old_offset == offset(high)? {
        return None;
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if offset(middle)? == old_offset {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(DateTime::UNIX_EPOCH + TimeDelta::seconds(high))
}

fn to_weekday(day: chrono::Weekday) -> Weekday {
    Weekday::ALL[day.num_days_from_monday() as usize]
}

/// Returns the days in short form: `Mon–Fri`, `Mon, Wed, Fri`, `every day`.
pub fn format_days(days: &[Weekday], language: Language) -> String {
    if days.len() == Weekday::ALL.len() {
        return words::every_day(language).to_owned();
    }
    let runs = days.chunk_by(|day, next| *next as usize == *day as usize + 1);
    let names = runs.map(|run| match run {
        [first, _, .., last] => format!("{}–{}", first.short_name(language), last.short_name(language)),
        short_run => short_run.iter().map(|day| day.short_name(language)).collect::<Vec<_>>().join(", "),
    });
    names.collect::<Vec<_>>().join(", ")
}
