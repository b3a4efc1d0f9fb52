//! JSON editor: a plain textarea over a highlighted copy of its text, which carries the fault marks; and a list of faults.

mod diagnostic_list;
mod highlight;

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;

use highlight::{Piece, pieces};

pub use diagnostic_list::DiagnosticList;
pub use highlight::floor;

/// Minimum and maximum number of visible lines.
const LINES: (usize, usize) = (7, 22);

/// The editor.
#[component]
pub fn JsonEditor(
    /// Id of the textarea, and its name in tests. A [`DiagnosticList`] with the same id describes it.
    id: &'static str,
    label: &'static str,
    text: RwSignal<String>,
    faults: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let copy = NodeRef::<html::Pre>::new();
    let area = NodeRef::<html::Textarea>::new();
    let follow = move |_| {
        if let (Some(copy), Some(area)) = (copy.get_untracked(), area.get_untracked()) {
            copy.set_scroll_top(area.scroll_top());
            copy.set_scroll_left(area.scroll_left());
        }
    };
    let coloured = move || {
        let pieces = text.with(|text| faults.with(|faults| pieces(text, faults)));
        pieces.into_iter().map(show).collect_view()
    };
    let lines = move || (text.with(|text| text.lines().count()) + 1).clamp(LINES.0, LINES.1).to_string();
    view! {
        <div class="json-editor" class:is-faulty=move || faults.with(|faults| !faults.is_empty())>
            <pre node_ref=copy class="json-copy" aria-hidden="true">
                {coloured}
                "\n"
            </pre>
            <textarea
                node_ref=area
                id=id
                class="json-text-area"
                data-test=id
                aria-label=label
                aria-describedby=format!("{id}-faults")
                aria-invalid=move || faults.with(|faults| !faults.is_empty()).to_string()
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                wrap="off"
                rows=lines
                prop:value=text
                on:input:target=move |event| text.set(event.target().value())
                on:scroll=follow
            ></textarea>
        </div>
    }
}

/// Highlighted JSON text, read-only.
#[component]
pub fn JsonText(#[prop(into)] text: Signal<String>, label: &'static str, test: &'static str) -> impl IntoView {
    let coloured = move || text.with(|text| pieces(text, &[])).into_iter().map(show).collect_view();
    view! {
        <pre class="json-shown" tabindex="0" role="region" aria-label=label data-test=test>
            {coloured}
        </pre>
    }
}

fn show(piece: Piece) -> AnyView {
    let class = piece.token.class();
    if piece.faulty {
        view! { <mark class=class>{piece.text}</mark> }.into_any()
    } else {
        view! { <span class=class>{piece.text}</span> }.into_any()
    }
}

/// The textarea of an editor.
pub fn textarea(id: &str) -> Option<HtmlTextAreaElement> {
    document().get_element_by_id(id).and_then(|area| area.dyn_into().ok())
}
