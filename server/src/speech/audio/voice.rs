//! Voice activity detection: classifies each frame of 16 ms as voice or not.
//!
//! The detector of the crate `earshot` distinguishes voices from most sounds, but accepts loud noise and telephone tones.
//! Two properties of speech exclude these. Speech rises above the constant background with every syllable, and its energy is
//! spread over more than two constant pitches. [`music`] is recognized by its held notes.

use std::collections::VecDeque;
use std::sync::Arc;

use earshot::Detector;
use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

use super::music::{self, SteadinessDetector};
use crate::speech::SAMPLE_RATE;

/// Number of samples in a frame, as the detector requires: 16 ms.
pub(super) const FRAME_SAMPLES: usize = 256;

/// Minimum score of the detector for a voice, as recommended by its documentation.
const VOICE_SCORE: f32 = 0.5;

/// Number of frames before and after a frame that it is compared with: 1.5 s each, in which every speaker makes a short pause.
const CONTEXT_FRAMES: usize = 94;

/// Share of the surrounding frames that determines the background level.
const FLOOR_QUANTILE: f64 = 0.1;

/// Minimum level of a voice above the background, in decibels. Noise varies by 1 to 2 dB between frames.
const MIN_RISE_DB: f32 = 6.0;

/// Minimum level, in decibels relative to full scale. Rounding to 16 bits makes noise at -98.
const MIN_LEVEL_DB: f32 = -75.0;

/// Number of samples in a spectrum: 64 ms, which separates the two pitches of a telephone tone.
const WINDOW_SAMPLES: usize = 1_024;

/// Lowest and highest analyzed frequency in Hz: the telephone band without mains hum.
pub(super) const BAND_HZ: (usize, usize) = (150, 3_800);

/// Number of neighboring bins on each side that belong to a pitch: 62 Hz. That is the width of a pitch that sounds for half
/// of the window, such as a key pressed for a tenth of a second.
const PITCH_WIDTH_BINS: usize = 4;

/// Minimum share of energy in two pitches for a telephone tone: ringing, busy, keys or a beep. One or two of a hundred voice
/// frames reach it.
const MIN_TONE_SHARE: f32 = 0.95;

/// Minimum reduction of the level by echo cancellation, in decibels, for a frame to count as echo.
const MIN_ECHO_REDUCTION_DB: f32 = 6.0;

/// Properties of a frame.
#[derive(Clone, Copy)]
struct Frame {
    /// Level within the band, in decibels relative to full scale.
    level: f32,
    /// True if the detector accepts the frame as a voice and it isn't a tone.
    is_voice: bool,
    /// True if the spectrum hasn't changed for 80 ms.
    is_steady: bool,
}

/// Classification of a frame.
pub(super) struct Classification {
    /// Classification of the frame [`CONTEXT_FRAMES`] frames before this one; `None` at the beginning.
    pub(super) is_voice: Option<bool>,
    /// True if this frame and the three before it are echo of the other channel.
    pub(super) is_echo: bool,
}

/// Classifies a channel frame by frame, with a delay of [`CONTEXT_FRAMES`] frames.
pub(super) struct VoiceDetector {
    detector: Box<Detector>,
    spectrum: Spectrum,
    /// Spectrum of the sound with the echo of the other channel removed.
    residual_spectrum: Spectrum,
    /// True once an echo of the other channel was removed.
    has_echo: bool,
    steadiness: SteadinessDetector,
    /// Frames around the next frame to classify.
    context: VecDeque<Frame>,
    /// Index of that frame in `context`.
    next: usize,
    levels: Vec<f32>,
}

impl VoiceDetector {
    pub(super) fn new() -> Self {
        Self {
            detector: Detector::default_boxed(),
            spectrum: Spectrum::new(),
            residual_spectrum: Spectrum::new(),
            has_echo: false,
            steadiness: SteadinessDetector::new(),
            context: VecDeque::with_capacity(2 * CONTEXT_FRAMES + 1),
            next: 0,
            levels: Vec::with_capacity(2 * CONTEXT_FRAMES + 1),
        }
    }

    /// Takes the next frame, [`FRAME_SAMPLES`] samples from -1 to 1, and the same frame with the echo of the other channel removed.
    pub(super) fn push(&mut self, samples: &[f32], residual: &[f32]) -> Classification {
        let score = self.detector.predict_f32(residual);
        let (mut level, is_tone, is_steady) = self.spectrum.analyze(samples, Some(&mut self.steadiness));
        let mut is_echo = false;
        if self.has_echo || samples != residual {
            self.has_echo = true;
            let (without_echo, ..) = self.residual_spectrum.analyze(residual, None);
            is_echo = level - without_echo >= MIN_ECHO_REDUCTION_DB;
            // Subtracting a wrong prediction adds sound.
            level = level.min(without_echo);
        }
        let is_voice = score >= VOICE_SCORE && !is_tone && !is_echo && level > MIN_LEVEL_DB;
        self.context.push_back(Frame { level, is_voice, is_steady });
        let is_voice = (self.context.len() > self.next + CONTEXT_FRAMES).then(|| self.classify_next());
        Classification { is_voice, is_echo }
    }

