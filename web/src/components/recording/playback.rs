//! Playback of a recording: the browser's audio element, and the parts that players are built from.

use leadscribe_engine::host;
use leptos::html;
use leptos::prelude::*;
use web_sys::{Element, MouseEvent};

use crate::components::icon::{Glyph, Icon};
use crate::figures::decimal;
use crate::texts::call as texts;
use crate::when;

/// Seek step of the arrow keys and their buttons, in seconds.
pub const STEP: f64 = 5.0;

/// Seek step of PageUp and PageDown, in seconds.
const LEAP: f64 = 30.0;

const SPEEDS: [f64; 4] = [1.0, 1.25, 1.5, 2.0];

/// State of the playback. A `Copy` handle. All times are in seconds.
#[derive(Clone, Copy)]
pub struct Playback {
    element: NodeRef<html::Audio>,
    playing: RwSignal<bool>,
    failed: RwSignal<bool>,
    position: RwSignal<f64>,
    length: RwSignal<f64>,
    /// Start position, until the browser has loaded the recording.
    wanted: StoredValue<Option<f64>>,
    /// True while the position is read every frame.
    watched: StoredValue<bool>,
}

impl Playback {
    /// Creates a stopped playback. `length` is the length known before the audio is loaded.
    pub fn new(length: Option<f64>) -> Self {
        Self {
            element: NodeRef::new(),
            playing: RwSignal::new(false),
            failed: RwSignal::new(false),
            position: RwSignal::new(0.0),
            length: RwSignal::new(length.unwrap_or(0.0)),
            wanted: StoredValue::new(None),
            watched: StoredValue::new(false),
        }
    }

    pub fn is_playing(self) -> bool {
        self.playing.get()
    }

    pub fn is_playing_untracked(self) -> bool {
        self.playing.get_untracked()
    }

    /// True if the browser can't play the recording.
    pub fn has_failed(self) -> bool {
        self.failed.get()
    }

    pub fn position(self) -> f64 {
        self.position.get()
    }

    pub fn position_untracked(self) -> f64 {
        self.position.get_untracked()
    }

    pub fn length(self) -> f64 {
        self.length.get()
    }

