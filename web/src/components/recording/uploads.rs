//! Progress of uploading the recordings of imported calls, and recordings that match no call.

use leptos::prelude::*;

use crate::components::progress_bar::ProgressBar;
use crate::recording_uploads::{Stage, Uploading};
use crate::texts::{common, imports};
use crate::when::count;

/// Upload progress, with a button to stop running uploads.
#[component]
pub fn RecordingUploadsCard(uploading: Uploading, on_stop: Callback<()>) -> impl IntoView {
    let Uploading { stage, kept, total, percent, held_up, failed } = uploading;
    let (name, said) = match stage {
        Stage::Waiting => ("waiting", imports::recordings_wait(total)),
        Stage::Running => ("running", imports::recordings_of(total, count(kept))),
        Stage::Over => ("over", imports::recordings_of(total, count(kept))),
        Stage::Stopped => ("stopped", imports::recordings_stopped(total, count(kept))),
    };
    let can_stop = matches!(stage, Stage::Waiting | Stage::Running);
    let failures = (!failed.is_empty()).then(|| {
        let rows = failed.into_iter().map(|(path, why)| {
            view! {
                <tr data-test="recording-failed">
                    <td data-label=imports::file()>{path}</td>
                    <td data-label=imports::why()>{why}</td>
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
                            <th scope="col">{imports::why()}</th>
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
        }
    });
    view! {
        <section class="card as-cards" aria-label=imports::recordings() data-test="recording-uploads" data-stage=name>
            <div class="card-head">
                <h2>{imports::recordings()}</h2>
                {can_stop
                    .then(|| {
                        view! {
                            <button type="button" class="button button-small" data-test="recordings-stop" on:click=move |_| on_stop.run(())>
                                {common::cancel()}
                            </button>
                        }
                    })}
            </div>
            <div class="card-body stack">
                <ProgressBar label=imports::recordings() percent />
                <p class="secondary" role="status" data-test="recordings-said">{said} " " {held_up.map(imports::recordings_held_up)}</p>
                {failures}
            </div>
        </section>
    }
}
