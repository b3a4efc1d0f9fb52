//! Why a use case was not carried out. Which HTTP status that is, is decided in [`crate::http::problem`] alone.

use leadscribe_engine::fault::Fault;

use super::allowance::AllowanceUsed;
use super::passwords::PasswordError;
use super::sessions::LoginError;
use crate::background::BrokenOff;
use crate::storage::{REJECTED_KEPT, RecordingKey, StoreError, WriteError};

/// A use case was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The input breaks rules; all of them are named.
    #[error("the request breaks {} rules", .0.len())]
    InvalidRequest(Vec<Fault>),
    /// The filter breaks rules; all of them are named.
    #[error("the filter breaks {} rules", .0.len())]
    InvalidFilter(Vec<Fault>),
    /// There is no such thing ("lead", "campaign").
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The speech recognition token is unknown or revoked.
    #[error("the speech recognition token is not valid")]
    InvalidToken,
    /// What was asked for is another token's or doesn't exist; which of them must not be told.
    #[error("there is nothing that this speech recognition token may see")]
    Unseen,
    /// The transcription of the call was given up, for this reason if one is known.
    #[error("the transcription failed{}; the call can be sent again", .0.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    TranscriptionFailed(Option<String>),
    /// Somebody cancelled the transcription of the call.
    #[error("the transcription was cancelled; the call can be sent again")]
    TranscriptionCancelled,
    /// The transcript was purged.
    #[error("the transcript was purged, as this installation keeps transcripts for a limited time")]
    TranscriptPurged,
    /// The rows that the import refused were purged.
    #[error("the rows that an import refused are kept for {} days", REJECTED_KEPT.num_days())]
    RejectedRowsPurged,
    /// A submission with the same idempotency key is being carried out.
    #[error("a submission with this idempotency key is being carried out")]
    InFlight,
    /// Something else was submitted before under the same idempotency key.
    #[error("this idempotency key was used for another submission")]
    KeyReused,
    /// What was sent can't be used as a recording; the text says what was found.
    #[error("{0}")]
    UnusableRecording(String),
    /// What is under the key of a recording isn't what was stored there.
    #[error("the bytes of the recording {} are not those that were stored", .0.0)]
    DamagedRecording(RecordingKey),
    /// It contradicts what is stored, or the store failed.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The recordings' store failed.
    #[error("the recording store failed")]
    Recordings(#[from] object_store::Error),
    /// A file of this machine can't be read or written.
    #[error("a temporary file can't be used")]
    File(#[from] std::io::Error),
    /// Work on another thread ended without a result.
    #[error("a task of the server broke off")]
    Task(#[from] tokio::task::JoinError),
    /// Work in the background ended without a result.
    #[error(transparent)]
    BrokenOff(#[from] BrokenOff),
    /// The client, or all clients together, have as many imports under way as is permitted.
    #[error("too many imports are under way; retry when one of them has ended")]
    TooManyImports,
    /// The requests of a speech recognition token have as much stored as they may.
    #[error(transparent)]
    AllowanceUsed(#[from] AllowanceUsed),
    /// A password could not be hashed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Somebody could not prove who they are.
    #[error(transparent)]
    Login(#[from] LoginError),
}

impl ServiceError {
    /// Goes on when there are no faults.
    ///
    /// # Errors
    /// [`ServiceError::InvalidRequest`] with the faults, if any.
    pub fn unless_empty(faults: Vec<Fault>) -> Result<(), Self> {
        if faults.is_empty() { Ok(()) } else { Err(Self::InvalidRequest(faults)) }
    }
}
