//! The server's own files on what is in an audio file.

#[path = "../../../../server/src/recording/open.rs"]
pub mod open;
#[path = "../../../../server/src/recording/probe.rs"]
pub mod probe;
#[path = "../../../../server/src/recording/wav.rs"]
mod wav;
