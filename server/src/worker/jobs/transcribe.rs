//! Transcribes recordings.
//!
//! Nothing is claimed while this process has no recognizer: submitted calls wait without using up attempts.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::{Recording, SkipReason, Timestamp, Transcription, TranscriptionId};
use leadscribe_engine::diagnostic::{Message, work};
use leadscribe_engine::submission::recording_skip_reason;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::service::app::App;
use crate::service::calls::recordings;
use crate::speech::RecognizeError;
use crate::speech::transcribe::{TranscribeError, TranscribeOptions, transcribe};
use crate::storage::{Claim, ClaimedTranscription, FencedWrite, RecordingKey, StoreError};
use crate::telemetry::{error_chain, metrics};
use crate::transcript::NewTranscript;
use crate::worker::backoff;
use crate::worker::runner::{Queue, WorkEnd};

/// Queue of transcriptions.
#[derive(Debug)]
pub struct Transcribe(pub Arc<App>);

/// Result of an attempt at a transcription.
#[derive(Clone, Debug, PartialEq)]
pub enum AttemptOutcome {
    /// A transcript was made.
    Completed {
        transcript: NewTranscript,
        /// Time that it took.
        duration: Duration,
    },
    /// Another attempt will follow.
    Retry {
        /// Reason in one line.
        error: Message,
        /// Delay from now.
        delay: TimeDelta,
    },
    /// The transcription failed permanently, for this reason.
    Failed(Message),
}

/// Reason why an attempt failed.
#[derive(Debug)]
enum AttemptError {
    /// A retry would fail as well.
    Permanent(Message),
    /// A retry may succeed, at the earliest after this delay.
    Transient(Message, Option<Duration>),
}

#[async_trait]
impl Queue for Transcribe {
    type Entry = ClaimedTranscription;
    type Outcome = AttemptOutcome;

    fn notifier(&self) -> &Notify {
        &self.0.notifiers.transcriptions
    }

    async fn is_ready(&self) -> bool {
        self.0.recognizer.get().await.is_some()
    }

