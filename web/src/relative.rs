//! Relative dates such as the last 7 days, resolved in a time zone.
//!
//! The filter language has absolute times only. A relative date is resolved when a filter is run. Addresses keep the relative
//! date, so a link always shows the last 7 days before it is opened.

use chrono::{Datelike, Days, NaiveDate, NaiveTime, TimeDelta};
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::Operator;
use leadscribe_engine::filter::fields::{Kind, find};
use leadscribe_engine::filter::form::Row;

use crate::language::language;
use crate::texts::filter;

/// Maximum number of days or hours to count back: ten years of days.
pub const MOST: u32 = 3_650;

/// A relative date. Days start at midnight, weeks on Monday.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relative {
    Today,
    Yesterday,
    /// This number of days, including today.
    LastDays(u32),
    /// This number of hours up to now.
    LastHours(u32),
    ThisWeek,
    ThisMonth,
    /// Before the start of the day this number of days ago.
    BeforeDays(u32),
    /// After the end of the day this number of days ago.
    AfterDays(u32),
}

impl Relative {
    /// All choices with their default numbers.
    pub const ALL: [Self; 8] = [
        Self::Today,
        Self::Yesterday,
        Self::LastDays(7),
        Self::LastHours(24),
        Self::ThisWeek,
        Self::ThisMonth,
        Self::BeforeDays(30),
        Self::AfterDays(30),
    ];

    /// Pattern in an address; `#` stands for the number.
    pub const fn shape(self) -> &'static str {
        match self {
            Self::Today => "today",
            Self::Yesterday => "yesterday",
            Self::LastDays(_) => "last-#-days",
            Self::LastHours(_) => "last-#-hours",
            Self::ThisWeek => "this-week",
            Self::ThisMonth => "this-month",
            Self::BeforeDays(_) => "before-#-days",
            Self::AfterDays(_) => "after-#-days",
        }
    }

    /// Label in the list of choices; the number has a separate input.
    pub fn label(self) -> &'static str {
        match self {
            Self::Today => filter::today(),
            Self::Yesterday => filter::yesterday(),
            Self::LastDays(_) => filter::last_days_chosen(),
            Self::LastHours(_) => filter::last_hours_chosen(),
            Self::ThisWeek => filter::this_week(),
            Self::ThisMonth => filter::this_month(),
            Self::BeforeDays(_) => filter::before_days_chosen(),
            Self::AfterDays(_) => filter::after_days_chosen(),
        }
    }

    /// Text with the number.
    pub fn words(self) -> String {
        match self {
            Self::LastDays(count) => filter::last_days(count.into()),
            Self::LastHours(count) => filter::last_hours(count.into()),
            Self::BeforeDays(count) => filter::before_days(count.into()),
            Self::AfterDays(count) => filter::after_days(count.into()),
            Self::Today | Self::Yesterday | Self::ThisWeek | Self::ThisMonth => self.label().to_owned(),
        }
    }

    /// Number of days or hours, if the choice has one.
    pub const fn count(self) -> Option<u32> {
        match self {
            Self::LastDays(count) | Self::LastHours(count) | Self::BeforeDays(count) | Self::AfterDays(count) => {
                Some(count)
            }
            Self::Today | Self::Yesterday | Self::ThisWeek | Self::ThisMonth => None,
        }
    }

    /// The same choice with another number, from 1 to [`MOST`].
    pub const fn with_count(self, count: u32) -> Self {
        match self {
            Self::LastDays(_) => Self::LastDays(count),
            Self::LastHours(_) => Self::LastHours(count),
            Self::BeforeDays(_) => Self::BeforeDays(count),
            Self::AfterDays(_) => Self::AfterDays(count),
            Self::Today | Self::Yesterday | Self::ThisWeek | Self::ThisMonth => self,
        }
    }

    /// True if a field of this kind can be compared with it. A calendar date has no hours.
    pub const fn fits(self, kind: Kind) -> bool {
        match kind {
            Kind::DateTime => true,
            Kind::Date => !matches!(self, Self::LastHours(_)),
            _ => false,
        }
    }

    /// Name in an address, such as `last-7-days`.
    pub fn name(self) -> String {
        self.shape().replace('#', &self.count().map(|count| count.to_string()).unwrap_or_default())
    }

    /// Parses a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find_map(|one| match one.shape().split_once('#') {
            None => (one.shape() == name).then_some(one),
            Some((before, after)) => {
                let digits = name.strip_prefix(before)?.strip_suffix(after)?;
                let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
                let count = digits.parse().ok().filter(|count| plain && (1..=MOST).contains(count))?;
                Some(one.with_count(count))
            }
        })
    }
}

/// A field that is compared with a relative date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Key of the field.
    pub key: String,
    pub relative: Relative,
    /// JSON Pointer to the condition in the filter if it is inside a group; empty otherwise.
    pub place: String,
}

impl Choice {
    /// Creates a choice outside of groups.
    pub fn new(key: impl Into<String>, relative: Relative) -> Self {
        Self { key: key.into(), relative, place: String::new() }
    }

