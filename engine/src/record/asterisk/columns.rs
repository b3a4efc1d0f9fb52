//! The columns of call detail records: in fixed order in `Master.csv`, by name in files with a header.

use super::super::preview::REASON_COLUMNS;
use crate::diagnostic::{Diagnostic, catalog::record as texts, expected};

/// The columns of `Master.csv`, in order. `uniqueid` and `userfield` depend on `cdr.conf`; the last three are written with
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

/// Minimum number of columns of `Master.csv`: up to `uniqueid`.
pub(super) const MIN_COLUMNS: usize = 17;

/// Name of the `start` column in FreePBX reports and `cdr_mysql`.
const CALL_DATE: &str = "calldate";

/// A column that is used.
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

/// The columns that are used: their names, whether a file must have them, and whether a cell that isn't UTF-8 rejects its row.
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

/// The fields of a call, and the columns that they come from.
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

/// Positions of the columns in a file.
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
    /// The header isn't one of call detail records.
    pub(super) fn of(header: &[impl AsRef<str>]) -> Result<Self, Diagnostic> {
        let names: Vec<_> =
            header.iter().map(|name| name.as_ref().trim_start_matches('\u{feff}').trim().to_lowercase()).collect();
        let place = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        let places = READ.map(|(_, known, ..)| place(known));
        let has_nameless = names.len() > MASTER.len() && names.iter().skip(MASTER.len()).all(String::is_empty);
        if has_nameless || READ.iter().zip(places).any(|((_, _, is_needed, _), place)| *is_needed && place.is_none()) {
            let columns = texts::asterisk_columns(MIN_COLUMNS, MASTER.len());
            return Err(expected("wrong_number_of_cells", columns, names.len()).suggest(texts::asterisk_uniqueid()));
        }
        Ok(Self { width: names.len(), names, places })
    }

    /// Returns the number of cells per row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns the cell of a column; empty if the file doesn't have the column.
    pub(super) fn cell<'a>(&self, cells: &[&'a str], column: Column) -> &'a str {
        self.places[column as usize].and_then(|place| cells.get(place)).map_or("", |cell| cell.trim())
    }

    /// Returns the name of a column in the file.
    pub(super) fn name(&self, column: Column) -> &str {
        self.places[column as usize].map_or(READ[column as usize].1[0], |place| &self.names[place])
    }
}

/// Returns true if a cell of this column must be UTF-8.
pub(super) fn must_be_text(column: &str) -> bool {
    let column = column.trim().to_lowercase();
    READ.iter().any(|(_, names, _, must)| *must && names.contains(&column.as_str()))
}

/// Returns the name of a column in `Master.csv`.
pub(super) fn master_name(column: &str) -> String {
    let column = column.trim().to_lowercase();
    if column == CALL_DATE { "start".to_owned() } else { column }
}

/// Returns true if a first row is a header: of a FreePBX report, or of a file of rejected rows after [`REASON_COLUMNS`].
pub(super) fn are_named_in(row: &[impl AsRef<str>]) -> bool {
    let names: Vec<_> = row.iter().map(|cell| cell.as_ref().trim()).collect();
    Columns::of(names.strip_prefix(&REASON_COLUMNS).unwrap_or(&names)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header of a FreePBX report.
    const REPORT: &str = "calldate,clid,src,dst,dcontext,channel,dstchannel,lastapp,lastdata,duration,billsec,disposition,\
         amaflags,accountcode,uniqueid,userfield,did,recordingfile,cnum,cnam,outbound_cnum,outbound_cnam,dst_cnam,linkedid,\
         peeraccount,sequence";

    #[test]
    fn finds_columns_by_name() {
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
    fn distinguishes_headers_from_records() {
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
