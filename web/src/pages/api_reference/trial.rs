//! Trying an operation: the form input and the request built from it.

use std::sync::Arc;

use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leptos::prelude::*;
use web_sys::File;

use crate::api::{Reply, Stopper, use_api};
use crate::components::dialog::confirm::{Doubt, Question};
use crate::components::reference::parameters::input_id;
use crate::components::reference::proof::Proof;
use crate::focus::focus_soon;
use crate::openapi::{Filled, Operation};
use crate::remote::Remote;
use crate::request::{Content, Request};
use crate::texts::{api_page as texts, common};

/// Form input, and the faults of the last request. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Trial {
    /// Parameter values, in the order of the document.
    pub values: StoredValue<Vec<RwSignal<String>>>,
    /// Body as text.
    pub text: RwSignal<String>,
    /// Name and media type of a file body.
    pub file: RwSignal<Option<(String, String)>>,
    pub handle: StoredValue<Option<File>, LocalStorage>,
    is_file: Option<bool>,
    /// True once the user tried to send. Missing input is reported from then on.
    pub is_asked: RwSignal<bool>,
    /// Body of the last request, and the faults that the server reported for it.
    found: RwSignal<(String, Vec<Diagnostic>)>,
}

impl Trial {
    /// Fills required input with its examples and leaves the rest empty.
    pub fn new(operation: &Operation) -> Self {
        let value = |required: bool, example: &Option<String>| match example {
            Some(example) if required => example.clone(),
            _ => String::new(),
        };
        let values = operation.parameters.iter().map(|one| RwSignal::new(value(one.required, &one.example))).collect();
        let body = operation.body.as_ref();
        Self {
            values: StoredValue::new(values),
            text: RwSignal::new(body.and_then(|body| body.example.clone()).unwrap_or_default()),
            file: RwSignal::new(None),
            handle: StoredValue::new_local(None),
            is_file: body.map(|body| body.example.is_none()),
            is_asked: RwSignal::new(false),
            found: RwSignal::new((String::new(), Vec::new())),
        }
    }

    pub fn filled(self) -> Filled {
        let values = self.values.with_value(|values| values.iter().map(|value| value.get()).collect());
        let file = self.file.get();
        let body = match self.is_file {
            None => None,
            Some(true) => Some(Content::File(file.as_ref().map_or("FILE", |(name, _)| name).to_owned())),
            Some(false) => Some(Content::Text(self.text.get())),
        };
        Filled { values, body, media_type: file.map(|(_, media_type)| media_type).filter(|kind| !kind.is_empty()) }
    }

    /// Faults that the server reported, as long as the input they are about is unchanged.
    pub fn refused(self) -> Vec<Diagnostic> {
        let (sent, faults) = self.found.get();
        let is_changed = self.text.with(|text| *text != sent);
        faults.into_iter().filter(|fault| !is_changed || !matches!(fault.place, Place::Pointer(_))).collect()
    }
}

/// A trial request: confirmation, sending and cancelling.
#[derive(Clone, Copy)]
pub struct Sending {
    /// Response; `None` if the request was cancelled before.
    pub reply: Remote<Option<Arc<Reply>>>,
    pub doubt: Doubt<Request>,
    pub ask: Callback<()>,
    pub send: Callback<Request>,
    pub stop: Callback<()>,
}

/// Sends the form input with the given credentials. Call in the body of a component.
pub fn use_sending(
    trial: Trial,
    spec: StoredValue<Operation>,
    filled: Signal<(Request, Vec<Diagnostic>)>,
    proof: Proof,
) -> Sending {
    let api = use_api();
    let reply = Remote::new();
    reply.clear();
    let doubt = Doubt::new();
    let stopper = StoredValue::new_local(None::<Stopper>);
    let is_agreed = StoredValue::new(false);
    let send = Callback::new(move |request: Request| {
        doubt.close();
        is_agreed.set_value(true);
        let Some(stop) = Stopper::new() else { return };
        stopper.set_value(Some(stop.clone()));
        let file = trial.handle.get_value();
        let token = spec.with_value(|operation| proof.token(&operation.access));
        let sent = trial.text.get_untracked();
        let trying = api.try_out(request, file, proof.sender(), token, stop);
        reply.load(async move {
            let outcome = trying.await;
            if let Ok(Some(reply)) = &outcome {
                let faults = reply.problem().map(|problem| problem.errors).unwrap_or_default();
                // The page may have been closed.
                trial.found.try_set((sent, faults));
            }
            outcome
        });
    });
    let ask = Callback::new(move |()| {
        if untrack(|| reply.is_loading()) {
            return;
        }
        let (request, missing) = filled.get_untracked();
        trial.is_asked.set(true);
        if let Some(Diagnostic { place: Place::Parameter(name), .. }) = missing.first() {
            return focus_soon(input_id(name));
        }
        // After the first confirmation, changes are sent without asking again, except deletions.
        let changes = spec.with_value(Operation::changes);
        if changes && (request.method == "DELETE" || !is_agreed.get_value()) {
            doubt.ask(request);
        } else {
            send.run(request);
        }
    });
    let stop = Callback::new(move |()| {
        if let Some(stopper) = stopper.get_value() {
            stopper.stop();
        }
    });
    on_cleanup(move || {
        if let Some(Some(stopper)) = stopper.try_get_value() {
            stopper.stop();
        }
    });
    Sending { reply, doubt, ask, send, stop }
}

/// Confirmation before a request that changes something.
pub fn question(request: &Request) -> Question {
    let (text, action) = match request.method.as_str() {
        "DELETE" => (texts::deletes(), common::delete()),
        _ => (texts::changes(), texts::send()),
    };
    Question {
        title: format!("{} {}", request.method, request.target.split('?').next().unwrap_or_default()),
        text: text.to_owned(),
        action,
    }
}
