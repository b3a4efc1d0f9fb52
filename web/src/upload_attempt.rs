//! A file that is sent to the server: how much of it is there, and its end before all of it is.

use std::future::Future;

use leptos::prelude::*;

use crate::api::{ApiError, Stopper};
use crate::attempt::Attempt;

/// Is told how much of a file is sent, 0 to 1.
pub type Progress = Box<dyn Fn(f64)>;

/// An attempt to send a file; a handle that can be copied anywhere. It ends with the component that made it: whoever left its page
/// wants nothing of it, and would not be told what came of it.
#[derive(Clone, Copy)]
pub struct UploadAttempt {
    attempt: Attempt,
    percent: RwSignal<u64>,
    stopper: StoredValue<Option<Stopper>, LocalStorage>,
}

impl UploadAttempt {
    /// Nothing sent yet.
    pub fn of(attempt: Attempt) -> Self {
        let upload = Self { attempt, percent: RwSignal::new(0), stopper: StoredValue::new_local(None) };
        on_cleanup(move || upload.stop());
        upload
    }

    /// Sends a file, of which the server makes something; `done` is told of that unless it was stopped before. What is under way
    /// is not started a second time.
    pub fn start<T: 'static, F: Future<Output = Result<Option<T>, ApiError>> + 'static>(
        self,
        send: impl FnOnce(Progress, Option<Stopper>) -> F,
        done: impl FnOnce(T) + 'static,
    ) {
        if self.attempt.is_busy().get_untracked() {
            return;
        }
        self.percent.set(0);
        self.stopper.set_value(Stopper::new());
        let progress = move |part: f64| _ = self.percent.try_set((part * 100.0) as u64);
        let sent = send(Box::new(progress), self.stopper.get_value());
        self.attempt.start(sent, move |made| {
            if let Some(made) = made {
                done(made);
            }
        });
    }

    /// Stops it, if it is under way.
    pub fn stop(self) {
        if let Some(stopper) = self.stopper.try_get_value().flatten() {
            stopper.stop();
        }
    }

    /// How much is sent.
    pub fn percent(self) -> u64 {
        self.percent.get()
    }
}
