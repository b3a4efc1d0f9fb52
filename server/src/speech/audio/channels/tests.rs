use std::path::Path;

use super::super::tests::{
    TestRecording, amplify, demo_path, detect_pieces, random_numbers, samples, span, white_noise,
};
use super::super::{Channel, Layout, Piece, detect_layout};

/// Sample rate of the call.
const RATE: u32 = 8_000;

/// Returns the channels of a call in which both sides speak in turn.
fn call() -> [Vec<f32>; 2] {
    let (channels, rate) = samples("call_pd_8k.wav");
    assert_eq!(rate, RATE);
    channels.try_into().expect("two channels")
}

fn mix(left: &[f32], right: &[f32]) -> Vec<f32> {
    left.iter().zip(right).map(|(left, right)| left + right).collect()
}

fn delayed(sound: &[f32], samples: usize) -> Vec<f32> {
    let mut delayed = vec![0.0; samples];
    delayed.extend(&sound[..sound.len() - samples]);
    delayed
}

/// Returns both channels of a call with noise, and with an echo of each other.
fn with_echo(decibels: f32, milliseconds: usize, noise: f32) -> [Vec<f32>; 2] {
    let [left, right] = call();
    let seconds = left.len().div_ceil(RATE as usize);
    let echo = |sound: &[f32]| amplify(&delayed(sound, milliseconds * RATE as usize / 1_000), decibels);
    let steady = amplify(&white_noise(seconds, RATE), noise);
    let other: Vec<f32> = steady.iter().rev().copied().collect();
    [mix(&mix(&left, &echo(&right)), &steady), mix(&mix(&right, &echo(&left)), &other)]
}

fn layout(left: &[f32], right: &[f32]) -> Layout {
    detect_layout(&TestRecording::new(RATE, &[left, right]).0).unwrap()
}

fn spans(path: &Path, channel: Channel) -> Vec<(f64, f64)> {
    detect_pieces(path, channel).0.iter().map(span).collect()
}

#[test]
fn finds_the_same_sound_on_two_channels() {
    // Each side says one sentence.
    let [left, right] = call();
    let sound = mix(&left, &right)[..12 * RATE as usize].to_vec();
    let noise = amplify(&white_noise(12, RATE), -45.0);
    let inverted: Vec<f32> = sound.iter().map(|sample| -sample).collect();
    let coded: Vec<f32> = sound.iter().zip(&noise).map(|(sample, noise)| sample * (1.0 + 10.0 * noise)).collect();
    for (name, other) in [
        ("equal", sound.clone()),
        ("1 dB softer", amplify(&sound, -1.0)),
        ("10 dB softer", amplify(&sound, -10.0)),
        ("inverted", inverted),
        ("one sample late", delayed(&sound, 1)),
        ("20 ms late", delayed(&sound, 160)),
        ("60 ms late, 6 dB softer", amplify(&delayed(&sound, 480), -6.0)),
        ("noisy", mix(&sound, &noise)),
        ("coded", coded),
    ] {
        assert!(layout(&sound, &other).has_equal_channels, "{name}");
    }
    assert!(layout(&mix(&sound, &noise), &sound).has_equal_channels, "the left channel is noisy");
    assert!(layout(&[0.0; 8_000], &[0.0; 8_000]).has_equal_channels);
    let part = &sound[8_000..12_000];
    assert!(layout(part, &delayed(part, 3)).has_equal_channels, "half a second");
}

/// Synthesizes a voice of syllables and pauses: pulses with a changing pitch through two resonances, and hisses.
fn synthetic_voice(seconds: f32, seed: u64) -> Vec<f32> {
    let mut random = random_numbers(seed);
    let samples = (seconds * RATE as f32) as usize;
    let mut sound = Vec::with_capacity(samples);
    let mut past = [[0.0_f32; 2]; 2];
    let mut pulse = 0.0;
    while sound.len() < samples {
        let length = ((0.2 + 0.1 * random()) * RATE as f32) as usize;
        let pitch = 130.0 + 40.0 * random();
        let resonances = [500.0 + 250.0 * random(), 1_700.0 + 700.0 * random()];
        let (is_voiced, is_pause) = (random() > -0.6, random() > 0.6);
        for n in 0..length {
            pulse += pitch / RATE as f32;
            let source = if is_pause {
                0.0
            } else if is_voiced {
                f32::from(u8::from(pulse >= 1.0))
            } else {
                0.1 * random()
            };
            pulse = pulse.fract();
            let envelope = (std::f32::consts::PI * n as f32 / length as f32).sin();
            let mut sample = source * envelope;
            for (past, resonance) in past.iter_mut().zip(resonances) {
                let turn = std::f32::consts::TAU * resonance / RATE as f32;
                sample += 2.0 * 0.95 * turn.cos() * past[0] - 0.95 * 0.95 * past[1];
                *past = [sample, past[0]];
            }
            sound.push(0.1 * sample);
        }
    }
    sound.truncate(samples);
    sound
}

fn decibels(sound: &[f32]) -> f32 {
    10.0 * (sound.iter().map(|sample| sample * sample).sum::<f32>() / sound.len() as f32).log10()
}

#[test]
fn finds_the_same_sound_at_every_delay() {
    for (seconds, voice, step) in [(2.9, 1, 10), (1.0, 2, 50)] {
        let sound = synthetic_voice(seconds, voice);
        let changed: Vec<f32> = amplify(&sound, -6.0).iter().map(|sample| -sample).collect();
        let noisy = mix(&sound, &amplify(&white_noise(5, RATE), decibels(&sound) - 23.0));
        for milliseconds in (0..=200).step_by(step) {
            let late = |sound: &[f32]| delayed(sound, milliseconds * RATE as usize / 1_000);
            let left = if milliseconds % 20 == 0 { &noisy } else { &sound };
            assert!(layout(left, &late(&changed)).has_equal_channels, "{seconds} s, right {milliseconds} ms late");
            assert!(layout(&late(left), &changed).has_equal_channels, "{seconds} s, left {milliseconds} ms late");
        }
    }
}

