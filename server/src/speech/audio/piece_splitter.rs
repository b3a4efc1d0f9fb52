//! Splits a channel into pieces of speech.

use std::collections::VecDeque;

use super::quietest::find_quietest;
use super::voice::{Classification, FRAME_SAMPLES, VoiceDetector};
use super::{Piece, SpeechSummary};
use crate::speech::{MAX_PIECE_SECONDS, SAMPLE_RATE, Samples};

/// Frames per second: 62.5.
const FRAMES_PER_SECOND: f64 = SAMPLE_RATE as f64 / FRAME_SAMPLES as f64;

/// Number of frames in a majority vote on speech: 0.14 s, less than the shortest word. Sound shorter than half of it is a click.
const VOTE_FRAMES: usize = 9;

/// Number of frames kept before and after speech for the quiet beginnings and ends of words: 0.26 s.
const MARGIN_FRAMES: usize = 16;

/// Maximum number of silent frames within a piece: 2 s. Recognizers do better with preceding context, and take as long for a
/// second as for half a minute. In longer silence, however, they invent words.
const MAX_PAUSE_FRAMES: usize = 125;

/// Minimum number of consecutive echo frames before one of them is muted.
const MIN_ECHO_FRAMES: usize = 2;

/// Distance of the muted frame from the latest one, in frames. A frame is classified by a window of 64 ms around it.
const ECHO_DELAY_FRAMES: usize = 2;

/// Maximum length of a piece, in frames.
const MAX_PIECE_FRAMES: usize = (MAX_PIECE_SECONDS * FRAMES_PER_SECOND) as usize;

/// Splits a channel into pieces while it is decoded.
pub(super) struct PieceSplitter<F> {
    take: F,
    /// True until `take` returns false.
    wants_more: bool,
    detector: VoiceDetector,
    /// Sound that may become part of a piece.
    sound: Vec<f32>,
    /// First frame of `sound`.
    first_frame: usize,
    received_samples: usize,
    /// Number of classified samples of `sound`.
    classified_samples: usize,
    /// Unclassified sound with the echo of the other channel removed.
    residual: Vec<f32>,
    /// Number of consecutive frames up to the latest one that are echo.
    echo_run: usize,
    /// Number of frames classified as voice or not.
    classified_frames: usize,
    /// Classification of the latest frames.
    votes: VecDeque<bool>,
    current: Option<OpenPiece>,
    /// End frame of the pieces passed on so far.
    emitted_end: usize,
    /// End frame of the speech counted so far.
    counted_end: usize,
    speech_frames: usize,
    /// Sections of speech that are not yet returned: first frame and the frame after the last.
    voiced: VecDeque<(usize, usize)>,
    silences: Vec<(f64, f64)>,
}

/// A piece that hasn't ended yet.
#[derive(Clone, Copy)]
struct OpenPiece {
    /// First frame.
    start: usize,
    /// Frame after the last speech.
    speech_end: usize,
}

impl<F: FnMut(Piece) -> bool> PieceSplitter<F> {
    pub(super) fn new(take: F) -> Self {
        Self {
            take,
            wants_more: true,
            detector: VoiceDetector::new(),
            sound: Vec::new(),
            first_frame: 0,
            received_samples: 0,
            classified_samples: 0,
            residual: Vec::new(),
            echo_run: 0,
            classified_frames: 0,
            votes: VecDeque::with_capacity(VOTE_FRAMES + 1),
            current: None,
            emitted_end: 0,
            counted_end: 0,
            speech_frames: 0,
            voiced: VecDeque::new(),
            silences: Vec::new(),
        }
    }

    /// Takes the next samples, and the same samples with the echo of the other channel removed. Returns false once `take`
    /// has returned false.
    pub(super) fn push(&mut self, sound: &[f32], residual: &[f32]) -> bool {
        self.sound.extend(sound);
        self.residual.extend(residual);
        self.received_samples += sound.len();
        self.classify();
        if self.current.is_none() {
            self.discard_before(self.classified_frames.saturating_sub(MARGIN_FRAMES + VOTE_FRAMES));
        }
        self.wants_more
    }

    /// Returns the summary. Called at the end of the channel, or after [`PieceSplitter::push`] returned false.
    pub(super) fn finish(mut self) -> SpeechSummary {
        if self.wants_more {
            // Pad the last frame with silence.
            self.sound.resize(self.sound.len().next_multiple_of(FRAME_SAMPLES), 0.0);
            self.residual.resize(self.residual.len().next_multiple_of(FRAME_SAMPLES), 0.0);
            self.classify();
            for is_voice in self.detector.finish() {
                self.add_frame(is_voice);
            }
            if let Some(piece) = self.current.take() {
                self.emit(piece.start, piece.speech_end + MARGIN_FRAMES);
            }
        }
        let seconds = self.received_samples as f64 / f64::from(SAMPLE_RATE);
        let emitted_seconds = self.emitted_end as f64 / FRAMES_PER_SECOND;
        if self.wants_more && emitted_seconds < seconds {
            self.silences.push((emitted_seconds, seconds));
        }
        SpeechSummary {
            seconds,
            speech_seconds: self.speech_frames as f64 / FRAMES_PER_SECOND,
            silences: self.silences,
        }
    }

