//! Splits a channel into pieces of speech.

use std::collections::VecDeque;

use super::quietest::quietest;
use super::voice::{FRAME, Listener, Verdict};
use super::{Heard, Piece};
use crate::speech::{MAX_PIECE_SECONDS, SAMPLE_RATE, Samples};

/// Frames per second: 62.5.
const RATE: f64 = SAMPLE_RATE as f64 / FRAME as f64;

/// Number of frames in a majority vote on speech: 0.14 s, less than the shortest word. Sound shorter than half of it is a click.
const WORD: usize = 9;

/// Number of frames kept before and after speech for the quiet beginnings and ends of words: 0.26 s.
const MARGIN: usize = 16;

/// Maximum number of silent frames within a piece: 2 s. Recognisers do better with preceding context, and take as long for a
/// second as for half a minute. In longer silence, however, they invent words.
const PAUSE: usize = 125;

/// Minimum number of consecutive echo frames before one of them is muted.
const ECHO_FRAMES: usize = 2;

/// Distance of the muted frame from the latest one, in frames. A frame is classified by a window of 64 ms around it.
const ECHO_DELAY: usize = 2;

/// Maximum length of a piece, in frames.
const LONGEST: usize = (MAX_PIECE_SECONDS * RATE) as usize;

/// Splits a channel into pieces while it is decoded.
pub(super) struct Cutter<F> {
    take: F,
    /// True until `take` returns false.
    wanted: bool,
    listener: Listener,
    /// Sound that may become part of a piece.
    sound: Vec<f32>,
    /// First frame of `sound`.
    first: usize,
    /// Number of received samples.
    samples: usize,
    /// Number of classified samples of `sound`.
    listened: usize,
    /// Unclassified sound with the echo of the other channel removed.
    rest: Vec<f32>,
    /// Number of consecutive frames up to the latest one that are echo.
    echoes: usize,
    /// Number of frames classified as voice or not.
    known: usize,
    /// Classification of the latest frames.
    votes: VecDeque<bool>,
    /// The current piece.
    open: Option<Open>,
    /// End frame of the pieces passed on so far.
    handed: usize,
    /// End frame of the speech counted so far.
    counted: usize,
    speech_frames: usize,
    /// Stretches of speech not yet passed on: first frame and the frame after the last.
    voiced: VecDeque<(usize, usize)>,
    silences: Vec<(f64, f64)>,
}

/// A piece that hasn't ended yet.
#[derive(Clone, Copy)]
struct Open {
    /// First frame.
    start: usize,
    /// Frame after the last speech.
    spoken: usize,
}

impl<F: FnMut(Piece) -> bool> Cutter<F> {
    pub(super) fn new(take: F) -> Self {
        Self {
            take,
            wanted: true,
            listener: Listener::new(),
            sound: Vec::new(),
            first: 0,
            samples: 0,
            listened: 0,
            rest: Vec::new(),
            echoes: 0,
            known: 0,
            votes: VecDeque::with_capacity(WORD + 1),
            open: None,
            handed: 0,
            counted: 0,
            speech_frames: 0,
            voiced: VecDeque::new(),
            silences: Vec::new(),
        }
    }

    /// Takes the next samples, and the same samples with the echo of the other channel removed. Returns false once `take`
    /// has returned false.
    pub(super) fn push(&mut self, sound: &[f32], rest: &[f32]) -> bool {
        self.sound.extend(sound);
        self.rest.extend(rest);
        self.samples += sound.len();
        self.listen();
        if self.open.is_none() {
            self.forget(self.known.saturating_sub(MARGIN + WORD));
        }
        self.wanted
    }

    /// Returns the summary. Called at the end of the channel, or after [`Cutter::push`] returned false.
    pub(super) fn finish(mut self) -> Heard {
        if self.wanted {
            // Pad the last frame with silence.
            self.sound.resize(self.sound.len().next_multiple_of(FRAME), 0.0);
            self.rest.resize(self.rest.len().next_multiple_of(FRAME), 0.0);
            self.listen();
            for voice in self.listener.finish() {
                self.learn(voice);
            }
            if let Some(open) = self.open.take() {
                self.hand_over(open.start, open.spoken + MARGIN);
            }
        }
        let seconds = self.samples as f64 / f64::from(SAMPLE_RATE);
        let handed = self.handed as f64 / RATE;
        if self.wanted && handed < seconds {
            self.silences.push((handed, seconds));
        }
        Heard { seconds, speech_seconds: self.speech_frames as f64 / RATE, silences: self.silences }
    }

