//! What this browser keeps for its user.

/// None where the browser's settings forbid it.
pub fn storage() -> Option<web_sys::Storage> {
    web_sys::window().and_then(|window| window.local_storage().ok().flatten())
}
