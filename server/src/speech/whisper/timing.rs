//! Refines the start and end times of words.
//!
//! Whisper derives the end of each token from its attention; the next token begins there, even after a pause. This module
//! trims a word to the part of its time span where it is audible: without silence before and after it, and without remains
//! of its neighbors beyond a pause. If the span is too long for the word, for example because of music before it, the end
//! of the span counts.

use std::cmp::Ordering;

use leadscribe_engine::api::Word;

use super::words::is_spoken;
use crate::speech::SAMPLE_RATE;

/// Samples in a frame whose loudness is measured: 10 ms.
const FRAME_SAMPLES: usize = SAMPLE_RATE as usize / 100;
/// Loudness relative to the word below which sound counts as silence: -20 dB.
const SILENCE_RATIO: f32 = 0.1;
/// Minimum number of silent frames between a word and its neighbors. The stop before a `t` or `k` is shorter.
const MIN_PAUSE_FRAMES: usize = 20;
/// Number of frames at the end of a span that determine the loudness of the word if there is other sound before it.
const WORD_END_FRAMES: usize = 30;
/// Minimum ratio between the length of the last part and the usual length of the word, in either direction, for the part to
/// be that word. A lower ratio indicates the beginning of the next word.
const MIN_FIT: f64 = 0.4;

/// Maximum length of a word.
const MAX_LENGTH: WordLength = WordLength { word: 0.8, letter: 0.12, digit: 0.4 };
const USUAL_LENGTH: WordLength = WordLength { word: 0.2, letter: 0.07, digit: 0.3 };

/// Length of a word in seconds: a fixed part, and an additional part for each letter and each digit. A digit is spoken as a
/// word.
struct WordLength {
    word: f64,
    letter: f64,
    digit: f64,
}

impl WordLength {
    fn of(&self, word: &str) -> f64 {
        let seconds = |character: char| if character.is_numeric() { self.digit } else { self.letter };
        self.word + word.chars().filter(|character| is_spoken(*character)).map(seconds).sum::<f64>()
    }
}

/// Moves the starts and ends of words to where they are audible. Times are in seconds from the beginning of `speech`.
/// Afterwards they are increasing and within `speech`.
pub(super) fn refine_times(words: &mut [Word], speech: &[f32]) {
    let seconds = speech.len() as f64 / f64::from(SAMPLE_RATE);
    let loudness: Vec<f32> = speech.chunks(FRAME_SAMPLES).map(loudness).collect();
    let mut earliest = 0.0_f64;
    for word in words {
        let begin = word.start.clamp(earliest, seconds.max(earliest));
        let end = word.end.clamp(begin, seconds.max(begin));
        (word.start, word.end) = if end - begin > MAX_LENGTH.of(&word.word) {
            locate_at_end(&loudness, begin, end, &word.word)
        } else {
            let silence_threshold =
                max(&loudness[frame_at(&loudness, begin)..frame_at(&loudness, end)]) * SILENCE_RATIO;
            let parts = audible_parts(&loudness, begin, end, silence_threshold);
            parts.iter().max_by(compare_loudness).map_or((begin, end), |part| (part.start, part.end))
        };
        earliest = word.end;
    }
}

/// Returns the start and end of a word whose span from `begin` to `end` is too long for it. Only `end` is approximately right.
fn locate_at_end(loudness: &[f32], begin: f64, end: f64, word: &str) -> (f64, f64) {
    let last = frame_at(loudness, end);
    let loudest = max(&loudness[last.saturating_sub(WORD_END_FRAMES).max(frame_at(loudness, begin))..last]);
    let mut parts = audible_parts(loudness, begin, end, loudest * SILENCE_RATIO);
    let usual = USUAL_LENGTH.of(word);
    let Some(AudiblePart { start, end, .. }) = parts.last().copied() else { return ((end - usual).max(begin), end) };
    let clipped = (start.max(end - usual), end);
    parts.retain(|part| part.seconds() <= MAX_LENGTH.of(word));
    let fit_ratio = |part: &AudiblePart| part.seconds().min(usual) / part.seconds().max(usual);
    let best = parts.last().filter(|part| fit_ratio(part) >= MIN_FIT);
    let best = best.or_else(|| parts.iter().max_by(|left, right| fit_ratio(left).total_cmp(&fit_ratio(right))));
    // Without a pause before the word, use its usual length.
    best.map_or(clipped, |part| (part.start, part.end))
}

/// A section of audio between pauses.
#[derive(Clone, Copy)]
struct AudiblePart {
    /// Start in seconds.
    start: f64,
    end: f64,
    /// Sum of the loudness of all frames.
    loudness: f32,
}

impl AudiblePart {
    fn seconds(&self) -> f64 {
        self.end - self.start
    }
}

