//! Unsaved changes: the notice of changes by other sessions to the same fields, and the guard that asks for
//! confirmation before following a link, going back or forward, logging out, or closing the tab.

use leptos::html;
use leptos::prelude::*;

use crate::i18n::texts::common;
use crate::navigation::guard::{Navigation, NavigationGuard};
use crate::navigation::navigator::Navigator;
use crate::ui::dialog::{ConfirmDialog, PendingConfirmation, Question};
use crate::ui::{Glyph, Icon};

/// Label of the save button. While conflicts are listed, it says that saving overwrites them.
pub fn save_label(conflicts: Signal<Vec<String>>) -> &'static str {
    if conflicts.with(Vec::is_empty) { common::save() } else { common::save_anyway() }
}

/// The notice; shown while `conflicts` is not empty.
#[component]
pub fn EditConflictNotice(
    /// One line per field.
    conflicts: Signal<Vec<String>>,
) -> impl IntoView {
    // Moves the focus to the notice, which may be far from the save button. Otherwise Enter in a field would save again
    // before the user has seen it.
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
                    <strong>{common::edit_conflict()}</strong>
                    <ul>{conflicts.collect_view()}</ul>
                    <p>{common::save_anyway_hint()}</p>
                </div>
            </div>
        }
    };
    (move || (!conflicts.with(Vec::is_empty)).then(notice)).into_any()
}

/// Blocks leaving the page while there are unsaved changes.
#[component]
pub fn UnsavedChangesGuard(
    #[prop(into)] has_unsaved_changes: Signal<bool>,
    /// Path prefix of the locations that keep this page and its unsaved changes. The guard doesn't block them.
    #[prop(optional)]
    allowed_prefix: Option<&'static str>,
) -> impl IntoView {
    let confirmation = PendingConfirmation::<Navigation>::new();
    // `/imports/1` is below `/imports`, `/imports-old` is not.
    let is_kept = |rest: &str| rest.is_empty() || rest.starts_with(['/', '?', '#']);
    let leaves_page =
        move |location: &str| !allowed_prefix.and_then(|prefix| location.strip_prefix(prefix)).is_some_and(is_kept);
    let navigation_guard = expect_context::<NavigationGuard>();
    navigation_guard.add_blocker(move |navigation| {
        if has_unsaved_changes.try_get_untracked() != Some(true) {
            return false;
        }
        let should_block = match navigation {
            Navigation::ToPath(location) | Navigation::History(location) => leaves_page(location),
            Navigation::LogOut | Navigation::CloseTab => true,
        };
        if should_block && *navigation != Navigation::CloseTab {
            confirmation.request(navigation.clone());
        }
        should_block
    });

    let navigator = Navigator::new();
    let on_leave = Callback::new(move |navigation| {
        confirmation.close();
        navigator.proceed(navigation);
    });
    view! { <ConfirmDialog confirmation question on_confirm=on_leave /> }
}

fn question(_: &Navigation) -> Question {
    Question::new(common::confirm_leave(), common::confirm_leave_text(), common::leave())
}
