//! Calls that a send skipped, stored in this browser per user with the reason and the settings of the send, so that they can be
//! sent again later.

use std::collections::BTreeMap;

use leadscribe_engine::api::{CallId, CallOutcome, SkipReason, Timestamp, UserId};
use leadscribe_engine::submission::MAX_CALL_IDS;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::components::call::send_form::SendDraft;
use crate::session::use_session;
use crate::storage;
use crate::when;

/// Maximum number of stored calls, equal to the maximum of one send. The newest are kept.
const MOST: usize = MAX_CALL_IDS;

/// Result of a send for each of its calls.
pub type Outcomes = BTreeMap<CallId, CallOutcome>;

/// A call that was skipped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedCall {
    pub id: CallId,
    pub reason: SkipReason,
    pub at: Timestamp,
    /// Settings of the send.
    pub draft: SendDraft,
}

/// Skipped calls of the logged-in user, newest first. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct SkippedCalls {
    list: RwSignal<Vec<SkippedCall>>,
    user: UserId,
}

/// Returns the skipped calls of the logged-in user.
pub fn use_skipped() -> SkippedCalls {
    let session = use_session();
    let user = untrack(|| session.user()).map(|user| user.id).unwrap_or_default();
    SkippedCalls { list: RwSignal::new(read(user)), user }
}

impl SkippedCalls {
    pub fn get(self) -> Vec<SkippedCall> {
        self.list.get()
    }

    /// Returns the current list, without subscribing to changes.
    pub fn get_untracked(self) -> Vec<SkippedCall> {
        self.list.get_untracked()
    }

    pub fn len(self) -> usize {
        self.list.with(Vec::len)
    }

    /// True if the call is in the list. Doesn't subscribe to changes.
    pub fn has(self, id: CallId) -> bool {
        self.list.try_with_untracked(|list| list.iter().any(|one| one.id == id)) == Some(true)
    }

    /// Reloads the list, which another tab may have changed.
    pub fn load(self) {
        self.list.set(read(self.user));
    }

    /// Records the result of a send: adds the skipped calls and removes those that were accepted now or earlier.
    pub fn record(self, draft: &SendDraft, outcomes: &Outcomes) {
        self.change(|list| take(list, draft, outcomes, when::now()));
    }

    /// Removes one call.
    pub fn forget(self, id: CallId) {
        self.change(|list| list.retain(|one| one.id != id));
    }

    /// Removes all calls.
    pub fn clear(self) {
        self.change(Vec::clear);
    }

    /// Restores removed calls, except those that were skipped again since.
    pub fn restore(self, forgotten: Vec<SkippedCall>) {
        self.change(|list| put_back(list, forgotten));
    }

    /// Changes the stored list. Reads it first, because another tab may have changed it.
    fn change(self, change: impl FnOnce(&mut Vec<SkippedCall>)) {
        let mut list = read(self.user);
        change(&mut list);
        write(self.user, &list);
        // The page may have been closed.
        self.list.try_set(list);
    }
}

/// Groups the calls by the settings of their send; each group can be sent together.
pub fn groups(list: &[SkippedCall]) -> Vec<(SendDraft, Vec<CallId>)> {
    let mut groups: Vec<(SendDraft, Vec<CallId>)> = Vec::new();
    for one in list {
        match groups.iter_mut().find(|(draft, _)| *draft == one.draft) {
            Some((_, ids)) => ids.push(one.id),
            None => groups.push((one.draft.clone(), vec![one.id])),
        }
    }
    groups
}

fn take(list: &mut Vec<SkippedCall>, draft: &SendDraft, outcomes: &Outcomes, at: Timestamp) {
    list.retain(|one| !outcomes.contains_key(&one.id));
    let skipped = outcomes.iter().filter_map(|(id, outcome)| match outcome {
        // This call can never be accepted.
        CallOutcome::Skipped { reason: SkipReason::AlreadySent, .. } => None,
        CallOutcome::Skipped { reason, .. } => Some(SkippedCall { id: *id, reason: *reason, at, draft: draft.clone() }),
        CallOutcome::Accepted { .. } => None,
    });
    list.splice(0..0, skipped.collect::<Vec<_>>());
    list.truncate(MOST);
}

fn put_back(list: &mut Vec<SkippedCall>, forgotten: Vec<SkippedCall>) {
    for old in forgotten {
        if list.iter().all(|one| one.id != old.id) {
            // Keeps the order of the sends.
            let next = list.iter().position(|one| one.at < old.at || one.at == old.at && one.id > old.id);
            list.insert(next.unwrap_or(list.len()), old);
        }
    }
    list.truncate(MOST);
}

