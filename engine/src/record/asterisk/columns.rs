//! The columns of call detail records: in their fixed order in `Master.csv`, by their names where a header has them.

use super::super::preview::REASON_COLUMNS;
use crate::fault::Fault;
use crate::message::expected;
use crate::message::texts::record as texts;

/// The columns of `Master.csv`, in their order: `uniqueid` and `userfield` where `cdr.conf` says so, the last three with
/// `newcdrcolumns=yes`.
pub(super) const MASTER: [&str; 21] = [
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

/// The fewest columns of `Master.csv`: to `uniqueid`.
pub(super) const MIN_COLUMNS: usize = 17;

/// The name that FreePBX's reports and `cdr_mysql` have for `start`.
const CALL_DATE: &str = "calldate";

/// A column that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Src,
    Dst,
    Dcontext,
    Channel,
    Dstchannel,
    Lastapp,
    Lastdata,
    Start,
    Duration,
    Billsec,
    Disposition,
    Uniqueid,
    Linkedid,
    Sequence,
    Recordingfile,
}

/// The columns that are read, with the names that they may have; whether a file must have them; and whether a cell that is
/// not UTF-8 refuses its row.
const READ: [(Column, &[&str], bool, bool); 15] = [
    (Column::Src, &["src"], true, true),
    (Column::Dst, &["dst"], true, true),
    (Column::Dcontext, &["dcontext"], false, false),
    (Column::Channel, &["channel"], true, true),
    (Column::Dstchannel, &["dstchannel"], true, true),
    (Column::Lastapp, &["lastapp"], false, false),
    (Column::Lastdata, &["lastdata"], false, false),
    (Column::Start, &["start", CALL_DATE], true, true),
    (Column::Duration, &["duration"], true, true),
    (Column::Billsec, &["billsec"], false, true),
    (Column::Disposition, &["disposition"], true, true),
    (Column::Uniqueid, &["uniqueid"], true, true),
    (Column::Linkedid, &["linkedid"], false, true),
    (Column::Sequence, &["sequence"], false, true),
    (Column::Recordingfile, &["recordingfile"], false, false),
];

/// The fields that a call is made of, and the columns that they come from.
pub(super) const FIELDS: [(&str, &str); 9] = [
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

/// The places of the columns in a file.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    width: usize,
    names: Vec<String>,
    places: [Option<usize>; READ.len()],
}

impl Columns {
    /// Finds the columns in a header.
    ///
    /// # Errors
    /// It isn't one of call detail records.
    pub(super) fn of(header: &[impl AsRef<str>]) -> Result<Self, Fault> {
        let names: Vec<_> =
            header.iter().map(|name| name.as_ref().trim_start_matches('\u{feff}').trim().to_lowercase()).collect();
        let place = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        let places = READ.map(|(_, known, ..)| place(known));
        let has_nameless = names.len() > MASTER.len() && names.iter().skip(MASTER.len()).all(String::is_empty);
        if has_nameless || READ.iter().zip(places).any(|((_, _, is_needed, _), place)| *is_needed && place.is_none()) {
            let columns = texts::asterisk_columns(MIN_COLUMNS, MASTER.len());
            return Err(expected("wrong_number_of_cells", columns, names.len()).hint(texts::asterisk_uniqueid()));
        }
        Ok(Self { width: names.len(), names, places })
    }

    /// Cells of a row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The cell of a column; empty where the file hasn't the column.
    pub(super) fn cell<'a>(&self, cells: &[&'a str], column: Column) -> &'a str {
        self.places[column as usize].and_then(|place| cells.get(place)).map_or("", |cell| cell.trim())
    }

    /// The name that the file has for a column.
    pub(super) fn name(&self, column: Column) -> &str {
        self.places[column as usize].map_or(READ[column as usize].1[0], |place| &self.names[place])
    }
}

/// Returns whether a cell of this column must be UTF-8.
pub(super) fn must_be_text(column: &str) -> bool {
    let column = column.trim().to_lowercase();
    READ.iter().any(|(_, names, _, must)| *must && names.contains(&column.as_str()))
}

/// The name in `Master.csv` for a column of any such file.
pub(super) fn master_name(column: &str) -> String {
    let column = column.trim().to_lowercase();
    if column == CALL_DATE { "start".to_owned() } else { column }
}

/// Returns whether a first row is no record but names the columns: as the report of FreePBX has them, or a file of refused rows
/// behind [`REASON_COLUMNS`].
pub(super) fn are_named_in(row: &[impl AsRef<str>]) -> bool {
    let names: Vec<_> = row.iter().map(|cell| cell.as_ref().trim()).collect();
    Columns::of(names.strip_prefix(&REASON_COLUMNS).unwrap_or(&names)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header of FreePBX's report.
    const REPORT: &str = "calldate,clid,src,dst,dcontext,channel,dstchannel,lastapp,lastdata,duration,billsec,disposition,\
         amaflags,accountcode,uniqueid,userfield,did,recordingfile,cnum,cnam,outbound_cnum,outbound_cnam,dst_cnam,linkedid,\
         peeraccount,sequence";

    #[test]
    fn columns_are_found_by_their_names() {
        for (place, (column, ..)) in READ.iter().enumerate() {
            assert_eq!(*column as usize, place);
        }
        let names: Vec<_> = REPORT.split(',').collect();
        let columns = Columns::of(&names).expect("it is the header of a report");
        assert_eq!(columns.cell(&names, Column::Start), "calldate");
        assert_eq!((columns.name(Column::Start), columns.width()), ("calldate", 26));
        let upper: Vec<_> = names.iter().rev().map(|name| name.to_uppercase()).collect();
        let cells: Vec<_> = upper.iter().map(String::as_str).collect();
        assert_eq!(Columns::of(&upper).expect("in any order").cell(&cells, Column::Linkedid), "LINKEDID");
        let short = Columns::of(&MASTER[..MIN_COLUMNS]).expect("without the last ones");
        assert!(short.cell(&MASTER, Column::Sequence).is_empty());
        assert!(Columns::of(&MASTER[..MIN_COLUMNS - 1]).is_err(), "without a uniqueid");
    }

    #[test]
    fn headers_are_told_from_records() {
        let refused = |width| REASON_COLUMNS.iter().chain(&MASTER[..width]).copied().collect::<Vec<_>>();
        for width in [MIN_COLUMNS, 18, MASTER.len()] {
            assert!(are_named_in(&refused(width)) && are_named_in(&refused(width)[2..]));
        }
        assert!(are_named_in(&REPORT.split(',').collect::<Vec<_>>()));
        assert!(!are_named_in(&refused(MIN_COLUMNS - 1)), "without a uniqueid");
        assert!(!are_named_in(&["line", "reason"]));
        assert!(must_be_text("Calldate") && !must_be_text("clid") && !must_be_text("lastdata"));
        assert_eq!(master_name("calldate"), "start");
    }
}
