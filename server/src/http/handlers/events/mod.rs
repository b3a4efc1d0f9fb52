//! What changes while the panel is open.

pub mod stream;
