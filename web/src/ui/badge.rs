//! State badges: a dot, a label and a tone. The label carries the meaning; the tone only supports it.

use leadscribe_engine::api::{
    CallStatus, DeliveryState, Direction, ImportState, ImportUndoState, RecordingState, TranscriptionState,
};
use leadscribe_engine::host;
use leptos::prelude::*;

use crate::i18n::texts::{badges, calls, imports};

/// Color tone of a badge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Neutral,
    Accent,
    Success,
    Info,
    Warning,
    Danger,
    Violet,
}

impl Tone {
    pub const fn class(self) -> &'static str {
        match self {
            Self::Neutral => "",
            Self::Accent => "tone-accent",
            Self::Success => "tone-success",
            Self::Info => "tone-info",
            Self::Warning => "tone-warning",
            Self::Danger => "tone-danger",
            Self::Violet => "tone-violet",
        }
    }
}

/// Badge with a label.
#[component]
pub fn Badge(tone: Tone, #[prop(into)] text: String) -> impl IntoView {
    view! { <span class=format!("badge {}", tone.class())>{text}</span> }
}

/// Tone of a campaign lead's status. Staff define the statuses; only the statuses that every installation starts with have a tone.
pub fn lead_status_tone(name: &str) -> Tone {
    match name {
        "new" => Tone::Info,
        "dialing" | "callback" => Tone::Violet,
        "answered" | "no_answer" | "busy" => Tone::Warning,
        "converted" => Tone::Success,
        "refused" | "not_interested" | "wrong_number" | "invalid" | "dnc" => Tone::Danger,
        _ => Tone::Neutral,
    }
}

/// Formats a name without a label for display: `no_answer` becomes `No answer`.
pub fn humanize(name: &str) -> String {
    host::capitalize_first(&name.replace(['_', '-'], " "))
}

/// Label of a call status.
pub fn call_status_name(status: CallStatus) -> &'static str {
    match status {
        CallStatus::Answered => badges::answered(),
        CallStatus::NoAnswer => badges::no_answer(),
        CallStatus::Busy => badges::busy(),
        CallStatus::Failed => badges::failed(),
    }
}

/// Label of a call direction.
pub fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Inbound => calls::inbound(),
        Direction::Outbound => calls::outbound(),
    }
}

/// Label of a recording state.
pub fn recording_state_name(state: RecordingState) -> &'static str {
    match state {
        RecordingState::None => badges::no_recording(),
        RecordingState::Pending => badges::in_preparation(),
        RecordingState::Ready => badges::ready(),
        RecordingState::Failed => badges::failed(),
    }
}

/// Label of a transcription state.
pub fn transcription_state_name(state: TranscriptionState) -> &'static str {
    match state {
        TranscriptionState::Queued => badges::queued(),
        TranscriptionState::Processing => badges::processing(),
        TranscriptionState::Completed => badges::completed(),
        TranscriptionState::Failed => badges::failed(),
        TranscriptionState::Cancelled => badges::cancelled(),
    }
}

/// Label of a delivery state.
pub fn delivery_state_name(state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Queued => badges::queued(),
        DeliveryState::Delivering => badges::delivering(),
        DeliveryState::Delivered => badges::delivered(),
        DeliveryState::Failed => badges::failed(),
        DeliveryState::Stopped => badges::stopped(),
    }
}

pub fn import_state_name(state: ImportState) -> &'static str {
    match state {
        ImportState::Running => badges::running(),
        ImportState::Completed => badges::completed(),
        ImportState::Failed => badges::failed(),
        ImportState::Cancelled => badges::cancelled(),
    }
}

#[component]
pub fn CallStatusBadge(status: CallStatus) -> impl IntoView {
    let tone = match status {
        CallStatus::Answered => Tone::Success,
        CallStatus::NoAnswer | CallStatus::Busy => Tone::Warning,
        CallStatus::Failed => Tone::Danger,
    };
    view! { <Badge tone text=call_status_name(status) /> }
}

#[component]
pub fn RecordingBadge(state: RecordingState) -> impl IntoView {
    let tone = match state {
        RecordingState::None => Tone::Neutral,
        RecordingState::Pending => Tone::Info,
        RecordingState::Ready => Tone::Success,
        RecordingState::Failed => Tone::Danger,
    };
    view! { <Badge tone text=recording_state_name(state) /> }
}

#[component]
pub fn TranscriptionBadge(state: Option<TranscriptionState>) -> impl IntoView {
    let Some(state) = state else {
        return view! { <span class="muted">{badges::not_sent()}</span> }.into_any();
    };
    let tone = match state {
        TranscriptionState::Queued => Tone::Info,
        TranscriptionState::Processing => Tone::Violet,
        TranscriptionState::Completed => Tone::Success,
        TranscriptionState::Failed => Tone::Danger,
        TranscriptionState::Cancelled => Tone::Neutral,
    };
    view! { <Badge tone text=transcription_state_name(state) /> }.into_any()
}

/// State of an import, with a second badge if it was undone.
#[component]
pub fn ImportBadges(state: ImportState, undo: Option<ImportUndoState>) -> impl IntoView {
    let tone = match state {
        ImportState::Running => Tone::Info,
        ImportState::Completed => Tone::Success,
        ImportState::Failed => Tone::Danger,
        ImportState::Cancelled => Tone::Neutral,
    };
    let undone = match undo {
        None | Some(ImportUndoState::Possible) => None,
        Some(ImportUndoState::Running) => Some((Tone::Info, imports::being_undone())),
        Some(ImportUndoState::Cancelled) => Some((Tone::Neutral, imports::partly_undone())),
        Some(ImportUndoState::Completed) => Some((Tone::Neutral, imports::undone())),
    };
    view! {
        <span class="row">
            <Badge tone text=import_state_name(state) />
            {undone.map(|(tone, text)| view! { <Badge tone text /> })}
        </span>
    }
}

#[component]
pub fn DeliveryBadge(state: DeliveryState) -> impl IntoView {
    let tone = match state {
        DeliveryState::Queued => Tone::Info,
        DeliveryState::Delivering => Tone::Violet,
        DeliveryState::Delivered => Tone::Success,
        DeliveryState::Failed => Tone::Danger,
        DeliveryState::Stopped => Tone::Warning,
    };
    view! { <Badge tone text=delivery_state_name(state) /> }
}
