//! Speech recognition tokens.

pub mod create;
pub mod list;
pub mod revoke;
pub mod rotate;