    /// Classifies the complete frames.
    fn listen(&mut self) {
        let mut done = 0;
        while let Some(frame) = self.sound.get(self.listened..self.listened + FRAME) {
            let Verdict { voice, is_echo } = self.listener.hear(frame, &self.rest[done..done + FRAME]);
            done += FRAME;
            self.listened += FRAME;
            self.echoes = if is_echo { self.echoes + 1 } else { 0 };
            if self.echoes >= ECHO_FRAMES {
                // Mute the frame in the middle of the analysis window, so that the recogniser doesn't transcribe the echo.
                let end = self.listened.saturating_sub(ECHO_DELAY * FRAME);
                self.sound[end.saturating_sub(FRAME)..end].fill(0.0);
            }
            if let Some(voice) = voice {
                self.learn(voice);
            }
        }
        self.rest.drain(..done);
    }

    /// Processes the classification of the next frame.
    fn learn(&mut self, voice: bool) {
        self.known += 1;
        self.votes.push_back(voice);
        if self.votes.len() > WORD {
            self.votes.pop_front();
        }
        if self.votes.iter().filter(|voice| **voice).count() > WORD / 2 {
            let before = self.votes.iter().take_while(|voice| !**voice).count();
            let word = self.known - self.votes.len() + before;
            self.count(word);
            let start = word.saturating_sub(MARGIN).max(self.handed);
            self.open.get_or_insert(Open { start, spoken: word }).spoken = self.known;
        }
        let Some(open) = self.open else { return };
        if self.known > open.spoken + PAUSE {
            self.open = None;
            self.hand_over(open.start, open.spoken + MARGIN);
        } else if self.known - open.start >= LONGEST {
            self.cut(open);
        }
    }

    /// Counts speech from a frame to the latest one, including gaps between words of up to [`MARGIN`].
    fn count(&mut self, word: usize) {
        let start = if word <= self.counted + MARGIN { self.counted } else { word };
        self.speech_frames += self.known.saturating_sub(start);
        match self.voiced.back_mut() {
            Some((_, end)) if start <= *end => *end = self.known,
            _ => self.voiced.push_back((start, self.known)),
        }
        self.counted = self.known;
    }

    /// Splits a piece of maximum length at the quietest place in its second half.
    fn cut(&mut self, open: Open) {
        if open.spoken + MARGIN <= self.known {
            self.open = None;
            return self.hand_over(open.start, open.spoken + MARGIN);
        }
        let half = open.start + LONGEST / 2;
        let place = |frame: usize| (frame - self.first) * FRAME;
        // Take the last of equally quiet places, because longer pieces are better.
        let cut = half + quietest(&self.sound[place(half)..place(open.start + LONGEST)]) / FRAME;
        self.open = Some(Open { start: cut, ..open });
        self.hand_over(open.start, cut);
    }

    /// Passes on the sound from one frame to another, or to the end of the channel.
    fn hand_over(&mut self, start: usize, end: usize) {
        if !self.wanted {
            return;
        }
        if start > self.handed {
            self.silences.push((self.handed as f64 / RATE, start as f64 / RATE));
        }
        let place = |frame: usize| (frame * FRAME).min(self.samples) - self.first * FRAME;
        let samples = Samples::from(&self.sound[place(start)..place(end)]);
        self.handed = end;
        let voiced = self.take_voiced(end);
        self.wanted = (self.take)(Piece { start: start as f64 / RATE, samples, voiced });
        self.forget(end);
    }

    /// Removes and returns the stretches of speech before a frame, in seconds.
    fn take_voiced(&mut self, end: usize) -> Vec<(f64, f64)> {
        let mut voiced = Vec::new();
        while let Some((from, till)) = self.voiced.pop_front_if(|(from, _)| *from < end) {
            voiced.push((from as f64 / RATE, till.min(end) as f64 / RATE));
            if till > end {
                self.voiced.push_front((end, till));
                break;
            }
        }
        voiced
    }

    /// Discards the sound before a frame.
    fn forget(&mut self, frame: usize) {
        // Moving the rest to the front pays off once per second, not once per frame.
        let samples = frame.saturating_sub(self.first) * FRAME;
        if samples >= SAMPLE_RATE as usize && samples <= self.listened {
            self.sound.drain(..samples);
            self.listened -= samples;
            self.first = frame;
        }
    }
}
