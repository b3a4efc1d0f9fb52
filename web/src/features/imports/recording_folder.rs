//! Matches the files of a recordings folder to the calls of a CDR file.

use std::collections::BTreeSet;

use leadscribe_engine::csv::{EncodingDetector, RowError, cell_value};
use leadscribe_engine::record::{CallAssembler, CallDetailReader, CallRecord, Mapping, RecordingIndex};

use super::csv_table::CsvTable;

/// Result of matching files to calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FolderMatch {
    /// Matched recordings: the call's identifier in the source system, and the path.
    pub recordings: Vec<(String, String)>,
    /// Calls that match several files: the call's identifier, and the paths.
    pub ambiguous: Vec<(String, Vec<String>)>,
    /// Files that match no call.
    pub unmatched: Vec<String>,
}

/// Finds the recordings of the calls in a file. Rows that the import would reject have none.
pub fn match_recordings(file: &[u8], mapping: &Mapping, paths: &[String]) -> FolderMatch {
    let mut names = RecordingIndex::default();
    paths.iter().for_each(|path| names.add(path));
    let mut result = FolderMatch::default();
    let mut matched = BTreeSet::new();
    for call in read_calls(file, mapping).unwrap_or_default() {
        let (files, Some(Some(identifier))) = (names.candidates(&call), call.original_identifier.clone()) else {
            continue;
        };
        matched.extend(files.iter().map(|file| (*file).to_owned()));
        match *files {
            [] => {}
            [matched_path] => result.recordings.push((identifier, matched_path.to_owned())),
            ref candidates => {
                let files = candidates.iter().map(|file| (*file).to_owned()).collect();
                result.ambiguous.push((identifier, files));
            }
        }
    }
    let is_hidden = |path: &str| path.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
    result.unmatched = paths.iter().filter(|path| !matched.contains(*path) && !is_hidden(path)).cloned().collect();
    result
}

/// Calls of a file, ordered by identifier; `None` if the file can't be read.
fn read_calls(file: &[u8], mapping: &Mapping) -> Option<Vec<CallRecord>> {
    let mut scan = EncodingDetector::new(file).ok()?;
    scan.feed(file);
    let table = CsvTable::parse(file, true, scan.finish(), mapping.delimiter, usize::MAX).ok()?;
    let mut assembler = CallAssembler::new(CallDetailReader::new(&table.header, mapping).ok()?);
    for row in &table.rows {
        assembler.scan(&cell_values(row));
    }
    let mut calls = Vec::new();
    for (row, error) in table.rows.iter().zip(table.errors) {
        let outcome = match error.map(RowError::diagnostic) {
            None => assembler.push(&cell_values(row), ()),
            Some(diagnostic) => assembler.push_rejected(&cell_values(row), (), vec![diagnostic]),
        };
        calls.extend(outcome.completed_call);
    }
    calls.extend(assembler.finish());
    let mut calls: Vec<_> = calls.into_iter().map(|assembled| assembled.call).collect();
    calls.sort_by(|a, b| a.original_identifier.cmp(&b.original_identifier));
    Some(calls)
}

fn cell_values(row: &[String]) -> Vec<&str> {
    row.iter().map(|cell| cell_value(cell)).collect()
}

#[cfg(test)]
mod tests {
    use crate::features::imports::recording_folder::*;

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
        let result = match_recordings(rows.concat().as_bytes(), &mapping, &paths);
        assert_eq!(result.recordings, [("1777627800.1".to_owned(), "m/out-1777627800.1.wav".to_owned())]);
        assert_eq!(result.ambiguous, [("1777627800.2".to_owned(), paths[1..3].to_vec())]);
        assert_eq!(result.unmatched, ["m/1777627800.3.wav"]);
        let columns = CallDetailReader::columns(17).join(",");
        let rejected = format!("line,reason,{columns}\n7,wrong,{}", row("1777627800.1", "ANSWERED"));
        for file in [rejected.replace("\"101\"", "\"'=101\""), rejected] {
            assert_eq!(match_recordings(file.as_bytes(), &mapping, &paths).recordings, result.recordings);
        }
        assert_eq!(match_recordings(b"", &mapping, &paths).unmatched.len(), 4);
    }
}