    /// Classifies the complete frames.
    fn classify(&mut self) {
        let mut consumed = 0;
        while let Some(frame) = self.sound.get(self.classified_samples..self.classified_samples + FRAME_SAMPLES) {
            let Classification { is_voice, is_echo } =
                self.detector.push(frame, &self.residual[consumed..consumed + FRAME_SAMPLES]);
            consumed += FRAME_SAMPLES;
            self.classified_samples += FRAME_SAMPLES;
            self.echo_run = if is_echo { self.echo_run + 1 } else { 0 };
            if self.echo_run >= MIN_ECHO_FRAMES {
                // Mute the frame in the middle of the analysis window, so that the recognizer doesn't transcribe the echo.
                let end = self.classified_samples.saturating_sub(ECHO_DELAY_FRAMES * FRAME_SAMPLES);
                self.sound[end.saturating_sub(FRAME_SAMPLES)..end].fill(0.0);
            }
            if let Some(is_voice) = is_voice {
                self.add_frame(is_voice);
            }
        }
        self.residual.drain(..consumed);
    }

    /// Processes the classification of the next frame.
    fn add_frame(&mut self, is_voice: bool) {
        self.classified_frames += 1;
        self.votes.push_back(is_voice);
        if self.votes.len() > VOTE_FRAMES {
            self.votes.pop_front();
        }
        if self.votes.iter().filter(|is_voice| **is_voice).count() > VOTE_FRAMES / 2 {
            let silent_frames = self.votes.iter().take_while(|is_voice| !**is_voice).count();
            let speech_start = self.classified_frames - self.votes.len() + silent_frames;
            self.count_speech(speech_start);
            let start = speech_start.saturating_sub(MARGIN_FRAMES).max(self.emitted_end);
            self.current.get_or_insert(OpenPiece { start, speech_end: speech_start }).speech_end =
                self.classified_frames;
        }
        let Some(piece) = self.current else { return };
        if self.classified_frames > piece.speech_end + MAX_PAUSE_FRAMES {
            self.current = None;
            self.emit(piece.start, piece.speech_end + MARGIN_FRAMES);
        } else if self.classified_frames - piece.start >= MAX_PIECE_FRAMES {
            self.split_current(piece);
        }
    }

    /// Counts speech from a frame to the latest one, including gaps between words of up to [`MARGIN_FRAMES`].
    fn count_speech(&mut self, speech_start: usize) {
        let start = if speech_start <= self.counted_end + MARGIN_FRAMES { self.counted_end } else { speech_start };
        self.speech_frames += self.classified_frames.saturating_sub(start);
        match self.voiced.back_mut() {
            Some((_, end)) if start <= *end => *end = self.classified_frames,
            _ => self.voiced.push_back((start, self.classified_frames)),
        }
        self.counted_end = self.classified_frames;
    }

    /// Splits a piece of maximum length at the quietest place in its second half.
    fn split_current(&mut self, piece: OpenPiece) {
        if piece.speech_end + MARGIN_FRAMES <= self.classified_frames {
            self.current = None;
            return self.emit(piece.start, piece.speech_end + MARGIN_FRAMES);
        }
        let middle = piece.start + MAX_PIECE_FRAMES / 2;
        let sample_index = |frame: usize| (frame - self.first_frame) * FRAME_SAMPLES;
        // Take the last of equally quiet places, because longer pieces are better.
        let cut = middle
            + find_quietest(&self.sound[sample_index(middle)..sample_index(piece.start + MAX_PIECE_FRAMES)])
                / FRAME_SAMPLES;
        self.current = Some(OpenPiece { start: cut, ..piece });
        self.emit(piece.start, cut);
    }

    /// Passes on the sound from one frame to another, or to the end of the channel.
    fn emit(&mut self, start: usize, end: usize) {
        if !self.wants_more {
            return;
        }
        if start > self.emitted_end {
            self.silences.push((self.emitted_end as f64 / FRAMES_PER_SECOND, start as f64 / FRAMES_PER_SECOND));
        }
        let sample_index =
            |frame: usize| (frame * FRAME_SAMPLES).min(self.received_samples) - self.first_frame * FRAME_SAMPLES;
        let samples = Samples::from(&self.sound[sample_index(start)..sample_index(end)]);
        self.emitted_end = end;
        let voiced = self.take_voiced(end);
        self.wants_more = (self.take)(Piece { start: start as f64 / FRAMES_PER_SECOND, samples, voiced });
        self.discard_before(end);
    }

    /// Removes and returns the sections with speech before a frame, in seconds.
    fn take_voiced(&mut self, end: usize) -> Vec<(f64, f64)> {
        let mut voiced = Vec::new();
        while let Some((from, till)) = self.voiced.pop_front_if(|(from, _)| *from < end) {
            voiced.push((from as f64 / FRAMES_PER_SECOND, till.min(end) as f64 / FRAMES_PER_SECOND));
            if till > end {
                self.voiced.push_front((end, till));
                break;
            }
        }
        voiced
    }

    /// Discards the sound before a frame.
    fn discard_before(&mut self, frame: usize) {
        // Moving the rest to the front pays off once per second, not once per frame.
        let samples = frame.saturating_sub(self.first_frame) * FRAME_SAMPLES;
        if samples >= SAMPLE_RATE as usize && samples <= self.classified_samples {
            self.sound.drain(..samples);
            self.classified_samples -= samples;
            self.first_frame = frame;
        }
    }
}
