//! Query of a request: decoded once, then parsed by name. All errors are reported together.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use leadscribe_engine::api::{ListOrder, Order, Timestamp};
use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, common, format_text, not_permitted, request};
use serde::Deserialize;

use super::problem::{Code, Problem};
use super::request::{invalid_id, parse_id};
use crate::storage::Slice;

/// Default number of entries of a list.
const DEFAULT_COUNT: u32 = 100;

/// The decoded query.
#[derive(Clone, Debug, Default)]
pub struct Query {
    pairs: Vec<(String, String)>,
    /// Names of parameters whose raw value contained a `+`, which is decoded as a space.
    names_with_plus: Vec<String>,
}

impl Query {
    /// Decodes `name=value&…`, where `+` is a space and `%` introduces a byte of UTF-8.
    ///
    /// # Errors
    /// 400 for invalid percent-encoding or UTF-8.
    pub fn parse(raw: &str) -> Result<Self, Problem> {
        let parts = raw.split('&').filter(|part| !part.is_empty());
        let mut query = Self::default();
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let name = percent_decode(&name.replace('+', " "), "query")?;
            if value.contains('+') {
                query.names_with_plus.push(name.clone());
            }
            query.pairs.push((name, percent_decode(&value.replace('+', " "), "query")?));
        }
        Ok(query)
    }

    /// All names and values, in order.
    pub fn pairs(&self) -> &[(String, String)] {
        &self.pairs
    }

    /// Names of parameters whose raw value contained a `+`, which is decoded as a space.
    pub fn names_with_plus(&self) -> &[String] {
        &self.names_with_plus
    }

    /// Rejects names that are not in `permitted`.
    ///
    /// # Errors
    /// 400 with an error for each unknown name and the nearest known name.
    pub fn ensure_known(&self, permitted: &[&str]) -> Result<(), Problem> {
        let unknown = self.pairs.iter().map(|(name, _)| name).filter(|name| !permitted.contains(&name.as_str()));
        let diagnostics: Vec<_> = unknown.map(|name| unknown_parameter(name, permitted)).collect();
        if diagnostics.is_empty() { Ok(()) } else { Err(Problem::diagnostics(Code::UnknownParameter, diagnostics)) }
    }

    /// Parses the slice of a query without other parameters to validate; see [`QueryReader::slice`].
    ///
    /// # Errors
    /// 400 for an invalid `limit`.
    pub fn slice(&self, max: u32) -> Result<Slice, Problem> {
        self.read_single(|reader| reader.slice(max))
    }

    /// Parses the time `name` of a query without other parameters to validate; see [`QueryReader::time`].
    ///
    /// # Errors
    /// 400 for an invalid time.
    pub fn time(&self, name: &str) -> Result<Option<Timestamp>, Problem> {
        self.read_single(|reader| reader.time(name))
    }

    fn read_single<T>(&self, read: impl FnOnce(&mut QueryReader<'_>) -> T) -> Result<T, Problem> {
        let mut reader = self.reader();
        let value = read(&mut reader);
        reader.finish()?;
        Ok(value)
    }

    /// Returns a reader for parameters by name. Finish with [`QueryReader::finish`].
    pub fn reader(&self) -> QueryReader<'_> {
        QueryReader { query: self, diagnostics: Vec::new() }
    }
}

fn unknown_parameter(name: &str, permitted: &[&str]) -> Diagnostic {
    let location = Location::Parameter(name.to_owned());
    let diagnostic = Diagnostic::new(location, "unknown_parameter", request::unknown_parameter(format_text(name)));
    let diagnostic = diagnostic.permitted(permitted.iter().copied());
    diagnostic.suggest_nearest(name, permitted.iter().copied())
}

/// Decodes percent-encoded UTF-8 in `part` ("path", "query") of the target.
///
/// # Errors
/// 400 for a `%` without two hexadecimal digits, for invalid UTF-8, and for U+0000.
pub fn percent_decode(text: &str, part: &str) -> Result<String, Problem> {
    let is_well_formed = text.split('%').skip(1).all(|rest| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    });
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8().ok().filter(|_| is_well_formed);
    let reject = |code: &str, message: Message| {
        let location = Location::Parameter(part.to_owned());
        Err(Problem::from_diagnostic(Code::InvalidParameter, Diagnostic::new(location, code, message)))
    };
    match decoded {
        None => reject("invalid_encoding", request::percent_encoded()),
        // Not every store can hold U+0000 in text.
        Some(text) if text.contains('\0') => reject("nul_character", common::nul_character()),
        Some(text) => Ok(text.into_owned()),
    }
}

