//! Use cases shared by the API, the commands and the importers.
//!
//! A service uses the traits of [`crate::storage`] and the clock, never HTTP or an adapter.

pub mod app;
pub mod auth;
pub(crate) mod calls;
pub mod deliveries;
pub(crate) mod error;
pub(crate) mod imports;
pub(crate) mod leads;
pub mod operations;
pub(crate) mod printable_text;
pub mod speech;
pub mod webhooks;
