//! Something the server is asked to do: whether it is under way, and why it was refused.

use std::future::Future;

use leadscribe_engine::fault::Fault;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::ApiError;
use crate::connection::use_connection;
use crate::faults::faults_at;
use crate::focus;

/// The state of a thing the server is asked to do; a handle that can be copied anywhere. What is under way is not
/// started a second time.
#[derive(Clone, Copy)]
pub struct Attempt {
    busy: RwSignal<bool>,
    refusal: RwSignal<Option<ApiError>>,
}

impl Attempt {
    /// Nothing tried yet.
    pub fn new() -> Self {
        let (busy, refusal) = (RwSignal::new(false), RwSignal::new(None));
        let connection = use_connection();
        // That the server can't be reached is untrue once it is said no more that the connection is lost.
        Effect::new(move |was_lost: Option<bool>| {
            let is_lost = connection.is_lost();
            if was_lost == Some(true) && !is_lost && refusal.with_untracked(|last| *last == Some(ApiError::Offline)) {
                refusal.set(None);
            }
            is_lost
        });
        Self { busy, refusal }
    }

    /// Tries; `done` is told what came of it when the server did it.
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
            // The page may be gone, and the attempt with it.
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

    /// It was tried otherwise, and refused. Nothing happens when the page is gone.
    pub fn refuse(self, error: ApiError) {
        _ = self.refusal.try_set(Some(error));
    }

    /// Forgets why the last one was refused, as when a form is filled in otherwise than it was sent.
    pub fn clear(self) {
        self.refusal.set(None);
    }

    /// Whether it is under way.
    pub fn is_busy(self) -> Signal<bool> {
        self.busy.into()
    }

    /// Why it was refused.
    pub fn refusal(self) -> Option<ApiError> {
        self.refusal.get()
    }

    /// The faults that the server found at one member of the body.
    pub fn faults_at(self, pointer: &'static str) -> Signal<Vec<Fault>> {
        Signal::derive(move || {
            self.refusal.with(|refusal| refusal.iter().flat_map(|error| faults_at(error.faults(), pointer)).collect())
        })
    }

    /// The refusal without the faults that stand at the given members, where their inputs show them; none when nothing
    /// is left to be said.
    pub fn refusal_beside(self, shown: &[&str]) -> Option<ApiError> {
        self.refusal.with(|refusal| refusal.as_ref()?.beside(shown))
    }
}
