//! Fields of a lead that are being written: what the engine says of them, and then the server.

use leadscribe_engine::fault::Fault;
use leadscribe_engine::record::{Form, LeadRecord};
use leptos::prelude::*;

use crate::api::ApiError;
use crate::attempt::Attempt;
use crate::components::lead::draft::LeadDraft;
use crate::components::lead::form::places;

/// The draft with its check at every key stroke; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Writing {
    pub draft: LeadDraft,
    pub attempt: Attempt,
    /// What is to be sent; none while nothing is written.
    body: Memo<Option<String>>,
    found: Memo<Vec<Fault>>,
}

impl Writing {
    /// The draft of a new lead, or of a change.
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
        // What the server found holds until something is written anew.
        Effect::new(move |_| {
            body.track();
            attempt.clear();
        });
        Self { draft, attempt, body, found }
    }

    /// Whether something is written.
    pub fn is_begun(self) -> bool {
        self.body.with(Option::is_some)
    }

    /// Whether something of it is wrong.
    pub fn is_wrong(self) -> bool {
        !self.found.with(Vec::is_empty)
    }

    /// Whether there is nothing that could be sent.
    pub fn is_idle(self) -> Signal<bool> {
        Signal::derive(move || !self.is_begun() || self.is_wrong())
    }

    /// The body of the request, once it can be sent.
    pub fn ready(self) -> Option<String> {
        self.body.get_untracked().filter(|_| self.found.with_untracked(Vec::is_empty))
    }

    /// What is wrong, by the server if it was asked last.
    pub fn faults(self) -> Signal<Vec<Fault>> {
        Signal::derive(move || {
            let refused = self.attempt.refusal().map(|error| error.faults().to_vec());
            refused.unwrap_or_else(|| self.found.get())
        })
    }

    /// Why it was refused, but for what stands at an input.
    pub fn refusal_beside(self) -> Option<ApiError> {
        let places: Vec<_> = places().collect();
        self.attempt.refusal_beside(&places.iter().map(String::as_str).collect::<Vec<_>>())
    }
}
