//! What stands in place of a text: that it is awaited, why there is none, and what to do next.

use leadscribe_engine::api::{RecordingState, Transcription, TranscriptionState};
use leptos::prelude::*;

use super::Asked;
use crate::api::sentence;
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::moment::Moment;

#[component]
pub fn Waiting(
    recording: RecordingState,
    asked: Asked,
    state: Memo<Option<TranscriptionState>>,
    may_send: Signal<bool>,
    sending: RwSignal<bool>,
    load: Callback<()>,
    load_text: Callback<()>,
) -> impl IntoView {
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
    let content = move || {
        if let Some(error) = asked.work.error() {
            return view! { <ErrorNotice error on_retry=load /> }.into_any();
        }
        if asked.work.with(|work| work.is_none()) {
            return view! { <Loading /> }.into_any();
        }
        match (state.get(), asked.text.error()) {
            (None, _) if recording == RecordingState::Ready => view! {
                <Empty
                    glyph=Glyph::Transcripts
                    title="Not transcribed yet"
                    text="Send the call to speech recognition, and read here what was said."
                >
                    {send("Send to speech recognition")}
                </Empty>
            }
            .into_any(),
            (None, _) => {
                let (title, text) = unrecorded(recording);
                view! { <Empty glyph=Glyph::Mute title text /> }.into_any()
            }
            (Some(TranscriptionState::Queued | TranscriptionState::Processing), _) => {
                latest().map(|work| view! { <Pending work /> }).into_any()
            }
            (Some(TranscriptionState::Failed), _) => view! {
                <Empty
                    glyph=Glyph::Alert
                    title="The transcription failed"
                    text=latest().and_then(|work| work.error).map_or_else(String::new, |error| sentence(&error))
                >
                    {send("Send it again")}
                </Empty>
            }
            .into_any(),
            (Some(TranscriptionState::Completed), Some(error)) if error.status() == Some(410) => view! {
                <Empty
                    glyph=Glyph::Trash
                    title="The transcript was purged"
                    text="Transcripts are kept for a set time only, and that of this call is over."
                />
            }
            .into_any(),
            (Some(TranscriptionState::Completed), Some(error)) => {
                view! { <ErrorNotice error on_retry=load_text /> }.into_any()
            }
            (Some(TranscriptionState::Completed), None) => view! { <Loading /> }.into_any(),
        }
    };
    view! { <div class="card transcript-state">{content}</div> }
}

/// Why there is nothing to be heard.
const fn unrecorded(recording: RecordingState) -> (&'static str, &'static str) {
    match recording {
        RecordingState::Pending => {
            ("The recording is in preparation", "Once it is ready, the call can be heard and transcribed.")
        }
        RecordingState::Failed => {
            ("The recording failed", "It could not be prepared, so the call can be neither heard nor transcribed.")
        }
        RecordingState::None | RecordingState::Ready => {
            ("No recording", "There is no recording of this call that could be heard or transcribed.")
        }
    }
}

/// Waiting for a worker, or being listened to.
#[component]
fn Pending(work: Transcription) -> impl IntoView {
    let is_queued = work.state == TranscriptionState::Queued;
    let (title, text) = if is_queued {
        ("Waiting for the recogniser", "The call is in the queue. This page shows the text as soon as it is there.")
    } else {
        ("Being transcribed", "The recogniser is listening. This page shows the text as soon as it is there.")
    };
    let tries = (is_queued && work.attempts > 0).then(|| {
        let error = work.error.as_deref().map(sentence).unwrap_or_default();
        format!("Attempt {} failed: {error} It is tried again.", work.attempts)
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
            <p class="small muted">"Sent " <Moment at=work.queued_at relative=true /></p>
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
        <ol class="conversation" aria-busy="true" aria-label="The transcript is loading">
            {lines.collect_view()}
        </ol>
    }
}
