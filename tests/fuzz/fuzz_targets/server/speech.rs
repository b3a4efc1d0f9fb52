//! The server's source files that split a recording into speech.

use std::sync::Arc;

#[expect(unused_imports, reason = "other modules of the server use them")]
#[path = "../../../../server/src/speech/audio/mod.rs"]
pub mod audio;

pub const SAMPLE_RATE: u32 = 16_000;
pub const MAX_PIECE_SECONDS: f64 = 28.0;
pub type Samples = Arc<[f32]>;
