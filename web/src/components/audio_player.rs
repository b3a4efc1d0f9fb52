//! Plays a recording in one line: under a row of a table.

use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use super::playback::{PlayButton, Playback, PlaybackFault, Sound, SpeedPicker, Time};
use crate::when;

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
    let playback = Playback::new(duration);
    view! {
        <div class="player" role="group" aria-label=format!("Player: {label}") data-test="player">
            <Sound playback src autoplay=true />
            <PlayButton playback />
            <Time seconds=Signal::derive(move || playback.position()) />
            <input
                class="player-bar"
                type="range"
                min="0"
                step="0.1"
                max=move || playback.length().max(0.1).to_string()
                prop:value=move || playback.position().to_string()
                aria-label="Position"
                aria-valuetext=move || {
                    format!("{} of {}", when::length(playback.position()), when::length(playback.length()))
                }
                on:input:target=move |event| {
                    if let Ok(seconds) = event.target().value().parse() {
                        playback.seek(seconds);
                    }
                }
            />
            <Time seconds=Signal::derive(move || playback.length()) />
            <SpeedPicker playback />
            <button
                type="button"
                class="button button-plain button-icon button-small"
                aria-label="Close the player"
                on:click=move |_| on_close.run(())
            >
                <Icon glyph=Glyph::Close />
            </button>
            <PlaybackFault playback />
        </div>
    }
}
