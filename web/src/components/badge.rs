//! Badges for states: a dot, a word, a tone. The word always says it; the tone only helps.

use leadscribe_engine::api::{CallStatus, DeliveryState, ImportState, RecordingState, TranscriptionState};
use leptos::prelude::*;

/// How a state feels.
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

/// A state.
#[component]
pub fn Badge(tone: Tone, #[prop(into)] text: String) -> impl IntoView {
    view! { <span class=format!("badge {}", tone.class())>{text}</span> }
}

/// The badge of a campaign lead's status. Statuses are staff's own; those every installation starts with have a tone.
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

/// `no_answer` as `No answer`: how a name reads when nobody gave it a label.
pub fn spelled(name: &str) -> String {
    let text = name.replace(['_', '-'], " ");
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[component]
pub fn CallStatusBadge(status: CallStatus) -> impl IntoView {
    let tone = match status {
        CallStatus::Answered => Tone::Success,
        CallStatus::NoAnswer | CallStatus::Busy => Tone::Warning,
        CallStatus::Failed => Tone::Danger,
    };
    view! { <Badge tone text=spelled(status.as_str()) /> }
}

#[component]
pub fn RecordingBadge(state: RecordingState) -> impl IntoView {
    let (tone, text) = match state {
        RecordingState::None => (Tone::Neutral, "No recording"),
        RecordingState::Pending => (Tone::Info, "In preparation"),
        RecordingState::Ready => (Tone::Success, "Ready"),
        RecordingState::Failed => (Tone::Danger, "Failed"),
    };
    view! { <Badge tone text /> }
}

#[component]
pub fn TranscriptionBadge(state: Option<TranscriptionState>) -> impl IntoView {
    let (tone, text) = match state {
        None => return view! { <span class="muted">"Not sent"</span> }.into_any(),
        Some(TranscriptionState::Queued) => (Tone::Info, "Queued"),
        Some(TranscriptionState::Processing) => (Tone::Violet, "Processing"),
        Some(TranscriptionState::Completed) => (Tone::Success, "Completed"),
        Some(TranscriptionState::Failed) => (Tone::Danger, "Failed"),
    };
    view! { <Badge tone text /> }.into_any()
}

#[component]
pub fn ImportBadge(state: ImportState) -> impl IntoView {
    let (tone, text) = match state {
        ImportState::Running => (Tone::Info, "Running"),
        ImportState::Completed => (Tone::Success, "Completed"),
        ImportState::Failed => (Tone::Danger, "Failed"),
    };
    view! { <Badge tone text /> }
}

#[component]
pub fn DeliveryBadge(state: DeliveryState) -> impl IntoView {
    let (tone, text) = match state {
        DeliveryState::Queued => (Tone::Info, "Queued"),
        DeliveryState::Delivering => (Tone::Violet, "Delivering"),
        DeliveryState::Delivered => (Tone::Success, "Delivered"),
        DeliveryState::Failed => (Tone::Danger, "Failed"),
        DeliveryState::Stopped => (Tone::Warning, "Stopped"),
    };
    view! { <Badge tone text /> }
}
