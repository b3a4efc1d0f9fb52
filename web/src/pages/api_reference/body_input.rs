//! Input for a request body: JSON with the diagnostics of the engine and the server, other text, or a file.

use leadscribe_engine::json;
use leptos::prelude::*;

use super::operation_form::OperationForm;
use crate::components::json_editor::{DiagnosticList, JsonEditor};
use crate::components::reference::paragraphs::paragraphs;
use crate::json_pointer::locate_diagnostics;
use crate::openapi::BodySpec;
use crate::texts::api_page as texts;

/// Id of the body editor.
const BODY_EDITOR_ID: &str = "try-body";

#[component]
pub fn BodyInput(body: BodySpec, operation_form: OperationForm) -> impl IntoView {
    let heading = view! {
        <p class="schema-name">
            <span class="strong">{texts::body()}</span>
            " "
            <span class="kind">{body.media_type.clone()}</span>
        </p>
    };
    let editor = if body.example.is_none() {
        let on_change = move |input: web_sys::HtmlInputElement| {
            let file = input.files().and_then(|files| files.get(0));
            operation_form.file.set(file.as_ref().map(|file| (file.name(), file.type_())));
            operation_form.file_handle.set_value(file);
        };
        view! {
            <input
                class="input body-file"
                type="file"
                aria-label=texts::body()
                data-test="try-file"
                on:change:target=move |event| on_change(event.target())
            />
        }
        .into_any()
    } else if body.media_type.contains("json") {
        let diagnostics = Signal::derive(move || {
            let text = operation_form.text.get();
            let mut diagnostics = if text.trim().is_empty() { Vec::new() } else { json::parse(&text).diagnostics };
            if diagnostics.is_empty() {
                diagnostics = locate_diagnostics(&text, &operation_form.current_server_diagnostics());
            }
            diagnostics
        });
        view! {
            <div>
                <JsonEditor id=BODY_EDITOR_ID label=texts::body_as_json() text=operation_form.text diagnostics />
                <DiagnosticList id=BODY_EDITOR_ID text=operation_form.text diagnostics />
            </div>
        }
        .into_any()
    } else {
        view! {
            <textarea
                class="textarea mono"
                rows="6"
                wrap="off"
                spellcheck="false"
                aria-label=texts::body()
                data-test=BODY_EDITOR_ID
                bind:value=operation_form.text
            ></textarea>
        }
        .into_any()
    };
    view! {
        <div class="stack-tight">
            {heading} {(!body.description.is_empty()).then(|| view! { <div class="secondary small">{paragraphs(&body.description)}</div> })}
            {editor}
        </div>
    }
    .into_any()
}
