//! Upload of a file to the server: progress and cancellation.

use std::future::Future;

use leptos::prelude::*;

use crate::api::{ApiError, Stopper};
use crate::attempt::Attempt;

/// Receives the share of the file that is sent, 0 to 1.
pub type Progress = Box<dyn Fn(f64)>;

/// Upload of a file. A `Copy` handle. The upload is cancelled when the component is cleaned up, since its result couldn't be shown.
#[derive(Clone, Copy)]
pub struct UploadAttempt {
    attempt: Attempt,
    percent: RwSignal<u64>,
    stopper: StoredValue<Option<Stopper>, LocalStorage>,
}

impl UploadAttempt {
    /// Creates the state before the first upload.
    pub fn of(attempt: Attempt) -> Self {
        let upload = Self { attempt, percent: RwSignal::new(0), stopper: StoredValue::new_local(None) };
        on_cleanup(move || upload.stop());
        upload
    }

    /// Sends a file and calls `done` with the server's result, unless the upload was cancelled. Does nothing if an upload is
    /// running.
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

    /// Cancels a running upload.
    pub fn stop(self) {
        if let Some(stopper) = self.stopper.try_get_value().flatten() {
            stopper.stop();
        }
    }

    /// Share of the file that is sent, in percent.
    pub fn percent(self) -> u64 {
        self.percent.get()
    }
}
