//! Query of a request: decoded once, then read by name. All faults are reported together.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use leadscribe_engine::api::{ListOrder, Order, Timestamp};
use leadscribe_engine::diagnostic::{Diagnostic, Message, Place};
use leadscribe_engine::suggest;
use serde::Deserialize;

use super::problem::{Code, Refusal};
use super::request::{not_an_id, parse_id};
use crate::storage::Slice;

/// Number of entries in a list without `limit`.
const DEFAULT_COUNT: u32 = 100;

/// The decoded query.
#[derive(Clone, Debug, Default)]
pub struct Query {
    pairs: Vec<(String, String)>,
    /// Names of parameters whose raw value contained a `+`, which is decoded as a space.
    with_plus: Vec<String>,
}

impl Query {
    /// Decodes `name=value&…`, where `+` is a space and `%` introduces a byte of UTF-8.
    ///
    /// # Errors
    /// 400 for invalid percent-encoding or UTF-8.
    pub fn parse(raw: &str) -> Result<Self, Refusal> {
        let parts = raw.split('&').filter(|part| !part.is_empty());
        let mut query = Self::default();
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let name = decode(&name.replace('+', " "), "query")?;
            if value.contains('+') {
                query.with_plus.push(name.clone());
            }
            query.pairs.push((name, decode(&value.replace('+', " "), "query")?));
        }
        Ok(query)
    }

    /// All names and values, in order.
    pub fn pairs(&self) -> &[(String, String)] {
        &self.pairs
    }

    /// Names of parameters whose raw value contained a `+`, which is decoded as a space.
    pub fn with_plus(&self) -> &[String] {
        &self.with_plus
    }

    /// Refuses names that are not in `known`.
    ///
    /// # Errors
    /// 400 with a fault for each unknown name and the nearest known name.
    pub fn only(&self, known: &[&str]) -> Result<(), Refusal> {
        let unknown = self.pairs.iter().map(|(name, _)| name).filter(|name| !known.contains(&name.as_str()));
        let faults: Vec<_> = unknown.map(|name| unknown_parameter(name, known)).collect();
        if faults.is_empty() { Ok(()) } else { Err(Refusal::faults(Code::UnknownParameter, faults)) }
    }

    /// Reads the slice of a query without other parameters to validate; see [`Reader::slice`].
    ///
    /// # Errors
    /// 400 for an invalid `limit`.
    pub fn slice(&self, max: u32) -> Result<Slice, Refusal> {
        self.sole(|reader| reader.slice(max))
    }

    /// Reads the time `name` of a query without other parameters to validate; see [`Reader::time`].
    ///
    /// # Errors
    /// 400 for an invalid time.
    pub fn time(&self, name: &str) -> Result<Option<Timestamp>, Refusal> {
        self.sole(|reader| reader.time(name))
    }

    fn sole<T>(&self, read: impl FnOnce(&mut Reader<'_>) -> T) -> Result<T, Refusal> {
        let mut reader = self.reader();
        let value = read(&mut reader);
        reader.finish()?;
        Ok(value)
    }

    /// Returns a reader for parameters by name. Finish with [`Reader::finish`].
    pub fn reader(&self) -> Reader<'_> {
        Reader { query: self, faults: Vec::new() }
    }
}

fn unknown_parameter(name: &str, known: &[&str]) -> Diagnostic {
    let place = Place::Parameter(name.to_owned());
    let fault = Diagnostic::new(place, "unknown_parameter", format!("unknown parameter {name:?}"));
    let fault = fault.permitted(known.iter().copied());
    fault.suggest_nearest(name, known.iter().copied())
}

