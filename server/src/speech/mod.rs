//! From a recording to its words: decoding, voice activity, recognition, and the recognisers behind one trait.
//!
//! [`transcribe`] takes a file and gives segments; it knows recognisers by the trait [`Recognizer`] alone. Nothing here
//! knows calls, HTTP requests or the database.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use leadscribe_engine::api::{SpeechEngine, Word};

pub mod audio;
mod conversation;
pub mod http;
mod language;
pub mod model;
mod provider;
mod redact;
pub mod tags;
pub mod transcribe;
pub mod whisper;
mod word_list;

pub use provider::{Missing, Provider};

/// Samples a second that recognisers take.
pub const SAMPLE_RATE: u32 = 16_000;

/// Longest piece that a recogniser is given, in seconds: less than the window of 30 s that Whisper models have.
pub const MAX_PIECE_SECONDS: f64 = 28.0;

/// Up to [`MAX_PIECE_SECONDS`] of one channel, -1 to 1, [`SAMPLE_RATE`] samples a second.
pub type Samples = Arc<[f32]>;

/// The language of a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenLanguage {
    /// One of those permitted.
    pub language: String,
    /// How sure the choice is among those permitted: 0 to 1.
    pub confidence: f64,
}

/// A stretch of speech as a recogniser gives it. Times are seconds from the beginning of the piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognized {
    /// When it begins.
    pub start: f64,
    /// When it ends.
    pub end: f64,
    /// What is said.
    pub text: String,
    /// How sure the recogniser is: 0 to 1.
    pub confidence: f64,
    /// Its words, in order.
    pub words: Vec<Word>,
}

/// Speech could not be recognised.
#[derive(Debug, thiserror::Error)]
pub enum RecognizeError {
    /// The recogniser can't be reached or is busy; later it may answer. The cause is for the log.
    #[error("the recogniser is unavailable: {detail}")]
    Unavailable {
        /// What happened, without anything that was said and without secrets.
        detail: String,
        /// When it asked to be called again.
        retry_after: Option<Duration>,
    },
    /// It refuses, and would refuse again.
    #[error("the recogniser refused: {0}")]
    Refused(String),
    /// Its answer can't be used, and would be the same again. The text says what is wrong with it, without anything that
    /// was said.
    #[error("the recogniser's answer can't be used: {0}")]
    InvalidAnswer(String),
}

/// Recognises speech.
#[async_trait]
pub trait Recognizer: std::fmt::Debug + Send + Sync {
    /// What it is.
    fn engine(&self) -> SpeechEngine;
    /// Which of the permitted languages is spoken. `permitted` has two entries or more.
    async fn choose_language(&self, speech: Samples, permitted: &[String]) -> Result<ChosenLanguage, RecognizeError>;
    /// The words of a piece.
    async fn recognize(&self, speech: Samples, language: &str) -> Result<Vec<Recognized>, RecognizeError>;
}
