//! Something the server is asked for: the last answer, whether a new one is under way, and what went wrong.

use std::future::{Future, poll_fn};
use std::task::Poll;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::ApiError;
use crate::assumed::Assumed;

/// The state of a thing the server is asked for. The last answer stays while a new one is under way, so that nothing
/// jumps; an answer that was overtaken by a later question is dropped.
pub struct Remote<T: Send + Sync + 'static> {
    answer: RwSignal<Option<T>>,
    error: RwSignal<Option<ApiError>>,
    loading: RwSignal<bool>,
    assumed: StoredValue<Assumed<T>>,
    question: StoredValue<u64>,
    /// The numbers of the last questions asked and answered unseen.
    refreshes: StoredValue<(u64, u64)>,
    /// What to ask unseen once the answer under way is there, which may be older than the reason to ask.
    then: StoredValue<Option<Box<dyn FnOnce()>>, LocalStorage>,
}

impl<T: Send + Sync> Clone for Remote<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync> Copy for Remote<T> {}

impl<T: Send + Sync> Remote<T> {
    /// Nothing asked yet; shown as loading.
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

    /// Asks.
    pub fn load(self, question: impl Future<Output = Result<T, ApiError>> + 'static) {
        let number = self.begin();
        self.loading.set(true);
        spawn_local(async move {
            // The page may be gone, or have asked again.
            let is_wanted = move || self.question.try_get_value() == Some(number);
            let mut question = Box::pin(question);
            let answer = poll_fn(|context| match is_wanted() {
                true => question.as_mut().poll(context).map(Some),
                // What waits for the connection isn't asked any more.
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

    /// The number of a new question: neither what is asked nor what was to be asked is of any matter from now on.
    fn begin(self) -> u64 {
        self.then.set_value(None);
        self.question.update_value(|number| *number += 1);
        self.question.get_value()
    }

    /// Shows what the server says, unless changes wait for its answer.
    fn take(self, value: T) {
        if let Some(value) = self.assumed.try_update_value(|assumed| assumed.say(value)).flatten() {
            self.answer.set(Some(value));
        }
    }

    /// Drops what is known, and with it the answer under way and the changes that wait for theirs.
    pub fn clear(self) {
        self.begin();
        self.assumed.update_value(Assumed::forget);
        self.answer.set(None);
        self.error.set(None);
        self.loading.set(false);
    }

    /// Whether an answer is under way.
    pub fn is_loading(self) -> bool {
        self.loading.get()
    }

    /// What went wrong with the last question.
    pub fn error(self) -> Option<ApiError> {
        self.error.get()
    }

    /// Whether nothing is known because the question failed.
    pub fn has_failed(self) -> bool {
        self.error.with(Option::is_some) && self.answer.with(Option::is_none)
    }

    /// Whether nothing is known yet, and nothing went wrong.
    pub fn is_awaited(self) -> bool {
        self.error.with(Option::is_none) && self.answer.with(Option::is_none)
    }

    /// Looks at the last answer.
    pub fn with<U>(self, look: impl FnOnce(Option<&T>) -> U) -> U {
        self.answer.with(|answer| look(answer.as_ref()))
    }

    /// The same, without following its changes; none when the page is gone.
    pub fn try_with_untracked<U>(self, look: impl FnOnce(Option<&T>) -> U) -> Option<U> {
        self.answer.try_with_untracked(|answer| look(answer.as_ref()))
    }
}

impl<T: Send + Sync> Remote<T> {
    /// Changes the last answer as the server has changed what it is about. Nothing happens when the page is gone.
    pub fn change(self, change: impl FnOnce(&mut T)) {
        _ = self.answer.try_update(|answer| answer.as_mut().map(change));
    }
}

impl<T: Clone + PartialEq + Send + Sync> Remote<T> {
    /// Shows a change at once, while the server is asked for it by `deed`. What the server answers goes into the answer by
    /// `made`. When it refuses or can't be reached, what it had before is shown again, and `refused` is told why. `settled`
    /// is told whether it was made.
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
            // The page may be gone, or be about something else.
            let shown = self.assumed.try_update_value(|assumed| assumed.settle(number, made)).flatten();
            if shown.is_some() && self.answer.with_untracked(|answer| *answer != shown) {
                self.answer.set(shown);
            }
            settled(is_made);
        });
    }
}

impl<T: PartialEq + Send + Sync> Remote<T> {
    /// Asks again unseen: nothing is shown as loading, and an answer that is the same as the last changes nothing. When
    /// it fails the last answer stays. It waits for another question's answer; one asked meanwhile goes before.
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
            // An answer that was asked for later may have come sooner.
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
    /// The last answer.
    pub fn get(self) -> Option<T> {
        self.answer.get()
    }
}

#[cfg(test)]
mod tests {
    use any_spawner::Executor;

    use super::*;

    #[test]
    fn what_was_to_be_asked_again_goes_with_its_question() {
        // Another test may have done so.
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
