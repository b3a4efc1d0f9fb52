//! Notification of waiting tasks.

use js_sys::{Function, Promise};
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

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
