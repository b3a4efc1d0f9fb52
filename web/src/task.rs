//! The browser's tasks: it draws, and answers what was pressed, between two of them and never within one.

use js_sys::Promise;
use leptos::prelude::window;
use wasm_bindgen_futures::JsFuture;

/// Waits for a task of its own, so that long work before it and after it doesn't add up.
pub async fn next_task() {
    let begun = Promise::new(&mut |resolve, _| {
        // A window that is closed begins no task, and nobody waits for it.
        _ = window().set_timeout_with_callback(&resolve);
    });
    // Such a promise is never rejected.
    _ = JsFuture::from(begun).await;
}

/// Waits until the browser has nothing better to do. What goes on then isn't interrupted: more of it than fits between two keys
/// waits anew.
pub async fn idle() {
    let begun = Promise::new(&mut |resolve, _| {
        // What a browser can't do at leisure it does never.
        _ = window().request_idle_callback(&resolve);
    });
    // Such a promise is never rejected.
    _ = JsFuture::from(begun).await;
}
