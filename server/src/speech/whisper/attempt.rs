//! Result of decoding a piece once, and its quality.

use std::collections::HashMap;

use whisper_rs::{WhisperSegment, WhisperTokenId};

use super::words::Token;

/// Mean log probability below which a result is poor: `logprob_threshold` of whisper/transcribe.py.
const LOGPROB_THRESHOLD: f64 = -1.0;
/// Probability above which Whisper considers a piece silent: `no_speech_threshold` of whisper/transcribe.py.
const NO_SPEECH_THRESHOLD: f32 = 0.6;
/// Entropy of the last tokens below which they are a loop: `entropy_thold` of whisper.cpp.
const ENTROPY_THRESHOLD: f64 = 2.4;
/// Number of tokens over which the entropy is measured.
const ENTROPY_TOKENS: usize = 32;

/// Result of decoding a piece once.
#[derive(Debug)]
pub(super) struct Attempt {
    tokens: Vec<DecodedToken>,
    /// True if the last token is the end of the text; otherwise the text is cut off.
    has_end_token: bool,
    /// Sum of the log probabilities of all tokens including the end token, and their number.
    logprob: (f64, usize),
    /// Probability that there is no speech: 0 to 1.
    no_speech_probability: f32,
}

#[derive(Debug)]
struct DecodedToken {
    id: WhisperTokenId,
    bytes: Vec<u8>,
    end: f64,
    probability: f64,
}

impl Attempt {
    /// Reads a segment of whisper.cpp. Tokens from `end_of_text` on are not text.
    pub(super) fn read(segment: &WhisperSegment<'_>, end_of_text: WhisperTokenId) -> Self {
        let mut attempt = Self {
            tokens: Vec::new(),
            has_end_token: false,
            logprob: (0.0, 0),
            no_speech_probability: segment.no_speech_probability(),
        };
        for token in (0..segment.n_tokens()).filter_map(|index| segment.get_token(index)) {
            let (id, data) = (token.token_id(), token.token_data());
            attempt.has_end_token = id == end_of_text;
            attempt.logprob = (attempt.logprob.0 + f64::from(data.plog), attempt.logprob.1 + 1);
            if let Some(bytes) = token.to_bytes().ok().filter(|_| id < end_of_text) {
                let (end, probability) = (data.t_dtw as f64 / 100.0, f64::from(data.p));
                attempt.tokens.push(DecodedToken { id, bytes: bytes.to_vec(), end, probability });
            }
        }
        attempt
    }

    pub(super) fn tokens(&self) -> Vec<Token<'_>> {
        let tokens = self.tokens.iter();
        tokens
            .map(|DecodedToken { bytes, end, probability, .. }| Token { bytes, end: *end, probability: *probability })
            .collect()
    }

    /// Returns whether the text is complete and not a loop.
    pub(super) fn is_complete(&self) -> bool {
        self.has_end_token && !self.is_loop()
    }

    /// Returns whether Whisper considers the piece silent.
    pub(super) fn seems_silent(&self) -> bool {
        self.no_speech_probability > NO_SPEECH_THRESHOLD
    }

    /// Returns whether the text is improbable.
    pub(super) fn is_poor(&self) -> bool {
        mean(self.logprob) < LOGPROB_THRESHOLD
    }

    /// Returns whether the attempts at the parts of a piece are better than the attempt at the whole.
    pub(super) fn are_parts_better<'a>(parts: impl Iterator<Item = &'a Self>, whole: &Self) -> bool {
        let (mut logprob, mut has_loop) = ((0.0, 0), false);
        for part in parts {
            logprob = (logprob.0 + part.logprob.0, logprob.1 + part.logprob.1);
            has_loop |= part.is_loop();
        }
        let is_likelier = mean(logprob) > mean(whole.logprob);
        // A text that is cut off lacks words that the parts have.
        let has_more = !whole.has_end_token && logprob.1 > 0;
        has_more || whole.is_loop() && !has_loop && logprob.1 > 0 || whole.is_loop() == has_loop && is_likelier
    }

    /// Returns whether the last tokens repeat a short sequence.
    fn is_loop(&self) -> bool {
        let Some(start) = self.tokens.len().checked_sub(ENTROPY_TOKENS) else { return false };
        let mut counts: HashMap<WhisperTokenId, usize> = HashMap::new();
        for token in &self.tokens[start..] {
            *counts.entry(token.id).or_default() += 1;
        }
        let mut counts: Vec<usize> = counts.into_values().collect();
        // Sort the counts, because a sum of floats depends on their order.
        counts.sort_unstable();
        let share = |count: &usize| *count as f64 / ENTROPY_TOKENS as f64;
        let entropy: f64 = counts.iter().map(|count| -share(count) * share(count).ln()).sum();
        entropy < ENTROPY_THRESHOLD
    }
}

fn mean((sum, count): (f64, usize)) -> f64 {
    if count > 0 { sum / count as f64 } else { f64::NEG_INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(ids: impl IntoIterator<Item = i32>, logprob: f64, has_end_token: bool) -> Attempt {
        let token = |id| DecodedToken { id, bytes: b" a".to_vec(), end: 0.0, probability: 0.5 };
        let tokens: Vec<_> = ids.into_iter().map(token).collect();
        let logprob = (logprob * tokens.len() as f64, tokens.len());
        Attempt { tokens, has_end_token, logprob, no_speech_probability: 0.1 }
    }

    #[test]
    fn loops_and_truncated_texts_are_not_complete() {
        assert!(attempt(0..200, -0.3, true).is_complete());
        assert!(!attempt(0..200, -0.3, false).is_complete());
        assert!(!attempt((0..200).map(|id| id % 5), -0.3, true).is_complete());
        assert!(attempt((0..20).map(|id| id % 5), -0.3, true).is_complete());
    }

    #[test]
    fn worse_result_never_wins() {
        let is_better = |parts: &[Attempt], whole| Attempt::are_parts_better(parts.iter(), &whole);
        let halves = |logprob| [attempt(0..40, logprob, true), attempt(40..80, logprob, true)];
        assert!(is_better(&halves(-1.0), attempt(0..80, -1.2, true)));
        assert!(!is_better(&halves(-1.3), attempt(0..80, -1.2, true)));
        assert!(is_better(&halves(-1.3), attempt(0..220, -0.5, false)));
        assert!(is_better(&halves(-1.3), attempt((0..80).map(|id| id % 3), -0.1, true)));
        assert!(!is_better(&[attempt([1; 40], -0.1, true)], attempt(0..80, -1.2, true)));
        assert!(!is_better(&[], attempt(0..220, -1.2, false)));
    }
}
