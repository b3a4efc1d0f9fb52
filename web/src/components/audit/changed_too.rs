//! What others made of fields that somebody wants to save.

use leptos::html;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::texts::{common, forms as texts};

/// What the button says that saves: as long as others' changes are told, that it puts others in their place.
pub fn save_label(lines: Signal<Vec<String>>) -> &'static str {
    if lines.with(Vec::is_empty) { common::save() } else { texts::save_anyway() }
}

/// The notice, as long as there is anything to be told.
#[component]
pub fn ChangedToo(
    /// A line for each field.
    lines: Signal<Vec<String>>,
) -> impl IntoView {
    // Whoever saves may be far from it, and doesn't save again without having seen it: Enter in a field would.
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let Some(node) = node.get() {
            node.scroll_into_view();
            // It can be focused.
            _ = node.focus();
        }
    });
    let notice = move || {
        let lines = lines.get().into_iter().map(|line| view! { <li>{line}</li> });
        view! {
            <div class="notice tone-warning" role="alert" tabindex="-1" data-test="changed-too" node_ref=node>
                <Icon glyph=Glyph::Alert />
                <div class="notice-body">
                    <strong>{texts::changed_too()}</strong>
                    <ul>{lines.collect_view()}</ul>
                    <p>{texts::save_again()}</p>
                </div>
            </div>
        }
    };
    (move || (!lines.with(Vec::is_empty)).then(notice)).into_any()
}
