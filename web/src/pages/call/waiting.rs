//! Shown while a call has no transcript: the state or the reason, and the next step.

use leadscribe_engine::api::{CallId, RecordingState, Transcription, TranscriptionState};
use leptos::prelude::*;

use super::Asked;
use super::upload::UploadRecording;
use crate::api::sentence;
use crate::components::call::cancel_transcriptions::{CancelDialog, CancelTranscription, Cancelling};
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::moment::Moment;
use crate::language::language;
use crate::session::use_session;
use crate::texts::{call as texts, calls};

#[component]
pub fn Waiting(
    id: CallId,
    recording: RecordingState,
    asked: Asked,
    state: Memo<Option<TranscriptionState>>,
    may_send: Signal<bool>,
    sending: RwSignal<bool>,
    load: Callback<()>,
    load_text: Callback<()>,
) -> impl IntoView {
    let session = use_session();
    let latest = move || asked.work.with(|work| work?.first().cloned());
    let send = move |label: &'static str| {
        move || {
            may_send.get().then(|| {
                view! {
                    <button type="button" class="button" data-test="send-here" on:click=move |_| sending.set(true)>
                        <Icon glyph=Glyph::Send />
                        {label}
                    </button>
                }
            })
        }
    };
    // Without a transcript the recording can still be replaced.
    let replace = move || {
        may_send.get().then(|| {
            view! {
                <details class="replace-recording">
                    <summary data-test="replace-recording">{texts::wrong_recording()}</summary>
                    <UploadRecording id label=texts::replace_recording() on_kept=load />
                </details>
            }
        })
    };
    // Memos avoid rendering an unchanged state again, which would cancel a running upload.
    let is_awaited = Memo::new(move |_| asked.work.with(|work| work.is_none()));
    let (work_error, text_error) = (Memo::new(move |_| asked.work.error()), Memo::new(move |_| asked.text.error()));
    let may_write = Memo::new(move |_| session.may_write());
    // Both are kept when the state changes.
    let cancelling = Cancelling::new();
    let unfinished = Signal::derive(move || {
        let is_waited_for = matches!(state.get(), Some(TranscriptionState::Queued | TranscriptionState::Processing));
        is_waited_for.then_some(id).into_iter().collect::<Vec<_>>()
    });
    let content = move || {
        if let Some(error) = work_error.get() {
            return view! { <ErrorNotice error on_retry=load /> }.into_any();
        }
        if is_awaited.get() {
            return view! { <Loading /> }.into_any();
        }
        match (state.get(), text_error.get()) {
            (None, _) if recording == RecordingState::Ready => view! {
                <Empty
                    glyph=Glyph::Transcripts
                    title=texts::not_yet()
                    text=texts::send_and_read()
                >
                    {send(calls::send_to_recognition())}
                </Empty>
                {replace}
            }
            .into_any(),
            (None, _) => {
                let (title, text) = unrecorded(recording);
                let lacks = matches!(recording, RecordingState::None | RecordingState::Failed);
                let upload = (lacks && may_write.get())
                    .then(|| view! { <UploadRecording id label=texts::add_recording() on_kept=load /> });
                view! {
                    <Empty glyph=Glyph::Mute title text />
                    {upload}
                }
                .into_any()
            }
            (Some(TranscriptionState::Queued | TranscriptionState::Processing), _) => {
                let cancel =
                    move || may_write.get().then(|| view! { <CancelTranscription cancelling calls=unfinished /> });
                latest().map(|work| view! { <Pending work>{cancel}</Pending> }).into_any()
            }
            (Some(given_up @ (TranscriptionState::Failed | TranscriptionState::Cancelled)), _) => {
                let error = latest().and_then(|work| work.error).map(|error| sentence(&error.text(language())));
                let (glyph, title, text) = match given_up {
                    TranscriptionState::Cancelled => (Glyph::Close, texts::transcription_cancelled(), String::new()),
                    _ => (Glyph::Alert, texts::transcription_failed(), error.unwrap_or_default()),
                };
                view! {
                    <Empty glyph title text>
                        {send(texts::send_again())}
                    </Empty>
                    {replace}
                }
                .into_any()
            }
            (Some(TranscriptionState::Completed), Some(error)) if error.status() == Some(410) => view! {
                <Empty glyph=Glyph::Trash title=texts::purged() text=texts::kept_for_a_time() />
            }
            .into_any(),
            (Some(TranscriptionState::Completed), Some(error)) => {
                view! { <ErrorNotice error on_retry=load_text /> }.into_any()
            }
            (Some(TranscriptionState::Completed), None) => view! { <Loading /> }.into_any(),
        }
    };
    view! {
        <div class="card transcript-state">{content}</div>
        <CancelDialog cancelling calls=unfinished on_done=load />
    }
}

/// Reason why there is no recording.
fn unrecorded(recording: RecordingState) -> (&'static str, &'static str) {
    match recording {
        RecordingState::Pending => (texts::recording_pending(), texts::once_it_is_ready()),
        RecordingState::Failed => (texts::recording_failed(), texts::could_not_be_prepared()),
        RecordingState::None | RecordingState::Ready => (texts::no_recording(), texts::nothing_to_hear()),
    }
}

/// A transcription that is queued or running.
#[component]
fn Pending(work: Transcription, children: Children) -> impl IntoView {
    let is_queued = work.state == TranscriptionState::Queued;
    let (title, text) = if is_queued {
        (texts::waiting(), texts::in_queue())
    } else {
        (texts::being_transcribed(), texts::is_listening())
    };
    let tries = (is_queued && work.attempts > 0).then(|| {
        let error = work.error.map(|error| sentence(&error.text(language()))).unwrap_or_default();
        texts::attempt_failed(work.attempts, error)
    });
    view! {
        <div class="empty" role="status" data-test="pending" data-state=work.state.as_str()>
            <span class="empty-icon listening" aria-hidden="true">
                <i></i>
                <i></i>
                <i></i>
                <i></i>
            </span>
            <h2>{title}</h2>
            <p>{text}</p>
            {tries.map(|tries| view! { <p class="small">{tries}</p> })}
            <p class="small muted">{texts::sent_at()} <Moment at=work.queued_at relative=true /></p>
            {children()}
        </div>
    }
}

#[component]
fn Loading() -> impl IntoView {
    let lines = (0..6).map(|row| {
        let side = if row % 2 == 0 { "side-caller" } else { "side-callee" };
        view! {
            <li class=format!("turn {side}")>
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
