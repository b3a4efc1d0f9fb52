//! Debounce timer.

use std::time::Duration;

use leptos::leptos_dom::helpers::{TimeoutHandle, set_timeout_with_handle};
use leptos::prelude::*;

/// Debounce timer of the component that creates it. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Pause(StoredValue<Option<TimeoutHandle>>);

impl Pause {
    /// Creates the timer. It is cancelled when the component is cleaned up.
    pub fn new() -> Self {
        let pause = Self(StoredValue::new(None));
        on_cleanup(move || pause.end());
        pause
    }

    /// Calls `then` after `length`, unless the timer is restarted or cancelled before.
    pub fn begin(self, length: Duration, then: impl FnOnce() + 'static) {
        self.end();
        // Fails only if the page was closed: no timers, or the handle is disposed.
        _ = self.0.try_set_value(set_timeout_with_handle(then, length).ok());
    }

    /// Cancels the pending call.
    pub fn end(self) {
        if let Some(timer) = self.0.try_update_value(Option::take).flatten() {
            timer.clear();
        }
    }
}
