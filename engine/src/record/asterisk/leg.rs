//! One call detail record.

use chrono::{DateTime, LocalResult, NaiveDateTime, TimeDelta, TimeZone, Utc};

use super::super::value::{FieldInput, MAX_NAME_CHARS, MAX_PHONE_CHARS, text};
use super::channel::{ChannelCells, ChannelClassifier, LegEnd};
use super::columns::{Column, Columns};
use crate::api::CallStatus;
use crate::diagnostic::{
    Diagnostic, Location, catalog::record as texts, expected, format_name, format_text, new_diagnostic,
};
use crate::zone::Zone;

/// The dispositions of records, and the corresponding call statuses.
const DISPOSITIONS: [(&str, CallStatus); 5] = [
    ("ANSWERED", CallStatus::Answered),
    ("NO ANSWER", CallStatus::NoAnswer),
    ("BUSY", CallStatus::Busy),
    ("FAILED", CallStatus::Failed),
    ("CONGESTION", CallStatus::Failed),
];

/// Maximum length of a call, in seconds: a year.
const MAX_DURATION_SECONDS: i64 = 366 * 24 * 60 * 60;

/// A record.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub uniqueid: String,
    pub sequence: u64,
    pub started_at: DateTime<Utc>,
    pub ended_at: DateTime<Utc>,
    pub status: CallStatus,
    /// Seconds for which the called channel was answered.
    pub answered_seconds: i64,
    pub caller: LegEnd,
    pub callee: LegEnd,
    pub src: String,
    pub dst: String,
    pub dstchannel: String,
    /// File name of the recording without its folder; empty without a recording.
    pub recording: String,
}

impl Leg {
    /// Parses a row.
    ///
    /// # Errors
    /// All errors of the row, each with its column.
    pub(super) fn parse(
        columns: &Columns,
        zone: Zone,
        classifier: &ChannelClassifier,
        row: &[&str],
    ) -> Result<Self, Vec<Diagnostic>> {
        // A truncated row may end with half an id. Extra cells must be empty.
        if row.len() < columns.width() || row[columns.width()..].iter().any(|cell| !cell.is_empty()) {
            let message = texts::cells_of_first_row(row.len(), columns.width());
            return Err(vec![new_diagnostic("wrong_number_of_cells", message)]);
        }
        let cell = |column| columns.cell(row, column);
        let mut diagnostics = Vec::new();
        let mut reject = |column, error: Diagnostic| {
            diagnostics.push(Diagnostic { location: Location::Column(columns.name(column).to_owned()), ..error });
        };
        for (column, max) in [
            (Column::Uniqueid, MAX_NAME_CHARS),
            (Column::Linkedid, MAX_NAME_CHARS),
            (Column::Channel, MAX_NAME_CHARS),
            (Column::Dstchannel, MAX_NAME_CHARS),
            (Column::Src, MAX_PHONE_CHARS),
            (Column::Dst, MAX_PHONE_CHARS),
        ] {
            if let Err(error) = text(max)(&FieldInput::Cells(&[cell(column)], None)) {
                reject(column, error);
            }
        }
        let uniqueid = cell(Column::Uniqueid);
        if uniqueid.is_empty() {
            reject(Column::Uniqueid, new_diagnostic("missing_identifier", texts::uniqueid_required()));
        }
        let disposition = cell(Column::Disposition);
        let status = parse_status(disposition);
        if status.is_none() {
            let names = DISPOSITIONS.map(|(name, _)| name);
            let error = expected("not_permitted", texts::one_of(names.join(", ")), format_text(disposition));
            reject(Column::Disposition, error.permitted(names));
        }
        let started =
            parse_start(cell(Column::Start), zone, uniqueid).map_err(|error| reject(Column::Start, error)).ok();
        let seconds = |column| cell(column).parse().ok().filter(|seconds| (0..=MAX_DURATION_SECONDS).contains(seconds));
        let duration = seconds(Column::Duration);
        if duration.is_none() {
            let error =
                expected("invalid_number", texts::seconds(MAX_DURATION_SECONDS), format_text(cell(Column::Duration)));
            reject(Column::Duration, error);
        }
        let (Some(status), Some(started), Some(duration), true) = (status, started, duration, diagnostics.is_empty())
        else {
            return Err(diagnostics);
        };
        let (caller, callee) = classifier.leg_ends(&ChannelCells {
            src: cell(Column::Src),
            dst: cell(Column::Dst),
            dcontext: cell(Column::Dcontext),
            channel: cell(Column::Channel),
            dstchannel: cell(Column::Dstchannel),
            lastapp: cell(Column::Lastapp),
            lastdata: cell(Column::Lastdata),
        });
        let answered_seconds = match status {
            CallStatus::Answered => seconds(Column::Billsec).unwrap_or(duration),
            _ => 0,
        };
        Ok(Self {
            uniqueid: uniqueid.to_owned(),
            sequence: cell(Column::Sequence).parse().unwrap_or_default(),
            started_at: started,
            ended_at: started + TimeDelta::seconds(duration),
            status,
            answered_seconds,
            caller,
            callee,
            src: cell(Column::Src).to_owned(),
            dst: cell(Column::Dst).to_owned(),
            dstchannel: cell(Column::Dstchannel).to_owned(),
            recording: cell(Column::Recordingfile).rsplit(['/', '\\']).next().unwrap_or_default().to_owned(),
        })
    }
}

/// Returns the status for a disposition, in upper or lower case.
pub(super) fn parse_status(disposition: &str) -> Option<CallStatus> {
    let is_same = |name: &str| {
        let words = disposition.trim().split([' ', '_', '-']).filter(|word| !word.is_empty());
        words.flat_map(str::chars).map(|c| c.to_ascii_uppercase()).eq(name.chars().filter(|c| *c != ' '))
    };
    DISPOSITIONS.iter().find(|(name, _)| is_same(name)).map(|(_, status)| *status)
}

/// Returns the start of a call. In the hour that repeats at the end of daylight saving time, the seconds since 1970 in the `uniqueid`
/// decide.
fn parse_start(start: &str, zone: Zone, uniqueid: &str) -> Result<DateTime<Utc>, Diagnostic> {
    let local =
        parse_local_time(start).ok_or_else(|| expected("invalid_time", "`YYYY-MM-DD hh:mm:ss`", format_text(start)))?;
    match zone.from_local_datetime(&local) {
        LocalResult::Single(time) => Ok(time.to_utc()),
        LocalResult::Ambiguous(first, second) => {
            let created_seconds = uniqueid_seconds(uniqueid).unwrap_or(i64::MIN);
            let is_second = created_seconds > i64::midpoint(first.timestamp(), second.timestamp());
            Ok(if is_second { second } else { first }.to_utc())
        }
        LocalResult::None => {
            Err(new_diagnostic("no_such_time", texts::nonexistent_hour(format_name(start), zone.name())))
        }
    }
}

/// Returns the creation time of the channel with this `uniqueid`, in seconds since 1970. The `uniqueid` may have a system name as its
/// prefix.
pub(super) fn uniqueid_seconds(uniqueid: &str) -> Option<i64> {
    let seconds = uniqueid.rsplit_once('.')?.0.rsplit('-').next()?;
    // Since September 2001, these timestamps have ten digits.
    (seconds.len() == 10).then(|| seconds.parse().ok()).flatten()
}

pub(super) fn parse_local_time(text: &str) -> Option<NaiveDateTime> {
    (text.len() == 19).then(|| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S").ok()).flatten()
}
