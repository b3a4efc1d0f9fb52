//! Finds the recordings of calls by file name: Asterisk and FreePBX include the `uniqueid` of one of the call's channels.

use std::collections::BTreeMap;

use super::CallRecord;
use crate::api::CallStatus;
use crate::diagnostic::{Diagnostic, Location, catalog::record as texts, expected};

/// Extensions of audio files. If several files differ only in their extension, the first in this list is used.
const AUDIO_EXTENSIONS: [&str; 32] = [
    "wav", "wave", "flac", "mp3", "ogg", "oga", "opus", "m4a", "mp4", "webm", "mka", "aac", "aif", "aiff", "caf",
    "wav49", "gsm", "sln", "slin", "sln16", "sln48", "raw", "pcm", "ulaw", "ul", "mulaw", "alaw", "al", "g722", "g729",
    "g726", "g723",
];

/// Suffixes of files with only one side of a call. `Monitor`, and `MixMonitor` with some options, write them in addition to the file
/// with both sides.
const SIDE_SUFFIXES: [&str; 10] = ["-in", "-out", "_in", "_out", "-r", "-t", "_r", "_t", "-rx", "-tx"];

/// Words that dial plans put right before a `uniqueid`. Any other word followed by a dash is a system name, which is part of the
/// `uniqueid`.
const UNIQUEID_PREFIX_WORDS: [&str; 26] = [
    "in",
    "out",
    "internal",
    "external",
    "incoming",
    "outgoing",
    "inbound",
    "outbound",
    "exten",
    "ext",
    "q",
    "queue",
    "rg",
    "group",
    "conf",
    "call",
    "rec",
    "recording",
    "record",
    "monitor",
    "mixmonitor",
    "ondemand",
    "force",
    "agent",
    "dial",
    "vm",
];

/// The audio files of a folder, indexed by `uniqueid` and by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordingIndex {
    /// Paths by `uniqueid` without its system name.
    by_uniqueid: BTreeMap<String, Vec<String>>,
    /// Paths by file name without extension, in lower case.
    by_stem: BTreeMap<String, Vec<String>>,
}

impl RecordingIndex {
    /// Adds the file at this path, with `/` between folders. Files other than audio are ignored.
    pub fn add(&mut self, path: &str) {
        let name = file_name(path);
        if name.starts_with('.') || audio_rank(name).is_none() {
            return;
        }
        for (start, length) in uniqueid_positions(name) {
            let files = self.by_uniqueid.entry(name[start..start + length].to_owned()).or_default();
            // A name may contain the id twice.
            if files.last().is_none_or(|last| last != path) {
                files.push(path.to_owned());
            }
        }
        self.by_stem.entry(stem(name).to_lowercase()).or_default().push(path.to_owned());
    }

    /// Returns the possible recordings of a call; none if the call wasn't answered.
    ///
    /// Files named in the call's records take precedence. Otherwise, files with the whole `uniqueid` of the call in their name, or else of
    /// one of its channels.
    pub fn candidates(&self, call: &CallRecord) -> Vec<&str> {
        let Some(details) = call.details.as_deref().filter(|_| call.status == Some(CallStatus::Answered)) else {
            return Vec::new();
        };
        let named_files = details.recordings.iter().map(|name| {
            let same_stem = self.by_stem.get(&stem(name).to_lowercase()).into_iter().flatten();
            same_stem.map(String::as_str).collect::<Vec<_>>()
        });
        let files_by_uniqueid = details.uniqueids.iter().map(|uniqueid| self.files_with_uniqueid(uniqueid));
        named_files.chain(files_by_uniqueid).find(|files| !files.is_empty()).map(prefer_complete).unwrap_or_default()
    }

    /// Returns the files with the whole `uniqueid` in their name.
    fn files_with_uniqueid(&self, uniqueid: &str) -> Vec<&str> {
        let Some((start, length)) =
            uniqueid_positions(uniqueid).last().filter(|(start, length)| start + length == uniqueid.len())
        else {
            return Vec::new();
        };
        let (system_name, number) = uniqueid.split_at(start);
        debug_assert_eq!(number.len(), length);
        let files = self.by_uniqueid.get(number).into_iter().flatten().map(String::as_str);
        let contains_id = |path: &&str| {
            let name = file_name(path);
            uniqueid_positions(name).any(|(start, length)| {
                &name[start..start + length] == number
                    && name[..start].strip_suffix(system_name).is_some_and(|before| is_separated(before, system_name))
            })
        };
        files.filter(contains_id).collect()
    }

