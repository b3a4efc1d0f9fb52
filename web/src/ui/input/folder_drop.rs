//! Drop area and picker for a folder.

use js_sys::Reflect;
use leptos::html;
use leptos::prelude::*;
use web_sys::File;

use crate::ui::icon::{Glyph, Icon};

/// Accepts the files of a folder at any depth. The input covers the whole area, because browsers accept dropped folders on the input.
#[component]
pub fn FolderDrop(
    id: &'static str,
    label: &'static str,
    hint: &'static str,
    #[prop(into)] disabled: Signal<bool>,
    on_files: Callback<Vec<File>>,
) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let on_change = move |_| {
        let Some(input) = input.get_untracked() else { return };
        let files = input.files().map(|files| (0..files.length()).filter_map(|index| files.get(index)).collect());
        // Allows picking the same folder again.
        input.set_value("");
        on_files.run(files.unwrap_or_default());
    };
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
                on:change=on_change
            />
        </label>
    }
}

/// Path of a file relative to the picked folder, with `/` as separator.
pub fn relative_path(file: &File) -> String {
    let path = Reflect::get(file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
    path.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name())
}
