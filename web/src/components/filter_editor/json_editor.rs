//! The JSON text: a plain textarea over a coloured copy of its text, which carries the marks under faults.

use leadscribe_engine::fault::Fault;
use leptos::html;
use leptos::prelude::*;

use super::highlight::{Piece, pieces};

/// The textarea's id, for those who move its cursor.
pub const TEXTAREA: &str = "filter-json";

/// Fewest and most lines shown at once.
const LINES: (usize, usize) = (7, 22);

#[component]
pub fn JsonEditor(text: RwSignal<String>, faults: Signal<Vec<Fault>>) -> impl IntoView {
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
                id=TEXTAREA
                class="json-text-area"
                data-test="filter-json"
                aria-label="Filter as JSON"
                aria-describedby="filter-faults"
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

fn show(piece: Piece) -> AnyView {
    let class = piece.token.class();
    if piece.faulty {
        view! { <mark class=class>{piece.text}</mark> }.into_any()
    } else {
        view! { <span class=class>{piece.text}</span> }.into_any()
    }
}
