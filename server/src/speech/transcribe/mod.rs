//! Transcribes a recording.

use std::io;
use std::path::Path;
use std::sync::Arc;

use leadscribe_engine::api::{DropReason, DroppedSpan, RecordingSide, TranscribedSide};
use leadscribe_engine::diagnostic::{Message, recording};
use tokio::sync::{mpsc, oneshot};

use super::audio::{self, AudioError, Channel, Layout, Piece, SpeechSummary};
use super::word_alignment::{self, RecognizedWord, round_to_thousandths};
use super::{
    DetectedLanguage, MAX_PIECE_SECONDS, RecognizeError, Recognizer, SAMPLE_RATE, Samples, conversation, redact,
};
use crate::low_priority;
use crate::transcript::NewTranscript;

/// Length of speech that is sufficient to detect its language, in seconds.
const MIN_LANGUAGE_DETECTION_SECONDS: f64 = 6.0;
/// Minimum length of a reported section without text, in seconds.
const MIN_DROPPED_SECONDS: f64 = 1.0;
/// Time before and after a word that counts as part of it, in seconds: the accuracy of recognizers.
const WORD_MARGIN_SECONDS: f64 = 0.3;
/// Number of pieces in the channel to the recognizer. A piece takes 1.8 MB. Two more are in memory: one is being recognized
/// and one decoded.
const PIECE_CHANNEL_CAPACITY: usize = 1;

/// Options of a transcription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscribeOptions {
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
    /// The recognizer failed.
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

/// Transcribes the recording in `file`. Each side is recognized separately. A piece is decoded while the previous one is
/// recognized, so little of the recording is in memory. Dropping the future ends the work.
///
/// # Errors
/// [`TranscribeError`] if the recording can't be used or read, or the recognizer failed.
pub async fn transcribe(
    file: &Path,
    options: &TranscribeOptions,
    recognizer: &dyn Recognizer,
) -> Result<NewTranscript, TranscribeError> {
    let path: Arc<Path> = file.into();
    let layout_path = Arc::clone(&path);
    let layout = spawn_decoder(move || audio::detect_layout(&layout_path))?.await.map_err(decoder_failed)??;

    let mut transcript = NewTranscript {
        language: None,
        duration: round_to_thousandths(layout.seconds),
        segments: Vec::new(),
        sides: Vec::new(),
        dropped: Vec::new(),
        redactions: 0,
        engine: recognizer.engine(),
    };
    let mut sides = Vec::new();
    let layout = Arc::new(layout);
    for (channel, side) in channels(&layout, options.side) {
        let ChannelSpeech { language, mut words, unrecognized, summary } =
            transcribe_channel(&path, channel, &layout, &options.languages, recognizer).await?;
        word_alignment::normalize_times(&mut words, layout.seconds);
        if options.redact_cards {
            transcript.redactions +=
                redact::redact_card_numbers(&mut words, language.as_ref().map(|detected| &*detected.language));
        }
        sides.push((side, words));
        let no_speech = summary.silences.into_iter().map(|section| (section, DropReason::NoSpeech));
        let unrecognized = unrecognized.into_iter().map(|section| (section, DropReason::NoWords));
        let dropped = no_speech.chain(unrecognized).filter(|((start, end), _)| end - start >= MIN_DROPPED_SECONDS);
        transcript.dropped.extend(dropped.map(|((start, end), reason)| DroppedSpan {
            start: round_to_thousandths(start),
            end: round_to_thousandths(end),
            side,
            reason,
        }));
        transcript.sides.push(TranscribedSide {
            side,
            language_confidence: language.as_ref().map(|detected| round_to_thousandths(detected.confidence)),
            language: language.map(|detected| detected.language),
            speech_seconds: round_to_thousandths(summary.speech_seconds),
        });
    }
    transcript.dropped.sort_by(|left, right| left.start.total_cmp(&right.start));
    transcript.segments = conversation::segments(&sides);
    transcript.language = main_language(&transcript.sides);
    Ok(transcript)
}

/// Returns the channels to process and the side of each.
fn channels(layout: &Layout, requested_side: RecordingSide) -> Vec<(Channel, RecordingSide)> {
    match requested_side {
        _ if layout.channels == 1 => vec![(Channel::Mixed, RecordingSide::Both)],
        RecordingSide::Caller => vec![(Channel::Left, RecordingSide::Caller)],
        RecordingSide::Callee => vec![(Channel::Right, RecordingSide::Callee)],
        RecordingSide::Both if layout.has_equal_channels => vec![(Channel::Left, RecordingSide::Both)],
        RecordingSide::Both => {
            vec![(Channel::Left, RecordingSide::Caller), (Channel::Right, RecordingSide::Callee)]
        }
    }
}