    /// Returns the recording of a call.
    ///
    /// # Errors
    /// Several files match.
    pub fn find(&self, call: &CallRecord) -> Result<Option<&str>, Diagnostic> {
        match *self.candidates(call) {
            [] => Ok(None),
            [path] => Ok(Some(path)),
            ref paths => {
                let identifier = call.original_identifier.clone().flatten().unwrap_or_default();
                let ambiguous = expected("ambiguous", texts::one_recording(identifier), paths.join(", "));
                Err(Diagnostic { location: Location::Column("recording".to_owned()), ..ambiguous })
            }
        }
    }
}

/// Keeps the files with both sides, if there are any. Of files that differ only in their extension, keeps the first by [`AUDIO_EXTENSIONS`].
fn prefer_complete(files: Vec<&str>) -> Vec<&str> {
    let has_both_sides = |path: &&str| !SIDE_SUFFIXES.iter().any(|side| stem(path).to_lowercase().ends_with(side));
    let complete_files: Vec<_> = files.iter().copied().filter(has_both_sides).collect();
    let mut files = if complete_files.is_empty() { files } else { complete_files };
    files.sort_by_key(|path| (stem(path).to_owned(), audio_rank(path)));
    files.dedup_by_key(|path| stem(path).to_owned());
    files
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns a path or name without the extension of an audio file.
fn stem(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, _)) if audio_rank(path).is_some() => stem,
        _ => path,
    }
}

/// Returns the index of a name's extension in [`AUDIO_EXTENSIONS`].
fn audio_rank(name: &str) -> Option<usize> {
    let extension = name.rsplit_once('.')?.1.to_lowercase();
    AUDIO_EXTENSIONS.iter().position(|audio| *audio == extension)
}

/// Returns the positions and lengths of `uniqueid`s in a text, without system names: ten digits, a point, and digits.
fn uniqueid_positions(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let bytes = text.as_bytes();
    let count_digits = move |start: usize| bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
    let dot_positions = bytes.iter().enumerate().filter(|(_, b)| **b == b'.').map(|(index, _)| index);
    dot_positions.filter_map(move |dot| {
        let before = bytes[..dot].iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let after = count_digits(dot + 1);
        // Since September 2001, these timestamps have ten digits.
        (before == 10 && after > 0).then(|| (dot - before, before + 1 + after))
    })
}

