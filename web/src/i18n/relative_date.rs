//! Relative dates such as the last 7 days, resolved in a time zone.
//!
//! The filter language has absolute times only. A relative date is resolved when a filter is run. URLs keep the
//! relative date, so a link always shows the last 7 days before it is opened.

use chrono::{Datelike, Days, NaiveDate, NaiveTime, TimeDelta};
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::Operator;
use leadscribe_engine::filter::fields::{Kind, find};
use leadscribe_engine::filter::form::FormRow;

use crate::i18n::language;
use crate::i18n::texts::filter;

/// Maximum number of days or hours to count back: ten years of days.
pub const MAX_COUNT: u32 = 3_650;

/// A relative date. Days start at midnight, weeks on Monday.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelativeDate {
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

impl RelativeDate {
    /// All relative dates with their default numbers.
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

    /// Pattern in a URL; `#` stands for the number.
    pub const fn pattern(self) -> &'static str {
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

    /// Label in the list of relative dates; the number has a separate input.
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
    pub fn text(self) -> String {
        match self {
            Self::LastDays(count) => filter::last_days(count.into()),
            Self::LastHours(count) => filter::last_hours(count.into()),
            Self::BeforeDays(count) => filter::before_days(count.into()),
            Self::AfterDays(count) => filter::after_days(count.into()),
            _ => self.label().to_owned(),
        }
    }

    /// Number of days or hours, if there is one.
    pub fn count(mut self) -> Option<u32> {
        self.count_mut().copied()
    }

    /// The same relative date with another number, from 1 to [`MAX_COUNT`].
    pub fn with_count(mut self, count: u32) -> Self {
        if let Some(current) = self.count_mut() {
            *current = count;
        }
        self
    }

    /// The same relative date with the number of `previous`, if both count the same unit.
    pub fn with_count_of(self, previous: Self) -> Self {
        let counts_hours = |relative: Self| matches!(relative, Self::LastHours(_));
        let count = previous.count().filter(|_| counts_hours(self) == counts_hours(previous));
        count.map_or(self, |count| self.with_count(count))
    }

    const fn count_mut(&mut self) -> Option<&mut u32> {
        match self {
            Self::LastDays(count) | Self::LastHours(count) | Self::BeforeDays(count) | Self::AfterDays(count) => {
                Some(count)
            }
            _ => None,
        }
    }

    /// True if a field of this kind can be compared with it. A calendar date has no hours.
    pub const fn can_compare(self, kind: Kind) -> bool {
        match kind {
            Kind::DateTime => true,
            Kind::Date => !matches!(self, Self::LastHours(_)),
            _ => false,
        }
    }

    /// Name in a URL, such as `last-7-days`.
    pub fn url_name(self) -> String {
        self.pattern().replace('#', &self.count().map(|count| count.to_string()).unwrap_or_default())
    }

    /// Parses a name from a URL.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find_map(|candidate| match candidate.pattern().split_once('#') {
            None => (candidate.pattern() == name).then_some(candidate),
            Some((prefix, suffix)) => {
                let digits = name.strip_prefix(prefix)?.strip_suffix(suffix)?;
                let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
                let count = digits.parse().ok().filter(|count| is_plain && (1..=MAX_COUNT).contains(count))?;
                Some(candidate.with_count(count))
            }
        })
    }
}

/// A field that is compared with a relative date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelativeCondition {
    /// Key of the field.
    pub key: String,
    pub relative: RelativeDate,
    /// JSON Pointer to the condition in the filter if it is inside a group; empty otherwise.
    pub pointer: String,
}

impl RelativeCondition {
    /// Creates a condition outside of groups.
    pub fn new(key: impl Into<String>, relative: RelativeDate) -> Self {
        Self { key: key.into(), relative, pointer: String::new() }
    }

    /// True if the condition is inside a group.
    pub fn is_grouped(&self) -> bool {
        !self.pointer.is_empty()
    }

    /// Equivalent absolute conditions; empty if a date is out of range.
    pub fn rows(&self, anchor: &Anchor) -> Vec<FormRow> {
        let is_date = find(&self.key).is_some_and(|field| field.kind == Kind::Date);
        let bounds = match self.relative {
            RelativeDate::LastHours(count) => {
                let hours = TimeDelta::hours(count.into());
                anchor.now.checked_sub_signed(hours).map(|start| {
                    vec![(Operator::Gte, format_filter_time(start)), (Operator::Lte, format_filter_time(anchor.now))]
                })
            }
            relative => anchor.days(relative).and_then(|(start, end)| {
                let to_bound = |operator, date: Option<NaiveDate>| match date {
                    None => Some(None),
                    Some(date) if is_date => Some(Some((operator, date.to_string()))),
                    Some(date) => Some(Some((operator, format_filter_time((anchor.start_of_day)(date)?)))),
                };
                Some([to_bound(Operator::Gte, start)?, to_bound(Operator::Lt, end)?].into_iter().flatten().collect())
            }),
        };
        let row = |(operator, value)| FormRow { key: self.key.clone(), operator, values: vec![value] };
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
    pub time_zone: String,
    /// Start of a day in the time zone; `None` if the date is out of range.
    pub start_of_day: fn(NaiveDate) -> Option<Timestamp>,
}

impl Anchor {
    /// A fixed anchor, to compare filters with relative dates.
    pub fn fixed() -> Self {
        let start_of_day = |date: NaiveDate| Some(date.and_time(NaiveTime::MIN).and_utc());
        let now = Timestamp::UNIX_EPOCH;
        Self { now, today: now.date_naive(), time_zone: "UTC".to_owned(), start_of_day }
    }

