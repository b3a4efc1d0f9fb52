//! A folder of recordings beside a file of call detail records: which of its files belongs to which call.

use std::collections::{BTreeMap, BTreeSet};

use csv::ReaderBuilder;
use leadscribe_engine::fault::Fault;
use leadscribe_engine::record::{CallDetails, CallRecord, Delimiter, Mapping, RecordingNames};

/// What the calls of a file and the files of a folder have in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fit {
    /// The recordings of calls: what another system knows the call by, and the path.
    pub recordings: Vec<(String, String)>,
    /// Files that could be the recording of a call, as others could.
    pub doubtful: Vec<Fault>,
    /// Files that no call has.
    pub unused: Vec<String>,
}

/// Finds the recordings of the calls in a file. Rows that an import refuses have none.
pub fn fit(text: &str, delimiter: Delimiter, mapping: &Mapping, paths: &[String]) -> Fit {
    let mut names = RecordingNames::default();
    paths.iter().for_each(|path| names.add(path));
    let mut csv =
        ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter.byte()).from_reader(text.as_bytes());
    let mut rows = csv.records().filter_map(Result::ok).peekable();
    let width = rows.peek().map_or(0, csv::StringRecord::len);
    let mut fit = Fit::default();
    let mut used = BTreeSet::new();
    // A call that stands there twice is one call.
    let mut calls = BTreeMap::new();
    if let Ok(reader) = CallRecord::mapped_csv(&CallDetails::columns(width), mapping) {
        for row in rows {
            let cells: Vec<&str> = row.iter().collect();
            let Ok(call) = reader.row(&cells) else { continue };
            if !names.of(&call).is_empty() {
                calls.insert(call.original_identifier.clone(), call);
            }
        }
    }
    for (identifier, call) in calls {
        used.extend(names.of(&call).iter().cloned());
        match (names.find(&call), identifier.flatten()) {
            (Ok(Some(path)), Some(identifier)) => fit.recordings.push((identifier, path.to_owned())),
            (Err(fault), _) => fit.doubtful.push(fault),
            _ => {}
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
        assert_eq!(fit.doubtful.len(), 1);
        assert_eq!(fit.unused, ["m/1777627800.3.wav"]);
        assert_eq!(super::fit("", Delimiter::Comma, &mapping, &paths).unused.len(), 4);
    }
}
