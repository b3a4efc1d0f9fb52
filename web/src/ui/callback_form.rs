//! Form of a callback: the URL that transcripts are delivered to, and the body template with a preview.

use js_sys::JsString;
use leadscribe_engine::api::{Callback as Target, CallbackMethod};
use leadscribe_engine::callback::{Placeholder, Template, sample};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::i18n::texts::{common, transcripts as texts};
use crate::ui::dialog::use_mark_filled;
use crate::ui::input::{Field, FieldDiagnostics, SelectField};
use crate::ui::json_editor::{DiagnosticList, JsonEditor, JsonText, textarea};
use crate::ui::{SegmentedControl, UsableTokens, segment};

const TEMPLATE_ID: &str = "callback-template";

/// Form values as typed. A handle that is cheap to copy.
#[derive(Clone, Copy)]
pub struct CallbackDraft {
    pub token: RwSignal<String>,
    pub url: RwSignal<String>,
    pub method: RwSignal<CallbackMethod>,
    pub template: RwSignal<String>,
}

impl CallbackDraft {
    /// Creates a draft with the API's default template. `token` is a token id, or empty if no token is selected.
    pub fn new(token: String) -> Self {
        Self {
            token: RwSignal::new(token),
            url: RwSignal::new(String::new()),
            method: RwSignal::new(CallbackMethod::Post),
            template: RwSignal::new(pretty_json(Template::default().text())),
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

#[component]
pub fn CallbackForm(
    draft: CallbackDraft,
    tokens: UsableTokens,
    /// Result of checking the template with the engine.
    check_result: Memo<Result<Template, Vec<Diagnostic>>>,
    /// Diagnostics that the server reported for the URL.
    url_diagnostics: Signal<Vec<Diagnostic>>,
    /// Diagnostics that the server reported for the template.
    template_diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let CallbackDraft { token, url, method, template } = draft;
    let diagnostics = Signal::derive(move || {
        check_result.with(|check_result| check_result.as_ref().err().cloned().unwrap_or_default())
    });
    let method_segment = |item: &CallbackMethod| segment(*item, item.as_str(), format!("method-{}", item.as_str()));
    let methods: Vec<_> = CallbackMethod::ALL.iter().map(method_segment).collect();
    // While the template has diagnostics, the last valid preview stays.
    let body = Memo::new(move |previous: Option<&String>| {
        check_result.with(|check_result| match check_result {
            Ok(template) => format!("{:#}", template.fill(&sample())),
            Err(_) => previous.cloned().unwrap_or_default(),
        })
    });
    view! {
        <div class="callback-target">
            <SelectField
                id="callback-token"
                label=common::token()
                hint=texts::signature_hint()
                empty_label=common::choose()
                is_required=true
                choices=tokens.choices
                value=token
                set=move |id| token.set(id)
            />
            <Field id="callback-url" label=texts::deliver_to() diagnostics=url_diagnostics>
                <div class="input-group">
                    <SegmentedControl
                        label=texts::method()
                        segments=methods
                        selected=method
                        on_choose=Callback::new(move |item| method.set(item))
                    />
                    <input
                        id="callback-url"
                        class="input"
                        type="url"
                        inputmode="url"
                        placeholder="https://example.com/transcripts"
                        autocomplete="off"
                        aria-describedby="callback-url-note"
                        aria-invalid=move || (!url_diagnostics.with(Vec::is_empty)).to_string()
                        data-test="callback-url"
                        bind:value=url
                    />
                </div>
            </Field>
        </div>
        <div class="template">
            <section class="stack-tight" aria-labelledby="template-title">
                <h3 id="template-title" class="label">{texts::body_per_call()}</h3>
                <JsonEditor id=TEMPLATE_ID label=common::body_template() text=template diagnostics />
                <DiagnosticList id=TEMPLATE_ID text=template diagnostics />
                <FieldDiagnostics diagnostics=template_diagnostics />
                <PlaceholderButtons template />
            </section>
            <section class="stack-tight template-preview" aria-labelledby="preview-title">
                <h3 id="preview-title" class="label">{texts::sample_preview()}</h3>
                <div class="template-body" class:is-stale=move || check_result.with(Result::is_err)>
                    <JsonText text=body label=texts::preview() test_id="callback-preview" />
                </div>
            </section>
        </div>
    }
}

/// Buttons that insert a placeholder at the caret.
#[component]
fn PlaceholderButtons(template: RwSignal<String>) -> impl IntoView {
    let mark_filled = use_mark_filled();
    let insert = move |placeholder: Placeholder| {
        mark_filled();
        let Some(editor) = textarea(TEMPLATE_ID) else { return };
        let caret = editor.selection_start().ok().flatten().unwrap_or_default();
        let before = String::from(JsString::from(editor.value()).substring(0, caret));
        let name = placeholder.as_str();
        let inserted = if is_in_string(&before) { format!("{{{name}}}") } else { format!("\"{{{name}}}\"") };
        let end = caret + inserted.encode_utf16().count() as u32;
        // These fail only on elements that are not text inputs.
        let _ = editor.set_range_text_with_start_and_end(&inserted, caret, caret);
        template.set(editor.value());
        let _ = editor.focus();
        let _ = editor.set_selection_range(end, end);
    };
    let buttons = Placeholder::ALL.iter().filter(|placeholder| !placeholder.is_for_webhooks()).map(|placeholder| {
        view! {
            <button type="button" class="placeholder" data-test="placeholder" on:click=move |_| insert(*placeholder)>
                {placeholder.as_str()}
            </button>
        }
    });
    view! {
        <div class="placeholders" role="group" aria-labelledby="placeholders-title">
            <span id="placeholders-title" class="field-hint">{texts::insert_placeholder()}</span>
            {buttons.collect_view()}
        </div>
    }
}

/// True if this beginning of a JSON text ends inside a string.
fn is_in_string(before: &str) -> bool {
    let (mut is_inside, mut is_escaped) = (false, false);
    for byte in before.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_inside => is_escaped = true,
            b'"' => is_inside = !is_inside,
            _ => {}
        }
    }
    is_inside
}

/// Formats a template over several lines. Returns invalid JSON unchanged.
pub fn pretty_json(template: &str) -> String {
    serde_json::from_str::<serde_json::Value>(template).map_or_else(|_| template.to_owned(), |body| format!("{body:#}"))
}

/// Method, host and path of a callback. The query may contain a secret, so it is hidden.
#[component]
pub fn CallbackTarget(callback: Target) -> impl IntoView {
    let (host, path) = split_url(&callback.callback_url);
    view! {
        <span class="target">
            <span class="chip mono">{callback.callback_method.as_str()}</span>
            <span class="target-url">
                <span class="strong">{host}</span>
                <span class="muted">{path}</span>
            </span>
        </span>
    }
}

/// Splits a URL into the host with its port, and the path. `?…` replaces a query.
pub fn split_url(url: &str) -> (String, String) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (base, query) = rest.split_once('?').map_or((rest, ""), |(base, _)| (base, "?…"));
    let path_start = base.find('/').unwrap_or(base.len());
    let path = base[path_start..].trim_end_matches('/');
    (base[..path_start].to_owned(), format!("{path}{query}"))
}

#[cfg(test)]
mod tests {
    use crate::ui::callback_form::*;

    #[test]
    fn detects_positions_inside_strings() {
        assert!(is_in_string(r#"{"a": "b \" "#));
        assert!(!is_in_string(r#"{"a": "b \" c", "d": "#));
        assert!(!is_in_string(""));
    }

    #[test]
    fn hides_the_query_of_a_url() {
        let split = |url| split_url(url);
        assert_eq!(split("https://example.com/hook?key=secret"), ("example.com".into(), "/hook?…".into()));
        assert_eq!(split("https://example.com:8443/"), ("example.com:8443".into(), String::new()));
        assert_eq!(split("https://example.com?a=/b"), ("example.com".into(), "?…".into()));
    }
}
