//! Debounce timer.

use std::time::Duration;

use leptos::leptos_dom::helpers::{TimeoutHandle, set_timeout_with_handle};
use leptos::prelude::*;

/// Debounce timer of the component that creates it. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Debounce(StoredValue<Option<TimeoutHandle>>);

impl Debounce {
    /// Creates the timer. It is cancelled when the component is cleaned up.
    pub fn new() -> Self {
        let debounce = Self(StoredValue::new(None));
        on_cleanup(move || debounce.cancel());
        debounce
    }

    /// Calls `callback` after `delay`, unless the timer is restarted or cancelled before.
    pub fn schedule(self, delay: Duration, callback: impl FnOnce() + 'static) {
        self.cancel();
        // Fails only if the page was closed: no timers, or the handle is disposed.
        _ = self.0.try_set_value(set_timeout_with_handle(callback, delay).ok());
    }

    pub fn cancel(self) {
        if let Some(timer) = self.0.try_update_value(Option::take).flatten() {
            timer.clear();
        }
    }
}
