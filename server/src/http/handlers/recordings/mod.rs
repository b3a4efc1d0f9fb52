//! The recordings of calls: uploaded, played and drawn.

mod etag;
pub mod peaks;
pub mod play;
mod range;
pub mod upload;
