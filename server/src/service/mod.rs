//! Use cases shared by the API, the commands and the importers.
//!
//! A service uses the traits of [`crate::storage`] and the clock, never HTTP or an adapter.

pub mod app;
pub mod auth;
pub mod calls;
pub mod deliveries;
pub mod error;
pub mod imports;
pub mod leads;
pub mod operations;
pub mod speech;
