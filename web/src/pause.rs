//! What is done once somebody pauses.

use std::time::Duration;

use leptos::leptos_dom::helpers::{TimeoutHandle, set_timeout_with_handle};
use leptos::prelude::*;

/// The pause of the component that makes it; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Pause(StoredValue<Option<TimeoutHandle>>);

impl Pause {
    /// Nothing to be done yet, and nothing any more once the component is gone.
    pub fn new() -> Self {
        let pause = Self(StoredValue::new(None));
        on_cleanup(move || pause.end());
        pause
    }

    /// Does this after so long, unless the pause begins anew or is ended before.
    pub fn begin(self, length: Duration, then: impl FnOnce() + 'static) {
        self.end();
        // Only a page that is gone has no timers, or no place for one any more.
        _ = self.0.try_set_value(set_timeout_with_handle(then, length).ok());
    }

    /// Drops what was to be done.
    pub fn end(self) {
        if let Some(timer) = self.0.try_update_value(Option::take).flatten() {
            timer.clear();
        }
    }
}
