//! A packet of coded sound and its place on the timeline.

use symphonia::core::packet::Packet;

/// A packet of coded sound. Lengths are in frames: a frame is one sample of each channel.
#[derive(Clone)]
pub(super) struct CodedPacket {
    /// Frames that were lost before this packet. Silence stands for them.
    pub lost: u64,
    /// Decoded frames to drop at the beginning: the delay of the encoder.
    pub skip: u64,
    /// Frames of sound, after `skip`.
    pub frames: u64,
    /// Frames a second.
    pub rate: u32,
    /// The channels that are coded; 0 if only the decoder can tell.
    pub channels: u16,
    /// The bytes for the decoder.
    pub packet: Packet,
}
