//! Embedded recognizer based on whisper.cpp.
//!
//! A model is loaded once and shared. Recognitions run on separate low-priority threads, so that they don't slow down
//! requests.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use leadscribe_engine::api::SpeechEngine;
use leadscribe_engine::diagnostic::work;
use whisper_rs::{DtwParameters, WhisperContext, WhisperContextParameters};

use super::{DetectedLanguage, MissingRecognizer, RecognizeError, RecognizedSegment, Recognizer, Samples};
use model_file::ModelHeader;
use worker_pool::{Job, WorkerPool};

mod attempt;
mod cpu;
mod hallucinations;
mod language;
mod model_file;
mod run;
mod timing;
mod words;
mod worker_pool;

/// A Whisper model.
#[derive(Debug)]
pub struct Whisper {
    name: String,
    header: ModelHeader,
    pool: WorkerPool,
}

impl Whisper {
    /// Loads the ggml file at `path`. Blocks until it is read.
    ///
    /// `name` is the name of the model for staff. Up to `recognitions` pieces are recognized concurrently with `threads`
    /// threads each; both are at least one. Each recognition allocates memory when it first runs and keeps it.
    ///
    /// # Errors
    /// [`MissingRecognizer`] if this processor is not supported, or the file is missing, damaged or not a supported model.
    pub fn load(path: &Path, name: &str, recognitions: usize, threads: usize) -> Result<Self, MissingRecognizer> {
        let missing = cpu::missing_instructions();
        if !missing.is_empty() {
            return Err(work::processor_lacks(missing.join(", ")).into());
        }
        let unusable = |reason: &str| work::model_unusable(name, path.display().to_string(), reason);
        let header = model_file::validate(path).map_err(|problem| unusable(&problem))?;
        // Discard whisper.cpp's log messages; in debug builds they contain speech.
        whisper_rs::install_logging_hooks();
        let mut parameters = WhisperContextParameters::default();
        parameters.dtw_parameters(DtwParameters { mode: header.alignment(), ..DtwParameters::default() });
        let context =
            WhisperContext::new_with_params(path, parameters).map_err(|_| unusable("whisper.cpp can't load it"))?;
        let pool = WorkerPool::start(&Arc::new(context), recognitions.max(1), threads.max(1))
            .map_err(|error| work::recognizer_not_started(error.to_string()))?;
        Ok(Self { name: name.to_owned(), header, pool })
    }

    /// Returns Whisper's code for a language.
    fn code(&self, language: &str) -> Result<String, RecognizeError> {
        let code = language::model_code(language, self.header).map(str::to_owned);
        code.ok_or_else(|| {
            RecognizeError::Rejected(format!("the model `{}` doesn't support the language `{language}`", self.name))
        })
    }
}

#[async_trait]
impl Recognizer for Whisper {
    fn engine(&self) -> SpeechEngine {
        SpeechEngine { name: "whisper.cpp".to_owned(), model: self.name.clone() }
    }

    async fn detect_language(&self, speech: Samples, permitted: &[String]) -> Result<DetectedLanguage, RecognizeError> {
        let candidates: Vec<(&String, String)> =
            permitted.iter().filter_map(|language| Some((language, self.code(language).ok()?))).collect();
        let Some((first, code)) = candidates.first() else {
            return Err(RecognizeError::Rejected(format!("the model {} supports none of the languages", self.name)));
        };
        if candidates.iter().all(|(_, other)| other == code) {
            return Ok(DetectedLanguage { language: (*first).clone(), confidence: 1.0 });
        }
        let codes: Vec<String> = candidates.iter().map(|(_, code)| code.clone()).collect();
        let probabilities = self.pool.run(|responder| Job::DetectLanguage { speech, codes, responder }).await?;
        Ok(most_probable(&candidates, &probabilities))
    }

    async fn recognize(&self, speech: Samples, language: &str) -> Result<Vec<RecognizedSegment>, RecognizeError> {
        let code = self.code(language)?;
        let without_spaces = language::is_without_spaces(language);
        self.pool.run(|responder| Job::Recognize { speech, code, without_spaces, responder }).await
    }
}

/// Returns the most probable language, given Whisper's code and probability for each. Languages with the same code, such as
/// en-GB and en-US, can't be told apart, so the first one is returned.
fn most_probable(candidates: &[(&String, String)], probabilities: &[f32]) -> DetectedLanguage {
    let mut sum = 0.0;
    let mut best = (0, f64::NEG_INFINITY);
    for (index, ((_, code), probability)) in candidates.iter().zip(probabilities).enumerate() {
        if candidates[..index].iter().any(|(_, before)| before == code) {
            continue;
        }
        let probability = f64::from(*probability);
        sum += probability;
        if probability > best.1 {
            best = (index, probability);
        }
    }
    let confidence = if sum > 0.0 { (best.1 / sum).clamp(0.0, 1.0) } else { 0.0 };
    DetectedLanguage { language: candidates[best.0].0.clone(), confidence }
}

#[cfg(test)]
mod tests;
