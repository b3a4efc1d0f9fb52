//! Data loaded from the server: the last answer, whether a request is running, and the last error.

use std::future::{Future, poll_fn};
use std::task::Poll;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::ApiError;
use crate::assumed::Assumed;

/// State of a loaded resource. The last answer stays visible during a new request. An answer is dropped if a later request was
/// started.
pub struct Remote<T: Send + Sync + 'static> {
    answer: RwSignal<Option<T>>,
    error: RwSignal<Option<ApiError>>,
    loading: RwSignal<bool>,
    assumed: StoredValue<Assumed<T>>,
    question: StoredValue<u64>,
    /// Numbers of the last background refresh started and of the last one answered.
    refreshes: StoredValue<(u64, u64)>,
    /// Refresh to run after the current request, whose answer may be older than the reason for the refresh.
    then: StoredValue<Option<Box<dyn FnOnce()>>, LocalStorage>,
}

impl<T: Send + Sync> Clone for Remote<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync> Copy for Remote<T> {}

impl<T: Send + Sync> Remote<T> {
    /// Creates the state before the first request; shown as loading.
    pub fn new() -> Self {
        Self {
            answer: RwSignal::new(None),
            error: RwSignal::new(None),
            loading: RwSignal::new(true),
            assumed: StoredValue::new(Assumed::none()),
            question: StoredValue::new(0),
            refreshes: StoredValue::new((0, 0)),
            then: StoredValue::new_local(None),
        }
    }

    /// Starts a request.
    pub fn load(self, question: impl Future<Output = Result<T, ApiError>> + 'static) {
        let number = self.begin();
        self.loading.set(true);
        spawn_local(async move {
            // The page may have been closed or have started another request.
            let is_wanted = move || self.question.try_get_value() == Some(number);
            let mut question = Box::pin(question);
            let answer = poll_fn(|context| match is_wanted() {
                true => question.as_mut().poll(context).map(Some),
                // A request that waits for the connection is cancelled.
                false => Poll::Ready(None),
            });
            let Some(answer) = answer.await.filter(|_| is_wanted()) else { return };
            match answer {
                Ok(value) => {
                    self.take(value);
                    self.error.set(None);
                }
                Err(error) => self.error.set(Some(error)),
            }
            self.loading.set(false);
            if let Some(then) = self.then.try_update_value(Option::take).flatten() {
                then();
            }
        });
    }

    /// Starts a new request and returns its number. Cancels the running request and a scheduled refresh.
    fn begin(self) -> u64 {
        self.then.set_value(None);
        self.question.update_value(|number| *number += 1);
        self.question.get_value()
    }

    /// Shows the server's value, unless optimistic changes are pending.
    fn take(self, value: T) {
        if let Some(value) = self.assumed.try_update_value(|assumed| assumed.say(value)).flatten() {
            self.answer.set(Some(value));
        }
    }

    /// Drops the answer, the running request and the pending optimistic changes.
    pub fn clear(self) {
        self.begin();
        self.assumed.update_value(Assumed::forget);
        self.answer.set(None);
        self.error.set(None);
        self.loading.set(false);
    }

    /// True while a request is running.
    pub fn is_loading(self) -> bool {
        self.loading.get()
    }

    /// Error of the last request.
    pub fn error(self) -> Option<ApiError> {
        self.error.get()
    }

    /// True if there is no answer because the request failed.
    pub fn has_failed(self) -> bool {
        self.error.with(Option::is_some) && self.answer.with(Option::is_none)
    }

    /// True if there is neither an answer nor an error yet.
    pub fn is_awaited(self) -> bool {
        self.error.with(Option::is_none) && self.answer.with(Option::is_none)
    }

    /// Passes the last answer to a function.
    pub fn with<U>(self, look: impl FnOnce(Option<&T>) -> U) -> U {
        self.answer.with(|answer| look(answer.as_ref()))
    }

    /// Like [`Remote::with`], without subscribing to changes. `None` if the page was closed.
    pub fn try_with_untracked<U>(self, look: impl FnOnce(Option<&T>) -> U) -> Option<U> {
        self.answer.try_with_untracked(|answer| look(answer.as_ref()))
    }
}