#[test]
fn finds_the_same_wideband_sound() {
    let (channels, rate) = samples("librivox_0880.wav");
    let sound = &channels[0];
    for other in [sound.clone(), amplify(&delayed(sound, 2_400), -6.0)] {
        assert!(detect_layout(&TestRecording::new(rate, &[sound, &other]).0).unwrap().has_equal_channels);
        assert!(detect_layout(&TestRecording::new(rate, &[&other, sound]).0).unwrap().has_equal_channels);
    }
}

#[test]
fn another_voice_makes_delayed_channels_different() {
    let (sound, other) = (synthetic_voice(2.9, 1), synthetic_voice(2.9, 2));
    for milliseconds in [0, 100, 200] {
        let late = delayed(&sound, milliseconds * RATE as usize / 1_000);
        assert!(!layout(&late, &other).has_equal_channels, "{milliseconds} ms, left late");
        let both = mix(&sound, &amplify(&other, -12.0));
        assert!(!layout(&late, &both).has_equal_channels, "{milliseconds} ms, left late, another voice on the right");
        assert!(!layout(&both, &late).has_equal_channels, "{milliseconds} ms, right late, another voice on the left");
    }
}

#[test]
fn another_voice_makes_channels_different() {
    let [left, right] = call();
    let different = |left: &[f32], right: &[f32]| assert!(!layout(left, right).has_equal_channels);
    different(&left, &right);
    different(&left, &vec![0.0; left.len()]);
    // Equal except for one second in which the other side speaks.
    let mut other = left.clone();
    let second = 9 * RATE as usize..10 * RATE as usize;
    other[second.clone()].copy_from_slice(&right[second]);
    different(&left, &other);
    // A quiet voice below a sound on both channels.
    let sound = mix(&left, &right);
    different(&sound, &mix(&sound, &amplify(&delayed(&left, 40_000), -20.0)));
    // An echo is too quiet to count as the same sound.
    different(&left, &amplify(&left, -12.0));
}

#[test]
fn echo_is_not_speech() {
    let clean = [Channel::Left, Channel::Right].map(|channel| spans(&demo_path("call_pd_8k.wav"), channel));
    for (decibels, milliseconds, noise) in
        [(-12.0, 0, -100.0), (-20.0, 25, -70.0), (-30.0, 100, -100.0), (-40.0, 200, -80.0), (-50.0, 25, -100.0)]
    {
        let [left, right] = with_echo(decibels, milliseconds, noise);
        let recording = TestRecording::new(RATE, &[&left, &right]);
        for (channel, expected) in [Channel::Left, Channel::Right].into_iter().zip(&clean) {
            let actual = spans(&recording.0, channel);
            let name = format!("{decibels} dB, {milliseconds} ms, noise {noise} dB, {channel:?}: {actual:?}");
            assert_eq!(actual.len(), expected.len(), "{name}");
            for (actual, expected) in actual.iter().zip(expected) {
                assert!((actual.0 - expected.0).abs() < 0.3 && (actual.1 - expected.1).abs() < 0.3, "{name}");
            }
        }
    }
}

#[test]
fn echo_between_sentences_is_muted() {
    // The right side speaks in a short pause of the left one, and again at the end.
    let (own, rate) = samples("librivox_0880.wav");
    let (other, _) = samples("librivox_0870.wav");
    let (own, other) = (&own[0][..], &other[0][..]);
    let pause = rate as usize;
    let silence = |samples: usize| vec![0.0; samples];
    let near = [own, &silence(pause), own, &silence(other.len())].concat();
    let interjection = &other[rate as usize / 2..][..pause];
    let far = [&silence(own.len()), interjection, &silence(own.len()), other].concat();
    let near = mix(&near, &amplify(&delayed(&far, 300), -20.0));
    let (found, _) = detect_pieces(&TestRecording::new(rate, &[&near, &far]).0, Channel::Left);
    let [Piece { start, samples, .. }] = &found[..] else { panic!("expected one piece, found {}", found.len()) };
    let interjection_start = own.len() - (start * f64::from(rate)) as usize;
    let loudness = |sound: &[f32]| sound.iter().map(|sample| sample * sample).sum::<f32>();
    let echo = loudness(&near[own.len()..][..pause]);
    assert!(loudness(&samples[interjection_start..][..pause]) < 0.05 * echo);
    // The near side's own speech is unchanged.
    assert!(
        loudness(&samples[..interjection_start]) > 0.99 * loudness(&near[own.len() - interjection_start..own.len()])
    );
}

#[test]
fn double_talk_is_kept_on_both_channels() {
    let (left, rate) = samples("jfk.wav");
    let (right, _) = samples("librivox_0870.wav");
    let right: Vec<f32> = right[0].iter().copied().chain(std::iter::repeat(0.0)).take(left[0].len()).collect();
    let apart = TestRecording::new(rate, &[&left[0], &right]);
    for decibels in [-12.0, -25.0] {
        let echo = |sound: &[f32]| amplify(&delayed(sound, 400), decibels);
        let together = TestRecording::new(rate, &[&mix(&left[0], &echo(&right)), &mix(&right, &echo(&left[0]))]);
        for channel in [Channel::Left, Channel::Right] {
            let seconds = |recording: &TestRecording| detect_pieces(&recording.0, channel).1.speech_seconds;
            assert!(seconds(&together) > 0.9 * seconds(&apart), "{decibels} dB, {channel:?}");
        }
    }
}
