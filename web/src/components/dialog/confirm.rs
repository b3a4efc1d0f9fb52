//! Confirmation dialog for actions that can't be undone.

use leptos::prelude::*;

use crate::attempt::Attempt;
use crate::components::dialog::{CancelButton, Dialog};
use crate::components::error_notice::ErrorNotice;
use crate::components::input::work_button::WorkButton;

/// Content of the dialog.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub title: String,
    pub text: String,
    /// Label of the button that confirms.
    pub action: &'static str,
}

/// Pending confirmation: the object of the action, and whether the dialog is open. A `Copy` handle.
pub struct Doubt<T: Send + Sync + 'static> {
    about: RwSignal<Option<T>>,
    open: RwSignal<bool>,
    attempt: Attempt,
}

impl<T: Send + Sync> Clone for Doubt<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync> Copy for Doubt<T> {}

impl<T: Clone + Send + Sync> Doubt<T> {
    /// Creates a handle without an object.
    pub fn new() -> Self {
        Self { about: RwSignal::new(None), open: RwSignal::new(false), attempt: Attempt::new() }
    }

    /// Opens the dialog for this object.
    pub fn ask(self, about: T) {
        self.attempt.clear();
        self.about.set(Some(about));
        self.open.set(true);
    }

    /// Closes the dialog.
    pub fn close(self) {
        self.open.set(false);
    }

    /// Closes the dialog if its object no longer exists, unless the action is running: that closes it when it ends. Returns true if the
    /// dialog was open; the caller should then explain why it closed.
    #[must_use]
    pub fn close_unless(self, stands: impl FnOnce(&T) -> bool) -> bool {
        let is_gone = self.about.with_untracked(|about| about.as_ref().is_some_and(|about| !stands(about)));
        let closes = is_gone && self.open.get_untracked() && !self.attempt.is_busy().get_untracked();
        if closes {
            self.close();
        }
        closes
    }

    /// The action's request. Its progress and its error are shown in the dialog.
    pub fn attempt(self) -> Attempt {
        self.attempt
    }
}

/// The confirmation dialog. It stays open until the page closes it, so that it can show an error.
#[component]
pub fn ConfirmDialog<T: Clone + Send + Sync + 'static>(
    doubt: Doubt<T>,
    question: fn(&T) -> Question,
    on_confirm: Callback<T>,
    /// Label of the cancel button, for actions that are themselves called "Cancel".
    #[prop(optional)]
    keep: Option<&'static str>,
) -> impl IntoView {
    let Doubt { about, open, attempt } = doubt;
    let asked = Memo::new(move |_| about.with(|about| about.as_ref().map(question)));
    let part = move |read: fn(Question) -> String| Signal::derive(move || asked.get().map(read).unwrap_or_default());
    let (title, text) = (part(|asked| asked.title), part(|asked| asked.text));
    let action = part(|asked| asked.action.to_owned());
    let confirm = Callback::new(move |()| {
        if let Some(about) = about.get_untracked() {
            on_confirm.run(about);
        }
    });
    let is_busy = attempt.is_busy();
    view! {
        <Dialog open title test="confirm-dialog">
            <div class="dialog-body">
                <p>{text}</p>
                {move || attempt.refusal().map(|error| view! { <ErrorNotice error /> })}
            </div>
            <footer class="dialog-foot">
                <CancelButton open busy=is_busy label=keep />
                <WorkButton class="button button-danger" held=is_busy test="confirm" on_press=confirm>
                    {move || is_busy.get().then(|| view! { <span class="spinner" aria-hidden="true"></span> })}
                    {action}
                </WorkButton>
            </footer>
        </Dialog>
    }
}
