//! Speech tokens.

pub mod create;
pub mod list;
pub mod revoke;
pub mod rotate;
pub mod rotate_webhook_secret;
pub mod webhook_secret;
