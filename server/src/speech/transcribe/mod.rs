//! Transcribes a recording.

use std::io;
use std::path::Path;
use std::sync::Arc;

use leadscribe_engine::api::{DropReason, Dropped, RecordingSide, TranscribedSide};
use leadscribe_engine::diagnostic::Message;
use tokio::sync::{mpsc, oneshot};

use super::audio::{self, AudioError, Channel, Heard, Layout, Piece};
use super::word_list::{self, RecognizedWord, to_thousandths};
use super::{
    ChosenLanguage, MAX_PIECE_SECONDS, RecognizeError, Recognizer, SAMPLE_RATE, Samples, conversation, redact,
};
use crate::low_priority;
use crate::transcript::NewTranscript;

/// Length of speech that is sufficient to detect its language, in seconds.
const ENOUGH_FOR_LANGUAGE: f64 = 6.0;
/// Minimum length of a reported stretch without text, in seconds.
const SHORTEST_DROPPED: f64 = 1.0;
/// Time before and after a word that counts as part of it, in seconds: the accuracy of recognisers.
const AROUND_WORD: f64 = 0.3;
/// Number of pieces in the channel to the recogniser. One is 1.8 MB. Besides, one is being recognised and one decoded.
const PIECES_AHEAD: usize = 1;

/// Options of a transcription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Side to transcribe.
    pub side: RecordingSide,
    /// Languages that may be spoken, at least one.
    pub languages: Vec<String>,
    /// True to redact numbers that may be those of payment cards.
    pub redact_cards: bool,
}

