//! Skipped calls of a submission, stored in this browser per user with the reason and the settings, so that they can be
//! sent again later.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use leadscribe_engine::api::{CallId, CallOutcome, SkipReason, Timestamp, UserId};
use leadscribe_engine::submission::MAX_CALL_IDS;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::api::use_session;
use crate::browser::storage;
use crate::features::calls::send_calls_form::SendCallsDraft;
use crate::i18n::datetime;

/// Maximum number of stored calls, equal to the maximum of one submission. The newest are kept.
const MAX_STORED_CALLS: usize = MAX_CALL_IDS;

/// Result of a submission for each of its calls.
pub type Outcomes = BTreeMap<CallId, CallOutcome>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedCall {
    pub id: CallId,
    pub reason: SkipReason,
    pub skipped_at: Timestamp,
    pub draft: SendCallsDraft,
}

/// Skipped calls of the logged-in user, newest first. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct SkippedCalls {
    pub calls: RwSignal<Vec<SkippedCall>>,
    user: UserId,
}

/// Returns the skipped calls of the logged-in user.
pub fn use_skipped_calls() -> SkippedCalls {
    let session = use_session();
    let user = untrack(|| session.user()).map(|user| user.id).unwrap_or_default();
    SkippedCalls { calls: RwSignal::new(load_list(user)), user }
}

impl SkippedCalls {
    /// True if the call is in the list. Doesn't subscribe to changes.
    pub fn contains(self, id: CallId) -> bool {
        self.calls.try_with_untracked(|list| list.iter().any(|call| call.id == id)) == Some(true)
    }

    /// Reloads the list, which another tab may have changed.
    pub fn reload(self) {
        self.calls.set(load_list(self.user));
    }

    /// Records the result of a submission: adds the skipped calls and removes those that were accepted now or earlier.
    pub fn record(self, draft: &SendCallsDraft, outcomes: &Outcomes) {
        self.update(|list| record_outcomes(list, draft, outcomes, datetime::now()));
    }

    pub fn remove(self, id: CallId) {
        self.update(|list| list.retain(|call| call.id != id));
    }

    pub fn clear(self) {
        self.update(Vec::clear);
    }

    /// Restores removed calls, except those that were skipped again since.
    pub fn restore(self, removed: Vec<SkippedCall>) {
        self.update(|list| insert_removed(list, removed));
    }

    /// Changes the stored list. Reads it first, because another tab may have changed it.
    fn update(self, change: impl FnOnce(&mut Vec<SkippedCall>)) {
        let mut list = load_list(self.user);
        change(&mut list);
        match list.is_empty() {
            true => storage::remove(&storage_key(self.user)),
            false => storage::store(&storage_key(self.user), &list),
        }
        // The page may have been closed.
        self.calls.try_set(list);
    }
}

/// Groups the calls by the settings they were sent with. Each group can be sent together.
pub fn group_by_draft(list: &[SkippedCall]) -> Vec<(SendCallsDraft, Vec<CallId>)> {
    let mut groups: Vec<(SendCallsDraft, Vec<CallId>)> = Vec::new();
    for call in list {
        match groups.iter_mut().find(|(draft, _)| *draft == call.draft) {
            Some((_, ids)) => ids.push(call.id),
            None => groups.push((call.draft.clone(), vec![call.id])),
        }
    }
    groups
}

fn record_outcomes(list: &mut Vec<SkippedCall>, draft: &SendCallsDraft, outcomes: &Outcomes, skipped_at: Timestamp) {
    list.retain(|call| !outcomes.contains_key(&call.id));
    let skipped = outcomes.iter().filter_map(|(id, outcome)| match outcome {
        // This call can never be accepted.
        CallOutcome::Skipped { reason: SkipReason::AlreadySent, .. } => None,
        CallOutcome::Skipped { reason, .. } => {
            Some(SkippedCall { id: *id, reason: *reason, skipped_at, draft: draft.clone() })
        }
        CallOutcome::Accepted { .. } => None,
    });
    list.splice(0..0, skipped.collect::<Vec<_>>());
    list.truncate(MAX_STORED_CALLS);
}

