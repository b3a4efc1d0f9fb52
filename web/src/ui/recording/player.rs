//! Player of a recording with its waveform, for the page of one call.

use leadscribe_engine::api::Peaks;
use leptos::prelude::*;

use super::playback::{
    AudioElement, PlayButton, Playback, PlaybackError, PlaybackTime, SEEK_STEP_SECONDS, SpeedPicker,
};
use super::waveform::Waveform;
use crate::i18n::texts::{call as texts, common};
use crate::ui::Glyph;
use crate::ui::input::{DropDown, IconButton};

#[component]
pub fn RecordingPlayer(
    playback: Playback,
    src: String,
    /// Accessible name, including the recording that is played.
    label: String,
    #[prop(into)] peaks: Signal<Option<Peaks>>,
    /// Marked positions in the waveform, in seconds.
    #[prop(into)]
    markers: Signal<Vec<f64>>,
) -> impl IntoView {
    let has_two_channels = move || peaks.with(|peaks| peaks.as_ref().is_some_and(|peaks| peaks.channels.len() == 2));
    let seek_button = move |seconds: f64, glyph: Glyph, label: &'static str| {
        view! { <IconButton glyph label title=label class="" on_press=move |()| playback.seek_by(seconds) /> }
    };
    let (enter, shift_enter) = (texts::enter_key(), texts::shift_enter_key());
    let keys: [(&[_], _); 5] = [
        (&[common::space_key()], common::play_or_pause()),
        (&["←", "→"], texts::seek_keys()),
        (&["↑", "↓"], texts::segment_keys()),
        (&["/"], texts::search_call()),
        (&[enter, shift_enter], texts::match_keys()),
    ];
    let keys = keys.map(|(keys, description)| {
        let keys = keys.iter().map(|key| view! { <kbd>{*key}</kbd> " " }).collect_view();
        view! {
            <div class="description-item">
                <dt>{keys}</dt>
                <dd>{description}</dd>
            </div>
        }
    });
    view! {
        <div class="wave-player card" role="group" aria-label=label data-test="player">
            <AudioElement playback src=Signal::stored(Some(src)) />
            <div class="wave-box">
                <Show when=has_two_channels>
                    <span class="wave-side side-caller">{texts::caller()}</span>
                    <span class="wave-side side-callee">{texts::callee()}</span>
                </Show>
                <Waveform playback peaks markers />
            </div>
            <div class="wave-controls">
                <span class="line wave-times">
                    <PlaybackTime seconds=playback.position />
                    <span class="muted" aria-hidden="true">
                        "/"
                    </span>
                    <PlaybackTime seconds=playback.duration />
                </span>
                <span class="line wave-buttons">
                    {seek_button(-SEEK_STEP_SECONDS, Glyph::Back, texts::back())} <PlayButton playback />
                    {seek_button(SEEK_STEP_SECONDS, Glyph::Forward, texts::forward())}
                </span>
                <span class="line wave-options">
                    <SpeedPicker playback />
                    <DropDown label=texts::keyboard() glyph=Glyph::Keyboard test_id="keys" is_icon_only=true>
                        <dl class="keys">{keys.into_iter().collect_view()}</dl>
                    </DropDown>
                </span>
            </div>
            <PlaybackError playback />
        </div>
    }
}
