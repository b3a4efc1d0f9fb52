//! Responses of an operation: each status with its meaning, its schema and its problem codes.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;

use super::schema_view::SchemaView;
use crate::components::json_editor::JsonText;
use crate::components::prose::with_code;
use crate::openapi::{Document, ResponseSpec};
use crate::texts::api_page as texts;

#[component]
pub fn ResponseList(document: Arc<Document>, responses: Vec<ResponseSpec>) -> impl IntoView {
    let rows = responses.into_iter().enumerate().map(|(index, response)| {
        let tone = if response.is_error() { "tone-warning" } else { "tone-success" };
        let open = RwSignal::new(index == 0);
        let document = document.clone();
        let (status, description) = (response.status.clone(), with_code(&response.description));
        let content = move || open.get().then(|| content(document.clone(), response.clone()));
        view! {
            <details
                class="operation-end"
                open=index == 0
                data-test="answer"
                data-status=status.clone()
                on:toggle:target=move |event| open.set(event.target().open())
            >
                <summary>
                    <span class=format!("chip {tone}")>{status.clone()}</span>
                    <span>{description}</span>
                </summary>
                {content}
            </details>
        }
    });
    view! { <div>{rows.collect_view()}</div> }.into_any()
}

fn content(document: Arc<Document>, response: ResponseSpec) -> AnyView {
    let codes = (!response.codes.is_empty()).then(|| {
        let codes = response.codes.into_iter().map(|code| view! { <code class="chip">{code}</code> });
        view! {
            <p class="small muted">{texts::codes()}</p>
            <div class="chips" data-test="codes">{codes.collect_view()}</div>
        }
    });
    let headers = response.headers.into_iter().map(|(name, description)| {
        view! {
            <p class="small">
                <code class="strong">{name}</code>
                " "
                <span class="secondary">{with_code(&description)}</span>
            </p>
        }
    });
    let has_no_body = response.contents.is_empty();
    let formats = response.contents.into_iter().map(|(media_type, schema, example)| {
        view! { <ResponseFormat document=document.clone() media_type schema example /> }
    });
    view! {
        <div class="answer-body stack-tight">
            {headers.collect_view()} {codes} {formats.collect_view()}
            {has_no_body.then(|| view! { <p class="small muted">{texts::without_body()}</p> })}
        </div>
    }
    .into_any()
}

#[component]
fn ResponseFormat(document: Arc<Document>, media_type: String, schema: Value, example: Option<Value>) -> impl IntoView {
    let example = example.map(|example| {
        let text = Signal::stored(example.as_str().map_or_else(|| format!("{example:#}"), str::to_owned));
        view! { <JsonText text label=texts::example() test_id="answer-example" /> }
    });
    view! {
        <p class="small mono muted">{media_type}</p>
        <SchemaView document schema is_response=true />
        {example}
    }
    .into_any()
}
