//! Additional input for call detail records: the time zone, extensions and trunks, and the folder of recordings, which
//! are matched with the calls of the file.

use std::collections::{BTreeMap, BTreeSet};

use js_sys::Uint8Array;
use leadscribe_engine::csv::{EncodingDetector, RowError, cell_value};
use leadscribe_engine::record::{CallAssembler, CallDetailReader, CallRecord, Mapping, RecordingIndex};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use crate::features::imports::csv_table::CsvTable;
use crate::features::imports::mapping_form::{EXTENSIONS_POINTER, MappingForm, TIME_ZONE_POINTER, TRUNKS_POINTER};
use crate::features::imports::recording_uploads::{Recording, SelectedRecordings};
use crate::i18n::texts::imports;
use crate::ui::input::{FieldError, FolderDrop, TextField, relative_path};
use crate::ui::prose::with_code;

/// Maximum size in bytes of a file that the browser matches with a folder: a few hundred thousand rows.
const MAX_MATCHED_FILE_BYTES: f64 = 128.0 * 1024.0 * 1024.0;

/// Maximum number of unmatched files to list.
const MAX_LISTED_FILES: usize = 200;

/// Time zone, extensions and trunks of the file.
pub fn call_details_fields(form: MappingForm) -> AnyView {
    let field = |id: &'static str, label: &'static str, hint: &'static str, value: RwSignal<String>, pointer| {
        let diagnostics = form.diagnostics_at(pointer);
        view! { <TextField id label hint value set=move |text| value.set(text) diagnostics /> }
    };
    let (label, hint) = (imports::extensions(), imports::extensions_hint());
    let extensions = field("import-extensions", label, hint, form.extensions, EXTENSIONS_POINTER);
    view! {
        <div class="call-details" data-test="call-details">
            {field("import-zone", imports::zone(), imports::zone_hint(), form.time_zone, TIME_ZONE_POINTER)}
            {extensions}
            {field("import-trunks", imports::trunks(), imports::trunks_hint(), form.trunks, TRUNKS_POINTER)}
            <div class="stack-tight">
                <h3>{imports::asterisk()}</h3>
                <p class="small secondary">
                    {imports::asterisk_hint()} <code>"uniqueid"</code> {imports::asterisk_hint_end()}
                </p>
            </div>
        </div>
    }
    .into_any()
}

#[component]
pub fn RecordingFolder(
    file: StoredValue<File, LocalStorage>,
    mapping: Memo<Mapping>,
    #[prop(into)] disabled: Signal<bool>,
    /// Recordings that match calls of the file.
    selected: RwSignal<SelectedRecordings, LocalStorage>,
) -> impl IntoView {
    let (status, folder_match) = (RwSignal::new(None::<String>), RwSignal::new(None::<FolderMatch>));
    let on_files = Callback::new(move |files: Vec<File>| {
        let file = file.get_value();
        selected.set(SelectedRecordings::default());
        folder_match.set(None);
        if file.size() > MAX_MATCHED_FILE_BYTES {
            return status.set(Some(imports::folder_by_command().to_owned()));
        }
        status.set(Some(imports::matching_recordings().to_owned()));
        let mapping = mapping.get_untracked();
        spawn_local(async move {
            let bytes = JsFuture::from(file.array_buffer()).await.map(|bytes| Uint8Array::new(&bytes).to_vec());
            let by_path: BTreeMap<String, File> = files.into_iter().map(|file| (relative_path(&file), file)).collect();
            let paths: Vec<_> = by_path.keys().cloned().collect();
            let result = match_recordings(&bytes.unwrap_or_default(), &mapping, &paths);
            let recordings = result.recordings.iter().map(|(identifier, path)| Recording {
                identifier: identifier.clone(),
                path: path.clone(),
                file: by_path[path].clone(),
            });
            let recordings = recordings.collect();
            let rejected = result.ambiguous.iter().flat_map(|(identifier, files)| {
                let reason = imports::ambiguous_recording(identifier);
                files.iter().map(move |path| (path.clone(), reason.clone()))
            });
            // The page may have been closed.
            selected.try_set(SelectedRecordings { recordings, rejected: rejected.collect() });
            status.try_set(None);
            folder_match.try_set(Some(result));
        });
    });
    view! {
        <div class="stack-tight" role="status">
            <FolderDrop id="recording-folder" label=imports::folder() hint=imports::folder_hint() disabled on_files />
            {move || status.get().map(|text| view! { <p class="small secondary">{with_code(&text)}</p> })}
            {move || folder_match.get().map(|folder_match| view! { <FolderMatchResult folder_match /> })}
        </div>
    }
}

#[component]
fn FolderMatchResult(folder_match: FolderMatch) -> impl IntoView {
    let FolderMatch { recordings, ambiguous, unmatched } = folder_match;
    let ambiguous = ambiguous.into_iter().map(|(identifier, files)| {
        view! {
            <FieldError test_id="recordings-ambiguous">
                {imports::ambiguous_recording(identifier)} " " {files.join(", ")}
            </FieldError>
        }
    });
    let count = unmatched.len();
    let items = unmatched.into_iter().take(MAX_LISTED_FILES).map(|path| view! { <li>{path}</li> }).collect_view();
    let unmatched_list = (count > 0).then(|| {
        view! {
            <details>
                <summary data-test="recordings-unused">{imports::files_unused(count as u64)}</summary>
                <ul class="small secondary">{items}</ul>
            </details>
        }
    });
    view! {
        <p data-test="recordings-found">{imports::recordings_found(recordings.len() as u64)}</p>
        {ambiguous.collect_view()}
        {unmatched_list}
    }
}

/// Result of matching files to calls.
#[derive(Clone, Debug, Default, PartialEq)]
struct FolderMatch {
    /// Matched recordings: the call's identifier in the source system, and the path.
    recordings: Vec<(String, String)>,
    /// Calls that match several files: the call's identifier, and the paths.
    ambiguous: Vec<(String, Vec<String>)>,
    /// Files that match no call, without hidden files.
    unmatched: Vec<String>,
}

/// Finds the recordings of the calls in a file. Rows that the import would reject have none.
fn match_recordings(file: &[u8], mapping: &Mapping, paths: &[String]) -> FolderMatch {
    let mut index = RecordingIndex::default();
    paths.iter().for_each(|path| index.add(path));
    let mut result = FolderMatch::default();
    let mut matched = BTreeSet::new();
    for call in read_calls(file, mapping).unwrap_or_default() {
        let (files, Some(Some(identifier))) = (index.candidates(&call), call.original_identifier.clone()) else {
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
    use crate::features::imports::page::call_details::*;

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