    async fn claim(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<ClaimedTranscription>, StoreError> {
        self.0.store.claim_transcription(lease, now).await
    }

    async fn extend(&self, entry: &ClaimedTranscription, until: Timestamp) -> Result<FencedWrite, StoreError> {
        self.0.store.extend_transcription(entry.claim, until).await
    }

    async fn work(&self, entry: &ClaimedTranscription) -> AttemptOutcome {
        let max_attempts = self.0.config.worker.max_attempts;
        if entry.transcription.attempts > max_attempts {
            return AttemptOutcome::Failed(work::attempts_interrupted(max_attempts));
        }
        let Some((recording, key)) = &entry.recording else {
            return AttemptOutcome::Failed(work::recording_deleted());
        };
        // The recording may have been replaced since the call was submitted.
        if let Some(error) = requirement_error(&entry.transcription, recording) {
            return AttemptOutcome::Failed(error);
        }
        let started = Instant::now();
        match self.transcribe(&entry.transcription, recording, key).await {
            Ok(transcript) => AttemptOutcome::Completed { transcript, duration: started.elapsed() },
            Err(AttemptError::Permanent(error)) => AttemptOutcome::Failed(error),
            Err(AttemptError::Transient(error, retry_after)) => self.retry_or_fail(entry, error, retry_after),
        }
    }

    fn panic_outcome(&self, entry: &ClaimedTranscription) -> AttemptOutcome {
        self.retry_or_fail(entry, work::transcription_crashed(), None)
    }

    async fn finish(
        &self,
        entry: &ClaimedTranscription,
        outcome: &AttemptOutcome,
        now: Timestamp,
    ) -> Result<FencedWrite, StoreError> {
        let store = &self.0.store;
        let claim: Claim<TranscriptionId> = entry.claim;
        let finished = match outcome {
            AttemptOutcome::Completed { transcript, .. } => {
                store.complete_transcription(claim, transcript, now).await?
            }
            AttemptOutcome::Retry { error, delay } => {
                store.retry_transcription(claim, error, now + *delay, now).await?
            }
            AttemptOutcome::Failed(error) => store.fail_transcription(claim, error, now).await?,
        };
        // The end of a transcription may have queued a delivery.
        self.0.notifiers.deliveries.notify_one();
        Ok(finished)
    }

    async fn release(&self, entry: &ClaimedTranscription, now: Timestamp) -> Result<FencedWrite, StoreError> {
        self.0.store.release_transcription(entry.claim, now).await
    }

    /// Doesn't wait: recognition may take many minutes, and another worker can begin immediately.
    fn stop_timeout(&self) -> Duration {
        Duration::ZERO
    }

    fn report_store_failure(&self, operation: &str, error: &StoreError) {
        self.0.outage.record_failure(operation, error);
    }

    fn record_end(&self, entry: &ClaimedTranscription, end: WorkEnd<'_, AttemptOutcome>) {
        let Transcription { call_id, attempts: attempt, .. } = &entry.transcription;
        let outcome = match end {
            WorkEnd::Finished(AttemptOutcome::Completed { transcript, duration }) => {
                let (audio_seconds, seconds) = (transcript.duration, duration.as_secs_f64());
                metrics::record_recognition(audio_seconds, seconds);
                let real_time_factor = if audio_seconds > 0.0 { seconds / audio_seconds } else { 0.0 };
                tracing::info!(%call_id, attempt, audio_seconds, real_time_factor, "transcribed");
                "completed"
            }
            WorkEnd::Finished(AttemptOutcome::Retry { error, delay }) => {
                tracing::warn!(%call_id, attempt, %error, retry_delay_seconds = delay.num_seconds(), "transcription failed; \
                     retrying");
                "retried"
            }
            WorkEnd::Finished(AttemptOutcome::Failed(error)) => {
                tracing::warn!(%call_id, attempt, %error, "transcription failed; no more retries");
                "failed"
            }
            WorkEnd::Lost => {
                tracing::warn!(%call_id, attempt, "transcription was cancelled or taken over by another worker; result \
                     discarded");
                "lost"
            }
            WorkEnd::Unknown => {
                tracing::warn!(%call_id, attempt, "the storage's response was lost; the result of the transcription \
                     may have been stored");
                "unknown"
            }
            WorkEnd::Released => {
                tracing::info!(%call_id, "transcription released because the worker is stopping");
                "released"
            }
        };
        metrics::count_transcription(outcome);
    }
}

impl Transcribe {
    async fn transcribe(
        &self,
        transcription: &Transcription,
        recording: &Recording,
        key: &RecordingKey,
    ) -> Result<NewTranscript, AttemptError> {
        let app = &self.0;
        let unavailable = || AttemptError::Transient(work::no_recognizer(), None);
        let recognizer = app.recognizer.get().await.ok_or_else(unavailable)?;
        let unreadable = |error: &(dyn Error + 'static)| {
            tracing::warn!(cause = error_chain(error), call_id = %transcription.call_id, "can't read a recording");
            AttemptError::Transient(work::recording_unreadable(), None)
        };
        let spool = recordings::fetch(app, recording, key).await.map_err(|error| unreadable(&error))?;
        let options = TranscribeOptions {
            side: transcription.recording_side,
            languages: transcription.languages.clone(),
            redact_cards: app.config.speech.redact_cards,
        };
        transcribe(&spool.path(), &options, &*recognizer).await.map_err(|error| match error {
            TranscribeError::Recording(reason) => AttemptError::Permanent(reason),
            TranscribeError::Io(error) => unreadable(&error),
            TranscribeError::Recognizer(error) => match error {
                RecognizeError::Rejected(reason) => {
                    metrics::count_recognizer_failure("refused");
                    AttemptError::Permanent(work::recognizer_rejected(reason))
                }
                RecognizeError::InvalidResponse(reason) => {
                    metrics::count_recognizer_failure("invalid_response");
                    AttemptError::Permanent(work::invalid_recognition(reason))
                }
                RecognizeError::Unavailable { detail, retry_after } => {
                    metrics::count_recognizer_failure("unavailable");
                    AttemptError::Transient(work::recognizer_unavailable(detail), retry_after)
                }
            },
        })
    }

    /// Schedules another attempt, unless this was the last one.
    fn retry_or_fail(
        &self,
        entry: &ClaimedTranscription,
        error: Message,
        retry_after: Option<Duration>,
    ) -> AttemptOutcome {
        let attempts = entry.transcription.attempts;
        if attempts >= self.0.config.worker.max_attempts {
            return AttemptOutcome::Failed(error);
        }
        AttemptOutcome::Retry { error, delay: backoff::transcription_delay(attempts, retry_after, rand::random()) }
    }
}

/// Returns why the current recording doesn't meet the requirements of the submission; `None` if it does.
fn requirement_error(transcription: &Transcription, recording: &Recording) -> Option<Message> {
    Some(match recording_skip_reason(recording, transcription.recording_side, transcription.min_duration)? {
        SkipReason::SideUnavailable => work::recording_has_no_sides(),
        _ => work::recording_too_short(transcription.min_duration),
    })
}

#[cfg(test)]
mod tests;
