//! Deliveries: the list, and one delivery with its attempts.

pub mod delivery;
pub mod list;
