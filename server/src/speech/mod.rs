//! Speech recognition: decoding, voice activity detection, and recognizers behind one trait.
//!
//! [`transcribe`] turns a file into segments. It depends only on the trait [`Recognizer`]. This module doesn't depend on
//! calls, HTTP requests or the database.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use leadscribe_engine::api::{SpeechEngine, Word};

mod annotations;
pub(crate) mod audio;
mod conversation;
pub(crate) mod http;
mod language;
pub(crate) mod model;
mod provider;
mod redact;
pub(crate) mod transcribe;
pub(crate) mod whisper;
mod word_alignment;

pub use provider::{MissingRecognizer, RecognizerProvider};

/// Sample rate that recognizers expect.
pub const SAMPLE_RATE: u32 = 16_000;

/// Maximum length of a piece for a recognizer, in seconds. Less than the window of Whisper models (30 s).
pub const MAX_PIECE_SECONDS: f64 = 28.0;

/// Up to [`MAX_PIECE_SECONDS`] of one channel, from -1 to 1, at [`SAMPLE_RATE`].
pub type Samples = Arc<[f32]>;

/// Detected language of a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct DetectedLanguage {
    /// One of the permitted languages.
    pub language: String,
    /// Confidence among the permitted languages: 0 to 1.
    pub confidence: f64,
}

/// A segment returned by a recognizer. Times are in seconds from the beginning of the piece.
#[derive(Clone, Debug, PartialEq)]
pub struct RecognizedSegment {
    /// Start time.
    pub start: f64,
    /// End time.
    pub end: f64,
    /// Text.
    pub text: String,
    /// Confidence: 0 to 1.
    pub confidence: f64,
    /// Words, in order.
    pub words: Vec<Word>,
}

/// Reason why speech wasn't recognized.
#[derive(Debug, thiserror::Error)]
pub enum RecognizeError {
    /// The recognizer is unreachable or busy; retry later. The cause is logged.
    #[error("the recognizer is unavailable: {detail}")]
    Unavailable {
        /// Description, without speech and secrets.
        detail: String,
        /// Wait requested by the recognizer.
        retry_after: Option<Duration>,
    },
    /// The recognizer rejected the request; a retry would fail.
    #[error("the recognizer rejected the request: {0}")]
    Rejected(String),
    /// The response is invalid; a retry would fail. The text describes the error without quoting speech.
    #[error("the recognizer's response is invalid: {0}")]
    InvalidResponse(String),
}

/// A speech recognizer.
#[async_trait]
pub trait Recognizer: std::fmt::Debug + Send + Sync {
    /// Returns the name of the engine and the model.
    fn engine(&self) -> SpeechEngine;
    /// Detects which of the permitted languages is spoken. `permitted` has at least two entries.
    async fn detect_language(&self, speech: Samples, permitted: &[String]) -> Result<DetectedLanguage, RecognizeError>;
    /// Recognizes the words of a piece.
    async fn recognize(&self, speech: Samples, language: &str) -> Result<Vec<RecognizedSegment>, RecognizeError>;
}
