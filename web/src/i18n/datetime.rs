//! Formats dates, times, durations and numbers in the panel's language. Times are in the browser's time zone or
//! relative to now.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeDelta};
use js_sys::Intl::{DateTimeFormat, NumberFormat, RelativeTimeFormat};
use js_sys::{Array, Date, Function, Object, Reflect};
use leadscribe_engine::api::{Timestamp, Weekday};
use leadscribe_engine::callable::LocalClock;
use leadscribe_engine::wording::format_integer;
use leadscribe_engine::{day, time};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

use crate::browser::dom::listen_on_window;
use crate::i18n::locale::format_tag;
use crate::i18n::relative_date::Anchor;
use crate::i18n::texts::common;
use crate::i18n::{Language, language};

/// Current time of the browser's clock. For display only; the clock may be wrong.
pub fn now() -> Timestamp {
    Timestamp::from_timestamp_millis(Date::now() as i64).unwrap_or_default()
}

thread_local! {
    static MINUTE_TICK: ArcTrigger = ArcTrigger::new();
    // Creating a formatter takes longer than using it, so they are cached.
    static THIS_YEAR_FORMAT: DateTimeFormat = date_formatter(&[DAY, MONTH, HOUR, MINUTE]);
    static OTHER_YEAR_FORMAT: DateTimeFormat = date_formatter(&[DAY, MONTH, YEAR, HOUR, MINUTE]);
    static DATE_FORMAT: DateTimeFormat = date_formatter(&[DAY, MONTH, YEAR, ("timeZone", "UTC")]);
    static DAY_FORMAT: DateTimeFormat = date_formatter(&[DAY, MONTH, ("timeZone", "UTC")]);
    static UNIT_FORMATS: RefCell<BTreeMap<&'static str, Function>> = const { RefCell::new(BTreeMap::new()) };
    static RELATIVE_FORMAT: RelativeTimeFormat = RelativeTimeFormat::new(&locale(), &intl_options(&[("style", "long")]));
}

const DAY: (&str, &str) = ("day", "numeric");
const MONTH: (&str, &str) = ("month", "short");
const YEAR: (&str, &str) = ("year", "numeric");
const HOUR: (&str, &str) = ("hour", "2-digit");
const MINUTE: (&str, &str) = ("minute", "2-digit");

/// Starts the minute timer that updates relative times. They are also updated when the page becomes visible again. Call
/// once.
pub fn start_minute_timer() {
    let tick = || MINUTE_TICK.with(Notify::notify);
    // The browser never refuses a timer.
    let interval = set_interval_with_handle(tick, Duration::from_secs(60)).ok();
    // The event fires on the document and bubbles to the window.
    listen_on_window(ev::visibilitychange, move |_| tick());
    on_cleanup(move || interval.iter().for_each(IntervalHandle::clear));
}

/// Returns the current time and subscribes to the minute timer.
fn now_tracked() -> Timestamp {
    MINUTE_TICK.with(Track::track);
    now()
}

/// Formats a time as `14 May 2026, 09:30` in the browser's time zone. The current year is left out.
pub fn format_local(at: Timestamp) -> String {
    let date = to_js_date(at);
    let is_this_year = date.get_full_year() == Date::new_0().get_full_year();
    (if is_this_year { &THIS_YEAR_FORMAT } else { &OTHER_YEAR_FORMAT }).with(|format| format_with(format, &date))
}

/// Formats a date as `14 May`.
pub fn format_day(date: NaiveDate) -> String {
    DAY_FORMAT.with(|format| format_with(format, &to_js_date(utc_midnight(date))))
}

/// Formats a date as `14 May 2026`.
pub fn format_date(date: NaiveDate) -> String {
    DATE_FORMAT.with(|format| format_with(format, &to_js_date(utc_midnight(date))))
}

fn utc_midnight(date: NaiveDate) -> Timestamp {
    date.and_time(NaiveTime::MIN).and_utc()
}

/// Formats the current date as `Thursday, 14 May` in the browser's time zone.
pub fn format_today() -> String {
    format_with(&date_formatter(&[("weekday", "long"), DAY, ("month", "long")]), &to_js_date(now_tracked()))
}

/// Returns the browser's time zone by its IANA name; `UTC` if it is unknown.
pub fn time_zone() -> String {
    let options = DateTimeFormat::new(&Array::new(), &Object::new()).resolved_options();
    let name = Reflect::get(&options, &"timeZone".into()).ok().and_then(|name| name.as_string());
    name.filter(|name| day::is_time_zone(name)).unwrap_or_else(|| "UTC".to_owned())
}

/// Anchor for relative dates: now, in the browser's time zone.
pub fn anchor_now() -> Anchor {
    anchor_at(now())
}

/// Anchor for relative dates at another time, in the browser's time zone.
pub fn anchor_at(now: Timestamp) -> Anchor {
    let local_date = to_js_date(now);
    let today =
        NaiveDate::from_ymd_opt(local_date.get_full_year() as i32, local_date.get_month() + 1, local_date.get_date());
    Anchor { now, today: today.unwrap_or_else(|| now.date_naive()), time_zone: time_zone(), start_of_day }
}

