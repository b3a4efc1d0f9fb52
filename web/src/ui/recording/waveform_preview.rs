//! Recording in a table row: a small waveform with playback. Waveforms are requested when their rows become visible, a
//! few at a time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use js_sys::Array;
use leadscribe_engine::api::{CallId, Peaks};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit, MouseEvent};

use super::playback::{Playback, PlaybackError, PlaybackTime, clicked_fraction};
use super::waveform::{VIEWBOX_HEIGHT, bar_path};
use crate::api::Api;
use crate::i18n::datetime;
use crate::i18n::texts::{call as texts, calls};
use crate::ui::{Glyph, Icon};

/// Margin of one screen above and below the viewport in which waveforms are loaded, so that they are ready when
/// scrolled to.
const PRELOAD_MARGIN: &str = "100% 0px";

/// The recording of a table that is being played; one at a time. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct TablePlayer {
    call: RwSignal<Option<CallId>>,
    pub playback: Playback,
}

impl TablePlayer {
    /// Starts without a recording.
    pub fn new() -> Self {
        Self { call: RwSignal::new(None), playback: Playback::new(None) }
    }

    /// The call whose recording is played or paused.
    pub fn call(self) -> Option<CallId> {
        self.call.get()
    }

    pub fn stop(self) {
        self.playback.pause();
        self.call.set(None);
    }

    fn start(self, call: CallId, duration: Option<f64>, fraction: f64) {
        self.playback.load(duration, fraction);
        self.call.set(Some(call));
    }
}

/// Recording of a call: a play button, the waveform once the row is near the viewport, and the time.
#[component]
pub fn WaveformPreview(
    call: CallId,
    /// Duration in seconds, if known before the audio is loaded.
    duration: Option<f64>,
    waveforms: WaveformCache,
    player: TablePlayer,
) -> impl IntoView {
    let node = NodeRef::<html::Div>::new();
    observe_visibility(
        node,
        move |is_near| if is_near { waveforms.request(call) } else { waveforms.cancel_request(call) },
    );
    on_cleanup(move || waveforms.cancel_request(call));
    let playback = player.playback;
    let is_current = Memo::new(move |_| player.call() == Some(call));
    let is_playing = Memo::new(move |_| is_current.get() && playback.playing.get());
    let toggle = move |_| {
        if is_current.get_untracked() {
            playback.toggle();
        } else {
            player.start(call, duration, 0.0);
        }
    };
    // Handles the click instead of pointer down, which may start scrolling.
    let on_click = move |event: MouseEvent| {
        let Some(node) = node.get_untracked() else { return };
        let fraction = clicked_fraction(&event, &node);
        if is_current.get_untracked() {
            playback.seek(fraction * playback.duration.get_untracked());
        } else {
            player.start(call, duration, fraction);
        }
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        if is_current.get_untracked() {
            playback.on_key(&event);
        }
    };
    let label = move || {
        if is_playing.get() {
            calls::pause(call)
        } else {
            calls::play(call, datetime::format_duration(duration.unwrap_or(0.0)))
        }
    };
    let waveform_path = Memo::new(move |_| {
        let peaks = waveforms.get(call)?;
        let max_peak = peaks.iter().max().copied().unwrap_or(0);
        Some(bar_path(&peaks, max_peak, VIEWBOX_HEIGHT / 2.0, VIEWBOX_HEIGHT / 2.0))
    });
    let outline = move |class: &'static str| {
        waveform_path.get().map(|path| {
            view! {
                <svg class=class viewBox=format!("0 0 {BAR_COUNT} {VIEWBOX_HEIGHT}") preserveAspectRatio="none" aria-hidden="true">
                    <path d=path />
                </svg>
            }
        })
    };
    let clip_path = move || format!("inset(0 {:.2}% 0 0)", (1.0 - playback.progress()) * 100.0);
    let shown_seconds =
        Signal::derive(move || if is_current.get() { playback.position.get() } else { duration.unwrap_or(0.0) });
    // In the tab order only if it is the current recording: there may be a hundred rows.
    let slider_attribute = move |value: &'static str| move || is_current.get().then_some(value);
    let second = Memo::new(move |_| is_current.get().then(|| playback.position.get().floor()));
    view! {
        <div class="preview" class:is-current=is_current data-test="preview">
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
                class:has-waveform=move || waveform_path.with(|path| path.as_ref().is_some_and(|path| !path.is_empty()))
                role=slider_attribute("slider")
                tabindex=slider_attribute("0")
                aria-label=slider_attribute(texts::position())
                aria-valuemin=slider_attribute("0")
                aria-valuemax=move || is_current.get().then(|| playback.duration.get().round().to_string())
                aria-valuenow=move || second.get().map(|second| second.to_string())
                aria-valuetext=move || second.get().map(|second| playback.value_text(second))
                data-test="preview-wave"
                on:click=on_click
                on:keydown=on_key
            >
                {move || outline("preview-unplayed")}
                <Show when=move || is_current.get()>
                    <div class="preview-played" style:clip-path=clip_path>
                        {move || outline("preview-bars-played")}
                    </div>
                </Show>
            </div>
            <PlaybackTime seconds=shown_seconds />
            <Show when=move || is_current.get()>
                <PlaybackError playback />
            </Show>
        </div>
    }
}

