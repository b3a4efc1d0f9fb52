//! The recordings of calls: uploaded and played.

pub mod play;
mod range;
pub mod upload;
