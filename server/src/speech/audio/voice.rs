//! Voice activity detection: classifies each frame of 16 ms as voice or not.
//!
//! The detector of the crate `earshot` distinguishes voices from most sounds, but accepts loud noise and telephone tones.
//! Two properties of speech exclude these. Speech rises above the constant background with every syllable, and its energy is
//! spread over more than two constant pitches. [`music`] is recognised by its held notes.

use std::collections::VecDeque;
use std::sync::Arc;

use earshot::Detector;
use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

use super::music::{self, Steadiness};
use crate::speech::SAMPLE_RATE;

/// Number of samples in a frame, as the detector requires: 16 ms.
pub(super) const FRAME: usize = 256;

/// Minimum score of the detector for a voice, as recommended by its documentation.
const VOICE_SCORE: f32 = 0.5;

/// Number of frames before and after a frame that it is compared with: 1.5 s each, in which every speaker makes a short pause.
const AROUND: usize = 94;

/// Share of the surrounding frames that determines the background level.
const FLOOR_SHARE: f64 = 0.1;

/// Minimum level of a voice above the background, in decibels. Noise varies by 1 to 2 dB between frames.
const RISE: f32 = 6.0;

/// Minimum level, in decibels relative to full scale. Rounding to 16 bits makes noise at -98.
const SOFTEST: f32 = -75.0;

/// Number of samples in a spectrum: 64 ms, which separates the two pitches of a telephone tone.
const WINDOW: usize = 1_024;

/// Lowest and highest analysed frequency in Hz: the telephone band without mains hum.
pub(super) const BAND: (usize, usize) = (150, 3_800);

/// Number of neighbouring bins on each side that belong to a pitch: 62 Hz. That is the width of a pitch that sounds for half
/// of the window, such as a key pressed for a tenth of a second.
const PITCH_WIDTH: usize = 4;

/// Minimum share of energy in two pitches for a telephone tone: ringing, busy, keys or a beep. One or two of a hundred voice
/// frames reach it.
const TONE_SHARE: f32 = 0.95;

/// Minimum reduction in decibels by which echo cancellation identifies a frame as echo.
const MIN_ECHO_REDUCTION_DB: f32 = 6.0;

/// Properties of a frame.
#[derive(Clone, Copy)]
struct Frame {
    /// Level within the band, in decibels relative to full scale.
    level: f32,
    /// True if the detector accepts the frame as a voice and it isn't a tone.
    voice: bool,
    /// True if the spectrum hasn't changed for 80 ms.
    is_steady: bool,
}

/// Classification of a frame.
pub(super) struct Verdict {
    /// Classification of the frame [`AROUND`] frames before this one; `None` at the beginning.
    pub(super) voice: Option<bool>,
    /// True if this frame and the three before it are echo of the other channel.
    pub(super) is_echo: bool,
}

/// Classifies a channel frame by frame, with a delay of [`AROUND`] frames.
pub(super) struct Listener {
    detector: Box<Detector>,
    spectrum: Spectrum,
    /// Spectrum of the sound with the echo of the other channel removed.
    spectrum_of_rest: Spectrum,
    /// True once an echo of the other channel was removed.
    has_echo: bool,
    steadiness: Steadiness,
    /// Frames around the next frame to classify.
    around: VecDeque<Frame>,
    /// Index of that frame in `around`.
    next: usize,
    levels: Vec<f32>,
}

impl Listener {
    pub(super) fn new() -> Self {
        Self {
            detector: Detector::default_boxed(),
            spectrum: Spectrum::new(),
            spectrum_of_rest: Spectrum::new(),
            has_echo: false,
            steadiness: Steadiness::new(),
            around: VecDeque::with_capacity(2 * AROUND + 1),
            next: 0,
            levels: Vec::with_capacity(2 * AROUND + 1),
        }
    }

