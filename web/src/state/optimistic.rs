//! Optimistic updates: the last value from the server, with the pending changes applied on top. Leptos' `Resource` has
//! no pending changes: writing to it replaces the server's value, which a refused change couldn't restore.

use std::future::Future;

use derive_where::derive_where;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::ApiResult;
use crate::state::ApiResource;

/// A change of a value. It is applied again when the underlying value changes.
pub type Change<T> = Box<dyn Fn(&mut T) + Send + Sync>;

/// Changes that wait for the server's response.
#[derive_where(Default)]
pub struct OptimisticState<T> {
    /// Last value from the server, while changes are pending.
    server_value: Option<T>,
    pending_changes: Vec<(u64, Change<T>)>,
    last_number: u64,
}

impl<T> OptimisticState<T> {
    /// True if no change is pending, so the server's value is shown as it is.
    pub fn has_no_pending_changes(&self) -> bool {
        self.pending_changes.is_empty()
    }

    /// Takes a new value from the server. Returns it if it can be shown; while changes are pending, the value is stored
    /// until they are settled.
    pub fn receive(&mut self, value: T) -> Option<T> {
        if self.has_no_pending_changes() {
            return Some(value);
        }
        self.server_value = Some(value);
        None
    }

    /// Discards all pending changes, because a different value is shown now.
    pub fn discard(&mut self) {
        self.server_value = None;
        self.pending_changes.clear();
    }
}

impl<T: Clone> OptimisticState<T> {
    /// Adds a change to the shown value. Returns the change's number and the new value to show.
    pub fn apply(&mut self, current: &T, change: Change<T>) -> (u64, T) {
        if self.has_no_pending_changes() {
            self.server_value = Some(current.clone());
        }
        let mut updated = current.clone();
        change(&mut updated);
        self.last_number += 1;
        self.pending_changes.push((self.last_number, change));
        (self.last_number, updated)
    }

    /// Settles the change with this number. `apply_response` applies the server's response to the value; `None` if the
    /// server refused the change. Returns the value to show: the server's value with the remaining changes applied.
    /// Returns `None` if the change was discarded.
    pub fn settle(&mut self, number: u64, apply_response: Option<impl FnOnce(&mut T)>) -> Option<T> {
        let index = self.pending_changes.iter().position(|(pending, _)| *pending == number)?;
        drop(self.pending_changes.remove(index));
        let mut server_value = self.server_value.take()?;
        if let Some(apply_response) = apply_response {
            apply_response(&mut server_value);
        }
        let mut updated = server_value.clone();
        self.pending_changes.iter().for_each(|(_, change)| change(&mut updated));
        self.server_value = (!self.has_no_pending_changes()).then_some(server_value);
        Some(updated)
    }
}

impl<T: Clone + PartialEq + Send + Sync> ApiResource<T> {
    /// Optimistic update: shows a change immediately while `request` requests it from the server. `on_success` merges
    /// the server's response. If the request fails, the former value is shown again. `on_settled` receives the outcome.
    pub fn update_optimistically<U: 'static>(
        self,
        change: impl Fn(&mut T) + Send + Sync + 'static,
        request: impl Future<Output = ApiResult<U>> + 'static,
        on_success: impl FnOnce(&mut T, U) + 'static,
        on_settled: impl FnOnce(ApiResult<()>) + 'static,
    ) {
        let Some(data) = self.data.get_untracked() else { return };
        let optimistic = self.optimistic.try_update_value(|optimistic| optimistic.apply(&data, Box::new(change)));
        let Some((number, data)) = optimistic else { return };
        self.data.set(Some(data));
        spawn_local(async move {
            let (on_success, outcome) = match request.await {
                Ok(value) => (Some(|server_value: &mut T| on_success(server_value, value)), Ok(())),
                Err(error) => (None, Err(error)),
            };
            // The page may have been closed or show another resource.
            let data = self.optimistic.try_update_value(|optimistic| optimistic.settle(number, on_success)).flatten();
            if data.is_some() && self.data.with_untracked(|current_data| *current_data != data) {
                self.data.set(data);
            }
            on_settled(outcome);
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::state::optimistic::*;

    fn append(text: &'static str) -> Change<String> {
        Box::new(move |value| value.push_str(text))
    }

    const NO_RESPONSE: Option<fn(&mut String)> = None;

    #[test]
    fn reverts_only_the_refused_change() {
        let mut state = OptimisticState::default();
        let (first, value) = state.apply(&"a".to_owned(), append("b"));
        let (second, value) = state.apply(&value, append("c"));
        assert_eq!(value, "abc");
        assert_eq!(state.settle(first, NO_RESPONSE).as_deref(), Some("ac"));
        // The server's result replaces the optimistic one.
        assert_eq!(state.settle(second, Some(|value: &mut String| value.push('C'))).as_deref(), Some("aC"));
        assert!(state.has_no_pending_changes());
    }

    #[test]
    fn settles_changes_in_any_order() {
        let mut state = OptimisticState::default();
        let (first, value) = state.apply(&"a".to_owned(), append("b"));
        let (second, _) = state.apply(&value, append("c"));
        assert_eq!(state.settle(second, Some(|value: &mut String| value.push('c'))).as_deref(), Some("acb"));
        assert_eq!(state.settle(first, NO_RESPONSE).as_deref(), Some("ac"));
    }

    #[test]
    fn refused_change_reverts_to_the_latest_server_value() {
        let mut state = OptimisticState::default();
        assert_eq!(state.receive("a".to_owned()).as_deref(), Some("a"));
        let (number, _) = state.apply(&"a".to_owned(), append("b"));
        assert_eq!(state.receive("z".to_owned()), None);
        assert_eq!(state.settle(number, NO_RESPONSE).as_deref(), Some("z"));
        assert_eq!(state.receive("y".to_owned()).as_deref(), Some("y"));
    }

    #[test]
    fn ignores_responses_to_discarded_changes() {
        let response = |text: &'static str| Some(move |server_value: &mut String| server_value.push_str(text));
        let mut state = OptimisticState::default();
        let (discarded, _) = state.apply(&"a".to_owned(), append("b"));
        state.discard();
        assert_eq!(state.receive("x".to_owned()).as_deref(), Some("x"), "the change is shown immediately");
        assert_eq!(state.settle(discarded, response("b")), None);
        assert!(state.has_no_pending_changes());
        let (number, value) = state.apply(&"x".to_owned(), append("y"));
        assert_eq!((value.as_str(), state.settle(discarded, response("b"))), ("xy", None));
        assert_eq!(state.settle(number, response("Y")).as_deref(), Some("xY"));
    }
}
