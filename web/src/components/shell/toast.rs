//! Short messages about what was done, at the corner of the screen.

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

/// How long a message stays; failures stay until they are closed.
const LIFETIME: Duration = Duration::from_secs(5);

/// How long one stays by which something can be undone.
const UNDO_LIFETIME: Duration = Duration::from_secs(30);

/// The messages where a pointer rests on one, or the keyboard is.
const HELD: &str = ".toasts:hover, .toasts:focus-within";

type Undo = Arc<dyn Fn() + Send + Sync>;

#[derive(Clone, Default)]
struct Toast {
    number: u64,
    failed: bool,
    text: String,
    /// What takes it back. It outlives the page on which it was done.
    undo: Option<Undo>,
    /// The changes of many leads that `undo` takes back.
    actions: Vec<LeadActionId>,
    /// How far it is, as long as it isn't done.
    state: Option<State>,
}

/// How far a long work is.
#[derive(Clone)]
struct State {
    /// How much is done, of how much.
    progress: ArcRwSignal<(u64, u64)>,
    is_cancelled: ArcRwSignal<bool>,
}

/// A long work that goes on, whatever page is open, and can be cancelled.
pub struct Work {
    toasts: Toasts,
    number: u64,
    state: State,
}

impl Work {
    /// Tells how much is done, of how much.
    pub fn tell(&self, done: u64, all: u64) {
        self.state.progress.set((done.min(all), all));
    }

    /// Whether it is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.state.is_cancelled.get_untracked()
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.toasts.close(self.number);
    }
}

/// The messages on the screen; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Toasts {
    shown: RwSignal<Vec<Toast>>,
    next: StoredValue<u64>,
}

impl Toasts {
    pub fn new() -> Self {
        Self { shown: RwSignal::new(Vec::new()), next: StoredValue::new(0) }
    }

    /// Something was done.
    pub fn done(self, text: impl Into<String>) {
        let number = self.add(text.into(), Toast::default());
        self.close_after(number, LIFETIME);
    }

    /// Something was done, and `undo` takes it back.
    pub fn undoable(self, text: impl Into<String>, undo: impl Fn() + Send + Sync + 'static) {
        self.undoable_actions(&[], text, undo);
    }

    /// These changes of many leads were made, and `undo` takes them back, unless they are taken back elsewhere before
    /// ([`Self::withdraw`]).
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

    /// Closes the messages that offer to take back any of these changes: that is being done.
    pub fn withdraw(self, actions: &[LeadActionId]) {
        self.shown.update(|shown| shown.retain(|toast| !toast.actions.iter().any(|one| actions.contains(one))));
    }

    /// Something is being done that takes a while: `text` says what. It stands there until what is given back is dropped.
    pub fn working(self, text: impl Into<String>) -> Work {
        let state = State { progress: ArcRwSignal::new((0, 0)), is_cancelled: ArcRwSignal::new(false) };
        let number = self.add(text.into(), Toast { state: Some(state.clone()), ..Toast::default() });
        Work { toasts: self, number, state }
    }

    /// Whether something is under way that ends with the page.
    fn is_working(self) -> bool {
        self.shown.with_untracked(|shown| shown.iter().any(|toast| toast.state.is_some()))
    }

    /// Something could not be done.
    pub fn failed(self, error: &ApiError) {
        self.add(format!("{}. {}", error.title(), error.advice()), Toast { failed: true, ..Toast::default() });
    }

    fn add(self, text: String, toast: Toast) -> u64 {
        let number = self.next.get_value();
        self.next.set_value(number + 1);
        self.shown.update(|shown| shown.push(Toast { number, text, ..toast }));
        number
    }

    /// Closes one after a while, but not while somebody is at the messages.
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

/// The messages of this panel.
pub fn use_toasts() -> Toasts {
    expect_context()
}

/// Where the messages appear.
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

/// What goes on: how far it is, and the way to cancel it.
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
                // Nobody wants to hear each step.
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

/// What was done, or couldn't be.
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
