//! Transcribes recordings.
//!
//! Nothing is claimed while this process has no recogniser: submitted calls wait without using up attempts.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::{Recording, SkipReason, Timestamp, Transcription, TranscriptionId};
use leadscribe_engine::diagnostic::{Message, work};
use leadscribe_engine::submission::misfit;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::app::App;
use crate::service::recordings;
use crate::speech::RecognizeError;
use crate::speech::transcribe::{Asked, TranscribeError, transcribe};
use crate::storage::{ByClaim, Claim, ClaimedTranscription, RecordingKey, StoreError};
use crate::telemetry::{causes, metrics};
use crate::transcript::NewTranscript;
use crate::worker::backoff;
use crate::worker::runner::{End, Queue};

/// Queue of transcriptions.
#[derive(Debug)]
pub struct Transcribe(pub Arc<App>);

/// Result of an attempt at a transcription.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A transcript was made.
    Completed {
        /// The transcript.
        transcript: NewTranscript,
        /// Time that it took.
        took: Duration,
    },
    /// Another attempt will follow.
    Retry {
        /// Reason in one line.
        error: Message,
        /// Delay from now.
        after: TimeDelta,
    },
    /// The transcription failed permanently, for this reason.
    Failed(Message),
}

/// Reason why an attempt failed.
#[derive(Debug)]
enum Failure {
    /// A retry would fail as well.
    Permanent(Message),
    /// A retry may succeed, at the earliest after this time.
    Transient(Message, Option<Duration>),
}

#[async_trait]
impl Queue for Transcribe {
    type Entry = ClaimedTranscription;
    type Outcome = Outcome;

    fn bell(&self) -> &Notify {
        &self.0.bells.transcriptions
    }

    async fn is_ready(&self) -> bool {
        self.0.recognizer.get().await.is_some()
    }

