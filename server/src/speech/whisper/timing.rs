//! When words begin and end.
//!
//! Whisper says by what it attends to when each token ends; the next begins there, whatever pause lies between. So a
//! word is where it is heard in its time: without the silence before and after it, and without what is left of its
//! neighbours beyond a pause.

use leadscribe_engine::api::Word;

use crate::speech::SAMPLE_RATE;

/// Samples of a stretch whose loudness is looked at: 10 milliseconds.
const FRAME: usize = SAMPLE_RATE as usize / 100;
/// Below this part of the loudness of the word it is silent: -20 dB.
const SILENT: f32 = 0.1;
/// Frames of silence that part a word from its neighbours; the stop before a `t` or `k` is shorter.
const PAUSE: usize = 20;
/// Longest word, in seconds: more is noise.
const LONGEST: f64 = 2.0;

/// Moves the beginnings and ends of words to where they are heard. Times are seconds from the beginning of `speech`;
/// afterwards they rise and lie within it.
pub(super) fn fit(words: &mut [Word], speech: &[f32]) {
    let seconds = speech.len() as f64 / f64::from(SAMPLE_RATE);
    let loudness: Vec<f32> = speech.chunks(FRAME).map(loudness).collect();
    let mut earliest = 0.0_f64;
    for word in words {
        let begin = word.start.clamp(earliest, seconds.max(earliest));
        let end = word.end.clamp(begin, seconds.max(begin));
        (word.start, word.end) = heard(&loudness, begin, end);
        earliest = word.end;
    }
}

/// The part of `begin` to `end` in which something is heard: the loudest of those that pauses part.
fn heard(loudness: &[f32], begin: f64, end: f64) -> (f64, f64) {
    let frame = |seconds: f64| ((seconds * 100.0).round() as usize).min(loudness.len());
    let first = frame(begin);
    let frames = &loudness[first..frame(end).max(first)];
    let silent = frames.iter().copied().fold(0.0, f32::max) * SILENT;
    let mut parts: Vec<(usize, usize, f32)> = Vec::new();
    for (index, loudness) in frames.iter().enumerate().filter(|(_, loudness)| **loudness > silent) {
        match parts.last_mut() {
            Some((_, till, sum)) if index - *till < PAUSE => (*till, *sum) = (index + 1, *sum + loudness),
            _ => parts.push((index, index + 1, *loudness)),
        }
    }
    let Some((from, till, _)) = parts.into_iter().max_by(|left, right| left.2.total_cmp(&right.2)) else {
        return (begin, end);
    };
    let seconds = |index: usize| (first + index) as f64 / 100.0;
    let start = seconds(from).clamp(begin, end);
    (start, seconds(till).clamp(start, end.min(start + LONGEST)))
}

/// Root of the mean square.
fn loudness(samples: &[f32]) -> f32 {
    (samples.iter().map(|sample| sample * sample).sum::<f32>() / samples.len().max(1) as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sound of these loudnesses, each for 100 milliseconds.
    fn sound(loudness: &[f32]) -> Vec<f32> {
        loudness.iter().flat_map(|loud| std::iter::repeat_n(*loud, SAMPLE_RATE as usize / 10)).collect()
    }

    fn fitted(times: &[(f64, f64)], loudness: &[f32]) -> Vec<(f64, f64)> {
        let word = |(start, end): &(f64, f64)| Word { word: "a".to_owned(), start: *start, end: *end, confidence: 1.0 };
        let mut words: Vec<Word> = times.iter().map(word).collect();
        fit(&mut words, &sound(loudness));
        words.iter().map(|word| (word.start, word.end)).collect()
    }

    #[test]
    fn a_word_is_where_it_is_heard() {
        let loudness = [0.0, 0.0, 0.5, 0.5, 0.001, 0.001, 0.3, 0.3, 0.3, 0.0];
        assert_eq!(fitted(&[(0.0, 0.6), (0.6, 0.8), (0.8, 1.0)], &loudness), [(0.2, 0.4), (0.6, 0.8), (0.8, 0.9)]);
    }

    #[test]
    fn what_is_left_of_the_word_before_is_beyond_a_pause() {
        let loudness = [0.5, 0.0, 0.0, 0.0, 0.4, 0.4, 0.0, 0.3, 0.0, 0.0, 0.0, 0.5];
        assert_eq!(fitted(&[(0.0, 1.2)], &loudness), [(0.4, 0.8)]);
    }

    #[test]
    fn times_rise_and_stay_within_the_piece() {
        let times = [(0.3, 0.1), (0.1, 0.9), (0.9, 0.7), (7.0, 9.0)];
        assert_eq!(fitted(&times, &[0.5; 5]), [(0.3, 0.3), (0.3, 0.5), (0.5, 0.5), (0.5, 0.5)]);
        assert_eq!(fitted(&[(0.0, 4.0)], &[0.5; 40]), [(0.0, LONGEST)]);
        assert_eq!(fitted(&[(0.1, 0.2)], &[]), [(0.0, 0.0)]);
    }
}
