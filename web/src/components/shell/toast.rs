//! Toasts: short messages about actions in the corner of the screen.

use std::sync::Arc;
use std::time::Duration;

use leadscribe_engine::api::LeadActionId;
use leptos::ev;
use leptos::prelude::*;

use crate::api::ApiError;
use crate::components::icon::{Glyph, Icon};
use crate::components::progress_bar::{ProgressBar, percent};
use crate::components::prose::with_code;
use crate::datetime::format_count;
use crate::texts::{common, shell};

/// Lifetime of a toast. Failures stay until they are closed.
const LIFETIME: Duration = Duration::from_secs(5);

/// Lifetime of a toast with an undo button.
const UNDO_LIFETIME: Duration = Duration::from_secs(30);

/// Matches if the pointer or the focus is on a toast.
const HOVERED_OR_FOCUSED_SELECTOR: &str = ".toasts:hover, .toasts:focus-within";

type UndoCallback = Arc<dyn Fn() + Send + Sync>;

#[derive(Clone, Default)]
struct Toast {
    id: u64,
    is_failure: bool,
    text: String,
    /// Undoes the action. It outlives the page of the action.
    undo: Option<UndoCallback>,
    /// Bulk changes of leads that `undo` reverts.
    actions: Vec<LeadActionId>,
    /// Progress, while the action is running.
    progress: Option<ActionProgress>,
}

/// Progress of a long action.
#[derive(Clone)]
struct ActionProgress {
    /// Completed and total amount.
    progress: ArcRwSignal<(u64, u64)>,
    is_cancelled: ArcRwSignal<bool>,
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
#[derive(Clone, Copy)]
pub struct Toasts {
    visible: RwSignal<Vec<Toast>>,
    next_id: StoredValue<u64>,
}

impl Toasts {
    pub fn new() -> Self {
        Self { visible: RwSignal::new(Vec::new()), next_id: StoredValue::new(0) }
    }

    /// Reports a completed action.
    pub fn show_success(self, text: impl Into<String>) {
        let id = self.add(text.into(), Toast::default());
        self.close_after(id, LIFETIME);
    }

    /// Reports a completed action that `undo` reverts.
    pub fn show_undoable(self, text: impl Into<String>, undo: impl Fn() + Send + Sync + 'static) {
        self.show_undoable_actions(&[], text, undo);
    }

    /// Reports bulk changes of leads that `undo` reverts, unless they are undone elsewhere first ([`Self::close_undo`]).
    pub fn show_undoable_actions(
        self,
        actions: &[LeadActionId],
        text: impl Into<String>,
        undo: impl Fn() + Send + Sync + 'static,
    ) {
        let toast = Toast { undo: Some(Arc::new(undo)), actions: actions.to_vec(), ..Toast::default() };
        let id = self.add(text.into(), toast);
        self.close_after(id, UNDO_LIFETIME);
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
    fn has_running_action(self) -> bool {
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

    fn close(self, id: u64) {
        self.visible.update(|visible| visible.retain(|toast| toast.id != id));
    }
}

/// The panel's toasts.
pub fn use_toasts() -> Toasts {
    expect_context()
}

/// Region in which toasts appear.
#[component]
pub fn ToastRegion() -> impl IntoView {
    let toasts = use_toasts();
    let unload_listener = window_event_listener(ev::beforeunload, move |event| {
        if toasts.has_running_action() {
            event.prevent_default();
        }
    });
    on_cleanup(move || unload_listener.remove());
    view! {
        <div class="toasts" role="region" aria-label=shell::notifications() aria-live="polite">
            <For each=move || toasts.visible.get() key=|toast| toast.id let:toast>
                {match toast.progress.clone() {
                    Some(state) => view! { <ProgressToastView text=toast.text state /> }.into_any(),
                    None => view! { <ResultToast toast /> }.into_any(),
                }}
            </For>
        </div>
    }
}

/// Toast of a running action: its progress and a cancel button.
#[component]
fn ProgressToastView(text: String, state: ActionProgress) -> impl IntoView {
    let ActionProgress { progress, is_cancelled } = state;
    let (visible, is_cancelled_view) = (progress.clone(), is_cancelled.clone());
    let progress_bar = move || {
        let (done, total) = progress.get();
        view! { <ProgressBar label=common::progress() percent=percent(done, total) /> }
    };
    view! {
        <div class="toast toast-progress" data-test="progress-toast">
            <span class="spinner" aria-hidden="true"></span>
            <div class="stack-tight">
                <p>{text}</p>
                // Hidden from screen readers, which would announce each step.
                <div class="stack-tight" aria-live="off">
                    <span class="small secondary" data-test="progress-toast-status">
                        {move || {
                            let (done, total) = visible.get();
                            common::progress_of_total(format_count(done), format_count(total))
                        }}
                    </span>
                    {progress_bar}
                </div>
            </div>
            <button
                type="button"
                class="button button-small"
                data-test="progress-toast-cancel"
                disabled=move || is_cancelled_view.get()
                on:click=move |_| is_cancelled.set(true)
            >
                {common::cancel()}
            </button>
        </div>
    }
}

/// Toast of a completed or failed action.
#[component]
fn ResultToast(toast: Toast) -> impl IntoView {
    let toasts = use_toasts();
    view! {
        <div class=if toast.is_failure { "toast toast-failure" } else { "toast toast-success" } data-test="toast">
            <Icon glyph=if toast.is_failure { Glyph::Alert } else { Glyph::Check } />
            <p>{with_code(&toast.text)}</p>
            {toast
                .undo
                .map(|undo| {
                    view! {
                        <button
                            type="button"
                            class="button button-small"
                            data-test="undo"
                            on:click=move |_| {
                                toasts.close(toast.id);
                                undo();
                            }
                        >
                            {common::undo()}
                        </button>
                    }
                })}
            <button
                type="button"
                class="button button-plain button-small button-icon"
                aria-label=common::dismiss()
                on:click=move |_| toasts.close(toast.id)
            >
                <Icon glyph=Glyph::Close />
            </button>
        </div>
    }
}
