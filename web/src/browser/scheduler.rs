//! Scheduling of browser tasks. The browser renders and handles input between tasks only.

use std::time::Duration;

use js_sys::{Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Continues in a new task, so that the browser can render and handle input in between.
pub async fn next_task() {
    sleep(Duration::ZERO).await;
}

/// Continues after `duration`.
pub async fn sleep(duration: Duration) {
    let started = Promise::new(&mut |resolve, _| {
        // A closed window starts no task, and nothing waits for one.
        _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, duration.as_millis() as i32);
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

/// True if files may be loaded before they are needed: the user doesn't save data, and the connection is neither slow nor metered.
/// Browsers that don't describe the connection allow it.
pub fn allows_prefetch() -> bool {
    let member = |object: &JsValue, name: &str| Reflect::get(object, &name.into()).unwrap_or_default();
    let connection = member(&window().navigator(), "connection");
    if !connection.is_object() {
        return true;
    }
    let is_any_of = |name: &str, values: &[&str]| {
        member(&connection, name).as_string().is_some_and(|value| values.contains(&value.as_str()))
    };
    member(&connection, "saveData") != JsValue::TRUE
        && !is_any_of("effectiveType", &["slow-2g", "2g", "3g"])
        && !is_any_of("type", &["cellular", "wimax"])
}
