//! A request that changes something on the server: whether it is running, and why it was refused.

use std::future::Future;

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::ApiError;
use crate::connection::use_connection;
use crate::faults::faults_at;
use crate::focus;

/// State of a mutation. A `Copy` handle. While a request is running, no second one is started.
#[derive(Clone, Copy)]
pub struct Attempt {
    busy: RwSignal<bool>,
    refusal: RwSignal<Option<ApiError>>,
}

impl Attempt {
    /// Creates the state before the first request.
    pub fn new() -> Self {
        let (busy, refusal) = (RwSignal::new(false), RwSignal::new(None));
        let connection = use_connection();
        // An offline error no longer applies once the connection is back.
        Effect::new(move |was_lost: Option<bool>| {
            let is_lost = connection.is_lost();
            if was_lost == Some(true) && !is_lost && refusal.with_untracked(|last| *last == Some(ApiError::Offline)) {
                refusal.set(None);
            }
            is_lost
        });
        Self { busy, refusal }
    }

    /// Runs `deed`. Calls `done` with the result if the server accepted the request.
    pub fn start<T: 'static>(
        self,
        deed: impl Future<Output = Result<T, ApiError>> + 'static,
        done: impl FnOnce(T) + 'static,
    ) {
        if self.busy.get_untracked() {
            return;
        }
        let focus = focus::now();
        self.busy.set(true);
        self.refusal.set(None);
        spawn_local(async move {
            let outcome = deed.await;
            // The page may have been closed, which disposes the signals.
            if self.busy.try_set(false).is_some() {
                return;
            }
            match outcome {
                Ok(value) => done(value),
                Err(error) => {
                    self.refusal.set(Some(error));
                    focus::to_fault_soon(focus);
                }
            }
        });
    }

    /// Shows a refusal that another request received. Does nothing if the page was closed.
    pub fn refuse(self, error: ApiError) {
        _ = self.refusal.try_set(Some(error));
    }

    /// Clears the last refusal, for example when the user edits the form again.
    pub fn clear(self) {
        self.refusal.set(None);
    }

    /// True while a request is running.
    pub fn is_busy(self) -> Signal<bool> {
        self.busy.into()
    }

    /// Error of the last request.
    pub fn refusal(self) -> Option<ApiError> {
        self.refusal.get()
    }

    /// Faults that the server reported for one member of the body.
    pub fn faults_at(self, pointer: &'static str) -> Signal<Vec<Diagnostic>> {
        Signal::derive(move || {
            self.refusal.with(|refusal| refusal.iter().flat_map(|error| faults_at(error.faults(), pointer)).collect())
        })
    }

    /// The refusal without the faults that the inputs of the given members show themselves. `None` if nothing else is left to show.
    pub fn refusal_beside(self, shown: &[&str]) -> Option<ApiError> {
        self.refusal.with(|refusal| refusal.as_ref()?.beside(shown))
    }
}
