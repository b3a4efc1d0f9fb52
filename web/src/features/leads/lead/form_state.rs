//! Input for the fields of a lead with the diagnostics of the engine and the server.

use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::record::{LeadRecord, WriteMode};
use leptos::prelude::*;

use crate::api::ApiError;
use crate::features::leads::draft::LeadDraft;
use crate::features::leads::form::field_pointers;
use crate::state::mutation::Mutation;

/// Draft of a lead, checked on every key press. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct LeadFormState {
    pub draft: LeadDraft,
    pub mutation: Mutation,
    /// Request body; `None` while nothing is changed.
    body: Memo<Option<String>>,
    all_diagnostics: Memo<Vec<Diagnostic>>,
}

impl LeadFormState {
    /// Draft of a new lead or of a change.
    pub fn new(draft: LeadDraft, form: WriteMode) -> Self {
        let mutation = Mutation::new();
        let body = Memo::new(move |_| draft.change());
        let all_diagnostics = Memo::new(move |_| {
            let mut diagnostics = draft.diagnostics();
            let own_locations: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.location.clone()).collect();
            let others = body.with(|body| LeadRecord::from_json(body.as_ref()?, form).err()).unwrap_or_default();
            diagnostics.extend(others.into_iter().filter(|other| !own_locations.contains(&other.location)));
            diagnostics
        });
        // Diagnostics of the server are cleared by the next change.
        Effect::new(move |_| {
            body.track();
            mutation.clear_error();
        });
        Self { draft, mutation, body, all_diagnostics }
    }

    /// True if the user has changed something.
    pub fn is_edited(self) -> bool {
        self.body.with(Option::is_some)
    }

    /// True if the input has diagnostics.
    pub fn is_invalid(self) -> bool {
        !self.all_diagnostics.with(Vec::is_empty)
    }

    /// True if there is nothing that could be sent.
    pub fn is_submit_disabled(self) -> Signal<bool> {
        Signal::derive(move || !self.is_edited() || self.is_invalid())
    }

    /// Request body, if it can be sent.
    pub fn valid_body(self) -> Option<String> {
        self.body.get_untracked().filter(|_| self.all_diagnostics.with_untracked(Vec::is_empty))
    }

    /// Diagnostics of the server if it refused the last request, otherwise of the engine.
    pub fn diagnostics(self) -> Signal<Vec<Diagnostic>> {
        Signal::derive(move || {
            let server_diagnostics = self.mutation.error().map(|error| error.diagnostics());
            server_diagnostics.unwrap_or_else(|| self.all_diagnostics.get())
        })
    }

    /// Error without the diagnostics that the inputs show themselves.
    pub fn form_error(self) -> Option<ApiError> {
        let pointers: Vec<_> = field_pointers().collect();
        self.mutation.form_error(&pointers.iter().map(String::as_str).collect::<Vec<_>>())
    }
}
