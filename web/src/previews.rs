//! Small waveforms of recordings for lists. They are requested when their rows become visible, a few at a time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use leadscribe_engine::api::{CallId, Peaks};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::Api;

/// Number of bars of a waveform.
pub const BARS: u32 = 48;

/// Maximum number of concurrent requests; equals the number of recordings that the server decodes in parallel.
const AT_ONCE: usize = 2;

/// Loaded waveforms. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Previews {
    api: Api,
    known: RwSignal<BTreeMap<CallId, Vec<u8>>>,
    queue: StoredValue<Queue>,
}

impl Previews {
    /// Creates the cache before the first request.
    pub fn new(api: Api) -> Self {
        Self { api, known: RwSignal::new(BTreeMap::new()), queue: StoredValue::new(Queue::default()) }
    }

    /// Waveform of a call's recording with all channels combined, [`BARS`] long. Empty if the recording can't be drawn.
    pub fn outline(self, call: CallId) -> Option<Vec<u8>> {
        self.known.with(|known| known.get(&call).cloned())
    }

    /// Requests the waveform of a row that became visible.
    pub fn seen(self, call: CallId) {
        if self.known.with_untracked(|known| !known.contains_key(&call)) {
            self.queue.update_value(|queue| queue.add(call));
            self.go_on();
        }
    }

    /// Cancels the waiting request of a row that is no longer visible.
    pub fn unseen(self, call: CallId) {
        // The page may be disposed before its rows.
        self.queue.try_update_value(|queue| queue.remove(call));
    }

    fn go_on(self) {
        while let Some(call) = self.queue.try_update_value(Queue::next).flatten() {
            spawn_local(async move {
                let answer = self.api.peaks(call, BARS).await;
                if self.queue.try_update_value(|queue| queue.done(call)).is_none() {
                    return;
                }
                let outline = match answer {
                    Ok(peaks) => Some(loudest(&peaks)),
                    // Another attempt would get the same answer.
                    Err(error) if matches!(error.status(), Some(404 | 422)) => Some(Vec::new()),
                    Err(_) => None,
                };
                if let Some(outline) = outline {
                    self.known.update(|known| _ = known.insert(call, outline));
                }
                self.go_on();
            });
        }
    }
}

/// Maximum over all channels for each bar.
fn loudest(peaks: &Peaks) -> Vec<u8> {
    let longest = peaks.channels.iter().map(Vec::len).max().unwrap_or(0);
    let at = |place: usize| peaks.channels.iter().filter_map(|channel| channel.get(place)).max().copied();
    (0..longest).filter_map(at).collect()
}

/// Calls whose waveforms are to be requested, in the order in which their rows became visible.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<CallId>,
    under_way: BTreeSet<CallId>,
}

impl Queue {
    fn add(&mut self, call: CallId) {
        if !self.waiting.contains(&call) && !self.under_way.contains(&call) {
            self.waiting.push_back(call);
        }
    }

    fn remove(&mut self, call: CallId) {
        self.waiting.retain(|waiting| *waiting != call);
    }

    /// Returns the next call to request, unless [`AT_ONCE`] requests are running.
    fn next(&mut self) -> Option<CallId> {
        if self.under_way.len() >= AT_ONCE {
            return None;
        }
        let call = self.waiting.pop_front()?;
        self.under_way.insert(call);
        Some(call)
    }

    fn done(&mut self, call: CallId) {
        self.under_way.remove(&call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_requests_and_skips_hidden_rows() {
        let mut queue = Queue::default();
        (1..=5).map(CallId).for_each(|call| queue.add(call));
        queue.add(CallId(1));
        assert_eq!([queue.next(), queue.next(), queue.next()], [Some(CallId(1)), Some(CallId(2)), None]);
        queue.add(CallId(2));
        queue.remove(CallId(3));
        queue.done(CallId(1));
        assert_eq!([queue.next(), queue.next()], [Some(CallId(4)), None]);
        queue.done(CallId(2));
        queue.done(CallId(4));
        assert_eq!([queue.next(), queue.next()], [Some(CallId(5)), None]);
    }

    #[test]
    fn combines_channels_by_maximum() {
        let peaks = |channels: &[&[u8]]| {
            loudest(&Peaks { duration: 1.0, channels: channels.iter().map(|channel| channel.to_vec()).collect() })
        };
        assert_eq!(peaks(&[&[0, 9, 3], &[5, 2, 3]]), [5, 9, 3]);
        assert_eq!(peaks(&[&[7]]), [7]);
        assert!(peaks(&[]).is_empty());
    }
}
