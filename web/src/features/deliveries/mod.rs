//! Callbacks: their targets and deliveries.

pub mod delivery;
pub mod list;
