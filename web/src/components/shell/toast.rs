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
use crate::texts::{common, shell};
use crate::when::count;

/// Lifetime of a toast. Failures stay until they are closed.
const LIFETIME: Duration = Duration::from_secs(5);

/// Lifetime of a toast with an undo button.
const UNDO_LIFETIME: Duration = Duration::from_secs(30);

/// Matches if the pointer or the focus is on a toast.
const HELD: &str = ".toasts:hover, .toasts:focus-within";

type Undo = Arc<dyn Fn() + Send + Sync>;

#[derive(Clone, Default)]
struct Toast {
    number: u64,
    failed: bool,
    text: String,
    /// Undoes the action. It outlives the page of the action.
    undo: Option<Undo>,
    /// Bulk changes of leads that `undo` reverts.
    actions: Vec<LeadActionId>,
    /// Progress, while the action is running.
    state: Option<State>,
}

/// Progress of a long action.
#[derive(Clone)]
struct State {
    /// Completed and total amount.
    progress: ArcRwSignal<(u64, u64)>,
    is_cancelled: ArcRwSignal<bool>,
}

/// A long action that continues across pages and can be cancelled.
pub struct Work {
    toasts: Toasts,
    number: u64,
    state: State,
}

impl Work {
    /// Updates the completed and the total amount.
    pub fn tell(&self, done: u64, all: u64) {
        self.state.progress.set((done.min(all), all));
    }

    /// True if the action should stop.
    pub fn is_cancelled(&self) -> bool {
        self.state.is_cancelled.get_untracked()
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.toasts.close(self.number);
    }
}

/// The visible toasts. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Toasts {
    shown: RwSignal<Vec<Toast>>,
    next: StoredValue<u64>,
}

impl Toasts {
    pub fn new() -> Self {
        Self { shown: RwSignal::new(Vec::new()), next: StoredValue::new(0) }
    }

    /// Reports a completed action.
    pub fn done(self, text: impl Into<String>) {
        let number = self.add(text.into(), Toast::default());
        self.close_after(number, LIFETIME);
    }

    /// Reports a completed action that `undo` reverts.
    pub fn undoable(self, text: impl Into<String>, undo: impl Fn() + Send + Sync + 'static) {
        self.undoable_actions(&[], text, undo);
    }

    /// Reports bulk changes of leads that `undo` reverts, unless they are undone elsewhere first ([`Self::withdraw`]).
    pub fn undoable_actions(
        self,
        actions: &[LeadActionId],
        text: impl Into<String>,
        undo: impl Fn() + Send + Sync + 'static,
    ) {
        let toast = Toast { undo: Some(Arc::new(undo)), actions: actions.to_vec(), ..Toast::default() };
        let number = self.add(text.into(), toast);
        self.close_after(number, UNDO_LIFETIME);
    }

    /// Closes toasts that offer to undo any of these changes, because they are being undone.
    pub fn withdraw(self, actions: &[LeadActionId]) {
        self.shown.update(|shown| shown.retain(|toast| !toast.actions.iter().any(|one| actions.contains(one))));
    }

    /// Reports a running action, described by `text`. The toast closes when the returned value is dropped.
    pub fn working(self, text: impl Into<String>) -> Work {
        let state = State { progress: ArcRwSignal::new((0, 0)), is_cancelled: ArcRwSignal::new(false) };
        let number = self.add(text.into(), Toast { state: Some(state.clone()), ..Toast::default() });
        Work { toasts: self, number, state }
    }

    /// True if an action is running that ends when the page is closed.
    fn is_working(self) -> bool {
        self.shown.with_untracked(|shown| shown.iter().any(|toast| toast.state.is_some()))
    }

    /// Reports a failed action.
    pub fn failed(self, error: &ApiError) {
        self.add(format!("{}. {}", error.title(), error.advice()), Toast { failed: true, ..Toast::default() });
    }

    fn add(self, text: String, toast: Toast) -> u64 {
        let number = self.next.get_value();
        self.next.set_value(number + 1);
        self.shown.update(|shown| shown.push(Toast { number, text, ..toast }));
        number
    }

    /// Closes a toast after its lifetime, but not while the pointer or the focus is on the toasts.
    fn close_after(self, number: u64, lifetime: Duration) {
        let due = move || match document().query_selector(HELD) {
            Ok(Some(_)) => self.close_after(number, LIFETIME),
            _ => self.close(number),
        };
        set_timeout(due, lifetime);
    }

    fn close(self, number: u64) {
        self.shown.update(|shown| shown.retain(|toast| toast.number != number));
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
    let closing = window_event_listener(ev::beforeunload, move |event| {
        if toasts.is_working() {
            event.prevent_default();
        }
    });
    on_cleanup(move || closing.remove());
    view! {
        <div class="toasts" role="region" aria-label=shell::messages() aria-live="polite">
            <For each=move || toasts.shown.get() key=|toast| toast.number let:toast>
                {match toast.state.clone() {
                    Some(state) => view! { <WorkingToast text=toast.text state /> }.into_any(),
                    None => view! { <DoneToast toast /> }.into_any(),
                }}
            </For>
        </div>
    }
}

/// Toast of a running action: its progress and a cancel button.
#[component]
fn WorkingToast(text: String, state: State) -> impl IntoView {
    let State { progress, is_cancelled } = state;
    let (shown, cancelled) = (progress.clone(), is_cancelled.clone());
    let bar = move || {
        let (done, all) = progress.get();
        view! { <ProgressBar label=common::progress() percent=percent(done, all) /> }
    };
    view! {
        <div class="toast toast-working" data-test="working">
            <span class="spinner" aria-hidden="true"></span>
            <div class="stack-tight">
                <p>{text}</p>
                // Hidden from screen readers, which would announce each step.
                <div class="stack-tight" aria-live="off">
                    <span class="small secondary" data-test="work-progress">
                        {move || {
                            let (done, all) = shown.get();
                            common::done_of(count(done), count(all))
                        }}
                    </span>
                    {bar}
                </div>
            </div>
            <button
                type="button"
                class="button button-small"
                data-test="work-cancel"
                disabled=move || cancelled.get()
                on:click=move |_| is_cancelled.set(true)
            >
                {common::cancel()}
            </button>
        </div>
    }
}

/// Toast of a completed or failed action.
#[component]
fn DoneToast(toast: Toast) -> impl IntoView {
    let toasts = use_toasts();
    view! {
        <div class=if toast.failed { "toast toast-failure" } else { "toast toast-success" } data-test="toast">
            <Icon glyph=if toast.failed { Glyph::Alert } else { Glyph::Check } />
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
                                toasts.close(toast.number);
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
                on:click=move |_| toasts.close(toast.number)
            >
                <Icon glyph=Glyph::Close />
            </button>
        </div>
    }
}
