//! A packet of encoded audio and its position on the timeline.

use symphonia::core::packet::Packet;

/// A packet of encoded audio. Lengths are in frames: a frame is one sample of each channel.
#[derive(Clone)]
pub(super) struct EncodedPacket {
    /// Number of lost frames before this packet. Silence replaces them.
    pub lost_frames: u64,
    /// Decoded frames to drop at the start: the delay of the encoder.
    pub skipped_frames: u64,
    /// Number of audible frames, after the skipped ones.
    pub frames: u64,
    /// Frames per second.
    pub rate: u32,
    /// Number of channels; 0 if only the decoder knows it.
    pub channels: u16,
    /// The bytes for the decoder.
    pub packet: Packet,
}
