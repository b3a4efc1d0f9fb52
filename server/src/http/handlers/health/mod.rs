//! Whether the server is well, and what it does.

pub mod live;
pub mod metrics;
pub mod ready;
