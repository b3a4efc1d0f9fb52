//! Page of one operation: description, form to try it, response, request as code, and all possible responses.

use std::sync::Arc;

use leadscribe_engine::diagnostic::Place;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::body_input::BodyInput;
use super::operation_form::{OperationForm, confirmation_question, use_request_sender};
use crate::api::TrialResponse;
use crate::components::copy_button::CopyButton;
use crate::components::dialog::confirm::ConfirmDialog;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::reference::access::AccessBadges;
use crate::components::reference::list::Method;
use crate::components::reference::paragraphs::paragraphs;
use crate::components::reference::parameters::Parameters;
use crate::components::reference::request_credentials::{CredentialsPicker, RequestCredentials};
use crate::components::reference::response_view::ResponseView;
use crate::components::reference::responses::ResponseList;
use crate::components::reference::schema_view::SchemaView;
use crate::components::request_code::RequestCode;
use crate::dom::scroll_into_view;
use crate::openapi::{Document, Operation, build_request};
use crate::session::use_session;
use crate::texts::api_page as texts;

#[component]
pub fn OperationView(document: Arc<Document>, operation: Operation, credentials: RequestCredentials) -> impl IntoView {
    let operation_form = OperationForm::new(&operation);
    let stored_operation = StoredValue::new(operation.clone());
    let built_request = Signal::derive(move || {
        stored_operation.with_value(|operation| build_request(operation, &operation_form.input()))
    });
    let request = Signal::derive(move || built_request.get().0);
    let sender = use_request_sender(operation_form, stored_operation, built_request, credentials);
    let confirmation = sender.confirmation;

    let Operation { summary, description, parameters, body, responses, access } = operation;
    let (roles, hint) = (
        access.roles.clone(),
        if access.accepts_key { texts::role_not_permitted_key_permitted() } else { texts::role_not_permitted() },
    );
    let session = use_session();
    let role_notice = move || {
        let role = session.user().map(|user| user.role.as_str().to_owned()).unwrap_or_default();
        let is_not_permitted = credentials.is_session() && !roles.is_empty() && !roles.contains(&role);
        is_not_permitted.then(|| {
            view! {
                <p class="small secondary" data-test="not-permitted">
                    {hint}
                </p>
            }
        })
    };
    let diagnostics = Signal::derive(move || {
        let mut diagnostics = if operation_form.was_submitted.get() { built_request.get().1 } else { Vec::new() };
        diagnostics.extend(
            operation_form
                .current_server_diagnostics()
                .into_iter()
                .filter(|diagnostic| matches!(diagnostic.place, Place::Parameter(_))),
        );
        diagnostics
    });
    let parameter_form = (!parameters.is_empty()).then(|| {
        view! { <Parameters document=document.clone() parameters values=operation_form.values.get_value() diagnostics /> }
    });
    let body_schema = body.clone().filter(|body| body.example.is_some()).map(|body| {
        let document = document.clone();
        view! {
            <section class="card" aria-label=texts::body()>
                <div class="card-header">
                    <h2>{texts::body()}</h2>
                    <span class="small mono muted">{body.media_type}</span>
                </div>
                <div class="card-body">
                    <SchemaView document schema=body.schema />
                </div>
            </section>
        }
    });
    // A screen reader announces the status only, not the whole body.
    let status_text = move || {
        let trial_response = sender.response.get().flatten();
        trial_response
            .map(|trial_response| texts::response_status(trial_response.status, trial_response.status_text.clone()))
    };
    let response_node = NodeRef::<html::Div>::new();
    Effect::new(move |was_loading: Option<bool>| {
        let is_loading = sender.response.is_loading();
        // Scrolls to the response if it is outside the viewport.
        if was_loading == Some(true) && !is_loading {
            request_animation_frame(move || {
                _ = response_node.try_get_untracked().flatten().inspect(|node| scroll_into_view(node))
            });
        }
        is_loading
    });
    let on_key = move |event: web_sys::KeyboardEvent| {
        let should_send = event.ctrl_key() || event.meta_key() || is_in_parameter(&event);
        if event.key() == "Enter" && should_send {
            event.prevent_default();
            sender.submit.run(());
        }
    };
    let code_note = (!access.accepts_key && !access.accepts_speech_token && !access.is_open)
        .then(|| view! { <p class="small muted">{texts::requires_session()}</p> });
    view! {
        <article class="operation" data-test="operation-sheet" data-id=summary.id.clone() on:keydown=on_key>
            <header class="operation-head stack-tight">
                <h2 data-test="operation-title">{summary.summary.clone()}</h2>
                <p class="operation-path">
                    <Method name=summary.method.clone() />
                    <code data-test="operation-path">{summary.path.clone()}</code>
                    <CopyButton text=Signal::stored(summary.path.clone()) label=texts::copy_path() />
                </p>
                <AccessBadges access=access.clone() />
                <div class="reference-prose secondary">{paragraphs(&description)}</div>
            </header>
            <div class="operation-ask stack">
                <section class="card" aria-label=texts::try_it()>
                    <div class="card-header">
                        <h2>{texts::try_it()}</h2>
                    </div>
                    <div class="card-body stack">
                        {parameter_form}
                        {body.map(|body| view! { <BodyInput body operation_form /> })}
                        <CredentialsPicker credentials access />
                        {role_notice}
                        <div class="row">
                            <button
                                type="button"
                                class="button button-primary"
                                title="Ctrl + Enter"
                                data-test="send"
                                aria-disabled=move || sender.response.is_loading().then_some("true")
                                on:click=move |_| sender.submit.run(())
                            >
                                <Icon glyph=Glyph::Send />
                                {texts::send()}
                            </button>
                            <span class="visually-hidden" role="status">
                                {status_text}
                            </span>
                            <Show when=move || sender.response.is_loading()>
                                <button type="button" class="button" data-test="stop" on:click=move |_| sender.abort.run(())>
                                    {texts::stop()}
                                </button>
                            </Show>
                        </div>
                    </div>
                </section>
                <div class="operation-answer stack" node_ref=response_node>
                    {move || sender.response.error().map(|error| view! { <ErrorNotice error /> })}
                    {move || sender.response.error().is_none().then(|| sender.response.get().map(response_view))}
                </div>
                <RequestCode request title=texts::as_code() />
                {code_note}
            </div>
            <div class="operation-facts stack">
                {body_schema}
                <section class="card" aria-label=texts::answers()>
                    <div class="card-header">
                        <h2>{texts::answers()}</h2>
                    </div>
                    <ResponseList document responses />
                </section>
            </div>
        </article>
        <ConfirmDialog confirmation question=confirmation_question on_confirm=sender.send />
    }
    .into_any()
}

/// True if the key was pressed in a single-line parameter.
fn is_in_parameter(event: &web_sys::KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.is_some_and(|target| target.matches(".parameter input") == Ok(true))
}

fn response_view(response: Option<Arc<TrialResponse>>) -> AnyView {
    match response {
        Some(response) => {
            view! { <section class="card" aria-label=texts::answer() data-test="reply"><ResponseView response /></section> }
                .into_any()
        }
        None => view! { <p class="muted" data-test="stopped">{texts::stopped_before_response()}</p> }.into_any(),
    }
}
