//! Errors of the use cases. Only [`crate::http::problem`] maps them to HTTP statuses.

use leadscribe_engine::diagnostic::{Diagnostic, Message, work};

use super::auth::passwords::PasswordError;
use super::auth::sessions::LoginError;
use super::speech::storage_quota::StorageQuotaExceeded;
use crate::background::BackgroundTaskAborted;
use crate::storage::{ChangeCursor, REJECTED_ROW_RETENTION, RecordingKey, StoreError, WriteError};

/// Result of a use case.
pub type Result<T, E = ServiceError> = std::result::Result<T, E>;

/// Reason why a use case failed.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The input is invalid. Contains all diagnostics.
    #[error("the request is invalid; errors: {}", .0.len())]
    InvalidRequest(Vec<Diagnostic>),
    /// The filter is invalid. Contains all diagnostics.
    #[error("the filter is invalid; errors: {}", .0.len())]
    InvalidFilter(Vec<Diagnostic>),
    /// The resource ("lead", "campaign") doesn't exist.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The speech token is unknown or revoked.
    #[error("the speech token is not valid")]
    InvalidToken,
    /// The resource belongs to another token or doesn't exist. The response must not reveal which.
    #[error("this speech token can't access this resource")]
    NotVisible,
    /// The transcription of the call failed permanently, for this reason.
    #[error("{}", work::transcription_failed(.0.clone()))]
    TranscriptionFailed(Message),
    /// The transcription of the call was cancelled.
    #[error("the transcription was cancelled; the call can be sent again")]
    TranscriptionCancelled,
    /// The transcript was purged.
    #[error("the transcript was deleted; this installation keeps transcripts for a limited time")]
    TranscriptPurged,
    /// Changes after the cursor were purged, or the database was restored.
    #[error("changes after this cursor were purged; the oldest cursor is {oldest}")]
    CursorExpired {
        /// Cursor before the oldest change that is kept.
        oldest: ChangeCursor,
    },
    /// The rejected rows of the import were purged.
    #[error("the rejected rows of an import are kept for {} days", REJECTED_ROW_RETENTION.num_days())]
    RejectedRowsPurged,
    /// Another request with the same idempotency key is in progress.
    #[error("a request with this idempotency key is in progress; retry later")]
    RequestInProgress,
    /// The data isn't a usable recording. The text describes what was found.
    #[error("{0}")]
    UnusableRecording(Message),
    /// The bytes under the key of a recording are not the bytes that were stored.
    #[error("the recording {} doesn't match its checksum", .0.0)]
    DamagedRecording(RecordingKey),
    /// The write conflicts with stored data, or storage failed.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The recordings' store failed.
    #[error("recording storage failed")]
    RecordingStore(#[from] object_store::Error),
    /// A local file can't be read or written.
    #[error("can't use a temporary file")]
    File(#[from] std::io::Error),
    /// Work on another thread ended without a result.
    #[error("server task ended without a result")]
    Task(#[from] tokio::task::JoinError),
    /// Work in the background ended without a result.
    #[error(transparent)]
    BackgroundTask(#[from] BackgroundTaskAborted),
    /// The client, or all clients together, reached the limit of concurrent imports.
    #[error("too many imports are running; retry when one of them has ended")]
    TooManyImports,
    /// The requests of a speech token have reached their storage limit.
    #[error(transparent)]
    StorageQuotaExceeded(#[from] StorageQuotaExceeded),
    /// A password could not be hashed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Authentication failed.
    #[error(transparent)]
    Login(#[from] LoginError),
}

impl ServiceError {
    /// Returns `Ok` if there are no diagnostics.
    ///
    /// # Errors
    /// [`ServiceError::InvalidRequest`] with the diagnostics, if any.
    pub fn ensure_no_diagnostics(diagnostics: Vec<Diagnostic>) -> Result<(), Self> {
        if diagnostics.is_empty() { Ok(()) } else { Err(Self::InvalidRequest(diagnostics)) }
    }
}
