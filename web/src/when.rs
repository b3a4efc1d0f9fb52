//! Moments as people read them: in the browser's time zone, or how far away they are.

use chrono::{Datelike, NaiveDate};
use js_sys::Date;
use js_sys::Intl::DateTimeFormat;
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::day;
use wasm_bindgen::JsValue;

use crate::relative::Anchor;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Now, by the browser's clock; good for showing, never for deciding.
pub fn now() -> Timestamp {
    Timestamp::from_timestamp_millis(Date::now() as i64).unwrap_or_default()
}

/// `14 May 2026, 09:30` in the browser's time zone; without the year when it is this one.
pub fn local(at: Timestamp) -> String {
    let date = date(at);
    let month = MONTHS[date.get_month() as usize % 12];
    let clock = format!("{:02}:{:02}", date.get_hours(), date.get_minutes());
    if date.get_full_year() == Date::new_0().get_full_year() {
        format!("{} {month}, {clock}", date.get_date())
    } else {
        format!("{} {month} {}, {clock}", date.get_date(), date.get_full_year())
    }
}

/// `14 May`.
pub fn day(date: NaiveDate) -> String {
    format!("{} {}", date.day(), MONTHS[date.month0() as usize])
}

/// `Thursday, 14 May` in the browser's time zone.
pub fn today() -> String {
    const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    let date = Date::new_0();
    let (day, month) = (date.get_day() as usize % 7, date.get_month() as usize % 12);
    format!("{}, {} {}", DAYS[day], date.get_date(), MONTHS[month])
}

/// The browser's time zone by its name in the IANA database, `UTC` where that isn't known.
pub fn time_zone() -> String {
    let options = DateTimeFormat::new(&js_sys::Array::new(), &js_sys::Object::new()).resolved_options();
    let name = js_sys::Reflect::get(&options, &"timeZone".into()).ok().and_then(|name| name.as_string());
    name.filter(|name| day::is_time_zone(name)).unwrap_or_else(|| "UTC".to_owned())
}

/// Now and here, for relative dates.
pub fn anchor() -> Anchor {
    let here = Date::new_0();
    let today = NaiveDate::from_ymd_opt(here.get_full_year() as i32, here.get_month() + 1, here.get_date());
    let now = now();
    Anchor { now, today: today.unwrap_or_else(|| now.date_naive()), zone: time_zone(), first_moment }
}

/// When a day begins by the browser's clock; where that is set forward at midnight, the moment to which it is set.
fn first_moment(date: NaiveDate) -> Option<Timestamp> {
    let year = u32::try_from(date.year()).ok()?;
    let midnight = Date::new_with_year_month_day(year, date.month0() as i32, date.day() as i32);
    Timestamp::from_timestamp_millis(midnight.get_time() as i64)
}

/// `2026-05-14 09:30:05 UTC`: the exact value, for titles.
pub fn exact(at: Timestamp) -> String {
    at.format("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// `in 3 h`, `2 days ago`.
pub fn relative(at: Timestamp) -> String {
    let seconds = (at - now()).num_seconds();
    let away = seconds.unsigned_abs();
    let (count, unit) = match away {
        0..45 => return "now".to_owned(),
        45..3_600 => ((away + 30) / 60, "min"),
        3_600..86_400 => ((away + 1_800) / 3_600, "h"),
        86_400..5_184_000 => ((away + 43_200) / 86_400, "day"),
        5_184_000..63_072_000 => ((away + 1_314_900) / 2_629_800, "month"),
        _ => ((away + 15_778_800) / 31_557_600, "year"),
    };
    let plural = if count == 1 || matches!(unit, "min" | "h") { "" } else { "s" };
    if seconds > 0 { format!("in {count} {unit}{plural}") } else { format!("{count} {unit}{plural} ago") }
}

/// How long ago: `2 min`, `a moment`.
pub fn since(at: Timestamp) -> String {
    relative(at.min(now())).strip_suffix(" ago").map_or_else(|| "a moment".to_owned(), str::to_owned)
}

/// `1:05:09`, `3:07`, `0:04`.
pub fn length(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// `12,345`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 lead`, `5,012 leads`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// What an `<input type="datetime-local">` shows of `2026-05-14 09:30:00` or `2026-05-14T09:30:00Z`.
pub fn to_input(text: &str) -> String {
    text.trim().trim_end_matches('Z').replacen(' ', "T", 1)
}

/// `2026-05-14 09:30:00` from what an `<input type="datetime-local">` holds, to the second or to the minute.
pub fn from_input(value: &str) -> String {
    let text = value.replacen('T', " ", 1);
    if text.len() == "2026-05-14 09:30".len() { format!("{text}:00") } else { text }
}

fn date(at: Timestamp) -> Date {
    Date::new(&JsValue::from_f64(at.timestamp_millis() as f64))
}
