//! One run of Whisper over a piece.
//!
//! Every token is the likeliest one (temperature 0), so that the same sound always gives the same text. Whisper's own
//! retries pick tokens at random at rising temperatures, and the last one counts, however poor. Here a poor or cut off
//! result is tried again on the two halves of the piece instead, divided where it is quietest, and the better one counts.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

use leadscribe_engine::api::Word;
use whisper_rs::{FullParams, SamplingStrategy, WhisperError, WhisperState, WhisperTokenId, get_lang_id};

use super::attempt::Attempt;
use super::words;
use super::{guard, timing};
use crate::speech::audio::quietest;
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
/// Most tokens in a second of speech: more is a loop. Greek has about 10, and scripts of which each character takes several
/// tokens, such as Tamil and Georgian, up to 30.
const TOKENS_A_SECOND: f64 = 40.0;
/// Tokens that are permitted in any piece.
const SPARE_TOKENS: f64 = 24.0;
/// Whisper does nothing with less than a tenth of a second, and little with less than this, in seconds.
const SHORTEST: f64 = 0.5;
/// Pieces that are shorter, in seconds, aren't divided any further.
const SHORTEST_DIVIDED: f64 = 6.0;
/// Nobody says a word in less, in seconds.
const SHORTEST_WORD: f64 = 0.05;
/// Least confidence of a result, if Whisper takes the piece for silence.
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

/// How a piece is to be recognised.
#[derive(Clone, Copy)]
pub(super) struct Language<'a> {
    /// Whisper's code of the language.
    pub(super) code: &'a str,
    /// Its words aren't separated by spaces.
    pub(super) without_spaces: bool,
}

impl Run<'_> {
    /// The words of a piece.
    pub(super) fn recognize(&mut self, speech: &[f32], language: Language<'_>) -> Result<Vec<Recognized>, Failed> {
        let parts = self.parts(speech, language, true)?;
        let mut recognized = Vec::with_capacity(parts.len());
        for Part { start, samples, attempt } in parts {
            let sound = &speech[start..start + samples];
            let Some(mut part) = result(&attempt, language, sound) else { continue };
            let offset = start as f64 / f64::from(SAMPLE_RATE);
            part.start += offset;
            part.end += offset;
            for word in &mut part.words {
                word.start += offset;
                word.end += offset;
            }
            recognized.push(part);
        }
        Ok(recognized)
    }

    /// The best attempt at a piece: at the whole of it, or at its halves. `divide_poor` permits to divide it also for a
    /// poor result, and not only for one that is cut off.
    fn parts(&mut self, speech: &[f32], language: Language<'_>, divide_poor: bool) -> Result<Vec<Part>, Failed> {
        let Some(attempt) = self.attempt(speech, language)? else { return Ok(Vec::new()) };
        let is_short = speech.len() < (SHORTEST_DIVIDED * f64::from(SAMPLE_RATE)) as usize;
        let is_poor = !attempt.is_whole() || divide_poor && attempt.is_poor() && !attempt.seems_silent();
        let whole = Part { start: 0, samples: speech.len(), attempt };
        if is_short || !is_poor {
            return Ok(vec![whole]);
        }
        let third = speech.len() / 3;
        let cut = third + quietest(&speech[third..speech.len() - third]);
        let mut halves = self.parts(&speech[..cut], language, false)?;
        let later = self.parts(&speech[cut..], language, false)?;
        halves.extend(later.into_iter().map(|part| Part { start: cut + part.start, ..part }));
        let better = Attempt::is_better(halves.iter().map(|part| &part.attempt), &whole.attempt);
        Ok(if better { halves } else { vec![whole] })
    }

    /// One attempt at a piece; none if it is too short to hold a word, or Whisper finds nothing.
    fn attempt(&mut self, speech: &[f32], language: Language<'_>) -> Result<Option<Attempt>, Failed> {
        let seconds = speech.len() as f64 / f64::from(SAMPLE_RATE);
        if seconds < SHORTEST_WORD {
            return Ok(None);
        }
        let padded = padded(speech);
        let positions = (POSITIONS_A_SECOND * seconds + SPARE_POSITIONS).clamp(FEWEST_POSITIONS, MOST_POSITIONS);
        let mut params = FullParams::new(SamplingStrategy::Greedy { best_of: 1 });
        params.set_language(Some(language.code));
        params.set_n_threads(self.threads as c_int);
        params.set_audio_ctx(positions.ceil() as c_int);
        params.set_max_tokens((TOKENS_A_SECOND * seconds + SPARE_TOKENS) as c_int);
        // Whisper's time marks would cut a piece up and have parts of it encoded again; and the search for the times of
        // tokens ends the process when such a part is very short.
        params.set_no_timestamps(true);
        params.set_single_segment(true);
        // No retries at random, and no result thrown away: both are decided here.
        params.set_temperature(0.0);
        params.set_temperature_inc(0.0);
        params.set_no_speech_thold(2.0);
        // What was said before must not colour what is said now: that is how a mistake spreads.
        params.set_no_context(true);
        params.set_n_max_text_ctx(0);
        params.set_print_special(false);
        params.set_print_progress(false);
        params.set_print_realtime(false);
        params.set_print_timestamps(false);
        full(self.state, params, padded.as_deref().unwrap_or(speech), self.cancelled)?;
        Ok(self.state.as_iter().next().map(|segment| Attempt::read(&segment, self.end_of_text)))
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

/// An attempt at a part of a piece.
struct Part {
    /// Its first sample.
    start: usize,
    samples: usize,
    attempt: Attempt,
}

/// The words of an attempt at some sound; none if nothing was said.
fn result(attempt: &Attempt, language: Language<'_>, speech: &[f32]) -> Option<Recognized> {
    if attempt.seems_silent() && attempt.is_poor() {
        return None;
    }
    let mut words = guard::without_remarks(words::words(&attempt.tokens(), language.without_spaces));
    let cut = guard::without_loops(&mut words);
    if cut > 0 {
        tracing::debug!(cut, "the recogniser repeated itself");
    }
    let confidence = confidence(&words)?;
    if confidence < HOPELESS || attempt.seems_silent() && confidence < UNSURE {
        return None;
    }
    timing::fit(&mut words, speech);
    let (start, end) = (words.first()?.start, words.last()?.end);
    Some(Recognized { start, end, text: words::text(&words, language.without_spaces), confidence, words })
}

/// That of a segment is the mean of its words'. None when there are none.
fn confidence(words: &[Word]) -> Option<f64> {
    (!words.is_empty()).then(|| words.iter().map(|word| word.confidence).sum::<f64>() / words.len() as f64)
}