/// Returns the language of most of the speech.
fn main_language(sides: &[TranscribedSide]) -> Option<String> {
    let total_speech = |language: &str| -> f64 {
        let matching_sides = sides.iter().filter(|side| side.language.as_deref() == Some(language));
        matching_sides.map(|side| side.speech_seconds).sum()
    };
    let languages = sides.iter().filter_map(|side| side.language.as_deref());
    // `max_by` returns the last maximum, so reverse the order to prefer the first side.
    languages.rev().max_by(|left, right| total_speech(left).total_cmp(&total_speech(right))).map(str::to_owned)
}

/// Recognized speech of a channel.
struct ChannelSpeech {
    /// `None` without speech.
    language: Option<DetectedLanguage>,
    words: Vec<RecognizedWord>,
    /// Sections with speech but without recognized words.
    unrecognized: Vec<(f64, f64)>,
    summary: SpeechSummary,
}

async fn transcribe_channel(
    path: &Arc<Path>,
    channel: Channel,
    layout: &Arc<Layout>,
    languages: &[String],
    recognizer: &dyn Recognizer,
) -> Result<ChannelSpeech, TranscribeError> {
    let (sender, mut pieces) = mpsc::channel(PIECE_CHANNEL_CAPACITY);
    let (path, layout) = (Arc::clone(path), Arc::clone(layout));
    let summary = spawn_decoder(move || {
        audio::split_into_pieces(&path, channel, &layout, |piece| sender.blocking_send(piece).is_ok())
    })?;

    let mut language = None;
    let (mut words, mut unrecognized) = (Vec::new(), Vec::new());
    let mut pending: Vec<Piece> = Vec::new();
    loop {
        let piece = pieces.recv().await;
        let is_last = piece.is_none();
        pending.extend(piece);
        let has_enough_speech = pending.iter().map(seconds).sum::<f64>() >= MIN_LANGUAGE_DETECTION_SECONDS;
        let detected = match &language {
            _ if pending.is_empty() => break,
            Some(detected) => detected,
            None if has_enough_speech || is_last || languages.len() == 1 => {
                language.insert(detect_language(&pending, languages, recognizer).await?)
            }
            None => continue,
        };
        for piece in pending.drain(..) {
            let recognized = recognizer.recognize(Arc::clone(&piece.samples), &detected.language).await?;
            let previous_len = words.len();
            words.extend(
                recognized.into_iter().flat_map(|recognized| word_alignment::align_words(recognized, piece.start)),
            );
            unrecognized.extend(find_unrecognized(&piece, &words[previous_len..]));
        }
    }
    let summary = summary.await.map_err(decoder_failed)??;
    Ok(ChannelSpeech { language, words, unrecognized, summary })
}

/// Returns the sections of a piece with speech but without words. `words` must be in order.
fn find_unrecognized(piece: &Piece, words: &[RecognizedWord]) -> Vec<(f64, f64)> {
    let end = piece.start + seconds(piece);
    if words.is_empty() {
        return vec![(piece.start, end)];
    }
    let mut from = piece.start;
    let mut gaps = Vec::new();
    for RecognizedWord { word, .. } in words {
        gaps.push((from, word.start - WORD_MARGIN_SECONDS));
        from = from.max(word.end + WORD_MARGIN_SECONDS);
    }
    gaps.push((from, end));
    let voiced_seconds = |gap: &(f64, f64)| {
        let overlaps = piece.voiced.iter().map(|(start, end)| end.min(gap.1) - start.max(gap.0));
        overlaps.filter(|seconds| *seconds > 0.0).sum::<f64>()
    };
    gaps.retain(|gap| voiced_seconds(gap) >= MIN_DROPPED_SECONDS);
    gaps
}

/// Detects the language of at least one piece.
async fn detect_language(
    pieces: &[Piece],
    languages: &[String],
    recognizer: &dyn Recognizer,
) -> Result<DetectedLanguage, TranscribeError> {
    if let [only] = languages {
        return Ok(DetectedLanguage { language: only.clone(), confidence: 1.0 });
    }
    let max_samples = (MAX_PIECE_SECONDS * f64::from(SAMPLE_RATE)) as usize;
    let speech: Samples = match pieces {
        [piece] => Arc::clone(&piece.samples),
        _ => pieces.iter().flat_map(|piece| piece.samples.iter().copied()).take(max_samples).collect(),
    };
    Ok(recognizer.detect_language(speech, languages).await?)
}

fn seconds(piece: &Piece) -> f64 {
    piece.samples.len() as f64 / f64::from(SAMPLE_RATE)
}

/// Runs blocking work on a separate thread with low priority.
fn spawn_decoder<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<oneshot::Receiver<T>> {
    let (sender, receiver) = oneshot::channel();
    low_priority::spawn("decoder", move || {
        // An error means that the receiver was dropped.
        let _ = sender.send(work());
    })?;
    Ok(receiver)
}

/// The decoder thread ended without a result: the decoder panicked, and a retry would panic again.
fn decoder_failed(_: oneshot::error::RecvError) -> TranscribeError {
    TranscribeError::Recording(recording::decoder_crashed())
}

#[cfg(test)]
mod tests;
