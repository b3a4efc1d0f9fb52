//! The description of the API.

pub mod read;
