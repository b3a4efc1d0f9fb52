//! A request that changes something on the server: whether it is running, and why it was refused. For file uploads,
//! also the progress.

use std::future::Future;

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::AbortController;

use crate::api::{ApiError, use_connection};
use crate::browser::focus;
use crate::i18n::diagnostics_at;

/// State of a mutation. A `Copy` handle. While a request is running, no second one is started.
///
/// Not an `Action` of Leptos: that would run requests concurrently and keep the last result in a signal. It also knows
/// nothing about diagnostics and focus.
#[derive(Clone, Copy)]
pub struct Mutation {
    is_busy: RwSignal<bool>,
    error: RwSignal<Option<ApiError>>,
}

impl Mutation {
    /// Creates the state before the first request.
    pub fn new() -> Self {
        let (is_busy, error) = (RwSignal::new(false), RwSignal::new(None));
        let connection = use_connection();
        // An offline error no longer applies once the connection is back.
        Effect::new(move |was_lost: Option<bool>| {
            let is_lost = connection.is_lost();
            if was_lost == Some(true)
                && !is_lost
                && error.with_untracked(|last_error| *last_error == Some(ApiError::Offline))
            {
                error.set(None);
            }
            is_lost
        });
        Self { is_busy, error }
    }

    /// Runs `request`. Calls `on_success` with the result if the server accepted the request.
    pub fn start<T: 'static>(
        self,
        request: impl Future<Output = Result<T, ApiError>> + 'static,
        on_success: impl FnOnce(T) + 'static,
    ) {
        if self.is_busy.get_untracked() {
            return;
        }
        let focused = focus::focused_element();
        self.is_busy.set(true);
        self.error.set(None);
        spawn_local(async move {
            let result = request.await;
            // The page may have been closed, which disposes the signals. `try_set` then returns the value.
            if self.is_busy.try_set(false).is_some() {
                return;
            }
            match result {
                Ok(value) => on_success(value),
                Err(error) => {
                    self.error.set(Some(error));
                    focus::focus_invalid_input_after_render(focused);
                }
            }
        });
    }

    /// Shows the error that another request received. Does nothing if the page was closed.
    pub fn set_error(self, error: ApiError) {
        _ = self.error.try_set(Some(error));
    }

    /// Clears the last error, for example when the user edits the form again.
    pub fn clear_error(self) {
        self.error.set(None);
    }

    /// True while a request is running.
    pub fn is_busy(self) -> Signal<bool> {
        self.is_busy.into()
    }

    pub fn error(self) -> Option<ApiError> {
        self.error.get()
    }

    /// Diagnostics that the server reported for one member of the body.
    pub fn diagnostics_at(self, pointer: &'static str) -> Signal<Vec<Diagnostic>> {
        Signal::derive(move || {
            self.error.with(|last_error| {
                last_error.iter().flat_map(|error| diagnostics_at(&error.diagnostics(), pointer)).collect()
            })
        })
    }

    /// The error without the diagnostics that the inputs of the given members show themselves. `None` if nothing else
    /// is left to show.
    pub fn form_error(self, field_pointers: &[&str]) -> Option<ApiError> {
        self.error.with(|error| error.as_ref()?.excluding_fields(field_pointers))
    }
}

/// Receives the fraction of the file that was sent so far, 0 to 1.
pub type Progress = Box<dyn Fn(f64)>;

/// Upload of a file. A `Copy` handle. The upload is cancelled when the component is cleaned up, since its result
/// couldn't be shown.
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

    /// Sends a file and calls `on_success` with the server's result, unless the upload was cancelled. Does nothing if
    /// an upload is running.
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