    /// Classifies the remaining frames.
    pub(super) fn finish(&mut self) -> Vec<bool> {
        let remaining = self.context.len() - self.next;
        (0..remaining).map(|_| self.classify_next()).collect()
    }

    fn classify_next(&mut self) -> bool {
        self.levels.clear();
        self.levels.extend(self.context.iter().map(|frame| frame.level));
        let rank = (self.levels.len() as f64 * FLOOR_QUANTILE) as usize;
        let (_, floor, _) = self.levels.select_nth_unstable_by(rank, f32::total_cmp);
        let frame = self.context[self.next];
        let steady = |index: usize| {
            let frame = self.context[index];
            (frame.level > MIN_LEVEL_DB).then_some(frame.is_steady)
        };
        let is_voice = frame.is_voice
            && frame.level >= *floor + MIN_RISE_DB
            && !music::is_music(self.next, self.context.len(), steady);
        if self.next == CONTEXT_FRAMES {
            self.context.pop_front();
        } else {
            self.next += 1;
        }
        is_voice
    }
}

/// Measures the level of a channel within [`BAND_HZ`], and whether its energy is concentrated in two pitches.
struct Spectrum {
    transform: Arc<dyn RealToComplex<f32>>,
    /// Window function, which prevents spectral leakage.
    window: Vec<f32>,
    /// The latest [`WINDOW_SAMPLES`] samples.
    latest: VecDeque<f32>,
    windowed: Vec<f32>,
    bins: Vec<Complex<f32>>,
    power: Vec<f32>,
}

impl Spectrum {
    fn new() -> Self {
        let transform = RealFftPlanner::new().plan_fft_forward(WINDOW_SAMPLES);
        let phase = |n: usize| std::f32::consts::TAU * n as f32 / WINDOW_SAMPLES as f32;
        Self {
            window: (0..WINDOW_SAMPLES).map(|n| 0.5 - 0.5 * phase(n).cos()).collect(),
            latest: std::iter::repeat_n(0.0, WINDOW_SAMPLES).collect(),
            windowed: transform.make_input_vec(),
            bins: transform.make_output_vec(),
            power: Vec::new(),
            transform,
        }
    }

    /// Returns the level in decibels, whether the frame is a tone, and whether its spectrum is steady.
    fn analyze(&mut self, samples: &[f32], steadiness: Option<&mut SteadinessDetector>) -> (f32, bool, bool) {
        self.latest.drain(..samples.len());
        self.latest.extend(samples);
        for ((windowed, sample), shape) in self.windowed.iter_mut().zip(&self.latest).zip(&self.window) {
            *windowed = sample * shape;
        }
        if self.transform.process(&mut self.windowed, &mut self.bins).is_err() {
            return (f32::NEG_INFINITY, false, false);
        }
        let bin = |frequency: usize| frequency * WINDOW_SAMPLES / SAMPLE_RATE as usize;
        self.power.clear();
        self.power.extend(self.bins[bin(BAND_HZ.0)..=bin(BAND_HZ.1)].iter().map(Complex::norm_sqr));
        let energy: f32 = self.power.iter().sum();
        let is_steady = steadiness.is_some_and(|steadiness| steadiness.is_steady(&self.power));
        let is_tone = self.remove_strongest_pitch() + self.remove_strongest_pitch() >= MIN_TONE_SHARE * energy;
        // A full-scale sine has level 0: its mean energy is one half, and the window function passes three eighths of it.
        let full_scale = (WINDOW_SAMPLES * WINDOW_SAMPLES) as f32 * 3.0 / 32.0;
        (10.0 * (energy / full_scale).log10(), is_tone && energy > 0.0, is_steady)
    }

    /// Removes the strongest pitch and returns its energy.
    fn remove_strongest_pitch(&mut self) -> f32 {
        let strongest = self.power.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        let Some((peak, _)) = strongest else { return 0.0 };
        let end = (peak + PITCH_WIDTH_BINS + 1).min(self.power.len());
        self.power[peak.saturating_sub(PITCH_WIDTH_BINS)..end].iter_mut().map(std::mem::take).sum()
    }
}
