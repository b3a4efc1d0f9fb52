//! Callbacks: their targets and deliveries.

pub mod attempt_list;
pub mod delivery;
pub mod filter;
pub mod list;
pub mod table;