/// Inserts calls that aren't in the list, in the order of the submissions.
fn insert_removed(list: &mut Vec<SkippedCall>, mut removed: Vec<SkippedCall>) {
    removed.retain(|call| list.iter().all(|other| other.id != call.id));
    list.append(&mut removed);
    list.sort_by_key(|call| (Reverse(call.skipped_at), call.id));
    list.truncate(MAX_STORED_CALLS);
}

/// Returns the stored list; empty if it can't be parsed, for example after a change of its format.
fn load_list(user: UserId) -> Vec<SkippedCall> {
    storage::load(&storage_key(user)).unwrap_or_default()
}

fn storage_key(user: UserId) -> String {
    format!("leadscribe.skipped.{user}")
}

#[cfg(test)]
mod tests {
    use crate::features::calls::skipped::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn outcomes(reasons: &[(i64, Option<SkipReason>)]) -> Outcomes {
        let outcome = |reason: Option<SkipReason>| match reason {
            Some(reason) => CallOutcome::skipped(reason),
            None => CallOutcome::Accepted { transcription_id: None },
        };
        reasons.iter().map(|(id, reason)| (CallId(*id), outcome(*reason))).collect()
    }

    fn draft(language: &str) -> SendCallsDraft {
        SendCallsDraft { token: "1".into(), languages: vec![language.into()], ..SendCallsDraft::default() }
    }

    #[test]
    fn keeps_skipped_calls_until_accepted() {
        let (first, second) = (at("2026-05-01T09:30:00Z"), at("2026-05-01T10:00:00Z"));
        let mut list = Vec::new();
        let skipped = [(2, Some(SkipReason::RecordingPending)), (3, Some(SkipReason::RecordingMissing))];
        let others = [(1, None), (5, Some(SkipReason::AlreadySent))];
        record_outcomes(&mut list, &draft("en"), &outcomes(&[skipped, others].concat()), first);
        let summary = |list: &[SkippedCall]| {
            list.iter().map(|call| (call.id.0, call.reason, call.skipped_at)).collect::<Vec<_>>()
        };
        let pending = (2, SkipReason::RecordingPending, first);
        assert_eq!(summary(&list), [pending, (3, SkipReason::RecordingMissing, first)]);

        // Each call is listed once, with its latest result.
        record_outcomes(&mut list, &draft("de"), &outcomes(&[(3, Some(SkipReason::TooShort)), (4, None)]), second);
        assert_eq!(summary(&list), [(3, SkipReason::TooShort, second), pending]);
        assert_eq!(group_by_draft(&list), [(draft("de"), vec![CallId(3)]), (draft("en"), vec![CallId(2)])]);

        record_outcomes(&mut list, &draft("en"), &outcomes(&[(2, None)]), second);
        assert_eq!(summary(&list), [(3, SkipReason::TooShort, second)]);
    }

    #[test]
    fn restores_removed_calls_in_order() {
        let times = ["2026-05-01T09:30:00Z", "2026-05-01T10:00:00Z", "2026-05-01T10:30:00Z"].map(at);
        let skipped = |ids: [i64; 3]| outcomes(&ids.map(|id| (id, Some(SkipReason::NotFound))));
        let mut list = Vec::new();
        record_outcomes(&mut list, &draft("en"), &skipped([1, 2, 3]), times[0]);
        record_outcomes(&mut list, &draft("en"), &skipped([4, 5, 6]), times[1]);
        let before = list.clone();
        let removed = vec![list.remove(3), list.remove(0)];
        insert_removed(&mut list, removed);
        assert_eq!(list, before);

        // Calls that were skipped again keep their latest result.
        let mut list = Vec::new();
        record_outcomes(&mut list, &draft("de"), &skipped([2, 7, 8]), times[2]);
        insert_removed(&mut list, before);
        assert_eq!(list.iter().map(|call| call.id.0).collect::<Vec<_>>(), [2, 7, 8, 4, 5, 6, 1, 3]);
    }
}
