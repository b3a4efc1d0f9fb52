//! JSON editor: a plain textarea over a highlighted copy of its text, which carries the diagnostic marks; and a list of
//! diagnostics.

mod highlight;

use std::ops::Range;

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;

use crate::i18n::texts::filter;
use crate::ui::input::Button;
use crate::ui::prose::{detail, suggestion};
use crate::ui::{Glyph, Icon};
use highlight::{Segment, highlight_segments};

/// Minimum and maximum number of visible lines.
const VISIBLE_LINES: (usize, usize) = (7, 22);

#[component]
pub fn JsonEditor(
    /// Id and test id of the textarea. A [`DiagnosticList`] with the same id describes it.
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

#[component]
pub fn DiagnosticList(id: &'static str, text: RwSignal<String>, diagnostics: Signal<Vec<Diagnostic>>) -> impl IntoView {
    let items = move || {
        diagnostics.get().into_iter().map(|diagnostic| view! { <DiagnosticItem id text diagnostic /> }).collect_view()
    };
    view! {
        <ul id=format!("{id}-diagnostics") class="diagnostics" aria-label=filter::errors() aria-live="polite">
            {items}
        </ul>
    }
}

#[component]
fn DiagnosticItem(id: &'static str, text: RwSignal<String>, diagnostic: Diagnostic) -> impl IntoView {
    let byte_range = diagnostic.byte_range;
    let replacement = text.with_untracked(|text| replacement(text, &diagnostic));
    let line_and_column_text = text.with_untracked(|text| line_and_column(text, byte_range.start));
    let jump = move |_| text.with_untracked(|text| select(id, text, byte_range.start, byte_range.end));
    let name = diagnostic.suggestion.as_ref().and_then(|suggestion| suggestion.replacement.clone());
    let (detail, suggestion) = (detail(&diagnostic), suggestion(&diagnostic));
    view! {
        <li class="row diagnostic" data-test="diagnostic" data-code=diagnostic.code>
            <button type="button" class="diagnostic-link" on:click=jump>
                <Icon glyph=Glyph::Alert />
                <span>
                    <span class="strong">{detail}</span>
                    {suggestion.map(|suggestion| view! { <span class="secondary">{suggestion}</span> })}
                    <span class="muted nowrap">" " {line_and_column_text}</span>
                </span>
            </button>
            {replacement
                .zip(name)
                .map(|((range, new_text), name)| {
                    let apply = move |text: &mut String| {
                        if text.get(range.clone()).is_some() {
                            text.replace_range(range.clone(), &new_text);
                        }
                    };
                    view! {
                        <Button
                            class="button-small"
                            glyph=Glyph::Wand
                            label=filter::use_name(&name)
                            test_id="use-suggestion"
                            on_press=move |()| text.update(&apply)
                        />
                    }
                })}
        </li>
    }
}

/// Range of the text that the engine suggests to replace, and the new text.
fn replacement(text: &str, diagnostic: &Diagnostic) -> Option<(Range<usize>, String)> {
    let name = diagnostic.suggestion.as_ref()?.replacement.as_ref()?;
    let range =
        text.floor_char_boundary(diagnostic.byte_range.start)..text.floor_char_boundary(diagnostic.byte_range.end);
    let found = text.get(range.clone()).filter(|found| !found.is_empty())?;
    let is_quoted = found.len() >= 2 && found.starts_with('"') && found.ends_with('"');
    Some((range, if is_quoted { format!("\"{name}\"") } else { name.clone() }))
}

/// `line 2, column 5`, both counted from 1.
fn line_and_column(text: &str, at: usize) -> String {
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
    filter::line_and_column(line, column)
}

/// Selects a byte range of the text in the textarea. Browsers count UTF-16 units.
fn select(id: &str, text: &str, start: usize, end: usize) {
    let utf16_offset = |at: usize| text[..text.floor_char_boundary(at)].encode_utf16().count() as u32;
    if let Some(area) = textarea(id) {
        // Both fail only on elements that are not text inputs.
        let _ = area.focus();
        let _ = area.set_selection_range(utf16_offset(start), utf16_offset(end.max(start)));
    }
}

#[cfg(test)]
mod tests {
    use crate::ui::json_editor::*;

    #[test]
    fn columns_count_characters() {
        assert_eq!(line_and_column("{\n \"ü\": 1", 6), "line 2, column 4");
    }
}