/// Parses a query by name and collects the errors, so that all of them are reported together.
#[derive(Debug)]
#[must_use = "errors are reported by `finish`"]
pub struct QueryReader<'a> {
    query: &'a Query,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> QueryReader<'a> {
    /// Returns the value of `name`, which may appear once.
    pub fn value(&mut self, name: &str) -> Option<&'a str> {
        let mut values = self.query.pairs.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let first = values.next();
        if values.next().is_some() {
            self.add_error(name, "duplicate_parameter", common::repeated(name));
        }
        first
    }

    /// Returns all values of `name`, which may appear several times.
    pub fn values(&self, name: &str) -> Vec<&'a str> {
        self.query.pairs.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect()
    }

    /// Returns the id in `name`.
    pub fn id<'de, T: Deserialize<'de>>(&mut self, name: &str) -> Option<T> {
        let text = self.value(name)?;
        let id = parse_id(text);
        if id.is_none() {
            self.diagnostics.push(invalid_id(name, text));
        }
        id
    }

    /// Returns all ids in `name`, which may appear several times.
    pub fn ids<'de, T: Deserialize<'de>>(&mut self, name: &str) -> Vec<T> {
        let mut ids = Vec::new();
        for text in self.values(name) {
            match parse_id(text) {
                Some(id) => ids.push(id),
                None => self.diagnostics.push(invalid_id(name, text)),
            }
        }
        ids
    }

    /// Returns a value from a closed list of names, such as `Direction::from_name` with `Direction::names`.
    pub fn enum_value<T>(
        &mut self,
        name: &str,
        from_name: impl Fn(&str) -> Option<T>,
        names: impl Iterator<Item = &'static str> + Clone,
    ) -> Option<T> {
        let text = self.value(name)?;
        let value = from_name(text);
        if value.is_none() {
            self.reject_value(name, text, names);
        }
        value
    }

    /// Returns the order that `order` requests: the name of a field, with a leading `-` to reverse it. Defaults to the list's own order.
    pub fn order<By: ListOrder>(&mut self) -> Order<By> {
        let Some(text) = self.value("order") else { return By::DEFAULT };
        if let Some(order) = Order::from_name(text) {
            return order;
        }
        let names: Vec<_> = Order::<By>::names().collect();
        self.reject_value("order", text, names.iter().map(String::as_str));
        By::DEFAULT
    }

    /// Parses `true` or `false`. Defaults to false.
    pub fn flag(&mut self, name: &str) -> bool {
        match self.value(name) {
            None | Some("false") => false,
            Some("true") => true,
            Some(other) => {
                self.reject_value(name, other, ["true", "false"].into_iter());
                false
            }
        }
    }

    /// Parses a time in RFC 3339 format or as `YYYY-MM-DD hh:mm:ss` in UTC.
    pub fn time(&mut self, name: &str) -> Option<Timestamp> {
        let text = self.value(name)?;
        match leadscribe_engine::time::parse(text) {
            Ok(time) => Some(time),
            Err(error) => {
                self.add_error(name, "invalid_time", error.message);
                None
            }
        }
    }

    /// Parses a number of 0 or more, with optional decimals after a point.
    pub fn number(&mut self, name: &str) -> Option<f64> {
        let text = self.value(name)?;
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number = text.parse().ok().filter(|number: &f64| is_plain && number.is_finite());
        if number.is_none() {
            self.add_error(name, "invalid_number", common::expected(common::number_from_zero(), format_text(text)));
        }
        number
    }

    /// Parses a whole number in `range`, in plain digits. Defaults to `default`.
    pub fn integer<T: FromStr + PartialOrd + Display>(
        &mut self,
        name: &str,
        range: RangeInclusive<T>,
        default: T,
    ) -> T {
        let Some(text) = self.value(name) else { return default };
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| is_plain && range.contains(number)).unwrap_or_else(|| {
            let wanted = common::integer_within(range.start().to_string(), range.end().to_string());
            self.add_error(name, "out_of_range", common::expected(wanted, format_text(text)));
            default
        })
    }

    /// Parses the slice from `limit=<count>` or `limit=<count>;<offset>`: plain digits, count 0 to `max`. Defaults to the first
    /// [`DEFAULT_COUNT`] entries. A count out of range is rejected, not clamped: a clamped page looks like the last one.
    pub fn slice(&mut self, max: u32) -> Slice {
        let location = Location::Parameter("limit".to_owned());
        parse_slice(self.value("limit"), max, location).unwrap_or_else(|diagnostic| {
            self.diagnostics.push(diagnostic);
            Slice { count: 0, offset: 0 }
        })
    }

    /// Adds an error of `name` that the caller found.
    pub fn add_error(&mut self, name: &str, code: &str, message: Message) {
        self.diagnostics.push(Diagnostic::new(Location::Parameter(name.to_owned()), code, message));
    }

    /// Adds the error of a value of `name` that is not in `permitted`.
    fn reject_value<'n>(&mut self, name: &str, text: &str, permitted: impl Iterator<Item = &'n str> + Clone) {
        let location = Location::Parameter(name.to_owned());
        self.diagnostics.push(Diagnostic { location, ..not_permitted(text, permitted) });
    }

    /// Adds errors that the caller found.
    pub fn add_diagnostics(&mut self, diagnostics: Vec<Diagnostic>) {
        self.diagnostics.extend(diagnostics);
    }

    /// Finishes reading.
    ///
    /// # Errors
    /// 400 with all errors.
    pub fn finish(self) -> Result<(), Problem> {
        if self.diagnostics.is_empty() {
            Ok(())
        } else {
            Err(Problem::diagnostics(Code::InvalidParameter, self.diagnostics))
        }
    }
}

/// Parses a `limit` as [`QueryReader::slice`] does, for a limit at `location`.
///
/// # Errors
/// The error of an invalid limit.
pub fn parse_slice(limit: Option<&str>, max: u32, location: Location) -> Result<Slice, Diagnostic> {
    let Some(text) = limit else { return Ok(Slice { count: DEFAULT_COUNT, offset: 0 }) };
    let (count, offset) = text.split_once(';').unwrap_or((text, "0"));
    // Offsets must fit the integers of every store.
    let offset = plain_number(offset).filter(|offset| *offset <= i64::MAX as u64);
    match (plain_number(count), offset) {
        (Some(count), Some(offset)) if count <= u64::from(max) => Ok(Slice { count: count as u32, offset }),
        _ => {
            let message = common::expected(request::limit_within(max), format_text(text));
            Err(Diagnostic::new(location, "invalid_limit", message))
        }
    }
}

fn plain_number(text: &str) -> Option<u64> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_digits)
}