    /// First day of the range and the day after the last one.
    fn days(&self, relative: RelativeDate) -> Option<(Option<NaiveDate>, Option<NaiveDate>)> {
        let today = self.today;
        let days_ago = |count: u32| today.checked_sub_days(Days::new(count.into()));
        let tomorrow = today.succ_opt();
        Some(match relative {
            RelativeDate::Today => (Some(today), tomorrow),
            RelativeDate::Yesterday => (Some(days_ago(1)?), Some(today)),
            RelativeDate::LastDays(count) => (Some(days_ago(count.saturating_sub(1))?), tomorrow),
            RelativeDate::ThisWeek => {
                let monday = days_ago(today.weekday().num_days_from_monday())?;
                (Some(monday), Some(monday.checked_add_days(Days::new(7))?))
            }
            RelativeDate::ThisMonth => {
                let first_of_month = today.with_day(1)?;
                (Some(first_of_month), Some(first_of_month.checked_add_months(chrono::Months::new(1))?))
            }
            RelativeDate::BeforeDays(count) => (None, Some(days_ago(count)?)),
            RelativeDate::AfterDays(count) => (Some(days_ago(count)?.succ_opt()?), None),
            RelativeDate::LastHours(_) => return None,
        })
    }
}

/// Formats a time for a filter, such as `2026-05-14 09:30:00`. Fractions of a second are dropped.
pub fn format_filter_time(at: Timestamp) -> String {
    at.format("%Y-%m-%d %H:%M:%S").to_string()
}

/// Encodes conditions for a URL, such as `created_at:last-7-days,/_or/0/callback_at:today`. A condition is identified
/// by its key, or by its JSON Pointer inside a group.
pub fn encode(conditions: &[RelativeCondition]) -> String {
    let encode_one = |condition: &RelativeCondition| {
        let location = if condition.is_grouped() { &condition.pointer } else { &condition.key };
        format!("{location}:{}", condition.relative.url_name())
    };
    conditions.iter().map(encode_one).collect::<Vec<_>>().join(",")
}

/// Parses conditions from a URL. Invalid ones are dropped.
pub fn decode(text: &str) -> Vec<RelativeCondition> {
    let decode_one = |part: &str| {
        let (location, name) = part.split_once(':')?;
        let relative = RelativeDate::from_name(name)?;
        let (group, key) = location.rsplit_once('/').unwrap_or_default();
        let (key, location) = if group.is_empty() { (location, "") } else { (key, location) };
        let fits = find(key).is_some_and(|field| relative.can_compare(field.kind));
        fits.then(|| RelativeCondition { key: key.to_owned(), relative, pointer: location.to_owned() })
    };
    let mut conditions: Vec<RelativeCondition> = Vec::new();
    for condition in text.split(',').filter_map(decode_one) {
        if !conditions.contains(&condition) {
            conditions.push(condition);
        }
    }
    conditions
}

/// Describes the conditions, such as `created in the last 7 days and callback today, Europe/Berlin time`; `None` if
/// there are none.
pub fn describe(conditions: &[RelativeCondition], zone: &str) -> Option<String> {
    let label = |key: &str| find(key).map_or_else(|| key.to_owned(), |field| field.label_in_sentence(language()));
    let descriptions =
        conditions.iter().map(|condition| filter::field_is(label(&condition.key), condition.relative.text()));
    descriptions.reduce(filter::and).map(|combined| filter::in_zone(combined, zone))
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::time;
    use leadscribe_engine::zone::Zone;

    use crate::i18n::relative_date::*;

    /// In Berlin it is Thursday 00:30, in UTC still Wednesday.
    const NIGHT: &str = "2026-05-13T22:30:05.25Z";

    fn berlin(now: &str) -> Anchor {
        let now = time::parse(now).unwrap();
        let start_of_day = |date: NaiveDate| {
            let midnight = date.and_time(NaiveTime::MIN);
            Some(midnight.and_local_timezone(Zone::find("Europe/Berlin")?).earliest()?.to_utc())
        };
        let zone = Zone::find("Europe/Berlin").unwrap();
        Anchor { now, today: now.with_timezone(&zone).date_naive(), time_zone: zone.name().to_owned(), start_of_day }
    }

    fn utc(now: &str) -> Anchor {
        let now = time::parse(now).unwrap();
        Anchor { now, today: now.date_naive(), ..Anchor::fixed() }
    }

    fn resolved(key: &str, name: &str, anchor: &Anchor) -> String {
        let condition = RelativeCondition::new(key, RelativeDate::from_name(name).unwrap());
        let rows = condition.rows(anchor);
        rows.iter().map(|row| format!("{} {}", row.operator.as_str(), row.values[0])).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn resolves_relative_dates_in_the_time_zone() {
        let berlin = berlin(NIGHT);
        for (name, expected) in [
            ("today", "gte 2026-05-13 22:00:00, lt 2026-05-14 22:00:00"),
            ("yesterday", "gte 2026-05-12 22:00:00, lt 2026-05-13 22:00:00"),
            ("last-7-days", "gte 2026-05-07 22:00:00, lt 2026-05-14 22:00:00"),
            ("last-24-hours", "gte 2026-05-12 22:30:05, lte 2026-05-13 22:30:05"),
            ("this-week", "gte 2026-05-10 22:00:00, lt 2026-05-17 22:00:00"),
            ("this-month", "gte 2026-04-30 22:00:00, lt 2026-05-31 22:00:00"),
            ("before-3-days", "lt 2026-05-10 22:00:00"),
            ("after-3-days", "gte 2026-05-11 22:00:00"),
        ] {
            assert_eq!(resolved("created_at", name, &berlin), expected, "{name}");
        }
        assert_eq!(resolved("created_at", "today", &utc(NIGHT)), "gte 2026-05-13 00:00:00, lt 2026-05-14 00:00:00");
    }

    #[test]
    fn compares_calendar_dates_with_dates() {
        let berlin = berlin(NIGHT);
        assert_eq!(resolved("purchase_date", "this-month", &berlin), "gte 2026-05-01, lt 2026-06-01");
        assert_eq!(resolved("purchase_date", "before-1-days", &berlin), "lt 2026-05-13");
    }

    #[test]
    fn weeks_begin_on_monday_and_days_follow_dst() {
        // The Sunday on which clocks in Berlin went from 02:00 to 03:00.
        let sunday = berlin("2026-03-29T12:00:00Z");
        assert_eq!(resolved("created_at", "this-week", &sunday), "gte 2026-03-22 23:00:00, lt 2026-03-29 22:00:00");
        assert_eq!(resolved("created_at", "today", &sunday), "gte 2026-03-28 23:00:00, lt 2026-03-29 22:00:00");
        let monday = berlin("2026-03-30T12:00:00Z");
        assert_eq!(resolved("created_at", "this-week", &monday), "gte 2026-03-29 22:00:00, lt 2026-04-05 22:00:00");
    }

    #[test]
    fn url_names_round_trip_and_reject_invalid_dates() {
        for relative_date in RelativeDate::ALL {
            assert_eq!(RelativeDate::from_name(&relative_date.url_name()), Some(relative_date));
        }
        for name in ["", "tomorrow", "last-0-days", "last-+1-days", "last-days", "last-3651-days", "last-#-days"] {
            assert_eq!(RelativeDate::from_name(name), None, "{name}");
        }
        let text =
            "created_at:last-14-days,callback_at:today,/_or/0/created_at:this-week,/_and/1/_or/0/birthdate:today";
        assert_eq!(encode(&decode(text)), text);
        assert_eq!(decode(text)[2].key, "created_at");
        let with_invalid = "created_at:today,created_at:today,city:today,nothing:today,purchase_date:last-3-hours,created_at,:,/city:today,/:today,//created_at";
        assert_eq!(encode(&decode(with_invalid)), "created_at:today");
    }

    #[test]
    fn keeps_the_number_only_for_the_same_unit() {
        let three_days = RelativeDate::LastDays(3);
        assert_eq!(RelativeDate::BeforeDays(30).with_count_of(three_days), RelativeDate::BeforeDays(3));
        assert_eq!(RelativeDate::LastHours(24).with_count_of(three_days), RelativeDate::LastHours(24));
        assert_eq!(RelativeDate::LastDays(7).with_count_of(RelativeDate::LastHours(24)), RelativeDate::LastDays(7));
        assert_eq!(RelativeDate::Today.with_count_of(three_days), RelativeDate::Today);
        assert_eq!(RelativeDate::LastDays(7).with_count_of(RelativeDate::Today), RelativeDate::LastDays(7));
    }

    #[test]
    fn describes_conditions_in_words() {
        let conditions = decode("created_at:last-1-days,callback_at:before-2-days");
        let expected = "created today and callback more than 2 days ago, Europe/Berlin time";
        assert_eq!(describe(&conditions, "Europe/Berlin").as_deref(), Some(expected));
        assert_eq!(describe(&[], "Europe/Berlin"), None);
    }
}
