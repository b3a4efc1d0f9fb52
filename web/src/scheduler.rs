//! Scheduling of browser tasks. The browser renders and handles input between tasks only.

use js_sys::Promise;
use leptos::prelude::window;
use wasm_bindgen_futures::JsFuture;

/// Continues in a new task, so that the browser can render and handle input in between.
pub async fn next_task() {
    let started = Promise::new(&mut |resolve, _| {
        // A closed window starts no task, and nothing waits for one.
        _ = window().set_timeout_with_callback(&resolve);
    });
    // Such a promise is never rejected.
    _ = JsFuture::from(started).await;
}

/// Waits until the browser is idle. The code after it can't be interrupted, so longer work must call this again in between.
pub async fn wait_until_idle() {
    let started = Promise::new(&mut |resolve, _| {
        // If the browser has no idle callbacks, the work is never done.
        _ = window().request_idle_callback(&resolve);
    });
    // Such a promise is never rejected.
    _ = JsFuture::from(started).await;
}
