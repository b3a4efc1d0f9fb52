//! Additional input for call detail records: the time zone, and the folder of recordings, which is matched with the calls of
//! the file.

use std::collections::BTreeMap;

use js_sys::Uint8Array;
use leadscribe_engine::record::Mapping;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use super::reading::Reading;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::field::Field;
use crate::components::input::folder_drop::{FolderDrop, path_of};
use crate::components::prose::prose;
use crate::recording_folder::{Doubtful, Fit, fit};
use crate::recording_uploads::{Chosen, Recording};
use crate::texts::imports;

/// Maximum size in bytes of a file that the browser matches with a folder: some hundred thousand rows.
const LARGEST: f64 = 128.0 * 1024.0 * 1024.0;

/// Maximum number of unmatched files to list.
const NAMED: usize = 200;

/// Result of matching a folder.
#[derive(Clone)]
enum Found {
    Nothing,
    Looking,
    TooLarge,
    Fit(Fit),
}

/// Time zone, extensions and trunks of the file.
#[component]
pub fn CallDetailsNote(reading: Reading) -> impl IntoView {
    let patterns = [
        (
            "import-extensions",
            imports::extensions(),
            imports::extensions_hint(),
            reading.extensions,
            reading.extension_faults,
        ),
        ("import-trunks", imports::trunks(), imports::trunks_hint(), reading.trunks, reading.trunk_faults),
    ];
    let patterns = patterns.map(|(id, label, hint, value, faults)| {
        view! {
            <Field id label hint faults>
                <input
                    id=id
                    class="input"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby=format!("{id}-note")
                    bind:value=value
                />
            </Field>
        }
    });
    view! {
        <div class="call-details" data-test="call-details">
            <Field id="import-zone" label=imports::zone() hint=imports::zone_hint() faults=reading.zone_faults>
                <input
                    id="import-zone"
                    class="input"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby="import-zone-note"
                    bind:value=reading.zone
                />
            </Field>
            {patterns.collect_view()}
            <div class="stack-tight">
                <h3>{imports::asterisk()}</h3>
                <p class="small secondary">
                    {imports::asterisk_about()} <code>"uniqueid"</code> {imports::asterisk_about_end()}
                </p>
            </div>
        </div>
    }
}

#[component]
pub fn RecordingFolder(
    file: StoredValue<File, LocalStorage>,
    mapping: Memo<Mapping>,
    #[prop(into)] disabled: Signal<bool>,
    /// Recordings that match calls of the file.
    chosen: RwSignal<Chosen, LocalStorage>,
) -> impl IntoView {
    let found = RwSignal::new(Found::Nothing);
    let on_files = Callback::new(move |files: Vec<File>| {
        let file = file.get_value();
        chosen.set(Chosen::default());
        if file.size() > LARGEST {
            found.set(Found::TooLarge);
            return;
        }
        found.set(Found::Looking);
        let mapping = mapping.get_untracked();
        spawn_local(async move {
            let bytes = JsFuture::from(file.array_buffer()).await.map(|bytes| Uint8Array::new(&bytes).to_vec());
            let by_path: BTreeMap<String, File> = files.into_iter().map(|file| (path_of(&file), file)).collect();
            let paths: Vec<_> = by_path.keys().cloned().collect();
            let fit = fit(&bytes.unwrap_or_default(), &mapping, &paths);
            let recordings = fit.recordings.iter().map(|(identifier, path)| Recording {
                identifier: identifier.clone(),
                path: path.clone(),
                file: by_path[path].clone(),
            });
            let recordings = recordings.collect();
            let left = fit.doubtful.iter().flat_map(|doubtful| {
                let why = imports::which_recording(&doubtful.identifier);
                doubtful.files.iter().map(move |path| (path.clone(), why.clone()))
            });
            // The page may have been closed.
            chosen.try_set(Chosen { recordings, left: left.collect() });
            found.try_set(Found::Fit(fit));
        });
    });
    let said = move || match found.get() {
        Found::Nothing => ().into_any(),
        Found::Looking => view! { <p class="small secondary">{imports::looking()}</p> }.into_any(),
        Found::TooLarge => view! { <p class="small secondary">{prose(imports::folder_by_command())}</p> }.into_any(),
        Found::Fit(fit) => view! { <WhatFits fit /> }.into_any(),
    };
    view! {
        <div class="stack-tight" role="status">
            <FolderDrop
                id="recording-folder"
                label=imports::folder()
                hint=imports::folder_hint()
                disabled
                on_files
            />
            {said}
        </div>
    }
}

#[component]
fn WhatFits(fit: Fit) -> impl IntoView {
    let Fit { recordings, doubtful, unused } = fit;
    let doubtful = doubtful.into_iter().map(|Doubtful { identifier, files }| {
        view! {
            <p class="field-fault" data-test="recordings-doubtful">
                <Icon glyph=Glyph::Alert />
                <span>{imports::which_recording(identifier)} " " {files.join(", ")}</span>
            </p>
        }
    });
    let doubtful = doubtful.collect_view();
    let count = unused.len();
    let names = unused.into_iter().take(NAMED).map(|path| view! { <li>{path}</li> }).collect_view();
    let others = (count > 0).then(|| {
        view! {
            <details>
                <summary data-test="recordings-unused">{imports::files_unused(count as u64)}</summary>
                <ul class="small secondary">{names}</ul>
            </details>
        }
    });
    view! {
        <p data-test="recordings-found">{imports::recordings_found(recordings.len() as u64)}</p>
        {doubtful}
        {others}
    }
}