/// Reports when an element comes near the viewport and when it leaves.
fn observe_visibility(node: NodeRef<html::Div>, on_change: impl Fn(bool) + Copy + 'static) {
    let observer = StoredValue::new_local(None::<(IntersectionObserver, Closure<dyn FnMut(Array)>)>);
    Effect::new(move |_| {
        let Some(node) = node.get() else { return };
        let callback = Closure::new(move |entries: Array| {
            // The last entry is the latest.
            if let Ok(entry) = entries.pop().dyn_into::<IntersectionObserverEntry>() {
                on_change(entry.is_intersecting());
            }
        });
        let element: &Element = &node;
        let options = IntersectionObserverInit::new();
        options.set_root_margin(PRELOAD_MARGIN);
        match IntersectionObserver::new_with_options(callback.as_ref().unchecked_ref(), &options) {
            Ok(new_observer) => {
                new_observer.observe(element);
                observer.set_value(Some((new_observer, callback)));
            }
            // Browsers without the API load all waveforms, still a few at a time.
            Err(_) => on_change(true),
        }
    });
    on_cleanup(move || {
        if let Some((observer, _)) = observer.try_update_value(Option::take).flatten() {
            observer.disconnect();
        }
    });
}

/// Number of bars of a waveform.
pub const BAR_COUNT: u32 = 48;

/// Maximum number of concurrent requests; equals the number of recordings that the server decodes in parallel.
const MAX_CONCURRENT_REQUESTS: usize = 2;

/// Loaded waveforms. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct WaveformCache {
    api: Api,
    waveforms: RwSignal<BTreeMap<CallId, Vec<u8>>>,
    queue: StoredValue<RequestQueue>,
}

impl WaveformCache {
    /// Creates the cache before the first request.
    pub fn new(api: Api) -> Self {
        Self { api, waveforms: RwSignal::new(BTreeMap::new()), queue: StoredValue::new(RequestQueue::default()) }
    }

    /// Waveform of a call's recording with all channels combined, [`BAR_COUNT`] long. Empty if the recording can't be
    /// drawn.
    pub fn get(self, call: CallId) -> Option<Vec<u8>> {
        self.waveforms.with(|waveforms| waveforms.get(&call).cloned())
    }

    /// Requests the waveform of a row that became visible.
    pub fn request(self, call: CallId) {
        if self.waveforms.with_untracked(|waveforms| !waveforms.contains_key(&call)) {
            self.queue.update_value(|queue| queue.add(call));
            self.start_requests();
        }
    }

    /// Cancels the waiting request of a row that is no longer visible.
    pub fn cancel_request(self, call: CallId) {
        // The page may be disposed before its rows.
        self.queue.try_update_value(|queue| queue.remove(call));
    }

    fn start_requests(self) {
        while let Some(call) = self.queue.try_update_value(RequestQueue::next).flatten() {
            spawn_local(async move {
                let response = self.api.peaks(call, BAR_COUNT).await;
                if self.queue.try_update_value(|queue| queue.finish(call)).is_none() {
                    return;
                }
                let waveform = match response {
                    Ok(peaks) => Some(max_over_channels(&peaks)),
                    // A retry would get the same response.
                    Err(error) if matches!(error.status(), Some(404 | 422)) => Some(Vec::new()),
                    Err(_) => None,
                };
                if let Some(waveform) = waveform {
                    self.waveforms.update(|waveforms| _ = waveforms.insert(call, waveform));
                }
                self.start_requests();
            });
        }
    }
}

/// Maximum over all channels for each bar.
fn max_over_channels(peaks: &Peaks) -> Vec<u8> {
    let bar_count = peaks.channels.iter().map(Vec::len).max().unwrap_or(0);
    let max_at = |index: usize| peaks.channels.iter().filter_map(|channel| channel.get(index)).max().copied();
    (0..bar_count).filter_map(max_at).collect()
}

/// Calls whose waveforms are to be requested, in the order in which their rows became visible.
#[derive(Default)]
struct RequestQueue {
    waiting: VecDeque<CallId>,
    running: BTreeSet<CallId>,
}

impl RequestQueue {
    fn add(&mut self, call: CallId) {
        if !self.waiting.contains(&call) && !self.running.contains(&call) {
            self.waiting.push_back(call);
        }
    }

    fn remove(&mut self, call: CallId) {
        self.waiting.retain(|queued| *queued != call);
    }

    /// Returns the next call to request, unless [`MAX_CONCURRENT_REQUESTS`] requests are running.
    fn next(&mut self) -> Option<CallId> {
        if self.running.len() >= MAX_CONCURRENT_REQUESTS {
            return None;
        }
        let call = self.waiting.pop_front()?;
        self.running.insert(call);
        Some(call)
    }

    fn finish(&mut self, call: CallId) {
        self.running.remove(&call);
    }
}

#[cfg(test)]
mod tests {
    use crate::ui::recording::waveform_preview::*;

    #[test]
    fn limits_requests_and_skips_hidden_rows() {
        let mut queue = RequestQueue::default();
        (1..=5).map(CallId).for_each(|call| queue.add(call));
        queue.add(CallId(1));
        assert_eq!([queue.next(), queue.next(), queue.next()], [Some(CallId(1)), Some(CallId(2)), None]);
        queue.add(CallId(2));
        queue.remove(CallId(3));
        queue.finish(CallId(1));
        assert_eq!([queue.next(), queue.next()], [Some(CallId(4)), None]);
        queue.finish(CallId(2));
        queue.finish(CallId(4));
        assert_eq!([queue.next(), queue.next()], [Some(CallId(5)), None]);
    }
}
