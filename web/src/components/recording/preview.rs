//! Recording in a table row: a small waveform with playback.

use js_sys::Array;
use leadscribe_engine::api::CallId;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit, MouseEvent};

use super::playback::{Playback, PlaybackFault, Time, part_pressed};
use super::waveform::{HEIGHT, bars};
use crate::components::icon::{Glyph, Icon};
use crate::previews::{BARS, Previews};
use crate::texts::{call as texts, calls};
use crate::when;

/// Margin of one screen above and below the viewport in which waveforms are loaded, so that they are ready when scrolled to.
const AHEAD: &str = "100% 0px";

/// The recording of a table that is being played; one at a time. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Heard {
    call: RwSignal<Option<CallId>>,
    pub playback: Playback,
}

impl Heard {
    /// Starts without a recording.
    pub fn new() -> Self {
        Self { call: RwSignal::new(None), playback: Playback::new(None) }
    }

    /// The call whose recording is played or paused.
    pub fn call(self) -> Option<CallId> {
        self.call.get()
    }

    /// Stops the playback.
    pub fn end(self) {
        self.playback.pause();
        self.call.set(None);
    }

    fn begin(self, call: CallId, length: Option<f64>, part: f64) {
        self.playback.begin(length, part);
        self.call.set(Some(call));
    }
}

/// Recording of a call: a play button, the waveform once the row is near the viewport, and the time.
#[component]
pub fn WavePreview(
    call: CallId,
    /// Duration in seconds, if known before the audio is loaded.
    duration: Option<f64>,
    previews: Previews,
    heard: Heard,
) -> impl IntoView {
    let node = NodeRef::<html::Div>::new();
    watch(node, move |in_sight| if in_sight { previews.seen(call) } else { previews.unseen(call) });
    on_cleanup(move || previews.unseen(call));
    let playback = heard.playback;
    let is_here = Memo::new(move |_| heard.call() == Some(call));
    let is_playing = Memo::new(move |_| is_here.get() && playback.is_playing());
    let toggle = move |_| {
        if is_here.get_untracked() {
            playback.toggle();
        } else {
            heard.begin(call, duration, 0.0);
        }
    };
    // Handles the click instead of pointer down, which may start scrolling.
    let press = move |event: MouseEvent| {
        let Some(node) = node.get_untracked() else { return };
        let part = part_pressed(&event, &node);
        if is_here.get_untracked() {
            playback.seek(part * playback.length_untracked());
        } else {
            heard.begin(call, duration, part);
        }
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        if is_here.get_untracked() && playback.wind(&event.key()) {
            event.prevent_default();
            event.stop_propagation();
        }
    };
    let label = move || {
        if is_playing.get() { calls::pause(call) } else { calls::play(call, when::length(duration.unwrap_or(0.0))) }
    };
    let drawing = Memo::new(move |_| {
        let peaks = previews.outline(call)?;
        let loudest = peaks.iter().max().copied().unwrap_or(0);
        Some(bars(&peaks, loudest, HEIGHT / 2.0, HEIGHT / 2.0))
    });
    let outline = move |class: &'static str| {
        drawing.get().map(|path| {
            view! {
                <svg class=class viewBox=format!("0 0 {BARS} {HEIGHT}") preserveAspectRatio="none" aria-hidden="true">
                    <path d=path />
                </svg>
            }
        })
    };
    let left = move || format!("inset(0 {:.2}% 0 0)", (1.0 - playback.part()) * 100.0);
    let shown = Signal::derive(move || if is_here.get() { playback.position() } else { duration.unwrap_or(0.0) });
    // In the tab order only while it plays: there may be a hundred rows.
    let slider = move |value: &'static str| move || is_here.get().then_some(value);
    let second = Memo::new(move |_| is_here.get().then(|| playback.position().floor()));
    view! {
        <div class="preview" class:is-here=is_here data-test="preview">
            <button
                type="button"
                class="button button-icon button-small preview-play"
                aria-label=label
                data-test="play"
                on:click=toggle
            >
                {move || view! { <Icon glyph=if is_playing.get() { Glyph::Pause } else { Glyph::Play } /> }}
            </button>
            <div
                node_ref=node
                class="preview-wave"
                class:is-drawn=move || drawing.with(|path| path.as_ref().is_some_and(|path| !path.is_empty()))
                role=slider("slider")
                tabindex=slider("0")
                aria-label=slider(texts::position())
                aria-valuemin=slider("0")
                aria-valuemax=move || is_here.get().then(|| playback.length().round().to_string())
                aria-valuenow=move || second.get().map(|second| second.to_string())
                aria-valuetext=move || {
                    second.get().map(|at| texts::position_of(when::length(at), when::length(playback.length())))
                }
                data-test="preview-wave"
                on:click=press
                on:keydown=on_key
            >
                {move || outline("preview-rest")}
                <Show when=move || is_here.get()>
                    <div class="preview-played" style:clip-path=left>
                        {move || outline("preview-done")}
                    </div>
                </Show>
            </div>
            <Time seconds=shown />
            <Show when=move || is_here.get()>
                <PlaybackFault playback />
            </Show>
        </div>
    }
    .into_any()
}

/// Reports when an element comes near the viewport and when it leaves.
fn watch(node: NodeRef<html::Div>, tell: impl Fn(bool) + Copy + 'static) {
    let observer = StoredValue::new_local(None::<(IntersectionObserver, Closure<dyn FnMut(Array)>)>);
    Effect::new(move |_| {
        let Some(node) = node.get() else { return };
        let told = Closure::new(move |entries: Array| {
            // The last entry is the latest.
            if let Ok(entry) = entries.pop().dyn_into::<IntersectionObserverEntry>() {
                tell(entry.is_intersecting());
            }
        });
        let element: &Element = &node;
        let options = IntersectionObserverInit::new();
        options.set_root_margin(AHEAD);
        match IntersectionObserver::new_with_options(told.as_ref().unchecked_ref(), &options) {
            Ok(found) => {
                found.observe(element);
                observer.set_value(Some((found, told)));
            }
            // Browsers without the API load all waveforms, still a few at a time.
            Err(_) => tell(true),
        }
    });
    on_cleanup(move || {
        if let Some((observer, _)) = observer.try_update_value(Option::take).flatten() {
            observer.disconnect();
        }
    });
}
