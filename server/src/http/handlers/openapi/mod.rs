//! The OpenAPI document.

pub mod read;
