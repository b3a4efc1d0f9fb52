//! Notification of waiting tasks.

use js_sys::{Function, Promise};
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Tasks that wait for an event. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Gate(StoredValue<Vec<Function>, LocalStorage>);

impl Gate {
    /// Creates the list without waiting tasks.
    pub fn new() -> Self {
        Self(StoredValue::new_local(Vec::new()))
    }

    /// Waits until [`Gate::open`] is called.
    pub async fn wait(self) {
        let opened = Promise::new(&mut |resolve, _| self.0.update_value(|waiting| waiting.push(resolve)));
        // The promise is never rejected.
        _ = JsFuture::from(opened).await;
    }

    /// Wakes all waiting tasks.
    pub fn open(self) {
        for resolve in self.0.try_update_value(std::mem::take).unwrap_or_default() {
            // Resolving a promise can't fail.
            _ = resolve.call0(&JsValue::NULL);
        }
    }
}
