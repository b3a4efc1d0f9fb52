//! Data that this browser stores for its user.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Returns the browser's local storage; `None` if its settings forbid it.
pub fn local_storage() -> Option<web_sys::Storage> {
    web_sys::window().and_then(|window| window.local_storage().ok().flatten())
}

/// Returns the session storage of this tab; `None` if the browser's settings forbid it.
pub fn session_storage() -> Option<web_sys::Storage> {
    web_sys::window().and_then(|window| window.session_storage().ok().flatten())
}

/// Reads a value; `None` if it is missing or can't be parsed, for example after a change of its format.
pub fn load<T: DeserializeOwned>(key: &str) -> Option<T> {
    let text = local_storage()?.get_item(key).ok()??;
    serde_json::from_str(&text).ok()
}

/// Stores a value. If the browser refuses, the value is lost when the page closes.
pub fn store(key: &str, value: &impl Serialize) {
    let text = serde_json::to_string(value).expect("stored values always serialize");
    if let Some(storage) = local_storage() {
        _ = storage.set_item(key, &text);
    }
}

/// Removes a value.
pub fn remove(key: &str) {
    if let Some(storage) = local_storage() {
        // Nothing to do on failure: without storage there is no value.
        _ = storage.remove_item(key);
    }
}
