//! Live updates for the panel.

pub mod stream;
