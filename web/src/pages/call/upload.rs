//! Uploads a recording for a call that has none or a wrong one.

use leadscribe_engine::api::CallId;
use leptos::prelude::*;
use web_sys::File;

use crate::api::{Stopper, use_api};
use crate::attempt::Attempt;
use crate::components::error_notice::ErrorNotice;
use crate::components::input::file_drop::FileDrop;
use crate::components::progress_bar::ProgressBar;
use crate::components::shell::leave_guard::LeaveGuard;
use crate::texts::{common, imports};
use crate::upload_attempt::UploadAttempt;

#[component]
pub fn UploadRecording(
    id: CallId,
    label: &'static str,
    /// Called when the server has the recording.
    on_kept: Callback<()>,
) -> impl IntoView {
    let api = use_api();
    let attempt = Attempt::new();
    let upload = UploadAttempt::of(attempt);
    let on_file = Callback::new(move |file: File| {
        let send = move |progress, stopper: Option<Stopper>| async move {
            api.upload_recording(id, &file, progress, stopper.as_ref()).await
        };
        upload.start(send, move |_| on_kept.run(()));
    });
    let is_busy = attempt.is_busy();
    view! {
        <div class="card-body stack">
            {move || attempt.refusal().map(|error| view! { <ErrorNotice error /> })}
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
                    <button type="button" class="button button-small" data-test="recording-stop" on:click=move |_| upload.stop()>
                        {common::cancel()}
                    </button>
                </div>
            </Show>
        </div>
        <LeaveGuard unsaved=is_busy />
    }
}