    async fn claim(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<ClaimedTranscription>, StoreError> {
        self.0.store.claim_transcription(lease, now).await
    }

    async fn extend(&self, entry: &ClaimedTranscription, until: Timestamp) -> Result<ByClaim, StoreError> {
        self.0.store.extend_transcription(entry.claim, until).await
    }

    async fn work(&self, entry: &ClaimedTranscription) -> Outcome {
        let most = self.0.config.worker.max_attempts;
        if entry.transcription.attempts > most {
            return Outcome::Failed(work::attempts_broke_off(most));
        }
        let Some((recording, key)) = &entry.recording else {
            return Outcome::Failed("the recording no longer exists".into());
        };
        // The recording may have been replaced since the call was submitted.
        if let Some(error) = replaced_by_misfit(&entry.transcription, recording) {
            return Outcome::Failed(error);
        }
        let begun = Instant::now();
        match self.transcribe(&entry.transcription, recording, key).await {
            Ok(transcript) => Outcome::Completed { transcript, took: begun.elapsed() },
            Err(Failure::Permanent(error)) => Outcome::Failed(error),
            Err(Failure::Transient(error, retry_after)) => self.again(entry, error, retry_after),
        }
    }

    fn broken_off(&self, entry: &ClaimedTranscription) -> Outcome {
        self.again(entry, "internal error while transcribing the recording".into(), None)
    }

    async fn finish(
        &self,
        entry: &ClaimedTranscription,
        outcome: &Outcome,
        now: Timestamp,
    ) -> Result<ByClaim, StoreError> {
        let store = &self.0.store;
        let claim: Claim<TranscriptionId> = entry.claim;
        match outcome {
            Outcome::Completed { transcript, .. } => store.complete_transcription(claim, transcript, now).await,
            Outcome::Retry { error, after } => store.retry_transcription(claim, error, now + *after, now).await,
            Outcome::Failed(error) => store.fail_transcription(claim, error, now).await,
        }
    }

    async fn release(&self, entry: &ClaimedTranscription, now: Timestamp) -> Result<ByClaim, StoreError> {
        self.0.store.release_transcription(entry.claim, now).await
    }

    /// Doesn't wait: recognition may take many minutes, and another worker can begin immediately.
    fn patience(&self) -> Duration {
        Duration::ZERO
    }

    fn store_failed(&self, deed: &str, error: &StoreError) {
        self.0.outage.failed(deed, error);
    }

    fn note(&self, entry: &ClaimedTranscription, end: End<'_, Outcome>) {
        let Transcription { call_id, attempts: attempt, .. } = &entry.transcription;
        let outcome = match end {
            End::Finished(Outcome::Completed { transcript, took }) => {
                let (audio_seconds, seconds) = (transcript.duration, took.as_secs_f64());
                metrics::recognized(audio_seconds, seconds);
                let real_time_factor = if audio_seconds > 0.0 { seconds / audio_seconds } else { 0.0 };
                tracing::info!(%call_id, attempt, audio_seconds, real_time_factor, "transcribed");
                "completed"
            }
            End::Finished(Outcome::Retry { error, after }) => {
                tracing::warn!(%call_id, attempt, %error, pause_seconds = after.num_seconds(), "transcription failed; \
                     retrying");
                "retried"
            }
            End::Finished(Outcome::Failed(error)) => {
                tracing::warn!(%call_id, attempt, %error, "transcription failed; no more retries");
                "failed"
            }
            End::Lost => {
                tracing::warn!(%call_id, attempt, "transcription was cancelled or taken over by another worker; result \
                     discarded");
                "lost"
            }
            End::Unknown => {
                tracing::warn!(%call_id, attempt, "the storage's response was lost; the result of the transcription \
                     may have been stored");
                "unknown"
            }
            End::Released => {
                tracing::info!(%call_id, "transcription released because the worker is stopping");
                "released"
            }
        };
        metrics::transcription(outcome);
    }
}

impl Transcribe {
    async fn transcribe(
        &self,
        transcription: &Transcription,
        recording: &Recording,
        key: &RecordingKey,
    ) -> Result<NewTranscript, Failure> {
        let app = &self.0;
        let unavailable = || Failure::Transient(work::no_recogniser(), None);
        let recognizer = app.recognizer.get().await.ok_or_else(unavailable)?;
        let unreadable = |error: &(dyn Error + 'static)| {
            tracing::warn!(cause = causes(error), call_id = %transcription.call_id, "can't read a recording");
            Failure::Transient(work::recording_unreadable(), None)
        };
        let spool = recordings::fetch(app, recording, key).await.map_err(|error| unreadable(&error))?;
        let asked = Asked {
            side: transcription.recording_side,
            languages: transcription.languages.clone(),
            redact_cards: app.config.speech.redact_cards,
        };
        transcribe(&spool.path(), &asked, &*recognizer).await.map_err(|error| match error {
            TranscribeError::Recording(why) => Failure::Permanent(why),
            TranscribeError::Io(error) => unreadable(&error),
            TranscribeError::Recognizer(error) => match error {
                RecognizeError::Refused(_) => {
                    metrics::recognizer_failed("refused");
                    Failure::Permanent(error.to_string().into())
                }
                RecognizeError::InvalidAnswer(_) => {
                    metrics::recognizer_failed("invalid_answer");
                    Failure::Permanent(error.to_string().into())
                }
                RecognizeError::Unavailable { retry_after, .. } => {
                    metrics::recognizer_failed("unavailable");
                    Failure::Transient(error.to_string().into(), retry_after)
                }
            },
        })
    }

    /// Schedules another attempt, unless this was the last one.
    fn again(&self, entry: &ClaimedTranscription, error: Message, retry_after: Option<Duration>) -> Outcome {
        let attempts = entry.transcription.attempts;
        if attempts >= self.0.config.worker.max_attempts {
            return Outcome::Failed(error);
        }
        Outcome::Retry { error, after: backoff::transcription(attempts, retry_after, rand::random()) }
    }
}

/// Returns why the current recording doesn't meet the requirements of the submission; `None` if it does.
fn replaced_by_misfit(asked: &Transcription, recording: &Recording) -> Option<Message> {
    Some(match misfit(recording, asked.recording_side, asked.min_duration)? {
        SkipReason::SideUnavailable => work::recording_has_no_sides(),
        _ => work::recording_too_short(asked.min_duration),
    })
}

#[cfg(test)]
mod tests;
