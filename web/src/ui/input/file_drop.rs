//! Drop areas and pickers for a file and for a folder. Their inputs are reachable by keyboard.

use js_sys::Reflect;
use leptos::html;
use leptos::prelude::*;
use web_sys::{DragEvent, File, FileList};

use crate::i18n::texts::imports;
use crate::ui::{Glyph, Icon};

/// Accepts one file.
#[component]
pub fn FileDrop(
    id: &'static str,
    #[prop(into)] label: Signal<String>,
    accept: &'static str,
    on_file: Callback<File>,
) -> impl IntoView {
    let is_dragged_over = RwSignal::new(false);
    let input = NodeRef::<html::Input>::new();
    let on_drop = move |event: DragEvent| {
        event.prevent_default();
        is_dragged_over.set(false);
        if let Some(file) = event.data_transfer().and_then(|data| files(data.files()).next()) {
            on_file.run(file);
        }
    };
    let on_change = move |_| {
        if let Some(file) = take_files(input).first() {
            on_file.run(file.clone());
        }
    };
    view! {
        <label
            class="file-drop"
            class:is-dragged-over=is_dragged_over
            for=id
            on:dragover=move |event: DragEvent| {
                event.prevent_default();
                is_dragged_over.set(true);
            }
            on:dragleave=move |_| is_dragged_over.set(false)
            on:drop=on_drop
        >
            <span class="empty-state-icon">
                <Icon glyph=Glyph::Upload />
            </span>
            <span class="strong">{label}</span>
            <span class="small secondary">{imports::drop_or_pick()}</span>
            <input
                node_ref=input
                id=id
                class="file-drop-input"
                type="file"
                accept=accept
                data-test=id
                on:change=on_change
            />
        </label>
    }
}

/// Accepts the files of a folder at any depth. The input covers the whole area, because browsers accept dropped folders
/// on the input.
#[component]
pub fn FolderDrop(
    id: &'static str,
    label: &'static str,
    hint: &'static str,
    #[prop(into)] disabled: Signal<bool>,
    on_files: Callback<Vec<File>>,
) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    view! {
        <label class="file-drop file-drop-compact" for=id>
            <span class="row">
                <Icon glyph=Glyph::Upload />
                <span class="strong">{label}</span>
            </span>
            <span class="small secondary">{hint}</span>
            <input
                node_ref=input
                id=id
                class="file-drop-input"
                type="file"
                multiple
                prop:webkitdirectory=true
                disabled=disabled
                data-test=id
                on:change=move |_| on_files.run(take_files(input))
            />
        </label>
    }
}

fn files(list: Option<FileList>) -> impl Iterator<Item = File> {
    list.into_iter().flat_map(|list| (0..list.length()).filter_map(move |index| list.get(index)))
}

/// Takes the picked files. The input is empty afterwards, so that the same files can be picked again.
fn take_files(input: NodeRef<html::Input>) -> Vec<File> {
    let Some(input) = input.get_untracked() else { return Vec::new() };
    let picked = files(input.files()).collect();
    input.set_value("");
    picked
}

/// Path of a file relative to the picked folder, with `/` as separator.
pub fn relative_path(file: &File) -> String {
    let path = Reflect::get(file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
    path.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name())
}
