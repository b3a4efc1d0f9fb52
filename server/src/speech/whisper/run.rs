//! Runs Whisper on a piece of a recording.
//!
//! Decoding is greedy (temperature 0), so that the same sound always yields the same text. Whisper's own retries sample
//! tokens randomly at rising temperatures and use the last result, however poor. Instead, a poor or truncated result is
//! retried on the two halves of the piece, split at the quietest place, and the better result is used.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

use leadscribe_engine::api::Word;
use whisper_rs::{FullParams, SamplingStrategy, WhisperError, WhisperState, WhisperTokenId, get_lang_id};

use super::attempt::Attempt;
use super::words;
use super::{hallucinations, timing};
use crate::speech::audio::find_quietest;
use crate::speech::{RecognizedSegment, SAMPLE_RATE};

/// Number of encoder positions per second.
const POSITIONS_PER_SECOND: f64 = 50.0;
/// Additional positions, so that the end of a piece is fully recognized.
const EXTRA_POSITIONS: f64 = 32.0;
/// Minimum number of positions. Fewer are faster but lose words: in a telephone call, the model base gets 4 of 52 words
/// wrong with 512, and 2 with 768 or all.
const MIN_POSITIONS: f64 = 768.0;
/// Number of positions that a model has.
const MAX_POSITIONS: f64 = 1_500.0;
/// Maximum number of tokens per second of speech; more indicate a loop. Greek has about 10. Scripts with several tokens per
/// character, such as Tamil and Georgian, have up to 30.
const MAX_TOKENS_PER_SECOND: f64 = 40.0;
/// Additional number of tokens permitted in any piece.
const EXTRA_TOKENS: f64 = 24.0;
/// Minimum length of the input in seconds. Whisper ignores input of less than a tenth of a second, and recognizes little in
/// input shorter than this.
const MIN_INPUT_SECONDS: f64 = 0.5;
/// Minimum length in seconds of a piece that is split.
const MIN_SPLIT_SECONDS: f64 = 6.0;
/// Minimum length of a word in seconds.
const MIN_WORD_SECONDS: f64 = 0.05;
/// Minimum confidence of a result if Whisper considers the piece silent.
const MIN_CONFIDENCE_IF_SILENT: f64 = 0.5;
/// Minimum confidence of any result. A result below this is a guess: the model tiny recognizes "you" in half a second
/// of silence, at 0.14.
const MIN_CONFIDENCE: f64 = 0.25;

/// Error of whisper.cpp.
#[derive(Debug)]
pub(super) struct RunError(pub(super) WhisperError);

impl From<WhisperError> for RunError {
    fn from(error: WhisperError) -> Self {
        Self(error)
    }
}

pub(super) struct RunContext<'a> {
    pub(super) state: &'a mut WhisperState,
    pub(super) threads: usize,
    /// The first token that isn't text.
    pub(super) end_of_text: WhisperTokenId,
    /// Set when the result is no longer wanted.
    pub(super) cancelled: &'a AtomicBool,
}

/// Language of a piece.
#[derive(Clone, Copy)]
pub(super) struct Language<'a> {
    /// Whisper's code of the language.
    pub(super) code: &'a str,
    /// True if the language has no spaces between words.
    pub(super) without_spaces: bool,
}

