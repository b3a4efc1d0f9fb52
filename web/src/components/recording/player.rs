//! Player of a recording with its waveform, for the page of one call.

use leadscribe_engine::api::Peaks;
use leptos::prelude::*;

use super::playback::{PlayButton, Playback, PlaybackFault, STEP, Sound, SpeedPicker, Time};
use super::waveform::Waveform;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::drop_down::DropDown;
use crate::texts::call as texts;

/// Keys of the page and their functions.
fn keys() -> [(Vec<&'static str>, &'static str); 5] {
    [
        (vec![texts::space_key()], texts::play_or_pause()),
        (vec!["←", "→"], texts::back_or_on()),
        (vec!["↑", "↓"], texts::segment_before_or_after()),
        (vec!["/"], texts::search_call()),
        (vec![texts::enter_key(), texts::shift_enter_key()], texts::place_before_or_after()),
    ]
}

/// The player.
#[component]
pub fn WavePlayer(
    playback: Playback,
    src: String,
    /// Accessible name, including the recording that is played.
    label: String,
    #[prop(into)] peaks: Signal<Option<Peaks>>,
    /// Marked positions in the waveform, in seconds.
    #[prop(into)]
    marks: Signal<Vec<f64>>,
) -> impl IntoView {
    let has_sides = move || peaks.with(|peaks| peaks.as_ref().is_some_and(|peaks| peaks.channels.len() == 2));
    let step = move |by: f64, glyph: Glyph, label: &'static str| {
        view! {
            <button
                type="button"
                class="button button-plain button-icon"
                aria-label=label
                title=label
                on:click=move |_| playback.step(by)
            >
                <Icon glyph />
            </button>
        }
    };
    let keys = keys().map(|(keys, what)| {
        let keys = keys.into_iter().map(|key| view! { <kbd>{key}</kbd> " " }).collect_view();
        view! {
            <div class="fact">
                <dt>{keys}</dt>
                <dd>{what}</dd>
            </div>
        }
    });
    view! {
        <div class="wave-player card" role="group" aria-label=label data-test="player">
            <Sound playback src=Signal::stored(Some(src)) />
            <div class="wave-box">
                <Show when=has_sides>
                    <span class="wave-side side-caller">{texts::caller()}</span>
                    <span class="wave-side side-callee">{texts::callee()}</span>
                </Show>
                <Waveform playback peaks marks />
            </div>
            <div class="wave-controls">
                <span class="row wave-times">
                    <Time seconds=Signal::derive(move || playback.position()) />
                    <span class="muted" aria-hidden="true">
                        "/"
                    </span>
                    <Time seconds=Signal::derive(move || playback.length()) />
                </span>
                <span class="row wave-buttons">
                    {step(-STEP, Glyph::Back, texts::back())} <PlayButton playback />
                    {step(STEP, Glyph::Forward, texts::on())}
                </span>
                <span class="row wave-more">
                    <SpeedPicker playback />
                    <DropDown label=texts::keyboard() glyph=Glyph::Keyboard test="keys" quiet=true>
                        <dl class="keys">{keys.into_iter().collect_view()}</dl>
                    </DropDown>
                </span>
            </div>
            <PlaybackFault playback />
        </div>
    }
}
