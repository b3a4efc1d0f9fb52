//! From a recording to its transcript.

use std::io;
use std::path::Path;
use std::sync::Arc;

use leadscribe_engine::api::{DropReason, Dropped, RecordingSide, TranscribedSide};
use tokio::sync::{mpsc, oneshot};

use super::audio::{self, AudioError, Channel, Heard, Layout, Piece};
use super::word_list::{self, RecognizedWord, to_thousandths};
use super::{
    ChosenLanguage, MAX_PIECE_SECONDS, RecognizeError, Recognizer, SAMPLE_RATE, Samples, conversation, redact,
};
use crate::low_priority;
use crate::storage::NewTranscript;

/// Speech that is enough to choose its language by, in seconds.
const ENOUGH_FOR_LANGUAGE: f64 = 6.0;
/// Shortest stretch whose absence from the text is told, in seconds.
const SHORTEST_DROPPED: f64 = 1.0;
/// Time before and after a word that belongs to it, in seconds: recognisers' times are that exact.
const AROUND_WORD: f64 = 0.3;
/// Pieces that wait to be recognised, beside the one that is and the next one: one is 1.8 MB.
const PIECES_AHEAD: usize = 1;

/// What is asked of a transcription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Who is transcribed.
    pub side: RecordingSide,
    /// The languages that may be spoken, one at least.
    pub languages: Vec<String>,
    /// Whether numbers that may be those of payment cards are taken out.
    pub redact_cards: bool,
}

/// A recording could not be transcribed.
#[derive(Debug, thiserror::Error)]
pub enum TranscribeError {
    /// It can't be listened to, and won't be the next time; the text is for staff.
    #[error("{0}")]
    Recording(String),
    /// The file can't be read, or there is no thread to read it; later that may be possible.
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

/// Transcribes the recording in `file`. Each side is recognised apart; a piece is decoded while the one before it is
/// recognised, so that little of the recording is in memory. When the future is dropped, the work ends.
///
/// # Errors
/// [`TranscribeError`] when the recording can't be used or read, or the recogniser failed.
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

/// What is listened to, and whose speech it is.
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

/// The language of most of the speech.
fn main_language(sides: &[TranscribedSide]) -> Option<String> {
    let spoken = |language: &str| -> f64 {
        let of_it = sides.iter().filter(|side| side.language.as_deref() == Some(language));
        of_it.map(|side| side.speech_seconds).sum()
    };
    let languages = sides.iter().filter_map(|side| side.language.as_deref());
    // Of equal ones `max_by` takes the last, which in the reversed list is that of the first side.
    languages.rev().max_by(|left, right| spoken(left).total_cmp(&spoken(right))).map(str::to_owned)
}

/// What was said on a channel.
struct Side {
    /// None where nobody spoke.
    language: Option<ChosenLanguage>,
    words: Vec<RecognizedWord>,
    /// Where somebody seemed to speak, but no words were recognised.
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

/// Stretches of a piece with speech but without words. The words are in order.
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

/// The language of some pieces, of which there is one at least.
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

/// Does blocking work on a thread of its own, which yields to requests.
fn on_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<oneshot::Receiver<T>> {
    let (sender, receiver) = oneshot::channel();
    low_priority::spawn("decoder", move || {
        // When nobody waits for it any more, there is nobody to tell.
        let _ = sender.send(work());
    })?;
    Ok(receiver)
}

/// The thread that decodes ended without a result: a decoder panicked, and would do so again.
fn ended(_: oneshot::error::RecvError) -> TranscribeError {
    TranscribeError::Recording("the recording can't be decoded: the decoder failed".to_owned())
}

#[cfg(test)]
mod tests;
