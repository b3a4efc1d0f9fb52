//! Call detail records of Asterisk, as its module `cdr_csv` writes them to `Master.csv`: each row a call.
//!
//! The file has no header, but where its refused rows were written for mending. Its columns are fixed, but for the last ones,
//! which `cdr.conf` turns on: a call is known again by its `uniqueid` (`loguniqueid=yes`), so that one must be there.

use chrono::{DateTime, LocalResult, NaiveDateTime, SecondsFormat, TimeDelta, TimeZone, Utc};

use super::mapping::OwnNames;
use super::preview::REASON_COLUMNS;
use crate::api::{CallStatus, Direction};
use crate::fault::{Fault, Place};
use crate::message::texts::record as texts;
use crate::message::{expected, fault, name, shown};
use crate::zone::{self, Zone};

/// The columns, in their order: `uniqueid` and `userfield` where `cdr.conf` says so, the last three with `newcdrcolumns=yes`.
const COLUMNS: [&str; 21] = [
    "accountcode",
    "src",
    "dst",
    "dcontext",
    "clid",
    "channel",
    "dstchannel",
    "lastapp",
    "lastdata",
    "start",
    "answer",
    "end",
    "duration",
    "billsec",
    "disposition",
    "amaflags",
    "uniqueid",
    "userfield",
    "peeraccount",
    "linkedid",
    "sequence",
];

/// The fewest columns: to `uniqueid`.
const FEWEST: usize = 17;

/// The fields that a row is about, and the columns that they are made of.
const FIELDS: [(&str, &str); 9] = [
    ("original_identifier", "uniqueid"),
    ("direction", "channel"),
    ("agent", "dstchannel"),
    ("caller_number", "src"),
    ("callee_number", "dst"),
    ("status", "disposition"),
    ("started_at", "start"),
    ("ended_at", "duration"),
    ("created_at", "start"),
];

/// What stands as the outcome of a call, and what it is here.
const DISPOSITIONS: [(&str, CallStatus); 5] = [
    ("ANSWERED", CallStatus::Answered),
    ("NO ANSWER", CallStatus::NoAnswer),
    ("BUSY", CallStatus::Busy),
    ("FAILED", CallStatus::Failed),
    ("CONGESTION", CallStatus::Failed),
];

/// Digits that an extension has at most; the numbers of others have more.
const EXTENSION: usize = 6;

/// How the times of a file are read.
pub struct CallDetails {
    width: usize,
    zone: Zone,
}