impl<T: Send + Sync> Remote<T> {
    /// Applies a change that the server has made to the last answer. Does nothing if the page was closed.
    pub fn change(self, change: impl FnOnce(&mut T)) {
        _ = self.answer.try_update(|answer| answer.as_mut().map(change));
    }
}

impl<T: Clone + PartialEq + Send + Sync> Remote<T> {
    /// Optimistic update: shows a change immediately while `deed` requests it from the server. `made` merges the server's
    /// answer. If the request fails, the former value is shown again and `refused` receives the error. `settled` receives
    /// whether the change was made.
    pub fn assume<U: 'static>(
        self,
        change: impl Fn(&mut T) + Send + Sync + 'static,
        deed: impl Future<Output = Result<U, ApiError>> + 'static,
        made: impl FnOnce(&mut T, U) + 'static,
        refused: impl FnOnce(&ApiError) + 'static,
        settled: impl FnOnce(bool) + 'static,
    ) {
        let Some(shown) = self.answer.get_untracked() else { return };
        let assumed = self.assumed.try_update_value(|assumed| assumed.assume(&shown, Box::new(change)));
        let Some((number, shown)) = assumed else { return };
        self.answer.set(Some(shown));
        spawn_local(async move {
            let outcome = deed.await;
            let is_made = outcome.is_ok();
            let made = match outcome {
                Ok(value) => Some(|said: &mut T| made(said, value)),
                Err(error) => {
                    refused(&error);
                    None
                }
            };
            // The page may have been closed or show another resource.
            let shown = self.assumed.try_update_value(|assumed| assumed.settle(number, made)).flatten();
            if shown.is_some() && self.answer.with_untracked(|answer| *answer != shown) {
                self.answer.set(shown);
            }
            settled(is_made);
        });
    }
}

impl<T: PartialEq + Send + Sync> Remote<T> {
    /// Refreshes in the background: no loading state, no update if the answer is the same, and the last answer stays if the
    /// request fails. Waits for a running request. A request started later takes precedence.
    pub fn refresh(self, question: impl Future<Output = Result<T, ApiError>> + 'static) {
        match self.loading.try_get_untracked() {
            None => return,
            Some(true) => return self.then.set_value(Some(Box::new(move || self.refresh(question)))),
            Some(false) => {}
        }
        let (number, refresh) = (self.question.get_value(), self.refreshes.get_value().0 + 1);
        self.refreshes.update_value(|(asked, _)| *asked = refresh);
        spawn_local(async move {
            let Ok(value) = question.await else { return };
            // A later refresh may have been answered first.
            let is_latest = self.refreshes.try_get_value().is_some_and(|(_, answered)| answered < refresh);
            if self.question.try_get_value() != Some(number) || !is_latest {
                return;
            }
            self.refreshes.update_value(|(_, answered)| *answered = refresh);
            if self.answer.with_untracked(|answer| answer.as_ref() != Some(&value)) {
                self.take(value);
            }
            self.error.set(None);
        });
    }
}

impl<T: Clone + Send + Sync> Remote<T> {
    /// Returns the last answer.
    pub fn get(self) -> Option<T> {
        self.answer.get()
    }
}

#[cfg(test)]
mod tests {
    use any_spawner::Executor;

    use super::*;

    #[test]
    fn new_load_cancels_the_scheduled_refresh() {
        // Another test may have initialized the executor.
        _ = Executor::init_futures_executor();
        Owner::new().with(|| {
            let remote = Remote::<&str>::new();
            let shown = || remote.try_with_untracked(|answer| answer.copied()).flatten();
            let ready = |answer| std::future::ready(Ok(answer));
            remote.load(ready("first"));
            remote.refresh(ready("first, again"));
            Executor::poll_local();
            assert_eq!(shown(), Some("first, again"));

            remote.load(std::future::pending());
            remote.refresh(ready("second, again"));
            remote.load(ready("third"));
            Executor::poll_local();
            assert_eq!(shown(), Some("third"));

            remote.load(std::future::pending());
            remote.refresh(ready("fourth, again"));
            remote.clear();
            remote.load(ready("fifth"));
            Executor::poll_local();
            assert_eq!(shown(), Some("fifth"));
        });
    }
}
