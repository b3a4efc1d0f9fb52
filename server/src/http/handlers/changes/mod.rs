//! `/api/changes`.

pub mod list;
mod stream;
