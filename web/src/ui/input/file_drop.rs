//! Drop area and picker for a file.

use leptos::html;
use leptos::prelude::*;
use web_sys::{DragEvent, File};

use crate::i18n::texts::imports;
use crate::ui::icon::{Glyph, Icon};

/// Accepts one file. The input itself is reachable by keyboard.
#[component]
pub fn FileDrop(
    id: &'static str,
    #[prop(into)] label: Signal<String>,
    accept: &'static str,
    #[prop(into)] disabled: Signal<bool>,
    on_file: Callback<File>,
) -> impl IntoView {
    let is_dragged_over = RwSignal::new(false);
    let input = NodeRef::<html::Input>::new();
    let on_drop = move |event: DragEvent| {
        event.prevent_default();
        is_dragged_over.set(false);
        let file = event.data_transfer().and_then(|data| data.files()).and_then(|files| files.get(0));
        if let Some(file) = file.filter(|_| !disabled.get_untracked()) {
            on_file.run(file);
        }
    };
    let on_change = move |_| {
        let Some(input) = input.get_untracked() else { return };
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            on_file.run(file);
        }
        // Allows picking the same file again after a correction.
        input.set_value("");
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
                disabled=disabled
                data-test=id
                on:change=on_change
            />
        </label>
    }
}
