//! Generated recordings, and those of the sample data.

/// Sample rate in Hz.
const SAMPLE_RATE: u32 = 8_000;

/// Returns a recording of the program's sample data.
pub fn sample_recording(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/demo/recordings");
    std::fs::read(format!("{folder}/{name}")).unwrap()
}

/// Encoding of the samples in a WAV file.
#[derive(Clone, Copy, Debug)]
pub enum WavEncoding {
    /// Integers with this number of bits.
    Pcm(u16),
    /// A-law, 8 bits.
    ALaw,
    /// µ-law, 8 bits.
    MuLaw,
}

/// Returns a WAV file of silence: 8 kHz, 16-bit PCM.
pub fn wav(channels: u16, seconds: f64) -> Vec<u8> {
    wav_encoded(WavEncoding::Pcm(16), channels, seconds)
}

/// Returns a WAV file of silence: 8 kHz, with this encoding.
pub fn wav_encoded(encoding: WavEncoding, channels: u16, seconds: f64) -> Vec<u8> {
    let (format, bits, silent_byte) = match encoding {
        // 8-bit samples are unsigned, so silence is the middle value.
        WavEncoding::Pcm(8) => (1_u16, 8, 0x80),
        WavEncoding::Pcm(bits) => (1, bits, 0),
        WavEncoding::ALaw => (6, 8, 0xd5),
        WavEncoding::MuLaw => (7, 8, 0xff),
    };
    let frame_bytes = channels * bits / 8;
    let samples = vec![silent_byte; (f64::from(SAMPLE_RATE) * seconds).round() as usize * usize::from(frame_bytes)];
    let length = samples.len() as u32;
    // Formats other than PCM state the length of their extension: zero.
    let extension = if format == 1 { &[][..] } else { &[0, 0] };
    let format_length = 16 + extension.len() as u32;
    let mut file = Vec::with_capacity(46 + samples.len());
    file.extend(b"RIFF");
    file.extend((20 + format_length + length).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(format_length.to_le_bytes());
    file.extend(format.to_le_bytes());
    file.extend(channels.to_le_bytes());
    file.extend(SAMPLE_RATE.to_le_bytes());
    file.extend((SAMPLE_RATE * u32::from(frame_bytes)).to_le_bytes());
    file.extend(frame_bytes.to_le_bytes());
    file.extend(bits.to_le_bytes());
    file.extend(extension);
    file.extend(b"data");
    file.extend(length.to_le_bytes());
    file.extend(samples);
    file
}

/// Returns an MP3 file of silence: MPEG 1, layer III, 44.1 kHz, 128 kbit/s, one channel; 1,152 samples a frame.
pub fn mp3(frames: usize) -> Vec<u8> {
    let mut frame = vec![0; 417];
    frame[..4].copy_from_slice(&[0xff, 0xfb, 0x90, 0xc0]);
    frame.repeat(frames)
}

/// Returns a FLAC file of silence: 8 kHz, 16 bits, one channel; 4,096 samples a frame, at most 128 frames.
pub fn flac(frames: u8) -> Vec<u8> {
    const BLOCK_SAMPLES: u16 = 4_096;
    let mut file = b"fLaC".to_vec();
    file.extend([0x80, 0, 0, 34]);
    file.extend(BLOCK_SAMPLES.to_be_bytes());
    file.extend(BLOCK_SAMPLES.to_be_bytes());
    file.extend([0; 6]);
    let samples = u64::from(BLOCK_SAMPLES) * u64::from(frames);
    // 20 bits of sample rate, 3 of channels minus one, 5 of bits per sample minus one, 36 of total samples.
    file.extend((u64::from(SAMPLE_RATE) << 44 | 15 << 36 | samples).to_be_bytes());
    file.extend([0; 16]);
    for number in 0..frames {
        let mut frame = vec![0xff, 0xf8, 0xc4, 0x08, number];
        frame.push(crc(&frame, 8, 0x07) as u8);
        // One subframe of type constant, with the value zero.
        frame.extend([0, 0, 0]);
        let check = crc(&frame, 16, 0x8005);
        frame.extend(check.to_be_bytes());
        file.extend(frame);
    }
    file
}

/// Computes a cyclic redundancy check, most significant bit first, with initial value zero.
fn crc(bytes: &[u8], width: u32, polynomial: u16) -> u16 {
    let top_bit = 1_u32 << (width - 1);
    let mut register = 0_u32;
    for byte in bytes {
        register ^= u32::from(*byte) << (width - 8);
        for _ in 0..8 {
            let carry = register & top_bit != 0;
            register = register << 1 ^ if carry { u32::from(polynomial) } else { 0 };
        }
        register &= (top_bit << 1) - 1;
    }
    register as u16
}
