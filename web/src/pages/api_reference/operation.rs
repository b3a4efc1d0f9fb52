//! Page of one operation: description, form to try it, response, request as code, and all possible responses.

use std::sync::Arc;

use leadscribe_engine::diagnostic::Place;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::body_input::BodyInput;
use super::trial::{Trial, question, use_sending};
use crate::api::Reply;
use crate::components::copy_button::CopyButton;
use crate::components::dialog::confirm::ConfirmDialog;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::reference::access::AccessMarks;
use crate::components::reference::answers::Answers;
use crate::components::reference::list::Method;
use crate::components::reference::paragraphs::paragraphs;
use crate::components::reference::parameters::Parameters;
use crate::components::reference::proof::{Proof, ProofChoice};
use crate::components::reference::reply::ReplyView;
use crate::components::reference::schema_view::SchemaView;
use crate::components::request_code::RequestCode;
use crate::dom::bring_into_sight;
use crate::openapi::{Document, Operation, fill};
use crate::session::use_session;
use crate::texts::api_page as texts;

#[component]
pub fn OperationSheet(document: Arc<Document>, operation: Operation, proof: Proof) -> impl IntoView {
    let trial = Trial::new(&operation);
    let spec = StoredValue::new(operation.clone());
    let filled = Signal::derive(move || spec.with_value(|operation| fill(operation, &trial.filled())));
    let request = Signal::derive(move || filled.get().0);
    let attempt = use_sending(trial, spec, filled, proof);
    let doubt = attempt.doubt;

    let Operation { entry, about, parameters, body, answers, access } = operation;
    let (roles, hint) =
        (access.roles.clone(), if access.key { texts::role_may_not_key_can() } else { texts::role_may_not() });
    let session = use_session();
    let refused = move || {
        let role = session.user().map(|user| user.role.as_str().to_owned()).unwrap_or_default();
        let is_refused = proof.is_session() && !roles.is_empty() && !roles.contains(&role);
        is_refused.then(|| {
            view! {
                <p class="small secondary" data-test="not-permitted">
                    {hint}
                </p>
            }
        })
    };
    let faults = Signal::derive(move || {
        let mut faults = if trial.is_asked.get() { filled.get().1 } else { Vec::new() };
        faults.extend(trial.refused().into_iter().filter(|fault| matches!(fault.place, Place::Parameter(_))));
        faults
    });
    let form = (!parameters.is_empty()).then(|| {
        view! { <Parameters document=document.clone() parameters values=trial.values.get_value() faults /> }
    });
    let body_schema = body.clone().filter(|body| body.example.is_some()).map(|body| {
        let document = document.clone();
        view! {
            <section class="card" aria-label=texts::body()>
                <div class="card-head">
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
    let told = move || {
        let reply = attempt.reply.get().flatten();
        reply.map(|reply| texts::answered(reply.status, reply.status_text.clone()))
    };
    let answer_at = NodeRef::<html::Div>::new();
    Effect::new(move |before: Option<bool>| {
        let is_loading = attempt.reply.is_loading();
        // Scrolls to the response if it is outside the viewport.
        if before == Some(true) && !is_loading {
            request_animation_frame(move || {
                _ = answer_at.try_get_untracked().flatten().inspect(|node| bring_into_sight(node))
            });
        }
        is_loading
    });
    let on_key = move |event: web_sys::KeyboardEvent| {
        let is_whole = event.ctrl_key() || event.meta_key() || is_in_parameter(&event);
        if event.key() == "Enter" && is_whole {
            event.prevent_default();
            attempt.ask.run(());
        }
    };
    let code_note = (!access.key && !access.token && !access.open)
        .then(|| view! { <p class="small muted">{texts::no_key_can()}</p> });
    view! {
        <article class="operation" data-test="operation-sheet" data-id=entry.id.clone() on:keydown=on_key>
            <header class="operation-head stack-tight">
                <h2 data-test="operation-title">{entry.summary.clone()}</h2>
                <p class="operation-path">
                    <Method name=entry.method.clone() />
                    <code data-test="operation-path">{entry.path.clone()}</code>
                    <CopyButton text=Signal::stored(entry.path.clone()) label=texts::copy_path() />
                </p>
                <AccessMarks access=access.clone() />
                <div class="reference-prose secondary">{paragraphs(&about)}</div>
            </header>
            <div class="operation-ask stack">
                <section class="card" aria-label=texts::try_it()>
                    <div class="card-head">
                        <h2>{texts::try_it()}</h2>
                    </div>
                    <div class="card-body stack">
                        {form}
                        {body.map(|body| view! { <BodyInput body trial /> })}
                        <ProofChoice proof access />
                        {refused}
                        <div class="row">
                            <button
                                type="button"
                                class="button button-primary"
                                title="Ctrl + Enter"
                                data-test="send"
                                aria-disabled=move || attempt.reply.is_loading().then_some("true")
                                on:click=move |_| attempt.ask.run(())
                            >
                                <Icon glyph=Glyph::Send />
                                {texts::send()}
                            </button>
                            <span class="visually-hidden" role="status">
                                {told}
                            </span>
                            <Show when=move || attempt.reply.is_loading()>
                                <button type="button" class="button" data-test="stop" on:click=move |_| attempt.stop.run(())>
                                    {texts::stop()}
                                </button>
                            </Show>
                        </div>
                    </div>
                </section>
                <div class="operation-answer stack" node_ref=answer_at>
                    {move || attempt.reply.error().map(|error| view! { <ErrorNotice error /> })}
                    {move || attempt.reply.error().is_none().then(|| attempt.reply.get().map(answer))}
                </div>
                <RequestCode request title=texts::as_code() />
                {code_note}
            </div>
            <div class="operation-facts stack">
                {body_schema}
                <section class="card" aria-label=texts::answers()>
                    <div class="card-head">
                        <h2>{texts::answers()}</h2>
                    </div>
                    <Answers document answers />
                </section>
            </div>
        </article>
        <ConfirmDialog doubt question=question on_confirm=attempt.send />
    }
    .into_any()
}

/// True if the key was pressed in a single-line parameter.
fn is_in_parameter(event: &web_sys::KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.is_some_and(|target| target.matches(".parameter input") == Ok(true))
}

fn answer(reply: Option<Arc<Reply>>) -> AnyView {
    match reply {
        Some(reply) => {
            view! { <section class="card" aria-label=texts::answer() data-test="reply"><ReplyView reply /></section> }
                .into_any()
        }
        None => view! { <p class="muted" data-test="stopped">{texts::stopped_before()}</p> }.into_any(),
    }
}
