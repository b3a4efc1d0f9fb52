//! Something the server is asked for: the last answer, whether a new one is under way, and what went wrong.

use std::future::Future;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::ApiError;

/// The state of a thing the server is asked for. The last answer stays while a new one is under way, so that nothing
/// jumps; an answer that was overtaken by a later question is dropped.
pub struct Remote<T: Send + Sync + 'static> {
    answer: RwSignal<Option<T>>,
    error: RwSignal<Option<ApiError>>,
    loading: RwSignal<bool>,
    question: StoredValue<u64>,
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
            question: StoredValue::new(0),
        }
    }

    /// Asks.
    pub fn load(self, question: impl Future<Output = Result<T, ApiError>> + 'static) {
        self.question.update_value(|number| *number += 1);
        let number = self.question.get_value();
        self.loading.set(true);
        spawn_local(async move {
            let answer = question.await;
            // The page may be gone, or have asked again.
            if self.question.try_get_value() != Some(number) {
                return;
            }
            match answer {
                Ok(value) => {
                    self.answer.set(Some(value));
                    self.error.set(None);
                }
                Err(error) => self.error.set(Some(error)),
            }
            self.loading.set(false);
        });
    }

    /// Drops what is known, and the answer under way with it.
    pub fn clear(self) {
        self.question.update_value(|number| *number += 1);
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

    /// Looks at the last answer.
    pub fn with<U>(self, look: impl FnOnce(Option<&T>) -> U) -> U {
        self.answer.with(|answer| look(answer.as_ref()))
    }

    /// The same, without following its changes; none when the page is gone.
    pub fn try_with_untracked<U>(self, look: impl FnOnce(Option<&T>) -> U) -> Option<U> {
        self.answer.try_with_untracked(|answer| look(answer.as_ref()))
    }
}

impl<T: PartialEq + Send + Sync> Remote<T> {
    /// Asks again unseen: nothing is shown as loading, and an answer that is the same as the last changes nothing. When
    /// it fails the last answer stays; another question, under way or asked meanwhile, goes before.
    pub fn refresh(self, question: impl Future<Output = Result<T, ApiError>> + 'static) {
        if self.loading.try_get_untracked() != Some(false) {
            return;
        }
        let number = self.question.get_value();
        spawn_local(async move {
            let Ok(value) = question.await else { return };
            if self.question.try_get_value() != Some(number) {
                return;
            }
            if self.answer.with_untracked(|answer| answer.as_ref() != Some(&value)) {
                self.answer.set(Some(value));
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
