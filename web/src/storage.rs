//! What this browser keeps for its user.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// None where the browser's settings forbid it.
pub fn storage() -> Option<web_sys::Storage> {
    web_sys::window().and_then(|window| window.local_storage().ok().flatten())
}

/// What this tab alone keeps, as long as it is open; as above.
pub fn tab_storage() -> Option<web_sys::Storage> {
    web_sys::window().and_then(|window| window.session_storage().ok().flatten())
}

/// What is kept under a key; none where nothing is, or something that can't be read, as after a change of what is kept.
pub fn read<T: DeserializeOwned>(key: &str) -> Option<T> {
    let text = storage()?.get_item(key).ok()??;
    serde_json::from_str(&text).ok()
}

/// Keeps a value. A browser that refuses forgets it with the page.
pub fn keep(key: &str, value: &impl Serialize) {
    let text = serde_json::to_string(value).expect("it is made of texts, numbers and lists");
    if let Some(storage) = storage() {
        _ = storage.set_item(key, &text);
    }
}

/// Keeps nothing under a key any more.
pub fn forget(key: &str) {
    if let Some(storage) = storage() {
        // What can't be removed wasn't kept either.
        _ = storage.remove_item(key);
    }
}
