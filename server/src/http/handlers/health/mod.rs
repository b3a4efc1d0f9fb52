//! Health checks and metrics.

pub mod live;
pub mod metrics;
pub mod ready;
