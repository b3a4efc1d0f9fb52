//! The whole audio pipeline, on voices and on generated sound.

use std::f32::consts::TAU;
use std::path::PathBuf;

use super::*;
use crate::speech::{MAX_PIECE_SECONDS, SAMPLE_RATE};

/// A temporary audio file.
pub(super) struct TestRecording(pub(super) tempfile::TempPath);

impl TestRecording {
    /// Creates a file with 16-bit PCM. Takes the samples of each channel, from -1 to 1.
    pub(super) fn new(rate: u32, channels: &[&[f32]]) -> Self {
        let path = tempfile::Builder::new().suffix(".wav").tempfile().unwrap().into_temp_path();
        let spec = hound::WavSpec {
            channels: channels.len() as u16,
            sample_rate: rate,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut writer = hound::WavWriter::create(&path, spec).unwrap();
        for n in 0..channels[0].len() {
            for channel in channels {
                writer.write_sample((channel[n] * 32_767.0) as i16).unwrap();
            }
        }
        writer.finalize().unwrap();
        Self(path)
    }

    fn pieces(&self, channel: Channel) -> (Vec<Piece>, SpeechSummary) {
        detect_pieces(&self.0, channel)
    }
}

pub(super) fn detect_pieces(path: &Path, channel: Channel) -> (Vec<Piece>, SpeechSummary) {
    let mut collected = Vec::new();
    let layout = detect_layout(path).unwrap();
    let summary = split_into_pieces(path, channel, &layout, |piece| {
        collected.push(piece);
        true
    });
    (collected, summary.unwrap())
}

pub(super) fn demo_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("demo/recordings").join(name)
}

/// Returns the samples of a demo recording by channel, and its sample rate.
pub(super) fn samples(name: &str) -> (Vec<Vec<f32>>, u32) {
    let mut decoder = Decoder::open(&demo_path(name)).unwrap();
    let (mut channels, mut rate) = (vec![Vec::new(); 2], 0);
    while let Some(block) = decoder.next().unwrap() {
        rate = block.rate;
        channels.iter_mut().zip(block.channels).for_each(|(collected, samples)| collected.extend(samples));
    }
    channels.retain(|channel| !channel.is_empty());
    (channels, rate)
}

pub(super) fn amplify(sound: &[f32], decibels: f32) -> Vec<f32> {
    let factor = 10_f32.powf(decibels / 20.0);
    sound.iter().map(|sample| sample * factor).collect()
}

