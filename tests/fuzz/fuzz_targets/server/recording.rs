//! The server's source files for audio files.

#[path = "../../../../server/src/recording/detect.rs"]
mod detect;
#[path = "../../../../server/src/recording/error.rs"]
mod error;
#[path = "../../../../server/src/recording/mpeg/mod.rs"]
mod mpeg;
#[path = "../../../../server/src/recording/packet.rs"]
mod packet;
#[path = "../../../../server/src/recording/probe.rs"]
pub mod probe;
#[path = "../../../../server/src/recording/sound.rs"]
pub mod sound;
#[path = "../../../../server/src/recording/symphonia_reader.rs"]
mod symphonia_reader;
#[path = "../../../../server/src/recording/wav/mod.rs"]
mod wav;

pub use error::RecordingError;
