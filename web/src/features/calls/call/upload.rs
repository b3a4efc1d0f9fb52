//! Uploads a recording for a call that has none or a wrong one.

use leadscribe_engine::api::CallId;
use leptos::prelude::*;
use web_sys::File;

use crate::api::{AbortHandle, use_api};
use crate::i18n::texts::{common, imports};
use crate::state::file_upload::FileUpload;
use crate::state::mutation::Mutation;
use crate::ui::error_notice::ErrorNotice;
use crate::ui::input::file_drop::FileDrop;
use crate::ui::progress_bar::ProgressBar;
use crate::ui::unsaved_changes_guard::UnsavedChangesGuard;

#[component]
pub fn UploadRecording(
    id: CallId,
    label: &'static str,
    /// Called when the server has the recording.
    on_stored: Callback<()>,
) -> impl IntoView {
    let api = use_api();
    let mutation = Mutation::new();
    let upload = FileUpload::new(mutation);
    let on_file = Callback::new(move |file: File| {
        let send = move |progress, abort_handle: Option<AbortHandle>| async move {
            api.upload_recording(id, &file, progress, abort_handle.as_ref()).await
        };
        upload.start(send, move |_| on_stored.run(()));
    });
    let is_busy = mutation.is_busy();
    view! {
        <div class="card-body stack">
            {move || mutation.error().map(|error| view! { <ErrorNotice error /> })}
            <Show
                when=move || is_busy.get()
                fallback=move || {
                    view! {
                        <FileDrop
                            id="recording-file"
                            label
                            accept="audio/*,.wav,.mp3,.flac,.ogg"
                            disabled=false
                            on_file
                        />
                    }
                }
            >
                {move || view! { <ProgressBar label percent=upload.percent() /> }}
                <div class="row">
                    <span class="small secondary" role="status" data-test="recording-percent">
                        {move || imports::uploading(upload.percent())}
                    </span>
                    <button type="button" class="button button-small" data-test="recording-stop" on:click=move |_| upload.cancel()>
                        {common::cancel()}
                    </button>
                </div>
            </Show>
        </div>
        <UnsavedChangesGuard has_unsaved_changes=is_busy />
    }
}
