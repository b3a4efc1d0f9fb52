//! A recording for a call that has none, or the wrong one.

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

#[component]
pub fn UploadRecording(
    id: CallId,
    label: &'static str,
    /// Told when the call has it.
    on_kept: Callback<()>,
) -> impl IntoView {
    let api = use_api();
    let attempt = Attempt::new();
    let percent = RwSignal::new(0);
    let stopper = StoredValue::new_local(None::<Stopper>);
    let on_file = Callback::new(move |file: File| {
        percent.set(0);
        stopper.set_value(Stopper::new());
        let stopper = stopper.get_value();
        let progress = move |part: f64| _ = percent.try_set((part * 100.0) as u64);
        let upload = async move { api.upload_recording(id, &file, progress, stopper.as_ref()).await };
        attempt.start(upload, move |call| {
            if call.is_some() {
                on_kept.run(());
            }
        });
    });
    let stop = move |_| {
        if let Some(stopper) = stopper.get_value() {
            stopper.stop();
        }
    };
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
                {move || view! { <ProgressBar label percent=percent.get() /> }}
                <div class="row">
                    <span class="small secondary" role="status" data-test="recording-percent">
                        {move || imports::uploading(percent.get())}
                    </span>
                    <button type="button" class="button button-small" data-test="recording-stop" on:click=stop>
                        {common::cancel()}
                    </button>
                </div>
            </Show>
        </div>
        <LeaveGuard unsaved=is_busy />
    }
}