/// Returns true if the text before a `uniqueid` isn't the name of another system.
fn is_separated(prefix: &str, system_name: &str) -> bool {
    let Some(last) = prefix.chars().last() else { return true };
    if system_name.is_empty() && last != '-' {
        return true;
    }
    if !matches!(last, '-' | '_' | ' ' | ')' | ']' | '@') {
        return false;
    }
    let prefix = &prefix[..prefix.len() - 1];
    let word = prefix.rsplit(['-', '_', ' ', '(', ')', '[', ']', '@']).next().unwrap_or_default();
    let is_number = word.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '*' | '#' | ':' | '.' | 'T'));
    is_number || UNIQUEID_PREFIX_WORDS.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::super::DetailsOrigin;
    use super::*;

    fn call(uniqueids: &[&str], recordings: &[&str], status: CallStatus) -> CallRecord {
        let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let details = DetailsOrigin {
            uniqueids: strings(uniqueids),
            recordings: strings(recordings),
            ..DetailsOrigin::default()
        };
        CallRecord {
            original_identifier: Some(uniqueids.first().map(|first| (*first).to_owned())),
            status: Some(status),
            details: Some(Box::new(details)),
            ..CallRecord::default()
        }
    }

    fn candidate_paths(paths: &[&str], uniqueid: &str) -> Vec<String> {
        let mut index = RecordingIndex::default();
        paths.iter().for_each(|path| index.add(path));
        index.candidates(&call(&[uniqueid], &[], CallStatus::Answered)).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn recordings_contain_the_whole_uniqueid() {
        for (name, uniqueid) in [
            ("1777888800.5.wav", "1777888800.5"),
            ("monitor/2026/05/04/out-0309018-101-20260504-100000-1777888800.5.WAV", "1777888800.5"),
            ("out-1777888800.5.mp3", "1777888800.5"),
            ("1777888800.5-out-101.gsm", "1777888800.5"),
            ("hotline_1777888800.5.wav", "1777888800.5"),
            ("berlin-1777888800.5.wav", "berlin-1777888800.5"),
            ("out-101-berlin-1777888800.5.wav", "berlin-1777888800.5"),
            ("q-600-pbx-berlin.2-1777888800.5.wav49", "pbx-berlin.2-1777888800.5"),
        ] {
            assert_eq!(candidate_paths(&[name], uniqueid), [name], "{uniqueid}");
        }
        for (name, uniqueid) in [
            ("hamburg-1777889000.7.wav", "1777889000.7"),
            ("1777889000.7.wav", "hamburg-1777889000.7"),
            ("out-101-hamburg-1777889000.7.wav", "1777889000.7"),
            ("pbx-berlin-1777889000.7.wav", "berlin-1777889000.7"),
            ("pbx.berlin-1777889000.7.wav", "berlin-1777889000.7"),
            ("newberlin-1777889000.7.wav", "berlin-1777889000.7"),
            ("1777889000.71.wav", "1777889000.7"),
            ("11777889000.7.wav", "1777889000.7"),
            ("1777889000.7/x.wav", "1777889000.7"),
            ("20260501.wav", "20260501"),
        ] {
            assert_eq!(candidate_paths(&[name], uniqueid), [""; 0], "{name}");
        }
    }

    #[test]
    fn ignores_files_other_than_audio() {
        let other_files =
            ["1777888800.5.txt", "1777888800.5.json", "1777888800.5.xml", ".1777888800.5.wav", "1777888800.5"];
        assert_eq!(candidate_paths(&other_files, "1777888800.5"), [""; 0]);
        let copies = ["a/1777888800.5.mp3", "a/1777888800.5.txt", "a/1777888800.5.gsm", "a/1777888800.5.wav"];
        assert_eq!(candidate_paths(&copies, "1777888800.5"), ["a/1777888800.5.wav"]);
    }

    #[test]
    fn prefers_whole_recordings_to_sides() {
        let sides = ["1777888800.5-in.wav", "1777888800.5-out.wav"];
        assert_eq!(candidate_paths(&sides, "1777888800.5"), sides);
        assert_eq!(candidate_paths(&[sides[0], "1777888800.5.wav", sides[1]], "1777888800.5"), ["1777888800.5.wav"]);
        assert_eq!(candidate_paths(&["1777888800.5_r.wav", "1777888800.5.wav"], "1777888800.5"), ["1777888800.5.wav"]);
    }

    #[test]
    fn uses_recordings_named_in_records() {
        let mut index = RecordingIndex::default();
        ["2026/05/rec-7.wav", "2026/05/exten-101-1777888801.6.wav"].iter().for_each(|path| index.add(path));
        let uniqueids = ["1777888800.5", "1777888801.6"];
        let named = call(&uniqueids, &["gone.wav", "rec-7.mp3"], CallStatus::Answered);
        assert_eq!(index.find(&named), Ok(Some("2026/05/rec-7.wav")));
        let of_channel = call(&uniqueids, &["gone.wav"], CallStatus::Answered);
        assert_eq!(index.find(&of_channel), Ok(Some("2026/05/exten-101-1777888801.6.wav")));
        assert_eq!(index.find(&call(&uniqueids, &[], CallStatus::NoAnswer)), Ok(None));
        assert_eq!(index.find(&CallRecord::default()), Ok(None));
    }

    #[test]
    fn reports_ambiguous_recordings() {
        let mut index = RecordingIndex::default();
        ["a/1777888800.5.wav", "b/1777888800.5.wav"].iter().for_each(|path| index.add(path));
        let diagnostic = index.find(&call(&["1777888800.5"], &[], CallStatus::Answered)).unwrap_err();
        assert_eq!(
            (diagnostic.code.as_str(), diagnostic.message.to_string().as_str()),
            ("ambiguous", "expected one recording for 1777888800.5, found a/1777888800.5.wav, b/1777888800.5.wav")
        );
    }
}
