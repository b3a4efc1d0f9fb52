//! Guard for unsaved changes: asks for confirmation before following a link, going back or forward, logging out, or closing the tab.

use leptos::prelude::*;

use crate::i18n::texts::forms;
use crate::navigation::guard::{Navigation, NavigationGuard};
use crate::navigation::navigator::Navigator;
use crate::ui::dialog::{ConfirmDialog, PendingConfirmation, Question};

/// Blocks leaving the page while there are unsaved changes.
#[component]
pub fn UnsavedChangesGuard(
    #[prop(into)] has_unsaved_changes: Signal<bool>,
    /// Path prefix of the locations that keep this page and its unsaved changes. The guard doesn't block them.
    #[prop(optional)]
    kept_below: Option<&'static str>,
) -> impl IntoView {
    let confirmation = PendingConfirmation::<Navigation>::new();
    // `/imports/1` is below `/imports`, `/imports-old` is not.
    let is_kept = |rest: &str| rest.is_empty() || rest.starts_with(['/', '?', '#']);
    let leaves_page =
        move |location: &str| !kept_below.and_then(|prefix| location.strip_prefix(prefix)).is_some_and(is_kept);
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
    Question::new(forms::confirm_leave(), forms::confirm_leave_text(), forms::leave())
}
