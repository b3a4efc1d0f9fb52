//! Scheduling of browser tasks, and notification of waiting ones. The browser renders and handles input between tasks
//! only.

use std::time::Duration;

use js_sys::{Function, Promise, Reflect};
use leptos::leptos_dom::helpers::{TimeoutHandle, set_timeout_with_handle};
use leptos::prelude::{window, *};
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

/// Waits until the browser is idle, or for a second in Safari, which can't tell. The code after it can't be
/// interrupted, so longer work must call this again in between.
pub async fn wait_until_idle() {
    let started = Promise::new(&mut |resolve, _| {
        if window().request_idle_callback(&resolve).is_err() {
            _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, 1_000);
        }
    });
    // Such a promise is never rejected.
    _ = JsFuture::from(started).await;
}

/// True if files may be loaded before they are needed: the user doesn't save data, and the connection is neither slow
/// nor metered. Browsers that don't describe the connection allow it.
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

/// Tasks that wait for an event. A `Copy` handle.
#[derive(Clone, Copy, Default)]
pub struct Notifier(StoredValue<Vec<Function>, LocalStorage>);

impl Notifier {
    /// Waits until [`Notifier::notify_all`] is called.
    pub async fn wait(self) {
        let promise = Promise::new(&mut |resolve, _| self.0.update_value(|resolvers| resolvers.push(resolve)));
        // The promise is never rejected.
        _ = JsFuture::from(promise).await;
    }

    pub fn notify_all(self) {
        for resolve in self.0.try_update_value(std::mem::take).unwrap_or_default() {
            // Resolving a promise can't fail.
            _ = resolve.call0(&JsValue::NULL);
        }
    }
}
