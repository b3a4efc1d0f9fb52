//! Where somebody speaks: a voice in each frame of 16 ms, or not.
//!
//! The detector of the crate `earshot` knows voices from most sounds, but takes loud noise and the tones of telephones
//! for them. Two properties of speech tell them apart: it rises and falls, syllable by syllable, out of whatever is
//! always there; and its energy is spread over more than two pitches that don't move. [`music`] is told by notes that are
//! held.

use std::collections::VecDeque;
use std::sync::Arc;

use earshot::Detector;
use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

use super::music::{self, Steadiness};
use crate::speech::SAMPLE_RATE;

/// Samples of a frame, which is what the detector takes: 16 ms.
pub(super) const FRAME: usize = 256;

/// The detector's score from which a frame may hold a voice, as its documentation advises.
const VOICE_SCORE: f32 = 0.5;

/// How many frames before and after one are compared with it: 1.5 s each, in which every speaker takes a breath's pause
/// between syllables.
const AROUND: usize = 94;

/// The share of the frames around that are taken for what is always there.
const FLOOR_SHARE: f64 = 0.1;

/// How far a voice rises above what is always there, in decibels. Noise varies by 1 to 2 dB from frame to frame.
const RISE: f32 = 6.0;

/// What is softer than this isn't listened to, in decibels below full scale: the noise of rounding to 16 bits is -98.
const SOFTEST: f32 = -75.0;

/// Samples of a spectrum: 64 ms, so that the two pitches of a telephone's tone are apart.
const WINDOW: usize = 1_024;

/// The lowest and highest frequencies that are looked at, in Hz: a telephone's band, without the hum of the mains.
pub(super) const BAND: (usize, usize) = (150, 3_800);

/// How many neighbours on each side belong to a pitch in the spectrum: 62 Hz, as wide as a pitch becomes that sounds for
/// half of the window, which is what a key that is pressed for a tenth of a second comes to.
const PITCH_WIDTH: usize = 4;

/// The share of the energy in two pitches from which a frame is a telephone's tone: ringing, engaged, keys, a beep. Of
/// people's voices one or two frames in a hundred come to that.
const TONE_SHARE: f32 = 0.95;

/// A frame that becomes this much softer when the echo of the other channel is subtracted is that echo, in decibels.
const MIN_ECHO_REDUCTION_DB: f32 = 6.0;

/// What is known of a frame.
#[derive(Clone, Copy)]
struct Frame {
    /// Loudness within the band, in decibels below full scale.
    level: f32,
    /// The detector takes it for a voice, and it isn't a tone.
    voice: bool,
    /// Its spectrum hasn't changed for 80 ms.
    is_steady: bool,
}

/// Classification of a frame.
pub(super) struct Verdict {
    /// The frame [`AROUND`] frames before this one holds a voice; none at the beginning.
    pub(super) voice: Option<bool>,
    /// This frame and the three before it are the echo of the other channel.
    pub(super) is_echo: bool,
}

/// Listens to a channel frame by frame, and answers with a delay of [`AROUND`] frames.
pub(super) struct Listener {
    detector: Box<Detector>,
    spectrum: Spectrum,
    /// Spectrum of the sound with the echo of the other channel subtracted.
    spectrum_of_rest: Spectrum,
    /// An echo of the other channel was subtracted.
    has_echo: bool,
    steadiness: Steadiness,
    /// The frames around the one that is answered for next.
    around: VecDeque<Frame>,
    /// Which of them that is.
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

    /// Takes the next frame, [`FRAME`] samples from -1 to 1, and the same frame with the echo of the other channel
    /// subtracted.
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

    /// Answers for the frames that are left.
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

/// Looks at how loud a channel is within [`BAND`], and whether its energy is in two pitches.
struct Spectrum {
    transform: Arc<dyn RealToComplex<f32>>,
    /// The shape of the window, so that its edges make no pitches of their own.
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

    /// The level in decibels, whether the frame is a tone, and whether its spectrum is steady.
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
        // A sine of full scale comes to 0: half the window's samples have its energy of one half, and the window's
        // shape lets three eighths of it pass.
        let full = (WINDOW * WINDOW) as f32 * 3.0 / 32.0;
        (10.0 * (energy / full).log10(), tone && energy > 0.0, is_steady)
    }

    /// The energy of the strongest pitch, which is taken out.
    fn take_pitch(&mut self) -> f32 {
        let strongest = self.power.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        let Some((peak, _)) = strongest else { return 0.0 };
        let end = (peak + PITCH_WIDTH + 1).min(self.power.len());
        self.power[peak.saturating_sub(PITCH_WIDTH)..end].iter_mut().map(std::mem::take).sum()
    }
}
