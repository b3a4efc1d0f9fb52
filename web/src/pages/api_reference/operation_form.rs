//! Trying an operation: the form input and the request built from it.

use std::sync::Arc;

use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leptos::prelude::*;
use web_sys::File;

use crate::api::{AbortHandle, TrialResponse, use_api};
use crate::components::dialog::confirm::{PendingConfirmation, Question};
use crate::components::reference::parameters::input_id;
use crate::components::reference::request_credentials::RequestCredentials;
use crate::focus::focus_after_render;
use crate::openapi::{Operation, OperationInput};
use crate::request::{Content, Request};
use crate::resource::ApiResource;
use crate::texts::{api_page as texts, common};

/// Form input, and the diagnostics of the last request. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct OperationForm {
    /// Parameter values, in the order of the document.
    pub values: StoredValue<Vec<RwSignal<String>>>,
    /// Body as text.
    pub text: RwSignal<String>,
    /// Name and media type of a file body.
    pub file: RwSignal<Option<(String, String)>>,
    pub file_handle: StoredValue<Option<File>, LocalStorage>,
    is_file_body: Option<bool>,
    /// True once the user tried to send. Missing input is reported from then on.
    pub was_submitted: RwSignal<bool>,
    /// Body of the last request, and the diagnostics that the server reported for it.
    server_diagnostics: RwSignal<(String, Vec<Diagnostic>)>,
}

impl OperationForm {
    /// Fills required input with its examples and leaves the rest empty.
    pub fn new(operation: &Operation) -> Self {
        let value = |required: bool, example: &Option<String>| match example {
            Some(example) if required => example.clone(),
            _ => String::new(),
        };
        let values = operation
            .parameters
            .iter()
            .map(|parameter| RwSignal::new(value(parameter.is_required, &parameter.example)))
            .collect();
        let body = operation.body.as_ref();
        Self {
            values: StoredValue::new(values),
            text: RwSignal::new(body.and_then(|body| body.example.clone()).unwrap_or_default()),
            file: RwSignal::new(None),
            file_handle: StoredValue::new_local(None),
            is_file_body: body.map(|body| body.example.is_none()),
            was_submitted: RwSignal::new(false),
            server_diagnostics: RwSignal::new((String::new(), Vec::new())),
        }
    }

    pub fn input(self) -> OperationInput {
        let values = self.values.with_value(|values| values.iter().map(|value| value.get()).collect());
        let file = self.file.get();
        let body = match self.is_file_body {
            None => None,
            Some(true) => Some(Content::File(file.as_ref().map_or("FILE", |(name, _)| name).to_owned())),
            Some(false) => Some(Content::Text(self.text.get())),
        };
        OperationInput {
            values,
            body,
            media_type: file.map(|(_, media_type)| media_type).filter(|kind| !kind.is_empty()),
        }
    }

    /// Diagnostics that the server reported, as long as the input they are about is unchanged.
    pub fn current_server_diagnostics(self) -> Vec<Diagnostic> {
        let (sent_body, diagnostics) = self.server_diagnostics.get();
        let is_changed = self.text.with(|text| *text != sent_body);
        diagnostics
            .into_iter()
            .filter(|diagnostic| !is_changed || !matches!(diagnostic.place, Place::Pointer(_)))
            .collect()
    }
}

/// A trial request: confirmation, sending and cancelling.
#[derive(Clone, Copy)]
pub struct RequestSender {
    /// Response; `None` if the request was cancelled before.
    pub response: ApiResource<Option<Arc<TrialResponse>>>,
    pub confirmation: PendingConfirmation<Request>,
    pub submit: Callback<()>,
    pub send: Callback<Request>,
    pub abort: Callback<()>,
}

/// Sends the form input with the given credentials. Call in the body of a component.
pub fn use_request_sender(
    operation_form: OperationForm,
    stored_operation: StoredValue<Operation>,
    built_request: Signal<(Request, Vec<Diagnostic>)>,
    credentials: RequestCredentials,
) -> RequestSender {
    let api = use_api();
    let response = ApiResource::new();
    response.clear();
    let confirmation = PendingConfirmation::new();
    let abort_handle = StoredValue::new_local(None::<AbortHandle>);
    let is_confirmed = StoredValue::new(false);
    let send = Callback::new(move |request: Request| {
        confirmation.close();
        is_confirmed.set_value(true);
        let Some(abort) = AbortHandle::new() else { return };
        abort_handle.set_value(Some(abort.clone()));
        let file = operation_form.file_handle.get_value();
        let token = stored_operation.with_value(|operation| credentials.token(&operation.access));
        let sent_body = operation_form.text.get_untracked();
        let trial_request = api.send_trial(request, file, credentials.sender(), token, abort);
        response.load(async move {
            let result = trial_request.await;
            if let Ok(Some(response)) = &result {
                let diagnostics = response.problem().map(|problem| problem.errors).unwrap_or_default();
                // The page may have been closed.
                operation_form.server_diagnostics.try_set((sent_body, diagnostics));
            }
            result
        });
    });
    let submit = Callback::new(move |()| {
        if untrack(|| response.is_loading()) {
            return;
        }
        let (request, missing_input) = built_request.get_untracked();
        operation_form.was_submitted.set(true);
        if let Some(Diagnostic { place: Place::Parameter(name), .. }) = missing_input.first() {
            return focus_after_render(input_id(name));
        }
        // After the first confirmation, changes are sent without asking again, except deletions.
        let changes = stored_operation.with_value(Operation::changes_data);
        if changes && (request.method == "DELETE" || !is_confirmed.get_value()) {
            confirmation.request(request);
        } else {
            send.run(request);
        }
    });
    let abort = Callback::new(move |()| {
        if let Some(abort_handle) = abort_handle.get_value() {
            abort_handle.abort();
        }
    });
    on_cleanup(move || {
        if let Some(Some(abort_handle)) = abort_handle.try_get_value() {
            abort_handle.abort();
        }
    });
    RequestSender { response, confirmation, submit, send, abort }
}

/// Confirmation before a request that changes something.
pub fn confirmation_question(request: &Request) -> Question {
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
