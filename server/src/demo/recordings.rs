//! Sample recordings of real speech, embedded in the binary. Sources and licenses are next to the files.
//!
//! All files are WAV with 16-bit PCM after a header of 44 bytes, so that they can be cut and combined without a decoder.

use std::borrow::Cow;

/// Size of the header before the samples, in bytes.
const WAV_HEADER_BYTES: usize = 44;

/// Sound of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SampleRecording {
    /// A file, by its name without `.wav`.
    File(&'static str),
    /// A stereo conversation made of two mono files: first the caller speaks, then the callee.
    Conversation(&'static str, &'static str),
    /// Less than half a second, as if one side hung up.
    Fragment,
}

macro_rules! files {
    ($($name:literal)+) => {
        /// Embedded files: name, content.
        const EMBEDDED_FILES: &[(&str, &[u8])] = &[
            $(($name, include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/demo/recordings/", $name, ".wav")))),+
        ];
    };
}

files! {
    "call_pd_8k" "de_call" "en_call" "es_call" "fr_call" "goforward" "it_call" "jfk" "librivox_0870" "librivox_0880"
    "librivox_0890" "librivox_0920" "librivox_0930" "pl_call" "ru_call"
}

impl SampleRecording {
    /// Returns the recording as a WAV file.
    pub fn wav(self) -> Cow<'static, [u8]> {
        match self {
            Self::File(name) => Cow::Borrowed(embedded_file(name)),
            Self::Conversation(caller, callee) => {
                Cow::Owned(mix_conversation(&Pcm::parse(embedded_file(caller)), &Pcm::parse(embedded_file(callee))))
            }
            Self::Fragment => Cow::Owned(cut_fragment(&Pcm::parse(embedded_file("goforward")))),
        }
    }

    /// Returns the length in seconds.
    pub fn seconds(self) -> f64 {
        Pcm::parse(&self.wav()).seconds()
    }
}

fn embedded_file(name: &str) -> &'static [u8] {
    let entry = EMBEDDED_FILES.iter().find(|(known, _)| *known == name);
    entry.map(|(_, content)| *content).expect("the file is embedded")
}

/// 16-bit samples.
struct Pcm<'a> {
    channels: u16,
    /// Frames per second.
    sample_rate: u32,
    samples: &'a [u8],
}

impl<'a> Pcm<'a> {
    fn parse(wav: &'a [u8]) -> Self {
        let (header, samples) = wav.split_at(WAV_HEADER_BYTES);
        Self {
            channels: u16::from_le_bytes([header[22], header[23]]),
            sample_rate: u32::from_le_bytes([header[24], header[25], header[26], header[27]]),
            samples,
        }
    }

    fn frame_bytes(&self) -> usize {
        usize::from(self.channels) * 2
    }

    fn seconds(&self) -> f64 {
        (self.samples.len() / self.frame_bytes()) as f64 / f64::from(self.sample_rate)
    }

    fn to_wav(&self) -> Vec<u8> {
        let length = |bytes: usize| u32::try_from(bytes).expect("the sample recordings are small").to_le_bytes();
        let mut wav = Vec::with_capacity(WAV_HEADER_BYTES + self.samples.len());
        wav.extend(b"RIFF");
        wav.extend(length(WAV_HEADER_BYTES - 8 + self.samples.len()));
        wav.extend(b"WAVEfmt ");
        wav.extend(16_u32.to_le_bytes());
        wav.extend(1_u16.to_le_bytes());
        wav.extend(self.channels.to_le_bytes());
        wav.extend(self.sample_rate.to_le_bytes());
        wav.extend(length(self.sample_rate as usize * self.frame_bytes()));
        wav.extend((self.channels * 2).to_le_bytes());
        wav.extend(16_u16.to_le_bytes());
        wav.extend(b"data");
        wav.extend(length(self.samples.len()));
        wav.extend(self.samples);
        wav
    }
}

/// Combines the caller on the left, half a second of silence, and the callee on the right.
fn mix_conversation(caller: &Pcm<'_>, callee: &Pcm<'_>) -> Vec<u8> {
    debug_assert!(caller.channels == 1 && callee.channels == 1 && caller.sample_rate == callee.sample_rate);
    let silence = [0, 0];
    let frames = |samples: &[u8]| samples.len() / 2;
    let silent_frames = caller.sample_rate as usize / 2;
    let mut samples = Vec::with_capacity(4 * (frames(caller.samples) + silent_frames + frames(callee.samples)));
    for sample in caller.samples.chunks_exact(2) {
        samples.extend_from_slice(sample);
        samples.extend(silence);
    }
    samples.resize(samples.len() + 4 * silent_frames, 0);
    for sample in callee.samples.chunks_exact(2) {
        samples.extend(silence);
        samples.extend_from_slice(sample);
    }
    Pcm { channels: 2, sample_rate: caller.sample_rate, samples: &samples }.to_wav()
}

/// Returns 0.4 seconds from the middle of the first word.
fn cut_fragment(pcm: &Pcm<'_>) -> Vec<u8> {
    let tenth = pcm.sample_rate as usize / 10 * pcm.frame_bytes();
    Pcm { samples: &pcm.samples[6 * tenth..10 * tenth], ..*pcm }.to_wav()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_expected_header() {
        for (name, content) in EMBEDDED_FILES {
            assert_eq!(Pcm::parse(content).to_wav(), *content, "{name}");
        }
    }

    #[test]
    fn conversation_has_each_side_on_its_channel() {
        let wav = SampleRecording::Conversation("goforward", "librivox_0880").wav().into_owned();
        let pcm = Pcm::parse(&wav);
        assert_eq!((pcm.channels, pcm.sample_rate), (2, 16_000));
        let expected =
            SampleRecording::File("goforward").seconds() + 0.5 + SampleRecording::File("librivox_0880").seconds();
        assert!((pcm.seconds() - expected).abs() < 1e-3);

        let side = |channel: usize| -> Vec<u8> {
            pcm.samples.chunks_exact(4).flat_map(|frame| frame[2 * channel..2 * channel + 2].to_vec()).collect()
        };
        let (caller, callee) = (embedded_file("goforward"), embedded_file("librivox_0880"));
        assert!(side(0).starts_with(&caller[WAV_HEADER_BYTES..]) && side(1).ends_with(&callee[WAV_HEADER_BYTES..]));
        assert!(side(0)[caller.len() - WAV_HEADER_BYTES..].iter().all(|byte| *byte == 0));
    }

    #[test]
    fn fragment_is_too_short_to_transcribe() {
        assert_eq!(SampleRecording::Fragment.seconds(), 0.4);
    }
}