/// Decodes percent-encoded UTF-8 in `part` ("path", "query") of the target.
///
/// # Errors
/// 400 for a `%` without two hexadecimal digits, for invalid UTF-8, and for U+0000.
pub fn decode(text: &str, part: &str) -> Result<String, Refusal> {
    let whole = text.split('%').skip(1).all(|rest| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    });
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8().ok().filter(|_| whole);
    let refuse = |code: &str, detail: String| {
        let place = Place::Parameter(part.to_owned());
        Err(Refusal::fault(Code::InvalidParameter, Diagnostic::new(place, code, detail)))
    };
    match decoded {
        None => refuse("invalid_encoding", format!("the {part} must be percent-encoded UTF-8")),
        // Not every store can hold U+0000 in text.
        Some(text) if text.contains('\0') => {
            refuse("nul_character", format!("expected no U+0000 in the {part}, found one"))
        }
        Some(text) => Ok(text.into_owned()),
    }
}

/// Reads a query by name and collects the faults, so that all of them are reported together.
#[derive(Debug)]
#[must_use = "faults are reported by `finish`"]
pub struct Reader<'a> {
    query: &'a Query,
    faults: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    /// Returns the value of `name`, which may appear once.
    pub fn one(&mut self, name: &str) -> Option<&'a str> {
        let mut values = self.query.pairs.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let first = values.next();
        if values.next().is_some() {
            self.refuse(name, "duplicate_parameter", "this parameter may be given only once");
        }
        first
    }

    /// Returns all values of `name`, which may appear several times.
    pub fn all(&self, name: &str) -> Vec<&'a str> {
        self.query.pairs.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect()
    }

    /// Returns the id in `name`.
    pub fn id<'de, T: Deserialize<'de>>(&mut self, name: &str) -> Option<T> {
        let text = self.one(name)?;
        let id = parse_id(text);
        if id.is_none() {
            self.faults.push(not_an_id(name, text));
        }
        id
    }

    /// Returns all ids in `name`, which may appear several times.
    pub fn ids<'de, T: Deserialize<'de>>(&mut self, name: &str) -> Vec<T> {
        let mut ids = Vec::new();
        for text in self.all(name) {
            match parse_id(text) {
                Some(id) => ids.push(id),
                None => self.faults.push(not_an_id(name, text)),
            }
        }
        ids
    }

    /// Returns a value from a closed list of names, such as `Direction::from_name` with `Direction::names`.
    pub fn named<T>(
        &mut self,
        name: &str,
        from_name: impl Fn(&str) -> Option<T>,
        names: impl Iterator<Item = &'static str> + Clone,
    ) -> Option<T> {
        let text = self.one(name)?;
        let found = from_name(text);
        if found.is_none() {
            let list = names.clone().collect::<Vec<_>>().join(", ");
            let detail = format!("expected one of {list}, found {text:?}");
            let fault = Diagnostic::new(Place::Parameter(name.to_owned()), "not_permitted", detail);
            self.faults.push(fault.permitted(names.clone()).suggest_nearest(text, names));
        }
        found
    }

    /// Returns the order that `order` requests: the name of a field, with a leading `-` to reverse it. Defaults to the list's own order.
    pub fn order<By: ListOrder>(&mut self) -> Order<By> {
        let Some(text) = self.one("order") else { return By::DEFAULT };
        if let Some(order) = Order::from_name(text) {
            return order;
        }
        let names = || By::all().iter().map(|by| by.name());
        let list = names().collect::<Vec<_>>().join(", ");
        let detail = format!("expected one of {list}, or one of them with `-` before it, found {text:?}");
        let permitted: Vec<_> = Order::<By>::names().collect();
        let fault = Diagnostic::new(Place::Parameter("order".to_owned()), "not_permitted", detail);
        let (sign, name) = text.strip_prefix('-').map_or(("", text), |name| ("-", name));
        let mut fault = fault.permitted(permitted.iter().map(String::as_str));
        if let Some(near) = suggest::nearest(name, names()) {
            fault = fault.did_you_mean(&format!("{sign}{near}"));
        }
        self.faults.push(fault);
        By::DEFAULT
    }

    /// Reads `true` or `false`. Defaults to false.
    pub fn flag(&mut self, name: &str) -> bool {
        match self.one(name) {
            None | Some("false") => false,
            Some("true") => true,
            Some(other) => {
                self.refuse(name, "not_permitted", format!("expected true or false, found {other:?}"));
                false
            }
        }
    }

    /// Reads a time in RFC 3339 format or as `YYYY-MM-DD hh:mm:ss` in UTC.
    pub fn time(&mut self, name: &str) -> Option<Timestamp> {
        let text = self.one(name)?;
        match leadscribe_engine::time::parse(text) {
            Ok(time) => Some(time),
            Err(error) => {
                self.refuse(name, "invalid_time", error.message);
                None
            }
        }
    }

    /// Reads a number of 0 or more, with optional decimals after a point.
    pub fn number(&mut self, name: &str) -> Option<f64> {
        let text = self.one(name)?;
        let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number = text.parse().ok().filter(|number: &f64| plain && number.is_finite());
        if number.is_none() {
            self.refuse(name, "invalid_number", format!("expected a number of 0 or more, found {text:?}"));
        }
        number
    }

    /// Reads a whole number in `range`, in plain digits. Defaults to `default`.
    pub fn whole<T: FromStr + PartialOrd + Display>(&mut self, name: &str, range: RangeInclusive<T>, default: T) -> T {
        let Some(text) = self.one(name) else { return default };
        let plain = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| plain && range.contains(number)).unwrap_or_else(|| {
            let (least, most) = (range.start(), range.end());
            let detail = format!("expected a whole number from {least} to {most}, found {text:?}");
            self.refuse(name, "out_of_range", detail);
            default
        })
    }

    /// Reads the slice from `limit=<count>` or `limit=<count>;<offset>`: plain digits, count 0 to `max`. Defaults to the first
    /// [`DEFAULT_COUNT`] entries. A count out of range is refused, not clamped: a clamped page looks like the last one.
    pub fn slice(&mut self, max: u32) -> Slice {
        let place = Place::Parameter("limit".to_owned());
        slice(self.one("limit"), max, place).unwrap_or_else(|fault| {
            self.faults.push(fault);
            Slice { count: 0, offset: 0 }
        })
    }

    /// Adds a fault of `name` that the caller found.
    pub fn refuse(&mut self, name: &str, code: &str, detail: impl Into<Message>) {
        self.faults.push(Diagnostic::new(Place::Parameter(name.to_owned()), code, detail));
    }

    /// Adds faults that the caller found.
    pub fn add(&mut self, faults: Vec<Diagnostic>) {
        self.faults.extend(faults);
    }

    /// Finishes reading.
    ///
    /// # Errors
    /// 400 with all faults.
    pub fn finish(self) -> Result<(), Refusal> {
        if self.faults.is_empty() { Ok(()) } else { Err(Refusal::faults(Code::InvalidParameter, self.faults)) }
    }
}

/// Parses a `limit` as [`Reader::slice`] does, for a limit at `place`.
///
/// # Errors
/// The fault of an invalid limit.
pub fn slice(limit: Option<&str>, max: u32, place: Place) -> Result<Slice, Diagnostic> {
    let Some(text) = limit else { return Ok(Slice { count: DEFAULT_COUNT, offset: 0 }) };
    let (count, offset) = text.split_once(';').unwrap_or((text, "0"));
    // Offsets must fit the integers of every store.
    let offset = plain_number(offset).filter(|offset| *offset <= i64::MAX as u64);
    match (plain_number(count), offset) {
        (Some(count), Some(offset)) if count <= u64::from(max) => Ok(Slice { count: count as u32, offset }),
        _ => {
            let detail = format!("expected \"<count>;<offset>\" with a count of 0 to {max}, found {text:?}");
            Err(Diagnostic::new(place, "invalid_limit", detail))
        }
    }
}

fn plain_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}
