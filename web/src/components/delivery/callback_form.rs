//! Form of a callback: the URL that transcripts are delivered to, and the body template with a preview.

use leadscribe_engine::api::{Callback as Target, CallbackMethod, SpeechToken};
use leadscribe_engine::callback::{Placeholder, Template, sample};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::components::dialog::filling;
use crate::components::input::field::{Field, FieldFaults};
use crate::components::json_editor::{DiagnosticList, JsonEditor, JsonText, floor, textarea};
use crate::components::segments::{Segments, segment};
use crate::texts::transcripts as texts;

/// Id of the template editor.
const TEMPLATE: &str = "callback-template";

/// Form values as typed. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct CallbackDraft {
    pub token: RwSignal<String>,
    pub url: RwSignal<String>,
    pub method: RwSignal<CallbackMethod>,
    pub template: RwSignal<String>,
}

impl CallbackDraft {
    /// Creates a draft for a token, which may be empty. Uses the API's default template.
    pub fn new(token: String) -> Self {
        Self {
            token: RwSignal::new(token),
            url: RwSignal::new(String::new()),
            method: RwSignal::new(CallbackMethod::Post),
            template: RwSignal::new(pretty(Template::default().text())),
        }
    }

    /// The draft as the API expects it.
    pub fn callback(self) -> Target {
        Target {
            callback_url: self.url.get_untracked().trim().to_owned(),
            callback_method: self.method.get_untracked(),
            callback_data: Some(self.template.get_untracked()),
        }
    }
}

/// The form.
#[component]
pub fn CallbackForm(
    draft: CallbackDraft,
    tokens: Signal<Vec<SpeechToken>>,
    /// Result of checking the template with the engine.
    verdict: Memo<Result<Template, Vec<Diagnostic>>>,
    /// Faults that the server reported for the URL and the template.
    url_faults: Signal<Vec<Diagnostic>>,
    template_faults: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let CallbackDraft { token, url, method, template } = draft;
    let faults = Signal::derive(move || verdict.with(|verdict| verdict.as_ref().err().cloned().unwrap_or_default()));
    let options = move || {
        let options = tokens.get().into_iter().map(|one| {
            let id = one.id.to_string();
            let is_selected = {
                let id = id.clone();
                move || token.with(|token| *token == id)
            };
            view! { <option value=id selected=is_selected>{one.name}</option> }
        });
        options.collect_view()
    };
    let method_segment = |one: &CallbackMethod| segment(*one, one.as_str(), format!("method-{}", one.as_str()));
    let methods: Vec<_> = CallbackMethod::ALL.iter().map(method_segment).collect();
    // While the template has faults, the last valid preview stays.
    let body = Memo::new(move |before: Option<&String>| {
        verdict.with(|verdict| match verdict {
            Ok(template) => format!("{:#}", template.fill(&sample())),
            Err(_) => before.cloned().unwrap_or_default(),
        })
    });
    view! {
        <div class="callback-where">
            <Field id="callback-token" label=texts::token() hint=texts::token_signs()>
                <select
                    id="callback-token"
                    class="select"
                    aria-describedby="callback-token-note"
                    data-test="callback-token"
                    on:change:target=move |event| token.set(event.target().value())
                >
                    <option value="" selected=move || token.with(String::is_empty) hidden>
                        {texts::choose()}
                    </option>
                    {options}
                </select>
            </Field>
            <Field id="callback-url" label=texts::deliver_to() faults=url_faults>
                <div class="input-group">
                    <Segments
                        label=texts::method()
                        segments=methods
                        chosen=method
                        on_choose=Callback::new(move |one| method.set(one))
                    />
                    <input
                        id="callback-url"
                        class="input"
                        type="url"
                        inputmode="url"
                        placeholder="https://example.com/transcripts"
                        autocomplete="off"
                        aria-describedby="callback-url-note"
                        aria-invalid=move || (!url_faults.with(Vec::is_empty)).to_string()
                        data-test="callback-url"
                        bind:value=url
                    />
                </div>
            </Field>
        </div>
        <div class="template">
            <section class="stack-tight" aria-labelledby="template-title">
                <h3 id="template-title" class="label">{texts::body_per_call()}</h3>
                <JsonEditor id=TEMPLATE label=texts::template() text=template faults />
                <DiagnosticList id=TEMPLATE text=template faults />
                <FieldFaults faults=template_faults />
                <Placeholders template />
            </section>
            <section class="stack-tight template-preview" aria-labelledby="preview-title">
                <h3 id="preview-title" class="label">{texts::made_up_call()}</h3>
                <div class="template-body" class:is-stale=move || verdict.with(Result::is_err)>
                    <JsonText text=body label=texts::preview() test="callback-preview" />
                </div>
            </section>
        </div>
    }
    .into_any()
}