/// Returns the parts between `begin` and `end` that are louder than `silence_threshold`.
fn audible_parts(loudness: &[f32], begin: f64, end: f64, silence_threshold: f32) -> Vec<AudiblePart> {
    let first = frame_at(loudness, begin);
    let frames = &loudness[first..frame_at(loudness, end).max(first)];
    let mut parts: Vec<(usize, usize, f32)> = Vec::new();
    for (index, loudness) in frames.iter().enumerate().filter(|(_, loudness)| **loudness > silence_threshold) {
        match parts.last_mut() {
            Some((_, till, sum)) if index - *till < MIN_PAUSE_FRAMES => (*till, *sum) = (index + 1, *sum + loudness),
            _ => parts.push((index, index + 1, *loudness)),
        }
    }
    let seconds = |index: usize| (first + index) as f64 / 100.0;
    let part = |(from, till, loudness): (usize, usize, f32)| {
        let start = seconds(from).clamp(begin, end);
        AudiblePart { start, end: seconds(till).clamp(start, end), loudness }
    };
    parts.into_iter().map(part).collect()
}

fn compare_loudness(left: &&AudiblePart, right: &&AudiblePart) -> Ordering {
    left.loudness.total_cmp(&right.loudness)
}

/// Returns the frame at a time.
fn frame_at(loudness: &[f32], seconds: f64) -> usize {
    ((seconds * 100.0).round() as usize).min(loudness.len())
}

fn max(loudness: &[f32]) -> f32 {
    loudness.iter().copied().fold(0.0, f32::max)
}

/// Returns the root mean square.
fn loudness(samples: &[f32]) -> f32 {
    (samples.iter().map(|sample| sample * sample).sum::<f32>() / samples.len().max(1) as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generates sound with these levels, each for 100 ms.
    fn sound(loudness: &[f32]) -> Vec<f32> {
        loudness.iter().flat_map(|loud| std::iter::repeat_n(*loud, SAMPLE_RATE as usize / 10)).collect()
    }

    fn refined(times: &[(f64, f64)], loudness: &[f32]) -> Vec<(f64, f64)> {
        let word = |(start, end): &(f64, f64)| Word { word: "a".to_owned(), start: *start, end: *end, confidence: 1.0 };
        let mut words: Vec<Word> = times.iter().map(word).collect();
        refine_times(&mut words, &sound(loudness));
        words.iter().map(|word| (word.start, word.end)).collect()
    }

    #[test]
    fn trims_words_to_their_audible_part() {
        let loudness = [0.0, 0.0, 0.5, 0.5, 0.001, 0.001, 0.3, 0.3, 0.3, 0.0];
        assert_eq!(refined(&[(0.0, 0.6), (0.6, 0.8), (0.8, 1.0)], &loudness), [(0.2, 0.4), (0.6, 0.8), (0.8, 0.9)]);
    }

    #[test]
    fn ignores_remains_of_previous_word() {
        let loudness = [0.5, 0.0, 0.0, 0.0, 0.4, 0.4, 0.0, 0.3, 0.0, 0.0, 0.0, 0.5];
        assert_eq!(refined(&[(0.0, 1.2)], &loudness), [(0.4, 0.8)]);
    }

    #[test]
    fn separates_word_from_preceding_music() {
        // Music, a pause, and a quieter word.
        let paused = [&[0.5; 90][..], &[0.0; 3], &[0.1; 4]].concat();
        assert_eq!(refined(&[(0.0, 9.7)], &paused), [(9.3, 9.7)]);
        // The next word begins before the end of the span.
        let followed = [&[0.5; 90][..], &[0.0; 3], &[0.1; 4], &[0.0; 3], &[0.1; 1]].concat();
        assert_eq!(refined(&[(0.0, 10.1)], &followed), [(9.3, 9.7)]);
        // The short last part doesn't belong to the longer word.
        let later = [&[0.5; 10][..], &[0.0; 15], &[0.5; 1]].concat();
        let mut word = [Word { word: "ill-disposed".to_owned(), start: 0.0, end: 2.6, confidence: 1.0 }];
        refine_times(&mut word, &sound(&later));
        assert_eq!((word[0].start, word[0].end), (0.0, 1.0));
        // Without a pause, the usual length of the word counts.
        assert_eq!(refined(&[(0.0, 4.0)], &[0.5; 40]), [(4.0 - USUAL_LENGTH.of("a"), 4.0)]);
    }

    #[test]
    fn word_times_increase_within_the_piece() {
        let times = [(0.3, 0.1), (0.1, 0.9), (0.9, 0.7), (7.0, 9.0)];
        assert_eq!(refined(&times, &[0.5; 5]), [(0.3, 0.3), (0.3, 0.5), (0.5, 0.5), (0.5, 0.5)]);
        assert_eq!(refined(&[(0.1, 0.2)], &[]), [(0.0, 0.0)]);
    }
}
