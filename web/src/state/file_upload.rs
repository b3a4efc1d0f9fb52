//! Upload of a file to the server: progress and cancellation.

use std::future::Future;

use leptos::prelude::*;
use web_sys::AbortController;

use crate::api::ApiError;
use crate::state::Mutation;

/// Receives the fraction of the file that was sent so far, 0 to 1.
pub type Progress = Box<dyn Fn(f64)>;

/// Upload of a file. A `Copy` handle. The upload is cancelled when the component is cleaned up, since its result couldn't be shown.
#[derive(Clone, Copy)]
pub struct FileUpload {
    mutation: Mutation,
    percent: RwSignal<u64>,
    abort_controller: StoredValue<Option<AbortController>, LocalStorage>,
}

impl FileUpload {
    /// Creates the state before the first upload.
    pub fn new(mutation: Mutation) -> Self {
        let upload = Self { mutation, percent: RwSignal::new(0), abort_controller: StoredValue::new_local(None) };
        on_cleanup(move || upload.cancel());
        upload
    }

    /// Sends a file and calls `on_success` with the server's result, unless the upload was cancelled. Does nothing if an upload is
    /// running.
    pub fn start<T: 'static, F: Future<Output = Result<Option<T>, ApiError>> + 'static>(
        self,
        send: impl FnOnce(Progress, Option<AbortController>) -> F,
        on_success: impl FnOnce(T) + 'static,
    ) {
        if self.mutation.is_busy().get_untracked() {
            return;
        }
        self.percent.set(0);
        self.abort_controller.set_value(AbortController::new().ok());
        let progress = move |fraction: f64| _ = self.percent.try_set((fraction * 100.0) as u64);
        let upload_request = send(Box::new(progress), self.abort_controller.get_value());
        self.mutation.start(upload_request, move |result| {
            if let Some(result) = result {
                on_success(result);
            }
        });
    }

    pub fn cancel(self) {
        if let Some(abort_controller) = self.abort_controller.try_get_value().flatten() {
            abort_controller.abort();
        }
    }

    /// Share of the file that is sent, in percent.
    pub fn percent(self) -> u64 {
        self.percent.get()
    }
}
