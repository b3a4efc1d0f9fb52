//! State badges: a dot, a label and a tone. The label carries the meaning; the tone only supports it.

use leadscribe_engine::api::{
    CallStatus, DeliveryState, Direction, ImportState, ImportUndoState, RecordingState, TranscriptionState,
};
use leadscribe_engine::host;
use leptos::prelude::*;

use crate::i18n::texts::{calls, common, imports, statuses};

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

#[component]
pub fn Badge(tone: Tone, #[prop(into)] text: String) -> impl IntoView {
    view! { <span class=format!("badge {}", tone.class())>{text}</span> }
}

/// Tone of a campaign lead's status. Staff define the statuses; only the statuses that every installation starts with
/// have a tone.
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
    let words = name.split(['_', '-']).map(|word| if word == "id" { "ID" } else { word });
    host::capitalize_first(&words.collect::<Vec<_>>().join(" "))
}

pub fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Inbound => calls::inbound(),
        Direction::Outbound => calls::outbound(),
    }
}

/// State that a badge shows.
pub trait BadgeState: Copy {
    /// Label and tone.
    fn badge(self) -> (&'static str, Tone);

    fn state_label(self) -> &'static str {
        self.badge().0
    }
}

impl BadgeState for CallStatus {
    fn badge(self) -> (&'static str, Tone) {
        match self {
            Self::Answered => (statuses::answered(), Tone::Success),
            Self::NoAnswer => (statuses::no_answer(), Tone::Warning),
            Self::Busy => (statuses::busy(), Tone::Warning),
            Self::Failed => (common::failed(), Tone::Danger),
        }
    }
}

impl BadgeState for RecordingState {
    fn badge(self) -> (&'static str, Tone) {
        match self {
            Self::None => (common::no_recording(), Tone::Neutral),
            Self::Pending => (statuses::in_preparation(), Tone::Info),
            Self::Ready => (statuses::ready(), Tone::Success),
            Self::Failed => (common::failed(), Tone::Danger),
        }
    }
}

impl BadgeState for TranscriptionState {
    fn badge(self) -> (&'static str, Tone) {
        match self {
            Self::Queued => (statuses::queued(), Tone::Info),
            Self::Processing => (statuses::processing(), Tone::Violet),
            Self::Completed => (statuses::completed(), Tone::Success),
            Self::Failed => (common::failed(), Tone::Danger),
            Self::Cancelled => (statuses::cancelled(), Tone::Neutral),
        }
    }
}

impl BadgeState for ImportState {
    fn badge(self) -> (&'static str, Tone) {
        match self {
            Self::Running => (statuses::running(), Tone::Info),
            Self::Completed => (statuses::completed(), Tone::Success),
            Self::Failed => (common::failed(), Tone::Danger),
            Self::Cancelled => (statuses::cancelled(), Tone::Neutral),
        }
    }
}

impl BadgeState for DeliveryState {
    fn badge(self) -> (&'static str, Tone) {
        match self {
            Self::Waiting => (statuses::waiting(), Tone::Neutral),
            Self::Queued => (statuses::queued(), Tone::Info),
            Self::Delivering => (statuses::delivering(), Tone::Violet),
            Self::Delivered => (common::delivered(), Tone::Success),
            Self::Failed => (common::failed(), Tone::Danger),
            Self::Stopped => (statuses::stopped(), Tone::Warning),
        }
    }
}

#[component]
pub fn StateBadge(state: impl BadgeState) -> impl IntoView {
    let (text, tone) = state.badge();
    view! { <Badge tone text /> }
}

#[component]
pub fn TranscriptionBadge(state: Option<TranscriptionState>) -> impl IntoView {
    match state {
        Some(state) => view! { <StateBadge state /> }.into_any(),
        None => view! { <span class="muted">{statuses::not_sent()}</span> }.into_any(),
    }
}

/// State of an import, with a second badge if it was undone.
#[component]
pub fn ImportBadges(state: ImportState, undo: Option<ImportUndoState>) -> impl IntoView {
    let undone = match undo {
        None | Some(ImportUndoState::Possible) => None,
        Some(ImportUndoState::Running) => Some((Tone::Info, imports::being_undone())),
        Some(ImportUndoState::Cancelled) => Some((Tone::Neutral, imports::partly_undone())),
        Some(ImportUndoState::Completed) => Some((Tone::Neutral, imports::undone())),
    };
    view! {
        <span class="row">
            <StateBadge state />
            {undone.map(|(tone, text)| view! { <Badge tone text /> })}
        </span>
    }
}