    /// Takes the next frame, [`FRAME`] samples from -1 to 1, and the same frame with the echo of the other channel removed.
    pub(super) fn hear(&mut self, samples: &[f32], rest: &[f32]) -> Verdict {
        let score = self.detector.predict_f32(rest);
        let (mut level, tone, is_steady) = self.spectrum.look(samples, Some(&mut self.steadiness));
        let mut is_echo = false;
        if self.has_echo || samples != rest {
            self.has_echo = true;
            let (without_echo, ..) = self.spectrum_of_rest.look(rest, None);
            is_echo = level - without_echo >= MIN_ECHO_REDUCTION_DB;
            // Subtracting a wrong prediction adds sound.
            level = level.min(without_echo);
        }
        let voice = score >= VOICE_SCORE && !tone && !is_echo && level > SOFTEST;
        self.around.push_back(Frame { level, voice, is_steady });
        let voice = (self.around.len() > self.next + AROUND).then(|| self.answer());
        Verdict { voice, is_echo }
    }

    /// Classifies the remaining frames.
    pub(super) fn finish(&mut self) -> Vec<bool> {
        let left = self.around.len() - self.next;
        (0..left).map(|_| self.answer()).collect()
    }

    fn answer(&mut self) -> bool {
        self.levels.clear();
        self.levels.extend(self.around.iter().map(|frame| frame.level));
        let rank = (self.levels.len() as f64 * FLOOR_SHARE) as usize;
        let (_, floor, _) = self.levels.select_nth_unstable_by(rank, f32::total_cmp);
        let frame = self.around[self.next];
        let steady = |index: usize| {
            let frame = self.around[index];
            (frame.level > SOFTEST).then_some(frame.is_steady)
        };
        let answer =
            frame.voice && frame.level >= *floor + RISE && !music::is_music(self.next, self.around.len(), steady);
        if self.next == AROUND {
            self.around.pop_front();
        } else {
            self.next += 1;
        }
        answer
    }
}

/// Measures the level of a channel within [`BAND`], and whether its energy is concentrated in two pitches.
struct Spectrum {
    transform: Arc<dyn RealToComplex<f32>>,
    /// Window function, which prevents spectral leakage.
    shape: Vec<f32>,
    /// The latest [`WINDOW`] samples.
    latest: VecDeque<f32>,
    windowed: Vec<f32>,
    bins: Vec<Complex<f32>>,
    power: Vec<f32>,
}

impl Spectrum {
    fn new() -> Self {
        let transform = RealFftPlanner::new().plan_fft_forward(WINDOW);
        let turn = |n: usize| std::f32::consts::TAU * n as f32 / WINDOW as f32;
        Self {
            shape: (0..WINDOW).map(|n| 0.5 - 0.5 * turn(n).cos()).collect(),
            latest: std::iter::repeat_n(0.0, WINDOW).collect(),
            windowed: transform.make_input_vec(),
            bins: transform.make_output_vec(),
            power: Vec::new(),
            transform,
        }
    }

    /// Returns the level in decibels, whether the frame is a tone, and whether its spectrum is steady.
    fn look(&mut self, samples: &[f32], steadiness: Option<&mut Steadiness>) -> (f32, bool, bool) {
        self.latest.drain(..samples.len());
        self.latest.extend(samples);
        for ((windowed, sample), shape) in self.windowed.iter_mut().zip(&self.latest).zip(&self.shape) {
            *windowed = sample * shape;
        }
        if self.transform.process(&mut self.windowed, &mut self.bins).is_err() {
            return (f32::NEG_INFINITY, false, false);
        }
        let bin = |frequency: usize| frequency * WINDOW / SAMPLE_RATE as usize;
        self.power.clear();
        self.power.extend(self.bins[bin(BAND.0)..=bin(BAND.1)].iter().map(Complex::norm_sqr));
        let energy: f32 = self.power.iter().sum();
        let is_steady = steadiness.is_some_and(|steadiness| steadiness.is_steady(&self.power));
        let tone = self.take_pitch() + self.take_pitch() >= TONE_SHARE * energy;
        // A full-scale sine has level 0: its mean energy is one half, and the window function passes three eighths of it.
        let full = (WINDOW * WINDOW) as f32 * 3.0 / 32.0;
        (10.0 * (energy / full).log10(), tone && energy > 0.0, is_steady)
    }

    /// Removes the strongest pitch and returns its energy.
    fn take_pitch(&mut self) -> f32 {
        let strongest = self.power.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        let Some((peak, _)) = strongest else { return 0.0 };
        let end = (peak + PITCH_WIDTH + 1).min(self.power.len());
        self.power[peak.saturating_sub(PITCH_WIDTH)..end].iter_mut().map(std::mem::take).sum()
    }
}
