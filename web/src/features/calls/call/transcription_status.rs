//! Placeholder for a missing transcript: the state of the transcription, or why there is none, and the next step.

use leadscribe_engine::api::{CallId, RecordingState, Transcription, TranscriptionState};
use leptos::prelude::*;
use web_sys::{AbortController, File};

use super::CallPageData;
use crate::api::{to_sentence, use_api, use_session};
use crate::features::calls::cancel_transcriptions::{
    CancelTranscriptionButton, CancelTranscriptionDialog, PendingCancellation,
};
use crate::i18n::language;
use crate::i18n::texts::{call as texts, calls, common, imports};
use crate::state::{FileUpload, Mutation};
use crate::ui::input::FileDrop;
use crate::ui::{EmptyState, ErrorNotice, Glyph, Icon, LocalTime, ProgressBar, UnsavedChangesGuard};

#[component]
pub fn TranscriptionStatus(
    id: CallId,
    recording: RecordingState,
    data: CallPageData,
    can_send: Signal<bool>,
) -> impl IntoView {
    let CallPageData { state, is_send_dialog_open, .. } = data;
    let session = use_session();
    let load = Callback::new(move |()| data.load());
    let send_button = move |label: &'static str| {
        view! {
            <Show when=move || can_send.get()>
                <button type="button" class="button" data-test="send-this-call" on:click=move |_| is_send_dialog_open.set(true)>
                    <Icon glyph=Glyph::Send />
                    {label}
                </button>
            </Show>
        }
    };
    // Without a transcript the recording can still be replaced.
    let replace_section = move || {
        view! {
            <Show when=move || can_send.get()>
                <details class="replace-recording">
                    <summary data-test="replace-recording">{texts::wrong_recording()}</summary>
                    <UploadRecording id label=texts::replace_recording() on_stored=load />
                </details>
            </Show>
        }
    };
    // The memos prevent a re-render while the state is unchanged. A re-render would cancel a running upload.
    let is_pending = Memo::new(move |_| data.transcriptions.with(|transcriptions| transcriptions.is_none()));
    let transcriptions_error = Memo::new(move |_| data.transcriptions.error.get());
    let transcript_error = Memo::new(move |_| data.transcript.error.get());
    let can_write = Memo::new(move |_| session.can_write());
    // Both are created outside `content`, so that an open cancel dialog survives a change of the state.
    let confirmation = PendingCancellation::new();
    let unfinished_calls = Signal::derive(move || {
        let is_in_progress = matches!(state.get(), Some(TranscriptionState::Queued | TranscriptionState::Processing));
        is_in_progress.then_some(id).into_iter().collect::<Vec<_>>()
    });
    let content = move || {
        if let Some(error) = transcriptions_error.get() {
            return view! { <ErrorNotice error on_retry=load /> }.into_any();
        }
        if is_pending.get() {
            return view! { <TranscriptSkeleton /> }.into_any();
        }
        match (state.get(), transcript_error.get()) {
            (None, _) if recording == RecordingState::Ready => view! {
                <EmptyState glyph=Glyph::Transcripts title=texts::not_transcribed() text=texts::send_to_transcribe()>
                    {send_button(calls::send_to_recognition())}
                </EmptyState>
                {replace_section()}
            }
            .into_any(),
            (None, _) => {
                let (title, text) = missing_recording_text(recording);
                let needs_recording = matches!(recording, RecordingState::None | RecordingState::Failed);
                let upload = (needs_recording && can_write.get())
                    .then(|| view! { <UploadRecording id label=texts::add_recording() on_stored=load /> });
                view! {
                    <EmptyState glyph=Glyph::Mute title text />
                    {upload}
                }
                .into_any()
            }
            (Some(TranscriptionState::Queued | TranscriptionState::Processing), _) => {
                let cancel = move || {
                    can_write.get().then(|| view! { <CancelTranscriptionButton confirmation calls=unfinished_calls /> })
                };
                data.latest_transcription()
                    .map(|transcription| view! { <PendingTranscription transcription>{cancel}</PendingTranscription> })
                    .into_any()
            }
            (Some(final_state @ (TranscriptionState::Failed | TranscriptionState::Cancelled)), _) => {
                let error = data.latest_transcription()
                    .and_then(|transcription| transcription.error)
                    .map(|error| to_sentence(&error.text(language())));
                let (glyph, title, text) = match final_state {
                    TranscriptionState::Cancelled => (Glyph::Close, texts::transcription_cancelled(), String::new()),
                    _ => (Glyph::Alert, texts::transcription_failed(), error.unwrap_or_default()),
                };
                view! {
                    <EmptyState glyph title text>
                        {send_button(common::send_again())}
                    </EmptyState>
                    {replace_section()}
                }
                .into_any()
            }
            (Some(TranscriptionState::Completed), Some(error)) if error.status() == Some(410) => view! {
                <EmptyState glyph=Glyph::Trash title=texts::transcript_deleted() text=texts::transcript_retention_note() />
            }
            .into_any(),
            (Some(TranscriptionState::Completed), Some(error)) => {
                view! { <ErrorNotice error on_retry=Callback::new(move |()| data.load_transcript()) /> }.into_any()
            }
            (Some(TranscriptionState::Completed), None) => view! { <TranscriptSkeleton /> }.into_any(),
        }
    };
    view! {
        <div class="card transcript-state">{content}</div>
        <CancelTranscriptionDialog confirmation calls=unfinished_calls on_done=load />
    }
}

