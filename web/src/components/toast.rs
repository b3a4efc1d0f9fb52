//! Short messages about what was done, at the corner of the screen.

use std::time::Duration;

use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use crate::api::ApiError;

/// How long a message stays; failures stay until they are closed.
const LIFETIME: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, PartialEq)]
struct Toast {
    number: u64,
    failed: bool,
    text: String,
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
        let number = self.add(false, text.into());
        set_timeout(move || self.close(number), LIFETIME);
    }

    /// Something could not be done.
    pub fn failed(self, error: &ApiError) {
        self.add(true, format!("{}. {}", error.title(), error.advice()));
    }

    fn add(self, failed: bool, text: String) -> u64 {
        let number = self.next.get_value();
        self.next.set_value(number + 1);
        self.shown.update(|shown| shown.push(Toast { number, failed, text }));
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
        <div class="toasts" role="region" aria-label="Messages" aria-live="polite">
            <For each=move || toasts.shown.get() key=|toast| toast.number let:toast>
                <div class=if toast.failed { "toast toast-failure" } else { "toast toast-success" } data-test="toast">
                    <Icon glyph=if toast.failed { Glyph::Alert } else { Glyph::Check } />
                    <p>{toast.text}</p>
                    <button
                        type="button"
                        class="button button-plain button-small button-icon"
                        aria-label="Dismiss"
                        on:click=move |_| toasts.close(toast.number)
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </div>
            </For>
        </div>
    }
}
