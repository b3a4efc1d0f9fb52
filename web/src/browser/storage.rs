//! Data that this browser stores for its user.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Returns the browser's local storage; `None` if its settings forbid it.
fn local_storage() -> Option<web_sys::Storage> {
    web_sys::window().and_then(|window| window.local_storage().ok().flatten())
}

/// Returns the session storage of this tab; `None` if the browser's settings forbid it.
pub fn session_storage() -> Option<web_sys::Storage> {
    web_sys::window().and_then(|window| window.session_storage().ok().flatten())
}

pub fn load_text(key: &str) -> Option<String> {
    local_storage()?.get_item(key).ok()?
}

/// Stores a text. If the browser refuses, the text is lost when the page closes.
pub fn store_text(key: &str, text: &str) {
    _ = local_storage().map(|storage| storage.set_item(key, text));
}

/// Reads a value; `None` if it is missing or can't be parsed, for example after a change of its format.
pub fn load<T: DeserializeOwned>(key: &str) -> Option<T> {
    serde_json::from_str(&load_text(key)?).ok()
}

/// Like [`store_text`], for a value.
pub fn store(key: &str, value: &impl Serialize) {
    store_text(key, &serde_json::to_string(value).expect("stored values always serialize"));
}

pub fn remove(key: &str) {
    // Nothing to do on failure: without storage there is no value.
    _ = local_storage().map(|storage| storage.remove_item(key));
}