/// Title and text of the notice that there is no recording.
fn missing_recording_text(recording: RecordingState) -> (&'static str, &'static str) {
    match recording {
        RecordingState::Pending => (texts::recording_pending(), texts::available_when_ready()),
        RecordingState::Failed => (texts::recording_failed(), texts::recording_failed_hint()),
        RecordingState::None | RecordingState::Ready => (common::no_recording(), texts::no_recording_hint()),
    }
}

/// A transcription that is queued or running.
#[component]
fn PendingTranscription(transcription: Transcription, children: Children) -> impl IntoView {
    let is_queued = transcription.state == TranscriptionState::Queued;
    let (title, text) = match is_queued {
        true => (texts::waiting(), texts::in_queue()),
        false => (texts::being_transcribed(), texts::transcription_running_note()),
    };
    let failed_attempts = (is_queued && transcription.attempts > 0).then(|| {
        let error = transcription.error.map(|error| to_sentence(&error.text(language()))).unwrap_or_default();
        view! { <p class="small">{texts::attempt_failed(transcription.attempts, error)}</p> }
    });
    view! {
        <div class="empty-state" role="status" data-test="pending" data-state=transcription.state.as_str()>
            <span class="empty-state-icon listening" aria-hidden="true">
                <i></i><i></i><i></i><i></i>
            </span>
            <h2>{title}</h2>
            <p>{text}</p>
            {failed_attempts}
            <p class="small muted">{texts::sent_at()} <LocalTime at=transcription.queued_at relative=true /></p>
            {children()}
        </div>
    }
}

#[component]
fn TranscriptSkeleton() -> impl IntoView {
    let lines = (0..6).map(|row| {
        let side = if row % 2 == 0 { "side-caller" } else { "side-callee" };
        view! {
            <li class=format!("segment-line {side}")>
                <span class=format!("skeleton skeleton-{}", 1 + row % 3)></span>
            </li>
        }
    });
    view! {
        <ol class="conversation" aria-busy="true" aria-label=texts::transcript_is_loading()>
            {lines.collect_view()}
        </ol>
    }
}

/// Uploads a recording for a call that has none or a wrong one.
#[component]
fn UploadRecording(
    id: CallId,
    label: &'static str,
    /// Called when the server has the recording.
    on_stored: Callback<()>,
) -> impl IntoView {
    let api = use_api();
    let mutation = Mutation::new();
    let upload = FileUpload::new(mutation);
    let on_file = Callback::new(move |file: File| {
        let send = move |progress, abort_controller: Option<AbortController>| async move {
            api.upload_recording(id, &file, progress, abort_controller.as_ref()).await
        };
        upload.start(send, move |_| on_stored.run(()));
    });
    let is_busy = mutation.is_busy();
    view! {
        <div class="card-body stack">
            {move || mutation.error().map(|error| view! { <ErrorNotice error /> })}
            <Show when=move || !is_busy.get()>
                <FileDrop id="recording-file" label accept="audio/*,.wav,.mp3,.flac,.ogg" on_file />
            </Show>
            <Show when=move || is_busy.get()>
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
