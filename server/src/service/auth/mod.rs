//! Staff, sessions, API keys and speech tokens.

pub mod credentials;
mod known_devices;
mod login_attempts;
pub(crate) mod passwords;
pub(crate) mod secrets;
pub(crate) mod session_list;
pub(crate) mod sessions;
pub mod staff;
mod user_agent;
