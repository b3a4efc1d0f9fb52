//! Short messages about what was done, at the corner of the screen.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use crate::api::ApiError;
use crate::texts::{common, shell};

/// How long a message stays; failures stay until they are closed.
const LIFETIME: Duration = Duration::from_secs(5);

/// How long one stays by which something can be undone.
const UNDO_LIFETIME: Duration = Duration::from_secs(20);

type Undo = Arc<dyn Fn() + Send + Sync>;

#[derive(Clone)]
struct Toast {
    number: u64,
    failed: bool,
    text: String,
    /// What takes it back. It outlives the page on which it was done.
    undo: Option<Undo>,
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
        let number = self.add(false, text.into(), None);
        set_timeout(move || self.close(number), LIFETIME);
    }

    /// Something was done, and `undo` takes it back.
    pub fn undoable(self, text: impl Into<String>, undo: impl Fn() + Send + Sync + 'static) {
        let number = self.add(false, text.into(), Some(Arc::new(undo)));
        set_timeout(move || self.close(number), UNDO_LIFETIME);
    }

    /// Something could not be done.
    pub fn failed(self, error: &ApiError) {
        self.add(true, format!("{}. {}", error.title(), error.advice()), None);
    }

    fn add(self, failed: bool, text: String, undo: Option<Undo>) -> u64 {
        let number = self.next.get_value();
        self.next.set_value(number + 1);
        self.shown.update(|shown| shown.push(Toast { number, failed, text, undo }));
        number
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
    view! {
        <div class="toasts" role="region" aria-label=shell::messages() aria-live="polite">
            <For each=move || toasts.shown.get() key=|toast| toast.number let:toast>
                <div class=if toast.failed { "toast toast-failure" } else { "toast toast-success" } data-test="toast">
                    <Icon glyph=if toast.failed { Glyph::Alert } else { Glyph::Check } />
                    <p>{toast.text}</p>
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
            </For>
        </div>
    }
}
