//! Player of a recording with its waveform, which shows the playback position and supports seeking.

use std::fmt::Write as _;

use leadscribe_engine::api::Peaks;
use leptos::html;
use leptos::prelude::*;
use web_sys::PointerEvent;

use super::playback::{
    AudioElement, PlayButton, Playback, PlaybackError, PlaybackTime, SEEK_STEP_SECONDS, SpeedPicker, clicked_fraction,
};
use crate::i18n::texts::{call as texts, common};
use crate::ui::Glyph;
use crate::ui::input::{DropDown, IconButton};

/// Height of the drawing, in its own units.
pub(super) const VIEWBOX_HEIGHT: f64 = 100.0;

/// Minimum reference loudness. Quieter recordings aren't scaled up, so that noise doesn't look like speech.
const MIN_REFERENCE_PEAK: u8 = 40;

/// Minimum bar height, so that silence is visible as a line.
const MIN_BAR_HEIGHT: f64 = 0.8;

/// The waveform, with one lane per channel: caller above, callee below.
#[component]
pub fn Waveform(
    playback: Playback,
    /// `None` if not loaded or not available; the waveform is then a flat line.
    #[prop(into)]
    peaks: Signal<Option<Peaks>>,
    /// Marked positions, in seconds.
    #[prop(into)]
    markers: Signal<Vec<f64>>,
) -> impl IntoView {
    let node = NodeRef::<html::Div>::new();
    let is_dragging = RwSignal::new(false);
    let seek_to = move |event: &PointerEvent| {
        if let Some(node) = node.get_untracked() {
            playback.seek(clicked_fraction(event, &node) * playback.duration.get_untracked());
        }
    };
    let on_pointer_down = move |event: PointerEvent| {
        if event.button() != 0 {
            return;
        }
        if let Some(node) = node.get_untracked() {
            // Without pointer capture, a drag ends when the pointer leaves the waveform.
            let _ = node.set_pointer_capture(event.pointer_id());
        }
        is_dragging.set(true);
        seek_to(&event);
    };
    let on_pointer_move = move |event: PointerEvent| {
        if is_dragging.get_untracked() {
            seek_to(&event);
        }
    };
    let played_width = move || format!("{:.3}%", playback.progress() * 100.0);
    let whole_second = Memo::new(move |_| playback.position.get().floor());
    let marker_views = move || {
        let marker_view = |seconds: f64| {
            let left = format!("{:.2}%", playback.progress_at(seconds) * 100.0);
            view! { <i class="wave-marker" style:left=left></i> }
        };
        markers.get().into_iter().map(marker_view).collect_view()
    };
    // The lanes twice: once plain, and once in color for the played part.
    let drawing = move || {
        let (count, lanes) = peaks.with(|peaks| waveform_paths(peaks.as_ref()));
        let draw = || lanes.iter().map(|(class, path)| view! { <path class=*class d=path.clone() /> }).collect_view();
        view! {
            <svg
                class="wave-lanes"
                viewBox=format!("0 0 {count} {VIEWBOX_HEIGHT}")
                preserveAspectRatio="none"
                aria-hidden="true"
                data-test="lanes"
                data-lanes=lanes.len().to_string()
            >
                <clipPath id="waveform-played-clip">
                    <rect x="0" y="0" height="100" width=played_width />
                </clipPath>
                <g class="wave-unplayed">{draw()}</g>
                <g clip-path="url(#waveform-played-clip)">{draw()}</g>
            </svg>
        }
    };
    view! {
        <div
            node_ref=node
            class="waveform"
            role="slider"
            tabindex="0"
            aria-label=texts::position()
            aria-valuemin="0"
            aria-valuemax=move || playback.duration.get().round().to_string()
            aria-valuenow=move || whole_second.get().to_string()
            aria-valuetext=move || playback.value_text(whole_second.get())
            data-test="waveform"
            on:pointerdown=on_pointer_down
            on:pointermove=on_pointer_move
            on:pointerup=move |_| is_dragging.set(false)
            on:pointercancel=move |_| is_dragging.set(false)
            on:keydown=move |event| playback.on_key(&event)
        >
            {drawing}
            {marker_views} <i class="wave-playhead" style:left=played_width></i>
        </div>
    }
}

/// The drawing: number of bars, and CSS class and path of each lane.
fn waveform_paths(peaks: Option<&Peaks>) -> (usize, Vec<(&'static str, String)>) {
    let channels = peaks.map(|peaks| peaks.channels.as_slice()).unwrap_or_default();
    let count = channels.first().map_or(1, |channel| channel.len().max(1));
    let max_peak = channels.iter().flatten().max().copied().unwrap_or(0);
    let bars = |peaks: &[u8], middle: f64, max_height: f64| bar_path(peaks, max_peak, middle, max_height);
    let lanes = match channels {
        [caller, callee] => vec![
            ("side-caller", bars(caller, VIEWBOX_HEIGHT * 0.25, VIEWBOX_HEIGHT * 0.23)),
            ("side-callee", bars(callee, VIEWBOX_HEIGHT * 0.75, VIEWBOX_HEIGHT * 0.23)),
        ],
        [both] => vec![("side-both", bars(both, VIEWBOX_HEIGHT * 0.5, VIEWBOX_HEIGHT * 0.46))],
        _ => Vec::new(),
    };
    (count, lanes)
}

/// Draws a bar for each peak around `middle`. A peak as loud as `max_peak` extends by `max_height` in both directions.
/// Quiet parts are enlarged to match perceived loudness.
pub(super) fn bar_path(peaks: &[u8], max_peak: u8, middle: f64, max_height: f64) -> String {
    let max_peak = max_peak.max(MIN_REFERENCE_PEAK);
    let mut path = String::with_capacity(peaks.len() * 18);
    for (index, peak) in peaks.iter().enumerate() {
        let height = ((f64::from(*peak) / f64::from(max_peak)).powf(0.65) * max_height).max(MIN_BAR_HEIGHT);
        // Writing to a string can't fail.
        let _ = write!(path, "M{index}.5 {:.1}V{:.1}", middle - height, middle + height);
    }
    path
}

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