    /// True if the condition is inside a group.
    pub fn is_grouped(&self) -> bool {
        !self.place.is_empty()
    }

    /// Equivalent absolute conditions; empty if a date is out of range.
    pub fn rows(&self, anchor: &Anchor) -> Vec<Row> {
        let is_date = find(&self.key).is_some_and(|field| field.kind == Kind::Date);
        let bounds = match self.relative {
            Relative::LastHours(count) => {
                let hours = TimeDelta::hours(count.into());
                anchor
                    .now
                    .checked_sub_signed(hours)
                    .map(|from| vec![(Operator::Gte, moment(from)), (Operator::Lte, moment(anchor.now))])
            }
            relative => anchor.days(relative).and_then(|(from, till)| {
                let bound = |operator, date: Option<NaiveDate>| match date {
                    None => Some(None),
                    Some(date) if is_date => Some(Some((operator, date.to_string()))),
                    Some(date) => Some(Some((operator, moment((anchor.first_moment)(date)?)))),
                };
                Some([bound(Operator::Gte, from)?, bound(Operator::Lt, till)?].into_iter().flatten().collect())
            }),
        };
        let row = |(operator, value)| Row { key: self.key.clone(), operator, values: vec![value] };
        bounds.unwrap_or_default().into_iter().map(row).collect()
    }
}

/// Time and time zone in which a filter is run.
#[derive(Clone, Debug)]
pub struct Anchor {
    pub now: Timestamp,
    /// Current date in the time zone.
    pub today: NaiveDate,
    /// Name of the time zone, for display.
    pub zone: String,
    /// Start of a day in the time zone; `None` if the date is out of range.
    pub first_moment: fn(NaiveDate) -> Option<Timestamp>,
}

impl Anchor {
    /// A fixed anchor, to compare filters with relative dates.
    pub fn fixed() -> Self {
        let first_moment = |date: NaiveDate| Some(date.and_time(NaiveTime::MIN).and_utc());
        let now = Timestamp::UNIX_EPOCH;
        Self { now, today: now.date_naive(), zone: "UTC".to_owned(), first_moment }
    }

    /// First day of the range and the day after the last one.
    fn days(&self, relative: Relative) -> Option<(Option<NaiveDate>, Option<NaiveDate>)> {
        let today = self.today;
        let back = |count: u32| today.checked_sub_days(Days::new(count.into()));
        let tomorrow = today.succ_opt();
        Some(match relative {
            Relative::Today => (Some(today), tomorrow),
            Relative::Yesterday => (Some(back(1)?), Some(today)),
            Relative::LastDays(count) => (Some(back(count.saturating_sub(1))?), tomorrow),
            Relative::ThisWeek => {
                let monday = back(today.weekday().num_days_from_monday())?;
                (Some(monday), Some(monday.checked_add_days(Days::new(7))?))
            }
            Relative::ThisMonth => {
                let first = today.with_day(1)?;
                (Some(first), Some(first.checked_add_months(chrono::Months::new(1))?))
            }
            Relative::BeforeDays(count) => (None, Some(back(count)?)),
            Relative::AfterDays(count) => (Some(back(count)?.succ_opt()?), None),
            Relative::LastHours(_) => return None,
        })
    }
}

/// Formats a time for a filter, such as `2026-05-14 09:30:00`. Fractions of a second are dropped.
pub fn moment(at: Timestamp) -> String {
    at.format("%Y-%m-%d %H:%M:%S").to_string()
}

/// Encodes choices for an address, such as `created_at:last-7-days,/_or/0/callback_at:today`. A choice is identified by its
/// key, or by its JSON Pointer inside a group.
pub fn to_text(choices: &[Choice]) -> String {
    let one = |choice: &Choice| {
        let place = if choice.is_grouped() { &choice.place } else { &choice.key };
        format!("{place}:{}", choice.relative.name())
    };
    choices.iter().map(one).collect::<Vec<_>>().join(",")
}