/// Start of a day in the browser's time zone. If clocks go forward at midnight, it is the time after the change.
fn start_of_day(date: NaiveDate) -> Option<Timestamp> {
    let year = u32::try_from(date.year()).ok()?;
    let midnight = Date::new_with_year_month_day(year, date.month0() as i32, date.day() as i32);
    Timestamp::from_timestamp_millis(midnight.get_time() as i64)
}

/// Local time in a time zone; `None` if the browser doesn't know the zone. Uses the browser's time zone database,
/// because bundling one would make the module much larger.
pub fn local_clock(zone: &str, at: Timestamp) -> Option<LocalClock<'_>> {
    let parts =
        [YEAR, ("month", "2-digit"), ("day", "2-digit"), HOUR, MINUTE, ("hourCycle", "h23"), ("timeZone", zone)];
    let date = to_js_date(at);
    // Called through `Reflect`, so that an unknown zone returns an error instead of throwing.
    let to_locale_string: Function = Reflect::get(&date, &"toLocaleString".into()).ok()?.dyn_into().ok()?;
    let written = to_locale_string.call2(&date, &SORTABLE_LOCALE.into(), &intl_options(&parts)).ok()?.as_string()?;
    let mut numbers = written.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse::<u32>().ok());
    let (year, month, day) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let date = NaiveDate::from_ymd_opt(year.try_into().ok()?, month, day)?;
    let time = NaiveTime::from_hms_opt(numbers.next()?, numbers.next()?, 0)?;
    Some(LocalClock { time, day: Weekday::ALL[date.weekday().num_days_from_monday() as usize], zone })
}

/// Tag of a language that writes dates from year to minute.
const SORTABLE_LOCALE: &str = "sv-SE";

/// Formats the exact time for tooltips, such as `2026-05-14 09:30:05 UTC`.
pub fn format_exact(at: Timestamp) -> String {
    at.format("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// Formats a time relative to now, such as `in 3 h` or `2 days ago`.
pub fn format_relative(at: Timestamp) -> String {
    let seconds = (at - now_tracked()).num_seconds();
    let is_future = seconds > 0;
    let Some((count, unit)) = round_to_unit(seconds.unsigned_abs()) else {
        return if is_future { common::now() } else { common::just_now() }.to_owned();
    };
    match format_hours_or_minutes(count, unit) {
        Some(duration) if is_future => common::in_duration(duration),
        Some(duration) => common::duration_ago(duration),
        None => {
            let count = if is_future { count as f64 } else { -(count as f64) };
            RELATIVE_FORMAT.with(|format| String::from(format.format(count, unit)))
        }
    }
}

/// True if [`format_relative`] shows the time as in the future.
pub fn is_future(at: Timestamp) -> bool {
    let seconds = (at - now_tracked()).num_seconds();
    seconds > 0 && round_to_unit(seconds.unsigned_abs()).is_some()
}

/// True if the time has passed.
pub fn is_past(at: Timestamp) -> bool {
    at <= now_tracked()
}

/// Formats the distance of a time from now without direction: `2 min`, `3 days`, `< 1 min`.
pub fn format_distance(at: Timestamp) -> String {
    let Some((count, unit)) = round_to_unit((at - now_tracked()).num_seconds().unsigned_abs()) else {
        return common::less_than_a_minute().to_owned();
    };
    if let Some(duration) = format_hours_or_minutes(count, unit) {
        return duration;
    }
    let written = UNIT_FORMATS.with_borrow_mut(|units| {
        let format = units.entry(unit).or_insert_with(|| {
            let unit = intl_options(&[("style", "unit"), ("unit", unit), ("unitDisplay", "long")]);
            NumberFormat::new(&locale(), &unit).format()
        });
        format.call1(&JsValue::UNDEFINED, &JsValue::from_f64(count as f64)).ok()
    });
    written.and_then(|written| written.as_string()).unwrap_or_default()
}

/// Formats a duration in hours or minutes with the abbreviations of the catalog, which differ from those of `Intl`.
/// Returns `None` for longer units.
fn format_hours_or_minutes(count: u64, unit: &str) -> Option<String> {
    match unit {
        "hour" => Some(common::hours(count)),
        "minute" => Some(common::minutes(count)),
        _ => None,
    }
}

/// Rounds seconds to the largest fitting unit, by its name in `Intl`; `None` below 45 seconds.
const fn round_to_unit(seconds: u64) -> Option<(u64, &'static str)> {
    Some(match seconds {
        0..45 => return None,
        45..3_600 => ((seconds + 30) / 60, "minute"),
        3_600..86_400 => ((seconds + 1_800) / 3_600, "hour"),
        86_400..5_184_000 => ((seconds + 43_200) / 86_400, "day"),
        5_184_000..63_072_000 => ((seconds + 1_314_900) / 2_629_800, "month"),
        _ => ((seconds + 15_778_800) / 31_557_600, "year"),
    })
}

/// Formats a duration as `1:05:09`, `3:07` or `0:04`. Seconds are rounded down, as in media players.
pub fn format_duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).floor() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// Formats a duration as `1 h 5 min`, `7 min 12 s` or `4 s`, for places without a column header.
pub fn format_duration_in_words(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, seconds) => common::seconds(seconds),
        (0, minutes, seconds) => format!("{} {}", common::minutes(minutes), common::seconds(seconds)),
        (hours, minutes, _) => format!("{} {}", common::hours(hours), common::minutes(minutes)),
    }
}