impl CallDetails {
    /// For a file whose first row has so many cells, with times of this zone; without one, of UTC.
    ///
    /// # Errors
    /// There is no such zone; or it is no such file.
    pub fn new(width: usize, zone: Option<&str>) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let zone = zone::read(zone.unwrap_or("UTC")).unwrap_or_else(|wrong| {
            faults.push(Fault { place: Place::Pointer("/timezone".to_owned()), ..wrong });
            Zone::utc()
        });
        if !(FEWEST..=COLUMNS.len()).contains(&width) {
            let columns = texts::asterisk_columns(FEWEST, COLUMNS.len());
            faults.push(expected("wrong_number_of_cells", columns, width).hint(texts::asterisk_uniqueid()));
        }
        if faults.is_empty() { Ok(Self { width, zone }) } else { Err(faults) }
    }

    /// The names of the file's columns.
    pub fn columns(width: usize) -> Vec<String> {
        COLUMNS.iter().take(width).map(|name| (*name).to_owned()).collect()
    }

    /// The names of the fields that [`CallDetails::cells`] gives.
    pub fn fields() -> [&'static str; 9] {
        FIELDS.map(|(field, _)| field)
    }

    /// Which column each field is made of.
    pub fn own_names() -> OwnNames {
        let mut own = OwnNames::default();
        FIELDS.iter().for_each(|(field, column)| own.note(field, column));
        own
    }

    /// The fields that a column goes to; none for one that isn't looked at.
    pub fn fields_from(column: &str) -> impl Iterator<Item = &'static str> {
        FIELDS.iter().filter(move |(_, from)| *from == column).map(|(field, _)| *field)
    }

    /// Whether a first row is no call but names the columns, as that of a file of refused rows does behind
    /// [`REASON_COLUMNS`].
    pub fn are_named_in(row: &[impl AsRef<str>]) -> bool {
        let names: Vec<_> = row.iter().map(|cell| cell.as_ref().trim()).collect();
        let names = names.strip_prefix(&REASON_COLUMNS).unwrap_or(&names);
        names.len() >= FEWEST && COLUMNS.starts_with(names)
    }

    /// Whether the cells of a first row look like a call of such a file.
    pub fn are_in(row: &[impl AsRef<str>]) -> bool {
        (FEWEST..=COLUMNS.len()).contains(&row.len())
            && DISPOSITIONS.iter().any(|(disposition, _)| row[14].as_ref() == *disposition)
            && moment(row[9].as_ref()).is_some()
    }

    /// The cells of [`CallDetails::fields`] that a row comes to.
    ///
    /// # Errors
    /// Every fault of the row, at once, each with its column.
    pub fn cells(&self, row: &[&str]) -> Result<[String; 9], Vec<Fault>> {
        if row.len() != self.width {
            return Err(vec![expected("wrong_number_of_cells", texts::cells_of_first_row(self.width), row.len())]);
        }
        let &[_, src, dst, _, _, channel, dstchannel, _, _, start, _, _, duration, _, disposition, _, uniqueid, ..] =
            row
        else {
            return Err(vec![fault("wrong_number_of_cells", texts::asterisk_row())]);
        };
        let mut faults = Vec::new();
        let mut refuse =
            |column: &str, wrong: Fault| faults.push(Fault { place: Place::Column(column.to_owned()), ..wrong });
        if uniqueid.is_empty() {
            refuse("uniqueid", fault("no_key", texts::which_uniqueid()));
        }
        let status = DISPOSITIONS.iter().find(|(known, _)| *known == disposition).map(|(_, status)| *status);
        if status.is_none() {
            let known: Vec<_> = DISPOSITIONS.iter().map(|(known, _)| *known).collect();
            let wrong = expected("not_permitted", texts::one_of(known.join(", ")), shown(disposition));
            refuse("disposition", wrong.permitted(known));
        }
        let started = self.started(start, uniqueid).map_err(|wrong| refuse("start", wrong)).ok();
        let seconds = duration.parse().ok().filter(|seconds| (0..=MAX_DURATION).contains(seconds));
        if seconds.is_none() {
            refuse("duration", expected("invalid_number", texts::seconds(MAX_DURATION), shown(duration)));
        }
        let (Some(status), Some(started), Some(seconds)) = (status, started, seconds) else { return Err(faults) };
        if !faults.is_empty() {
            return Err(faults);
        }
        let outbound = is_extension(peer(channel)) || is_extension(src);
        let (direction, agent) =
            if outbound { (Direction::Outbound, channel) } else { (Direction::Inbound, dstchannel) };
        let ended = started + TimeDelta::seconds(seconds);
        Ok([
            identifier(uniqueid, dstchannel),
            direction.as_str().to_owned(),
            peer(agent).to_owned(),
            src.to_owned(),
            // One letter is a place of the dial plan, such as `s` where it starts.
            if dst.len() == 1 && !dst.bytes().all(|b| b.is_ascii_digit()) { String::new() } else { dst.to_owned() },
            status.as_str().to_owned(),
            print(started),
            print(ended),
            print(started),
        ])
    }

    /// When a call began. In the hour that comes twice when summer time ends, the `uniqueid` tells which is meant: it starts
    /// with the seconds since 1970.
    fn started(&self, start: &str, uniqueid: &str) -> Result<DateTime<Utc>, Fault> {
        let local = moment(start).ok_or_else(|| expected("invalid_time", "`YYYY-MM-DD hh:mm:ss`", shown(start)))?;
        match self.zone.from_local_datetime(&local) {
            LocalResult::Single(at) => Ok(at.to_utc()),
            LocalResult::Ambiguous(first, second) => {
                let since = uniqueid_seconds(uniqueid).unwrap_or(i64::MIN);
                let is_second = since > i64::midpoint(first.timestamp(), second.timestamp());
                Ok(if is_second { second } else { first }.to_utc())
            }
            LocalResult::None => Err(fault("no_such_time", texts::skipped_hour(name(start), self.zone.name()))),
        }
    }
}

/// Longest call, in seconds: a year.
const MAX_DURATION: i64 = 366 * 24 * 60 * 60;

/// What a call is known again by. A call that rings at several agents has a row for each, all with one `uniqueid`; what is rung
/// tells them apart.
fn identifier(uniqueid: &str, dstchannel: &str) -> String {
    match dstchannel {
        "" => uniqueid.to_owned(),
        rung => format!("{uniqueid} {rung}"),
    }
}

