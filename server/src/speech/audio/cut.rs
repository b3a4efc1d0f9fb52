//! Cuts a channel into pieces of speech.

use std::collections::VecDeque;

use super::quietest::quietest;
use super::voice::{FRAME, Listener, Verdict};
use super::{Heard, Piece};
use crate::speech::{MAX_PIECE_SECONDS, SAMPLE_RATE, Samples};

/// Frames a second: 62.5.
const RATE: f64 = SAMPLE_RATE as f64 / FRAME as f64;

/// Frames among which a majority with a voice is speech: 0.14 s, less than the shortest word. What is shorter than half
/// of it is a click.
const WORD: usize = 9;

/// Frames before and after speech that are part of it, for the soft sounds that words begin and end with: 0.26 s.
const MARGIN: usize = 16;

/// Frames of silence within a piece: 2 s. Recognisers do better with what was said before, and take as long for a
/// second as for half a minute; but in longer silence they find words that nobody said.
const PAUSE: usize = 125;

/// Consecutive frames that must be the echo of the other channel before one of them is muted.
const ECHO_FRAMES: usize = 2;

/// Distance of the muted frame from the latest one, in frames: a frame is judged by a window of 64 ms around it.
const ECHO_DELAY: usize = 2;

/// Frames of a piece at most.
const LONGEST: usize = (MAX_PIECE_SECONDS * RATE) as usize;

/// Cuts a channel into pieces as it comes in.
pub(super) struct Cutter<F> {
    take: F,
    /// Whether `take` wants more.
    wanted: bool,
    listener: Listener,
    /// The sound that may become part of a piece.
    sound: Vec<f32>,
    /// The frame that it begins with.
    first: usize,
    /// Samples that came in.
    samples: usize,
    /// Samples of `sound` that were listened to.
    listened: usize,
    /// Sound not yet classified, with the echo of the other channel subtracted.
    rest: Vec<f32>,
    /// Consecutive frames, up to the latest one, that are the echo of the other channel.
    echoes: usize,
    /// Frames of which it is known whether they hold a voice.
    known: usize,
    /// Whether the latest of these do.
    votes: VecDeque<bool>,
    /// The piece that isn't over yet.
    open: Option<Open>,
    /// The frame to which pieces were handed over.
    handed: usize,
    /// The frame to which speech was counted.
    counted: usize,
    speech_frames: usize,
    /// Stretches of speech not yet handed over: first frame and the frame after the last.
    voiced: VecDeque<(usize, usize)>,
    silences: Vec<(f64, f64)>,
}

/// A piece that isn't over yet.
#[derive(Clone, Copy)]
struct Open {
    /// Its first frame.
    start: usize,
    /// The frame after the last speech in it.
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

    /// Takes the next samples, and the same samples with the echo of the other channel subtracted. Returns false when no
    /// more are wanted.
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

    /// At the end of the channel, or when no more was wanted: what was found.
    pub(super) fn finish(mut self) -> Heard {
        if self.wanted {
            // The last frame is filled with silence.
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

    /// Listens to the frames that are complete.
    fn listen(&mut self) {
        let mut done = 0;
        while let Some(frame) = self.sound.get(self.listened..self.listened + FRAME) {
            let Verdict { voice, is_echo } = self.listener.hear(frame, &self.rest[done..done + FRAME]);
            done += FRAME;
            self.listened += FRAME;
            self.echoes = if is_echo { self.echoes + 1 } else { 0 };
            if self.echoes >= ECHO_FRAMES {
                // Mute the frame in the middle of the analysed ones, so that the recogniser doesn't transcribe the echo.
                let end = self.listened.saturating_sub(ECHO_DELAY * FRAME);
                self.sound[end.saturating_sub(FRAME)..end].fill(0.0);
            }
            if let Some(voice) = voice {
                self.learn(voice);
            }
        }
        self.rest.drain(..done);
    }

    /// Whether the next frame holds a voice.
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

    /// Counts speech from a frame to the latest; what is shorter than a margin between two words counts.
    fn count(&mut self, word: usize) {
        let start = if word <= self.counted + MARGIN { self.counted } else { word };
        self.speech_frames += self.known.saturating_sub(start);
        match self.voiced.back_mut() {
            Some((_, end)) if start <= *end => *end = self.known,
            _ => self.voiced.push_back((start, self.known)),
        }
        self.counted = self.known;
    }

    /// Divides a piece that is as long as can be, where it is quietest in its second half.
    fn cut(&mut self, open: Open) {
        if open.spoken + MARGIN <= self.known {
            self.open = None;
            return self.hand_over(open.start, open.spoken + MARGIN);
        }
        let half = open.start + LONGEST / 2;
        let place = |frame: usize| (frame - self.first) * FRAME;
        // The later of equally quiet places is taken: the longer a piece, the better.
        let cut = half + quietest(&self.sound[place(half)..place(open.start + LONGEST)]) / FRAME;
        self.open = Some(Open { start: cut, ..open });
        self.hand_over(open.start, cut);
    }

    /// Hands over the sound from one frame to another, or to the end of the channel.
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

    /// Lets go of the sound before a frame.
    fn forget(&mut self, frame: usize) {
        // Moving the rest to the front is worth it for a second, not for each frame.
        let samples = frame.saturating_sub(self.first) * FRAME;
        if samples >= SAMPLE_RATE as usize && samples <= self.listened {
            self.sound.drain(..samples);
            self.listened -= samples;
            self.first = frame;
        }
    }
}
