//! Input for the fields of a lead with the faults of the engine and the server.

use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::record::{Form, LeadRecord};
use leptos::prelude::*;

use crate::api::ApiError;
use crate::attempt::Attempt;
use crate::components::lead::draft::LeadDraft;
use crate::components::lead::form::places;

/// Draft of a lead, checked on every key press. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Writing {
    pub draft: LeadDraft,
    pub attempt: Attempt,
    /// Request body; `None` while nothing is changed.
    body: Memo<Option<String>>,
    found: Memo<Vec<Diagnostic>>,
}

impl Writing {
    /// Draft of a new lead or of a change.
    pub fn new(draft: LeadDraft, form: Form) -> Self {
        let attempt = Attempt::new();
        let body = Memo::new(move |_| draft.change());
        let found = Memo::new(move |_| {
            let of_engine = body.with(|body| LeadRecord::from_json(body.as_ref()?, form).err());
            let mut faults = draft.faults();
            let others = of_engine.unwrap_or_default().into_iter();
            let others: Vec<_> = others.filter(|other| faults.iter().all(|own| own.place != other.place)).collect();
            faults.extend(others);
            faults
        });
        // Faults of the server are cleared by the next change.
        Effect::new(move |_| {
            body.track();
            attempt.clear();
        });
        Self { draft, attempt, body, found }
    }

    /// True if the user has changed something.
    pub fn is_begun(self) -> bool {
        self.body.with(Option::is_some)
    }

    /// True if the input has faults.
    pub fn is_wrong(self) -> bool {
        !self.found.with(Vec::is_empty)
    }

    /// True if there is nothing that could be sent.
    pub fn is_idle(self) -> Signal<bool> {
        Signal::derive(move || !self.is_begun() || self.is_wrong())
    }

    /// Request body, if it can be sent.
    pub fn ready(self) -> Option<String> {
        self.body.get_untracked().filter(|_| self.found.with_untracked(Vec::is_empty))
    }

    /// Faults of the server if it refused the last request, otherwise of the engine.
    pub fn faults(self) -> Signal<Vec<Diagnostic>> {
        Signal::derive(move || {
            let refused = self.attempt.refusal().map(|error| error.faults().to_vec());
            refused.unwrap_or_else(|| self.found.get())
        })
    }

    /// Refusal without the faults that the inputs show themselves.
    pub fn refusal_beside(self) -> Option<ApiError> {
        let places: Vec<_> = places().collect();
        self.attempt.refusal_beside(&places.iter().map(String::as_str).collect::<Vec<_>>())
    }
}