/// Reason why a recording wasn't transcribed.
#[derive(Debug, thiserror::Error)]
pub enum TranscribeError {
    /// The recording is unusable; a retry would fail. The text is for staff.
    #[error("{0}")]
    Recording(Message),
    /// The file can't be read, or no thread could be started. A retry may succeed.
    #[error("the recording can't be read")]
    Io(#[from] io::Error),
    /// The recogniser failed.
    #[error(transparent)]
    Recognizer(#[from] RecognizeError),
}

impl From<AudioError> for TranscribeError {
    fn from(error: AudioError) -> Self {
        match error {
            AudioError::Unusable(why) => Self::Recording(why),
            AudioError::Io(error) => Self::Io(error),
        }
    }
}

/// Transcribes the recording in `file`. Each side is recognised separately. A piece is decoded while the previous one is
/// recognised, so little of the recording is in memory. Dropping the future ends the work.
///
/// # Errors
/// [`TranscribeError`] if the recording can't be used or read, or the recogniser failed.
pub async fn transcribe(
    file: &Path,
    asked: &Asked,
    recognizer: &dyn Recognizer,
) -> Result<NewTranscript, TranscribeError> {
    let path: Arc<Path> = file.into();
    let surveyed = Arc::clone(&path);
    let layout = on_thread(move || audio::survey(&surveyed))?.await.map_err(ended)??;

    let mut transcript = NewTranscript {
        language: None,
        duration: to_thousandths(layout.seconds),
        segments: Vec::new(),
        sides: Vec::new(),
        dropped: Vec::new(),
        redactions: 0,
        engine: recognizer.engine(),
    };
    let mut sides = Vec::new();
    let layout = Arc::new(layout);
    for (channel, side) in channels(&layout, asked.side) {
        let Side { language, mut words, no_words, heard } =
            transcribe_channel(&path, channel, &layout, &asked.languages, recognizer).await?;
        word_list::put_in_order(&mut words, layout.seconds);
        if asked.redact_cards {
            transcript.redactions +=
                redact::card_numbers(&mut words, language.as_ref().map(|chosen| &*chosen.language));
        }
        sides.push((side, words));
        let no_speech = heard.silences.into_iter().map(|stretch| (stretch, DropReason::NoSpeech));
        let no_words = no_words.into_iter().map(|stretch| (stretch, DropReason::NoWords));
        let dropped = no_speech.chain(no_words).filter(|((start, end), _)| end - start >= SHORTEST_DROPPED);
        transcript.dropped.extend(dropped.map(|((start, end), reason)| Dropped {
            start: to_thousandths(start),
            end: to_thousandths(end),
            side,
            reason,
        }));
        transcript.sides.push(TranscribedSide {
            side,
            language_confidence: language.as_ref().map(|chosen| to_thousandths(chosen.confidence)),
            language: language.map(|chosen| chosen.language),
            speech_seconds: to_thousandths(heard.speech_seconds),
        });
    }
    transcript.dropped.sort_by(|left, right| left.start.total_cmp(&right.start));
    transcript.segments = conversation::segments(&sides);
    transcript.language = main_language(&transcript.sides);
    Ok(transcript)
}

/// Returns the channels to process and the side of each.
fn channels(layout: &Layout, asked: RecordingSide) -> Vec<(Channel, RecordingSide)> {
    match asked {
        _ if layout.channels == 1 => vec![(Channel::Mixed, RecordingSide::Both)],
        RecordingSide::Caller => vec![(Channel::Left, RecordingSide::Caller)],
        RecordingSide::Callee => vec![(Channel::Right, RecordingSide::Callee)],
        RecordingSide::Both if layout.equal => vec![(Channel::Left, RecordingSide::Both)],
        RecordingSide::Both => {
            vec![(Channel::Left, RecordingSide::Caller), (Channel::Right, RecordingSide::Callee)]
        }
    }
}

/// Returns the language of most of the speech.
fn main_language(sides: &[TranscribedSide]) -> Option<String> {
    let spoken = |language: &str| -> f64 {
        let of_it = sides.iter().filter(|side| side.language.as_deref() == Some(language));
        of_it.map(|side| side.speech_seconds).sum()
    };
    let languages = sides.iter().filter_map(|side| side.language.as_deref());
    // `max_by` returns the last maximum, so reverse the order to prefer the first side.
    languages.rev().max_by(|left, right| spoken(left).total_cmp(&spoken(right))).map(str::to_owned)
}

/// Recognised speech of a channel.
struct Side {
    /// `None` without speech.
    language: Option<ChosenLanguage>,
    words: Vec<RecognizedWord>,
    /// Stretches with speech but without recognised words.
    no_words: Vec<(f64, f64)>,
    heard: Heard,
}

async fn transcribe_channel(
    path: &Arc<Path>,
    channel: Channel,
    layout: &Arc<Layout>,
    languages: &[String],
    recognizer: &dyn Recognizer,
) -> Result<Side, TranscribeError> {
    let (sender, mut pieces) = mpsc::channel(PIECES_AHEAD);
    let (path, layout) = (Arc::clone(path), Arc::clone(layout));
    let heard = on_thread(move || audio::pieces(&path, channel, &layout, |piece| sender.blocking_send(piece).is_ok()))?;

    let mut language = None;
    let (mut words, mut no_words) = (Vec::new(), Vec::new());
    let mut waiting: Vec<Piece> = Vec::new();
    loop {
        let piece = pieces.recv().await;
        let is_last = piece.is_none();
        waiting.extend(piece);
        let enough = waiting.iter().map(seconds).sum::<f64>() >= ENOUGH_FOR_LANGUAGE;
        let chosen = match &language {
            _ if waiting.is_empty() => break,
            Some(chosen) => chosen,
            None if enough || is_last || languages.len() == 1 => {
                language.insert(choose_language(&waiting, languages, recognizer).await?)
            }
            None => continue,
        };
        for piece in waiting.drain(..) {
            let recognized = recognizer.recognize(Arc::clone(&piece.samples), &chosen.language).await?;
            let before = words.len();
            words.extend(recognized.into_iter().flat_map(|recognized| word_list::words(recognized, piece.start)));
            no_words.extend(without_words(&piece, &words[before..]));
        }
    }
    let heard = heard.await.map_err(ended)??;
    Ok(Side { language, words, no_words, heard })
}

/// Returns stretches of a piece with speech but without words. `words` must be in order.
fn without_words(piece: &Piece, words: &[RecognizedWord]) -> Vec<(f64, f64)> {
    let end = piece.start + seconds(piece);
    if words.is_empty() {
        return vec![(piece.start, end)];
    }
    let mut from = piece.start;
    let mut gaps = Vec::new();
    for RecognizedWord { word, .. } in words {
        gaps.push((from, word.start - AROUND_WORD));
        from = from.max(word.end + AROUND_WORD);
    }
    gaps.push((from, end));
    let voiced = |gap: &(f64, f64)| {
        let within = piece.voiced.iter().map(|(start, end)| end.min(gap.1) - start.max(gap.0));
        within.filter(|seconds| *seconds > 0.0).sum::<f64>()
    };
    gaps.retain(|gap| voiced(gap) >= SHORTEST_DROPPED);
    gaps
}

/// Detects the language of at least one piece.
async fn choose_language(
    pieces: &[Piece],
    languages: &[String],
    recognizer: &dyn Recognizer,
) -> Result<ChosenLanguage, TranscribeError> {
    if let [only] = languages {
        return Ok(ChosenLanguage { language: only.clone(), confidence: 1.0 });
    }
    let most = (MAX_PIECE_SECONDS * f64::from(SAMPLE_RATE)) as usize;
    let speech: Samples = match pieces {
        [piece] => Arc::clone(&piece.samples),
        _ => pieces.iter().flat_map(|piece| piece.samples.iter().copied()).take(most).collect(),
    };
    Ok(recognizer.choose_language(speech, languages).await?)
}

fn seconds(piece: &Piece) -> f64 {
    piece.samples.len() as f64 / f64::from(SAMPLE_RATE)
}

/// Runs blocking work on a separate thread with low priority.
fn on_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<oneshot::Receiver<T>> {
    let (sender, receiver) = oneshot::channel();
    low_priority::spawn("decoder", move || {
        // An error means that the receiver was dropped.
        let _ = sender.send(work());
    })?;
    Ok(receiver)
}

/// The decoder thread ended without a result: the decoder panicked, and a retry would panic again.
fn ended(_: oneshot::error::RecvError) -> TranscribeError {
    TranscribeError::Recording("the recording can't be decoded: the decoder failed".into())
}

#[cfg(test)]
mod tests;
