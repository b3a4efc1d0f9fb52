//! JSON editor: a plain textarea over a highlighted copy of its text, which carries the diagnostic marks; and a list of diagnostics.

mod diagnostic_list;
mod highlight;

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;

use highlight::{Segment, highlight_segments};

pub use diagnostic_list::DiagnosticList;

/// Minimum and maximum number of visible lines.
const VISIBLE_LINES: (usize, usize) = (7, 22);

#[component]
pub fn JsonEditor(
    /// Id of the textarea, and its name in tests. A [`DiagnosticList`] with the same id describes it.
    id: &'static str,
    label: &'static str,
    text: RwSignal<String>,
    diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let highlighted = NodeRef::<html::Pre>::new();
    let editor = NodeRef::<html::Textarea>::new();
    let sync_scroll = move |_| {
        if let (Some(highlighted), Some(editor)) = (highlighted.get_untracked(), editor.get_untracked()) {
            highlighted.set_scroll_top(editor.scroll_top());
            highlighted.set_scroll_left(editor.scroll_left());
        }
    };
    let segment_views = move || {
        let segments = text.with(|text| diagnostics.with(|diagnostics| highlight_segments(text, diagnostics)));
        segments.into_iter().map(segment_view).collect_view()
    };
    let lines =
        move || (text.with(|text| text.lines().count()) + 1).clamp(VISIBLE_LINES.0, VISIBLE_LINES.1).to_string();
    view! {
        <div class="json-editor" class:is-invalid=move || diagnostics.with(|diagnostics| !diagnostics.is_empty())>
            <pre node_ref=highlighted class="json-copy" aria-hidden="true">
                {segment_views}
                "\n"
            </pre>
            <textarea
                node_ref=editor
                id=id
                class="json-text-area"
                data-test=id
                aria-label=label
                aria-describedby=format!("{id}-diagnostics")
                aria-invalid=move || diagnostics.with(|diagnostics| !diagnostics.is_empty()).to_string()
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                wrap="off"
                rows=lines
                bind:value=text
                on:scroll=sync_scroll
            ></textarea>
        </div>
    }
}

/// Highlighted JSON text, read-only.
#[component]
pub fn JsonText(#[prop(into)] text: Signal<String>, label: &'static str, test_id: &'static str) -> impl IntoView {
    let segment_views =
        move || text.with(|text| highlight_segments(text, &[])).into_iter().map(segment_view).collect_view();
    view! {
        <pre class="json-text-view" tabindex="0" role="region" aria-label=label data-test=test_id>
            {segment_views}
        </pre>
    }
}

fn segment_view(segment: Segment) -> AnyView {
    let class = segment.token.class();
    if segment.is_faulty {
        view! { <mark class=class>{segment.text}</mark> }.into_any()
    } else {
        view! { <span class=class>{segment.text}</span> }.into_any()
    }
}

pub fn textarea(id: &str) -> Option<HtmlTextAreaElement> {
    document().get_element_by_id(id).and_then(|area| area.dyn_into().ok())
}
