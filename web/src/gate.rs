//! Those who wait for something to happen.

use js_sys::{Function, Promise};
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Where they wait; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Gate(StoredValue<Vec<Function>, LocalStorage>);

impl Gate {
    /// Nobody waits.
    pub fn new() -> Self {
        Self(StoredValue::new_local(Vec::new()))
    }

    /// Waits until it is opened the next time.
    pub async fn wait(self) {
        let opened = Promise::new(&mut |resolve, _| self.0.update_value(|waiting| waiting.push(resolve)));
        // Nobody refuses it.
        _ = JsFuture::from(opened).await;
    }

    /// Lets go on who waits.
    pub fn open(self) {
        for resolve in self.0.try_update_value(std::mem::take).unwrap_or_default() {
            // What a promise is told can't fail.
            _ = resolve.call0(&JsValue::NULL);
        }
    }
}
