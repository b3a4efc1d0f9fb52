//! The columns of call detail records: in fixed order in `Master.csv`, by name in files with a header.

use crate::diagnostic::{Diagnostic, catalog::record as texts, expected};
use crate::record::REASON_COLUMNS;

/// The columns of `Master.csv`, in order. `uniqueid` and `userfield` depend on `cdr.conf`; the last three are written with
/// `newcdrcolumns=yes`.
pub(super) const MASTER_COLUMNS: [&str; 21] = [
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
const CALL_DATE_COLUMN: &str = "calldate";

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
const USED_COLUMNS: [(Column, &[&str], bool, bool); 15] = [
    (Column::Src, &["src"], true, true),
    (Column::Dst, &["dst"], true, true),
    (Column::Dcontext, &["dcontext"], false, false),
    (Column::Channel, &["channel"], true, true),
    (Column::Dstchannel, &["dstchannel"], true, true),
    (Column::Lastapp, &["lastapp"], false, false),
    (Column::Lastdata, &["lastdata"], false, false),
    (Column::Start, &["start", CALL_DATE_COLUMN], true, true),
    (Column::Duration, &["duration"], true, true),
    (Column::Billsec, &["billsec"], false, true),
    (Column::Disposition, &["disposition"], true, true),
    (Column::Uniqueid, &["uniqueid"], true, true),
    (Column::Linkedid, &["linkedid"], false, true),
    (Column::Sequence, &["sequence"], false, true),
    (Column::Recordingfile, &["recordingfile"], false, false),
];

/// The fields of a call, and the columns that they come from.
pub(super) const FIELD_COLUMNS: [(&str, &str); 9] = [
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
    positions: [Option<usize>; USED_COLUMNS.len()],
}

impl Columns {
    /// Finds the columns in a header.
    ///
    /// # Errors
    /// The header isn't one of call detail records.
    pub(super) fn find(header: &[impl AsRef<str>]) -> Result<Self, Diagnostic> {
        let names: Vec<_> =
            header.iter().map(|name| name.as_ref().trim_start_matches('\u{feff}').trim().to_lowercase()).collect();
        let find_position = |aliases: &[&str]| names.iter().position(|name| aliases.contains(&name.as_str()));
        let positions = USED_COLUMNS.map(|(_, aliases, ..)| find_position(aliases));
        let has_unnamed_columns =
            names.len() > MASTER_COLUMNS.len() && names.iter().skip(MASTER_COLUMNS.len()).all(String::is_empty);
        if has_unnamed_columns
            || USED_COLUMNS
                .iter()
                .zip(positions)
                .any(|((_, _, is_required, _), position)| *is_required && position.is_none())
        {
            let columns = texts::asterisk_columns(MIN_COLUMNS, MASTER_COLUMNS.len());
            return Err(expected("wrong_number_of_cells", columns, names.len()).suggest(texts::asterisk_uniqueid()));
        }
        Ok(Self { width: names.len(), names, positions })
    }

    /// Returns the number of cells per row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns the cell of a column; empty if the file doesn't have the column.
    pub(super) fn cell<'a>(&self, cells: &[&'a str], column: Column) -> &'a str {
        self.positions[column as usize].and_then(|position| cells.get(position)).map_or("", |cell| cell.trim())
    }

    /// Returns the name of a column in the file.
    pub(super) fn name(&self, column: Column) -> &str {
        self.positions[column as usize].map_or(USED_COLUMNS[column as usize].1[0], |position| &self.names[position])
    }
}

/// Returns true if a cell of this column must be UTF-8.
pub(super) fn must_be_utf8(column: &str) -> bool {
    let column = column.trim().to_lowercase();
    USED_COLUMNS.iter().any(|(_, names, _, must_be_utf8)| *must_be_utf8 && names.contains(&column.as_str()))
}

/// Returns the name of a column in `Master.csv`.
pub(super) fn master_name(column: &str) -> String {
    let column = column.trim().to_lowercase();
    if column == CALL_DATE_COLUMN { "start".to_owned() } else { column }
}

/// Returns true if a first row is a header: of a FreePBX report, or of a file of rejected rows after [`REASON_COLUMNS`].
pub(super) fn is_header(row: &[impl AsRef<str>]) -> bool {
    let names: Vec<_> = row.iter().map(|cell| cell.as_ref().trim()).collect();
    Columns::find(names.strip_prefix(&REASON_COLUMNS).unwrap_or(&names)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header of a FreePBX report.
    const REPORT_HEADER: &str = "calldate,clid,src,dst,dcontext,channel,dstchannel,lastapp,lastdata,duration,billsec,disposition,\
         amaflags,accountcode,uniqueid,userfield,did,recordingfile,cnum,cnam,outbound_cnum,outbound_cnam,dst_cnam,linkedid,\
         peeraccount,sequence";

    #[test]
    fn finds_columns_by_name() {
        for (index, (column, ..)) in USED_COLUMNS.iter().enumerate() {
            assert_eq!(*column as usize, index);
        }
        let names: Vec<_> = REPORT_HEADER.split(',').collect();
        let columns = Columns::find(&names).expect("the header of a report");
        assert_eq!(columns.cell(&names, Column::Start), "calldate");
        assert_eq!((columns.name(Column::Start), columns.width()), ("calldate", 26));
        let upper: Vec<_> = names.iter().rev().map(|name| name.to_uppercase()).collect();
        let cells: Vec<_> = upper.iter().map(String::as_str).collect();
        assert_eq!(Columns::find(&upper).expect("in any order").cell(&cells, Column::Linkedid), "LINKEDID");
        let short = Columns::find(&MASTER_COLUMNS[..MIN_COLUMNS]).expect("without the last ones");
        assert!(short.cell(&MASTER_COLUMNS, Column::Sequence).is_empty());
        assert!(Columns::find(&MASTER_COLUMNS[..MIN_COLUMNS - 1]).is_err(), "without a uniqueid");
    }

    #[test]
    fn distinguishes_headers_from_records() {
        let rejected_header =
            |width| REASON_COLUMNS.iter().chain(&MASTER_COLUMNS[..width]).copied().collect::<Vec<_>>();
        for width in [MIN_COLUMNS, 18, MASTER_COLUMNS.len()] {
            assert!(is_header(&rejected_header(width)) && is_header(&rejected_header(width)[2..]));
        }
        assert!(is_header(&REPORT_HEADER.split(',').collect::<Vec<_>>()));
        assert!(!is_header(&rejected_header(MIN_COLUMNS - 1)), "without a uniqueid");
        assert!(!is_header(&["line", "reason"]));
        assert!(must_be_utf8("Calldate") && !must_be_utf8("clid") && !must_be_utf8("lastdata"));
        assert_eq!(master_name("calldate"), "start");
    }
}
