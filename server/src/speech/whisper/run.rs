//! One run of Whisper over a piece.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

use leadscribe_engine::api::Word;
use whisper_rs::{
    FullParams, SamplingStrategy, WhisperError, WhisperSegment, WhisperState, WhisperTokenId, get_lang_id,
};

use super::words::{self, Token};
use super::{guard, timing};
use crate::speech::{Recognized, SAMPLE_RATE};

/// Positions of the encoder a second.
const POSITIONS_A_SECOND: f64 = 50.0;
/// Positions that are added, so that the end of a piece is heard in full.
const SPARE_POSITIONS: f64 = 32.0;
/// Fewer positions take less time, and cost words: in a call by telephone base gets 4 of 52 wrong with 512, and 2 with 768
/// or all.
const FEWEST_POSITIONS: f64 = 768.0;
/// All positions that a model has.
const MOST_POSITIONS: f64 = 1_500.0;
/// When a result is poor, it is tried again at the temperatures 0.4 and 0.8, and no more.
const TEMPERATURE_STEP: f32 = 0.4;
/// Whisper does nothing with less than a tenth of a second, and little with less than this, in seconds.
const SHORTEST: f64 = 0.5;
/// Nobody says a word in less, in seconds.
const SHORTEST_WORD: f64 = 0.05;
/// What Whisper takes for silence, and is unsure of, in one: nobody said it. It drops by itself only what is less likely
/// than 0.37 (the logarithm being less than -1).
const NO_SPEECH: f32 = 0.6;
const UNSURE: f64 = 0.5;
/// What is less sure than this is a guess: the model tiny hears "you" in half a second of silence, at 0.14.
const HOPELESS: f64 = 0.25;

/// Whisper could not do it.
#[derive(Debug)]
pub(super) struct Failed(pub(super) WhisperError);

impl From<WhisperError> for Failed {
    fn from(error: WhisperError) -> Self {
        Self(error)
    }
}

/// What a run needs.
pub(super) struct Run<'a> {
    pub(super) state: &'a mut WhisperState,
    pub(super) threads: usize,
    /// The first token that isn't text.
    pub(super) end_of_text: WhisperTokenId,
    /// Set when the result isn't wanted any more.
    pub(super) cancelled: &'a AtomicBool,
}

impl Run<'_> {
    /// The words of a piece.
    pub(super) fn recognize(
        &mut self,
        speech: &[f32],
        code: &str,
        without_spaces: bool,
    ) -> Result<Vec<Recognized>, Failed> {
        let seconds = speech.len() as f64 / f64::from(SAMPLE_RATE);
        if seconds < SHORTEST_WORD {
            return Ok(Vec::new());
        }
        let padded = padded(speech);
        let positions = (POSITIONS_A_SECOND * seconds + SPARE_POSITIONS).clamp(FEWEST_POSITIONS, MOST_POSITIONS);
        let mut params = FullParams::new(SamplingStrategy::Greedy { best_of: 1 });
        params.set_language(Some(code));
        params.set_n_threads(self.threads as c_int);
        params.set_audio_ctx(positions.ceil() as c_int);
        // Whisper's time marks would cut a piece up and have parts of it encoded again; and the search for the times of
        // tokens ends the process when such a part is very short.
        params.set_no_timestamps(true);
        params.set_single_segment(true);
        params.set_temperature_inc(TEMPERATURE_STEP);
        // What was said before must not colour what is said now: that is how a mistake spreads.
        params.set_no_context(true);
        params.set_n_max_text_ctx(0);
        params.set_print_special(false);
        params.set_print_progress(false);
        params.set_print_realtime(false);
        params.set_print_timestamps(false);
        full(self.state, params, padded.as_deref().unwrap_or(speech), self.cancelled)?;
        let recognized = |segment: WhisperSegment<'_>| recognized(&segment, self.end_of_text, without_spaces, speech);
        Ok(self.state.as_iter().filter_map(recognized).collect())
    }

    /// How likely each language is, by Whisper's code.
    pub(super) fn languages(&mut self, speech: &[f32], codes: &[String]) -> Result<Vec<f32>, Failed> {
        let padded = padded(speech);
        self.state.pcm_to_mel(padded.as_deref().unwrap_or(speech), self.threads)?;
        let (_, likely) = self.state.lang_detect(0, self.threads)?;
        let of = |code: &String| {
            let id = usize::try_from(get_lang_id(code)?).ok()?;
            likely.get(id).copied()
        };
        Ok(codes.iter().map(|code| of(code).unwrap_or_default()).collect())
    }
}

