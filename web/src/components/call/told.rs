//! Live state changes of calls since their list was requested.

use std::collections::BTreeMap;

use leadscribe_engine::api::{CallId, TranscriptionState};

/// Transcription states that are newer than the loaded calls.
#[derive(Clone, Default)]
pub struct Told {
    /// Number of changes received so far.
    count: u64,
    /// Each state with the number of its change.
    states: BTreeMap<CallId, (u64, TranscriptionState)>,
}

impl Told {
    /// Records a state change.
    pub fn tell(&mut self, id: CallId, state: TranscriptionState) {
        self.count += 1;
        self.states.insert(id, (self.count, state));
    }

    /// Number of changes received so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Drops changes up to `count`, which the response already includes, except for calls that `stays` keeps.
    pub fn forget(&mut self, count: u64, stays: impl Fn(CallId) -> bool) {
        self.states.retain(|id, (number, _)| *number > count || stays(*id));
    }

    /// The newer state of a call, if one was received.
    pub fn state(&self, id: CallId) -> Option<TranscriptionState> {
        self.states.get(&id).map(|(_, state)| *state)
    }
}

#[cfg(test)]
mod tests {
    use TranscriptionState::{Completed, Processing, Queued};

    use super::*;

    #[test]
    fn keeps_states_received_during_a_reload() {
        let mut told = Told::default();
        told.tell(CallId(1), Processing);
        told.tell(CallId(2), Queued);
        let asked = told.count();
        told.tell(CallId(2), Processing);
        told.tell(CallId(3), Completed);
        told.forget(asked, |_| false);
        assert_eq!([1, 2, 3].map(|id| told.state(CallId(id))), [None, Some(Processing), Some(Completed)]);
        told.forget(told.count(), |id| id == CallId(3));
        assert_eq!([2, 3].map(|id| told.state(CallId(id))), [None, Some(Completed)]);
    }
}