/// The `uniqueid` within what a call is known by.
pub(super) fn uniqueid(original_identifier: &str) -> &str {
    original_identifier.split(' ').next().unwrap_or_default()
}

/// Every `uniqueid` that stands in the name of a file, such as `out-101-1777627800.42.wav`: recordings are named so that theirs
/// is among it.
pub(super) fn uniqueids(file_name: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    file_name.split(move |c| !is_part(c)).map(|part| part.trim_matches('.')).filter(|part| {
        uniqueid_seconds(part).is_some()
            && part
                .split_once('.')
                .is_some_and(|(_, count)| !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// When the call of a `uniqueid` began, in seconds since 1970. It may begin with the name of the system.
fn uniqueid_seconds(uniqueid: &str) -> Option<i64> {
    let seconds = uniqueid.split_once('.')?.0.rsplit('-').next()?;
    // Since September 2001 they have ten digits.
    (seconds.len() == 10).then(|| seconds.parse().ok()).flatten()
}

fn moment(text: &str) -> Option<NaiveDateTime> {
    (text.len() == 19).then(|| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S").ok()).flatten()
}

fn print(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Who a channel belongs to: `101` of `PJSIP/101-0000002a` and of `Local/101@agents-00000001;1`.
fn peer(channel: &str) -> &str {
    let name = channel.split_once('/').map_or("", |(_, name)| name);
    let name = name.rsplit_once('-').map_or(name, |(name, _)| name);
    name.split_once('@').map_or(name, |(name, _)| name)
}

fn is_extension(number: &str) -> bool {
    (2..=EXTENSION).contains(&number.len()) && !number.starts_with('0') && number.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::{CallRecord, Mapping};
    use super::*;
    use crate::api::Timestamp;

    /// A row as `cdr_csv` writes it: who, to whom, the channels, when, how long, how it ended, its id.
    fn row(parts: [&'static str; 8]) -> Vec<&'static str> {
        let [src, dst, channel, dstchannel, start, duration, disposition, uniqueid] = parts;
        vec![
            "",
            src,
            dst,
            "from-internal",
            "\"x\" <101>",
            channel,
            dstchannel,
            "Dial",
            "x,30",
            start,
            "",
            start,
            duration,
            "0",
            disposition,
            "DOCUMENTATION",
            uniqueid,
            "",
        ]
    }

    fn read(zone: &str, parts: [&'static str; 8]) -> Result<CallRecord, Vec<String>> {
        let mapping =
            Mapping::from_json(&format!(r#"{{"format":"asterisk","timezone":"{zone}"}}"#)).expect("it is valid");
        let header = CallDetails::columns(18);
        let reader = CallRecord::mapped_csv(&header, &mapping).expect("the file is good");
        reader.row(&row(parts)).map_err(|faults| {
            faults.iter().map(|fault| format!("{:?} {}: {}", fault.place, fault.code, fault.detail)).collect()
        })
    }

    fn at(text: &str) -> Option<Option<Timestamp>> {
        Some(Some(crate::time::parse(text).expect(text)))
    }

    fn some(text: &str) -> Option<Option<String>> {
        Some(Some(text.to_owned()))
    }

    #[test]
    fn a_row_is_a_call() {
        let outbound = [
            "101",
            "004930901820",
            "PJSIP/101-0000002a",
            "PJSIP/trunk-0000002b",
            "2026-05-01 11:30:00",
            "42",
            "ANSWERED",
            "1777627800.42",
        ];
        let call = read("Europe/Berlin", outbound).expect("it is good");
        let expected = CallRecord {
            original_identifier: some("1777627800.42 PJSIP/trunk-0000002b"),
            direction: Some(Direction::Outbound),
            agent: some("101"),
            caller_number: some("101"),
            callee_number: some("004930901820"),
            status: Some(CallStatus::Answered),
            started_at: at("2026-05-01T09:30:00Z"),
            ended_at: at("2026-05-01T09:30:42Z"),
            created_at: at("2026-05-01T09:30:00Z").flatten(),
            ..CallRecord::default()
        };
        assert_eq!(call, expected);
        assert_eq!(uniqueid("1777627800.42 PJSIP/trunk-0000002b"), "1777627800.42");

        let inbound = [
            "+4930901820",
            "s",
            "PJSIP/trunk-00000001",
            "",
            "2026-05-01 11:30:00",
            "7",
            "NO ANSWER",
            "pbx-1777627800.43",
        ];
        let call = read("UTC", inbound).expect("it is good");
        assert_eq!((call.direction, call.status), (Some(Direction::Inbound), Some(CallStatus::NoAnswer)));
        assert_eq!((call.agent, call.callee_number), (Some(None), Some(None)));
        assert_eq!(call.original_identifier, some("pbx-1777627800.43"));
        assert_eq!(call.started_at, at("2026-05-01T11:30:00Z"));
    }

    #[test]
    fn the_hour_that_comes_twice_is_told_by_the_uniqueid() {
        let of = |uniqueid| {
            read("Europe/Berlin", ["101", "1", "SIP/101-1", "", "2026-10-25 02:30:00", "0", "BUSY", uniqueid])
                .map(|call| call.started_at)
        };
        assert_eq!(of("1792888200.1"), Ok(at("2026-10-25T00:30:00Z")));
        assert_eq!(of("1792891801.1"), Ok(at("2026-10-25T01:30:00Z")));
    }

    #[test]
    fn what_is_wrong_is_said_at_its_column() {
        let wrong = ["101", "1", "SIP/101-1", "", "2026-03-29 02:30:00", "long", "GONE", ""];
        assert_eq!(
            read("Europe/Berlin", wrong),
            Err(vec![
                "Column(\"uniqueid\") no_key: expected a `uniqueid`, to know which call the row is about".to_owned(),
                "Column(\"disposition\") not_permitted: expected one of ANSWERED, NO ANSWER, BUSY, FAILED, CONGESTION, found \"GONE\"".to_owned(),
                "Column(\"start\") no_such_time: there is no `2026-03-29 02:30:00` in Europe/Berlin: the clocks were put forward".to_owned(),
                "Column(\"duration\") invalid_number: expected 0 to 31622400 seconds, found \"long\"".to_owned(),
            ])
        );
        let short = CallDetails::new(16, Some("Europe/Berlim")).err().expect("it is refused");
        assert_eq!(
            short.iter().map(|fault| fault.code.as_str()).collect::<Vec<_>>(),
            ["unknown_time_zone", "wrong_number_of_cells"]
        );
    }

    #[test]
    fn recordings_are_known_by_their_names() {
        let found = |name| uniqueids(name).collect::<Vec<_>>();
        assert_eq!(found("1777627800.42.wav"), ["1777627800.42"]);
        assert_eq!(found("out-030901820-101-20260501-093000-1777627800.42.WAV"), ["1777627800.42"]);
        assert_eq!(found("q-600-20260501-pbx-1777627800.7.mp3"), ["1777627800.7"]);
        assert_eq!(found("greeting.wav"), [""; 0]);
        assert_eq!(found("20260501.wav"), [""; 0]);
    }

    #[test]
    fn such_a_file_is_known_by_its_first_row() {
        assert!(CallDetails::are_in(&row([
            "1",
            "2",
            "SIP/1-1",
            "",
            "2026-05-01 11:30:00",
            "1",
            "BUSY",
            "1777627800.42"
        ])));
        assert!(!CallDetails::are_in(&CallDetails::columns(18)));
        assert!(!CallDetails::are_in(&["ANSWERED"]));
    }

    #[test]
    fn a_file_of_refused_rows_is_known_by_the_names_of_its_columns() {
        let refused = |width| {
            let names = REASON_COLUMNS.map(str::to_owned).into_iter().chain(CallDetails::columns(width));
            names.collect::<Vec<_>>()
        };
        for width in [FEWEST, 18, COLUMNS.len()] {
            assert!(CallDetails::are_named_in(&refused(width)) && CallDetails::are_named_in(&refused(width)[2..]));
        }
        assert!(!CallDetails::are_named_in(&refused(FEWEST - 1)), "without a uniqueid");
        assert!(!CallDetails::are_named_in(&refused(18)[3..]));
        assert!(!CallDetails::are_named_in(&["line", "reason"]));
    }

    #[test]
    fn a_column_goes_to_its_fields() {
        let of = |column| CallDetails::fields_from(column).collect::<Vec<_>>();
        assert_eq!(of("start"), ["started_at", "created_at"]);
        assert_eq!(of("lastapp"), [""; 0]);
    }
}
