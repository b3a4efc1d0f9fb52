//! A packet of coded sound and its position on the timeline.

use symphonia::core::packet::Packet;

/// A packet of coded sound. Lengths are in frames: a frame is one sample of each channel.
#[derive(Clone)]
pub(super) struct EncodedPacket {
    /// Frames lost before this packet, which are replaced by silence.
    pub lost_frames: u64,
    /// Decoded frames to drop at the start: the delay of the encoder.
    pub skipped_frames: u64,
    /// Frames of sound, after `skip`.
    pub frames: u64,
    /// Frames per second.
    pub rate: u32,
    /// Number of coded channels; 0 if only the decoder knows.
    pub channels: u16,
    /// The bytes for the decoder.
    pub packet: Packet,
}