/// Returns a generator of reproducible random numbers from -1 to 1.
pub(super) fn random_numbers(mut seed: u64) -> impl FnMut() -> f32 {
    move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// Generates reproducible noise with a normal distribution, at 0 dB.
pub(super) fn white_noise(seconds: usize, rate: u32) -> Vec<f32> {
    let mut random = random_numbers(7);
    (0..seconds * rate as usize).map(|_| (0..4).map(|_| random()).sum::<f32>() * 0.866).collect()
}

/// Generates noise with equal energy in each octave.
fn pink_noise(seconds: usize, rate: u32) -> Vec<f32> {
    let mut slow = [0.0; 3];
    let shape = |white: f32| {
        for (slow, (keep, add)) in slow.iter_mut().zip([(0.99765, 0.099), (0.963, 0.2965), (0.57, 1.0527)]) {
            *slow = keep * *slow + add * white;
        }
        (slow.iter().sum::<f32>() + 0.1848 * white) * 0.3
    };
    white_noise(seconds, rate).into_iter().map(shape).collect()
}

/// Generates a mix of pitches at full scale, alternately on for `on` seconds and off for `off` seconds.
fn tone(seconds: usize, pitches: &[f32], (on, off): (f32, f32)) -> Vec<f32> {
    let sample = |n: usize| {
        let time = n as f32 / SAMPLE_RATE as f32;
        let sum: f32 = pitches.iter().map(|pitch| (TAU * (pitch * time).fract()).sin()).sum();
        if time % (on + off) < on { sum / pitches.len() as f32 } else { 0.0 }
    };
    (0..seconds * SAMPLE_RATE as usize).map(sample).collect()
}

/// Demo recordings of one voice, with the start of the first word and the end of the last one in seconds.
const SPEECH_RECORDINGS: [(&str, f64, f64); 7] = [
    ("jfk.wav", 0.3, 10.5),
    ("goforward.wav", 0.55, 2.2),
    ("librivox_0870.wav", 0.2, 6.9),
    ("librivox_0880.wav", 0.2, 2.8),
    ("librivox_0890.wav", 0.2, 5.1),
    ("librivox_0920.wav", 0.2, 5.8),
    ("librivox_0930.wav", 0.2, 3.1),
];

/// Start and end of a piece in seconds.
pub(super) fn span(piece: &Piece) -> (f64, f64) {
    (piece.start, piece.start + piece.samples.len() as f64 / f64::from(SAMPLE_RATE))
}

#[test]
fn detects_complete_speech() {
    // At the original level, quiet, and loud; the loudest recording then exceeds full scale.
    for level in [0.0, -20.0, 10.0] {
        for (name, first, last) in SPEECH_RECORDINGS {
            let (channels, rate) = samples(name);
            let sound: Vec<f32> = amplify(&channels[0], level).iter().map(|sample| sample.clamp(-1.0, 1.0)).collect();
            let (found, _) = TestRecording::new(rate, &[&sound]).pieces(Channel::Mixed);
            assert_eq!(found.len(), 1, "{name} at {level} dB");
            let (start, end) = span(&found[0]);
            assert!(start <= first && end >= last, "{name} at {level} dB: {start} to {end}");
        }
    }
}

#[test]
fn detects_complete_speech_in_noise() {
    for (name, first, last) in SPEECH_RECORDINGS {
        let (channels, rate) = samples(name);
        let energy: f32 = channels[0].iter().map(|sample| sample * sample).sum();
        let level = 10.0 * (energy / channels[0].len() as f32).log10();
        // Noise of a busy road: 10 dB below the voice.
        let noise = amplify(&pink_noise(12, rate), level - 10.0);
        let sound: Vec<f32> = channels[0].iter().zip(noise).map(|(voice, noise)| (voice + noise) / 2.0).collect();
        let (found, _) = TestRecording::new(rate, &[&sound]).pieces(Channel::Mixed);
        assert_eq!(found.len(), 1, "{name}");
        let (start, end) = span(&found[0]);
        assert!(start <= first + 0.1 && end >= last - 0.1, "{name}: {start} to {end}");
    }
}

#[test]
fn detects_speech_of_each_side() {
    // Sentences from call_pd_8k.txt, without their leading and trailing silence.
    for (channel, sentences) in
        [(Channel::Left, [(0.6, 7.4), (14.1, 19.2)]), (Channel::Right, [(8.6, 11.7), (20.6, 23.4)])]
    {
        let (found, summary) = detect_pieces(&demo_path("call_pd_8k.wav"), channel);
        assert_eq!(found.len(), 2, "{channel:?}");
        let mut silences = Vec::new();
        let mut before = 0.0;
        for (piece, (first, last)) in found.iter().zip(sentences) {
            let (start, end) = span(piece);
            assert!((first - 0.5..=first).contains(&start) && (last..=last + 0.6).contains(&end), "{start} to {end}");
            silences.push((before, start));
            before = end;
        }
        if before < summary.seconds {
            silences.push((before, summary.seconds));
        }
        assert_eq!(summary.silences, silences);
        let spoken: f64 = sentences.iter().map(|(first, last)| last - first).sum();
        assert!((summary.speech_seconds / spoken - 1.0).abs() < 0.1, "{} of {spoken}", summary.speech_seconds);
    }
}

#[test]
fn noise_and_silence_are_not_speech() {
    for rate in [SAMPLE_RATE, 8_000] {
        let mut sounds = vec![("silence", 0.0, vec![0.0; 60 * rate as usize])];
        for (level, seconds) in [(-10.0, 10), (-20.0, 60), (-40.0, 10), (-60.0, 10)] {
            sounds.push(("white noise", level, amplify(&white_noise(seconds, rate), level)));
            sounds.push(("pink noise", level, amplify(&pink_noise(seconds, rate), level)));
        }
        for (name, level, sound) in sounds {
            let (found, summary) = TestRecording::new(rate, &[&sound]).pieces(Channel::Mixed);
            assert!(found.is_empty(), "{name} at {level} dB and {rate} Hz: {:?}", found.iter().map(span).next());
            let seconds = sound.len() as f64 / f64::from(rate);
            assert_eq!(summary, SpeechSummary { seconds, speech_seconds: 0.0, silences: vec![(0.0, seconds)] });
        }
    }
}

#[test]
fn telephone_tones_and_mains_hum_are_not_speech() {
    for level in [-6.0, -30.0] {
        for (name, pitches, rhythm) in [
            ("hum", &[50.0][..], (1.0, 0.0)),
            ("hum with overtones", &[50.0, 100.0, 150.0, 250.0], (1.0, 0.0)),
            ("ringing", &[425.0], (1.0, 4.0)),
            ("ringing in the UK", &[400.0, 450.0], (0.4, 0.2)),
            ("ringing in the US", &[440.0, 480.0], (2.0, 4.0)),
            ("busy", &[425.0], (0.48, 0.48)),
            ("dial tone", &[425.0], (1.0, 0.0)),
            ("fax", &[1_100.0], (0.5, 3.0)),
            ("modem", &[2_100.0], (3.0, 1.0)),
            ("a beep", &[1_000.0], (0.5, 5.0)),
            ("a long key", &[697.0, 1_209.0], (1.0, 1.0)),
            ("keys", &[770.0, 1_336.0], (0.1, 0.1)),
        ] {
            let sound = amplify(&tone(6, pitches, rhythm), level);
            let (found, _) = TestRecording::new(SAMPLE_RATE, &[&sound]).pieces(Channel::Mixed);
            assert!(found.is_empty(), "{name} at {level} dB: {:?}", found.iter().map(span).next());
        }
    }
}

/// Generates notes of a plucked string: harmonics that fade out, the higher ones faster.
fn plucked(seconds: usize, note: f32) -> Vec<f32> {
    let sample = |n: usize| {
        let time = n as f32 / SAMPLE_RATE as f32;
        let (number, since) = ((time / note) as usize, time % note);
        let pitch = 220.0 * 2_f32.powf((number * 7 % 24) as f32 / 12.0);
        let harmonic = |k: f32| (TAU * (pitch * k * since).fract()).sin() / k * (-4.0 * k * since).exp();
        0.2 * [1.0, 2.0, 3.0, 4.0, 5.0].map(harmonic).iter().sum::<f32>()
    };
    (0..seconds * SAMPLE_RATE as usize).map(sample).collect()
}

#[test]
fn music_on_hold_is_not_speech() {
    let (sentence, _) = samples("librivox_0880.wav");
    let sentence = &sentence[0];
    for note in [0.3, 0.5] {
        let music = plucked(10, note);
        let sound = [sentence, &music[..], sentence, &music].concat();
        let (found, summary) = TestRecording::new(SAMPLE_RATE, &[&sound]).pieces(Channel::Mixed);
        assert_eq!(found.len(), 2, "{:?}", found.iter().map(span).collect::<Vec<_>>());
        let length = sentence.len() as f64 / f64::from(SAMPLE_RATE);
        for (piece, from) in found.iter().zip([0.0, length + 10.0]) {
            let (start, end) = span(piece);
            assert!((start - from).abs() < 0.5 && (end - from - length).abs() < 0.5, "{note}: {start} to {end}");
        }
        let longest = summary.silences.iter().map(|(start, end)| end - start).fold(0.0, f64::max);
        assert!(longest > 9.0, "{:?}", summary.silences);
    }
}

#[test]
fn long_speech_is_split_at_quiet_places() {
    // Sentences separated by a short breath: no pause is long enough to end a piece.
    let (channels, rate) = samples("librivox_0920.wav");
    let sentence = &channels[0][..(5.9 * f64::from(rate)) as usize];
    let breath = vec![0.0; rate as usize * 3 / 10];
    let period = (sentence.len() + breath.len()) as f64 / f64::from(rate);
    let sound = [sentence, &breath].concat().repeat(20);
    let (found, summary) = TestRecording::new(rate, &[&sound]).pieces(Channel::Mixed);
    assert_eq!(found.len(), 5, "124 s in pieces of four sentences");
    for pair in found.windows(2) {
        let ((start, end), (next, _)) = (span(&pair[0]), span(&pair[1]));
        assert!(end - start <= MAX_PIECE_SECONDS, "{start} to {end}");
        assert!((end - next).abs() < 1e-9, "{end} and {next}");
        let in_sentence = end % period;
        assert!(!(0.2..=5.7).contains(&in_sentence), "split {in_sentence} s into a sentence");
    }
    assert!(summary.silences.iter().all(|(start, end)| end - start < 0.5), "{:?}", summary.silences);
}

#[test]
fn pieces_match_their_time() {
    let (channels, rate) = samples("librivox_0890.wav");
    let mut sound = vec![0.0; 10 * rate as usize];
    sound.extend(&channels[0]);
    sound.resize(sound.len() + 6 * rate as usize, 0.0);
    let (found, _) = TestRecording::new(rate, &[&sound]).pieces(Channel::Mixed);
    let first = (found[0].start * f64::from(rate)).round() as usize;
    let expected: Vec<f32> = sound[first..first + found[0].samples.len()].to_vec();
    let max_difference = found[0].samples.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(max_difference < 1e-4, "{max_difference}");
    assert!((9.7..10.3).contains(&found[0].start), "{}", found[0].start);
}

#[test]
fn early_stop_returns_summary_so_far() {
    let mut count = 0;
    let layout = super::detect_layout(&demo_path("call_pd_8k.wav")).unwrap();
    let summary = split_into_pieces(&demo_path("call_pd_8k.wav"), Channel::Left, &layout, |_| {
        count += 1;
        false
    });
    assert_eq!(count, 1);
    assert!(summary.unwrap().seconds < 20.0);
}

#[test]
fn mixed_channels_include_both_sides() {
    let (found, summary) = detect_pieces(&demo_path("call_pd_8k.wav"), Channel::Mixed);
    // There is silence for 2.3 s between the second and the third sentence.
    let [first, second] = &found[..] else { panic!("expected two pieces, found {}", found.len()) };
    assert!(span(first).0 < 0.6 && span(first).1 > 11.7 && span(second).0 < 14.1 && span(second).1 > 23.4);
    assert!(summary.speech_seconds > 17.0, "{}", summary.speech_seconds);
}

#[test]
fn telephone_encodings_decode_to_the_same_sound() {
    // A-law of a ramp (ITU-T G.711): the even bits are inverted; 0x55 and 0xd5 are nearest to 0.
    for (tag, codes, expected) in [
        (6_u16, [0xd5_u8, 0x55, 0xaa, 0x2a], [8, -8, 32_256, -32_256]),
        (7, [0xff, 0x7f, 0x80, 0x00], [0, 0, 32_124, -32_124]),
    ] {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let mut bytes = b"RIFF\x28\0\0\0WAVEfmt \x10\0\0\0".to_vec();
        bytes.extend(tag.to_le_bytes());
        bytes.extend(b"\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x04\0\0\0");
        bytes.extend(codes);
        std::io::Write::write_all(&mut file, &bytes).unwrap();
        let mut decoder = Decoder::open(file.path()).unwrap();
        let block = decoder.next().unwrap().unwrap();
        let actual: Vec<i32> = block.channels[0].iter().map(|sample| (sample * 32_768.0).round() as i32).collect();
        assert_eq!(actual, expected);
    }
}

#[test]
fn rejects_files_without_sound() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"%PDF-1.7 and so on").unwrap();
    let message = detect_layout(file.path()).unwrap_err().to_string();
    assert_eq!(message, "the file is PDF, not audio; send WAV, MP3, FLAC or Ogg Vorbis");
    let empty = TestRecording::new(8_000, &[&[]]);
    assert_eq!(detect_layout(&empty.0).unwrap_err().to_string(), "the `wav` file contains no audio");
    let layout = Layout { channels: 2, seconds: 1.0, has_equal_channels: false, echoes: EchoPaths::default() };
    let missing = split_into_pieces(Path::new("/nowhere"), Channel::Left, &layout, |_| true);
    assert!(matches!(missing, Err(AudioError::Io(_))));
}

#[test]
fn waveform_has_both_channels() {
    let peaks = compute_waveform(&demo_path("call_pd_8k.wav")).unwrap().peaks(47);
    assert_eq!(peaks.duration, 23.49);
    let [left, right] = &peaks.channels[..] else { panic!("the call has two channels") };
    // Sections of half a second. The caller speaks from 1 to 7 s, the callee from 9 to 11 s.
    assert!(left[2..14].iter().all(|peak| *peak > 10) && right[2..14].iter().all(|peak| *peak == 0));
    assert!(right[18..22].iter().all(|peak| *peak > 10) && left[18..22].iter().all(|peak| *peak == 0));
}
