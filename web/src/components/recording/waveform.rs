//! Waveform of a recording, which shows the playback position and supports seeking.

use std::fmt::Write as _;

use leadscribe_engine::api::Peaks;
use leptos::html;
use leptos::prelude::*;
use web_sys::PointerEvent;

use super::playback::{Playback, part_pressed};
use crate::texts::call as texts;
use crate::when;

/// Height of the drawing, in its own units.
pub(super) const HEIGHT: f64 = 100.0;

/// Minimum reference loudness. Quieter recordings aren't scaled up, so that noise doesn't look like speech.
const HUSHED: u8 = 40;

/// Minimum bar height, so that silence is visible as a line.
const QUIET: f64 = 0.8;

/// The waveform, with one lane per channel: caller above, callee below.
#[component]
pub fn Waveform(
    playback: Playback,
    /// `None` if not loaded or not available; the waveform is then a flat line.
    #[prop(into)]
    peaks: Signal<Option<Peaks>>,
    /// Marked positions, in seconds.
    #[prop(into)]
    marks: Signal<Vec<f64>>,
) -> impl IntoView {
    let node = NodeRef::<html::Div>::new();
    let dragging = RwSignal::new(false);
    let seek_to = move |event: &PointerEvent| {
        if let Some(node) = node.get_untracked() {
            playback.seek(part_pressed(event, &node) * playback.length_untracked());
        }
    };
    let press = move |event: PointerEvent| {
        if event.button() != 0 {
            return;
        }
        if let Some(node) = node.get_untracked() {
            // Without pointer capture, a drag ends when the pointer leaves the waveform.
            let _ = node.set_pointer_capture(event.pointer_id());
        }
        dragging.set(true);
        seek_to(&event);
    };
    let drag = move |event: PointerEvent| {
        if dragging.get_untracked() {
            seek_to(&event);
        }
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        if playback.wind(&event.key()) {
            // Prevents scrolling and the page's own shortcuts.
            event.prevent_default();
            event.stop_propagation();
        }
    };
    let played = move || format!("{:.3}%", playback.part() * 100.0);
    let whole_second = Memo::new(move |_| playback.position().floor());
    let ticks = move || {
        let tick = |seconds: f64| view! { <i class="wave-mark" style:left=format!("{:.2}%", playback.part_at(seconds) * 100.0)></i> };
        marks.get().into_iter().map(tick).collect_view()
    };
    view! {
        <div
            node_ref=node
            class="waveform"
            role="slider"
            tabindex="0"
            aria-label=texts::position()
            aria-valuemin="0"
            aria-valuemax=move || playback.length().round().to_string()
            aria-valuenow=move || whole_second.get().to_string()
            aria-valuetext=move || {
                texts::position_of(when::length(whole_second.get()), when::length(playback.length()))
            }
            data-test="waveform"
            on:pointerdown=press
            on:pointermove=drag
            on:pointerup=move |_| dragging.set(false)
            on:pointercancel=move |_| dragging.set(false)
            on:keydown=on_key
        >
            {move || {
                peaks.with(|peaks| view! { <Lanes outlines=outlines(peaks.as_ref()) played=Signal::derive(played) /> })
            }}
            {ticks} <i class="wave-head" style:left=played></i>
        </div>
    }
}

/// The lanes twice: once plain, and once in colour for the played part.
#[component]
fn Lanes(outlines: Outlines, played: Signal<String>) -> impl IntoView {
    let Outlines { count, lanes } = outlines;
    let draw = || lanes.iter().map(|(class, path)| view! { <path class=*class d=path.clone() /> }).collect_view();
    let (rest, done) = (draw(), draw());
    view! {
        <svg
            class="wave-lanes"
            viewBox=format!("0 0 {count} {HEIGHT}")
            preserveAspectRatio="none"
            aria-hidden="true"
            data-test="lanes"
            data-lanes=lanes.len().to_string()
        >
            <clipPath id="wave-played">
                <rect x="0" y="0" height="100" width=played />
            </clipPath>
            <g class="wave-rest">{rest}</g>
            <g clip-path="url(#wave-played)">{done}</g>
        </svg>
    }
}

/// The drawing: CSS class and bars of each lane.
struct Outlines {
    count: usize,
    lanes: Vec<(&'static str, String)>,
}

fn outlines(peaks: Option<&Peaks>) -> Outlines {
    let channels = peaks.map(|peaks| peaks.channels.as_slice()).unwrap_or_default();
    let count = channels.first().map_or(1, |channel| channel.len().max(1));
    let loudest = channels.iter().flatten().max().copied().unwrap_or(0);
    let bars = |peaks: &[u8], middle: f64, most: f64| bars(peaks, loudest, middle, most);
    let lanes = match channels {
        [caller, callee] => vec![
            ("wave-caller", bars(caller, HEIGHT * 0.25, HEIGHT * 0.23)),
            ("wave-callee", bars(callee, HEIGHT * 0.75, HEIGHT * 0.23)),
        ],
        [both] => vec![("wave-both", bars(both, HEIGHT * 0.5, HEIGHT * 0.46))],
        _ => Vec::new(),
    };
    Outlines { count, lanes }
}

/// Draws a bar for each peak around `middle`. A peak as loud as `loudest` extends by `most` in both directions. Quiet parts are enlarged to match
/// perceived loudness.
pub(super) fn bars(peaks: &[u8], loudest: u8, middle: f64, most: f64) -> String {
    let loudest = loudest.max(HUSHED);
    let mut path = String::with_capacity(peaks.len() * 18);
    for (index, peak) in peaks.iter().enumerate() {
        let height = ((f64::from(*peak) / f64::from(loudest)).powf(0.65) * most).max(QUIET);
        // Writing to a string can't fail.
        let _ = write!(path, "M{index}.5 {:.1}V{:.1}", middle - height, middle + height);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_one_lane_per_channel() {
        let peaks = |channels: &[&[u8]]| {
            let channels = channels.iter().map(|channel| channel.to_vec()).collect();
            outlines(Some(&Peaks { duration: 1.0, channels }))
        };
        let two = peaks(&[&[0, 255], &[255, 0]]);
        assert_eq!(two.count, 2);
        assert_eq!(two.lanes[0], ("wave-caller", "M0.5 24.2V25.8M1.5 2.0V48.0".to_owned()));
        assert_eq!(two.lanes[1], ("wave-callee", "M0.5 52.0V98.0M1.5 74.2V75.8".to_owned()));
        let quiet = [("wave-both", "M0.5 4.0V96.0M1.5 49.2V50.8".to_owned())];
        assert_eq!(peaks(&[&[80, 0]]).lanes, quiet, "the loudest fills its lane");
        assert_eq!(peaks(&[&[255]]).lanes, [("wave-both", "M0.5 4.0V96.0".to_owned())]);
        assert_eq!(outlines(None).lanes, []);
    }
}
