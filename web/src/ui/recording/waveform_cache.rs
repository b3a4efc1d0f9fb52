//! Small waveforms of recordings for lists. They are requested when their rows become visible, a few at a time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use leadscribe_engine::api::{CallId, Peaks};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::Api;

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

    /// Waveform of a call's recording with all channels combined, [`BAR_COUNT`] long. Empty if the recording can't be drawn.
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
    use crate::ui::recording::waveform_cache::*;

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