impl RunContext<'_> {
    /// Recognizes the words of a piece.
    pub(super) fn recognize(
        &mut self,
        speech: &[f32],
        language: Language<'_>,
    ) -> Result<Vec<RecognizedSegment>, RunError> {
        let parts = self.decode_parts(speech, language, true)?;
        let mut recognized = Vec::with_capacity(parts.len());
        for Part { start, samples, attempt } in parts {
            let sound = &speech[start..start + samples];
            let Some(mut segment) = to_segment(&attempt, language, sound) else { continue };
            let offset = start as f64 / f64::from(SAMPLE_RATE);
            segment.start += offset;
            segment.end += offset;
            for word in &mut segment.words {
                word.start += offset;
                word.end += offset;
            }
            recognized.push(segment);
        }
        Ok(recognized)
    }

    /// Returns the best attempt at a piece: at the whole or at its halves. A truncated result is always retried on the
    /// halves, a poor one only if `split_poor` is set.
    fn decode_parts(
        &mut self,
        speech: &[f32],
        language: Language<'_>,
        split_poor: bool,
    ) -> Result<Vec<Part>, RunError> {
        let Some(attempt) = self.decode(speech, language)? else { return Ok(Vec::new()) };
        let is_short = speech.len() < (MIN_SPLIT_SECONDS * f64::from(SAMPLE_RATE)) as usize;
        let needs_retry = !attempt.is_complete() || split_poor && attempt.is_poor() && !attempt.seems_silent();
        let whole = Part { start: 0, samples: speech.len(), attempt };
        if is_short || !needs_retry {
            return Ok(vec![whole]);
        }
        let third = speech.len() / 3;
        let split = third + find_quietest(&speech[third..speech.len() - third]);
        let mut halves = self.decode_parts(&speech[..split], language, false)?;
        let second_half = self.decode_parts(&speech[split..], language, false)?;
        halves.extend(second_half.into_iter().map(|part| Part { start: split + part.start, ..part }));
        let halves_are_better = Attempt::are_parts_better(halves.iter().map(|part| &part.attempt), &whole.attempt);
        Ok(if halves_are_better { halves } else { vec![whole] })
    }

    /// Decodes a piece once; `None` if it is too short for a word or Whisper finds nothing.
    fn decode(&mut self, speech: &[f32], language: Language<'_>) -> Result<Option<Attempt>, RunError> {
        let seconds = speech.len() as f64 / f64::from(SAMPLE_RATE);
        if seconds < MIN_WORD_SECONDS {
            return Ok(None);
        }
        let padded = pad(speech);
        let positions = (POSITIONS_PER_SECOND * seconds + EXTRA_POSITIONS).clamp(MIN_POSITIONS, MAX_POSITIONS);
        let mut params = FullParams::new(SamplingStrategy::Greedy { best_of: 1 });
        params.set_language(Some(language.code));
        params.set_n_threads(self.threads as c_int);
        params.set_audio_ctx(positions.ceil() as c_int);
        params.set_max_tokens((MAX_TOKENS_PER_SECOND * seconds + EXTRA_TOKENS) as c_int);
        // With timestamps, Whisper would split a piece and encode parts of it again. The token alignment crashes if such a
        // part is very short.
        params.set_no_timestamps(true);
        params.set_single_segment(true);
        // Disable Whisper's random retries and its rejection of results; both are handled here.
        params.set_temperature(0.0);
        params.set_temperature_inc(0.0);
        params.set_no_speech_thold(2.0);
        // Don't condition on previous text, because that propagates mistakes.
        params.set_no_context(true);
        params.set_n_max_text_ctx(0);
        params.set_print_special(false);
        params.set_print_progress(false);
        params.set_print_realtime(false);
        params.set_print_timestamps(false);
        run_whisper(self.state, params, padded.as_deref().unwrap_or(speech), self.cancelled)?;
        Ok(self.state.as_iter().next().map(|segment| Attempt::read(&segment, self.end_of_text)))
    }

    /// Returns the probability of each language, given by Whisper's code.
    pub(super) fn language_probabilities(&mut self, speech: &[f32], codes: &[String]) -> Result<Vec<f32>, RunError> {
        let padded = pad(speech);
        self.state.pcm_to_mel(padded.as_deref().unwrap_or(speech), self.threads)?;
        let (_, probabilities) = self.state.lang_detect(0, self.threads)?;
        let probability_of = |code: &String| {
            let id = usize::try_from(get_lang_id(code)?).ok()?;
            probabilities.get(id).copied()
        };
        Ok(codes.iter().map(|code| probability_of(code).unwrap_or_default()).collect())
    }
}

/// Pads a piece that is too short with silence; `None` if it is long enough.
fn pad(speech: &[f32]) -> Option<Vec<f32>> {
    let min_samples = (MIN_INPUT_SECONDS * f64::from(SAMPLE_RATE)) as usize;
    (speech.len() < min_samples).then(|| {
        let mut padded = speech.to_vec();
        padded.resize(min_samples, 0.0);
        padded
    })
}

/// Runs Whisper until it is done or `cancelled` is set, which is checked after the encoder and after each token.
fn run_whisper(
    state: &mut WhisperState,
    mut params: FullParams<'_, '_>,
    speech: &[f32],
    cancelled: &AtomicBool,
) -> Result<(), WhisperError> {
    // whisper-rs has a safe form of this, but it passes a pointer of the wrong type to its trampoline.
    #[expect(unsafe_code, reason = "the safe form of the callback is unsound in whisper-rs 0.16")]
    // SAFETY: `params` is consumed here, while `cancelled` is still alive; the callback only reads it.
    unsafe {
        params.set_abort_callback(Some(is_cancelled));
        params.set_abort_callback_user_data(std::ptr::from_ref(cancelled).cast_mut().cast());
    }
    state.full(params, speech)
}

/// Abort callback of whisper.cpp. `cancelled` points to an [`AtomicBool`].
#[expect(unsafe_code, reason = "called by whisper.cpp with an untyped pointer")]
unsafe extern "C" fn is_cancelled(cancelled: *mut c_void) -> bool {
    // SAFETY: `run_whisper` sets it to an `AtomicBool` that outlives the run.
    let cancelled = unsafe { &*cancelled.cast_const().cast::<AtomicBool>() };
    cancelled.load(Ordering::Relaxed)
}

/// An attempt at a part of a piece.
struct Part {
    /// First sample.
    start: usize,
    samples: usize,
    attempt: Attempt,
}

/// Returns the words of an attempt; `None` if there was no speech.
fn to_segment(attempt: &Attempt, language: Language<'_>, speech: &[f32]) -> Option<RecognizedSegment> {
    if attempt.seems_silent() && attempt.is_poor() {
        return None;
    }
    let mut words =
        hallucinations::remove_annotations(words::assemble_words(&attempt.tokens(), language.without_spaces));
    let removed_words = hallucinations::remove_loops(&mut words);
    if removed_words > 0 {
        tracing::debug!(removed_words, "removed repetitions from a recognition");
    }
    let confidence = confidence(&words)?;
    if confidence < MIN_CONFIDENCE || attempt.seems_silent() && confidence < MIN_CONFIDENCE_IF_SILENT {
        return None;
    }
    timing::refine_times(&mut words, speech);
    let (start, end) = (words.first()?.start, words.last()?.end);
    Some(RecognizedSegment { start, end, text: words::text(&words, language.without_spaces), confidence, words })
}

/// Returns the confidence of a segment: the mean of its words. `None` without words.
fn confidence(words: &[Word]) -> Option<f64> {
    (!words.is_empty()).then(|| words.iter().map(|word| word.confidence).sum::<f64>() / words.len() as f64)
}
