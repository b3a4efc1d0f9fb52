//! State of a form that the engine checks while the user types.

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::state::Mutation;

/// Request body and diagnostics of a form. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct FormState {
    /// The request. Its error is cleared by the next edit.
    pub mutation: Mutation,
    /// Request body; `None` while nothing is changed.
    pub body: Memo<Option<String>>,
    /// Diagnostics that the engine finds.
    own_diagnostics: Memo<Vec<Diagnostic>>,
}

impl FormState {
    /// Creates the state before the first edit.
    pub fn new(body: Memo<Option<String>>, own_diagnostics: Memo<Vec<Diagnostic>>) -> Self {
        let mutation = Mutation::new();
        Effect::new(move |previous: Option<()>| {
            body.track();
            if previous.is_some() {
                mutation.clear_error();
            }
        });
        Self { mutation, body, own_diagnostics }
    }

    /// True if the user has changed something.
    pub fn is_edited(self) -> bool {
        self.body.with(Option::is_some)
    }

    /// True if the engine finds diagnostics.
    pub fn is_invalid(self) -> bool {
        !self.own_diagnostics.with(Vec::is_empty)
    }

    /// True if there is nothing that could be sent.
    pub fn is_submit_disabled(self) -> Signal<bool> {
        Signal::derive(move || !self.is_edited() || self.is_invalid())
    }

    /// Request body, if it can be sent. Doesn't subscribe to changes.
    pub fn valid_body(self) -> Option<String> {
        self.body.get_untracked().filter(|_| self.own_diagnostics.with_untracked(Vec::is_empty))
    }

    /// Diagnostics of the server if it refused the last request, otherwise of the engine.
    pub fn diagnostics(self) -> Signal<Vec<Diagnostic>> {
        Signal::derive(move || {
            let server_diagnostics = self.mutation.error().map(|error| error.diagnostics());
            server_diagnostics.unwrap_or_else(|| self.own_diagnostics.get())
        })
    }
}
