//! Live state changes of calls since their list was requested.

use std::collections::BTreeMap;

use leadscribe_engine::api::{CallId, TranscriptionState};

/// Transcription states that are newer than the loaded calls.
#[derive(Clone, Default)]
pub struct LiveOverrides {
    /// Number of changes received so far.
    change_count: u64,
    /// Each state with the number of its change.
    states: BTreeMap<CallId, (u64, TranscriptionState)>,
}

impl LiveOverrides {
    pub fn record(&mut self, id: CallId, state: TranscriptionState) {
        self.change_count += 1;
        self.states.insert(id, (self.change_count, state));
    }

    /// Number of changes received so far.
    pub fn count(&self) -> u64 {
        self.change_count
    }

    /// Drops changes up to `change_count`, which the response already includes, except for calls that `should_keep` keeps.
    pub fn discard(&mut self, count: u64, should_keep: impl Fn(CallId) -> bool) {
        self.states.retain(|id, (change_number, _)| *change_number > count || should_keep(*id));
    }

    /// The newer state of a call, if one was received.
    pub fn state(&self, id: CallId) -> Option<TranscriptionState> {
        self.states.get(&id).map(|(_, state)| *state)
    }
}

#[cfg(test)]
mod tests {
    use TranscriptionState::{Completed, Processing, Queued};

    use crate::ui::call::live_overrides::*;

    #[test]
    fn keeps_states_received_during_a_reload() {
        let mut overrides = LiveOverrides::default();
        overrides.record(CallId(1), Processing);
        overrides.record(CallId(2), Queued);
        let count_at_request = overrides.count();
        overrides.record(CallId(2), Processing);
        overrides.record(CallId(3), Completed);
        overrides.discard(count_at_request, |_| false);
        assert_eq!([1, 2, 3].map(|id| overrides.state(CallId(id))), [None, Some(Processing), Some(Completed)]);
        overrides.discard(overrides.count(), |id| id == CallId(3));
        assert_eq!([2, 3].map(|id| overrides.state(CallId(id))), [None, Some(Completed)]);
    }
}