    pub fn length_untracked(self) -> f64 {
        self.length.get_untracked()
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

    /// Pauses the playback.
    pub fn pause(self) {
        if let Some(audio) = self.element.get_untracked() {
            // Fails only if nothing is playing.
            let _ = audio.pause();
        }
    }

    /// Switches to another recording and starts at `part` of it, 0 to 1.
    pub fn begin(self, length: Option<f64>, part: f64) {
        let length = length.unwrap_or(0.0);
        let seconds = length * part;
        self.playing.set(false);
        self.failed.set(false);
        self.length.set(length);
        self.position.set(seconds);
        self.wanted.set_value((seconds > 0.0).then_some(seconds));
    }

    /// Moves to this position.
    pub fn seek(self, seconds: f64) {
        let length = self.length.get_untracked();
        let seconds = seconds.clamp(0.0, if length > 0.0 { length } else { f64::MAX });
        self.position.set(seconds);
        match self.element.get_untracked().filter(|audio| audio.ready_state() > 0) {
            Some(audio) => audio.set_current_time(seconds),
            None => self.wanted.set_value(Some(seconds)),
        }
    }

    /// Plays from this position.
    pub fn play_from(self, seconds: f64) {
        self.seek(seconds);
        if !self.playing.get_untracked() {
            self.toggle();
        }
    }

    /// Handles a key on a slider for the recording. Returns false if the key has no meaning.
    pub fn wind(self, key: &str) -> bool {
        match key {
            "ArrowLeft" | "ArrowDown" => self.step(-STEP),
            "ArrowRight" | "ArrowUp" => self.step(STEP),
            "PageDown" => self.step(-LEAP),
            "PageUp" => self.step(LEAP),
            "Home" => self.seek(0.0),
            "End" => self.seek(self.length_untracked()),
            _ => return false,
        }
        true
    }

    /// Played part of the recording, 0 to 1.
    pub fn part(self) -> f64 {
        self.part_at(self.position())
    }

    /// Part of the recording before this time, 0 to 1.
    pub fn part_at(self, seconds: f64) -> f64 {
        let length = self.length();
        if length > 0.0 { (seconds / length).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Seeks by this number of seconds, which may be negative.
    pub fn step(self, seconds: f64) {
        self.seek(self.position.get_untracked() + seconds);
    }

    fn measured(self) {
        let Some(audio) = self.element.get_untracked() else { return };
        if audio.duration().is_finite() {
            self.length.set(audio.duration());
        }
        if let Some(seconds) = self.wanted.get_value() {
            self.wanted.set_value(None);
            self.seek(seconds);
        }
    }

    fn read_position(self) {
        if let Some(audio) = self.element.get_untracked()
            && self.wanted.get_value().is_none()
        {
            self.position.set(audio.current_time());
        }
    }

    fn started(self) {
        self.playing.set(true);
        if !self.watched.get_value() {
            self.watched.set_value(true);
            self.watch();
        }
    }

    /// Reads the position every frame while playing. The event `timeupdate` fires four times a second, which is too slow for words.
    fn watch(self) {
        // The page may be unmounted.
        let Some(playing) = self.playing.try_get_untracked() else { return };
        if playing {
            self.read_position();
            request_animation_frame(move || self.watch());
        } else {
            self.watched.set_value(false);
        }
    }
}

/// Clicked position, 0 to 1, on an element that represents the recording from left to right.
pub fn part_pressed(event: &MouseEvent, element: &Element) -> f64 {
    let area = element.get_bounding_client_rect();
    if area.width() > 0.0 { ((f64::from(event.client_x()) - area.left()) / area.width()).clamp(0.0, 1.0) } else { 0.0 }
}

/// The audio element; it has no visible controls.
#[component]
pub fn Sound(
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
            on:play=move |_| playback.started()
            on:pause=move |_| playback.playing.set(false)
            on:error=move |_| playback.failed.set(true)
            on:loadedmetadata=move |_| playback.measured()
            on:timeupdate=move |_| playback.read_position()
        ></audio>
    }
}

/// Play and pause button.
#[component]
pub fn PlayButton(playback: Playback) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button button-primary button-icon player-toggle"
            aria-label=move || if playback.is_playing() { texts::pause() } else { texts::play() }
            disabled=playback.failed
            data-test="toggle"
            on:click=move |_| playback.toggle()
        >
            {move || {
                let glyph = if playback.is_playing() { Glyph::Pause } else { Glyph::Play };
                view! { <Icon glyph /> }
            }}
        </button>
    }
}

/// Choice of the playback speed.
#[component]
pub fn SpeedPicker(playback: Playback) -> impl IntoView {
    view! {
        <select
            class="select player-speed"
            aria-label=texts::speed()
            on:change:target=move |event| {
                if let (Some(audio), Some(speed)) = (playback.element.get_untracked(), host::float(&event.target().value())) {
                    audio.set_playback_rate(speed);
                }
            }
        >
            {SPEEDS
                .map(|speed| view! { <option value=speed.to_string()>{decimal(&speed.to_string())} "×"</option> })
                .collect_view()}
        </select>
    }
}

/// Changing time of the recording as text. Rendered once a second, not every frame.
#[component]
pub fn Time(#[prop(into)] seconds: Signal<f64>) -> impl IntoView {
    let text = Memo::new(move |_| when::length(seconds.get()));
    view! { <span class="player-time">{text}</span> }
}

/// Message shown if the browser can't play the recording.
#[component]
pub fn PlaybackFault(playback: Playback) -> impl IntoView {
    move || {
        playback.has_failed().then(|| {
            view! {
                <p class="field-fault" role="alert">
                    {texts::cannot_play()}
                </p>
            }
        })
    }
}