/// Placeholder buttons. Pressing one inserts it at the cursor.
#[component]
fn Placeholders(template: RwSignal<String>) -> impl IntoView {
    let fill = filling();
    let insert = move |placeholder: Placeholder| {
        fill();
        let area = textarea(TEMPLATE);
        let cursor = area.as_ref().and_then(|area| area.selection_start().ok().flatten());
        let mut after = 0;
        template.update(|text| {
            let at = cursor.map_or(text.len(), |cursor| byte(text, cursor));
            let name = placeholder.as_str();
            let piece = if is_in_string(text, at) { format!("{{{name}}}") } else { format!("\"{{{name}}}\"") };
            text.insert_str(at, &piece);
            after = text[..at + piece.len()].encode_utf16().count() as u32;
        });
        // Runs after the new text is rendered.
        request_animation_frame(move || {
            if let Some(area) = area {
                // Both fail only on elements that are not text inputs.
                let _ = area.focus();
                let _ = area.set_selection_range(after, after);
            }
        });
    };
    let chips = Placeholder::ALL.iter().map(|one| {
        view! {
            <button type="button" class="placeholder" data-test="placeholder" on:click=move |_| insert(*one)>
                {one.as_str()}
            </button>
        }
    });
    view! {
        <div class="placeholders" role="group" aria-labelledby="placeholders-title">
            <span id="placeholders-title" class="field-hint">{texts::put_in()}</span>
            {chips.collect_view()}
        </div>
    }
}

/// Converts an offset in UTF-16 units, as browsers count, to a byte offset.
fn byte(text: &str, utf16: u32) -> usize {
    let mut left = utf16 as usize;
    for (at, c) in text.char_indices() {
        if left < c.len_utf16() {
            return at;
        }
        left -= c.len_utf16();
    }
    text.len()
}

/// True if the offset in the JSON text is inside a string.
fn is_in_string(text: &str, at: usize) -> bool {
    let (mut inside, mut escaped) = (false, false);
    for byte in text[..floor(text, at)].bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' => inside = !inside,
            _ => {}
        }
    }
    inside
}

/// Formats a template over several lines. Returns invalid JSON unchanged.
pub fn pretty(template: &str) -> String {
    serde_json::from_str::<serde_json::Value>(template).map_or_else(|_| template.to_owned(), |body| format!("{body:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_template_is_pretty_and_valid() {
        let expected = "{\n  \"call_id\": \"{call_id}\",\n  \"speech_result\": \"{speech_result}\"\n}";
        assert_eq!(pretty(Template::default().text()), expected);
        assert!(Template::check(expected).is_ok());
    }

    #[test]
    fn detects_positions_inside_strings() {
        let text = r#"{"a": "b \" c", "d": }"#;
        let at = |part: &str| text.find(part).unwrap() + part.len();
        assert!(is_in_string(text, at(r#"b \" "#)));
        assert!(!is_in_string(text, at(r#""d": "#)));
        assert!(!is_in_string(text, 0));
    }

    #[test]
    fn converts_utf16_offsets_to_bytes() {
        assert_eq!(["a𝄞ü", "a"].map(|text| (byte(text, 1), byte(text, 3), byte(text, 9))), [(1, 5, 7), (1, 1, 1)]);
    }
}
