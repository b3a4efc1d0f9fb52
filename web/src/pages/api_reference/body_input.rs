//! Input for a request body: JSON with the faults of the engine and the server, other text, or a file.

use leadscribe_engine::json;
use leptos::prelude::*;

use super::trial::Trial;
use crate::components::json_editor::{DiagnosticList, JsonEditor};
use crate::components::reference::paragraphs::paragraphs;
use crate::json_place::placed;
use crate::openapi::BodyForm;
use crate::texts::api_page as texts;

/// Id of the body editor.
const BODY: &str = "try-body";

#[component]
pub fn BodyInput(body: BodyForm, trial: Trial) -> impl IntoView {
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
            trial.file.set(file.as_ref().map(|file| (file.name(), file.type_())));
            trial.handle.set_value(file);
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
        let faults = Signal::derive(move || {
            let text = trial.text.get();
            let mut faults = if text.trim().is_empty() { Vec::new() } else { json::read(&text).faults };
            if faults.is_empty() {
                faults = placed(&text, &trial.refused());
            }
            faults
        });
        view! {
            <div>
                <JsonEditor id=BODY label=texts::body_as_json() text=trial.text faults />
                <DiagnosticList id=BODY text=trial.text faults />
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
                data-test=BODY
                bind:value=trial.text
            ></textarea>
        }
        .into_any()
    };
    view! {
        <div class="stack-tight">
            {heading} {(!body.about.is_empty()).then(|| view! { <div class="secondary small">{paragraphs(&body.about)}</div> })}
            {editor}
        </div>
    }
    .into_any()
}
