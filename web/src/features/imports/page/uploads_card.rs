//! Progress of uploading the recordings of imported calls, and recordings that match no call.

use leptos::prelude::*;

use crate::features::imports::recording_uploads::{UploadProgress, UploadStage};
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{common, imports};
use crate::ui::ProgressBar;
use crate::ui::input::Button;

/// Upload progress, with a button to stop running uploads.
#[component]
pub fn RecordingUploadsCard(uploading: UploadProgress, on_stop: Callback<()>) -> impl IntoView {
    let UploadProgress { stage, uploaded, total, percent, pause_reason, failed } = uploading;
    let (name, status_text) = match stage {
        UploadStage::Waiting => ("waiting", imports::recordings_pending(total)),
        UploadStage::Running => ("running", imports::recordings_uploaded(total, format_count(uploaded))),
        UploadStage::Finished => ("finished", imports::recordings_uploaded(total, format_count(uploaded))),
        UploadStage::Stopped => ("stopped", imports::recordings_stopped(total, format_count(uploaded))),
    };
    let can_stop = matches!(stage, UploadStage::Waiting | UploadStage::Running);
    let failures = (!failed.is_empty()).then(|| {
        let rows = failed.into_iter().map(|(path, reason)| {
            view! {
                <tr data-test="recording-failed">
                    <td data-label=imports::file()>{path}</td>
                    <td data-label=common::reason()>{reason}</td>
                </tr>
            }
        });
        view! {
            <div class="table-wrap" tabindex="0" role="region" aria-label=imports::recordings_failed()>
                <table class="table">
                    <caption class="visually-hidden">{imports::recordings_failed()}</caption>
                    <thead>
                        <tr>
                            <th scope="col">{imports::file()}</th>
                            <th scope="col">{common::reason()}</th>
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
        }
    });
    view! {
        <section class="card mobile-cards" aria-label=common::recordings() data-test="recording-uploads" data-stage=name>
            <div class="card-header">
                <h2>{common::recordings()}</h2>
                <Show when=move || can_stop>
                    <Button class="button-small" label=common::cancel() test_id="recordings-stop" on_press=on_stop />
                </Show>
            </div>
            <div class="card-body stack">
                <ProgressBar label=common::recordings() percent />
                <p class="secondary" role="status" data-test="recordings-status">
                    {status_text} " " {pause_reason.map(imports::recordings_retrying)}
                </p>
                {failures}
            </div>
        </section>
    }
}
