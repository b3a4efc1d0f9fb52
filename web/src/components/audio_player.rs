//! Plays a recording: the browser's audio element under controls of our own.

use leptos::html;
use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use crate::when;

const SPEEDS: [(&str, f64); 4] = [("1", 1.0), ("1.25", 1.25), ("1.5", 1.5), ("2", 2.0)];

/// Plays `src` at once. A page shows one player at a time, so one recording plays at a time.
#[component]
pub fn AudioPlayer(
    #[prop(into)] src: String,
    /// What is played, for screen readers.
    #[prop(into)]
    label: String,
    /// Seconds, as far as known before the audio is.
    duration: Option<f64>,
    on_close: Callback<()>,
) -> impl IntoView {
    let audio = NodeRef::<html::Audio>::new();
    let (playing, failed) = (RwSignal::new(false), RwSignal::new(false));
    let (position, length) = (RwSignal::new(0.0), RwSignal::new(duration.unwrap_or(0.0)));

    let toggle = move |_| {
        let Some(audio) = audio.get_untracked() else { return };
        if audio.paused() {
            // A refusal comes as the event `error` too.
            let _ = audio.play();
        } else if audio.pause().is_err() {
            playing.set(false);
        }
    };
    let seek = move |seconds: f64| {
        if let Some(audio) = audio.get_untracked() {
            audio.set_current_time(seconds);
            position.set(seconds);
        }
    };
    let measured = move |_| {
        if let Some(audio) = audio.get_untracked()
            && audio.duration().is_finite()
        {
            length.set(audio.duration());
        }
    };
    let moved = move |_| {
        if let Some(audio) = audio.get_untracked() {
            position.set(audio.current_time());
        }
    };
    view! {
        <div class="player" role="group" aria-label=format!("Player: {label}") data-test="player">
            <audio
                node_ref=audio
                src=src
                preload="metadata"
                autoplay
                on:play=move |_| playing.set(true)
                on:pause=move |_| playing.set(false)
                on:error=move |_| failed.set(true)
                on:loadedmetadata=measured
                on:timeupdate=moved
            ></audio>
            <button
                type="button"
                class="button button-primary button-icon player-toggle"
                aria-label=move || if playing.get() { "Pause" } else { "Play" }
                disabled=failed
                on:click=toggle
            >
                {move || {
                    let glyph = if playing.get() { Glyph::Pause } else { Glyph::Play };
                    view! { <Icon glyph /> }
                }}
            </button>
            <span class="player-time">{move || when::length(position.get())}</span>
            <input
                class="player-bar"
                type="range"
                min="0"
                step="0.1"
                max=move || length.get().max(0.1).to_string()
                prop:value=move || position.get().to_string()
                aria-label="Position"
                aria-valuetext=move || {
                    format!("{} of {}", when::length(position.get()), when::length(length.get()))
                }
                on:input:target=move |event| {
                    if let Ok(seconds) = event.target().value().parse() {
                        seek(seconds);
                    }
                }
            />
            <span class="player-time">{move || when::length(length.get())}</span>
            <select
                class="select player-speed"
                aria-label="Speed"
                on:change:target=move |event| {
                    if let (Some(audio), Ok(speed)) = (audio.get_untracked(), event.target().value().parse()) {
                        audio.set_playback_rate(speed);
                    }
                }
            >
                {SPEEDS
                    .map(|(label, speed)| view! { <option value=speed.to_string()>{format!("{label}×")}</option> })
                    .collect_view()}
            </select>
            <button
                type="button"
                class="button button-plain button-icon button-small"
                aria-label="Close the player"
                on:click=move |_| on_close.run(())
            >
                <Icon glyph=Glyph::Close />
            </button>
            {move || {
                failed
                    .get()
                    .then(|| {
                        view! {
                            <p class="field-fault" role="alert">
                                "This browser can't play the recording."
                            </p>
                        }
                    })
            }}
        </div>
    }
}
