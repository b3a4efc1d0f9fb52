//! Notice of conflicting edits: changes by other sessions to fields that the user wants to save.

use leptos::html;
use leptos::prelude::*;

use crate::i18n::texts::{common, forms as texts};
use crate::ui::{Glyph, Icon};

/// Label of the save button. While conflicts are listed, it says that saving overwrites them.
pub fn save_label(conflicts: Signal<Vec<String>>) -> &'static str {
    if conflicts.with(Vec::is_empty) { common::save() } else { texts::save_anyway() }
}

/// The notice; shown while `conflicts` is not empty.
#[component]
pub fn EditConflictNotice(
    /// One line per field.
    conflicts: Signal<Vec<String>>,
) -> impl IntoView {
    // Moves the focus to the notice, which may be far from the save button. Otherwise Enter in a field would save again before the user has
    // seen it.
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let Some(node) = node.get() {
            node.scroll_into_view();
            // The element is focusable.
            _ = node.focus();
        }
    });
    let notice = move || {
        let conflicts = conflicts.get().into_iter().map(|conflict| view! { <li>{conflict}</li> });
        view! {
            <div class="notice tone-warning" role="alert" tabindex="-1" data-test="edit-conflict" node_ref=node>
                <Icon glyph=Glyph::Alert />
                <div class="notice-body">
                    <strong>{texts::edit_conflict()}</strong>
                    <ul>{conflicts.collect_view()}</ul>
                    <p>{texts::save_anyway_hint()}</p>
                </div>
            </div>
        }
    };
    (move || (!conflicts.with(Vec::is_empty)).then(notice)).into_any()
}
