//! Confirmation dialog for actions that can't be undone.

use std::future::Future;

use derive_where::derive_where;
use leptos::prelude::*;

use crate::api::ApiError;
use crate::state::Mutation;
use crate::ui::ErrorNotice;
use crate::ui::dialog::{CancelButton, Dialog};
use crate::ui::input::Button;

/// Content of the dialog.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    title: String,
    text: String,
    /// Label of the button that confirms.
    action: &'static str,
}

impl Question {
    pub fn new(title: impl Into<String>, text: impl Into<String>, action: &'static str) -> Self {
        Self { title: title.into(), text: text.into(), action }
    }
}

/// Pending confirmation: the object of the action, and whether the dialog is open. A `Copy` handle.
#[derive_where(Clone, Copy)]
pub struct PendingConfirmation<T: Send + Sync + 'static> {
    subject: RwSignal<Option<T>>,
    open: RwSignal<bool>,
    mutation: Mutation,
}

impl<T: Clone + Send + Sync> PendingConfirmation<T> {
    /// Creates a handle without an object.
    pub fn new() -> Self {
        Self { subject: RwSignal::new(None), open: RwSignal::new(false), mutation: Mutation::new() }
    }

    /// Opens the dialog for this object.
    pub fn request(self, subject: T) {
        self.mutation.clear_error();
        self.subject.set(Some(subject));
        self.open.set(true);
    }

    pub fn close(self) {
        self.open.set(false);
    }

    /// Runs the action's request. If it succeeds, closes the dialog and calls `on_success`.
    pub fn run<U: 'static>(
        self,
        request: impl Future<Output = Result<U, ApiError>> + 'static,
        on_success: impl FnOnce(U) + 'static,
    ) {
        self.mutation.start(request, move |value| {
            self.close();
            on_success(value);
        });
    }

    /// Closes the dialog if its object is no longer valid. Does nothing while the action is running. Returns true if
    /// the dialog was closed; the caller should then explain why.
    #[must_use]
    pub fn close_unless(self, is_valid: impl FnOnce(&T) -> bool) -> bool {
        let is_subject_gone =
            self.subject.with_untracked(|subject| subject.as_ref().is_some_and(|subject| !is_valid(subject)));
        let should_close = is_subject_gone && self.open.get_untracked() && !self.mutation.is_busy().get_untracked();
        if should_close {
            self.close();
        }
        should_close
    }
}

/// The confirmation dialog. It stays open until the page closes it, so that it can show an error.
#[component]
pub fn ConfirmDialog<T: Clone + Send + Sync + 'static>(
    confirmation: PendingConfirmation<T>,
    question: fn(&T) -> Question,
    on_confirm: Callback<T>,
    /// Label of the cancel button, for actions that are themselves called "Cancel".
    #[prop(optional)]
    cancel_label: Option<&'static str>,
) -> impl IntoView {
    let PendingConfirmation { subject, open, mutation } = confirmation;
    let question = Memo::new(move |_| subject.with(|subject| subject.as_ref().map(question)));
    let text_of =
        move |part: fn(Question) -> String| Signal::derive(move || question.get().map(part).unwrap_or_default());
    let (title, text) = (text_of(|question| question.title), text_of(|question| question.text));
    let action = text_of(|question| question.action.to_owned());
    let on_press = Callback::new(move |()| {
        if let Some(subject) = subject.get_untracked() {
            on_confirm.run(subject);
        }
    });
    let is_busy = mutation.is_busy();
    view! {
        <Dialog open title test_id="confirm-dialog">
            <div class="dialog-body">
                <p>{text}</p>
                {move || mutation.error().map(|error| view! { <ErrorNotice error /> })}
            </div>
            <footer class="dialog-footer">
                <CancelButton open busy=is_busy label=cancel_label />
                <Button class="button-danger" label=action is_busy test_id="confirm" on_press />
            </footer>
        </Dialog>
    }
}