/// A piece that is too short, with silence after it.
fn padded(speech: &[f32]) -> Option<Vec<f32>> {
    let shortest = (SHORTEST * f64::from(SAMPLE_RATE)) as usize;
    (speech.len() < shortest).then(|| {
        let mut padded = speech.to_vec();
        padded.resize(shortest, 0.0);
        padded
    })
}

/// Runs Whisper until it is done or `cancelled` is set, which it looks at after the encoder and after each token.
fn full(
    state: &mut WhisperState,
    mut params: FullParams<'_, '_>,
    speech: &[f32],
    cancelled: &AtomicBool,
) -> Result<(), WhisperError> {
    // whisper-rs offers a safe form of this, but it hands its trampoline a pointer of another type.
    #[expect(unsafe_code, reason = "the safe form of the callback is unsound in whisper-rs 0.16")]
    // SAFETY: `params` is used up here, before `cancelled` can end; the callback only reads it.
    unsafe {
        params.set_abort_callback(Some(is_cancelled));
        params.set_abort_callback_user_data(std::ptr::from_ref(cancelled).cast_mut().cast());
    }
    state.full(params, speech)
}

/// What whisper.cpp asks whether to go on. `cancelled` points to an [`AtomicBool`].
#[expect(unsafe_code, reason = "called by whisper.cpp with an untyped pointer")]
unsafe extern "C" fn is_cancelled(cancelled: *mut c_void) -> bool {
    // SAFETY: `full` sets it to an `AtomicBool` that outlives the run.
    let cancelled = unsafe { &*cancelled.cast_const().cast::<AtomicBool>() };
    cancelled.load(Ordering::Relaxed)
}

/// What was said in a segment; none when nothing was.
fn recognized(
    segment: &WhisperSegment<'_>,
    end_of_text: WhisperTokenId,
    without_spaces: bool,
    speech: &[f32],
) -> Option<Recognized> {
    let tokens: Vec<_> = (0..segment.n_tokens()).filter_map(|index| segment.get_token(index)).collect();
    let tokens: Vec<Token<'_>> = tokens
        .iter()
        .filter(|token| token.token_id() < end_of_text)
        .filter_map(|token| {
            let data = token.token_data();
            let end = data.t_dtw as f64 / 100.0;
            Some(Token { bytes: token.to_bytes().ok()?, end, probability: f64::from(data.p) })
        })
        .collect();
    let mut words = guard::without_remarks(words::words(&tokens, without_spaces));
    let cut = guard::without_loops(&mut words);
    if cut > 0 {
        tracing::debug!(cut, "the recogniser repeated itself");
    }
    let confidence = confidence(&words)?;
    if confidence < HOPELESS || segment.no_speech_probability() > NO_SPEECH && confidence < UNSURE {
        return None;
    }
    timing::fit(&mut words, speech);
    let (start, end) = (words.first()?.start, words.last()?.end);
    Some(Recognized { start, end, text: words::text(&words, without_spaces), confidence, words })
}

/// That of a segment is the mean of its words'. None when there are none.
fn confidence(words: &[Word]) -> Option<f64> {
    (!words.is_empty()).then(|| words.iter().map(|word| word.confidence).sum::<f64>() / words.len() as f64)
}
