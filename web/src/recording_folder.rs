//! A folder of recordings beside a file of call detail records: which of its files belongs to which call.

use std::collections::{BTreeMap, BTreeSet};

use csv::{ReaderBuilder, StringRecord};
use leadscribe_engine::record::{
    CallDetails, CallRecord, Delimiter, Mapping, REASON_COLUMNS, RecordingNames, unguarded,
};

/// What the calls of a file and the files of a folder have in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fit {
    /// The recordings of calls: what another system knows the call by, and the path.
    pub recordings: Vec<(String, String)>,
    /// Calls that several files could be the recording of.
    pub doubtful: Vec<Doubtful>,
    /// Files that no call has.
    pub unused: Vec<String>,
}

/// A call that one recording can't be told for.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubtful {
    /// What another system knows it by.
    pub identifier: String,
    /// The paths of the files.
    pub files: Vec<String>,
}

/// Finds the recordings of the calls in a file. Rows that an import refuses have none.
pub fn fit(text: &str, delimiter: Delimiter, mapping: &Mapping, paths: &[String]) -> Fit {
    let mut names = RecordingNames::default();
    paths.iter().for_each(|path| names.add(path));
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut csv =
        ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter.byte()).from_reader(text.as_bytes());
    let mut rows = csv.records().filter_map(Result::ok).peekable();
    let names_columns = |row: &StringRecord| CallDetails::are_named_in(&row.iter().collect::<Vec<_>>());
    let first = rows.next_if(names_columns);
    let has_reasons = first.is_some_and(|names| names.get(0) == Some(REASON_COLUMNS[0]));
    let before = if has_reasons { REASON_COLUMNS.len() } else { 0 };
    let width = rows.peek().map_or(0, |row| row.len().saturating_sub(before));
    let mut fit = Fit::default();
    let mut used = BTreeSet::new();
    // A call that stands there twice is one call.
    let mut calls = BTreeMap::new();
    if let Ok(reader) = CallRecord::mapped_csv(&CallDetails::columns(width), mapping) {
        for row in rows {
            let cell = |cell| if has_reasons { unguarded(cell) } else { cell };
            let cells: Vec<&str> = row.iter().skip(before).map(cell).collect();
            let Ok(call) = reader.row(&cells) else { continue };
            if !names.of(&call).is_empty() {
                calls.insert(call.original_identifier.clone(), call);
            }
        }
    }
    for (identifier, call) in calls {
        let (files, Some(identifier)) = (names.of(&call), identifier.flatten()) else { continue };
        used.extend(files.iter().cloned());
        match files {
            [one] => fit.recordings.push((identifier, one.clone())),
            several => fit.doubtful.push(Doubtful { identifier, files: several.to_vec() }),
        }
    }
    let is_hidden = |path: &str| path.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
    fit.unused = paths.iter().filter(|path| !used.contains(*path) && !is_hidden(path)).cloned().collect();
    fit
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
    fn files_are_told_by_the_calls_in_their_names() {
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
        let fit = fit(&rows.concat(), Delimiter::Comma, &mapping, &paths);
        assert_eq!(fit.recordings, [("1777627800.1 SIP/202-1".to_owned(), "m/out-1777627800.1.wav".to_owned())]);
        let files = paths[1..3].to_vec();
        assert_eq!(fit.doubtful, [Doubtful { identifier: "1777627800.2 SIP/202-1".to_owned(), files }]);
        assert_eq!(fit.unused, ["m/1777627800.3.wav"]);
        let columns = CallDetails::columns(17).join(",");
        let refused = format!("line,reason,{columns}\n7,wrong,{}", row("1777627800.1", "ANSWERED"));
        assert_eq!(super::fit(&refused, Delimiter::Comma, &mapping, &paths).recordings, fit.recordings);
        let guarded = refused.replace("\"SIP/202-1\"", "\"'@SIP/202-1\"");
        let fit = super::fit(&guarded, Delimiter::Comma, &mapping, &paths);
        assert_eq!(fit.recordings[0].0, "1777627800.1 @SIP/202-1");
        assert_eq!(super::fit("", Delimiter::Comma, &mapping, &paths).unused.len(), 4);
    }
}
