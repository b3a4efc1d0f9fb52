//! Playback of a recording: the browser's audio element, and the parts that players are built from.

use leadscribe_engine::host;
use leptos::html;
use leptos::prelude::*;
use web_sys::{Element, KeyboardEvent, MouseEvent};

use crate::i18n::datetime;
use crate::i18n::number_format::localize_decimal;
use crate::i18n::texts::{call as texts, common};
use crate::ui::{Glyph, Icon};

/// Seek step of the arrow keys and their buttons, in seconds.
pub const SEEK_STEP_SECONDS: f64 = 5.0;

/// Seek step of PageUp and PageDown, in seconds.
const LARGE_SEEK_STEP_SECONDS: f64 = 30.0;

const SPEEDS: [f64; 4] = [1.0, 1.25, 1.5, 2.0];

/// State of the playback. A `Copy` handle. All times are in seconds.
#[derive(Clone, Copy)]
pub struct Playback {
    element: NodeRef<html::Audio>,
    pub playing: RwSignal<bool>,
    /// True if the browser can't play the recording.
    failed: RwSignal<bool>,
    pub position: RwSignal<f64>,
    pub duration: RwSignal<f64>,
    /// Start position, until the browser has loaded the recording.
    pending_seek: StoredValue<Option<f64>>,
    /// True while the position is read every frame.
    is_polling: StoredValue<bool>,
}

impl Playback {
    /// Creates a stopped playback. `duration` is the length known before the audio is loaded.
    pub fn new(duration: Option<f64>) -> Self {
        Self {
            element: NodeRef::new(),
            playing: RwSignal::new(false),
            failed: RwSignal::new(false),
            position: RwSignal::new(0.0),
            duration: RwSignal::new(duration.unwrap_or(0.0)),
            pending_seek: StoredValue::new(None),
            is_polling: StoredValue::new(false),
        }
    }

    /// Toggles between playing and paused.
    pub fn toggle(self) {
        let Some(audio) = self.element.get_untracked() else { return };
        if audio.paused() {
            // A failure also fires the event `error`.
            let _ = audio.play();
        } else if audio.pause().is_err() {
            self.playing.set(false);
        }
    }

    pub fn pause(self) {
        if let Some(audio) = self.element.get_untracked() {
            // `pause` can't fail by the HTML standard.
            let _ = audio.pause();
        }
    }

    /// Switches to another recording and starts at `fraction` of it, 0 to 1.
    pub fn load(self, duration: Option<f64>, fraction: f64) {
        let duration = duration.unwrap_or(0.0);
        let seconds = duration * fraction;
        self.playing.set(false);
        self.failed.set(false);
        self.duration.set(duration);
        self.position.set(seconds);
        self.pending_seek.set_value((seconds > 0.0).then_some(seconds));
    }

    pub fn seek(self, seconds: f64) {
        let duration = self.duration.get_untracked();
        let seconds = seconds.clamp(0.0, if duration > 0.0 { duration } else { f64::MAX });
        self.position.set(seconds);
        match self.element.get_untracked().filter(|audio| audio.ready_state() > 0) {
            Some(audio) => audio.set_current_time(seconds),
            None => self.pending_seek.set_value(Some(seconds)),
        }
    }

    pub fn play_from(self, seconds: f64) {
        self.seek(seconds);
        if !self.playing.get_untracked() {
            self.toggle();
        }
    }

    /// Handles a key on a slider for the recording.
    pub fn on_key(self, event: &KeyboardEvent) {
        match event.key().as_str() {
            "ArrowLeft" | "ArrowDown" => self.seek_by(-SEEK_STEP_SECONDS),
            "ArrowRight" | "ArrowUp" => self.seek_by(SEEK_STEP_SECONDS),
            "PageDown" => self.seek_by(-LARGE_SEEK_STEP_SECONDS),
            "PageUp" => self.seek_by(LARGE_SEEK_STEP_SECONDS),
            "Home" => self.seek(0.0),
            "End" => self.seek(self.duration.get_untracked()),
            _ => return,
        }
        // Prevents scrolling and the page's own shortcuts.
        event.prevent_default();
        event.stop_propagation();
    }

    /// Played part of the recording, 0 to 1.
    pub fn progress(self) -> f64 {
        self.progress_at(self.position.get())
    }

