//! A recording being played: the browser's audio element, and the parts that its players are made of.

use leadscribe_engine::host;
use leptos::html;
use leptos::prelude::*;
use web_sys::{Element, MouseEvent};

use crate::components::icon::{Glyph, Icon};
use crate::figures::decimal;
use crate::texts::call as texts;
use crate::when;

/// How far the arrow keys and their buttons go, in seconds.
pub const STEP: f64 = 5.0;

/// How far the keys PageUp and PageDown go, in seconds.
const LEAP: f64 = 30.0;

const SPEEDS: [f64; 4] = [1.0, 1.25, 1.5, 2.0];

/// What is played and where it stands; a handle that can be copied anywhere. All times are in seconds.
#[derive(Clone, Copy)]
pub struct Playback {
    element: NodeRef<html::Audio>,
    playing: RwSignal<bool>,
    failed: RwSignal<bool>,
    position: RwSignal<f64>,
    length: RwSignal<f64>,
    /// Where to begin, once the browser knows the recording.
    wanted: StoredValue<Option<f64>>,
    /// Whether the position is read with every frame.
    watched: StoredValue<bool>,
}

impl Playback {
    /// Nothing played yet; `length` as far as known before the audio is.
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

    /// Whether the browser can't play it.
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

    /// Plays, or pauses.
    pub fn toggle(self) {
        let Some(audio) = self.element.get_untracked() else { return };
        if audio.paused() {
            // A refusal comes as the event `error` too.
            let _ = audio.play();
        } else if audio.pause().is_err() {
            self.playing.set(false);
        }
    }

    /// Stops until it is played again.
    pub fn pause(self) {
        if let Some(audio) = self.element.get_untracked() {
            // What doesn't play can't be paused either.
            let _ = audio.pause();
        }
    }

    /// Another recording takes the place of this one, and begins at that part of it, 0 to 1.
    pub fn begin(self, length: Option<f64>, part: f64) {
        let length = length.unwrap_or(0.0);
        let seconds = length * part;
        self.playing.set(false);
        self.failed.set(false);
        self.length.set(length);
        self.position.set(seconds);
        self.wanted.set_value((seconds > 0.0).then_some(seconds));
    }

    /// Goes on from there.
    pub fn seek(self, seconds: f64) {
        let length = self.length.get_untracked();
        let seconds = seconds.clamp(0.0, if length > 0.0 { length } else { f64::MAX });
        self.position.set(seconds);
        match self.element.get_untracked().filter(|audio| audio.ready_state() > 0) {
            Some(audio) => audio.set_current_time(seconds),
            None => self.wanted.set_value(Some(seconds)),
        }
    }

    /// Plays from there.
    pub fn play_from(self, seconds: f64) {
        self.seek(seconds);
        if !self.playing.get_untracked() {
            self.toggle();
        }
    }

    /// Does what a key does on a line that stands for the recording; false when it does nothing.
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

    /// Which part of the recording was played, 0 to 1.
    pub fn part(self) -> f64 {
        self.part_at(self.position())
    }

    /// Which part of the recording lies before a moment, 0 to 1.
    pub fn part_at(self, seconds: f64) -> f64 {
        let length = self.length();
        if length > 0.0 { (seconds / length).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Goes so many seconds on, or back.
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

    /// Reads the position with every frame, as long as it plays. The event `timeupdate` comes four times a second, too
    /// seldom for words.
    fn watch(self) {
        // The page may be gone.
        let Some(playing) = self.playing.try_get_untracked() else { return };
        if playing {
            self.read_position();
            request_animation_frame(move || self.watch());
        } else {
            self.watched.set_value(false);
        }
    }
}

/// Which part of a recording is pressed, 0 to 1, on an element that stands for it from its left end to its right.
pub fn part_pressed(event: &MouseEvent, element: &Element) -> f64 {
    let area = element.get_bounding_client_rect();
    if area.width() > 0.0 { ((f64::from(event.client_x()) - area.left()) / area.width()).clamp(0.0, 1.0) } else { 0.0 }
}

/// The audio itself; it has no face.
#[component]
pub fn Sound(
    playback: Playback,
    /// Where it comes from; none for silence.
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

/// Plays and pauses.
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

/// How fast it is played.
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

/// A time of the recording that changes, as text; drawn anew once a second, not with every frame.
#[component]
pub fn Time(#[prop(into)] seconds: Signal<f64>) -> impl IntoView {
    let text = Memo::new(move |_| when::length(seconds.get()));
    view! { <span class="player-time">{text}</span> }
}

/// Says that the browser can't play it.
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