/// Parses choices from an address. Invalid ones are dropped.
pub fn from_text(text: &str) -> Vec<Choice> {
    let one = |part: &str| {
        let (place, name) = part.split_once(':')?;
        let relative = Relative::from_name(name)?;
        let (group, key) = place.rsplit_once('/').unwrap_or_default();
        let (key, place) = if group.is_empty() { (place, "") } else { (key, place) };
        let fits = find(key).is_some_and(|field| relative.fits(field.kind));
        fits.then(|| Choice { key: key.to_owned(), relative, place: place.to_owned() })
    };
    let mut choices: Vec<Choice> = Vec::new();
    for choice in text.split(',').filter_map(one) {
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    choices
}

/// Describes the choices, such as `created in the last 7 days and callback today, Europe/Berlin time`; `None` if there are none.
pub fn explain(choices: &[Choice], zone: &str) -> Option<String> {
    let label = |key: &str| find(key).map_or_else(|| key.to_owned(), |field| field.label_in_sentence(language()));
    let each = choices.iter().map(|choice| filter::field_is(label(&choice.key), choice.relative.words()));
    each.reduce(filter::and).map(|all| filter::in_zone(all, zone))
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::time;
    use leadscribe_engine::zone::Zone;

    use super::*;

    /// In Berlin it is Thursday 00:30, in UTC still Wednesday.
    const NIGHT: &str = "2026-05-13T22:30:05.25Z";

    fn berlin(now: &str) -> Anchor {
        let now = time::parse(now).unwrap();
        let first_moment = |date: NaiveDate| {
            let midnight = date.and_time(NaiveTime::MIN);
            Some(midnight.and_local_timezone(Zone::find("Europe/Berlin")?).earliest()?.to_utc())
        };
        let zone = Zone::find("Europe/Berlin").unwrap();
        Anchor { now, today: now.with_timezone(&zone).date_naive(), zone: zone.name().to_owned(), first_moment }
    }

    fn utc(now: &str) -> Anchor {
        let now = time::parse(now).unwrap();
        Anchor { now, today: now.date_naive(), ..Anchor::fixed() }
    }

    fn told(key: &str, name: &str, anchor: &Anchor) -> String {
        let choice = Choice::new(key, Relative::from_name(name).unwrap());
        let rows = choice.rows(anchor);
        rows.iter().map(|row| format!("{} {}", row.operator.as_str(), row.values[0])).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn resolves_relative_dates_in_the_time_zone() {
        let berlin = berlin(NIGHT);
        for (name, expected) in [
            ("today", "gte 2026-05-13 22:00:00, lt 2026-05-14 22:00:00"),
            ("yesterday", "gte 2026-05-12 22:00:00, lt 2026-05-13 22:00:00"),
            ("last-1-days", "gte 2026-05-13 22:00:00, lt 2026-05-14 22:00:00"),
            ("last-7-days", "gte 2026-05-07 22:00:00, lt 2026-05-14 22:00:00"),
            ("last-24-hours", "gte 2026-05-12 22:30:05, lte 2026-05-13 22:30:05"),
            ("this-week", "gte 2026-05-10 22:00:00, lt 2026-05-17 22:00:00"),
            ("this-month", "gte 2026-04-30 22:00:00, lt 2026-05-31 22:00:00"),
            ("before-3-days", "lt 2026-05-10 22:00:00"),
            ("after-3-days", "gte 2026-05-11 22:00:00"),
        ] {
            assert_eq!(told("created_at", name, &berlin), expected, "{name}");
        }
        assert_eq!(told("created_at", "today", &utc(NIGHT)), "gte 2026-05-13 00:00:00, lt 2026-05-14 00:00:00");
    }

    #[test]
    fn compares_calendar_dates_with_dates() {
        let berlin = berlin(NIGHT);
        assert_eq!(told("purchase_date", "this-month", &berlin), "gte 2026-05-01, lt 2026-06-01");
        assert_eq!(told("purchase_date", "before-1-days", &berlin), "lt 2026-05-13");
    }

    #[test]
    fn weeks_begin_on_monday_and_days_follow_dst() {
        // The Sunday on which clocks in Berlin went from 02:00 to 03:00.
        let sunday = berlin("2026-03-29T12:00:00Z");
        assert_eq!(told("created_at", "this-week", &sunday), "gte 2026-03-22 23:00:00, lt 2026-03-29 22:00:00");
        assert_eq!(told("created_at", "today", &sunday), "gte 2026-03-28 23:00:00, lt 2026-03-29 22:00:00");
        let monday = berlin("2026-03-30T12:00:00Z");
        assert_eq!(told("created_at", "this-week", &monday), "gte 2026-03-29 22:00:00, lt 2026-04-05 22:00:00");
    }

    #[test]
    fn addresses_round_trip_and_reject_invalid_choices() {
        for one in Relative::ALL {
            assert_eq!(Relative::from_name(&one.name()), Some(one));
        }
        for name in [
            "",
            "tomorrow",
            "last-0-days",
            "last--1-days",
            "last-+1-days",
            "last-days",
            "last-3651-days",
            "last-#-days",
        ] {
            assert_eq!(Relative::from_name(name), None, "{name}");
        }
        let text =
            "created_at:last-14-days,callback_at:today,/_or/0/created_at:this-week,/_and/1/_or/0/birthdate:today";
        assert_eq!(to_text(&from_text(text)), text);
        assert_eq!(from_text(text)[2].key, "created_at");
        let odd = "created_at:today,created_at:today,city:today,nothing:today,purchase_date:last-3-hours,created_at,:,/city:today,/:today,//created_at";
        assert_eq!(to_text(&from_text(odd)), "created_at:today");
    }

    #[test]
    fn explains_choices_in_words() {
        let choices = from_text("created_at:last-1-days,callback_at:before-2-days");
        let expected = "created in the last day and callback more than 2 days ago, Europe/Berlin time";
        assert_eq!(explain(&choices, "Europe/Berlin").as_deref(), Some(expected));
        assert_eq!(explain(&[], "Europe/Berlin"), None);
    }
}