    /// Part of the recording before this time, 0 to 1.
    pub fn progress_at(self, seconds: f64) -> f64 {
        let duration = self.duration.get();
        if duration > 0.0 { (seconds / duration).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// A position for screen readers.
    pub fn value_text(self, seconds: f64) -> String {
        common::progress_of_total(datetime::format_duration(seconds), datetime::format_duration(self.duration.get()))
    }

    /// Seeks by this number of seconds, which may be negative.
    pub fn seek_by(self, seconds: f64) {
        self.seek(self.position.get_untracked() + seconds);
    }

    fn on_metadata_loaded(self) {
        let Some(audio) = self.element.get_untracked() else { return };
        if audio.duration().is_finite() {
            self.duration.set(audio.duration());
        }
        if let Some(seconds) = self.pending_seek.get_value() {
            self.pending_seek.set_value(None);
            self.seek(seconds);
        }
    }

    fn read_position(self) {
        if let Some(audio) = self.element.get_untracked()
            && self.pending_seek.get_value().is_none()
        {
            self.position.set(audio.current_time());
        }
    }

    fn on_play(self) {
        self.playing.set(true);
        if !self.is_polling.get_value() {
            self.is_polling.set_value(true);
            self.poll_position();
        }
    }

    /// Reads the position every frame while playing. The event `timeupdate` fires four times a second, which is too
    /// slow to highlight single words.
    fn poll_position(self) {
        // The page may be unmounted.
        let Some(playing) = self.playing.try_get_untracked() else { return };
        if playing {
            self.read_position();
            request_animation_frame(move || self.poll_position());
        } else {
            self.is_polling.set_value(false);
        }
    }
}

/// Clicked position, 0 to 1, on an element that represents the recording from left to right.
pub fn clicked_fraction(event: &MouseEvent, element: &Element) -> f64 {
    let rect = element.get_bounding_client_rect();
    if rect.width() > 0.0 { ((f64::from(event.client_x()) - rect.left()) / rect.width()).clamp(0.0, 1.0) } else { 0.0 }
}

/// The audio element; it has no visible controls.
#[component]
pub fn AudioElement(
    playback: Playback,
    /// URL of the audio; `None` for silence.
    #[prop(into)]
    src: Signal<Option<String>>,
    #[prop(optional)] autoplay: bool,
) -> impl IntoView {
    view! {
        <audio
            node_ref=playback.element
            src=src
            preload="metadata"
            autoplay=autoplay
            on:play=move |_| playback.on_play()
            on:pause=move |_| playback.playing.set(false)
            on:error=move |_| playback.failed.set(true)
            on:loadedmetadata=move |_| playback.on_metadata_loaded()
            on:timeupdate=move |_| playback.read_position()
        ></audio>
    }
}

#[component]
pub fn PlayButton(playback: Playback) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button button-primary button-icon player-toggle"
            aria-label=move || if playback.playing.get() { texts::pause() } else { texts::play() }
            disabled=playback.failed
            data-test="toggle"
            on:click=move |_| playback.toggle()
        >
            {move || view! { <Icon glyph=if playback.playing.get() { Glyph::Pause } else { Glyph::Play } /> }}
        </button>
    }
}

#[component]
pub fn SpeedPicker(playback: Playback) -> impl IntoView {
    view! {
        <select
            class="select player-speed"
            aria-label=texts::speed()
            on:change:target=move |event| {
                if let (Some(audio), Some(speed)) = (playback.element.get_untracked(), host::parse_float(&event.target().value())) {
                    audio.set_playback_rate(speed);
                }
            }
        >
            {SPEEDS
                .map(|speed| view! { <option value=speed.to_string()>{localize_decimal(&speed.to_string())} "×"</option> })
                .collect_view()}
        </select>
    }
}

/// Changing time of the recording as text. Rendered once a second, not every frame.
#[component]
pub fn PlaybackTime(#[prop(into)] seconds: Signal<f64>) -> impl IntoView {
    let text = Memo::new(move |_| datetime::format_duration(seconds.get()));
    view! { <span class="player-time small secondary">{text}</span> }
}

/// Message shown if the browser can't play the recording.
#[component]
pub fn PlaybackError(playback: Playback) -> impl IntoView {
    move || {
        playback.failed.get().then(|| {
            view! {
                <p class="field-error" role="alert">
                    {texts::cannot_play()}
                </p>
            }
        })
    }
}
