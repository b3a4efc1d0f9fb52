//! Matches the files of a recordings folder to the calls of a CDR file.

use std::collections::BTreeSet;

use leadscribe_engine::csv::{BEGINNING_BYTES, Dialect, EncodingScan, RowError, RowReader, trimmed, value_of};
use leadscribe_engine::record::{
    CallAssembler, CallDetails, CallRecord, Mapping, REASON_COLUMNS, RecordingNames, unguarded,
};

/// Result of matching files to calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fit {
    /// Matched recordings: the call's identifier in the source system, and the path.
    pub recordings: Vec<(String, String)>,
    /// Calls that match several files.
    pub doubtful: Vec<Doubtful>,
    /// Files that match no call.
    pub unused: Vec<String>,
}

/// A call that matches several files.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubtful {
    /// The call's identifier in the source system.
    pub identifier: String,
    /// Paths of the files.
    pub files: Vec<String>,
}

/// Finds the recordings of the calls in a file. Rows that the import would refuse have none.
pub fn fit(file: &[u8], mapping: &Mapping, paths: &[String]) -> Fit {
    let mut names = RecordingNames::default();
    paths.iter().for_each(|path| names.add(path));
    let mut fit = Fit::default();
    let mut used = BTreeSet::new();
    for call in calls_of(file, mapping).unwrap_or_default() {
        let (files, Some(Some(identifier))) = (names.of(&call), call.original_identifier.clone()) else { continue };
        used.extend(files.iter().map(|file| (*file).to_owned()));
        match *files {
            [] => {}
            [one] => fit.recordings.push((identifier, one.to_owned())),
            ref several => {
                let files = several.iter().map(|file| (*file).to_owned()).collect();
                fit.doubtful.push(Doubtful { identifier, files });
            }
        }
    }
    let is_hidden = |path: &str| path.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
    fit.unused = paths.iter().filter(|path| !used.contains(*path) && !is_hidden(path)).cloned().collect();
    fit
}

/// Calls of a file, ordered by identifier; `None` if the file can't be read.
fn calls_of(file: &[u8], mapping: &Mapping) -> Option<Vec<CallRecord>> {
    let mut scan = EncodingScan::new(file).ok()?;
    scan.feed(file);
    let beginning = &file[..file.len().min(BEGINNING_BYTES)];
    let is_all = beginning.len() == file.len();
    let dialect = Dialect::detect(beginning, is_all, scan.finish(), mapping.delimiter, |_| false).ok()?;
    let mut reader = RowReader::new(dialect.encoding, dialect.delimiter, dialect.skipped_lines);
    reader.feed(&file[dialect.mark_bytes..]);
    reader.end();
    let mut rows = Vec::new();
    while let Some(row) = reader.next_row().ok()? {
        rows.push((row.wrong.map(RowError::fault), row.texts()));
    }
    let mut names: Vec<String> = rows.first()?.1.iter().map(|name| trimmed(name).to_owned()).collect();
    if CallDetails::are_named_in(&names) {
        rows.remove(0);
    } else {
        names = CallDetails::columns(names.len());
    }
    if names.starts_with(&REASON_COLUMNS.map(str::to_owned)) {
        for cells in rows.iter_mut().map(|(_, cells)| cells).chain([&mut names]) {
            cells.drain(..REASON_COLUMNS.len().min(cells.len()));
            cells.iter_mut().for_each(|cell| *cell = unguarded(cell).to_owned());
        }
    }
    let mut assembler = CallAssembler::new(CallDetails::new(&names, mapping).ok()?);
    let values = |cells: &[String]| cells.iter().map(|cell| value_of(cell).to_owned()).collect::<Vec<_>>();
    for (_, cells) in &rows {
        let values = values(cells);
        assembler.survey(&values.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let mut calls = Vec::new();
    for (wrong, cells) in rows {
        let values = values(&cells);
        let values: Vec<_> = values.iter().map(String::as_str).collect();
        let taken = match wrong {
            None => assembler.take(&values, ()),
            Some(fault) => assembler.refuse(&values, (), vec![fault]),
        };
        calls.extend(taken.finished);
    }
    calls.extend(assembler.finish());
    let mut calls: Vec<_> = calls.into_iter().map(|assembled| assembled.call).collect();
    calls.sort_by(|a, b| a.original_identifier.cmp(&b.original_identifier));
    Some(calls)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(uniqueid: &str, disposition: &str) -> String {
        let call = "\"2026-05-01 11:30:00\",,\"2026-05-01 11:30:07\",7,0";
        format!(
            "\"\",\"101\",\"202\",\"x\",\"\",\"SIP/101-1\",\"SIP/202-1\",\"Dial\",\"\",{call},\"{disposition}\",\"DOCUMENTATION\",\"{uniqueid}\"\n"
        )
    }

    #[test]
    fn matches_files_to_calls_by_name() {
        let rows = [
            row("1777627800.1", "ANSWERED"),
            row("1777627800.2", "ANSWERED"),
            row("1777627800.3", "BUSY"),
            row("1777627800.1", "ANSWERED"),
            "half a row\n".to_owned(),
        ];
        let paths =
            ["m/out-1777627800.1.wav", "m/1777627800.2-in.wav", "m/1777627800.2-out.wav", "m/1777627800.3.wav", "m/.x"];
        let paths = paths.map(str::to_owned);
        let mapping = Mapping::from_json(r#"{"format":"asterisk","timezone":"Europe/Berlin"}"#).unwrap();
        let fit = fit(rows.concat().as_bytes(), &mapping, &paths);
        assert_eq!(fit.recordings, [("1777627800.1".to_owned(), "m/out-1777627800.1.wav".to_owned())]);
        let files = paths[1..3].to_vec();
        assert_eq!(fit.doubtful, [Doubtful { identifier: "1777627800.2".to_owned(), files }]);
        assert_eq!(fit.unused, ["m/1777627800.3.wav"]);
        let columns = CallDetails::columns(17).join(",");
        let refused = format!("line,reason,{columns}\n7,wrong,{}", row("1777627800.1", "ANSWERED"));
        assert_eq!(super::fit(refused.as_bytes(), &mapping, &paths).recordings, fit.recordings);
        let guarded = refused.replace("\"101\"", "\"'=101\"");
        assert_eq!(super::fit(guarded.as_bytes(), &mapping, &paths).recordings, fit.recordings);
        assert_eq!(super::fit(b"", &mapping, &paths).unused.len(), 4);
    }
}
