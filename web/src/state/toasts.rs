//! Toasts: short messages about actions. The component `ToastRegion` shows them.

use std::sync::Arc;
use std::time::Duration;

use leadscribe_engine::api::LeadActionId;
use leptos::prelude::*;

use crate::api::ApiError;

/// Lifetime of a toast. Failures stay until they are closed.
const LIFETIME: Duration = Duration::from_secs(5);

/// Lifetime of a toast with an undo button.
const UNDO_LIFETIME: Duration = Duration::from_secs(30);

/// Matches if the pointer or the focus is on a toast.
const HOVERED_OR_FOCUSED_SELECTOR: &str = ".toasts:hover, .toasts:focus-within";

type UndoCallback = Arc<dyn Fn() + Send + Sync>;

/// A message about an action.
#[derive(Clone, Default)]
pub struct Toast {
    pub id: u64,
    pub is_failure: bool,
    pub text: String,
    /// Undoes the action. It outlives the page of the action.
    pub undo: Option<UndoCallback>,
    /// Bulk actions on leads that `undo` reverts.
    actions: Vec<LeadActionId>,
    /// Progress, while the action is running.
    pub progress: Option<ActionProgress>,
}

#[derive(Clone)]
pub struct ActionProgress {
    /// Completed and total amount.
    pub progress: ArcRwSignal<(u64, u64)>,
    pub is_cancelled: ArcRwSignal<bool>,
}

/// A long action that continues across pages and can be cancelled.
pub struct ProgressToast {
    toasts: Toasts,
    toast_id: u64,
    state: ActionProgress,
}

impl ProgressToast {
    /// Updates the completed and the total amount.
    pub fn set_progress(&self, done: u64, total: u64) {
        self.state.progress.set((done.min(total), total));
    }

    /// True if the action should stop.
    pub fn is_cancelled(&self) -> bool {
        self.state.is_cancelled.get_untracked()
    }
}

impl Drop for ProgressToast {
    fn drop(&mut self) {
        self.toasts.close(self.toast_id);
    }
}

/// The visible toasts. A `Copy` handle.
#[derive(Clone, Copy, Default)]
pub struct Toasts {
    pub visible: RwSignal<Vec<Toast>>,
    next_id: StoredValue<u64>,
}

impl Toasts {
    /// Reports a completed action.
    pub fn show_success(self, text: impl Into<String>) {
        self.close_after(self.add(text.into(), Toast::default()), LIFETIME);
    }

    /// Reports a completed action that `undo` reverts.
    pub fn show_undoable(self, text: impl Into<String>, undo: impl Fn() + Send + Sync + 'static) {
        self.show_undoable_actions(&[], text, undo);
    }

    /// Reports bulk actions on leads that `undo` reverts, unless they are undone elsewhere first
    /// ([`Self::close_undo`]).
    pub fn show_undoable_actions(
        self,
        actions: &[LeadActionId],
        text: impl Into<String>,
        undo: impl Fn() + Send + Sync + 'static,
    ) {
        let toast = Toast { undo: Some(Arc::new(undo)), actions: actions.to_vec(), ..Toast::default() };
        self.close_after(self.add(text.into(), toast), UNDO_LIFETIME);
    }

    /// Closes toasts that offer to undo any of these changes, because they are being undone.
    pub fn close_undo(self, actions: &[LeadActionId]) {
        self.visible
            .update(|visible| visible.retain(|toast| !toast.actions.iter().any(|action| actions.contains(action))));
    }

    /// Reports a running action, described by `text`. The toast closes when the returned value is dropped.
    pub fn show_progress(self, text: impl Into<String>) -> ProgressToast {
        let state = ActionProgress { progress: ArcRwSignal::new((0, 0)), is_cancelled: ArcRwSignal::new(false) };
        let id = self.add(text.into(), Toast { progress: Some(state.clone()), ..Toast::default() });
        ProgressToast { toasts: self, toast_id: id, state }
    }

    /// True if an action is running that ends when the page is closed.
    pub fn has_running_action(self) -> bool {
        self.visible.with_untracked(|visible| visible.iter().any(|toast| toast.progress.is_some()))
    }

    /// Reports a failed action.
    pub fn show_error(self, error: &ApiError) {
        self.add(format!("{}. {}", error.title(), error.advice()), Toast { is_failure: true, ..Toast::default() });
    }

    fn add(self, text: String, toast: Toast) -> u64 {
        let id = self.next_id.get_value();
        self.next_id.set_value(id + 1);
        self.visible.update(|visible| visible.push(Toast { id, text, ..toast }));
        id
    }

    /// Closes a toast after its lifetime, but not while the pointer or the focus is on the toasts.
    fn close_after(self, id: u64, lifetime: Duration) {
        let close_or_wait = move || match document().query_selector(HOVERED_OR_FOCUSED_SELECTOR) {
            Ok(Some(_)) => self.close_after(id, LIFETIME),
            _ => self.close(id),
        };
        set_timeout(close_or_wait, lifetime);
    }

    pub fn close(self, id: u64) {
        self.visible.update(|visible| visible.retain(|toast| toast.id != id));
    }
}

pub fn use_toasts() -> Toasts {
    expect_context()
}