/// Returns the stored list; empty if it can't be parsed, for example after a change of its format.
fn read(user: UserId) -> Vec<SkippedCall> {
    storage::read(&key(user)).unwrap_or_default()
}

fn write(user: UserId, list: &[SkippedCall]) {
    match list {
        [] => storage::forget(&key(user)),
        list => storage::keep(&key(user), &list),
    }
}

fn key(user: UserId) -> String {
    format!("leadscribe.skipped.{user}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn outcomes(of: &[(i64, Option<SkipReason>)]) -> Outcomes {
        let outcome = |reason: Option<SkipReason>| match reason {
            Some(reason) => CallOutcome::skipped(reason),
            None => CallOutcome::Accepted { transcription_id: None },
        };
        of.iter().map(|(id, reason)| (CallId(*id), outcome(*reason))).collect()
    }

    fn draft(language: &str) -> SendDraft {
        SendDraft { token: "1".into(), languages: vec![language.into()], ..SendDraft::default() }
    }

    #[test]
    fn keeps_skipped_calls_until_accepted() {
        let (first, second) = (at("2026-05-01T09:30:00Z"), at("2026-05-01T10:00:00Z"));
        let mut list = Vec::new();
        let said = [
            (1, None),
            (2, Some(SkipReason::RecordingPending)),
            (3, Some(SkipReason::RecordingMissing)),
            (5, Some(SkipReason::AlreadySent)),
        ];
        take(&mut list, &draft("en"), &outcomes(&said), first);
        let kept = |list: &[SkippedCall]| list.iter().map(|one| (one.id.0, one.reason, one.at)).collect::<Vec<_>>();
        let pending = (2, SkipReason::RecordingPending, first);
        assert_eq!(kept(&list), [pending, (3, SkipReason::RecordingMissing, first)], "what was sent is done");

        // Each call is listed once, with its latest result.
        take(&mut list, &draft("de"), &outcomes(&[(3, Some(SkipReason::TooShort)), (4, None)]), second);
        assert_eq!(kept(&list), [(3, SkipReason::TooShort, second), pending]);
        assert_eq!(groups(&list), [(draft("de"), vec![CallId(3)]), (draft("en"), vec![CallId(2)])]);

        take(&mut list, &draft("en"), &outcomes(&[(2, None)]), second);
        assert_eq!(kept(&list), [(3, SkipReason::TooShort, second)]);
        let text = serde_json::to_string(&list).unwrap();
        assert_eq!(serde_json::from_str::<Vec<SkippedCall>>(&text).unwrap(), list);
    }

    #[test]
    fn restores_removed_calls_in_order() {
        let (first, second) = (at("2026-05-01T09:30:00Z"), at("2026-05-01T10:00:00Z"));
        let skipped =
            |ids: &[i64]| outcomes(&ids.iter().map(|id| (*id, Some(SkipReason::NotFound))).collect::<Vec<_>>());
        let mut list = Vec::new();
        take(&mut list, &draft("en"), &skipped(&[1, 2, 3]), first);
        take(&mut list, &draft("en"), &skipped(&[4, 5]), second);
        let before = list.clone();
        let forgotten = vec![list.remove(3), list.remove(0)];
        put_back(&mut list, forgotten);
        assert_eq!(list, before);

        // Calls that were skipped again keep their latest result.
        let third = at("2026-05-01T10:30:00Z");
        let mut list = Vec::new();
        take(&mut list, &draft("de"), &skipped(&[2]), third);
        put_back(&mut list, before);
        let kept: Vec<_> = list.iter().map(|one| (one.id.0, one.at)).collect();
        assert_eq!(kept, [(2, third), (4, second), (5, second), (1, first), (3, first)]);
    }

    #[test]
    fn drops_the_oldest_calls_first() {
        let all = |from: i64| (from..from + MOST as i64).map(|id| (id, Some(SkipReason::NotFound)));
        let mut list = Vec::new();
        take(&mut list, &draft("en"), &outcomes(&all(1).collect::<Vec<_>>()), at("2026-05-01T09:30:00Z"));
        let later = outcomes(&[(5000, Some(SkipReason::NotFound))]);
        take(&mut list, &draft("en"), &later, at("2026-05-01T09:31:00Z"));
        assert_eq!((list.len(), list[0].id, list[MOST - 1].id), (MOST, CallId(5000), CallId(MOST as i64 - 1)));
    }
}
