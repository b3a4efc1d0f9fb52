//! Additional input for call detail records: the time zone, and the folder of recordings, which is matched with the calls of
//! the file.

use std::collections::BTreeMap;

use js_sys::Uint8Array;
use leadscribe_engine::record::Mapping;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use crate::features::imports::mapping_form::{EXTENSIONS_POINTER, MappingForm, TIME_ZONE_POINTER, TRUNKS_POINTER};
use crate::features::imports::recording_folder::{FolderMatch, match_recordings};
use crate::features::imports::recording_uploads::{Recording, SelectedRecordings};
use crate::i18n::texts::imports;
use crate::ui::input::{FieldError, FolderDrop, TextField, relative_path};
use crate::ui::prose::with_code;

/// Maximum size in bytes of a file that the browser matches with a folder: some hundred thousand rows.
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
    let names = unmatched.into_iter().take(MAX_LISTED_FILES).map(|path| view! { <li>{path}</li> }).collect_view();
    let unmatched_list = (count > 0).then(|| {
        view! {
            <details>
                <summary data-test="recordings-unused">{imports::files_unused(count as u64)}</summary>
                <ul class="small secondary">{names}</ul>
            </details>
        }
    });
    view! {
        <p data-test="recordings-found">{imports::recordings_found(recordings.len() as u64)}</p>
        {ambiguous.collect_view()}
        {unmatched_list}
    }
}
