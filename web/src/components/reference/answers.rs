//! Responses of an operation: each status with its meaning, its schema and its problem codes.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;

use super::schema_view::SchemaView;
use crate::components::json_editor::JsonText;
use crate::components::prose::with_code;
use crate::openapi::{Answer, Document};
use crate::texts::api_page as texts;

#[component]
pub fn Answers(document: Arc<Document>, answers: Vec<Answer>) -> impl IntoView {
    let rows = answers.into_iter().enumerate().map(|(place, answer)| {
        let tone = if answer.is_refusal() { "tone-warning" } else { "tone-success" };
        let open = RwSignal::new(place == 0);
        let document = document.clone();
        let (status, about) = (answer.status.clone(), with_code(&answer.about));
        let content = move || open.get().then(|| content(document.clone(), answer.clone()));
        view! {
            <details
                class="operation-end"
                open=place == 0
                data-test="answer"
                data-status=status.clone()
                on:toggle:target=move |event| open.set(event.target().open())
            >
                <summary>
                    <span class=format!("chip {tone}")>{status.clone()}</span>
                    <span>{about}</span>
                </summary>
                {content}
            </details>
        }
    });
    view! { <div>{rows.collect_view()}</div> }.into_any()
}

fn content(document: Arc<Document>, answer: Answer) -> AnyView {
    let codes = (!answer.codes.is_empty()).then(|| {
        let codes = answer.codes.into_iter().map(|code| view! { <code class="chip">{code}</code> });
        view! {
            <p class="small muted">{texts::codes()}</p>
            <div class="chips" data-test="codes">{codes.collect_view()}</div>
        }
    });
    let headers = answer.headers.into_iter().map(|(name, about)| {
        view! {
            <p class="small">
                <code class="strong">{name}</code>
                " "
                <span class="secondary">{with_code(&about)}</span>
            </p>
        }
    });
    let is_bare = answer.forms.is_empty();
    let forms = answer.forms.into_iter().map(|(media_type, schema, example)| {
        view! { <Form document=document.clone() media_type schema example /> }
    });
    view! {
        <div class="answer-body stack-tight">
            {headers.collect_view()} {codes} {forms.collect_view()}
            {is_bare.then(|| view! { <p class="small muted">{texts::without_body()}</p> })}
        </div>
    }
    .into_any()
}

#[component]
fn Form(document: Arc<Document>, media_type: String, schema: Value, example: Option<Value>) -> impl IntoView {
    let example = example.map(|example| {
        let text = Signal::stored(example.as_str().map_or_else(|| format!("{example:#}"), str::to_owned));
        view! { <JsonText text label=texts::example() test="answer-example" /> }
    });
    view! {
        <p class="small mono muted">{media_type}</p>
        <SchemaView document schema answered=true />
        {example}
    }
    .into_any()
}