/// Formats a number with thousands separators, such as `12,345`.
pub fn format_count(number: u64) -> String {
    format_integer(number, language())
}

/// Formats a number with one decimal, such as `1.5`.
pub fn format_tenths(number: f64) -> String {
    let text = format!("{number:.1}");
    match language() {
        Language::English => text,
        Language::German => text.replace('.', ","),
    }
}

/// Converts a time of a filter to the value of an `<input type="datetime-local">` in the browser's time zone, to the
/// second. Returns an empty string if the text isn't a time.
pub fn filter_to_input(text: &str) -> String {
    let at = Date::new(&to_browser_format(text).into());
    if at.get_time().is_nan() { String::new() } else { format!("{}:{:02}", format_input_minute(&at), at.get_seconds()) }
}

/// Converts the value of an `<input type="datetime-local">` to a time of a filter, `2026-05-14 09:30:00` in UTC. Other
/// text is returned unchanged.
pub fn filter_from_input(value: &str) -> String {
    let time_text = from_local_input(value);
    match time_text.strip_suffix(".000Z") {
        Some(whole) => whole.replacen('T', " ", 1),
        None => time_text,
    }
}

/// Converts a date or time of a filter to a form that browsers parse.
fn to_browser_format(text: &str) -> String {
    let text = text.trim().replacen(' ', "T", 1);
    let (is_date, has_zone) = (text.len() == "2026-05-14".len(), text.len() > "2026-05-14T09:30:00".len());
    if is_date || has_zone { text } else { text + "Z" }
}

/// Formats a time as `1 May 2026, 11:30` in the browser's time zone, with its fraction of a second. Adds `UTC` if that
/// is the time zone.
pub fn describe_local(at: Timestamp) -> String {
    let zone = if time_zone() == "UTC" { " UTC" } else { "" };
    let offset = TimeDelta::minutes(to_js_date(at).get_timezone_offset() as i64);
    time::describe_local((at - offset).naive_utc(), language()) + zone
}

/// Converts an RFC 3339 time to the value of an `<input type="datetime-local">` in the browser's time zone, to the
/// minute. Other text is returned unchanged.
pub fn to_local_input(text: &str) -> String {
    let Ok(at) = DateTime::parse_from_rfc3339(text) else { return text.to_owned() };
    format_input_minute(&to_js_date(at.to_utc()))
}

fn format_input_minute(at: &Date) -> String {
    let (day, time) = ((at.get_full_year(), at.get_month() + 1, at.get_date()), (at.get_hours(), at.get_minutes()));
    format!("{:04}-{:02}-{:02}T{:02}:{:02}", day.0, day.1, day.2, time.0, time.1)
}

/// Converts the value of an `<input type="datetime-local">` in the browser's time zone to RFC 3339. Empty and invalid
/// values are returned unchanged.
pub fn from_local_input(value: &str) -> String {
    let at = Date::new(&value.into());
    if value.is_empty() || at.get_time().is_nan() { value.to_owned() } else { at.to_iso_string().into() }
}

fn to_js_date(at: Timestamp) -> Date {
    Date::new(&JsValue::from_f64(at.timestamp_millis() as f64))
}

fn locale() -> Array {
    Array::of1(&format_tag(language()).into())
}

fn intl_options(options: &[(&str, &str)]) -> Object {
    let object = Object::new();
    for (name, value) in options {
        // A plain object accepts every member.
        let _ = Reflect::set(&object, &(*name).into(), &(*value).into());
    }
    object
}

fn date_formatter(parts: &[(&str, &str)]) -> DateTimeFormat {
    DateTimeFormat::new(&locale(), &intl_options(parts))
}

fn format_with(format: &DateTimeFormat, date: &Date) -> String {
    let written = format.format().call1(&JsValue::UNDEFINED, date).ok();
    written.and_then(|written| written.as_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::i18n::datetime::*;
    use crate::i18n::locale::set_language;

    #[test]
    fn duration_in_words_has_units() {
        let texts = [0.0, 3.6, 60.0, 431.7, 3_599.4, 3_600.0, 3_909.0].map(format_duration_in_words);
        assert_eq!(texts, ["0 s", "4 s", "1 min 0 s", "7 min 12 s", "59 min 59 s", "1 h 0 min", "1 h 5 min"]);
        set_language(Language::German);
        assert_eq!([431.7, 7_500.0].map(format_duration_in_words), ["7 Min. 12 Sek.", "2 Std. 5 Min."]);
    }
}
