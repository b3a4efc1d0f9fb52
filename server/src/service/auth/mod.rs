//! Staff, sessions, API keys and speech tokens.

pub mod credentials;
pub mod known_devices;
pub mod login_attempts;
pub mod passwords;
pub mod secrets;
pub mod session_list;
pub mod sessions;
pub mod staff;
pub mod user_agent;
